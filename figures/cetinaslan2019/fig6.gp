# cetinaslan2019, figure 6 and section 6: groups of edges that share no node. The edges of a corner of the cloth and of
# the Bunny are coloured by their group: the groups of this project, the groups of the paper's algorithm 2 after our
# repair, and those of algorithm 2 as printed. The bars show the numbers of groups; the paper says that six are
# sufficient.
# raster 1350 900
folder = here."/bodies"
table = folder."/summary.tsv"
load folder."/context.gp"
load "figures/stage.inc"

array mesh[3] = ["cloth_4880", "bunny_closed_4098", "bob_3087"]
array body[3] = ["Cloth", "Bunny", "Bob"]
where(b) = "body.mesh=".mesh[b]
text(b, what) = pick(table, where(b), what)
cell(b, what) = text(b, what) eq "" ? NaN : number(text(b, what))
set print $bars
do for [b = 1:3] {
    print sprintf("%d %g %g %g \"%s\"", b, cell(b, "body_paper_groups"), cell(b, "body_edges_groups"), \
        cell(b, "body_edges_groups_least"), text(b, "run") eq "" ? "not run" : "")
}
unset print
edges(b) = text(b, "body_edges")

array grouping[3] = ["colouring", "repaired", "printed"]
array column_name[3] = ["this project", "algorithm 2, repaired", "algorithm 2, as printed"]
counted(b, what) = text(b, what) eq "" ? "" : count_of(text(b, what))." groups"
array said[6]
do for [b = 1:2] {
    said[3 * b - 2] = counted(b, "body_edges_groups")
    said[3 * b - 1] = counted(b, "body_paper_groups")
    said[3 * b] = text(b, "body_printed_groups_conflicts") eq "" ? "" : sprintf("%s conflicts,\n%s edges in no group", \
        count_of(text(b, "body_printed_groups_conflicts")), count_of(text(b, "body_printed_groups_missing")))
}
array view[2] = ["--tilt 90 --turn 0 --at 0.395,0,-0.375 --across 0.22", "--turn 20 --tilt 10"]

set multiplot
set label 1 "Groups of edges, one colour per group (red: shares a node with another edge of its group)" at screen 0.5, screen up_of(36) center font ",17"
set label 2 footnote(footer) at screen 0.01, screen up_of(stage_height - 16)
wide = 290; high = 330
do for [b = 1:2] {
    run = text(b, "run"); frames = text(b, "geometry"); status = text(b, "status"); frame = 0
    do for [g = 1:3] {
        left = 100 + 303 * (g - 1); top = 105 + 375 * (b - 1)
        set label 3 (b == 1 ? column_name[g] : "") at screen right_of(left + wide / 2), screen up_of(top - 22) center font ",12"
        set label 4 said[3 * (b - 1) + g] at screen right_of(left + wide / 2), screen up_of(top + high + 15) center font ",9" \
            textcolor rgb (g == 3 ? alarm : "#222222")
        set label 5 (g == 1 ? (b == 1 ? "the\ncloth,\na corner" : "the\nBunny") : "") \
            at screen right_of(10), screen up_of(top + high / 2 - 14) left font ",11"
        options = sprintf("--colour f7f7f7 --groups %s %s", grouping[g], view[b])
        load "figures/shot.inc"
        unset for [l = 1:5] label l
    }
}
set datafile separator whitespace
set datafile nocolumnheaders
set border 3; set grid; set ytics; set xtics
set lmargin at screen right_of(1085); set rmargin at screen right_of(1335)
set tmargin at screen up_of(105); set bmargin at screen up_of(620)
set ylabel "groups" offset 1.5 font ",12"
set ytics 2 nomirror font ",12"
set xrange [0.4:3.6]
set yrange [0:14]
set boxwidth 0.3
set style fill solid 0.9 noborder
set xtics scale 0 ("" 0) nomirror font ",10"
set for [b = 1:3] xtics add (body[b].(edges(b) eq "" ? "" : sprintf("\n%s\nedges", count_of(edges(b)))) b)
set key at screen right_of(1195), screen up_of(785) center center vertical maxrows 4 font ",10"
plot $bars using ($1 - 0.19):3 with boxes linecolor rgb opencl title "this project", \
     $bars using ($1 + 0.19):2 with boxes linecolor rgb "#888888" title "algorithm 2, repaired", \
     $bars using ($1 - 0.19):3:3 with labels offset 0, 0.7 font ",11" notitle, \
     $bars using ($1 + 0.19):2:2 with labels offset 0, 0.7 font ",11" notitle, \
     $bars using 1:4:(0.36) with xerrorbars pointtype 0 linewidth 2 linecolor rgb alarm notitle, \
     6 with lines dashtype 2 linewidth 1.5 linecolor rgb paper title "six, as the paper says", \
     keyentry with lines linewidth 2 linecolor rgb alarm title "lower bound: most edges at a node", \
     $bars using 1:(1):5 with labels textcolor rgb alarm font ",9" notitle
unset multiplot
