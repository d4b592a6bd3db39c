# The picture of scripts/rating.sh and scripts/strength-graph.sh: one row per opponent, with a point and an error bar for
# each group. Reads lines "group|opponent|games|won|drawn|lost|Elo|error"; a point at the edge has no known difference.
BEGIN { FS = "|" }
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
    left = 190
    for (i = 1; i <= controls; i++) {
        printf "<circle cx=\"%d\" cy=\"18\" r=\"5\" fill=\"%s\"/><text x=\"%d\" y=\"22\">%s</text>\n", left, colour[times[i]], left + 10, times[i]
        left += 54 + 7 * length(times[i])
    }
    for (value = least; value <= most; value += step) {
        printf "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"36\" y2=\"%d\" stroke=\"%s\"/>\n", x(value), x(value), height - 16, value == 0 ? "#333" : "#ddd"
        printf "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n", x(value), height, value == 0 ? 0 : sprintf("%+d", value)
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
}
