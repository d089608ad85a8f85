#include "report/machine.h"

#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "experiment/value.h"
#include "run/results.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VERSION = 1, FRAMES_KEPT = 5, SAMPLES_KEPT = 256, DIGITS = 9 };

/* ---- Reading ---- */

/* A file that is being read. Only the first mistake is reported. */
struct reading {
    const char *file;
    int status;
    struct machine *machine; /* the content of the file is added to this machine */
};

static void wrong(struct reading *reading, const char *format, ...) PRINTF_LIKE(2, 3);

static void wrong(struct reading *reading, const char *format, ...) {
    va_list arguments;
    if (reading->status)
        return;
    va_start(arguments, format);
    AUTO_FREE char *what = text_format_list(format, arguments);
    va_end(arguments);
    reading->status = fail("%s: %s; expected a file of `springback record`", reading->file, what);
}

/* The types of an object's members: the name for read_members, the JSON type, and the text for messages. */
static const struct type {
    const char *name;
    json_type json;
    const char *expected;
} types[] = {{"text", JSON_STRING, "a text"},
             {"number", JSON_REAL, "a number"},
             {"whole", JSON_INTEGER, "a whole number"},
             {"positive", JSON_INTEGER, "a whole number"},
             {"object", JSON_OBJECT, "an object"},
             {"list", JSON_ARRAY, "a list"},
             {"any", JSON_NULL, "a value"}};

static bool has_type(const json_t *value, json_type type) {
    return json_typeof(value) == type || type == JSON_NULL || (type == JSON_REAL && json_is_number(value));
}

/* Store a value at `into`. A text becomes a const char * owned by the machine, a number a double, a whole number an
 * int, and any other value a borrowed json_t *. If `value` is NULL, the stored value is "", NaN, 0 or NULL. A whole
 * number must be at least 1 if its type is "positive", and at least 0 if its type is "whole". */
static void store(struct reading *reading, const char *key, json_t *value, const struct type *type, void *into) {
    if (type->json == JSON_STRING) {
        *(const char **)into = machine_text(reading->machine, value ? json_string_value(value) : "");
    } else if (type->json == JSON_REAL) {
        *(double *)into = value ? json_number_value(value) : (double)NAN;
    } else if (type->json == JSON_INTEGER) {
        const json_int_t whole = json_integer_value(value), least = !strcmp(type->name, "positive");
        const bool fits = whole >= least && whole <= INT32_MAX;
        if (value && !fits)
            wrong(reading, "'%s' is not a whole number from %d to %d", key, (int)least, INT32_MAX);
        *(int *)into = fits ? (int)whole : 0;
    } else {
        *(json_t **)into = value;
    }
}

/* Read the members of an object. `members` is a list of words NAME=TYPE, with ! if the member is required: "id=text!
 * last=list". The next arguments are the addresses at which the values are stored, in the same order. An unknown key
 * is an error, because it may be misspelt. */
static void read_members(struct reading *reading, json_t *object, const char *members, ...) {
    AUTO_FREE char *words = text_copy(members);
    AUTO_FREE char *keys = text_copy("");
    char *rest = words;
    const char *key;
    json_t *value;
    va_list arguments;
    va_start(arguments, members);
    for (char *word; (word = strsep(&rest, " "));) {
        const char *end = strchr(word, '='), *name = end + 1;
        const struct type *type = types;
        word[end - word] = 0;
        while (strncmp(name, type->name, strlen(type->name)) != 0)
            ++type;
        value = json_object_get(object, word);
        if (!value && strchr(name, '!'))
            wrong(reading, "'%s' is missing; expected %s", word, type->expected);
        if (value && !has_type(value, type->json)) {
            wrong(reading, "'%s' is not %s", word, type->expected);
            value = NULL;
        }
        store(reading, word, value, type, va_arg(arguments, void *));
        text_append(&keys, "%s%s", *keys ? " " : "", word);
    }
    va_end(arguments);
    json_object_foreach(object, key, value) {
        if (!words_have(keys, key, strlen(key)))
            wrong(reading, "unknown key '%.60s'; the known keys are %s", key, keys);
    }
}

static json_t *load(const char *file) {
    json_error_t error;
    AUTO_FREE char *text = NULL;
    if (file_read(file, &text))
        return NULL;
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    const char *flaw = !root                   ? NULL
                       : !json_is_object(root) ? "this is not an object"
                       : !json_is_plain(root)  ? "a text in the file has control characters"
                                               : NULL;
    if (!root)
        fail_at((struct place){file, error.line, error.column}, "this is not JSON: %s", error.text);
    else if (flaw) {
        fail("%s: %s; expected a file of `springback record`", file, flaw);
        json_decref(root);
        root = NULL;
    }
    return root;
}

/* Read an object of texts into *out, except names that *out already has. An attribute whose name is in the list
 * `defaulted` is marked as having its default value. */
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

/* Read a list of positive numbers, and append them to *samples. *count is the length of *samples, before and after the
 * call. Returns how many numbers were read. */
static int read_samples(struct reading *reading, const json_t *list, double **samples, int *count) {
    const int before = *count;
    if (!json_is_array(list))
        wrong(reading, "a repeat is not a list of samples");
    *samples = memory_grow(*samples, (size_t)*count + json_array_size(list) + 1, sizeof **samples);
    for (size_t k = 0; k < json_array_size(list); ++k) {
        const json_t *value = json_array_get(list, k);
        if (json_is_number(value) && json_number_value(value) > 0)
            (*samples)[(*count)++] = json_number_value(value);
        else
            wrong(reading, "a sample is not a number above 0");
    }
    return *count - before;
}

static void read_frames(struct reading *reading, json_t *state, struct machine_run *run) {
    json_t *frames, *hashes;
    if (!state)
        return;
    read_members(reading, state, "frames=list! hashes=list!", &frames, &hashes);
    const size_t count = frames && hashes ? json_array_size(frames) : 0;
    if (hashes && frames && json_array_size(hashes) != count)
        wrong(reading, "run '%s' has %zu frames, but %zu hashes", run->id, count, json_array_size(hashes));
    run->frame = machine_array(reading->machine, count, sizeof *run->frame);
    run->hash = machine_array(reading->machine, count, sizeof *run->hash);
    for (size_t f = 0; f < count && !reading->status; ++f) {
        const json_t *frame = json_array_get(frames, f);
        const char *hash = json_string_value(json_array_get(hashes, f));
        const json_int_t index = json_integer_value(frame);
        if (!json_is_integer(frame) || index < 0 || index > INT32_MAX || (f && index <= run->frame[f - 1]))
            wrong(reading, "the frames of run '%s' are not increasing whole numbers", run->id);
        else if (!hash || strlen(hash) != DIGEST_SIZE - 1 || strspn(hash, "0123456789abcdef") != DIGEST_SIZE - 1)
            wrong(reading, "a hash of run '%s' is not 32 hexadecimal digits", run->id);
        else {
            run->frame[f] = (int)index;
            memcpy(run->hash[f], hash, DIGEST_SIZE);
            ++run->frames;
        }
    }
}

static void read_last(struct reading *reading, const json_t *last, const json_t *series, struct machine_run *run) {
    const size_t count = json_array_size(last);
    run->last = machine_array(reading->machine, count, sizeof *run->last);
    for (size_t s = 0; s < count && !reading->status; ++s) {
        const json_t *about = json_array_get(series, s), *value = json_array_get(last, s);
        const char *name = json_string_value(json_array_get(about, 0)),
                   *unit = json_string_value(json_array_get(about, 1));
        if (!json_is_number(value) && !json_is_null(value))
            wrong(reading, "an item of 'last' of run '%s' is neither a number nor null", run->id);
        else if (s >= json_array_size(series))
            wrong(reading, "the list 'last' of run '%s' is longer than the list 'series'", run->id);
        else if (!name || !unit || json_array_size(about) != 2)
            wrong(reading, "a series is not a pair of name and unit");
        else
            run->last[run->last_count++] =
                (struct machine_value){machine_text(reading->machine, name), machine_text(reading->machine, unit),
                                       json_is_number(value) ? json_number_value(value) : (double)NAN};
    }
}

static void read_timing(struct reading *reading, json_t *timing, struct machine_run *run) {
    json_t *repeats;
    struct measure m = {0};
    if (!timing)
        return;
    read_members(reading, timing, "median=number! low=number! high=number! count=positive! repeats=list", &m.value,
                 &m.low, &m.high, &m.samples, &repeats);
    if (!(m.low > 0 && m.low <= m.value && m.value <= m.high && isfinite(m.high)))
        wrong(reading, "a timing does not have 0 < 'low' <= 'median' <= 'high'");
    run->seconds = m;
    run->repeat_samples = machine_array(reading->machine, json_array_size(repeats), sizeof *run->repeat_samples);
    for (size_t r = 0; r < json_array_size(repeats); ++r)
        run->repeat_samples[run->repeats++] =
            read_samples(reading, json_array_get(repeats, r), &run->samples, &run->sample_count);
    pool_add(&reading->machine->kept, run->samples);
    if (run->sample_count > run->seconds.samples)
        wrong(reading, "run '%s' has more samples than its 'count' says", run->id);
    else if (run->sample_count == run->seconds.samples)
        run->seconds = median_of(run->samples, run->sample_count);
}

/* The JSON members of an experiment's file. Reading a run of the experiment needs them. */
struct shared {
    const char *experiment;
    json_t *environments, *facts, *parameters, *defaulted, *series, *runs;
    int *environment; /* for each environment in the file, its index in machine->environments */
};

static void read_run(struct reading *reading, const struct shared *shared, json_t *object) {
    struct machine_run *run = machine_add_run(reading->machine);
    json_t *facts, *parameters, *state, *last, *timing;
    const int count = (int)json_array_size(shared->environments);
    int environment;
    run->experiment = shared->experiment;
    read_members(reading, object,
                 "id=text! environment=whole! facts=object! parameters=object state=object last=list timing=object",
                 &run->id, &environment, &facts, &parameters, &state, &last, &timing);
    if (environment < count)
        run->environment = shared->environment[environment];
    else
        wrong(reading, "run '%s' has environment %d, but there are only %d, numbered from 0", run->id, environment,
              count);
    read_facts(reading, parameters, shared->defaulted, &run->parameter);
    read_facts(reading, shared->parameters, shared->defaulted, &run->parameter);
    read_facts(reading, facts, NULL, &run->facts);
    read_facts(reading, shared->facts, NULL, &run->facts);
    read_frames(reading, state, run);
    read_last(reading, last, shared->series, run);
    read_timing(reading, timing, run);
}

/* Check the version of a file. */
static void check_version(struct reading *reading, const char *key, double version) {
    if (version != VERSION)
        wrong(reading, "'%s' is not %d, the supported version", key, VERSION);
}

static int read_runs(const char *file, struct machine *machine) {
    json_auto_t *root = load(file);
    struct reading reading = {file, STATUS_OK, machine};
    struct shared shared;
    double version;
    if (!root)
        return STATUS_BAD;
    read_members(&reading, root,
                 "springback_runs=number! experiment=text! environments=list! facts=object parameters=object! "
                 "defaulted=list series=list runs=list!",
                 &version, &shared.experiment, &shared.environments, &shared.facts, &shared.parameters,
                 &shared.defaulted, &shared.series, &shared.runs);
    check_version(&reading, "springback_runs", version);
    for (size_t d = 0; d < json_array_size(shared.defaulted); ++d)
        if (!json_is_string(json_array_get(shared.defaulted, d)))
            wrong(&reading, "an item of 'defaulted' is not a text");
    shared.environment = memory_new(json_array_size(shared.environments), sizeof *shared.environment);
    for (size_t e = 0; e < json_array_size(shared.environments); ++e) {
        struct attributes facts = {NULL, 0};
        json_t *object = json_array_get(shared.environments, e);
        if (!json_is_object(object))
            wrong(&reading, "an environment is not an object");
        read_facts(&reading, object, NULL, &facts);
        shared.environment[e] = machine_environment(machine, &facts);
    }
    for (size_t r = 0; r < json_array_size(shared.runs) && !reading.status; ++r)
        if (json_is_object(json_array_get(shared.runs, r)))
            read_run(&reading, &shared, json_array_get(shared.runs, r));
        else
            wrong(&reading, "a run is not an object");
    free(shared.environment);
    return reading.status;
}

static const char *const limit_names[LIMIT_KINDS] = {"copy", "operations", "launch"};

static void read_limits(struct reading *reading, json_t *object) {
    struct machine_limits *limits = machine_add_limits(reading->machine);
    json_t *values[LIMIT_KINDS];
    read_members(reading, object, "device=text! threads=whole copy=any operations=any launch=any", &limits->device,
                 &limits->threads, &values[LIMIT_COPY], &values[LIMIT_OPERATIONS], &values[LIMIT_LAUNCH]);
    for (int k = 0; k < LIMIT_KINDS; ++k) {
        const json_t *value = values[k];
        if (json_is_array(value))
            read_samples(reading, value, &limits->samples[k], &limits->sample_count[k]);
        else if (json_is_number(value) && json_number_value(value) > 0)
            limits->best[k] = json_number_value(value);
        else if (value)
            wrong(reading, "the hardware limit '%s' is neither a list of samples nor a number above 0", limit_names[k]);
    }
    for (int k = 0; k < LIMIT_KINDS; ++k)
        pool_add(&reading->machine->kept, limits->samples[k]);
    limits_settle(limits);
}

static void read_reported(struct reading *reading, json_t *object) {
    struct machine_reported *reported = ARRAY_ADD(reading->machine->reported, reading->machine->reported_count);
    json_t *select, *rate;
    *reported = (struct machine_reported){.claim = NULL};
    read_members(reading, object,
                 "claim=text! paper=text! where=text! experiment=text! select=object! frames_per_second=list!",
                 &reported->claim, &reported->paper, &reported->where, &reported->experiment, &select, &rate);
    read_facts(reading, select, NULL, &reported->select);
    const json_t *high = json_array_get(rate, 1);
    reported->low = json_number_value(json_array_get(rate, 0));
    reported->high = json_is_null(high) ? (double)INFINITY : json_number_value(high);
    if (json_array_size(rate) != 2 || !(reported->low > 0 && reported->high >= reported->low))
        wrong(reading, "'frames_per_second' is not [low, high] with 0 < low <= high; high may be null, for 'at least'");
}

/* Read the runs of a record, in the order of the experiments' names. */
static int read_folder(struct machine *machine) {
    AUTO(entries_free) char **papers = entries_list(machine->path);
    int status = STATUS_OK;
    for (char **paper = papers; *paper && !status; ++paper) {
        AUTO_FREE char *folder = text_format("%s/%s", machine->path, *paper);
        AUTO(entries_free) char **entries = entries_list(folder);
        for (char **entry = entries; *entry && !status; ++entry)
            if (text_ends(*entry, ".json")) {
                AUTO_FREE char *path = text_format("%s/%s", folder, *entry);
                status = read_runs(path, machine);
            }
    }
    return status;
}

int machine_file_read(const char *file, struct machine *machine) {
    json_auto_t *root = load(file);
    json_t *limits, *reported;
    struct reading reading = {file, STATUS_OK, machine};
    const char *name, *source;
    double version;
    if (!root)
        return STATUS_BAD;
    read_members(&reading, root, "springback_machine=number! name=text! source=text! floors=list! reported=list",
                 &version, &name, &source, &limits, &reported);
    check_version(&reading, "springback_machine", version);
    if (!machine->name) {
        machine->name = name;
        machine->source = source;
    }
    for (size_t f = 0; f < json_array_size(limits) && !reading.status; ++f)
        read_limits(&reading, json_array_get(limits, f));
    for (size_t r = 0; r < json_array_size(reported) && !reading.status; ++r)
        read_reported(&reading, json_array_get(reported, r));
    return !reading.status && machine->is_record ? read_folder(machine) : reading.status;
}

/* ---- Writing ---- */

/* Write an object with one member per line, and lists of objects with one object per line, so that a diff of two
 * records shows what differs. */
static void put_object(FILE *out, json_t *root) {
    const char *key, *end = "{\n";
    json_t *value, *item;
    size_t i;
    const size_t flags = JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(DIGITS);
    json_object_foreach(root, key, value) {
        fprintf(out, "%s\"%s\": ", end, key);
        end = ",\n";
        if (!words_have("environments floors runs", key, strlen(key))) {
            json_dumpf(value, out, flags);
            continue;
        }
        fputs("[\n", out);
        json_array_foreach(value, i, item) {
            json_dumpf(item, out, flags);
            fputs(i + 1 < json_array_size(value) ? ",\n" : "\n", out);
        }
        fputs("]", out);
    }
    fputs("\n}\n", out);
}

/* Write a file with an object, unless the file has this content already. Releases the object. */
static int write_object(const char *path, json_t *object) {
    json_auto_t *root = object;
    AUTO_FREE char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        memory_exhausted(0);
    put_object(out, root);
    const bool is_whole = !ferror(out);
    return fclose(out) || !is_whole ? fail("%s: out of memory", path) : file_write_if_changed(path, text);
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

static json_t *limits_object(const struct machine_limits *limits) {
    json_t *object = json_pack("{so si}", "device", json_text(limits->device), "threads", limits->threads);
    for (int k = 0; k < LIMIT_KINDS; ++k)
        if (limits->samples[k])
            json_object_set_new(object, limit_names[k], numbers(limits->samples[k], limits->sample_count[k]));
        else if (isfinite(limits->best[k]))
            json_object_set_new(object, limit_names[k], json_real(limits->best[k]));
    return object;
}

int machine_file_write(const char *file, const struct machine *machine) {
    json_t *limits = json_array();
    for (int f = 0; f < machine->limits_count; ++f)
        json_array_append_new(limits, limits_object(&machine->limits[f]));
    return write_object(file,
                        json_pack("{si so so so}", "springback_machine", VERSION, "name", json_text(machine->name),
                                  "source", json_text(machine->source), "floors", limits));
}

/* Whether a run belongs to an experiment. */
static bool is_recorded(const struct machine_run *run, const char *experiment) {
    return !strcmp(run->experiment, experiment);
}

/* Remove the facts that are equal in all runs from the object `name` of each run. Returns a new object with these
 * facts. */
static json_t *take_common(json_t *runs, const char *name) {
    json_t *common = json_copy(json_object_get(json_array_get(runs, 0), name)), *run, *value;
    size_t r;
    const char *key;
    void *next;
    json_array_foreach(runs, r, run) {
        const json_t *facts = json_object_get(run, name);
        json_object_foreach_safe(common, next, key, value) {
            if (!json_equal(value, json_object_get(facts, key)))
                json_object_del(common, key);
        }
    }
    json_array_foreach(runs, r, run) {
        json_object_foreach(common, key, value) json_object_del(json_object_get(run, name), key);
    }
    return common;
}

/* The names of the parameters that have their default value in all runs of the experiment that have the parameter. */
static json_t *defaulted_list(const struct machine *machine, const char *experiment) {
    json_t *list = json_array();
    json_auto_t *stated = json_object(), *seen = json_object();
    for (int r = 0; r < machine->run_count; ++r)
        for (int p = 0; p < machine->runs[r].parameter.count && is_recorded(&machine->runs[r], experiment); ++p) {
            const struct attribute *fact = &machine->runs[r].parameter.items[p];
            json_object_set_new(fact->is_default ? seen : stated, fact->name, json_true());
        }
    const char *name;
    json_t *value;
    json_object_foreach(seen, name, value) {
        if (!json_object_get(stated, name))
            json_array_append_new(list, json_string(name));
    }
    return list;
}

/* The indices and state hashes of up to FRAMES_KEPT frames, including the first and the last. */
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

/* The median frame time, its interval, and the samples by repeats. If there are more than SAMPLES_KEPT samples, evenly
 * spaced ones of each repeat are stored, including its first and its last. */
static json_t *timing_object(const struct machine_run *run) {
    json_t *repeats = json_array();
    const double *at = run->samples;
    for (int r = 0; r < run->repeats; ++r) {
        const int count = run->repeat_samples[r],
                  most = SAMPLES_KEPT / run->repeats > 2 ? SAMPLES_KEPT / run->repeats : 2;
        const bool all = run->sample_count <= SAMPLES_KEPT || count <= most;
        json_t *list = numbers(at, all ? count : 0);
        for (int k = 0; k < most && !all; ++k)
            json_array_append_new(list, json_real(at[(long)k * (count - 1) / (most - 1)]));
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

/* The last values of a run's series, in the order of the series of the run `first`; null for a series that `run` does
 * not have. */
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

static json_t *run_object(const struct machine_run *first, const struct machine_run *run, int environment) {
    json_t *object = json_pack("{so si so so so so}", "id", json_text(run->id), "environment", environment, "facts",
                               attributes_object(&run->facts), "parameters", attributes_object(&run->parameter),
                               "state", state_object(run), "last", last_list(first, run));
    if (run->seconds.samples)
        json_object_set_new(object, "timing", timing_object(run));
    return object;
}

int machine_file_write_runs(const char *folder, const struct machine *machine, const char *experiment) {
    AUTO_FREE int *index = memory_new((size_t)machine->environment_count + 1, sizeof *index);
    AUTO_FREE char *path = text_format("%s/%s.json", folder, experiment);
    AUTO_FREE char *paper = text_copy(path);
    const struct machine_run *first = NULL;
    int count = 0;
    json_auto_t *environments = json_array(), *runs = json_array();
    for (int r = 0; r < machine->run_count; ++r) {
        const struct machine_run *run = &machine->runs[r];
        if (!is_recorded(run, experiment))
            continue;
        first = first ? first : run;
        if (!index[run->environment]) {
            index[run->environment] = ++count; /* numbered from 1; 0: the environment is not in the file yet */
            json_array_append_new(environments, attributes_object(&machine->environments[run->environment]));
        }
        json_array_append_new(runs, run_object(first, run, index[run->environment] - 1));
    }
    *strrchr(paper, '/') = 0;
    if (!first)
        return STATUS_OK;
    if (folder_make(paper))
        return STATUS_BAD;
    json_t *facts = take_common(runs, "facts"), *parameters = take_common(runs, "parameters");
    return write_object(path,
                        json_pack("{si ss sO so so so so sO}", "springback_runs", VERSION, "experiment", experiment,
                                  "environments", environments, "facts", facts, "parameters", parameters, "defaulted",
                                  defaulted_list(machine, experiment), "series", series_list(first), "runs", runs));
}
