# Checks the names of public functions. A name must begin with one of these, in the singular or the plural: the name of
# the function's file, of a header of its folder, or of a struct, enum or union that such a header declares. A name may
# also begin with a prefix that prefixes.tsv lists for the file. Prints findings as FILE:LINE: what is wrong: what is
# expected. Exits with 1 if there is any.
#
#   awk -f symbols.awk table=prefixes PREFIXES.tsv table=headers HEADER... table=symbols SYMBOLS
#
# SYMBOLS are lines "FILE NAME".

function folder_of(file) {
    sub(/\/[^\/]*$/, "", file)
    return file
}

function noun_of(file) {
    sub(/.*\//, "", file)
    sub(/\.[ch]$/, "", file)
    return file
}

function begins_with(name, noun) {
    return name == noun || index(name, noun "_") == 1
}

function has_noun(name, noun) {
    if (begins_with(name, noun) || begins_with(name, noun "s"))
        return 1
    if (noun ~ /s$/ && begins_with(name, substr(noun, 1, length(noun) - 1)))
        return 1
    return noun ~ /y$/ && begins_with(name, substr(noun, 1, length(noun) - 1) "ies")
}

function has_prefix(file, name,   n, i, list) {
    n = split(prefixes[file], list, " ")
    for (i = 1; i <= n; i++)
        if (begins_with(name, list[i])) {
            used[file, list[i]] = 1
            return 1
        }
    return 0
}

# Line on which a file defines a function; 0 if it is made by a macro.
function line_of(file, name,   text, line, at) {
    line = at = 0
    while (!at && (getline text <file) > 0) {
        line++
        if (text ~ "^[A-Za-z].*[ *]" name "\\(")
            at = line
    }
    close(file)
    return at
}

table == "prefixes" && !/^#|^$/ {
    split($0, cells, "\t")
    prefixes[cells[1]] = cells[2]
    row[cells[1]] = FNR
    tables_name = FILENAME
}

table == "headers" && FNR == 1 {
    nouns[folder_of(FILENAME)] = nouns[folder_of(FILENAME)] " " noun_of(FILENAME)
}

table == "headers" && /^(typedef )?(struct|enum|union) [a-z_0-9]+( \{|;|$)/ {
    noun = $1 == "typedef" ? $3 : $2
    sub(/;/, "", noun)
    nouns[folder_of(FILENAME)] = nouns[folder_of(FILENAME)] " " noun
}

table == "headers" && /^extern const struct [a-z_0-9]+ \{/ {
    nouns[folder_of(FILENAME)] = nouns[folder_of(FILENAME)] " " $4
}

table == "symbols" {
    count++
    file = $1
    name = $2
    n = split(noun_of(file) " " nouns[folder_of(file)], list, " ")
    good = 0
    for (i = 1; i <= n && !good; i++)
        good = has_noun(name, list[i])
    if (!good && !has_prefix(file, name)) {
        printf "%s:%d: the public function '%s' has a prefix of its own: begin it with '%s_' or with a struct of" \
               " %s/*.h, or add the prefix to tests/style/prefixes.tsv\n", file, line_of(file, name), name,
               noun_of(file), folder_of(file)
        found = 1
    }
}

END {
    for (file in prefixes) {
        n = split(prefixes[file], list, " ")
        for (i = 1; i <= n; i++)
            if (!((file, list[i]) in used)) {
                printf "%s:%d: no public function of %s needs the prefix '%s': remove it\n", tables_name, row[file],
                       file, list[i]
                found = 1
            }
    }
    if (!count) {
        print "tests/style/symbols.awk:1: there are no object files: build the program first (make build)"
        found = 1
    }
    exit found
}
