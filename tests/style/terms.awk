# Checks the glossary, docs/glossary.md. The words of the program's interface must be in a table of docs/glossary.md or
# docs/claims.md. The anchor of each link to the glossary must exist, and each anchor must be linked from another page.
# Prints findings as FILE:LINE: what is wrong: what is expected. Exits with 1 if there is any.
#
#   awk -f terms.awk SOURCE... docs/claims.md docs/glossary.md PAGE...

function finding(file, line, text) {
    printf "%s:%d: %s\n", file, line, text
    found = 1
}

# The words of a list in C, such as {"likely", "possible"}; `names` says what each of them names: "a verdict".
function add_words(text, names,   word) {
    while (match(text, /"[^"]+"/)) {
        word = substr(text, RSTART + 1, RLENGTH - 2)
        text = substr(text, RSTART + RLENGTH)
        add_word(word, names)
    }
}

function add_word(word, names) {
    words[++count] = word
    word_names[count] = names
    word_place[count] = FILENAME ":" FNR
    has[names] = 1
}

# Where the program keeps its words: FILE, an expression of the table's first line, and what the words are.
BEGIN {
    add_table("src/claim/judge.c", "verdict_names\\[.*= \\{", "a verdict")
    add_table("src/claim/claim_file.c", " class_names\\[.*= \\{", "a class of claims")
    add_table("src/claim/claim_file.c", " kind_words\\[.*= \"", "a kind of claim")
    add_table("src/run/manifest.c", " status_words\\[.*= \\{", "the status of a run")
    add_table("src/run/sweep.c", " kind_names\\[.*= \\{", "a kind of member")
    add_table("src/experiment/description.c", "names = text_copy\\(", "a tier")
    add_table("src/backend/backends.def", "^BACKEND\\(", "a backend")
}

function add_table(file, head, names) {
    tables++
    table_file[tables] = file
    table_head[tables] = head
    table_names[tables] = names
}

FILENAME ~ /^src\// {
    for (t = 1; t <= tables; t++)
        if (FILENAME == table_file[t] && $0 ~ table_head[t])
            open = t
    if (!open)
        next
    if (table_names[open] == "a kind of claim" || table_names[open] == "a tier") { # one string of several words
        match($0, /"[^"]*"/)
        n = split(substr($0, RSTART + 1, RLENGTH - 2), list, /[ ,]+/)
        for (i = 1; i <= n; i++)
            add_word(list[i], table_names[open])
    } else if (table_names[open] == "a backend") {
        sub(/^BACKEND\(/, "\"")
        sub(/,.*/, "\"")
        add_words($0, table_names[open])
    } else {
        sub(/.*= \{/, "")
        add_words($0, table_names[open])
    }
    if (/;[ ]*$/ || table_names[open] == "a backend")
        open = 0
    next
}

/^\|/ && FILENAME ~ /^docs\/(glossary|claims)\.md$/ {
    text = tolower($0)
    gsub(/<[^>]*>|\]\([^)]*\)/, " ", text)
    rows = rows " | " text
}

FILENAME == "docs/glossary.md" {
    text = $0
    while (match(text, /<a id="[^"]*">/)) {
        anchor = substr(text, RSTART + 7, RLENGTH - 9)
        anchors[anchor] = FNR
        text = substr(text, RSTART + RLENGTH)
    }
    text = $0
    while (match(text, /\]\(#[^)]*\)/)) {
        add_link(substr(text, RSTART + 3, RLENGTH - 4))
        text = substr(text, RSTART + RLENGTH)
    }
}

FILENAME !~ /^src\// && FILENAME != "docs/glossary.md" {
    text = $0
    while (match(text, /glossary\.md#[A-Za-z0-9_-]+/)) {
        anchor = substr(text, RSTART + 12, RLENGTH - 12)
        add_link(anchor)
        linked[anchor] = 1
        text = substr(text, RSTART + RLENGTH)
    }
}

function add_link(anchor) {
    links++
    link[links] = anchor
    link_file[links] = FILENAME
    link_line[links] = FNR
}

END {
    for (t = 1; t <= tables; t++)
        if (!has[table_names[t]])
            finding(table_file[t], 1, "no table matches '" table_head[t] "': correct its row in tests/style/terms.awk")
    for (w = 1; w <= count; w++)
        if (rows !~ "[^a-z]" tolower(words[w]) "[^a-z]") {
            printf "%s: '%s', %s, is explained nowhere: add it to a table of docs/glossary.md or docs/claims.md\n",
                   word_place[w], words[w], word_names[w]
            found = 1
        }
    for (l = 1; l <= links; l++)
        if (!(link[l] in anchors))
            finding(link_file[l], link_line[l], "the glossary has no anchor '" link[l] \
                                                "': link to one of its terms, or add the term")
    for (anchor in anchors)
        if (!(anchor in linked))
            finding("docs/glossary.md", anchors[anchor], "no page links to the term '" anchor \
                                                         "': link to it where it first occurs, or remove the term")
    exit found
}
