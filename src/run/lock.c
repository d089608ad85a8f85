#include "run/lock.h"

#include "base/interrupt.h"
#include "base/memory.h"
#include "base/progress.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

bool lock_wait(int file, int operation, const char *who, const char *what) {
    enum { PAUSE = 20000 /* microseconds */, PATIENCE = 1000000 / PAUSE /* pauses in a second */ };
    bool has_reported = false;
    /* tries repeatedly instead of waiting in flock, so that an interruption ends the wait */
    for (int tries = 0; file >= 0 && flock(file, operation | LOCK_NB) && (errno == EINTR || errno == EWOULDBLOCK) &&
                        !interrupt_signal();
         ++tries) {
        if (tries == PATIENCE && who) {
            progress_hide();
            fprintf(stderr, "  %s: waiting for %s\n", who, what);
            has_reported = true;
        }
        usleep(PAUSE);
    }
    return has_reported;
}

int lock_open(const char *path) {
    const int file = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0666);
    if (file < 0 && errno != ENOENT && errno != ENOTDIR && errno != EACCES && errno != EROFS)
        fail_and_end("%s: %s", path, strerror(errno));
    return file;
}

static int open_file(const char *name) {
    const char *folder = getenv("SPRINGBACK_LOCKS");
    AUTO_FREE char *path =
        text_format("%s/springback-%ld.%s", folder && *folder ? folder : "/tmp", (long)getuid(), name);
    return open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0600);
}

static void wait_for(struct machine_lock *lock, int file, int operation, const char *who, const char *what) {
    lock->has_reported |= lock_wait(file, operation, lock->has_reported ? NULL : who, what);
}

/* The effect of each use on the two files (SH: shared, EX: exclusive):
 *
 *   use                 ready                              machine
 *   MACHINE_SHARED      not used                           waits for SH, keeps it
 *   MACHINE_PREPARING   waits for EX, releases it          waits for SH, keeps it
 *   MACHINE_ALONE       waits for SH, keeps it             releases SH, waits for EX, keeps it
 *
 * Therefore no run begins to prepare while another one waits to be timed or is timed. */
void machine_lock_take(struct machine_lock *lock, enum machine_use use, const char *who) {
    if (lock->machine < 0)
        lock->machine = open_file("lock");
    if (lock->ready < 0 && use != MACHINE_SHARED)
        lock->ready = open_file("ready");
    if (use == MACHINE_PREPARING) {
        /* wait until no process is ready; release at once, so that several processes can prepare at the same time */
        wait_for(lock, lock->ready, LOCK_EX, who, "runs that are ready to be timed");
        flock(lock->ready, LOCK_UN);
    }
    if (use == MACHINE_ALONE) {
        wait_for(lock, lock->ready, LOCK_SH, who, "a timed run to begin");
        flock(lock->machine, LOCK_UN); /* otherwise two processes that share the machine would wait for each other */
    }
    wait_for(lock, lock->machine, use == MACHINE_ALONE ? LOCK_EX : LOCK_SH, who,
             use == MACHINE_ALONE ? "other runs on this machine to end, because a timed run has it alone"
                                  : "a timed run to end, which has the machine alone");
}

void machine_lock_release(struct machine_lock *lock) {
    flock(lock->machine, LOCK_UN); /* does nothing if the file is not open (-1) */
    flock(lock->ready, LOCK_UN);
    lock->has_reported = false;
}

void machine_lock_close(struct machine_lock *lock) {
    close(lock->machine);
    close(lock->ready);
    lock->machine = lock->ready = -1;
}
