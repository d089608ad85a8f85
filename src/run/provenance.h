/* Where a result comes from: program, compiler, machine, moment. */
#ifndef SPRINGBACK_RUN_PROVENANCE_H
#define SPRINGBACK_RUN_PROVENANCE_H

#include "backend/backend.h"
#include "base/digest.h"
#include "trace/trace.h"

/* A growing list of named texts; it owns them. */
struct notes {
    struct trace_note *notes;
    int count;
};

void notes_add(struct notes *notes, const char *name, const char *format, ...) PRINTF_LIKE(3, 4);
void notes_free(struct notes *notes);

/* Version, revision and tree, compiler and flags, processor, governor, system, host, command line, time of start. */
void provenance_collect(const struct backend_choice *choice, struct notes *notes);

/* Remember how the program was called, for the traces. */
void provenance_set_command(int count, char **words);

const char *provenance_version(void);  /* "0.1.0" */
const char *provenance_revision(void); /* "1a2b3c4d5e6f", with "+" where the tree was changed */
const char *provenance_host(void);     /* fit for a folder's name */
const char *provenance_binary(void);   /* hash of the running program */
const char *provenance_code(void);     /* hash of all compiled code that results come from */

/* A file of the code that results come from. */
struct code_file {
    const char *name; /* its folder and name: "method/xpbd_lanes", "loops/xpbd", "backend/opencl/opencl" */
    const char *hash; /* of its object code */
};

extern const struct code_file code_files[]; /* in order; ends with a NULL name */

/* Hash of the files that a run reaches: those of the backends' folder, or all others. `words` say what the run has: its
 * backend's name, "cloth" or "mesh", and its kernels as "xpbd.h"; a NULL ends them. Files that all runs share are
 * reached by every run. Those that read and prepare meshes are reached by none, because a body's own hash tells what
 * they made. */
void code_digest(const struct code_file *files, bool of_backend, const char *const *words, char out[DIGEST_SIZE]);

/* The load of the machine over the last minute, and the processor's clock in MHz; -1 where unknown. */
double provenance_load(void);
double provenance_clock(void);

#endif
