#!/bin/sh
# Make springback(1) and springback(5) from the help texts of the program: man_pages.sh PAGE PROGRAM FOLDER. PAGE is
# springback(1) without its commands.
set -e
page=$1 program=$2 folder=$3 roff=${0%/*}/roff.sed
version=$("$program" --version | sed 's/springback \(.*\), revision.*/\1/')
unset ARGP_HELP_FMT
for verb in $("$program" --help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
    "$program" "$verb" --help
done | sed -E -f "$roff" >"$folder/verbs"
sed -e "s/VERSION/$version/" -e "/^COMMANDS$/{r $folder/verbs" -e 'd}' "$page" >"$folder/springback.1"
{
    printf '.TH SPRINGBACK 5 "" "springback %s" "springback manual"\n' "$version"
    printf '.SH NAME\nspringback \\- experiment files\n.SH DESCRIPTION\n'
    "$program" manual | sed -E -f "$roff"
    printf '.SH SEE ALSO\n.BR springback (1)\n'
} >"$folder/springback.5"
