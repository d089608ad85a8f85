/* Manual pages: the verbs' own tables as springback(1), the reference of the experiment file as springback(5). */
#include "backend/backend.h"
#include "base/memory.h"
#include "cli/manual.h"
#include "method/method.h"
#include "run/provenance.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Text as roff shows it unchanged; what stands between backquotes, in bold. At a line's start, `begins`, a dot or an
 * apostrophe would be a request. */
static void put_text(FILE *out, const char *text, size_t length, bool begins) {
    bool bold = false;
    for (const char *c = text; c < text + length; ++c) {
        if (begins && (*c == '.' || *c == '\''))
            fputs("\\&", out);
        begins = false;
        if (*c == '\\')
            fputs("\\e", out);
        else if (*c == '-')
            fputs("\\-", out);
        else if (*c == '`')
            fputs((bold = !bold) ? "\\fB" : "\\fR", out);
        else if (*c == '\n')
            begins = fputc(*c, out) == '\n';
        else
            fputc(*c, out);
    }
}

static void put_line(FILE *out, const char *text) {
    put_text(out, text, strlen(text), true);
    fputc('\n', out);
}

static void put_head(FILE *out, int section, const char *summary) {
    fprintf(out, ".\\\" Made by `springback manual \\-\\-man=%d`.\n", section);
    fprintf(out, ".TH SPRINGBACK %d \"\" \"springback %s\" \"springback manual\"\n", section, provenance_version());
    fprintf(out, ".SH NAME\nspringback \\- %s\n", summary);
}

/* ---- springback(1) ---- */

static void put_option(void *context, const struct argp_option *option) {
    FILE *out = context;
    const bool is_short = option->key > 0 && option->key < 128 && isprint(option->key);
    fputs(".TP\n", out);
    if (is_short)
        fprintf(out, "\\fB\\-%c\\fR%s", option->key, option->name ? ", " : "");
    if (option->name) {
        fputs("\\fB\\-\\-", out);
        put_text(out, option->name, strlen(option->name), false);
        fputs("\\fR", out);
    }
    if (option->arg)
        fprintf(out, option->flags & OPTION_ARG_OPTIONAL ? "[=\\fI%s\\fR]" : "=\\fI%s\\fR", option->arg);
    fputc('\n', out);
    put_line(out, option->doc);
}

/* The lines that show an example begin with spaces; they are kept as they are. An empty line parts paragraphs. */
static void put_example(FILE *out, const char *text) {
    bool shown = false;
    fputs(".PP\n", out);
    while (*text) {
        const size_t length = strcspn(text, "\n");
        const bool shows = *text == ' ';
        if (shows != shown)
            fputs(shows ? ".RS\n.nf\n" : ".fi\n.RE\n", out);
        shown = shows;
        if (length) {
            put_text(out, text, length, true);
            fputc('\n', out);
        } else {
            fputs(".PP\n", out);
        }
        text += length + (text[length] == '\n');
    }
    if (shown)
        fputs(".fi\n.RE\n", out);
}

static void put_synopsis(void *context, const struct verb *verb, const struct argp *argp) {
    fprintf(context, ".B springback %s\n[\\fIOPTION\\fR...] %s\n.br\n", verb->name,
            argp->args_doc ? argp->args_doc : "");
}

static void put_verb(void *context, const struct verb *verb, const struct argp *argp) {
    FILE *out = context;
    const char *example = argp->doc ? strchr(argp->doc, '\v') : NULL;
    fprintf(out, ".SS springback %s", verb->name);
    if (argp->args_doc) {
        fputc(' ', out);
        put_text(out, argp->args_doc, strlen(argp->args_doc), false);
    }
    fputc('\n', out);
    if (argp->doc)
        put_text(out, argp->doc, example ? (size_t)(example - argp->doc) : strlen(argp->doc), true);
    fputc('\n', out);
    options_visit(argp, put_option, out);
    if (example)
        put_example(out, example + 1);
}

struct entry {
    const char *name, *doc;
};

static void put_entries(FILE *out, const char *title, const struct entry *entries) {
    fprintf(out, ".SH %s\n", title);
    for (; entries->name; ++entries) {
        fputs(".TP\n.B ", out);
        put_line(out, entries->name);
        put_line(out, entries->doc);
    }
}

static const struct entry exit_codes[] = {
    {"0", "All is well."},
    {"1", "A verdict is not the recorded one (check), or two runs differ (diff)."},
    {"2", "Bad input, or something could not run. What is wrong, where, and what would be right stands on standard "
          "error; nothing half-written is left."},
    {"130, 143", "A run was ended by Ctrl-C or SIGTERM; run --resume goes on with it."},
    {NULL, NULL},
};

static const struct entry environment[] = {
    {"NO_COLOR", "If it holds anything, nothing is coloured unless --color=always asks for it."},
    {"TERM", "If it is dumb or not set, there is neither colour nor a progress bar."},
    {"OMP_NUM_THREADS", "How many threads the backend threads takes where its number is not given."},
    {"SPRINGBACK_KERNELS", "A folder of kernel sources that OpenCL compiles instead of those in the program."},
    {"SPRINGBACK_LEVEL", "base or v3: the threads backend goes no higher among the levels of x86-64."},
    {"SPRINGBACK_OPENCL",
     "launches: the opencl backend launches each stage, and makes no frame one kernel. lean: on a "
     "processor, too, it takes the stages that are for GPUs; plain: none does. Where constraints go colour by colour: "
     "one: a frame is a kernel of one work group, many: of as many as meet, each of lanes=N work items; ahead, behind: "
     "what a colour reads of the body is read before the meeting, or after; global: no local memory. Several may be "
     "named."},
    {"OCL_ICD_VENDORS", "Which OpenCL implementations are looked for; see the loader's own documentation."},
    {NULL, NULL},
};

static const struct entry files[] = {
    {"experiments/PAPER/NAME.yaml", "The experiment files; springback(5) describes them."},
    {"paper_checks/PAPER.yaml", "What a paper claims, and the verdicts that are recorded."},
    {"out/HOST/report.html", "What was found, as one page that needs no other file."},
    {"out/HOST/PAPER/NAME/", "The results of an experiment on a machine."},
    {"out/HOST/PAPER/NAME/runs.tsv", "The manifest: which runs there are, and which files hold their traces. Figures "
                                     "and verdicts read it, and no trace "
                                     "that it does not name."},
    {"out/HOST/PAPER/NAME/RUN.h5", "A trace: HDF5, which ParaView 5.12 and newer play as it is."},
    {"out/HOST/PAPER/NAME/RUN.h5.part", "A trace that is being written, or whose run was interrupted."},
    {"/tmp/springback-UID.lock", "Held while timings are taken, so that no other run of springback disturbs them."},
    {"/tmp/springback-UID.ready", "Held by what is ready to be timed: it goes before what is still to be prepared."},
    {NULL, NULL},
};

void man_page_command(FILE *out) {
    put_head(out, 1, "re-run the experiments of published deformable-body papers");
    fputs(".SH SYNOPSIS\n", out);
    for (const struct verb *verb = verbs; verb->name; ++verb)
        verb_describe(verb, put_synopsis, out);
    fputs(".B springback \\-\\-help\n|\n.B \\-\\-version\n", out);
    fputs(".SH DESCRIPTION\n", out);
    put_line(out,
             "An experiment file says what a paper did. `run` does it, on one core, on threads and on OpenCL "
             "devices, which all end in the same bits, and records a trace of each run; `check` gives a verdict on "
             "every number that the paper prints; `export` hands results to other programs. What is up to date "
             "is decided by content: by the parameters, the kernels and the device, and, where timings are "
             "compared, by the program and the driver as well.");
    fputs(".SH VERBS\n", out);
    for (const struct verb *verb = verbs; verb->name; ++verb)
        verb_describe(verb, put_verb, out);
    fputs(".SH OPTIONS OF ALL VERBS\n", out);
    options_visit(&verb_common, put_option, out);
    fputs(".TP\n\\fB\\-?\\fR, \\fB\\-\\-help\\fR\n", out);
    put_line(out, "Say what the verb does and which options it has.");
    put_entries(out, "EXIT STATUS", exit_codes);
    put_entries(out, "ENVIRONMENT", environment);
    put_entries(out, "FILES", files);
    fputs(".SH SEE ALSO\n.BR springback (5)\n", out);
}

/* ---- springback(5): the reference is Markdown with headings, tables, indented examples and backquotes ---- */

/* "| `key` | type | unit | default | meaning |": a paragraph a key. */
static void put_row(FILE *out, char *row) {
    enum { KEY, TYPE, UNIT, FALLBACK, MEANING, CELLS };
    char *cells[CELLS] = {NULL};
    row += 2;
    for (int c = 0; c < CELLS; ++c) {
        char *end = strstr(row, " |");
        cells[c] = row;
        if (!end)
            return;
        *end = 0;
        row = end + (end[2] == ' ' ? 3 : 2);
    }
    if (!strcmp(cells[KEY], "key") || !strncmp(cells[KEY], "---", 3))
        return;
    const bool required = cells[FALLBACK][0] != '`';
    char *head = text_format("%s  %s%s%s; %s%s", cells[KEY], cells[TYPE], *cells[UNIT] ? " in " : "", cells[UNIT],
                             required ? "" : "default ", cells[FALLBACK]);
    fputs(".TP\n", out);
    put_line(out, head);
    put_line(out, cells[MEANING]);
    free(head);
}

static void put_markdown(FILE *out, char *text) {
    bool shown = false, apart = false; /* in an example; behind an empty line */
    for (char *line; (line = strsep(&text, "\n"));) {
        const bool example = !strncmp(line, "    ", 4);
        if (shown != example && (*line || shown))
            fputs(example ? ".PP\n.RS\n.nf\n" : ".fi\n.RE\n", out);
        shown = example;
        if (!strncmp(line, "### ", 4)) {
            fputs(".SS ", out);
            put_line(out, line + 4);
        } else if (*line == '|') {
            put_row(out, line);
        } else if (example) {
            put_line(out, line + 4);
        } else if (*line && strncmp(line, "## ", 3) != 0) {
            if (apart)
                fputs(".PP\n", out);
            put_line(out, line);
        }
        apart = !*line;
    }
}

static void put_piece(void *context, const char *text) {
    fputs(text, context);
}

void man_page_file(FILE *out) {
    char *text = NULL;
    size_t size = 0;
    FILE *reference = open_memstream(&text, &size);
    if (!reference)
        return;
    plan_write_manual(method_table, backend_words, put_piece, reference);
    fclose(reference);
    put_head(out, 5, "experiment files");
    fputs(".SH DESCRIPTION\n", out);
    put_markdown(out, text);
    fputs(".SH SEE ALSO\n.BR springback (1)\n", out);
    free(text);
}
