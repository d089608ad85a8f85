#!/usr/bin/env bash
# Errors and costs of an experiment's runs, as a table for figures and for docs/which-method.md.
#
#   figures/springback/points.sh SPRINGBACK FOLDER
#
# FOLDER is the experiment's folder of results, with its summary.tsv. The table has one line for each run with the
# status whole. Runs with the smallest step of their body and noise have no line; the last of them is the reference of
# this body and noise.
#
#   body  noise  method  iterations  backend  step  cost  error  least_cost  most_cost
#
# step: the time step in s.
# cost: seconds of computing for one second of the simulation, from the median frame; "nan" for runs that are not timed.
# least_cost, most_cost: from the ends of the median's interval.
# Runs with noise > 0 have starting positions that are rounded differently (body.noise). If such a run is not timed, it
# has a line for each backend of the run without noise, with the cost of that run.
# error: the distance of the last positions from those of the reference, divided by the longest side of the body
# (position_distance).
set -euo pipefail
springback=${1:?usage: figures/springback/points.sh SPRINGBACK FOLDER} folder=${2:?FOLDER is missing}
printf 'body\tnoise\tmethod\titerations\tbackend\tstep\tcost\terror\tleast_cost\tmost_cost\n'
awk -F'\t' '
    NR == 1 { for (c = 1; c <= NF; ++c) column[$c] = c; next }
    function cell(name) { return name in column ? $column[name] : "" }
    function cost(name) { return cell(name) ~ /^[0-9]/ ? sprintf("%.6g", cell(name) / simulated) : "nan" }
    {
        row[NR] = $0
        body = cell("body.mesh") != "" && cell("body.mesh") != "-" ? cell("body.mesh") : cell("body.cloth.nodes")
        bodies[NR] = body "\t" cell("body.noise")
        step = cell("time.step") + 0
        if (cell("status") == "whole" && (!(bodies[NR] in least) || step <= least[bodies[NR]])) {
            least[bodies[NR]] = step
            reference[bodies[NR]] = cell("run")
        }
    }
    END {
        for (pass = 0; pass < 2; ++pass) # pass 0 collects the costs of runs without noise, pass 1 prints all lines
            for (r = 2; r <= NR; ++r) {
                $0 = row[r]
                step = cell("time.step") + 0
                if (step <= least[bodies[r]] || cell("status") != "whole")
                    continue
                simulated = step * cell("time.steps_per_frame")
                iterations = cell("method.iterations") ~ /^[0-9]/ ? cell("method.iterations") : "-"
                point = sprintf("%s\t%s\t%.9g", cell("method.name"), iterations, step)
                split(bodies[r], body_noise, "\t")
                same = body_noise[1] "\t" point
                costs = cost("frame_seconds") "\t" cost("frame_seconds_low") "\t" cost("frame_seconds_high")
                if (pass == 0 && body_noise[2] == 0)
                    timed[same, count[same]++] = cell("backend_kind") "\t" costs
                is_copied = body_noise[2] > 0 && costs ~ /^nan/
                if (pass == 1)
                    for (k = 0; k < (is_copied ? count[same] : 1); ++k)
                        print bodies[r] "\t" point "\t" \
                            (is_copied ? timed[same, k] : cell("backend_kind") "\t" costs) "\t" cell("run") "\t" \
                            reference[bodies[r]]
            }
    }' "$folder/summary.tsv" | {
    declare -A known
    ending=.trace-1.vtkhdf # of traces with geometry
    while IFS=$'\t' read -r body noise method iterations step backend cost least most run reference; do
        key="$body $noise $method $iterations $step" # without the backend, because all backends are bit-identical
        if [ -z "${known[$key]:-}" ]; then
            known[$key]=$("$springback" export --against "$folder/$reference$ending" "$folder/$run$ending" | awk -F'\t' '
                NR == 1 { for (c = 1; c <= NF; ++c) if ($c == "position_distance") at = c; next }
                { last = $at }
                END { print last }')
        fi
        printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$body" "$noise" "$method" "$iterations" "$backend" \
            "$step" "$cost" "${known[$key]}" "$least" "$most"
    done
}
