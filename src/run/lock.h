/* Locks between processes: of a folder, and of the machine. Where one cannot be had at all, it is gone on without. */
#ifndef SPRINGBACK_RUN_LOCK_H
#define SPRINGBACK_RUN_LOCK_H

#include <stdbool.h>

/* Wait for a file's lock (`operation` as flock has it) until it is had or an interruption comes. After a second it is
 * said on stderr that `who` waits for `what`; never where `who` is NULL. Returns whether it was said. */
bool lock_wait(int file, int operation, const char *who, const char *what);

/* What a process does on the machine. Physics may run side by side; timings that will be compared are alone. What will
 * be timed is prepared beside others, but not before those that are ready have been timed: else each preparation would
 * be waited for by all. */
enum machine_use { MACHINE_SHARED, MACHINE_PREPARED, MACHINE_ALONE };

struct machine_lock {
    int machine, ready; /* files; -1 before the first use */
    bool has_told;      /* that it waits, since it was last released */
};

/* All the processes of one user lock against each other. To be released, or taken for another use. */
void machine_lock_take(struct machine_lock *lock, enum machine_use use, const char *who);
void machine_lock_release(struct machine_lock *lock);
void machine_lock_close(struct machine_lock *lock);

#endif
