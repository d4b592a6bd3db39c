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
picture() { results | awk -f "$(dirname "$0")/rating.awk"; }

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
