#include "cli/spread.h"

#include "backend/backend.h"
#include "backend/opencl/device.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "run/results.h"

#include <errno.h>
#include <fcntl.h>
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
    return text_ends(word, ending);
}

/* The number of devices that have the same name as the device that `word` selects, such as "opencl:gpu". 0, after
 * fail(), if `word` selects no device. */
static int find_devices(const char *word) {
    struct backend_choice choice;
    if (backend_choose(word, &choice))
        return 0;
    if (choice.backend->has_devices)
        return device_count(choice.device_name);
    fail("backend %s%s: %s has no devices (example: opencl:gpu%s)", word, ending, choice.backend->name, ending);
    return 0;
}

/* Call find_devices in a child process. PoCL, once loaded, sets the environment variable OCL_ICD_FILENAMES, which hides
 * other OpenCL libraries from all programs that this process starts later. */
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
        fail("cannot start a process that counts devices: %s", strerror(errno));
        return 0;
    }
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 0;
}

/* Start a process that runs one shard. The new process gets the verb's words, without the ending ":all". The new
 * process leads a process group, so that it receives a signal from the terminal only through the present process
 * (wait_for). The JSON of the new process is discarded, because the verb prints the JSON of all runs at the end.
 * Returns 0 if the process cannot be started. */
static pid_t start_shard(const struct verb *verb, int count, char **words, int device, int shard, int shards) {
    struct words arguments = {.count = 0};
    AUTO_FREE char *option = text_format("--shard=%d/%d", shard, shards), *number = text_format("%d", device);
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    pid_t child;
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    words_add(&arguments, "springback");
    for (int w = 0; w < count; ++w) {
        AUTO_FREE char *word =
            text_format("%.*s", (int)(strlen(words[w]) - (is_all(words[w]) ? strlen(ending) : 0)), words[w]);
        words_add(&arguments, word);
        if (!strncmp(word, "--js", strlen("--js")))
            posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    }
    words_add(&arguments, option);
    for (const char *const *word = verb->shard_words; *word; ++word)
        words_add(&arguments, *word);
    setenv("SPRINGBACK_DEVICE", number, true);
    const int error =
        posix_spawn(&child, "/proc/self/exe", &files, &attributes, (char *const *)arguments.words, environ);
    unsetenv("SPRINGBACK_DEVICE");
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    words_free(&arguments);
    if (error)
        fail("cannot start a process for device %d: %s", device, strerror(error));
    return error ? 0 : child;
}

/* Wait for the processes, print which of them failed, and return whether all succeeded. The first signal that this
 * process receives is sent on to all of them. */
static bool wait_for(pid_t *children, int count) {
    enum { PAUSE = 20000 /* microseconds */ };
    bool has_forwarded = false, is_well = true;
    for (int running = count; running;) {
        const int signal = interrupt_signal();
        running = 0;
        for (int c = 0; c < count; ++c) {
            int status = 0;
            if (children[c] && waitpid(children[c], &status, WNOHANG))
                children[c] = 0;
            if (status && !signal)
                fprintf(stderr, "  the process for device %d failed (the devices are 0 to %d)\n", c, count - 1);
            is_well = is_well && !status;
            if (children[c] && signal && !has_forwarded)
                kill(children[c], signal);
            running += children[c] != 0;
        }
        has_forwarded = signal;
        if (running)
            usleep(PAUSE);
    }
    return is_well;
}

int spread_over_devices(const struct verb *verb, void *chosen, int count, char **words) {
    struct selection *selection = chosen;
    const struct words *backends = &selection->backends;
    char *word = backends->count ? (char *)backends->words[0] : "";
    for (int b = 1; b < backends->count; ++b)
        if (is_all(backends->words[b]) || is_all(word))
            return fail("--backend %s: a backend that ends with %s must be the only one", backends->words[b], ending);
    if (!is_all(word))
        return STATUS_OK;
    word[strlen(word) - strlen(ending)] = 0;
    const int devices = count_devices(word), shards = devices * (selection->shards ? selection->shards : 1);
    if (!devices)
        return STATUS_BAD;
    if (!verb->shard_words || devices == 1)
        return STATUS_OK;
    if (shards > MAX_SHARDS)
        return fail(
            "each shard is divided among %d devices, so there would be %d shards; expected at most %d; use fewer "
            "shards",
            devices, shards, MAX_SHARDS);
    AUTO_FREE pid_t *children = memory_new((size_t)devices, sizeof *children);
    fflush(stdout);
    interrupt_catch();
    for (int d = 0; d < devices; ++d)
        children[d] = start_shard(verb, count, words, d,
                                  (selection->shards ? selection->shard - 1 : 0) * devices + d + 1, shards);
    const bool is_well = wait_for(children, devices) && !interrupt_signal();
    selection->is_shared = true;
    return is_well || (!selection->shards && !interrupt_signal()) ? STATUS_OK : STATUS_BAD;
}
