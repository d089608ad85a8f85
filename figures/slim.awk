# Halves the size of an SVG picture of gnuplot without a visible change. Removes attributes with default values, empty
# groups, marks that are not drawn, and hundredths of a pixel; names the font once.
function in_tag(tag, colour) {
    gsub(/"/, "'", tag)
    gsub(/[ \t]+/, " ", tag)
    gsub(/ (stroke-linecap='butt'|stroke-linejoin='miter'|class='gridline'|color='black')/, "", tag)
    gsub(/ font-family='DejaVu Sans'/, "", tag)
    sub(/^<svg /, "<svg font-family='DejaVu Sans' ", tag)
    gsub(/ ?= ?/, "=", tag)
    sub(/ +>$/, ">", tag)
    while (match(tag, /rgb\( ?[0-9]+, ?[0-9]+, ?[0-9]+\)/)) {
        split(substr(tag, RSTART + 4, RLENGTH - 5), colour, ",")
        tag = substr(tag, 1, RSTART - 1) sprintf("#%02x%02x%02x", colour[1], colour[2], colour[3]) \
            substr(tag, RSTART + RLENGTH)
    }
    return tag
}
# Rounds numbers with two or more decimals to one decimal, and to none if that decimal is 0.
function rounded(text, done, number) {
    while (match(text, /[0-9]+\.[0-9][0-9]+/)) {
        number = sprintf("%.1f", substr(text, RSTART, RLENGTH))
        sub(/\.0$/, "", number)
        done = done substr(text, 1, RSTART - 1) number
        text = substr(text, RSTART + RLENGTH)
    }
    return done text
}
{ text = text $0 "\n" }
END {
    # All lines are joined before tags are searched, because the data of a path can have several lines.
    while (match(text, /<[^>]*>/)) {
        before = substr(text, 1, RSTART - 1)
        tag = substr(text, RSTART, RLENGTH)
        text = substr(text, RSTART + RLENGTH)
        if (before !~ /^[ \t\n]*$/ || in_text)
            part[n++] = before
        gsub(/\n/, " ", tag)
        tag = in_tag(tag)
        in_text = tag ~ /^<text/ || (in_text && tag !~ /^<\/text/)
        if (tag !~ /id='gpPt|<svg|<\?xml/)
            tag = rounded(tag)
        if ((tag == "</g>" && part[n - 1] ~ /^<g /) || (tag == "</tspan>" && part[n - 1] ~ /^<tspan/))
            --n
        else
            part[n++] = tag
    }
    for (p = 0; p < n; ++p)
        if (match(part[p], /href='#gpPt[0-9]+'/) && part[p] !~ /id='gpPt/)
            used[substr(part[p], RSTART + 7, RLENGTH - 8)] = 1
    for (p = n - 1; p >= 0; --p)
        if (match(part[p], /id='gpPt[0-9]+'/)) {
            id = substr(part[p], RSTART + 4, RLENGTH - 5)
            if (!(id in used))
                part[p] = ""
            else if (match(part[p], /href='#gpPt[0-9]+'/))
                used[substr(part[p], RSTART + 7, RLENGTH - 8)] = 1
        }
    for (p = 0; p < n; ++p)
        printf "%s", part[p]
    print ""
}
