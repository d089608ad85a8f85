#include "report/machine_file.h"

#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "experiment/value.h"
#include "run/results.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VERSION = 1, FRAMES_KEPT = 5, SAMPLES_KEPT = 256, DIGITS = 9 };

/* ---- Reading ---- */

/* A file that is being read; after the first mistake nothing more is told of it. */
struct reading {
    const char *file;
    int status;
};

static void wrong(struct reading *reading, const char *format, ...) PRINTF_LIKE(2, 3);

static void wrong(struct reading *reading, const char *format, ...) {
    va_list arguments;
    char *what = NULL;
    if (reading->status)
        return;
    va_start(arguments, format);
    if (vasprintf(&what, format, arguments) < 0)
        what = NULL;
    va_end(arguments);
    reading->status = fail("%s: %s; `springback record` writes such files", reading->file, what ? what : "damaged");
    free(what);
}

static const char *const type_names[] = {[JSON_OBJECT] = "an object",
                                         [JSON_ARRAY] = "a list",
                                         [JSON_STRING] = "a text",
                                         [JSON_INTEGER] = "a whole number",
                                         [JSON_REAL] = "a number"};

/* A member of a type; NULL, which is a mistake where it is needed, if there is none. */
static json_t *member(struct reading *reading, json_t *object, const char *key, json_type type, bool is_needed) {
    json_t *value = json_object_get(object, key);
    if (!value && !is_needed)
        return NULL;
    const bool fits = value && (json_typeof(value) == type || (type == JSON_REAL && json_is_number(value)));
    if (!fits)
        wrong(reading, value ? "'%s' is not %s" : "there is no '%s', which is to be %s", key, type_names[type]);
    return fits ? value : NULL;
}

static char *text_member(struct reading *reading, json_t *object, const char *key, bool is_needed) {
    json_t *value = member(reading, object, key, JSON_STRING, is_needed);
    return text_copy(value ? json_string_value(value) : "");
}

static double number_member(struct reading *reading, json_t *object, const char *key, bool is_needed) {
    json_t *value = member(reading, object, key, JSON_REAL, is_needed);
    return value ? json_number_value(value) : (double)NAN;
}

/* A whole number of at least `least`; 0, which is a mistake where it is needed, if there is none. */
static int whole_member(struct reading *reading, json_t *object, const char *key, int least, bool is_needed) {
    json_t *value = member(reading, object, key, JSON_INTEGER, is_needed);
    const json_int_t whole = json_integer_value(value);
    const bool fits = whole >= least && whole <= INT32_MAX;
    if (value && !fits)
        wrong(reading, "'%s' is not a whole number from %d to %d", key, least, INT32_MAX);
    return value && fits ? (int)whole : 0;
}

/* A member that nothing reads is a mistake in the name of one that would be read. */
static void only_members(struct reading *reading, json_t *object, const char *keys) {
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value) {
        if (!words_have(keys, key, strlen(key)))
            wrong(reading, "there is no use for '%.60s'; the members are %s", key, keys);
    }
}

static json_t *load(const char *file) {
    json_error_t error;
    char *text = NULL;
    if (file_read(file, &text))
        return NULL;
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    free(text);
    const char *flaw = !root                   ? NULL
                       : !json_is_object(root) ? "this is no object"
                       : !json_is_plain(root)  ? "a text in it holds control characters"
                                               : NULL;
    if (!root)
        fail_at((struct place){file, error.line, error.column}, "this is no JSON: %s", error.text);
    else if (flaw) {
        fail("%s: %s; `springback record` writes no such file", file, flaw);
        json_decref(root);
        root = NULL;
    }
    return root;
}

/* An object of texts. */
static void read_facts(struct reading *reading, json_t *object, const json_t *defaulted, struct attributes *out) {
    const char *name;
    json_t *value;
    json_object_foreach(object, name, value) {
        bool is_default = false;
        for (size_t d = 0; d < json_array_size(defaulted); ++d) {
            const char *path = json_string_value(json_array_get(defaulted, d));
            is_default = is_default || (path && !strcmp(path, name));
        }
        if (!json_is_string(value))
            wrong(reading, "'%s' is not a text", name);
        else if (!attributes_text(out, name))
            attributes_add(out, name, json_string_value(value), is_default);
    }
}

/* A list of positive numbers, added to those that are there. */
static int read_samples(struct reading *reading, const json_t *list, double **samples, int *count) {
    const int before = *count;
    if (!json_is_array(list))
        wrong(reading, "a repeat is no list of samples");
    *samples = memory_grow(*samples, (size_t)*count + json_array_size(list) + 1, sizeof **samples);
    for (size_t k = 0; k < json_array_size(list); ++k) {
        const json_t *value = json_array_get(list, k);
        if (json_is_number(value) && json_number_value(value) > 0)
            (*samples)[(*count)++] = json_number_value(value);
        else
            wrong(reading, "a sample is no number above 0");
    }
    return *count - before;
}

static void read_frames(struct reading *reading, json_t *object, struct machine_run *run) {
    json_t *state = member(reading, object, "state", JSON_OBJECT, false);
    json_t *frames = state ? member(reading, state, "frames", JSON_ARRAY, true) : NULL;
    json_t *hashes = state ? member(reading, state, "hashes", JSON_ARRAY, true) : NULL;
    only_members(reading, state, "frames hashes");
    const size_t count = frames && hashes ? json_array_size(frames) : 0;
    if (hashes && frames && json_array_size(hashes) != count)
        wrong(reading, "of run '%s', there are %zu frames and %zu hashes", run->id, count, json_array_size(hashes));
    run->frame = memory_new(count + 1, sizeof *run->frame);
    run->hash = memory_new(count + 1, sizeof *run->hash);
    for (size_t f = 0; f < count && !reading->status; ++f) {
        const json_t *frame = json_array_get(frames, f);
        const char *hash = json_string_value(json_array_get(hashes, f));
        const json_int_t index = json_integer_value(frame);
        if (!json_is_integer(frame) || index < 0 || index > INT32_MAX || (f && index <= run->frame[f - 1]))
            wrong(reading, "of run '%s', the frames are no increasing whole numbers", run->id);
        else if (!hash || strlen(hash) != DIGEST_SIZE - 1 || strspn(hash, "0123456789abcdef") != DIGEST_SIZE - 1)
            wrong(reading, "of run '%s', a hash is no 32 hexadecimal digits", run->id);
        else {
            run->frame[f] = (int)index;
            memcpy(run->hash[f], hash, DIGEST_SIZE);
            ++run->frames;
        }
    }
}

static void read_last(struct reading *reading, json_t *object, const json_t *series, struct machine_run *run) {
    json_t *last = member(reading, object, "last", JSON_ARRAY, false);
    const size_t count = json_array_size(last);
    run->last = memory_new(count + 1, sizeof *run->last);
    for (size_t s = 0; s < count && !reading->status; ++s) {
        const json_t *about = json_array_get(series, s), *value = json_array_get(last, s);
        const char *name = json_string_value(json_array_get(about, 0)),
                   *unit = json_string_value(json_array_get(about, 1));
        if (!json_is_number(value) && !json_is_null(value))
            wrong(reading, "of run '%s', a last value is neither a number nor null", run->id);
        else if (s >= json_array_size(series))
            wrong(reading, "of run '%s', there are more last values than series", run->id);
        else if (!name || !unit || json_array_size(about) != 2)
            wrong(reading, "a series is not its name and its unit");
        else
            run->last[run->last_count++] = (struct machine_value){
                text_copy(name), text_copy(unit), json_is_number(value) ? json_number_value(value) : (double)NAN};
    }
}

/* {median, low, high, count}; what is not in order is a mistake. */
static struct median read_median(struct reading *reading, json_t *object) {
    const struct median m = {number_member(reading, object, "median", true),
                             number_member(reading, object, "low", true), number_member(reading, object, "high", true),
                             whole_member(reading, object, "count", 1, true), 0};
    if (!(m.low > 0 && m.low <= m.value && m.value <= m.high && isfinite(m.high)))
        wrong(reading, "a median does not lie in its interval, above 0");
    return m;
}

static void read_timing(struct reading *reading, json_t *object, struct machine_run *run) {
    json_t *timing = member(reading, object, "timing", JSON_OBJECT, false);
    if (!timing)
        return;
    json_t *repeats = member(reading, timing, "repeats", JSON_ARRAY, false);
    only_members(reading, timing, "median low high count repeats");
    run->seconds = read_median(reading, timing);
    run->repeat_samples = memory_new(json_array_size(repeats) + 1, sizeof *run->repeat_samples);
    for (size_t r = 0; r < json_array_size(repeats); ++r)
        run->repeat_samples[run->repeats++] =
            read_samples(reading, json_array_get(repeats, r), &run->samples, &run->sample_count);
    if (run->sample_count > run->seconds.samples)
        wrong(reading, "run '%s' has more samples than it counts", run->id);
    else if (run->sample_count == run->seconds.samples)
        run->seconds = median_of(run->samples, run->sample_count);
}

static void read_run(struct reading *reading, json_t *root, json_t *object, const int *environments, int count,
                     struct machine *machine) {
    struct machine_run *run = machine_add_run(machine);
    json_t *common = member(reading, root, "parameters", JSON_OBJECT, true);
    json_t *defaulted = member(reading, root, "defaulted", JSON_ARRAY, false);
    run->experiment = text_member(reading, root, "experiment", true);
    run->id = text_member(reading, object, "id", true);
    run->sample = text_copy("");
    only_members(reading, object, "id environment facts parameters state last timing");
    const int environment = whole_member(reading, object, "environment", 0, true);
    if (environment < count)
        run->environment = environments[environment];
    else
        wrong(reading, "run '%s' is of environment %d, and there are %d", run->id, environment, count);
    read_facts(reading, member(reading, object, "parameters", JSON_OBJECT, false), defaulted, &run->parameter);
    read_facts(reading, common, defaulted, &run->parameter);
    read_facts(reading, member(reading, object, "facts", JSON_OBJECT, true), NULL, &run->facts);
    read_facts(reading, member(reading, root, "facts", JSON_OBJECT, false), NULL, &run->facts);
    read_frames(reading, object, run);
    read_last(reading, object, member(reading, root, "series", JSON_ARRAY, false), run);
    read_timing(reading, object, run);
}

static int read_runs(const char *file, struct machine *machine) {
    json_t *root = load(file);
    struct reading reading = {file, STATUS_OK};
    if (!root)
        return STATUS_BAD;
    if (number_member(&reading, root, "springback_runs", true) != VERSION)
        wrong(&reading, "'springback_runs' is not %d, the version that this program reads", VERSION);
    json_t *environments = member(&reading, root, "environments", JSON_ARRAY, true);
    json_t *runs = member(&reading, root, "runs", JSON_ARRAY, true);
    json_t *defaulted = member(&reading, root, "defaulted", JSON_ARRAY, false);
    only_members(&reading, root, "springback_runs experiment environments facts parameters defaulted series runs");
    for (size_t d = 0; d < json_array_size(defaulted); ++d)
        if (!json_is_string(json_array_get(defaulted, d)))
            wrong(&reading, "a defaulted parameter is no text");
    const size_t count = json_array_size(environments);
    int *index = memory_new(count + 1, sizeof *index);
    for (size_t e = 0; e < count; ++e) {
        struct attributes facts = {NULL, 0};
        if (!json_is_object(json_array_get(environments, e)))
            wrong(&reading, "an environment is no object");
        read_facts(&reading, json_array_get(environments, e), NULL, &facts);
        index[e] = machine_environment(machine, &facts);
    }
    for (size_t r = 0; r < json_array_size(runs) && !reading.status; ++r)
        if (json_is_object(json_array_get(runs, r)))
            read_run(&reading, root, json_array_get(runs, r), index, (int)count, machine);
        else
            wrong(&reading, "a run is no object");
    free(index);
    json_decref(root);
    return reading.status;
}

static const char *const floor_names[FLOOR_KINDS] = {"copy", "operations", "launch"};

static void read_floor(struct reading *reading, json_t *object, struct machine *machine) {
    struct machine_floor *floor = machine_add_floor(machine);
    only_members(reading, object, "device threads copy operations launch");
    floor->device = text_member(reading, object, "device", true);
    floor->threads = whole_member(reading, object, "threads", 0, false);
    for (int k = 0; k < FLOOR_KINDS; ++k) {
        json_t *value = json_object_get(object, floor_names[k]);
        if (json_is_array(value))
            read_samples(reading, value, &floor->samples[k], &floor->sample_count[k]);
        else if (json_is_number(value) && json_number_value(value) > 0)
            floor->best[k] = json_number_value(value);
        else if (value)
            wrong(reading, "a floor's '%s' is neither a list of samples nor a number above 0", floor_names[k]);
    }
    floor_settle(floor);
}

static void read_reported(struct reading *reading, json_t *object, struct machine *machine) {
    machine->reported = memory_grow(machine->reported, (size_t)machine->reported_count + 1, sizeof *machine->reported);
    struct machine_reported *reported = &machine->reported[machine->reported_count++];
    *reported = (struct machine_reported){.claim = text_member(reading, object, "claim", true),
                                          .paper = text_member(reading, object, "paper", true),
                                          .where = text_member(reading, object, "where", true),
                                          .experiment = text_member(reading, object, "experiment", true)};
    read_facts(reading, member(reading, object, "select", JSON_OBJECT, true), NULL, &reported->select);
    only_members(reading, object, "claim paper where experiment select frames_per_second");
    json_t *rate = member(reading, object, "frames_per_second", JSON_ARRAY, true);
    reported->low = json_number_value(json_array_get(rate, 0));
    reported->high =
        json_is_null(json_array_get(rate, 1)) ? (double)INFINITY : json_number_value(json_array_get(rate, 1));
    if (json_array_size(rate) != 2 || !(reported->low > 0 && reported->high >= reported->low))
        wrong(reading, "'frames_per_second' is not [low, high], above 0 and in this order, high null for 'at least'");
}

/* The runs of a record's experiments, in the order of their names. */
static int read_folder(struct machine *machine) {
    char **papers = entries_list(machine->path);
    int status = STATUS_OK;
    for (char **paper = papers; *paper && !status; ++paper) {
        char *folder = text_format("%s/%s", machine->path, *paper), **entries = entries_list(folder);
        for (char **entry = entries; *entry && !status; ++entry)
            if (name_ends(*entry, ".json")) {
                char *path = text_format("%s/%s", folder, *entry);
                status = read_runs(path, machine);
                free(path);
            }
        entries_free(entries);
        free(folder);
    }
    entries_free(papers);
    return status;
}

int machine_file_read(const char *file, struct machine *machine) {
    json_t *root = load(file);
    struct reading reading = {file, STATUS_OK};
    if (!root)
        return STATUS_BAD;
    if (number_member(&reading, root, "springback_machine", true) != VERSION)
        wrong(&reading, "'springback_machine' is not %d, the version that this program reads", VERSION);
    only_members(&reading, root, "springback_machine name source floors reported");
    char *name = text_member(&reading, root, "name", true), *source = text_member(&reading, root, "source", true);
    if (!machine->name) {
        machine->name = name;
        machine->source = source;
    } else {
        free(name);
        free(source);
    }
    json_t *floors = member(&reading, root, "floors", JSON_ARRAY, true);
    for (size_t f = 0; f < json_array_size(floors) && !reading.status; ++f)
        read_floor(&reading, json_array_get(floors, f), machine);
    json_t *reported = member(&reading, root, "reported", JSON_ARRAY, false);
    for (size_t r = 0; r < json_array_size(reported) && !reading.status; ++r)
        read_reported(&reading, json_array_get(reported, r), machine);
    json_decref(root);
    if (!reading.status && machine->is_record)
        reading.status = read_folder(machine);
    return reading.status;
}

/* ---- Writing ---- */

/* A file put together in memory: a list of objects, one a line, so that two records differ by lines. */
static void put_object(FILE *out, json_t *object, bool is_last) {
    json_dumpf(object, out, JSON_COMPACT | JSON_REAL_PRECISION(DIGITS));
    fputs(is_last ? "\n" : ",\n", out);
    json_decref(object);
}

static int put_file(const char *path, FILE *stream, char **text) {
    bool whole = !ferror(stream);
    if (fclose(stream) || !whole) {
        free(*text);
        return fail("%s: out of memory", path);
    }
    const int status = file_write_if_changed(path, *text);
    free(*text);
    return status;
}

static json_t *numbers(const double *samples, int count) {
    json_t *array = json_array();
    for (int k = 0; k < count; ++k)
        json_array_append_new(array, json_real(samples[k]));
    return array;
}

static json_t *attributes_object(const struct attributes *facts) {
    json_t *object = json_object();
    for (int f = 0; f < facts->count; ++f)
        json_object_set_new(object, facts->items[f].name, json_text(facts->items[f].value));
    return object;
}

static json_t *floor_object(const struct machine_floor *floor) {
    json_t *object = json_pack("{so si}", "device", json_text(floor->device), "threads", floor->threads);
    for (int k = 0; k < FLOOR_KINDS; ++k)
        if (floor->samples[k])
            json_object_set_new(object, floor_names[k], numbers(floor->samples[k], floor->sample_count[k]));
        else if (isfinite(floor->best[k]))
            json_object_set_new(object, floor_names[k], json_real(floor->best[k]));
    return object;
}

int machine_file_write(const char *file, const struct machine *machine) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return fail("%s: out of memory: %s", file, strerror(errno));
    json_t *name = json_text(machine->name), *source = json_text(machine->source);
    fprintf(out, "{\n\"springback_machine\": %d,\n\"name\": ", VERSION);
    json_dumpf(name, out, JSON_ENCODE_ANY);
    fputs(",\n\"source\": ", out);
    json_dumpf(source, out, JSON_ENCODE_ANY);
    fputs(",\n\"floors\": [\n", out);
    for (int f = 0; f < machine->floor_count; ++f)
        put_object(out, floor_object(&machine->floors[f]), f + 1 == machine->floor_count);
    fputs("]\n}\n", out);
    json_decref(name);
    json_decref(source);
    return put_file(file, out, &text);
}

/* The runs of one experiment that are recorded: those of its main sweep. */
struct chosen {
    const struct machine_run **runs;
    int count;
};

static struct chosen choose(const struct machine *machine, const char *experiment) {
    struct chosen chosen = {memory_new((size_t)machine->run_count + 1, sizeof *chosen.runs), 0};
    for (int r = 0; r < machine->run_count; ++r)
        if (!strcmp(machine->runs[r].experiment, experiment) && !*machine->runs[r].sample)
            chosen.runs[chosen.count++] = &machine->runs[r];
    return chosen;
}

static const struct attributes *run_facts(const struct machine_run *run, bool parameters) {
    return parameters ? &run->parameter : &run->facts;
}

/* Whether all runs have a fact, and alike. */
static bool is_common(const struct chosen *chosen, const struct attribute *fact, bool parameters) {
    for (int r = 0; r < chosen->count; ++r) {
        const char *text = attributes_text(run_facts(chosen->runs[r], parameters), fact->name);
        if (!text || strcmp(text, fact->value) != 0)
            return false;
    }
    return true;
}

/* Those of a run that are common to all, or those that are its own. */
static json_t *shared_object(const struct chosen *chosen, const struct machine_run *run, bool parameters, bool common) {
    const struct attributes *facts = run_facts(run, parameters);
    json_t *object = json_object();
    for (int f = 0; f < facts->count; ++f)
        if (is_common(chosen, &facts->items[f], parameters) == common)
            json_object_set_new(object, facts->items[f].name, json_text(facts->items[f].value));
    return object;
}

/* Parameters that nobody set in any run. */
static json_t *defaulted_list(const struct chosen *chosen) {
    json_t *list = json_array(), *stated = json_object(), *seen = json_object();
    for (int r = 0; r < chosen->count; ++r)
        for (int p = 0; p < chosen->runs[r]->parameter.count; ++p) {
            const struct attribute *fact = &chosen->runs[r]->parameter.items[p];
            json_object_set_new(fact->is_default ? seen : stated, fact->name, json_true());
        }
    const char *name;
    json_t *value;
    json_object_foreach(seen, name, value) {
        if (!json_object_get(stated, name))
            json_array_append_new(list, json_string(name));
    }
    json_decref(stated);
    json_decref(seen);
    return list;
}

/* A few frames, the first and the last among them. */
static json_t *state_object(const struct machine_run *run) {
    json_t *frames = json_array(), *hashes = json_array();
    const int kept = run->frames < FRAMES_KEPT ? run->frames : FRAMES_KEPT;
    for (int k = 0; k < kept; ++k) {
        const int f = kept > 1 ? (int)((long)k * (run->frames - 1) / (kept - 1)) : 0;
        json_array_append_new(frames, json_integer(run->frame[f]));
        json_array_append_new(hashes, json_string(run->hash[f]));
    }
    return json_pack("{so so}", "frames", frames, "hashes", hashes);
}

/* Of each repeat evenly spaced samples, its first and last among them, if there are too many. */
static json_t *timing_object(const struct machine_run *run) {
    json_t *repeats = json_array();
    const double *at = run->samples;
    for (int r = 0; r < run->repeats; ++r) {
        const int count = run->repeat_samples[r],
                  room = SAMPLES_KEPT / run->repeats > 2 ? SAMPLES_KEPT / run->repeats : 2;
        const bool all = run->sample_count <= SAMPLES_KEPT || count <= room;
        json_t *list = numbers(at, all ? count : 0);
        for (int k = 0; k < room && !all; ++k)
            json_array_append_new(list, json_real(at[(long)k * (count - 1) / (room - 1)]));
        json_array_append_new(repeats, list);
        at += count;
    }
    return json_pack("{sf sf sf si so}", "median", run->seconds.value, "low", run->seconds.low, "high",
                     run->seconds.high, "count", run->seconds.samples, "repeats", repeats);
}

static json_t *series_list(const struct machine_run *run) {
    json_t *list = json_array();
    for (int s = 0; s < run->last_count; ++s)
        json_array_append_new(list, json_pack("[oo]", json_text(run->last[s].name), json_text(run->last[s].unit)));
    return list;
}

/* The last values, in the order of the first run's series; null for what a run has not. */
static json_t *last_list(const struct machine_run *first, const struct machine_run *run) {
    json_t *list = json_array();
    for (int s = 0; s < first->last_count; ++s) {
        double value = NAN;
        for (int t = 0; t < run->last_count; ++t)
            if (!strcmp(run->last[t].name, first->last[s].name))
                value = run->last[t].value;
        json_array_append_new(list, json_number(value));
    }
    return list;
}

static json_t *run_object(const struct chosen *chosen, const struct machine_run *run, int environment) {
    json_t *object =
        json_pack("{so si so so so so}", "id", json_text(run->id), "environment", environment, "facts",
                  shared_object(chosen, run, false, false), "parameters", shared_object(chosen, run, true, false),
                  "state", state_object(run), "last", last_list(chosen->runs[0], run));
    if (run->seconds.samples)
        json_object_set_new(object, "timing", timing_object(run));
    return object;
}

static void put_member(FILE *out, const char *key, json_t *value) {
    fprintf(out, "\"%s\": ", key);
    put_object(out, value, false);
}

static void put_runs(FILE *out, const struct machine *machine, const char *experiment, const struct chosen *chosen) {
    int *index = memory_new((size_t)machine->environment_count + 1, sizeof *index), count = 0;
    json_t *environments = json_array();
    for (int r = 0; r < chosen->count; ++r)
        if (!index[chosen->runs[r]->environment]) {
            index[chosen->runs[r]->environment] = ++count; /* from 1: 0 is not in the file */
            json_array_append_new(environments,
                                  attributes_object(&machine->environments[chosen->runs[r]->environment]));
        }
    fprintf(out, "{\n\"springback_runs\": %d,\n\"experiment\": \"%s\",\n\"environments\": [\n", VERSION, experiment);
    for (int e = 0; e < count; ++e)
        put_object(out, json_incref(json_array_get(environments, (size_t)e)), e + 1 == count);
    fputs("],\n", out);
    json_decref(environments);
    put_member(out, "facts", shared_object(chosen, chosen->runs[0], false, true));
    put_member(out, "parameters", shared_object(chosen, chosen->runs[0], true, true));
    put_member(out, "defaulted", defaulted_list(chosen));
    put_member(out, "series", series_list(chosen->runs[0]));
    fputs("\"runs\": [\n", out);
    for (int r = 0; r < chosen->count; ++r)
        put_object(out, run_object(chosen, chosen->runs[r], index[chosen->runs[r]->environment] - 1),
                   r + 1 == chosen->count);
    fputs("]\n}\n", out);
    free(index);
}

int machine_file_write_runs(const char *folder, const struct machine *machine, const char *experiment) {
    struct chosen chosen = choose(machine, experiment);
    char *path = text_format("%s/%s.json", folder, experiment), *text = NULL;
    char *paper = text_copy(path);
    size_t size = 0;
    int status = STATUS_OK;
    *strrchr(paper, '/') = 0;
    if (chosen.count && !(status = folder_make(paper))) {
        FILE *out = open_memstream(&text, &size);
        if (out) {
            put_runs(out, machine, experiment, &chosen);
            status = put_file(path, out, &text);
        } else {
            status = fail("%s: out of memory: %s", path, strerror(errno));
        }
    }
    free(paper);
    free(path);
    free(chosen.runs);
    return status;
}
