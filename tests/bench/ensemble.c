/* Measures the duration of a frame of the Bunny, as a single run and as an ensemble of N members. The duration is that
 * of the engines, without recording. The members differ in their masses. Before each timing, a single run brings the
 * device to its usual clock rate. Each duration is the median of nine frames. The first member must be bit-identical to
 * its single run.
 *
 *   bench_ensemble [BACKEND [N...]]      default: opencl, 64 */
#include "backend/opencl/ensemble.h"
#include "base/memory.h"
#include "experiment/run.h"
#include "method/method.h"
#include "run/simulation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SAMPLES = 9 };
static const double WARM_UP = 0.3; /* s */

static const char text[] =
    "springback: 1\npaper: bench\ntitle: ensemble\nbody: {mesh: bunny_closed_3008, node_mass: 1 kg}\n"
    "method: {name: %s, stiffness: 5000 N/m, damping: 200 N s/m}\n"
    "scene: {ground: {height: 0 m}}\ntime: {step: 0.0001 s, frames: 10, steps_per_frame: 20}\n";

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *times) {
    qsort(times, SAMPLES, sizeof *times, compare);
    return times[SAMPLES / 2];
}

static int read_plan(const char *method, struct plan *plan) {
    char path[] = "/tmp/springback-bench-XXXXXX.yaml";
    const int file = mkstemps(path, 5);
    if (file < 0)
        return fail("%s: cannot be created", path);
    FILE *out = fdopen(file, "w");
    fprintf(out, text, method);
    fclose(out);
    const int status =
        plan_read(path, &(struct plan_options){.methods = method_table, .backend_words = backend_words}, plan);
    remove(path);
    return status;
}

static int take_hash(struct simulation *simulation, char out[DIGEST_SIZE]) {
    const struct state *state;
    const int status = simulation_observe(simulation, false, &state);
    if (!status)
        memcpy(out, state->hash, DIGEST_SIZE);
    return status;
}

/* Run frames for WARM_UP seconds. */
static int warm_up(const struct model *model, const struct backend_choice *choice) {
    struct simulation *simulation;
    int status = simulation_open(model, choice, &simulation);
    if (status)
        return status;
    for (const double begin = now(); now() < begin + WARM_UP && !status;)
        status = simulation_advance(simulation);
    simulation_close(simulation);
    return status;
}

/* Time a single run. Set *seconds to the duration of a frame, and `hash` to the state hash after SAMPLES + 1 frames. */
static int time_alone(const struct model *model, const struct backend_choice *choice, double *seconds,
                      char hash[DIGEST_SIZE]) {
    struct simulation *alone;
    double times[SAMPLES];
    int status = warm_up(model, choice);
    if (!status)
        status = simulation_open(model, choice, &alone);
    for (int k = -1; k < SAMPLES && !status; ++k) { /* the first frame does not count */
        const double begin = now();
        status = simulation_advance(alone);
        if (k >= 0)
            times[k] = now() - begin;
    }
    if (!status) {
        *seconds = median(times);
        status = take_hash(alone, hash);
        simulation_close(alone);
    }
    return status;
}

/* Time an ensemble. Set *seconds to the duration of a frame of all members together, and `hash` to the state hash of
 * the first member after SAMPLES + 1 frames. */
static int time_together(const struct model *models, int count, const struct backend_choice *choice, double *seconds,
                         char hash[DIGEST_SIZE]) {
    const struct program **programs = memory_new((size_t)count, sizeof *programs);
    struct simulation **members = memory_new((size_t)count, sizeof *members);
    bool *live = memory_new((size_t)count, sizeof *live);
    struct ensemble *ensemble = NULL;
    double times[SAMPLES];
    for (int m = 0; m < count; ++m)
        programs[m] = &models[m].program;
    int status = ensemble_open(choice, programs, count, &ensemble);
    for (int m = 0; m < count && !status; ++m) {
        status = simulation_open_engine(&models[m], ensemble_engine(ensemble, m), &members[m]);
        live[m] = true;
    }
    if (!status)
        status = warm_up(&models[0], choice);
    for (int k = -1; k < SAMPLES && !status; ++k) {
        const double begin = now();
        status = ensemble_start(ensemble, live);
        if (!status)
            status = ensemble_wait(ensemble);
        if (k >= 0)
            times[k] = now() - begin;
    }
    if (!status) {
        *seconds = median(times);
        status = ensemble_fetch(ensemble);
    }
    if (!status)
        status = take_hash(members[0], hash);
    for (int m = 0; m < count; ++m)
        simulation_close(members[m]);
    ensemble_close(ensemble);
    free(programs);
    free(members);
    free(live);
    return status;
}

static int bench(const char *method, const struct backend_choice *choice, int count) {
    struct plan *plans = memory_new((size_t)count, sizeof *plans);
    struct model *models = memory_new((size_t)count, sizeof *models);
    double alone = 0, together = 0;
    char alone_hash[DIGEST_SIZE], member_hash[DIGEST_SIZE];
    int status = STATUS_OK;
    for (int m = 0; m < count && !status; ++m) {
        char *mass = text_format("%.6g kg", 0.5 + 1.5 * m / count);
        status = read_plan(method, &plans[m]);
        if (!status)
            status = run_set(&plans[m].runs[0], "body.node_mass", mass);
        if (!status)
            status = model_describe(&plans[m].runs[0], &models[m]);
        if (!status)
            status = model_build(&models[m]);
        free(mass);
    }
    if (!status)
        status = time_alone(&models[0], choice, &alone, alone_hash);
    if (!status)
        status = time_together(models, count, choice, &together, member_hash);
    if (!status && strcmp(alone_hash, member_hash) != 0)
        status = fail("%s: the first of %d members has the state hash %s; its single run has %s", method, count,
                      member_hash, alone_hash);
    if (!status)
        printf("%-18s %6d members: %10.1f us a frame; a single run: %8.1f us; ratio: %7.2f; %.1f us a member\n", method,
               count, 1e6 * together, 1e6 * alone, together / alone, 1e6 * together / count);
    fflush(stdout);
    for (int m = 0; m < count; ++m) {
        model_free(&models[m]);
        plan_free(&plans[m]);
    }
    free(models);
    free(plans);
    return status;
}

int main(int count, char **words) {
    static const char *const methods_timed[] = {"mass_spring", "volume_constraint"};
    struct backend_choice choice;
    int status = backend_choose(count > 1 ? words[1] : "opencl", &choice);
    if (!status && strcmp(choice.backend->name, "opencl") != 0)
        status = fail("bench_ensemble: ensembles need an OpenCL device; use opencl, opencl:gpu or opencl:N");
    for (int m = 0; m < 2 && !status; ++m)
        for (int k = 2; (k < count || (k == 2 && count <= 2)) && !status; ++k) {
            const long members = k < count ? strtol(words[k], NULL, 10) : 64;
            status = members < 1 || members > 4096
                         ? fail("bench_ensemble: '%s' is not a whole number from 1 to 4096", words[k])
                         : bench(methods_timed[m], &choice, (int)members);
        }
    if (status)
        fprintf(stderr, "%s\n", failure_text());
    return status;
}
