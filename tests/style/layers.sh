#!/bin/sh
# Prints the table of layers for docs/architecture.md, made from the #include lines in src/ and kernels/. Run it in the
# repository's root: tests/style/layers.sh. A folder is above all folders that it includes. Folders that include each
# other are in one layer, and the table names the cycle. layers.tsv says what each folder does.
set -eu
export LC_ALL=C
here=$(dirname "$0")
# shellcheck disable=SC2046
awk -F '\t' '
function folder_of(file, parts) {
    split(file, parts, "/")
    return parts[1] == "src" ? "src/" parts[2] : parts[1]
}

function base_of(file) {
    sub(/.*\//, "", file)
    return file
}

function complain(text) {
    print "layers.sh: " text >"/dev/stderr"
    failed = 1
}

FNR == 1 && ++file_number == 1 {
    is_table = 1
}

FNR == 1 && file_number == 2 {
    is_table = 0
}

is_table {
    if (!/^#|^$/)
        does[$1] = $2
    next
}

FNR == 1 {
    folder = folder_of(FILENAME)
    if (!(folder in has)) {
        has[folder]
        folders[++count] = folder
    }
    if (folder == "kernels")
        file_of[base_of(FILENAME)] = folder
}

# A name with a folder, such as "body/body.h", is in src/. A name without a folder is in kernels/, such as "dialect.h",
# or belongs to a generated header, which is in no folder.
/^[ ]*#[ ]*include "/ {
    target = $0
    sub(/^[^"]*"/, "", target)
    sub(/".*/, "", target)
    included[folder, target]
}

END {
    for (pair in included) {
        split(pair, part, SUBSEP)
        to = part[2] ~ /\// ? "src/" substr(part[2], 1, index(part[2], "/") - 1) : file_of[part[2]]
        if (to != "" && to != part[1])
            edge[part[1], to] = reaches[part[1], to] = 1
    }
    for (k = 1; k <= count; k++)
        for (i = 1; i <= count; i++)
            for (j = 1; j <= count; j++)
                if (((folders[i], folders[k]) in reaches) && ((folders[k], folders[j]) in reaches))
                    reaches[folders[i], folders[j]] = 1
    for (round = 1; round <= count; round++) # a layer is the longest path of includes; a cycle counts as one folder
        for (i = 1; i <= count; i++)
            for (j = 1; j <= count; j++)
                if (((folders[i], folders[j]) in reaches)) {
                    below = layer[folders[j]] + !((folders[j], folders[i]) in reaches)
                    if (below > layer[folders[i]])
                        layer[folders[i]] = below
                }
    for (i = 1; i <= count; i++)
        if (layer[folders[i]] > top)
            top = layer[folders[i]]
    print "| layer | folder | what it does | includes |"
    print "| --- | --- | --- | --- |"
    for (l = top; l >= 0; l--)
        for (i = 1; i <= count; i++)
            if (layer[folders[i]] == l + 0)
                print_row(folders[i], l)
    for (folder in does)
        if (!(folder in has))
            complain("there is no folder " folder ": remove its row from tests/style/layers.tsv")
    exit failed
}

function print_row(folder, l,   i, list, cycle) {
    if (!(folder in does))
        complain(folder " has no row in tests/style/layers.tsv: add what it does")
    for (i = 1; i <= count; i++) {
        if ((folder, folders[i]) in edge)
            list = list (list == "" ? "" : ", ") short(folders[i])
        if (folders[i] != folder && ((folder, folders[i]) in reaches) && ((folders[i], folder) in reaches))
            cycle = cycle (cycle == "" ? "" : ", ") short(folders[i])
    }
    if (cycle != "")
        list = list "; in a cycle with " cycle
    printf "| %d | %s/ | %s | %s |\n", l, folder, does[folder], list == "" ? "-" : list
}

function short(folder) {
    sub(/^src\//, "", folder)
    return folder
}' "$here/layers.tsv" $(find src kernels -name '*.[ch]' | sort)
