/* The origin of a result: program, compiler, machine and time. */
#ifndef SPRINGBACK_RUN_PROVENANCE_H
#define SPRINGBACK_RUN_PROVENANCE_H

#include "backend/backend.h"
#include "base/digest.h"
#include "base/memory.h"
#include "trace/trace.h"

/* A list of named texts. */
struct notes {
    struct trace_note *notes;
    int count;
    struct pool pool; /* owns the texts */
};

void notes_add(struct notes *notes, const char *name, const char *format, ...) PRINTF_LIKE(3, 4);
void notes_free(struct notes *notes);

/* Add notes about the program, its sources' SWHIDs, its compiler, the machine, the command line, the device and the
 * time. The caller frees the notes. */
void provenance_collect(const struct backend_choice *choice, struct notes *notes);

/* Add the time, and the most memory that this process has used so far. */
void provenance_collect_end(struct notes *notes);

/* Store a copy of the command line for provenance_collect. */
void provenance_set_command(int count, char **words);

/* The texts of these functions are static; the caller does not free them. */
const char *provenance_version(void);  /* "0.1.0" */
const char *provenance_revision(void); /* "1a2b3c4d5e6f", with "+" if the working tree had changes */
const char *provenance_commit(void);   /* SWHID of the sources' commit: "swh:1:rev:..."; "" if unknown or changed */
const char *provenance_sources(void);  /* SWHID of the sources: "swh:1:dir:..."; "" if provenance_commit is "" */
const char *provenance_host(void);
const char *provenance_machine(void); /* the type of machine, as in out/<machine>/; searches for OpenCL devices */
const char *provenance_binary(void);  /* hash of the running program */

/* A compiled file on which results depend. */
struct code_file {
    const char *name; /* folder and name: "method/xpbd_lanes", "loops/xpbd", "backend/opencl/opencl" */
    const char *hash; /* hash of the file's object code */
};

extern const struct code_file code_files[]; /* sorted; ends with a NULL name */

/* Compute the hash of the files that a run uses. If `of_backend`, only files in backend/ are hashed, otherwise only
 * files in other folders. `words` are the run's backend, its kind of body ("cloth" or "mesh") and its kernel files
 * ("xpbd.h"), then NULL. A file that belongs to no backend, kind of body or kernel file is used by every run. Files
 * that read and prepare meshes are not hashed, because the hash of the body covers their results. */
void code_digest(const struct code_file *files, bool of_backend, const char *const *words, char out[DIGEST_SIZE]);

/* provenance_load: average load of the machine in the last minute. provenance_clock: clock of the processor in MHz.
 * Both are -1 if unknown. */
double provenance_load(void);
double provenance_clock(void);

#endif
