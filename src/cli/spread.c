#include "cli/spread.h"

#include "backend/backend.h"
#include "backend/opencl/device.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "run/results.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static const char ending[] = ":all";

enum { MAX_DEVICES = 100 };

static bool is_all(const char *word) {
    return name_ends(word, ending);
}

/* How many devices are like the one that a backend's word means; 0 if it means none, which is reported. */
static int find_devices(const char *word) {
    struct backend_choice choice;
    if (backend_choose(word, &choice))
        return 0;
    if (choice.backend->has_devices)
        return device_count(choice.device_name);
    fail("backend %s%s: %s has no devices (example: opencl:gpu%s)", word, ending, choice.backend->name, ending);
    return 0;
}

/* The same, found by a child process: PoCL, once it is loaded, puts OCL_ICD_FILENAMES into the environment, which hides
 * other OpenCL libraries from all programs that this process starts. */
static int count_devices(const char *word) {
    const pid_t child = fork();
    int status = 0;
    if (child == 0) {
        const int found = find_devices(word);
        if (!found)
            complain();
        _exit(found < MAX_DEVICES ? found : MAX_DEVICES);
    }
    if (child < 0) {
        fail("a process that counts devices cannot be started: %s", strerror(errno));
        return 0;
    }
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 0;
}

/* Start a process with the verb's words but for the ending, and its shard. Returns 0 if it cannot be started. */
static pid_t start_shard(const struct verb *verb, int count, char **words, int shard, int shards) {
    AUTO_FREE char **arguments = memory_new((size_t)count + 4, sizeof *arguments);
    AUTO_FREE char *option = text_format("--shard=%d/%d", shard, shards);
    int used = 0;
    pid_t child;
    arguments[used++] = "springback";
    for (int w = 0; w < count; ++w)
        arguments[used++] = is_all(words[w]) ? text_format("%.*s", (int)(strlen(words[w]) - strlen(ending)), words[w])
                                             : text_copy(words[w]);
    arguments[used++] = option;
    arguments[used++] = (char *)verb->shard_option;
    AUTO_FREE char *number = text_format("%d", shard - 1);
    setenv("SPRINGBACK_DEVICE", number, true);
    const int error = posix_spawn(&child, "/proc/self/exe", NULL, NULL, arguments, environ);
    unsetenv("SPRINGBACK_DEVICE");
    for (int w = 0; w < count; ++w)
        free(arguments[w + 1]);
    if (error)
        fail("a process for device %d cannot be started: %s", shard, strerror(error));
    return error ? 0 : child;
}

/* Wait for the processes, and say which failed. A signal that asks us to end goes on to them, once. */
static void wait_for(pid_t *children, int count) {
    enum { PAUSE = 20000 };
    bool has_told = false;
    for (int running = count; running;) {
        const int signal = interrupt_signal();
        running = 0;
        for (int c = 0; c < count; ++c) {
            int status = 0;
            if (children[c] && waitpid(children[c], &status, WNOHANG))
                children[c] = 0;
            if (status && !signal)
                fprintf(stderr, "  the process for device %d of %d failed; its work follows on one device\n", c + 1,
                        count);
            if (children[c] && signal && !has_told)
                kill(children[c], signal);
            running += children[c] != 0;
        }
        has_told = signal;
        if (running)
            usleep(PAUSE);
    }
}

int spread_over_devices(const struct verb *verb, void *selection, int count, char **words) {
    struct words *backends = &((struct selection *)selection)->backends;
    char *word = backends->count ? (char *)backends->words[0] : "";
    for (int b = 1; b < backends->count; ++b)
        if (is_all(backends->words[b]) || is_all(word))
            return fail("--backend %s: a word that ends with %s is the only backend", backends->words[b], ending);
    if (!is_all(word))
        return STATUS_OK;
    word[strlen(word) - strlen(ending)] = 0;
    const int devices = count_devices(word);
    if (!devices)
        return STATUS_BAD;
    if (!verb->shard_option || devices == 1)
        return STATUS_OK;
    for (int w = 1; w < count; ++w)
        if (!strncmp(words[w], "--shard", strlen("--shard")))
            return fail("--backend %s%s makes shards of its own; leave out --shard, or name one device", word, ending);
    AUTO_FREE pid_t *children = memory_new((size_t)devices, sizeof *children);
    fflush(stdout);
    interrupt_catch();
    for (int d = 0; d < devices; ++d)
        children[d] = start_shard(verb, count, words, d + 1, devices);
    wait_for(children, devices);
    return interrupt_signal() ? STATUS_BAD : STATUS_OK;
}
