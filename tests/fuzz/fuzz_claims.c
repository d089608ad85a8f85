/* The input is a claim file. The test reads the file, judges its claims with a few traces in memory, and prints the
 * report in all formats. */
#include "claim/claim_file.h"
#include "fuzz.h"
#include "signs.h"

#include <math.h>
#include <muParserDLL.h>

enum { RUNS = 6, FRAMES = 4, SAMPLES = 3 };

/* Runs of one experiment: two backends with two sizes each, a run with another value of an assumption, and a run that
 * diverged. */
static const struct {
    const char *id, *kind, *type, *nodes, *stiffness, *status;
} sketches[RUNS] = {
    {"a", "serial", "cpu", "10 10", "100 N/m", "whole"}, {"b", "serial", "cpu", "20 20", "100 N/m", "whole"},
    {"c", "opencl", "gpu", "10 10", "100 N/m", "whole"}, {"d", "opencl", "gpu", "20 20", "100 N/m", "whole"},
    {"e", "serial", "cpu", "10 10", "200 N/m", "whole"}, {"f", "threads", "cpu", "10 10", "100 N/m", "diverged"},
};
static struct trace_series series[] = {{"kinetic_energy", "J", ""}, {"largest_strain", "1", ""}};
static struct trace_note notes[RUNS][8];
static struct trace_parameter parameters[RUNS][5];
static double values[RUNS][2][FRAMES], *rows[RUNS][2], seconds[RUNS][SAMPLES], times[FRAMES];
static int64_t frames[FRAMES];
static char hashes[FRAMES][DIGEST_SIZE];
static struct trace_data traces[RUNS];
static struct trace_run runs[RUNS + 1];
static char experiment[] = "paper/speed";
static struct trace_experiment experiments[] = {{.name = experiment}};
static struct trace_set set = {
    .traces = traces, .runs = runs, .run_count = RUNS + 1, .experiments = experiments, .experiment_count = 1};

int LLVMFuzzerInitialize(int *count, char ***words) {
    (void)count, (void)words;
    for (int f = 0; f < FRAMES; f++) {
        times[f] = 0.5 * f;
        frames[f] = 2 * f;
        memset(hashes[f], 'a' + f, DIGEST_SIZE - 1);
    }
    for (int r = 0; r < RUNS; r++) {
        const struct trace_note run[] = {{"id", sketches[r].id},
                                         {"backend_kind", sketches[r].kind},
                                         {"device_type", sketches[r].type},
                                         {"status", sketches[r].status},
                                         {"state_hash", hashes[r % 2]},
                                         {"nodes", r % 2 ? "400" : "100"},
                                         {"bit_exact", "yes"},
                                         {"tier", "quick"}};
        const struct trace_parameter stated[] = {
            {"body.cloth.nodes", sketches[r].nodes, "1", "stated", "", "", ""},
            {"method.name", "mass_spring", "1", "stated", "", "", ""},
            {"method.stiffness", sketches[r].stiffness, "N/m", "assumed", "a guess", "1 N/m", "1000 N/m"},
            {"time.step", "0.001 s", "s", "stated", "", "", ""},
            {"backend", sketches[r].kind, "1", "stated", "", "", ""}};
        memcpy(notes[r], run, sizeof run);
        memcpy(parameters[r], stated, sizeof stated);
        for (int f = 0; f < FRAMES; f++) {
            values[r][0][f] = r == 5 && f == 3 ? (double)NAN : (r + 1.0) * f;
            values[r][1][f] = f / (r + 1.0);
        }
        for (int s = 0; s < SAMPLES; s++)
            seconds[r][s] = 0.001 * (r + 1) + 0.0001 * s;
        rows[r][0] = values[r][0];
        rows[r][1] = values[r][1];
        traces[r] = (struct trace_data){.path = "memory",
                                        .run = notes[r],
                                        .run_count = 8,
                                        .parameters = parameters[r],
                                        .parameter_count = 5,
                                        .series = series,
                                        .series_count = 2,
                                        .values = rows[r],
                                        .frames = FRAMES,
                                        .frame_index = frames,
                                        .frame_time = times,
                                        .frame_hash = hashes,
                                        .repeats = 1,
                                        .timed_frames = SAMPLES,
                                        .frame_seconds = seconds[r],
                                        .whole = true};
        runs[r] = (struct trace_run){.experiment = experiment,
                                     .id = (char *)sketches[r].id,
                                     .reason = "",
                                     .status = r == 5 ? RUN_DIVERGED : RUN_WHOLE,
                                     .trace = &traces[r]};
    }
    runs[RUNS] = (struct trace_run){.experiment = experiment, .id = "g", .reason = "it broke", .status = RUN_FAILED};
    return 0;
}

static void report_check(struct claim_report *report) {
    for (int r = 0; r < report->count; r++) {
        const struct claim_result *result = &report->results[r];
        MUST((unsigned)result->verdict < VERDICT_COUNT && (unsigned)result->recorded < VERDICT_COUNT);
        MUST(result->id && result->reported && result->measured && result->interval && result->why && result->tier);
    }
    claim_report_status(report, false);
    claim_report_status(report, true);
    claim_report_print(report, fuzz_nowhere(), 80);
    claim_report_json(report, fuzz_nowhere());
}

/* muParser needs an error handler; formula_check reads the error by mupError. */
static void no_handler(muParserHandle_t parser) {
    (void)parser;
}

/* Compute the claim's formula again. It must have one result, which is the value that the claim file's reader computed.
 */
static void formula_check(const struct claim *claim) {
    muParserHandle_t parser = mupCreate(0);
    mupSetErrorHandler(parser, no_handler);
    for (int i = 0; i < claim->with.count; i++)
        mupDefineConst(parser, claim->with.items[i].name, claim->with.items[i].number);
    mupSetExpr(parser, claim->compute);
    int count = 0;
    const double *found = mupEvalMulti(parser, &count);
    MUST(!mupError(parser) && count == 1 && *found == claim->computed);
    mupRelease(parser);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    const char *path = fuzz_file(bytes, size);
    struct claim_file file;
    failure_clear();
    const int status = claim_file_read(path, &file);
    MUST((status == STATUS_OK) == (failure_count() == 0));
    MUST(status == STATUS_OK || file.count == 0);
    for (int c = 0; c < file.count; c++)
        if (file.claims[c].compute)
            formula_check(&file.claims[c]);
    claim_file_free(&file);
    failure_clear();
    if (status != STATUS_OK)
        return 0;
    struct claim_report report;
    const int judged = claims_judge(path, &set, NULL, &report);
    MUST((judged == STATUS_OK) == (failure_count() == 0));
    if (judged == STATUS_OK)
        report_check(&report);
    claim_report_free(&report);
    failure_clear();
    MUST(claims_write_gnuplot(path, fuzz_nowhere()) == STATUS_OK);
    return 0;
}

/* ---- Mutations ---- */

/* Whether a value starts here: after ": ", or after ": " and a quote. */
static bool is_value(const uint8_t *at) {
    return (at[-2] == ':' && at[-1] == ' ' && *at != '"') || (at[-3] == ':' && at[-2] == ' ' && at[-1] == '"');
}

/* A random value in the text, and its length; NULL if there is none. If the text has a formula, the value is the
 * formula in half of the cases. */
static uint8_t *value_find(uint8_t *bytes, size_t size, uint64_t *state, size_t *length) {
    static const char formula[] = "compute: ";
    unsigned count = 0;
    for (size_t i = 3; i < size; i++)
        count += is_value(bytes + i);
    uint8_t *found = fuzz_below(state, 2) ? memmem(bytes, size, formula, sizeof formula - 1) : NULL;
    unsigned left = found ? 1 : count ? 1 + fuzz_below(state, count) : 0;
    for (found = found ? found + sizeof formula - 2 : bytes + 2; left > 0 && found + 1 < bytes + size;)
        left -= is_value(++found);
    for (*length = 0; found + *length < bytes + size && !strchr("\n},\"", found[*length]);)
        ++*length;
    return count ? found : NULL;
}

/* Change a value: insert one of the texts of signs.h, or use libFuzzer's mutation. The file around the value stays
 * valid. In one of eight cases, libFuzzer changes any bytes. */
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t most, unsigned seed) {
    enum { LONGEST = 256, MORE = 64 };
    uint8_t changed[LONGEST + MORE];
    size_t length;
    uint64_t state = seed;
    uint8_t *value = value_find(bytes, size, &state, &length);
    if (!value || length > LONGEST || size + MORE > most || fuzz_below(&state, 8) == 0)
        return LLVMFuzzerMutate(bytes, size, most);
    size_t now = length;
    memcpy(changed, value, length);
    if (fuzz_below(&state, 2)) {
        now = LLVMFuzzerMutate(changed, length, length + MORE);
    } else {
        const char *sign = signs[fuzz_below(&state, SIGNS)];
        const size_t at = fuzz_below(&state, (unsigned)length + 1), added = strlen(sign);
        memmove(changed + at + added, changed + at, length - at);
        memcpy(changed + at, sign, added);
        now += added;
    }
    memmove(value + now, value + length, (size_t)(bytes + size - value) - length);
    memcpy(value, changed, now);
    return size + now - length;
}
