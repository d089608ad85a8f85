/* A machine's results for comparisons. They are read from a folder of results, or from a record of such a folder.
 *
 * A record is a folder, data/machines/<name>/. machine.json describes the machine:
 *
 *   springback_machine  1, the version of this layout
 *   name, source        the hardware, and how its data was obtained, for example "measured"
 *   floors              a list of hardware limits: `device` ("" for the processor), `threads` (0 for a device),
 *                       and the lists of samples `copy` (memory bandwidth, bytes/s), `operations` (arithmetic rate,
 *                       1/s) and `launch` (launch time, s). If only the vendor's specification is known, `copy` and
 *                       `operations` are one number each
 *   reported            a list of speeds that papers state: claim, paper, where (the place in the paper), experiment,
 *                       select (notes or parameters that identify the run), frames_per_second as [low, high];
 *                       high is null for "at least"
 *
 * <paper>/<experiment>.json is one object with the runs of an experiment:
 *
 *   environments        the hardware and software of the runs
 *   facts, parameters   notes on the runs (such as backend and device) and parameters, if equal in all runs
 *   defaulted           the names of the parameters that have their defaults in all runs
 *   series              the names and units of the series
 *   runs                each run with its other facts and parameters, the state hashes of a few recorded frames, the
 *                       last values of its series, and its frame times in seconds by repeats
 *
 * If a run has many frame times, only evenly spaced ones are stored. The median and its interval are still those of all
 * frame times. */
#ifndef SPRINGBACK_REPORT_MACHINE_H
#define SPRINGBACK_REPORT_MACHINE_H

#include "base/attributes.h"
#include "base/digest.h"
#include "base/memory.h"
#include "base/status.h"
#include "claim/claim.h"
#include "claim/statistics.h"

#include <stdbool.h>

struct machine_value {
    const char *name, *unit;
    double value; /* in the last recorded frame; NaN if the run does not have the series */
};

struct machine_run {
    const char *experiment, *id;
    struct attributes facts;     /* notes on the run: backend, backend_kind, method, nodes, clock_before_mhz, ... */
    struct attributes parameter; /* all parameters of the run except `backend` */
    int environment;             /* index into the machine's environments */
    int frames;                  /* number of frames with a known state hash */
    int *frame;                  /* [frames] the indices of these frames, increasing */
    char (*hash)[DIGEST_SIZE];   /* [frames] their state hashes */
    struct machine_value *last;  /* [last_count] the last value of each series */
    int last_count;
    struct measure seconds; /* median frame time in s, with its interval; samples = 0: not timed */
    double *samples;        /* frame times in s, repeat after repeat; in a record possibly fewer than seconds.samples */
    int sample_count;
    int *repeat_samples; /* number of samples of each repeat */
    int repeats;
    const struct trace_data *trace; /* NULL if the run is from a record */
};

enum limit_kind { LIMIT_COPY, LIMIT_OPERATIONS, LIMIT_LAUNCH, LIMIT_KINDS }; /* in bytes/s, operations/s and s */

/* The hardware limits of a processor or device. A measured limit is the best of its samples, because other work on the
 * machine can only make a sample worse. A limit from the vendor's specification has no samples. */
struct machine_limits {
    const char *device; /* "": the processor */
    int threads;        /* number of threads with which the limits of the processor were measured; 0 for a device */
    double best[LIMIT_KINDS];      /* NaN if unknown */
    double *samples[LIMIT_KINDS];  /* [sample_count]; NULL if a limit was not measured */
    int sample_count[LIMIT_KINDS]; /* 0 if a limit was not measured */
};

/* A speed that a paper states for its own machine. */
struct machine_reported {
    const char *claim, *paper, *where, *experiment; /* claim: the claim's id; where: the place in the paper */
    struct attributes select;                       /* notes or parameters that identify the run of the experiment */
    double low, high;                               /* frames per second; high is infinite for "at least" */
};

struct machine {
    const char *path, *name, *source;
    bool is_record;
    struct attributes *environments;
    int environment_count;
    struct machine_run *runs;
    int run_count;
    struct machine_limits *limits;
    int limits_count;
    struct machine_reported *reported;
    int reported_count;
    struct trace_set traces; /* the traces, if machine_read has read a folder of results */
    struct pool kept;        /* owns the machine's texts, and the arrays of its runs and limits */
};

/* Read a folder. If the folder has a file machine.json, the folder is a record. Otherwise the folder must have results
 * of `springback run --out`, and may have a file floors.json with hardware limits. Errors: no such folder; neither a
 * record nor results; a damaged file. Call machine_free in any case. */
int machine_read(const char *path, struct machine *out);

/* Like machine_read, for results whose traces are already read. The traces are borrowed and must outlive the machine.
 * Call machine_free in any case. */
int machine_of_traces(const struct trace_set *traces, struct machine *out);
void machine_free(struct machine *machine);

/* The records in a folder of records, for example data/machines, sorted by name. */
struct machines {
    struct machine *items;
    int count;
};

/* Read all records in a folder; *out is empty if there is no such folder. Errors: those of machine_read. Call
 * machines_free in any case. */
int machines_read(const char *folder, struct machines *out);
void machines_free(struct machines *machines);

/* Write the record FOLDER/NAME of a machine that was read from a folder of results. The record has the machine's runs,
 * without the host's name, the commands and the dates. If an earlier record has this name, its experiments that are not
 * in the results stay; its hardware limits stay if the results have none. Errors: those of the file system; `name` is
 * not valid as a folder's name; the machine is already a record; NAME is the record of a paper's machine. */
int machine_record(const struct machine *machine, const char *folder, const char *name);

/* The hardware limits of the processor or device of a run, borrowed from the machine; NULL if unknown. */
const struct machine_limits *machine_limits_of(const struct machine *machine, const struct machine_run *run);

/* Measure the hardware limits of this machine: of the processor with one thread and with all threads, and of each
 * OpenCL device. Writes them to the file `path`. If the path is OUT/floors.json, machine_read of OUT reads the file. */
int machine_measure(const char *path);

/* ---- Rooflines ----
 *
 * The shortest time that the hardware limits allow for the memory traffic and the arithmetic of a run. The model is
 * that of Williams, Waterman and Patterson, "Roofline", CACM 52, 2009. */

/* The work of one frame. The memory traffic is the least for a body that fits into no cache: positions and velocities,
 * of four reals each, are read and written once per step. The operations are those of the formulas in kernels/; a
 * multiplication, an addition or a division is one operation. `operations` is NaN if no operations are counted for the
 * method or its variant, and for runs in double precision. */
struct work {
    double bytes, operations;
};

/* Compute the work of a frame. Returns false if the run does not state its numbers of nodes and steps per frame. */
bool work_of(const struct machine_run *run, struct work *out);

/* The shortest time in seconds that the hardware limits allow for a work; NaN if the limits are unknown. *by_memory
 * becomes true if memory bandwidth determines this time, and false if the rate of arithmetic does. `by_memory` may be
 * NULL. */
double work_limit(const struct work *work, const struct machine_limits *limits, bool *by_memory);

/* ---- For machine.c and machine_file.c: assemble a machine, and read and write the JSON files of a record ---- */

/* Add an empty run, or limits that are all unknown. The result is borrowed, and valid until another run, or other
 * limits, are added. */
struct machine_run *machine_add_run(struct machine *machine);
struct machine_limits *machine_add_limits(struct machine *machine);

void limits_settle(struct machine_limits *limits);                       /* set `best` to the best of the samples */
const char *machine_text(struct machine *machine, const char *text);     /* a copy, owned by the machine */
void *machine_array(struct machine *machine, size_t count, size_t size); /* zeroed, owned by the machine */
int machine_environment(struct machine *machine,
                        struct attributes *facts); /* takes over the facts; returns their index in `environments` */

/* Read a file machine.json, or a file floors.json, which has the same layout. If machine->is_record, read also the runs
 * of the record. The limits are added to those that the machine already has. A name that the machine already has is
 * kept. Errors are reported with the file, and with the line if the text is not JSON. */
int machine_file_read(const char *file, struct machine *machine);

/* machine_file_write writes a machine.json or a file of hardware limits. machine_file_write_runs writes
 * FOLDER/<paper>/<experiment>.json with the runs of an experiment. */
int machine_file_write(const char *file, const struct machine *machine);
int machine_file_write_runs(const char *folder, const struct machine *machine, const char *experiment);

#endif
