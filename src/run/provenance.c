#include "run/provenance.h"

#include "backend/cpu.h"
#include "backend/opencl/device.h"
#include "backend/source.h"
#include "base/memory.h"
#include "code.h"
#include "revision.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#ifdef __clang__ /* clang's __VERSION__ includes the name of the compiler, gcc's does not */
static const char compiler[] = __VERSION__;
#else
static const char compiler[] = "gcc " __VERSION__;
#endif

static char *command;

void notes_add(struct notes *notes, const char *name, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    *ARRAY_ADD(notes->notes, notes->count) = (struct trace_note){
        pool_add(&notes->pool, text_copy(name)), pool_add(&notes->pool, text_format_list(format, arguments))};
    va_end(arguments);
}

void notes_free(struct notes *notes) {
    pool_free(&notes->pool);
    free(notes->notes);
    *notes = (struct notes){.count = 0};
}

void provenance_set_command(int count, char **words) {
    free(command);
    command = text_copy("springback");
    for (int w = 1; w < count; ++w)
        text_append(&command, " %s", words[w]);
}

/* The first line of a file, or "unknown". */
static const char *first_line(const char *path, char *line, size_t size) {
    FILE *file = fopen(path, "r");
    if (!file || !fgets(line, (int)size, file))
        snprintf(line, size, "unknown");
    if (file)
        fclose(file);
    line[strcspn(line, "\n")] = 0;
    return line;
}

const char *provenance_version(void) {
    return SPRINGBACK_VERSION;
}

const char *provenance_revision(void) {
    return strcmp(SPRINGBACK_TREE, "changed") ? SPRINGBACK_REVISION : SPRINGBACK_REVISION "+";
}

const char *provenance_commit(void) {
    return SPRINGBACK_COMMIT;
}

const char *provenance_sources(void) {
    return SPRINGBACK_SOURCES;
}

const char *provenance_host(void) {
    static char host[65];
    if (gethostname(host, sizeof host - 1))
        snprintf(host, sizeof host, "unknown");
    return host;
}

/* Append a text in lower case, with one dash for each sequence of characters that are not letters or digits. */
static void append_dashed(char *out, size_t size, const char *text) {
    size_t length = strlen(out);
    for (bool needs_dash = length > 0; *text && length + 2 < size; ++text)
        if (!isalnum((unsigned char)*text)) {
            needs_dash = length > 0;
        } else {
            if (needs_dash)
                out[length++] = '-';
            out[length++] = (char)tolower((unsigned char)*text);
            needs_dash = false;
        }
    out[length] = 0;
}

/* The names of processor and GPUs, and six digits of a digest of the processor, all devices and their drivers. Devices
 * with the same name count once, because a cluster task may see only one of several GPUs. */
const char *provenance_machine(void) {
    enum { SHOWN = 60, DIGITS = 6 };
    static char name[SHOWN + DIGITS + 2];
    if (name[0])
        return name;
    const struct device_list *list = device_list();
    struct digest *digest = digest_create();
    char text[DIGEST_SIZE];
    digest_add_text(digest, cpu_name());
    append_dashed(name, SHOWN, cpu_name());
    for (int d = 0; d < list->count; ++d) {
        const struct device *device = &list->devices[d];
        if (device_named(device->name) < d)
            continue;
        digest_add_text(digest, device->name);
        digest_add_text(digest, device->driver);
        if (device->is_gpu)
            append_dashed(name, SHOWN, device->name);
    }
    digest_finish(digest, text);
    snprintf(name + strlen(name), DIGITS + 2, "-%.*s", DIGITS, text);
    return name;
}

const char *provenance_binary(void) {
    static char out[DIGEST_SIZE];
    if (out[0])
        return out;
    struct digest *digest = digest_create();
    FILE *file = fopen("/proc/self/exe", "rb");
    char part[65536];
    size_t got;
    while (file && (got = fread(part, 1, sizeof part, file)) > 0)
        digest_add(digest, part, got);
    if (file)
        fclose(file);
    digest_finish(digest, out);
    return out;
}

const struct code_file code_files[] = {SPRINGBACK_CODE_FILES{NULL, NULL}};

/* Files that code_digest hashes only if its argument `words` has `word`. A file whose `word` is NULL is never
 * hashed, because the hash of the body covers its results. A name that ends in a slash is a folder. Files of kernels
 * and backends are not listed here; is_of_other_kernel and is_of_other_backend recognise them by their names. */
static const struct {
    const char *name, *word;
} partial_files[] = {
    {"body/banks", "mesh"},
    {"body/cloth", "cloth"},
    {"body/groups", "mesh"},
    {"body/lattice", "mesh"},
    {"body/order", "mesh"},
    {"body/paper_groups", "mesh"},
    {"body/prepared", "mesh"},
    {"body/rings", "mesh"},
    {"body/surface", "mesh"},
    {"body/solids", NULL},
    {"body/stored", NULL},
    {"mesh/", NULL},
    {"method/constraint_paper", "constraint_enforcement.h"},
};

static bool has_word(const char *const *words, const char *word) {
    while (*words && strcmp(*words, word) != 0)
        ++words;
    return *words != NULL;
}

/* Whether a file belongs to a kernel file that is not in `words`. Example: "method/xpbd_lanes" belongs to xpbd.h. */
static bool is_of_other_kernel(const char *file, const char *const *words) {
    const char *name = strchr(file, '/') + 1;
    for (const struct kernel_file *kernel = kernel_files; kernel->name; ++kernel) {
        const size_t length = strlen(kernel->name) - strlen(".h");
        const char *rest = name + length;
        if (!strncmp(name, kernel->name, length) && (!*rest || !strcmp(rest, "_rows") || !strcmp(rest, "_lanes")))
            return !has_word(words, kernel->name);
    }
    return false;
}

/* Whether a file belongs to a backend that is not in `words`. Example: "backend/serial/serial" belongs to serial. */
static bool is_of_other_backend(const char *file, const char *const *words) {
    const char *name = file + strlen("backend/"),
               *end = strncmp(file, "backend/", strlen("backend/")) ? NULL : strchr(name, '/');
    if (!end)
        return false;
    while (*words && (strncmp(*words, name, (size_t)(end - name)) != 0 || (*words)[end - name]))
        ++words;
    return !*words;
}

static bool is_used(const char *file, const char *const *words) {
    for (size_t p = 0; p < sizeof partial_files / sizeof *partial_files; ++p) {
        const char *name = partial_files[p].name, *word = partial_files[p].word;
        const size_t length = strlen(name);
        if (!strncmp(file, name, length) && (!file[length] || name[length - 1] == '/'))
            return word && has_word(words, word);
    }
    return !is_of_other_backend(file, words) && !is_of_other_kernel(file, words);
}

void code_digest(const struct code_file *files, bool of_backend, const char *const *words, char out[DIGEST_SIZE]) {
    struct digest *digest = digest_create();
    for (const struct code_file *file = files; file->name; ++file)
        if (!strncmp(file->name, "backend/", 8) == of_backend && is_used(file->name, words)) {
            digest_add_text(digest, file->name);
            digest_add_text(digest, file->hash);
        }
    digest_finish(digest, out);
}

double provenance_load(void) {
    double load = -1;
    return getloadavg(&load, 1) == 1 ? load : -1;
}

double provenance_clock(void) {
    FILE *file = fopen("/proc/cpuinfo", "r");
    char line[512];
    double clock = -1;
    while (clock < 0 && file && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (colon && strncmp(line, "cpu MHz", 7) == 0)
            clock = strtod(colon + 1, NULL);
    }
    if (file)
        fclose(file);
    return clock;
}

/* Add the present time as a note: "2026-01-31T12:00:00Z". */
static void add_time(struct notes *notes, const char *name) {
    char when[32];
    time_t now = time(NULL);
    struct tm utc;
    strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    notes_add(notes, name, "%s", when);
}

void provenance_collect(const struct backend_choice *choice, struct notes *notes) {
    char line[256];
    struct utsname system;
    notes_add(notes, "springback", "%s", SPRINGBACK_VERSION);
    notes_add(notes, "revision", "%s", SPRINGBACK_REVISION);
    notes_add(notes, "tree", "%s", SPRINGBACK_TREE);
    notes_add(notes, "commit", "%s", provenance_commit());
    notes_add(notes, "sources", "%s", provenance_sources());
    notes_add(notes, "command", "%s", command ? command : "");
    notes_add(notes, "compiler", "%s", compiler);
    notes_add(notes, "flags", "%s", SPRINGBACK_FLAGS);
    notes_add(notes, "fp_contract", "%s",
              strstr(SPRINGBACK_FLAGS, "-ffp-contract=off") ? "off" : "the compiler's default");
    notes_add(notes, "code", "%s", SPRINGBACK_CODE);
    notes_add(notes, "cpu", "%s", cpu_name());
    notes_add(notes, "governor", "%s",
              first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", line, sizeof line));
    if (!uname(&system))
        notes_add(notes, "system", "%s %s %s", system.sysname, system.release, system.machine);
    notes_add(notes, "host", "%s", provenance_host());
    if (getenv("SLURM_JOB_PARTITION"))
        notes_add(notes, "partition", "%s", getenv("SLURM_JOB_PARTITION"));
    notes_add(notes, "device", "%s", choice->device_name);
    notes_add(notes, "driver", "%s", choice->driver);
    notes_add(notes, "binary", "%s", provenance_binary());
    add_time(notes, "start");
}

void provenance_collect_end(struct notes *notes) {
    struct rusage usage;
    add_time(notes, "ended");
    if (!getrusage(RUSAGE_SELF, &usage))
        notes_add(notes, "peak_memory", "%lld", 1024LL * usage.ru_maxrss); /* of the process, in bytes */
}
