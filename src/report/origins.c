#include "report/page.h"

#include "base/memory.h"
#include "experiment/document.h"

#include <stdlib.h>
#include <string.h>

const struct origin_note origin_machines[] = {
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

const struct origin_note origin_devices[] = {
    {"backend", "backend", true}, {"device", "device", true},       {"device_type", "type", true},
    {"driver", "driver", false},  {"bit_exact", "same bits", true}, {.name = NULL},
};

static const char *note_of(const struct trace_data *trace, const struct origin_note *note) {
    const char *text = note->of_run ? trace_run_note(trace, note->name) : trace_provenance_note(trace, note->name);
    return text && *text ? text : "unknown";
}

static struct origin_row *row_of(struct origins *origins, const struct trace_data *trace) {
    for (int r = 0; r < origins->count; ++r) {
        int same = 0;
        while (same < origins->name_count &&
               !strcmp(origins->rows[r].notes[same], note_of(trace, &origins->names[same])))
            ++same;
        if (same == origins->name_count)
            return &origins->rows[r];
    }
    struct origin_row *row = ARRAY_ADD(origins->rows, origins->count);
    *row = (struct origin_row){.notes = memory_new((size_t)origins->name_count, sizeof *row->notes)};
    for (int n = 0; n < origins->name_count; ++n)
        row->notes[n] = note_of(trace, &origins->names[n]);
    return row;
}

void origins_read(const struct trace_set *set, const struct origin_note *names, struct origins *origins) {
    static const struct origin_note start = {"start", "start", false};
    *origins = (struct origins){.names = names};
    while (names[origins->name_count].name)
        ++origins->name_count;
    for (int t = 0; t < set->count; ++t) {
        struct origin_row *row = row_of(origins, &set->traces[t]);
        const char *moment = note_of(&set->traces[t], &start);
        row->first = !row->first || strcmp(moment, row->first) < 0 ? moment : row->first;
        row->last = !row->last || strcmp(moment, row->last) > 0 ? moment : row->last;
        ++row->runs;
    }
}

void origins_free(struct origins *origins) {
    for (int r = 0; r < origins->count; ++r)
        free(origins->rows[r].notes);
    free(origins->rows);
    *origins = (struct origins){.count = 0};
}

/* ---- Experiments ---- */

/* The title in the text of the experiment that a trace keeps; "" if it has none. Newly allocated. */
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

struct origin_experiment origin_experiment_read(const struct trace_set *set, const char *name) {
    struct origin_experiment item = {.title = NULL};
    for (int r = 0; r < set->run_count; ++r) {
        const struct trace_run *run = &set->runs[r];
        if (strcmp(run->experiment, name) != 0)
            continue;
        ++item.runs[run->status];
        if (!run->trace)
            continue;
        const char *tier = trace_run_note(run->trace, "tier"), *seconds = trace_run_note(run->trace, "seconds");
        item.quick = item.quick || (tier && !strcmp(tier, "quick"));
        item.full = item.full || (tier && !strcmp(tier, "full"));
        item.seconds += seconds ? strtod(seconds, NULL) : 0;
        if (!item.title)
            item.title = title_in(run->trace->experiment_text);
    }
    item.title = item.title ? item.title : text_copy("");
    return item;
}
