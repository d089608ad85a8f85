/* springback list: list the experiments of a folder, and the files of the pipeline for make. */
#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/project.h"
#include "cli/verb.h"
#include "experiment/name.h"
#include "report/gallery.h"
#include "run/results.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct list_verb {
    struct words folders;
    bool json, make;
};

static const struct verb_option options[] = {
    {"json", 0, NULL, "Print one JSON object per experiment", OPTION_FLAG, .field = offsetof(struct list_verb, json)},
    {"make", 0, NULL,
     "Print each file of experiments/, figures/ and paper_checks/ as a word for make, KIND:FILE. KIND is experiment, "
     "figure, part (read by the figures of one paper), style (read by all figures) or claims. An experiment is printed "
     "again as timed if one of its runs is timed, otherwise as swept if it has assumptions. reads:FIGURE:EXPERIMENT "
     "says which experiments a figure's script reads. A name with a character that has a meaning in the shell is "
     "refused",
     OPTION_FLAG, .field = offsetof(struct list_verb, make)},
    {.name = NULL},
};

static void check_arguments(void *out, struct argp_state *state) {
    const struct list_verb *verb = out;
    if (verb->make && (verb->json || verb->folders.count))
        argp_error(state, "--make cannot be combined with other options or a folder");
}

/* The names of the figures whose scripts read an experiment, sorted. The caller releases the array. */
static json_t *figures_of(const struct experiment *experiment) {
    AUTO_FREE char *paper = text_format("%.*s", (int)strcspn(experiment->name, "/"), experiment->name);
    AUTO_FREE char *folder = text_format("figures/%s", paper);
    AUTO(entries_free) char **scripts = entries_list(folder);
    json_t *figures = json_array();
    for (char **script = scripts; *script; ++script) {
        if (!text_ends(*script, ".gp"))
            continue;
        AUTO_FREE char *figure = text_format("%.*s", (int)strlen(*script) - 3, *script);
        AUTO_FREE char *reads = figure_reads(paper, figure);
        if (figure_reads_experiment(reads, paper, experiment->name))
            json_array_append_new(figures, json_text(figure));
    }
    return figures;
}

static void print_json(const struct plan *plan) {
    const struct experiment *experiment = &plan->experiment;
    json_print(json_pack("{so so so so si so}", "experiment", json_text(experiment->name), "file",
                         json_text(experiment->file), "paper", json_text(experiment->paper), "title",
                         json_text(experiment->title), "runs", plan->run_count, "figures", figures_of(experiment)),
               stdout);
}

static void print_line(const struct plan *plan, int width) {
    const struct experiment *experiment = &plan->experiment;
    json_t *figures = figures_of(experiment), *figure;
    size_t f;
    printf("%-*s %4d runs  %s", width, experiment->name, plan->run_count, experiment->title);
    json_array_foreach(figures, f, figure) printf("%s%s", f ? ", " : " (", json_string_value(figure));
    printf("%s\n", json_array_size(figures) ? ")" : "");
    json_decref(figures);
}

/* The length of the longest experiment name, in bytes. */
static int width_of(const struct words *files) {
    int width = 0;
    for (int f = 0; f < files->count; ++f) {
        AUTO_FREE char *name = plan_experiment_name(files->words[f]);
        const int length = (int)strlen(name);
        width = length > width ? length : width;
    }
    return width;
}

static int list_folder(const struct list_verb *verb, const char *folder) {
    AUTO(words_free) struct words files = {NULL, 0};
    AUTO_FREE char *pattern = text_format("%s/*/*.yaml", folder);
    words_add_files(&files, pattern);
    int status = files.count ? STATUS_OK : fail("%s: no experiment files (%s)", folder, pattern);
    const struct selection all = {.tier = NULL};
    const int width = width_of(&files);
    for (int f = 0; f < files.count; ++f) {
        struct plan plan;
        if (selection_plan(&all, files.words[f], &plan)) {
            status = STATUS_BAD;
            continue;
        }
        if (verb->json)
            print_json(&plan);
        else
            print_line(&plan, width);
        plan_free(&plan);
    }
    return status;
}

/* ---- For make ---- */

/* The folders of the pipeline's files. A file is FOLDER/NAME, or FOLDER/PAPER/NAME if is_by_paper is set. */
static const struct pipeline_part {
    const char *kind, *folder, *ending;
    bool is_by_paper;
} pipeline[] = {
    {"experiment", "experiments", ".yaml", true},
    {"figure", "figures", ".gp", true},
    {"part", "figures", ".inc", true},
    {"style", "figures", ".gp", false},
    {"style", "figures", ".inc", false},
    {"style", "figures", ".awk", false},
    {"claims", "paper_checks", ".yaml", false},
};

/* Print an experiment as timed if one of its runs is timed, so that make runs it alone; otherwise as swept if it has
 * assumptions. A file with mistakes is printed as swept, because springback sensitivity then reports the mistakes. */
static void print_experiment(const char *file) {
    static const struct selection all = {.tier = NULL};
    const struct failure_mark mark = failure_mark();
    struct plan plan;
    bool is_timed = false, is_swept = true;
    if (selection_plan(&all, file, &plan)) {
        failure_rewind(mark);
    } else {
        for (int r = 0; r < plan.run_count; ++r)
            is_timed = is_timed || run_is_timed(&plan.runs[r]);
        is_swept = plan.experiment.assumption_count > 0;
        plan_free(&plan);
    }
    if (is_timed || is_swept)
        printf("%s:%s\n", is_timed ? "timed" : "swept", file);
}

/* Print which experiments a figure reads: the words in its script that are names of experiment files. */
static void print_reads(const char *paper, const char *file, const char *script) {
    AUTO_FREE char *figure = text_format("%.*s", (int)strlen(script) - 3, script);
    AUTO_FREE char *reads = figure_reads(paper, figure);
    for (char *name = strtok(reads, " "); name; name = strtok(NULL, " ")) {
        AUTO_FREE char *experiment = text_format("experiments/%s/%s.yaml", paper, name);
        if (file_exists(experiment))
            printf("reads:%s:%s\n", file, experiment);
    }
}

static int print_folder(const struct pipeline_part *part, const char *folder, const char *paper) {
    AUTO(entries_free) char **entries = entries_list(folder);
    int status = STATUS_OK;
    for (char **entry = entries; *entry; ++entry) {
        if (!text_ends(*entry, part->ending))
            continue;
        AUTO_FREE char *file = text_format("%s/%s", folder, *entry);
        if (name_check((struct place){NULL, 0, 0}, "the file's name", file)) {
            status = STATUS_BAD;
        } else {
            printf("%s:%s\n", part->kind, file);
            if (!strcmp(part->kind, "experiment"))
                print_experiment(file);
            if (!strcmp(part->kind, "figure"))
                print_reads(paper, file, *entry);
        }
    }
    return status;
}

static int print_pipeline(void) {
    int status = STATUS_OK;
    for (size_t p = 0; p < sizeof pipeline / sizeof *pipeline; ++p) {
        AUTO(entries_free) char **papers = pipeline[p].is_by_paper ? entries_list(pipeline[p].folder) : NULL;
        for (char **paper = papers; paper && *paper; ++paper) {
            AUTO_FREE char *folder = text_format("%s/%s", pipeline[p].folder, *paper);
            status |= print_folder(&pipeline[p], folder, *paper);
        }
        if (!papers)
            status |= print_folder(&pipeline[p], pipeline[p].folder, NULL);
    }
    return status;
}

static int list(void *out) {
    struct list_verb *verb = out;
    int status = STATUS_OK;
    if (verb->make)
        status = print_pipeline();
    else if (!verb->folders.count)
        words_add(&verb->folders, project_path("experiments"));
    for (int f = 0; f < verb->folders.count; ++f)
        if (list_folder(verb, verb->folders.words[f]))
            status = STATUS_BAD;
    return status;
}

const struct verb verb_list = {.arguments = "[FOLDER...]",
                               .doc = "List the experiments of a folder (default: experiments/), with their number of "
                                      "runs and the figures that read them."
                                      "\vExample: the experiments that figure 7 reads\n"
                                      "  springback list experiments | grep fig7",
                               .options = options,
                               .check = check_arguments,
                               .size = sizeof(struct list_verb),
                               .run = list};
