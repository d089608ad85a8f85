# cetinaslan2019, figure 6 and section 6: into how many groups of edges that share no node the paper's algorithm 2, once
# repaired, and this project's colouring part each body; the paper says that six are sufficient.
folder = here."/bodies"
table = folder."/summary.tsv"
load folder."/context.gp"

array mesh[3] = ["cloth_4880", "bunny_closed_4098", "bob_3087"]
array body[3] = ["Cloth", "Bunny", "Bob"]
where(b) = "body.mesh=".mesh[b]
cell(b, what) = pick(table, where(b), what) eq "" ? NaN : number(pick(table, where(b), what))
set print $bars
do for [b = 1:3] {
    print sprintf("%d %g %g %g \"%s\"", b, cell(b, "body_paper_groups"), cell(b, "body_edges_groups"), \
        cell(b, "body_edges_groups_least"), pick(table, where(b), "run") eq "" ? "not run" : "")
}
unset print
edges(b) = pick(table, where(b), "body_edges")

set title "Groups of edges that share no node"
set label 1 footnote(footer) at screen 0.01, screen 0.025
set datafile separator whitespace
set datafile nocolumnheaders
set ylabel "groups"
set xrange [0.4:3.6]
set yrange [0:14]
set boxwidth 0.26
set style fill solid 0.9 noborder
set xtics scale 0 ("" 0)
set for [b = 1:3] xtics add (body[b].(edges(b) eq "" ? "" : sprintf("\n%s edges", count_of(edges(b)))) b)
set bmargin at screen 0.26
set key at screen 0.53, screen 0.1 center center vertical maxrows 2 font ",12"
plot $bars using ($1 - 0.15):2 with boxes linecolor rgb "#888888" title "the paper's algorithm 2, repaired", \
     $bars using ($1 + 0.15):3 with boxes linecolor rgb opencl title "this project's", \
     $bars using ($1 - 0.15):2:2 with labels offset 0, 0.7 font ",12" notitle, \
     $bars using ($1 + 0.15):3:3 with labels offset 0, 0.7 font ",12" notitle, \
     $bars using 1:4:(0.3) with xerrorbars pointtype 0 linewidth 2 linecolor rgb alarm notitle, \
     6 with lines dashtype 2 linewidth 1.5 linecolor rgb paper title "six, as the paper says", \
     keyentry with lines linewidth 2 linecolor rgb alarm title "fewest possible at its busiest node", \
     $bars using 1:(1):5 with labels textcolor rgb alarm font ",12" notitle
