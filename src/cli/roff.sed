# Convert the output of `springback COMMAND --help` and of `springback manual` to roff for man.
/^  -\?, --help/,/^      --usage/d
/^Mandatory or optional/,/^for any/d
/^(## |\| key |\| quantity |\| --- )/d
s/\\/\\e/g
s/-/\\-/g
s/^[.']/\\\&&/
s/^ *$/.PP/
s/^(### |Usage: )/.SS /
/^\.SS/s/ \[OPTION\.\.\.\]//
# examples; they are converted first, because their lines may look like options
/^Example: /,/^\.SS/s/^  .*/.nf\n&\n.fi/
# options, and the continuation lines of their descriptions
s/^ {2,6}(\\-[^ =[]+( \\-[^ =[]+)?)(\[?=)?([^] ]*)(\]?) *(.*)/.TP\n\\fB\1\\fR\3\\fI\4\\fR\5\n\6/
s/\n$//
s/^ {20,}([.'])/\\\&\1/
s/^ {20,}//
s/^    .*/.nf\n&\n.fi/
# a row of quantities: `quantity`, unit, meaning, methods
s/^\| (`[^`]*`) \| ([^|]*) \| (([^|]|\\e\|)*) \|$/.TP\n\1  \2\n\3/
s/^\| (`[^`]*`) \| ([^|]*) \| (([^|]|\\e\|)*) \| ([^|]*) \|$/.TP\n\1  \2\n\3 (\5)/
s/\\e\|/|/g
# a row of a table: `key`, type, unit, default, meaning
s/^\| ([^|]*) \| ([^|]*) \| ([^|]*) \| ([^|]*) \| (.*) \|$/.TP\n\1  \2 in \3; default \4\n\5/
s/ in ; default /; default /
s/; default ([^`])/; \1/
s/`([^`]*)`/\\fB\1\\fR/g
