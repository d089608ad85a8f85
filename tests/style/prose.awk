# Checks the records of extract.awk for words that this project avoids (words.tsv) and for sentences of over 30 words.
# Prints findings as FILE:LINE: what is wrong: what is expected. Exits with 1 if there is any.
#
#   awk -F '\t' -v checks="words sentences" -f prose.awk table=1 words.tsv table=2 exceptions.tsv table=3 RECORDS

BEGIN {
    MOST = 30 # words of a sentence
    does_words = checks ~ /words/
    does_sentences = checks ~ /sentences/
}

# Change a regular expression so that a space in it also matches a line end.
function spaced(expression) {
    gsub(/ /, "[ \001\002]+", expression)
    return expression
}

function finding(line, text) {
    printf "%s:%d: %s\n", file, line, text
    found = 1
}

# Whether exceptions.tsv has a text of this file that is a part of `text`.
function is_excepted(text,   e) {
    gsub(/[ \001\002]+/, " ", text)
    for (e = 1; e <= exceptions; e++)
        if (exception_file[e] == file && index(text, exception_text[e])) {
            exception_used[e] = 1
            return 1
        }
    return 0
}

# A copy of the text, in which "_" replaces each character of paths, identifiers, options and addresses of links.
function masked(text,   out, n, mask) {
    out = ""
    while (match(text, /--[a-z][a-z-]*|[a-z0-9_-]*([.\/_#$]+[a-z0-9_-]+)+/)) {
        mask = substr(text, RSTART, RLENGTH)
        n = length(mask)
        if (mask !~ /^\.[a-z]+$|^[.\/]+[a-z]+$/ || n < 2) # a word after a full stop is not masked
            gsub(/./, "_", mask)
        out = out substr(text, 1, RSTART - 1) mask
        text = substr(text, RSTART + n)
    }
    return out text
}

function check_text(line, text,   low, w, from, at, length_of, word, around, before) {
    low = tolower(text)
    if (low !~ any_word)
        return
    low = masked(low)
    for (w = 1; w <= words; w++) {
        if (word_scope[w] == "names")
            continue
        from = 1
        while (match(substr(low, from), "(^|[^a-z0-9_-])(" word_expression[w] ")($|[^a-z0-9_-])")) {
            at = from + RSTART - 1
            length_of = RLENGTH
            word = substr(low, at, length_of)
            if (word !~ /^[a-z]/) {
                at++
                word = substr(word, 2)
            }
            sub(/[^a-z]$/, "", word)
            from = at + length(word)
            gsub(/[ \001\002]+/, " ", word)
            around = substr(low, at > 30 ? at - 30 : 1, length_of + 60)
            if (word_unless[w] != "" && around ~ word_unless[w])
                continue
            if (is_excepted(substr(text, at > 120 ? at - 120 : 1, length_of + 240)))
                continue
            before = substr(text, 1, at - 1)
            at = line + gsub(/\001/, "", before)
            if (!((file, at, word) in seen))
                finding(at, "the word '" word "' is not used: write " word_use[w])
            seen[file, at, word]
        }
    }
}

# The row of words.tsv that forbids an identifier, or 0.
function bad_name(name,   low, parts, part, n, p, w) {
    low = name
    while (match(low, /[a-z][A-Z]/))
        low = substr(low, 1, RSTART) "_" substr(low, RSTART + 1)
    low = tolower(low)
    n = split(low, parts, "_")
    parts[++n] = low
    for (w = 1; w <= words; w++) {
        if (word_scope[w] == "text" || (word_unless[w] != "" && low ~ "^(" word_unless[w] ")$"))
            continue
        for (p = 1; p <= n; p++)
            if (parts[p] ~ "^(" word_expression[w] ")$")
                return w
    }
    return 0
}

function check_names(kind, line, text,   rest, name, before) {
    rest = text
    while (match(rest, /[A-Za-z_][A-Za-z0-9_]*/)) {
        name = substr(rest, RSTART, RLENGTH)
        before = substr(text, 1, length(text) - length(rest))
        rest = substr(rest, RSTART + RLENGTH)
        if ((kind != "code" && name !~ /_/) || (file, name) in seen)
            continue
        seen[file, name]
        if (!(name in row))
            row[name] = bad_name(name)
        if (row[name] && !is_excepted(name))
            finding(line + gsub(/\001/, "", before),
                    "the name '" name "' is not used: name it by " word_use[row[name]])
    }
}

# Whether a token ends a sentence. A single capital is an initial ("I. M. Sobol'") if another is next to it.
function ends_sentence(before, token, following) {
    if (token ~ /;$/ && following ~ /^[^ ]+:$/) # an item of a list, such as "quick: ...; full: ..."
        return 1
    if (token !~ /[.?!]["')*_\]]*$/ || token ~ /^\.+$/)
        return 0
    if (token ~ /^[(*]*(e\.g|i\.e|[Ff]igs?|[Ss]ecs?|[Ee]qs?|[Tt]abs?|al|vs|cf|no|pp?|resp|approx|\.\.)\.$/)
        return 0
    return token !~ /^[(*]*[A-Z]\.$/ || (before !~ /^[(*]*[A-Z]\.$/ && following !~ /^[A-Z]\.$/)
}

# Code spans count as one word.
function spans_joined(text,   out, span) {
    out = ""
    while (match(text, /`[^`]*`/)) {
        span = substr(text, RSTART, RLENGTH)
        gsub(/ /, "\003", span)
        out = out substr(text, 1, RSTART - 1) span
        text = substr(text, RSTART + RLENGTH)
    }
    return out text
}

function check_sentences(line, text,   n, t, tokens, count, begin, sentence) {
    gsub(/\]\([^)]*\)/, "]", text)
    gsub(/<[^<>]*>/, " ", text)
    text = spans_joined(text)
    gsub(/\001/, " \001 ", text)
    gsub(/\002/, " \002 ", text)
    n = split(text, tokens, / +/)
    count = 0
    sentence = ""
    begin = line
    for (t = 1; t <= n; t++) {
        if (tokens[t] == "\001")
            line++
        else if (tokens[t] != "" && tokens[t] != "\002") {
            if (!count)
                begin = line
            if (tokens[t] ~ /[A-Za-z0-9%]/)
                count++
            sentence = sentence (sentence == "" ? "" : " ") tokens[t]
        }
        if (t == n || tokens[t] == "\002" || ends_sentence(tokens[t - 1], tokens[t], tokens[t + 1])) {
            gsub(/\003/, " ", sentence)
            if (count > MOST && !is_excepted(sentence))
                finding(begin, "a sentence of " count " words, \"" substr(sentence, 1, 50) "...\": write at most " MOST)
            count = 0
            sentence = ""
        }
    }
}

table <= 2 && /^#|^$/ {
    next
}

table == 1 {
    words++
    word_expression[words] = $2 == "names" ? $1 : spaced($1)
    word_scope[words] = $2
    word_use[words] = $3
    word_unless[words] = spaced($4)
    if (NF < 3 || $2 !~ /^(text|names|both)$/) {
        file = FILENAME
        finding(FNR, "not a row of words.tsv: EXPRESSION, SCOPE (text, names or both), USE, UNLESS")
    }
    if ($2 != "names")
        any = any (any == "" ? "" : "|") word_expression[words]
    next
}

table == 2 {
    exceptions++
    exception_file[exceptions] = $1
    exception_text[exceptions] = $2
    exception_line[exceptions] = FNR
    exceptions_name = FILENAME
    if (NF != 3) {
        file = FILENAME
        finding(FNR, "not a row of exceptions.tsv: FILE, TEXT, REASON")
    }
    next
}

any_word == "" {
    any_word = "(^|[^a-z0-9_-])(" any ")($|[^a-z0-9_-])"
}

{
    file = $2
    if (does_words && $1 != "code")
        check_text($3, $4)
    if (does_words && $1 != "string")
        check_names($1, $3, $4)
    if (does_sentences && (($1 == "prose" && file ~ /\.md$/) || ($1 == "string" && file ~ /^src\//)))
        check_sentences($3, $4)
}

END {
    file = exceptions_name
    for (e = 1; e <= exceptions && does_words && does_sentences; e++)
        if (!exception_used[e])
            finding(exception_line[e], "no finding has the text '" exception_text[e] "' in " exception_file[e] \
                    ": remove this row")
    exit found
}
