/* Locks for which processes wait: the lock of a folder and the lock of the machine. (A trace that is being written has
 * a lock for which no process waits; see trace/writer.c.) The files of the machine's lock are in /tmp, or in the folder
 * that the environment variable SPRINGBACK_LOCKS names. If these files cannot be opened, the machine is not locked. */
#ifndef SPRINGBACK_RUN_LOCK_H
#define SPRINGBACK_RUN_LOCK_H

#include <stdbool.h>

/* Wait until the lock of an open file is acquired (`operation` as for flock), or until an interruption. If `file` is
 * -1 or its file system has no locks, the function returns at once. After one second a message on stderr says that
 * `who` waits for `what`, unless `who` is NULL. Returns whether the message was printed. */
bool lock_wait(int file, int operation, const char *who, const char *what);

/* Open the file of a lock. Returns -1 if the folder of the file does not exist or is not writable, because then no
 * process writes into the folder. Any other error ends the program. */
int lock_open(const char *path);

/* How a process uses the machine. Runs that are not timed share the machine; a timed run has it alone. A run that will
 * be timed is prepared first, while other runs may use the machine. While a run waits to be timed, no other run begins
 * to prepare. Runs that are not timed may still begin, and the waiting run waits for them too. */
enum machine_use { MACHINE_SHARED, MACHINE_PREPARING, MACHINE_ALONE };

struct machine_lock {
    /* Open files; -1 before their first use. A process that locks `machine` uses the machine. A process that locks
     * `ready` waits to be timed or is timed. The table in lock.c says which use waits for which file. */
    int machine, ready;
    bool has_reported; /* a waiting message was printed since the last release */
};

/* Acquire the lock for a use; the previous use ends. Before MACHINE_PREPARING, the lock must be released. Otherwise two
 * processes could wait for each other for ever. The lock works between processes of one user. `who` is as for
 * lock_wait. */
void machine_lock_take(struct machine_lock *lock, enum machine_use use, const char *who);
void machine_lock_release(struct machine_lock *lock);
void machine_lock_close(struct machine_lock *lock);

#endif
