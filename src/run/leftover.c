#include "run/leftover.h"

#include "base/memory.h"
#include "run/manifest.h"
#include "run/recorder.h"
#include "run/results.h"
#include "run/sweep.h"
#include "trace/trace.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const double temporary_lives = 60; /* s; older temporary files belong to no running process */

/* A folder to examine: the folder of an experiment, or of a member of the experiment's interrupted sweep. */
struct folder_scan {
    const char *folder, *experiment;
    /* Complete traces of runs of the plan or of the manifest are no leftovers. If `plan` is NULL, all files that
     * springback has made are leftovers. */
    const struct plan *plan;
    const char *gone; /* if `plan` is NULL: the reason why all these files are leftovers, for example file_gone */
    struct manifest manifest;
    struct leftovers *leftovers;
};

static const char file_gone[] = "its experiment's file no longer exists";

static bool is_listed(const struct leftovers *leftovers, const char *path) {
    for (int l = 0; l < leftovers->count; ++l)
        if (!strcmp(leftovers->items[l].path, path))
            return true;
    return false;
}

/* Add a leftover. Takes ownership of `path`; `why` is borrowed. Links, and files in place of folders, are ignored,
 * because springback does not create them. */
static void add(struct leftovers *leftovers, char *path, const char *why, bool resumable, bool folder) {
    struct stat about;
    if (lstat(path, &about) || is_listed(leftovers, path) ||
        !(folder ? S_ISDIR(about.st_mode) : S_ISREG(about.st_mode))) {
        free(path);
        return;
    }
    *ARRAY_ADD(leftovers->items, leftovers->count) =
        (struct leftover){path, why, folder ? 0 : (double)about.st_size, resumable, folder};
}

/* Whether `name` is the file name of the trace of a run of the plan or of the manifest. `id` is the id in this name.
 * A trace with geometry has another extension than a trace without geometry. So if record.mesh_every was 0 and is now
 * positive, or the reverse, only the manifest names the earlier trace of the run. */
static bool is_named(const struct folder_scan *scan, const char *name, const char *id) {
    const size_t length = strlen(name) - (text_ends(name, ".part") ? strlen(".part") : 0);
    bool found = false;
    for (int r = 0; scan->plan && r < scan->manifest.count && !found; ++r) {
        const struct manifest_row *row = &scan->manifest.rows[r];
        found = !strcmp(row->trace, "-") ? !strcmp(row->id, id)
                                         : strlen(row->trace) == length && !strncmp(row->trace, name, length);
    }
    for (int r = 0; scan->plan && r < scan->plan->run_count && !found; ++r) {
        AUTO_FREE char *own = trace_file_name(scan->plan->runs[r].id, recorder_has_geometry(&scan->plan->runs[r]));
        found = strlen(own) == length && !strncmp(own, name, length);
    }
    return found;
}

/* Whether the manifest or the plan has a run with this id. */
static bool has_run(const struct folder_scan *scan, const char *id) {
    for (int r = 0; scan->plan && r < scan->manifest.count; ++r)
        if (!strcmp(scan->manifest.rows[r].id, id))
            return true;
    for (int r = 0; scan->plan && r < scan->plan->run_count; ++r)
        if (!strcmp(scan->plan->runs[r].id, id))
            return true;
    return false;
}

/* Whether a file is the trace of the experiment's run with this id, as its name says. A whole trace must also contain
 * the experiment and the id. If the trace is damaged, unfinished or of another layout, the file name is enough. */
static bool is_own(const struct folder_scan *scan, const char *path, const char *id) {
    const enum trace_state state = trace_state(path);
    if (state != TRACE_WHOLE)
        return state != TRACE_FOREIGN && state != TRACE_ABSENT && state != TRACE_UNREADABLE;
    AUTO_FREE char *experiment = trace_peek(path, "experiment"), *made_as = trace_peek(path, "id");
    return experiment && made_as && !strcmp(experiment, scan->experiment) && !strcmp(made_as, id);
}

/* Whether a later run can resume the interrupted run whose unfinished trace is at `path`. The trace must have recorded
 * frames. The plan or the manifest must still have the run; if the plan has it, the parameters must be the same. */
static bool is_resumable(const struct folder_scan *scan, const char *path, const char *name, const char *id) {
    const struct failure_mark mark = failure_mark();
    if (!scan->plan || !is_named(scan, name, id))
        return false;
    AUTO(trace_close) struct trace_data trace;
    if (trace_open(path, &trace)) {
        failure_rewind(mark);
        return trace_error() != 0; /* a trace that cannot be read may be resumable, so it is not removed */
    }
    const char *canonical = trace_run_note(&trace, "canonical");
    bool resumable = trace.frames > 0 && canonical;
    for (int r = 0; resumable && r < scan->plan->run_count; ++r)
        if (!strcmp(scan->plan->runs[r].id, id))
            resumable = !strcmp(scan->plan->runs[r].canonical, canonical);
    return resumable;
}

/* Whether this is the temporary file of a process that was killed in file_write, for example "runs.tsv.4711.part". */
static bool is_temporary(const char *path, const char *name) {
    const char *dot = strrchr(name, '.');
    struct stat about;
    if (!text_ends(name, ".part") || dot == name || stat(path, &about))
        return false;
    const char *digit = dot;
    while (digit > name && isdigit((unsigned char)digit[-1]))
        --digit;
    return digit < dot && digit > name && digit[-1] == '.' && difftime(time(NULL), about.st_mtime) > temporary_lives;
}

static void examine(const struct folder_scan *scan, const char *name) {
    static const char *const unnamed = "no row of the manifest names it", *const killed = "its run was interrupted",
                             *const writing = "writing it was interrupted";
    const char *gone = scan->gone;
    AUTO_FREE char *path = text_format("%s/%s", scan->folder, name);
    bool is_part;
    AUTO_FREE char *id = results_trace_id(name, &is_part);
    if (id) {
        if (is_part) {
            add(scan->leftovers, text_copy(path), scan->plan ? killed : gone, is_resumable(scan, path, name, id),
                false);
        } else if (!is_named(scan, name, id) && is_own(scan, path, id)) {
            add(scan->leftovers, text_copy(path), scan->plan ? unnamed : gone, false, false);
            if (!has_run(scan, id))
                add(scan->leftovers, text_format("%s/%s.tsv", scan->folder, id), "the table of a leftover trace", false,
                    false);
        }
    } else if (is_temporary(path, name)) {
        add(scan->leftovers, text_copy(path), writing, false, false);
    } else if (!scan->plan &&
               (!strcmp(name, "runs.tsv") || !strcmp(name, "summary.tsv") || !strcmp(name, "context.gp") ||
                !strcmp(name, "sensitivity.tsv") || !strcmp(name, "traces.index"))) {
        add(scan->leftovers, text_copy(path), gone, false, false);
    }
}

/* Whether another process holds the lock `name` of a folder: ".lock" while it runs the experiment, ".sweep" while it
 * runs a sweep. */
static bool is_locked(const char *folder, const char *name) {
    AUTO_FREE char *path = text_format("%s/%s", folder, name);
    const int lock = open(path, O_RDWR | O_CLOEXEC);
    const bool running = lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK;
    if (lock >= 0)
        close(lock);
    return running;
}

/* Examine all files of a folder, unless another process runs in it. */
static int examine_all(struct folder_scan *scan) {
    AUTO(entries_free) char **entries = entries_list(scan->folder);
    int status = STATUS_OK;
    if (!is_locked(scan->folder, ".lock") && !(status = manifest_read(scan->folder, &scan->manifest))) {
        for (char **entry = entries; *entry; ++entry)
            examine(scan, *entry);
        if (!scan->plan) {
            add(scan->leftovers, text_format("%s/.lock", scan->folder), scan->gone, false, false);
            add(scan->leftovers, text_format("%s/.sweep", scan->folder), scan->gone, false, false);
            add(scan->leftovers, text_copy(scan->folder), scan->gone, false, true);
        }
        manifest_free(&scan->manifest);
    }
    return status;
}

/* Examine the files of an interrupted sweep: the folders of members that had begun, and the parts of the table with
 * members that had ended. */
static int examine_sweep(const char *out, const char *experiment, const struct plan *plan,
                         struct leftovers *leftovers) {
    static const char interrupted[] = "it belongs to an interrupted sweep";
    const char *why = plan ? interrupted : file_gone;
    AUTO_FREE char *sweep = sweep_folder(out, experiment), *folder = text_format("%s/%s", out, experiment);
    if (is_locked(folder, ".sweep"))
        return STATUS_OK;
    AUTO(entries_free) char **entries = entries_list(sweep);
    int status = STATUS_OK;
    for (char **entry = entries; *entry && !status; ++entry) {
        AUTO_FREE char *path = text_format("%s/%s", sweep, *entry);
        if (sweep_is_member(*entry)) {
            struct folder_scan scan = {.folder = path, .experiment = experiment, .gone = why, .leftovers = leftovers};
            status = examine_all(&scan);
        } else if (sweep_is_part(*entry)) {
            add(leftovers, text_copy(path), why, plan != NULL, false);
        }
    }
    add(leftovers, text_copy(sweep), why, plan != NULL, true);
    if (!plan)
        add(leftovers, text_format("%s/%s/sensitivity.tsv", out, experiment), why, false, false);
    return status;
}

/* Examine an experiment's folder; `plan` is NULL if the experiment's file no longer exists. */
static int examine_folder(const char *out, const char *experiment, const struct plan *plan,
                          struct leftovers *leftovers) {
    AUTO_FREE char *folder = text_format("%s/%s", out, experiment);
    struct folder_scan scan = {
        .folder = folder, .experiment = experiment, .plan = plan, .gone = file_gone, .leftovers = leftovers};
    const int swept = examine_sweep(out, experiment, plan, leftovers), status = examine_all(&scan);
    return swept ? swept : status;
}

/* Whether one of the entries, without its extension, has the name `stem`. */
static bool has_stem(char *const *entries, const char *stem) {
    for (char *const *entry = entries; *entry; ++entry) {
        const char *dot = strrchr(*entry, '.');
        const size_t length = dot && dot > *entry ? (size_t)(dot - *entry) : strlen(*entry);
        if (strlen(stem) == length && !strncmp(*entry, stem, length))
            return true;
    }
    return false;
}

int leftovers_find(const char *out, const struct plan *plan, struct leftovers *leftovers) {
    const struct experiment *experiment = &plan->experiment;
    int status = examine_folder(out, experiment->name, plan, leftovers);
    const char *slash = strchr(experiment->name, '/');
    AUTO_FREE char *file = realpath(experiment->file, NULL);
    if (slash && file) {
        AUTO(entries_free) char **siblings = entries_list(dirname(file));
        const size_t paper = (size_t)(slash - experiment->name) + 1;
        AUTO(results_free) struct results results;
        results_list(out, &results);
        for (int e = 0; e < results.count; ++e) {
            const char *other = results.experiments[e];
            if (!strncmp(other, experiment->name, paper) && !has_stem(siblings, other + paper) &&
                examine_folder(out, other, NULL, leftovers))
                status = STATUS_BAD;
        }
    }
    return status;
}

int leftover_remove(const struct leftover *leftover, bool *gone) {
    *gone = !(leftover->folder ? rmdir(leftover->path) : unlink(leftover->path));
    if (*gone || errno == ENOENT || (leftover->folder && (errno == ENOTEMPTY || errno == EEXIST)))
        return STATUS_OK;
    return fail("%s: cannot be removed: %s", leftover->path, strerror(errno));
}

void leftovers_free(struct leftovers *leftovers) {
    for (int l = 0; l < leftovers->count; ++l)
        free(leftovers->items[l].path);
    free(leftovers->items);
    *leftovers = (struct leftovers){NULL, 0};
}
