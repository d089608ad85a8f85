# The style of all figures. The caller sets these variables:
#   format       svg or png
#   out          the file to write
#   here         the paper's folder of results
#   springback   the program
#   raster       the pixels of a png: "1350 900"

# quoted: a text as one word of a shell command. Every text from a table, a trace or a folder's name must pass through
# it.
escaped(text) = strstrt(text, "'") ? text[1:strstrt(text, "'") - 1]."'\\''".escaped(text[strstrt(text, "'") + 1:]) : text
quoted(text) = "'".escaped(text)."'"

# The command that sets the terminal. svg_height: the height of an SVG in its own units (its width is 900). width,
# height: the size of a PNG in pixels.
terminal(svg_height, width, height) = (format eq "svg" \
    ? sprintf('set terminal svg size 900,%d font "DejaVu Sans,15" background rgb "white" enhanced', svg_height) \
    : sprintf('set terminal pngcairo size %d,%d font "DejaVu Sans,15" fontscale 1.4 ', width, height). \
      'linewidth 1.5 pointscale 1.5 enhanced')
eval terminal(600, int(word(raster, 1)), int(word(raster, 2)))
set output out
set encoding utf8
set datafile separator tab
set datafile columnheaders
set datafile missing NaN

# The colour and the mark of each backend, the colour of the paper's own values (`paper`) and that of warnings
# (`alarm`). Some figures use marks or colours of their own instead.
kinds = "serial threads opencl"
serial = "#7f7f7f"; threads = "#e69f00"; opencl = "#0072b2"; paper = "#000000"; alarm = "#c0392b"
colours = serial." ".threads." ".opencl
points = "7 5 9"

set title font ",17"
set border 3 linecolor rgb "#444444"
set tics nomirror out textcolor rgb "#222222"
set grid linecolor rgb "#dddddd" linetype 1 linewidth 0.6
set key reverse Left spacing 1.15 samplen 3 font ",12"
set lmargin 11; set rmargin 4; set tmargin 4; set bmargin 6.5

# The format of numbers such as 10^3 on logarithmic axes.
powers = "10^{%T}"

# footnote: small text at the lower edge, with the program and machine that made the figure (`footer`), and the bodies
# that are stand-ins (`stand_ins`). Each experiment's context.gp sets both variables.
stand_ins = ""
plain_text(text) = strstrt(text, "_") ? text[1:strstrt(text, "_") - 1]."\\_".plain_text(text[strstrt(text, "_") + 1:]) : text
footnote(text) = sprintf("{/*0.6 %s}", text).(stand_ins eq "" ? "" : \
    sprintf("{/*0.7 {/:Bold    Stand-in, not the paper's body: %s}}", plain_text(stand_ins)))

# The warning in figures that compare with a GPU of the paper.
no_gpu = "no GPU here: OpenCL ran on the CPU"

# mark: the mark of the k-th series of a figure, so that series differ not only by colour. gap: the number of data
# points from one mark of the k-th series to its next mark. Each series has another gap, so that the marks of coinciding
# curves are visible.
mark(k) = int(word("7 9 5 13 11 6", k))
gap(k, n) = n + 2 * k + 1

# y if the row of a summary belongs to this backend, else NaN.
of(kind, y) = strcol("backend_kind") eq kind ? y : NaN

# Column `what` of the first row of a summary in which column a is x and column b is y.
look_up(file, a, x, b, y, what) = system(sprintf("awk -F'\\t' -v a=%s -v x=%s -v b=%s -v y=%s -v w=%s \
'NR==1 {for (c = 1; c <= NF; ++c) h[$c] = c; next} $h[a] == x && $h[b] == y {print $h[w]; exit}' %s", \
    quoted(a), quoted(x), quoted(b), quoted(y), quoted(what), quoted(file)))

# The title of a backend's curve, with its device.
title_of(kind, file) = kind.": ".look_up(file, "backend_kind", kind, "backend_kind", kind, "device")
has_gpu(file) = look_up(file, "device_type", "gpu", "device_type", "gpu", "device") ne ""

# Column `what` of the first run of a summary that satisfies conditions such as
# "body.mesh=torus_576;method.name=mass_spring"; "" if there is none.
pick(file, where, what) = system(sprintf("awk -f figures/pick.awk -v where=%s -v what=%s %s", \
    quoted(where), quoted(what), quoted(file)))

# The different values of a summary's column, sorted: numbers, such as "0.0001 0.001", or words.
swept(file, what) = system(sprintf("awk -f figures/swept.awk -v what=%s %s | sort -g | tr '\\n' ' '", \
    quoted(what), quoted(file)))

# number: the number in a cell, without its unit; 0 if the cell is empty. pointed: the same number with a decimal point,
# because gnuplot 5.4 cannot read 1e-05, but can read 1.0e-05.
pointed(word, e) = e > 1 && !strstrt(word, ".") ? word[1 : e - 1].".0".word[e :] : word
number(text) = text eq "" ? 0 : real(pointed(word(text, 1), strstrt(word(text, 1), "e")))

# Numbers of a series of a run, as words (figures/reduced.awk): the number of finite values, their mean, the largest,
# the smallest, and the frames of the largest and the smallest; "0" if there is no finite value. Uses all frames, or
# only those in the list `frames` if it is not empty.
reduced(file, series, frames) = system(sprintf("awk -f figures/reduced.awk -v series=%s -v frames=%s %s", \
    quoted(series), quoted(frames), quoted(file)))
mean_of(words) = words eq "0" ? NaN : number(word(words, 2))
largest_of(words) = words eq "0" ? NaN : number(word(words, 3))

# The trace of a run that records geometry.
trace_of(folder, run) = folder."/".run.".trace-1.vtkhdf"

# A recorded frame as a picture of width x height pixels. Draw it by
#     plot shot(...) binary skip=shot_head(w, h) array=(w, h) flipy format="%uchar" using 1:2:3 with rgbimage
shot(trace, frame, width, height, options) = sprintf("< %s export --format picture --frame %d --size %dx%d %s %s", \
    quoted(springback), frame, width, height, options, quoted(trace))
shot_head(width, height) = strlen(sprintf("P6 %d %d 255 ", width, height))

# Formats 31000 as 31,000.
count_of(text) = strlen(text) > 3 ? text[1:strlen(text) - 3].",".text[strlen(text) - 2:] : text

# A value that the paper states, by its name in reported.gp; NaN if there is none.
value_of(name) = exists(name) ? value(name) : NaN

# Formats a percentage: values from 0.01 to 99,999 with two or more significant digits, other values with one; "?" for
# NaN.
percent(x) = x != x ? "?" : abs(x) >= 100000 ? sprintf("%.0e %%", x) : abs(x) >= 1000 ? sprintf("%.0f %%", x) : abs(x) >= 9.95 ? sprintf("%.1f %%", x) : abs(x) >= 0.00995 ? sprintf("%.2g %%", x) : \
    abs(x) >= 0.0001 || x == 0 ? sprintf("%.1g %%", x) : sprintf("%.0e %%", x)

# duration, lasting: the simulated time of an experiment's runs, in s. Without runs, duration is 0 and lasting is 1.
seconds_of(table, key) = number(pick(table, "", key))
duration(table) = seconds_of(table, "time.step") * seconds_of(table, "time.steps_per_frame") * seconds_of(table, "time.frames")
lasting(table) = duration(table) > 0 ? duration(table) : 1

# Whether a frame is in a list of frames.
has_frame(frames, frame) = strstrt(" ".frames." ", sprintf(" %d ", frame)) > 0

# The label of a run that has no picture: how it ended.
excuse(status) = status eq "" ? "not run" : status eq "diverged" ? "blew up" : "no picture"
