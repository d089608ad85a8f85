#!/bin/sh
# Checks language and names of the repository in whose root it runs: tests/style/check.sh [CHECK...]
#
#   words      words that this project avoids (words.tsv), in comments, strings, identifiers, pages and descriptions
#   sentences  sentences of over 30 words, in pages and in the program's messages
#   symbols    prefixes of public functions, by the object files in $BUILD (build)
#   terms      the words of the interface and the links to docs/glossary.md
#
# Prints each finding as FILE:LINE: what is wrong: what is expected. Exit code 1 if there is any. exceptions.tsv has the
# exceptions of words and sentences, prefixes.tsv those of symbols.
set -u
export LC_ALL=C
here=$(dirname "$0")
checks=${*:-words sentences symbols terms}
for check in $checks; do
    case $check in
    words | sentences | symbols | terms) ;;
    *)
        echo "$0: unknown check '$check'; use words, sentences, symbols or terms" >&2
        exit 2
        ;;
    esac
done
files() { # FOLDER or FILE...: the text files in them, without those that are generated or have mistakes on purpose
    for path; do
        [ ! -e "$path" ] || find "$path" -type f ! -path 'tests/style/*' ! -path tests/pipeline/test_style.c \
            ! -path 'tests/fuzz/seeds/*' ! -path 'data/machines/*' ! -path docs/reference.md \( -name '*.[ch]' \
            -o -name '*.def' -o -name '*.js' -o -name '*.css' -o -name '*.md' -o -name '*.yaml' -o -name '*.sh' \
            -o -name '*.awk' -o -name '*.gp' -o -name '*.inc' -o -name '*.cmake' -o -name '*.bash' -o -name '*.sed' \
            -o -name '*.1' -o -name 'Makefile*' -o -name CMakeLists.txt -o -path .ci/run \)
    done | sort
}
check_prose() {
    files src kernels tests docs experiments paper_checks figures data ./*.md Makefile* CMakeLists.txt .ci/run |
        xargs awk -f "$here/extract.awk" |
        awk -F '\t' -v checks="$checks" -f "$here/prose.awk" table=1 "$here/words.tsv" \
            table=2 "$here/exceptions.tsv" table=3 -
}
# shellcheck disable=SC2046
check_symbols() { # objects of sources that were removed are skipped
    find "${BUILD:-build}/CMakeFiles/core.dir/src" "${BUILD:-build}/CMakeFiles/results.dir/src" -name '*.c.o' \
        -exec nm -A -g --defined-only {} + |
        sed -n 's/^.*\.dir\/\(src\/.*\.c\)\.o:[0-9a-fA-F]* T \(.*\)/\1 \2/p' |
        while read -r file name; do [ ! -e "$file" ] || echo "$file $name"; done |
        awk -f "$here/symbols.awk" table=prefixes "$here/prefixes.tsv" \
            table=headers $(find src -name '*.h') table=symbols -
}
# shellcheck disable=SC2046
check_terms() { # the tables are read before the pages that link to them
    awk -f "$here/terms.awk" src/claim/judge.c src/claim/claim_file.c src/run/manifest.c src/run/sweep.c \
        src/experiment/description.c src/backend/backends.def docs/claims.md docs/glossary.md \
        $(for page in *.md docs/*.md; do
            case $page in 'docs/claims.md' | 'docs/glossary.md' | '*.md') ;; *) echo "$page" ;; esac
        done)
}
status=0
findings=$(
    case " $checks " in *' words '* | *' sentences '*) check_prose || bad=1 ;; esac
    case " $checks " in *' symbols '*) check_symbols || bad=1 ;; esac
    case " $checks " in *' terms '*) check_terms || bad=1 ;; esac
    exit "${bad:-0}"
) || status=1
[ -z "$findings" ] || printf '%s\n' "$findings" | sort -t: -k1,1 -k2,2n -k3
exit $status
