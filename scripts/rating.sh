#!/bin/sh
# Plays a program against other UCI engines at several time controls, and writes a table and a picture with error bars.
# Interrupt it at any time: the same command continues, and the table has the games played so far.
#
#   scripts/rating.sh PROGRAM [FOLDER]     FOLDER keeps matches, rating.md and rating.svg; default: target/rating
#
#   GAMES=400               games against each opponent at each time control
#   TIMES="4+0.04 8+0.08"   time controls, in seconds; nodes=25000 is a fixed number of nodes per move for every engine
#   NODESTIME=1400          clocks count this many nodes per millisecond instead of time, so that a busy machine does not
#                           matter; leaves out opponents without the option nodestime
#   NODES="10000 ..."       also Stockfish at these fixed numbers of nodes per move, while PROGRAM plays at TIMES
#   OPPONENTS=FILE          lines "name|command line"; default: what Debian installs in /usr/games
#   BOOK=FILE               openings; default: the built-in book
#   HASH=64                 hash table of each engine that has the option Hash, in MiB
#   CONCURRENCY=1           games at the same time; results count only on a machine that does nothing else
#
# Every engine plays with one thread, and every opening twice with colours reversed.
set -eu
program=${1:?usage: scripts/rating.sh PROGRAM [FOLDER]}
folder=${2:-target/rating}
[ -x "$program" ] || { echo "rating: $program is not a program" >&2; exit 2; }
games=${GAMES:-400}
times=${TIMES:-4+0.04 8+0.08}
rungs=${NODES-10000 30000 100000 300000}
mkdir -p "$folder"

# The opponents as lines "name|command line|limit", where an empty limit is the time control.
opponents() {
    if [ -n "${OPPONENTS:-}" ]; then
        sed 's/$/|/' "$OPPONENTS"
    else
        for line in 'Stockfish|/usr/games/stockfish' 'Ethereal|/usr/games/ethereal-chess' 'Toga II|/usr/games/toga2' \
            'Glaurung|/usr/games/glaurung' 'GNU Chess|/usr/games/gnuchess --uci'; do
            command=${line#*|}
            if [ ! -x "${command%% *}" ]; then
                echo "rating: skipped: ${command%% *} is not installed" >&2
            elif [ -n "${NODESTIME:-}" ] && ! has_node_clock "$command"; then
                echo "rating: skipped: ${command%% *} has no option nodestime" >&2
            else
                echo "$line|"
            fi
        done
    fi
    if [ -x /usr/games/stockfish ]; then
        for nodes in $rungs; do echo "Stockfish, $nodes nodes|/usr/games/stockfish|nodes=$nodes tc=inf"; done
    fi
}

# The limit of the engines at a time control.
limit_of() { case $1 in nodes=*) echo "tc=inf $1" ;; *) echo "tc=$1" ;; esac; }

# Whether an engine can count nodes as time.
has_node_clock() { printf 'uci\nquit\n' | $1 2> /dev/null | grep -q '^option name nodestime '; }

# The name of a match's files.
file_name() { printf '%s at %s' "$1" "$2" | tr -c 'A-Za-z0-9.+\n' '-'; }

# Plays or continues one match.
encounter() {
    name=$1 command=$2 limit=$3 time=$4
    id=$(file_name "$name" "$time")
    state=$folder/$id.json log=$folder/$id.log
    if [ -e "$state" ]; then
        set -- -config file="$state"
    else
        own="$(limit_of "$time")${NODESTIME:+ option.nodestime=$NODESTIME timemargin=600000}"
        # shellcheck disable=SC2086 # Limits are several words.
        set -- -engine cmd="$program" name=Vedette $own \
            -engine cmd="${command%% *}" name="$name" args="$(printf '%s' "$command" | sed 's/^[^ ]* *//')" ${limit:-$own} \
            -each option.Hash="${HASH:-64}" -rounds $(((games + 1) / 2)) -repeat -recover -srand 1 -faults none \
            -ratinginterval 5 -config outname="$state"
        if [ -n "${BOOK:-}" ]; then set -- "$@" -openings file="$BOOK" order=random; fi
    fi
    echo "rating: $name at $time" >&2
    "$program" match "$@" -concurrency "${CONCURRENCY:-1}" >> "$log" 2>&1 || { tail -n 5 "$log" >&2; return 1; }
}

# One line per match that has results: time control, name, games, wins, draws, losses, Elo, error, time losses
# of the program and of the opponent. A log that was continued has several reports; the last one counts.
results() {
    for time in $times; do
        while IFS='|' read -r name _; do
            log=$folder/$(file_name "$name" "$time").log
            [ -e "$log" ] || continue
            awk -v OFS='|' -v time="$time" -v name="$name" '
                /^Elo: / { elo = $2; error = $4; sub(/,$/, "", error) }
                /^Games: / { gsub(/,/, ""); games = $2; wins = $4; losses = $6; draws = $8 }
                /^Results of / { late["Vedette"] = late[name] = 0 }
                /^Player: / { player = substr($0, 9) }
                /^ *Timeouts: / { late[player] = $2 }
                END { if (games > 0) print time, name, games, wins, draws, losses, elo, error, late["Vedette"] + 0, late[name] + 0 }' "$log"
        done < "$folder/opponents"
    done
}

# Writes the table.
table() {
    cat << END
# Vedette against other engines

$("$program" "uci" "quit" | sed -n 's/^id name //p'), one thread, Hash ${HASH:-64}, openings: ${BOOK:-the built-in book}, each played twice with
colours reversed. Elo differences with 95 % intervals; an engine with a number of nodes uses no clock.${NODESTIME:+
Clocks count $NODESTIME nodes as a millisecond.}

| opponent | time control | games | won, drawn, lost | lost on time, own and other | score | Elo difference |
|---|---|---|---|---|---|---|
END
    results | awk -F '|' '{
        printf "| %s | %s | %d | %d, %d, %d | %d, %d | %.1f %% | %s |\n", $2, $1, $3, $4, $5, $6, $9, $10, 100 * ($4 + $5 / 2) / $3, \
            ($7 ~ /^-?[0-9]/ ? sprintf("%+.0f ± %.0f", $7, $8) : "none: every game had the same result")
    }'
    printf '\n%s %s, %s.\n' "$(uname -s)" "$(uname -m)" "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2> /dev/null | head -n 1)"
}

# Draws one row per opponent, with a point and an error bar for each time control.
picture() {
    results | awk -F '|' '
        {
            if (!($1 in colour)) { times[++controls] = $1; colour[$1] = controls == 1 ? "#1f6feb" : controls == 2 ? "#d1580f" : "#5b6470" }
            if (!($2 in row)) { names[++rows] = $2; row[$2] = rows }
            n++; control[n] = $1; name[n] = $2; elo[n] = $7; error[n] = $8
            score[n] = ($4 + $5 / 2) / $3
            known[n] = $7 ~ /^-?[0-9]/
            if (known[n] && $7 + $8 > most) most = $7 + $8
            if (known[n] && $7 - $8 < least) least = $7 - $8
        }
        function x(value) { return 190 + 540 * (value - least) / (most - least) }
        function clamp(value) { return value < least ? least : value > most ? most : value }
        END {
            step = most - least > 1600 ? 400 : most - least > 600 ? 200 : 100
            least = step * (int(least / step) - 1); most = step * (int(most / step) + 1)
            height = 60 + 40 * rows
            printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 760 %d\" font-family=\"sans-serif\" font-size=\"13\">\n", height + 30
            printf "<title>Elo difference of Vedette to other engines</title>\n<rect width=\"760\" height=\"%d\" fill=\"#fff\"/>\n", height + 30
            for (i = 1; i <= controls; i++) {
                printf "<circle cx=\"%d\" cy=\"18\" r=\"5\" fill=\"%s\"/><text x=\"%d\" y=\"22\">%s</text>\n", \
                    190 + 110 * (i - 1), colour[times[i]], 200 + 110 * (i - 1), times[i]
            }
            for (value = least; value <= most; value += step) {
                printf "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"36\" y2=\"%d\" stroke=\"%s\"/>\n", x(value), x(value), height - 16, value == 0 ? "#333" : "#ddd"
                printf "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%+d</text>\n", x(value), height, value
            }
            for (i = 1; i <= rows; i++) printf "<text x=\"180\" y=\"%d\" text-anchor=\"end\">%s</text>\n", 44 + 40 * i - 22, names[i]
            for (i = 1; i <= n; i++) {
                for (c = 1; times[c] != control[i]; c++) { }
                y = 40 + 40 * row[name[i]] - 22 + 10 * (c - (controls + 1) / 2)
                at = known[i] ? elo[i] : score[i] > 0.5 ? most : least
                if (known[i]) printf "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" stroke-width=\"2\"/>\n", \
                    x(clamp(elo[i] - error[i])), x(clamp(elo[i] + error[i])), y, y, colour[control[i]]
                printf "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"5\" fill=\"%s\"/>\n", x(at), y, colour[control[i]]
            }
            printf "<text x=\"460\" y=\"%d\" text-anchor=\"middle\">Elo difference, 95 %% interval</text>\n</svg>\n", height + 20
        }'
}

report() {
    table > "$folder/rating.md"
    picture > "$folder/rating.svg"
    echo "rating: $folder/rating.md and $folder/rating.svg" >&2
}

opponents > "$folder/opponents"
trap 'report; echo "rating: interrupted; the same command continues" >&2; exit 130' INT TERM
failed=
for time in $times; do
    while IFS='|' read -r name command limit; do
        encounter "$name" "$command" "$limit" "$time" < /dev/null || failed=yes
        report
    done < "$folder/opponents"
done
[ -z "$failed" ] || { echo "rating: some matches failed" >&2; exit 1; }
