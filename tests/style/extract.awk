# Splits source files, pages and descriptions into records: KIND, FILE, LINE and TEXT, separated by tabs.
#
#   comment  a paragraph of a comment
#   string   a string literal; adjacent literals are one string
#   prose    a paragraph, heading or list item of a page
#   table    a row of a page's table
#   code     a line of C, JavaScript or CSS without comments and strings
#   line     all else: a block of lines of the same kind (comment or not) of a shell script, YAML file, ...
#
# LINE is where the text begins. In TEXT the character \001 is the end of a line of the file. The character \002 is an
# escape sequence of white space inside a string, such as \n. Call this script with LC_ALL=C; gawk and mawk can run it.

function put(kind, line, text) {
    gsub(/\t/, " ", text)
    if (text ~ /[A-Za-z]/)
        printf "%s\t%s\t%d\t%s\n", kind, file, line, text
}

function flush() {
    if (kept != "")
        put(kept_kind, kept_line, kept)
    kept = ""
}

# Add a line to the paragraph that is kept, or begin one.
function keep(kind, text) {
    if (kept != "" && kept_kind == kind)
        kept = kept "\001" text
    else {
        flush()
        kept_kind = kind
        kept_line = FNR
        kept = text
    }
}

function string_flush() {
    if (string_line)
        put("string", string_line, string)
    string_line = 0
    string = ""
}

# Add a literal without its quotes. The line ends between this literal and the one before it are added, too.
function string_add(text,   n) {
    gsub(/\\\\/, "\\ ", text)
    gsub(/\\[ntrv]/, " \002", text)
    gsub(/\\x[0-9A-Fa-f]+|\\[0-7]+/, " ", text)
    gsub(/\\/, "", text)
    if (!string_line) {
        string_line = FNR
        string = text
    } else {
        for (n = string_end; n < FNR; n++)
            string = string "\001"
        string = string text
    }
    string_end = FNR
}

function c_line(rest,   code, at, word) {
    if (rest ~ /^ *# *include/)
        return
    code = ""
    while (rest != "") {
        if (in_comment) {
            at = index(rest, "*/")
            word = at ? substr(rest, 1, at - 1) : rest
            if (is_new)
                sub(/^[*!< ]+/, " ", word)
            else
                sub(/^ *\*? ?/, "", word)
            is_new = 0
            if (word ~ /^ *$/)
                flush()
            else
                keep("comment", word)
            if (!at)
                break
            flush()
            in_comment = 0
            rest = substr(rest, at + 2)
            continue
        }
        if (!match(rest, /"|'|\/\*|\/\//)) {
            if (rest !~ /^[ \\]*$/)
                string_flush()
            code = code rest
            break
        }
        word = substr(rest, RSTART, RLENGTH)
        if (substr(rest, 1, RSTART - 1) !~ /^[ \\]*$/)
            string_flush()
        code = code substr(rest, 1, RSTART - 1) " "
        rest = substr(rest, RSTART)
        if (word == "/*") {
            in_comment = is_new = 1
            rest = substr(rest, 3)
            if (rest == "")
                is_new = 0
        } else if (word == "//") {
            if (language != "css") {
                keep("comment", substr(rest, 3))
                flush()
            }
            rest = ""
        } else if (word == "\"" && match(rest, /^"([^"\\]|\\.)*"/)) {
            string_add(substr(rest, 2, RLENGTH - 2))
            rest = substr(rest, RLENGTH + 1)
        } else if (word == "'" && match(rest, /^'([^'\\]|\\.)*'/)) {
            if (language == "js" && RLENGTH > 4)
                string_add(substr(rest, 2, RLENGTH - 2))
            rest = substr(rest, RLENGTH + 1)
        } else
            rest = substr(rest, 2)
    }
    put("code", FNR, code)
}

function page_line(text) {
    if (text ~ /^ *```/) {
        flush()
        fenced = !fenced
    } else if (fenced)
        keep("line", text)
    else if (text ~ /^[ \t]*$/ || text ~ /^<!-- .* -->$/)
        flush()
    else if (text ~ /^    / && (kept == "" || kept_kind == "line"))
        keep("line", text)
    else if (text ~ /^ *\|/) {
        flush()
        put("table", FNR, text)
    } else {
        if (text ~ /^ *([-*]|[0-9]+\.) / || text ~ /^#/ || kept_kind == "line")
            flush()
        keep("prose", text)
        if (text ~ /^#/)
            flush()
    }
}

function other_line(text,   is_comment) {
    is_comment = text ~ /^[ \t]*#/
    sub(/^[ \t]*#+/, "", text)
    if (text ~ /^[ \t]*$/ || is_comment != was_comment || FNR - kept_line > 40)
        flush()
    was_comment = is_comment
    if (text !~ /^[ \t]*$/)
        keep("line", text)
}

FNR == 1 {
    string_flush()
    flush()
    file = FILENAME
    sub(/^\.\//, "", file)
    language = file
    sub(/.*\./, "", language)
    in_comment = fenced = was_comment = 0
}

{
    sub(/\r$/, "")
    if (language ~ /^(c|h|def|js|css)$/)
        c_line($0)
    else if (language == "md")
        page_line($0)
    else
        other_line($0)
}

END {
    string_flush()
    flush()
}
