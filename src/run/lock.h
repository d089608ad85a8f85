/* Locks between processes that wait for each other: on a folder, and on the machine. (A trace that is being written has
 * a lock of its own, for which no process waits: trace/writer.c.) The files of the machine's lock are in /tmp, or in
 * the folder that the environment's SPRINGBACK_LOCKS names; if one cannot be opened, there is no lock. For a folder's,
 * runner.c decides. */
#ifndef SPRINGBACK_RUN_LOCK_H
#define SPRINGBACK_RUN_LOCK_H

#include <stdbool.h>

/* Wait until the lock of an open file is taken (`operation` as in flock), or an interruption comes. After a second, a
 * message on stderr says that `who` waits for `what`, unless `who` is NULL. Returns whether it was printed. */
bool lock_wait(int file, int operation, const char *who, const char *what);

/* Open the file of a lock. Returns -1 if its folder does not exist or cannot be written, because then no process writes
 * there. Ends the program on any other error. */
int lock_open(const char *path);

/* How a process uses the machine. Runs that are not timed share it; a timed run has it alone. A run that will be timed
 * is first prepared beside others. While a run waits to be timed, no other run begins to prepare. Runs that are not
 * timed may still begin; the waiting run then waits for them, too. */
enum machine_use { MACHINE_SHARED, MACHINE_PREPARING, MACHINE_ALONE };

struct machine_lock {
    /* Open files; -1 before their first use. A process that holds `machine` uses the machine. A process that holds
     * `ready` waits to be timed or is timed. The table in lock.c says which use waits for which file. */
    int machine, ready;
    bool has_reported; /* a message of waiting was printed since the last release */
};

/* Take the lock for a use, releasing the use before. Only processes of one user exclude each other. */
void machine_lock_take(struct machine_lock *lock, enum machine_use use, const char *who);
void machine_lock_release(struct machine_lock *lock);
void machine_lock_close(struct machine_lock *lock);

#endif
