/* Locks between processes. A timed run is alone on the machine. While a run waits to be timed, no other run begins to
 * prepare. */
#include "run/lock.h"
#include "support.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/file.h>

static const struct machine_lock unlocked = {.machine = -1, .ready = -1};

static char order[8];
static pthread_mutex_t order_mutex = PTHREAD_MUTEX_INITIALIZER;

static void note(char letter) {
    pthread_mutex_lock(&order_mutex);
    order[strlen(order)] = letter;
    pthread_mutex_unlock(&order_mutex);
}

struct use {
    enum machine_use use;
    char letter;
};

static void *take_and_note(void *context) {
    const struct use *use = context;
    struct machine_lock lock = unlocked;
    machine_lock_take(&lock, use->use, NULL);
    note(use->letter);
    machine_lock_release(&lock);
    machine_lock_close(&lock);
    return NULL;
}

static char *folder; /* for the test's own locks, so that the test does not wait for runs of other processes */

static void begin(void) {
    folder = folder_temporary();
    cr_assert_eq(setenv("SPRINGBACK_LOCKS", folder, 1), 0);
}

static void end(void) {
    folder_remove(folder);
}

TestSuite(lock, .init = begin, .fini = end);

/* Whether another process could lock this file now, with flock's `operation`. */
static bool is_free(const char *name, int operation) {
    char *path = text_format("%s/springback-%ld.%s", folder, (long)getuid(), name);
    const int file = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0600);
    free(path);
    const bool is_free = !flock(file, operation | LOCK_NB);
    close(file);
    return is_free;
}

Test(lock, timed_is_alone) {
    struct machine_lock lock = unlocked;
    machine_lock_take(&lock, MACHINE_SHARED, NULL);
    cr_expect(is_free("lock", LOCK_SH), "untimed runs may run in parallel with other runs");
    cr_expect(!is_free("lock", LOCK_EX));
    machine_lock_take(&lock, MACHINE_ALONE, NULL);
    cr_expect(!is_free("lock", LOCK_SH), "no run may run in parallel with a timed run");
    cr_expect(!is_free("ready", LOCK_EX));
    machine_lock_release(&lock);
    machine_lock_close(&lock);
    cr_expect_eq(lock.machine, -1);
}

Test(lock, ready_goes_before_what_is_prepared) {
    struct machine_lock other = unlocked;
    machine_lock_take(&other, MACHINE_SHARED, NULL);
    struct use timed_use = {MACHINE_ALONE, 't'}, prepared_use = {MACHINE_PREPARING, 'p'};
    pthread_t timed, prepared;
    pthread_create(&timed, NULL, take_and_note, &timed_use);
    while (is_free("ready", LOCK_EX)) /* until the timed run holds the lock "ready" and waits for the machine */
        usleep(1000);
    pthread_create(&prepared, NULL, take_and_note, &prepared_use);
    usleep(100000);
    cr_expect_str_empty(order);
    machine_lock_release(&other);
    pthread_join(timed, NULL);
    pthread_join(prepared, NULL);
    machine_lock_close(&other);
    cr_expect_str_eq(order, "tp");
}

static pthread_barrier_t both_share;

/* Share the machine until the other thread shares it, too. Then time a run. */
static void *share_then_time(void *context) {
    struct machine_lock lock = unlocked;
    machine_lock_take(&lock, MACHINE_SHARED, NULL);
    pthread_barrier_wait(&both_share);
    machine_lock_take(&lock, MACHINE_ALONE, NULL);
    note(*(const char *)context);
    note(*(const char *)context); /* the other thread must not get the lock between these two notes */
    machine_lock_release(&lock);
    machine_lock_close(&lock);
    return NULL;
}

/* Each of two threads holds a shared lock and then times a run. Neither waits for the shared lock of the other. */
Test(lock, two_that_share_are_timed_one_after_the_other, .timeout = 60) {
    pthread_t threads[2];
    pthread_barrier_init(&both_share, NULL, 2);
    for (int t = 0; t < 2; ++t)
        pthread_create(&threads[t], NULL, share_then_time, t ? "b" : "a");
    for (int t = 0; t < 2; ++t)
        pthread_join(threads[t], NULL);
    pthread_barrier_destroy(&both_share);
    cr_expect(!strcmp(order, "aabb") || !strcmp(order, "bbaa"), "%s", order);
}
