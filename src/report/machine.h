/* A machine's results as they are compared: read from a folder of traces, or from a record that was made of one.
 *
 * A record is a folder, data/machines/<name>/. machine.json says what the machine is:
 *
 *   springback_machine  1, the version of this layout
 *   name, source        what the hardware is; where this is known from
 *   floors              a list: device ("" for the processor), threads (of the processor, else 0), and the samples of
 *                       copy (bytes/s), operations (1/s) and launch (s); or, of a machine that is known from its
 *                       vendor's specification alone, copy and operations as numbers
 *   reported            a list of what papers state of it: claim, paper, where, experiment, select (notes or parameters
 *                       of the run that is meant), frames_per_second as [low, high]; high null for "at least"
 *
 * and <paper>/<experiment>.json is one object of an experiment's runs: environments (what can be told of where and by
 * what it ran), parameters that all runs have alike, those at their defaults, the series' names and units, and runs: of
 * each its own parameters, state hashes of a few recorded frames, the series' last values, and a frame's seconds, the
 * raw samples by repeats. Of many samples, evenly spaced ones are kept; median and interval are of all. */
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
    double value; /* of the last recorded frame; NaN where it has none */
};

struct machine_run {
    const char *experiment, *id;
    struct attributes facts;     /* of the run: backend, backend_kind, method, nodes, state_hash, clocks, ... */
    struct attributes parameter; /* without `backend` */
    int environment;             /* index into the machine's */
    int frames;                  /* hashes that are known */
    int *frame;                  /* increasing */
    char (*hash)[DIGEST_SIZE];
    struct machine_value *last;
    int last_count;
    struct measure seconds; /* of a frame; samples = 0: not timed */
    double *samples;        /* the raw ones, repeat after repeat; fewer than seconds.samples where they were thinned */
    int sample_count;
    int *repeat_samples; /* how many of them each repeat has */
    int repeats;
    const struct trace_data *trace; /* NULL where the run is a record's */
};

enum floor_kind { FLOOR_COPY, FLOOR_OPERATIONS, FLOOR_LAUNCH, FLOOR_KINDS }; /* bytes/s, 1/s, s */

/* What a processor or device can do at best: the best of the samples, since a limit is what nothing else disturbed; or
 * what its vendor specifies, without samples. */
struct machine_floor {
    const char *device; /* "": the processor */
    int threads;
    double best[FLOOR_KINDS]; /* NaN where it is not known */
    double *samples[FLOOR_KINDS];
    int sample_count[FLOOR_KINDS];
};

/* A speed that a paper states of a machine of its own. */
struct machine_reported {
    const char *claim, *paper, *where, *experiment;
    struct attributes select;
    double low, high; /* frames a second; high is infinite for "at least" */
};

struct machine {
    const char *path, *name, *source;
    bool is_record;
    struct attributes *environments;
    int environment_count;
    struct machine_run *runs;
    int run_count;
    struct machine_floor *floors;
    int floor_count;
    struct machine_reported *reported;
    int reported_count;
    struct trace_set traces; /* that machine_read read of a results folder */
    struct pool kept;        /* its texts and the arrays of its runs and floors */
};

/* Read a folder: a record where it holds machine.json, else results as `springback run --out` leaves them, with the
 * floors of PATH/floors.json where that is there. Errors: no such folder, neither a record nor results, a file that is
 * damaged, each with its path and, of JSON, the line. *out is to be freed in any case. */
int machine_read(const char *path, struct machine *out);

/* The same of results whose traces are read already; they must outlive the machine. */
int machine_of_traces(const struct trace_set *traces, struct machine *out);
void machine_free(struct machine *machine);

/* The records of a folder of records, such as data/machines, in the order of their names. */
struct machines {
    struct machine *items;
    int count;
};

/* Read all that hold machine.json; none where there is no such folder. Errors as machine_read's. *out is to be freed in
 * any case. */
int machines_read(const char *folder, struct machines *out);
void machines_free(struct machines *machines);

/* Record a results folder that was read: its main runs, without the host's name, the commands and the dates; the floors
 * are those of the folder, or else those that the record had. Experiments of an earlier record that the results have
 * not stay. Errors: the disk's; a name that is no folder's; it is a record already, or nothing is in it. */
int machine_record(const struct machine *machine, const char *folder, const char *name);

/* The floor of the processor or device that a run ran on; NULL where none is known. */
const struct machine_floor *machine_floor_of(const struct machine *machine, const struct machine_run *run);

/* Measure the floors of this machine, one processor and all, and each OpenCL device, into a file for machine_read. */
int machine_measure(const char *path);

/* The least that a run's work must move and compute, and the time that a machine's floors allow for it: Williams,
 * Waterman and Patterson, "Roofline", CACM 52, 2009. */

/* Of one frame. What is moved is what no cache can spare a body that fits none: positions and velocities, of four reals
 * each, read and written once a step. What is computed is each formula once, as kernels/ has it, a multiplication, an
 * addition or a division being one operation; NaN for methods that are not counted. */
struct work {
    double bytes, operations;
};

/* False where the run does not say its nodes. */
bool work_of(const struct machine_run *run, struct work *out);

/* The least seconds in which a machine's floor allows a work; NaN where no floor is known. `by_memory`, which may be
 * NULL, says what bounds it. */
double work_limit(const struct work *work, const struct machine_floor *floor, bool *by_memory);

/* The files of a machine's record, in JSON, as report/machine.h lays them out; and how what they say is put together.
 */

/* Lists that a machine is put together from. */
struct machine_run *machine_add_run(struct machine *machine);               /* until the next one is added */
struct machine_floor *machine_add_floor(struct machine *machine);           /* likewise; nothing is known of it */
void floor_settle(struct machine_floor *floor);                             /* the best of the samples that there are */
const char *machine_text(struct machine *machine, const char *text);        /* a copy that the machine keeps */
void *machine_array(struct machine *machine, size_t count, size_t size);    /* zeroed, which the machine keeps */
int machine_environment(struct machine *machine, struct attributes *facts); /* takes the facts over; their index */

/* Read machine.json, and the runs of the record where it is one; or a file of floors alone. What the machine has of
 * floors and names already is added to, and kept. Mistakes are told with the file, and the line where the text is no
 * JSON. */
int machine_file_read(const char *file, struct machine *machine);

/* Write machine.json, or a file of floors; and FOLDER/<paper>/<experiment>.json, with the main runs of one. */
int machine_file_write(const char *file, const struct machine *machine);
int machine_file_write_runs(const char *folder, const struct machine *machine, const char *experiment);

#endif
