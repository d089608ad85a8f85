#include "report/page.h"

#include "base/amount.h"
#include "base/memory.h"
#include "experiment/document.h"
#include "report/html.h"
#include "report/table.h"

#include <stdlib.h>
#include <string.h>

/* ---- Machines ---- */

/* A column of a table of origins. Such a table shows on which machines and devices the traces were made, and a column
 * shows the values of one note. A list of columns ends with a NULL name. */
struct origin_note {
    const char *name, *heading;
    bool of_run; /* true: a note of /run in the trace; false: a note of /provenance */
};

static const struct origin_note machines[] = {
    {"host", "host", false},
    {"cpu", "processor", false},
    {"governor", "governor", false},
    {"system", "system", false},
    {"springback", "springback", false},
    {"revision", "revision", false},
    {"tree", "sources", false},
    {"compiler", "compiler", false},
    {"flags", "flags", false},
    {.name = NULL},
};

static const struct origin_note devices[] = {
    {"backend", "backend", true}, {"device", "device", true},       {"device_type", "type", true},
    {"driver", "driver", false},  {"bit_exact", "bit-exact", true}, {.name = NULL},
};

/* A row of a table of origins: the traces that have the same values in all columns of notes, with the first and the
 * last of their start times. */
struct origin {
    const struct trace_data *trace; /* the first of these traces */
    int runs;                       /* number of these traces */
    const char *first, *last;       /* start times, as "2026-11-22T09:03:53Z" */
};

static const char *note_of(const struct trace_data *trace, const struct origin_note *note) {
    const char *text = note->of_run ? trace_run_note(trace, note->name) : trace_provenance_note(trace, note->name);
    return text && *text ? text : "unknown";
}

static bool agree(const struct trace_data *a, const struct trace_data *b, const struct origin_note *notes) {
    while (notes->name && !strcmp(note_of(a, notes), note_of(b, notes)))
        ++notes;
    return !notes->name;
}

/* Group the traces of a set by the values of the notes. `rows` must have space for one row per trace. Returns the
 * number of rows. */
static int origins_read(const struct trace_set *set, const struct origin_note *notes, struct origin *rows) {
    static const struct origin_note start = {"start", "start", false};
    int count = 0;
    for (int t = 0; t < set->count; ++t) {
        const char *moment = note_of(&set->traces[t], &start);
        int r = 0;
        while (r < count && !agree(rows[r].trace, &set->traces[t], notes))
            ++r;
        if (r == count)
            rows[count++] = (struct origin){&set->traces[t], 0, moment, moment};
        rows[r].first = strcmp(moment, rows[r].first) < 0 ? moment : rows[r].first;
        rows[r].last = strcmp(moment, rows[r].last) > 0 ? moment : rows[r].last;
        ++rows[r].runs;
    }
    return count;
}

/* Write a time without its seconds. */
static void put_moment(struct page_table *table, const char *moment) {
    AUTO_FREE char *short_form = strlen(moment) == 20 && moment[10] == 'T' && moment[19] == 'Z'
                                     ? text_format("%.10s %.5s UTC", moment, moment + 11)
                                     : text_copy(moment);
    page_table_cell(table, "whole", "{text}", short_form);
}

static void put_origins(const struct trace_set *set, const struct origin_note *notes, const char *caption,
                        bool with_moments, FILE *out) {
    const char *headings[16];
    AUTO_FREE struct origin *rows = memory_new((size_t)set->count, sizeof *rows);
    struct page_table table = {.out = out, .caption = caption, .headings = headings};
    const int count = origins_read(set, notes, rows);
    int columns = 0;
    for (; notes[columns].name; ++columns)
        headings[columns] = notes[columns].heading;
    headings[columns++] = "runs";
    if (with_moments) {
        headings[columns++] = "first start";
        headings[columns++] = "last start";
    }
    headings[columns] = NULL;
    for (int r = 0; r < count; ++r) {
        for (const struct origin_note *note = notes; note->name; ++note) {
            const char *text = note_of(rows[r].trace, note);
            page_table_cell(&table, strlen(text) > 60 ? "long" : "whole", "{text}", text);
        }
        page_table_number(&table, rows[r].runs);
        if (with_moments) {
            put_moment(&table, rows[r].first);
            put_moment(&table, rows[r].last);
        }
    }
    page_table_end(&table);
}

void page_machines(const struct page_source *source, FILE *out) {
    const struct trace_set *set = source->traces;
    fputs(
        "<section id=\"machines\" aria-labelledby=\"machines-title\">\n<h2 id=\"machines-title\">What ran where</h2>\n",
        out);
    if (set->count) {
        fprintf(out, "<p>%d run%s of %d experiment%s wrote a trace. A trace stores where its run was made.</p>\n",
                set->count, set->count == 1 ? "" : "s", set->experiment_count, set->experiment_count == 1 ? "" : "s");
        put_origins(set, machines, "Machines and programs", true, out);
        put_origins(set, devices, "Devices", false, out);
    } else {
        html_put(out,
                 "<p>There are no traces in {text}. <code>make reproduce</code> runs the experiments; claims that need "
                 "no run are judged without traces.</p>\n",
                 source->results);
    }
    fputs("</section>\n", out);
}

/* ---- Experiments ---- */

/* The title in the experiment file that a trace stores as text; "" if the text has no title. Newly allocated; the
 * caller frees it. */
static char *title_in(const char *text) {
    const struct failure_mark mark = failure_mark();
    struct node root = {.count = 0};
    char *title = NULL;
    if (!document_parse(text, "the trace's experiment", true, &root)) {
        const struct node *node = document_item(&root, "title");
        title = node && node->kind == NODE_SCALAR ? text_copy(node->text) : NULL;
        document_free(&root);
    }
    failure_rewind(mark);
    return title ? title : text_copy("");
}

void page_experiment(const struct page_source *source, const char *name, struct page_table *table) {
    int runs[RUN_MISSING + 1] = {0}; /* number of runs, by status */
    bool quick = false, full = false;
    double seconds = 0;
    AUTO_FREE char *title = NULL;
    char amount[AMOUNT_SIZE];
    for (const struct trace_run *run = NULL; (run = trace_set_next(source->traces, name, run));) {
        ++runs[run->status];
        if (!run->trace)
            continue;
        const char *tier = trace_run_note(run->trace, "tier"), *took = trace_run_note(run->trace, "seconds");
        quick = quick || (tier && !strcmp(tier, "quick"));
        full = full || (tier && !strcmp(tier, "full"));
        seconds += took ? strtod(took, NULL) : 0;
        if (!title)
            title = title_in(run->trace->experiment_text);
    }
    page_table_cell(table, "", "<span id=\"experiment-{id}\"><a href=\"{path}{path}\">{text}</a></span>", name,
                    source->base, name, name);
    page_table_text(table, title ? title : "");
    for (int s = 0; s <= RUN_MISSING; ++s)
        page_table_number(table, runs[s]);
    page_table_word(table, quick && full ? "quick, full" : quick ? "quick" : full ? "full" : "");
    page_table_word(table, seconds > 0 ? amount_seconds(seconds, amount) : "");
}
