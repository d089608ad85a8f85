/* Run commands of springback in which a call fails, such as a read or an allocation, and check the results:
 *
 *   faults PROGRAM [SAMPLE [PART/PARTS]]    try many cases. A case is one command with one fault
 *   faults PROGRAM CASE                     try one case again, such as run/write/once/12, and keep its folder
 *
 * SAMPLE is the number of calls to try for each command, class of calls and kind of fault. These calls are evenly
 * spread. 0, the default, means all calls; but if several allocations have the same call stack, only the first of them
 * is ever tried. PART/PARTS selects a part of the cases; 1/2 and 2/2 together are all cases.
 *
 * With a fault, the command must give the result of the undisturbed command, or exit code 2 and a message. `enum
 * outcome` lists the bad outcomes. Bad cases are written to faults.log. */
#include "inject.h"
#include "same_trace.h"
#include "tree.h"

#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATIENCE = 40 /* s */, TETGEN_PATIENCE = 90, WORDS_MOST = 16, NOBODY = 65534 };

/* ---- The commands that run ---- */

#define FILE_OF "experiments/test/cloth.yaml"
static const char experiment[] = "springback: 1\n"
                                 "paper: test\n"
                                 "title: A cloth whose calls fail\n"
                                 "body: {cloth: {nodes: [4, 3], pins: corners}, node_mass: 1 kg}\n"
                                 "method: {name: mass_spring, stiffness: 100 N/m, damping: 0.1 N s/m}\n"
                                 "time: {step: 1 ms, steps_per_frame: 5, frames: 4, repeats: [0, 2]}\n"
                                 "record: {every: 1, mesh_every: 2}\n",
                  claims[] = "springback: 1\n"
                             "paper: test\n"
                             "claims:\n"
                             "  - {id: test.bits, where: Sec. 1, says: the bits are the same, kind: capability,\n"
                             "     from: {experiment: test/cloth, same: state_hash}, recorded: matches}\n"
                             "  - {id: test.falls, where: Sec. 2, says: it falls, kind: bound, expect: '>= 0.01 m/s',\n"
                             "     from: {experiment: test/cloth, quantity: largest_speed, over_frames: max},\n"
                             "     recorded: matches}\n";

enum {
    FRESH = 1, /* the cases of this command begin without results */
    FIRST = 2, /* this command runs once before all cases, because other commands read its output */
    JUDGE = 4, /* if the exit code is 2, the message may be on standard output */
};

static const struct verb {
    /* After `command` has failed, the command `again` must give the undisturbed result; NULL if this is not tested. */
    const char *name, *command, *again;
    int traits; /* flags: FRESH, FIRST, JUDGE */
} verbs[] = {
    {"run", "run --out out " FILE_OF, "run --resume --out out " FILE_OF, FRESH | FIRST},
    {"threads", "run -b threads:2 --out out " FILE_OF, "run --resume -b threads:2 --out out " FILE_OF, FRESH},
    {"again", "run --out out " FILE_OF, "run --resume --out out " FILE_OF, 0}, /* everything is up to date */
    {"force", "run --force --out out " FILE_OF, "run --force --resume --out out " FILE_OF, 0},
    {"plan", "plan --out out " FILE_OF, NULL, 0},
    {"check", "check paper_checks/test.yaml --out out", NULL, JUDGE},
    {"series", "export out/test/cloth/repeats=2.trace-1.vtkhdf", NULL, 0},
    {"figure", "export --format figure out/test/cloth", NULL, FIRST},
    {"vtk", "export --format vtk --out vtk out/test/cloth/repeats=0.trace-1.vtkhdf", NULL, 0},
    {"report", "report -q --out out", NULL, FIRST},
    {"archive", "archive --file a.tar --out out", NULL, FIRST},
    {"judge", "check --archive a.tar", NULL, JUDGE},
    {"record", "record --name here --out record out", NULL, FIRST},
    {"compare", "compare out record/here", NULL, 0},
    {"tetgen", "meshes --offline --quiet --catalogue meshes.yaml cube", "meshes --offline --catalogue meshes.yaml cube",
     0},
};
enum { VERBS = sizeof verbs / sizeof *verbs, TETGEN = VERBS - 1 };

/* Programs that replace TetGen. */
static const struct {
    const char *name, *script;
} stubs[] = {
    {"hangs", "exec sleep 1000"},
    {"dies", "exit 3"},
    {"crashes", "kill -SEGV $$"},
    {"is-silent", "exit 0"},
    {"writes-nonsense", "echo 'x y z' | tee body.1.node >body.1.ele"},
    {"writes-zeros", "head -c 1000000 /dev/zero | tee body.1.node >body.1.ele"},
    {"writes-no-end", "exec yes"},
    {"counts-too-many", "echo '2000000000 3 0 0' >body.1.node; echo '2000000000 4 0' >body.1.ele"},
};
enum { STUBS = sizeof stubs / sizeof *stubs };

/* Classes of faults that are not calls: a folder that is not writable, and a program in place of TetGen. */
enum { FOLDER = CALL_CLASSES, STUB, CLASSES };
static const char *const class_names[CLASSES] = {"alloc", "open", "read",  "write", "sync",   "space",
                                                 "name",  "lock", "close", "clock", "folder", "tetgen"};
static const char *const kind_names[FAULT_KINDS] = {"none", "list", "once", "always", "half", "kill", "ahead", "back"};

/* Good outcomes:
 * RIGHT: the result is that of the undisturbed command.
 * NAMED: exit code 2 and a message.
 * Bad outcomes:
 * SIGNALLED: a signal ended the command.
 * UNNAMED: the exit code is neither 0 nor 2, or there is no message.
 * WRONG: the result is wrong.
 * LOST: an earlier file is lost, or the command `again` does not give the undisturbed result.
 * LEFT: a temporary file is left.
 * HUNG: the command does not end. */
enum outcome { RIGHT, NAMED, SIGNALLED, UNNAMED, WRONG, LOST, LEFT, HUNG, OUTCOMES };
static const char *const outcome_names[OUTCOMES] = {"right", "named", "signal", "no name",
                                                    "wrong", "lost",  "left",   "hang"};

struct one_case {
    int verb, class;
    enum fault_kind kind;
    long which;
};

/* ---- A child process ---- */

static const char *program;
static sigset_t child_ended; /* the blocked signal SIGCHLD, for which sigtimedwait waits */
static char *root;           /* a temporary folder, which contains the folders of workers and of references */

/* The folder of a worker, and paths in this folder. `home` is the current folder. `out` and `err` are the command's
 * standard output and standard error. `shared` is the file with struct fault_state. */
static struct worker_folder {
    char *folder, *home, *tmp, *out, *err, *shared;
    struct fault_state *state;
    bool is_fresh, is_dirty; /* is_fresh: home was made without results; is_dirty: home has changed since then */
} here;

static void place_begin(const char *name) {
    here = (struct worker_folder){.folder = text_format("%s/%s", root, name), .is_dirty = true};
    here.home = text_format("%s/home", here.folder);
    here.tmp = text_format("%s/tmp", here.folder);
    here.out = text_format("%s/stdout", here.folder);
    here.err = text_format("%s/stderr", here.folder);
    here.shared = text_format("%s/state", here.folder);
    mkdir(here.folder, 0755);
    mkdir(here.home, 0755);
    mkdir(here.tmp, 0755);
    const int file = open(here.shared, O_RDWR | O_CREAT, 0666);
    if (chdir(here.home) || file < 0 || ftruncate(file, sizeof *here.state) || fchmod(file, 0666) ||
        chmod(here.tmp, 01777) || chmod(here.folder, 01777)) {
        perror("faults");
        exit(EXIT_FAILURE);
    }
    here.state = mmap(NULL, sizeof *here.state, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    setenv("TMPDIR", here.tmp, 1);
    setenv("FAULTS_STATE", here.shared, 1);
    setenv("SPRINGBACK_LOCKS", here.folder, 1); /* own locks: timed runs do not wait for other workers */
}

/* In the child process: run a command with the fault of a case. */
static void become(const char *command, const struct one_case *c) {
    char *text = text_copy(command), *rest = text, *words[WORDS_MOST + 2] = {(char *)program};
    for (int w = 1; rest && w <= WORDS_MOST; ++w)
        words[w] = strsep(&rest, " ");
    const int out = open(here.out, O_WRONLY | O_CREAT | O_TRUNC, 0666), in = open("/dev/null", O_RDONLY),
              err = open(here.err, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    dup2(in, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    close(in);
    close(out);
    close(err);
    if (c && c->class == STUB) {
        char *path = text_format("%s/%s:%s", root, stubs[c->which - 1].name, getenv("PATH"));
        setenv("PATH", path, 1);
    } else if (strncmp(command, "meshes", 6) != 0) {
        setenv("LD_PRELOAD", LIBRARY, 1);
    }
    if (c && c->class == FOLDER &&
        (setgroups(0, NULL) || setresgid(NOBODY, NOBODY, NOBODY) || setresuid(NOBODY, NOBODY, NOBODY)))
        _exit(98);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execv(program, words);
    _exit(127);
}

/* Run a command. Returns the status of waitpid, or -1 if the command was killed because it did not end in
 * time. */
static int run(const char *command, const struct one_case *c, enum fault_kind kind) {
    struct fault_state *state = here.state;
    state->call = c && c->class < CALL_CLASSES ? (enum call_class)c->class : CALL_ALLOC;
    state->kind = kind;
    state->which = c ? c->which : 0;
    if (c)
        state->failed.depth = state->crashed.depth = 0;
    memset(state->calls, 0, sizeof state->calls);
    const pid_t child = fork();
    if (child == 0)
        become(command, c);
    const struct timespec patience = {c && c->class == STUB ? TETGEN_PATIENCE : PATIENCE, 0};
    int how = 0;
    if (sigtimedwait(&child_ended, NULL, &patience) == SIGCHLD) {
        waitpid(child, &how, 0);
        return how;
    }
    kill(child, SIGKILL);
    waitpid(child, &how, 0);
    sigtimedwait(&child_ended, NULL, &(struct timespec){0, 0});
    return -1;
}

/* ---- The expected results ---- */

static struct tree before[2]; /* the content of `home` with which cases begin: without results, and with results */
static struct reference {
    struct tree after;
    struct item said;
    char *home;
    long calls[CALL_CLASSES];
    long *allocations; /* for each call stack, the number of its first allocation; ascending */
    long allocation_count;
} references[VERBS];

static void home_make(bool is_fresh) {
    if (!here.is_dirty && here.is_fresh == is_fresh)
        return;
    const struct tree *tree = &before[!is_fresh];
    folder_empty(here.home);
    for (int i = 0; i < tree->count; ++i)
        text_write(tree->items[i].path, tree->items[i].bytes, tree->items[i].size);
    here.is_fresh = is_fresh;
    here.is_dirty = false;
}

struct stacked {
    uint64_t stack;
    long number;
};

static int by_stack(const void *a, const void *b) {
    const struct stacked *x = a, *y = b;
    return x->stack != y->stack ? (x->stack < y->stack ? -1 : 1) : (x->number > y->number) - (x->number < y->number);
}

static int by_number(const void *a, const void *b) {
    return (*(const long *)a > *(const long *)b) - (*(const long *)a < *(const long *)b);
}

/* Find the first allocation of each call stack. */
static void choose_allocations(struct reference *reference) {
    const long count = reference->calls[CALL_ALLOC] < LISTED_MOST ? reference->calls[CALL_ALLOC] : LISTED_MOST;
    struct stacked *all = memory_new((size_t)count, sizeof *all);
    reference->allocations = memory_new((size_t)count, sizeof *reference->allocations);
    for (long k = 0; k < count; ++k)
        all[k] = (struct stacked){here.state->listed[k], k + 1};
    qsort(all, (size_t)count, sizeof *all, by_stack);
    for (long k = 0; k < count; ++k)
        if (k == 0 || all[k].stack != all[k - 1].stack)
            reference->allocations[reference->allocation_count++] = all[k].number;
    qsort(reference->allocations, (size_t)reference->allocation_count, sizeof(long), by_number);
    free(all);
}

/* Run a command twice without faults, and store its results. If a file differs between the two runs, its bytes are not
 * compared in the cases; but the results in a trace are compared (trace_wrong). Returns false, after a message, if the
 * command fails. */
static bool refer(int v) {
    struct reference *reference = &references[v];
    char *name = text_format("reference-%s", verbs[v].name);
    place_begin(name);
    free(name);
    home_make(verbs[v].traits & FRESH);
    const int how = run(verbs[v].command, NULL, FAULT_LIST);
    if (!WIFEXITED(how) || WEXITSTATUS(how)) {
        fprintf(stderr, "faults: the undisturbed %s fails: see %s\n", verbs[v].name, here.folder);
        return false;
    }
    for (int c = 0; c < CALL_CLASSES; ++c)
        reference->calls[c] = here.state->calls[c];
    choose_allocations(reference);
    struct tree first = tree_read();
    here.is_dirty = true;
    home_make(verbs[v].traits & FRESH);
    run(verbs[v].command, NULL, FAULT_NONE);
    reference->home = here.home;
    reference->after = tree_read();
    reference->said.bytes = bytes_of(here.out, &reference->said.size);
    for (int i = 0; i < reference->after.count; ++i) {
        struct item *item = &reference->after.items[i];
        item->is_loose = !item_equals(item, tree_find(&first, item->path));
        if (item->is_loose)
            fprintf(stderr, "faults: %s: %s differs between two undisturbed calls, so its bytes may differ\n",
                    verbs[v].name, item->path);
    }
    tree_free(&first);
    munmap(here.state, sizeof *here.state);
    return true;
}

/* ---- The checks ---- */

/* A copy of the output in which 0 replaces every number of seconds, because a fault can change all later times. For
 * example, a library that cannot open /dev/urandom reads the simulated clock, and each reading advances this clock. */
static struct item without_seconds(const struct item *said) {
    struct item copy = {.bytes = memory_new(said->size + 1, 1)};
    for (size_t i = 0; i < said->size;) {
        const size_t number = strspn(said->bytes + i, "0123456789.");
        const bool is_time = number && !strncmp(said->bytes + i + number, " s ", 3);
        const size_t taken = number ? number : 1;
        if (is_time)
            copy.bytes[copy.size++] = '0';
        else
            memcpy(copy.bytes + copy.size, said->bytes + i, taken);
        copy.size += is_time ? 0 : taken;
        i += taken;
    }
    return copy;
}

static bool said_equals(const struct item *a, const struct item *b) {
    struct item first = without_seconds(a), second = without_seconds(b);
    const bool equal = item_equals(&first, &second);
    free(first.bytes);
    free(second.bytes);
    return equal;
}

static bool ends_with(const char *text, const char *end) {
    const size_t length = strlen(text), own = strlen(end);
    return length >= own && !strcmp(text + length - own, end);
}

/* NULL if a trace has the reference's results; otherwise what differs. */
static const char *trace_wrong(const char *path, const char *home) {
    char *other = text_format("%s/%s", home, path);
    struct trace_data trace, wanted;
    const char *wrong = NULL;
    failure_clear();
    if (trace_open(path, &trace)) {
        wrong = "cannot be opened";
    } else {
        if (trace_open(other, &wanted)) {
            wrong = "cannot be compared, because the trace of the undisturbed program cannot be opened";
        } else {
            wrong = !trace.whole ? "is not whole"
                    : trace.repeats != wanted.repeats || trace.timed_frames != wanted.timed_frames
                        ? "has another number of repeats or of timed frames"
                        : trace_difference(&trace, &wanted);
            trace_close(&wanted);
        }
        trace_close(&trace);
    }
    free(other);
    return wrong;
}

struct verdict {
    enum outcome outcome;
    char why[256];
};

static struct verdict verdict(enum outcome outcome, const char *path, const char *why) {
    struct verdict v = {.outcome = outcome};
    char *text = text_format("%s%s%s", path, *path ? " " : "", why);
    strncpy(v.why, text, sizeof v.why - 1);
    free(text);
    return v;
}

/* Compare the files with those after the undisturbed command. If the command failed, each file may also be as it was
 * before the command. */
static struct verdict judge_files(int verb, const struct tree *now, bool failed, bool was_killed) {
    const struct tree *after = &references[verb].after, *was = &before[!(verbs[verb].traits & FRESH)];
    for (int i = 0; i < was->count; ++i)
        if (!tree_find(now, was->items[i].path))
            return verdict(LOST, was->items[i].path, "is gone");
    for (int i = 0; i < after->count && !failed; ++i)
        if (!tree_find(now, after->items[i].path) && !ends_with(after->items[i].path, "/.lock"))
            return verdict(WRONG, after->items[i].path, "is missing");
    for (int i = 0; i < now->count; ++i) {
        const struct item *item = &now->items[i], *old = tree_find(was, item->path),
                          *new = tree_find(after, item->path);
        if (failed &&
            (ends_with(item->path, ".vtkhdf.part") || (verbs[verb].again && ends_with(item->path, "/runs.tsv"))))
            continue; /* this is a part file that can be resumed, or the manifest, which records the failure */
        if (was_killed && ends_with(item->path, ".part")) /* `springback clean` removes such files later */
            continue;
        if (!old && !new)
            return verdict(LEFT, item->path, "is left behind");
        if (item_equals(item, new) || (failed && item_equals(item, old)))
            continue;
        const bool is_trace = !strncmp(item->path, "out/", 4) && ends_with(item->path, ".vtkhdf");
        const char *wrong = is_trace && new ? trace_wrong(item->path, references[verb].home)
                            : (new &&new->is_loose)
                                ? NULL
                                : "differs from the file before the command and from the undisturbed result";
        if (wrong)
            return verdict(old ? LOST : WRONG, item->path, wrong);
    }
    return verdict(failed ? NAMED : RIGHT, "", "");
}

static bool tmp_is_empty(char path[static 256]) {
    char *const roots[] = {here.tmp, NULL};
    FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    bool empty = true;
    for (FTSENT *entry; (entry = fts_read(walk));)
        if (entry->fts_level > 0 && entry->fts_info != FTS_DP) {
            snprintf(path, 256, "TMPDIR/%s", entry->fts_name);
            empty = false;
        }
    fts_close(walk);
    return empty;
}

/* Whether the program can list a folder after the fault. If it cannot, it cannot remove its temporary folder either. */
static bool can_list(const struct one_case *c) {
    return c->kind != FAULT_ALWAYS || (c->class != CALL_ALLOC && c->class != CALL_OPEN && c->class != CALL_READ);
}

static struct verdict judge_end(const struct one_case *c, int how, const struct tree *now) {
    const struct reference *reference = &references[c->verb];
    struct item said, told;
    char left[256];
    if (how == -1)
        return verdict(HUNG, "", "does not end");
    const bool was_killed = c->kind == FAULT_KILL && WIFSIGNALED(how) && WTERMSIG(how) == SIGKILL;
    if (WIFSIGNALED(how) && !was_killed)
        return verdict(SIGNALLED, "ended by signal", strsignal(WTERMSIG(how)));
    const int code = was_killed ? 2 : WEXITSTATUS(how);
    said.bytes = bytes_of(here.out, &said.size);
    told.bytes = bytes_of(here.err, &told.size);
    struct verdict v = judge_files(c->verb, now, code != 0, was_killed);
    if (code != 0 && code != 2) {
        char text[32];
        snprintf(text, sizeof text, "exit code %d", code);
        v = verdict(UNNAMED, text, told.bytes);
    } else if (code == 2 && !was_killed && told.size == 0 && !((verbs[c->verb].traits & JUDGE) && said.size > 0)) {
        v = verdict(UNNAMED, "", "exit code 2 without a message");
    } else if (code == 0 && v.outcome == RIGHT && c->class != STUB && c->class != CALL_CLOCK &&
               !said_equals(&said, &reference->said)) {
        v = verdict(WRONG, "", "standard output differs");
    } else if (v.outcome <= NAMED && !was_killed && can_list(c) && !tmp_is_empty(left)) {
        v = verdict(LEFT, left, "is left behind");
    }
    free(said.bytes);
    free(told.bytes);
    return v;
}

static struct verdict judge_again(const struct one_case *c, struct verdict first) {
    const int how = run(verbs[c->verb].again, NULL, FAULT_NONE);
    if (how != 0)
        return verdict(LOST, "", "the undisturbed command fails afterwards");
    struct tree now = tree_read();
    const struct verdict v = judge_files(c->verb, &now, false, c->kind == FAULT_KILL);
    tree_free(&now);
    if (v.outcome == RIGHT)
        return first;
    struct verdict bad = verdict(v.outcome == LEFT ? LEFT : LOST, "afterwards, undisturbed:", v.why);
    return bad;
}

static struct verdict try_case(const struct one_case *c) {
    home_make(verbs[c->verb].traits & FRESH);
    folder_empty(here.tmp);
    const int how = run(verbs[c->verb].command, c, c->kind);
    struct tree now = tree_read();
    struct verdict v = judge_end(c, how, &now);
    /* If TetGen fails, the command may give another result. judge_again checks that the command `again` replaces this
     * result. */
    if (c->class == STUB && v.outcome == WRONG)
        v = verdict(NAMED, "", "");
    here.is_dirty = !tree_equals(&now, &before[!(verbs[c->verb].traits & FRESH)]);
    tree_free(&now);
    if (v.outcome == NAMED && verbs[c->verb].again) {
        here.is_dirty = true;
        v = judge_again(c, v);
    }
    return v;
}

/* ---- All cases ---- */

static struct one_case *cases;
static int case_count;

static void add_case(struct one_case c) {
    cases = memory_grow(cases, (size_t)case_count + 1, sizeof *cases);
    cases[case_count++] = c;
}

static void add_calls(int verb, int class, enum fault_kind kind, int sample) {
    const struct reference *reference = &references[verb];
    const bool is_alloc = class == CALL_ALLOC;
    const long count = is_alloc ? reference->allocation_count : reference->calls[class];
    const long chosen = sample && sample < count ? sample : count;
    for (long k = 0; k < chosen; ++k) {
        const long at = chosen == count || chosen < 2 ? k : k * (count - 1) / (chosen - 1);
        add_case((struct one_case){verb, class, kind, is_alloc ? reference->allocations[at] : at + 1});
    }
}

/* Whether calls of a class can have this kind of fault. */
static bool has_kind(int verb, int class, enum fault_kind kind) {
    switch (kind) {
    case FAULT_ONCE:
    case FAULT_ALWAYS:
        return class != CALL_CLOCK;
    case FAULT_HALF:
        return class == CALL_READ || class == CALL_WRITE;
    case FAULT_KILL: /* only system calls can change what the next run sees */
        return verbs[verb].again && class != CALL_ALLOC && class != CALL_CLOCK;
    case FAULT_AHEAD:
    case FAULT_BACK:
        return class == CALL_CLOCK;
    default:
        return false;
    }
}

static void choose_cases(int sample) {
    for (int s = 0; s < STUBS; ++s)
        add_case((struct one_case){TETGEN, STUB, FAULT_ALWAYS, s + 1});
    for (int v = 0; v < TETGEN; ++v) {
        for (int c = 0; c < CALL_CLASSES; ++c)
            for (int kind = 0; kind < FAULT_KINDS; ++kind)
                if (has_kind(v, c, (enum fault_kind)kind))
                    add_calls(v, c, (enum fault_kind)kind, sample);
        if (geteuid() == 0)
            add_case((struct one_case){v, FOLDER, FAULT_ALWAYS, 1});
    }
}

static char *case_name(const struct one_case *c) {
    return text_format("%s/%s/%s/%ld", verbs[c->verb].name, class_names[c->class], kind_names[c->kind], c->which);
}

static bool case_read(const char *name, struct one_case *c) {
    for (c->verb = 0; c->verb < VERBS; ++c->verb)
        for (c->class = 0; c->class < CLASSES; ++c->class)
            for (int kind = 0; kind < FAULT_KINDS; ++kind) {
                char *begin = text_format("%s/%s/%s/", verbs[c->verb].name, class_names[c->class], kind_names[kind]);
                const bool is_it = !strncmp(name, begin, strlen(begin));
                c->kind = (enum fault_kind)kind;
                c->which = is_it ? strtol(name + strlen(begin), NULL, 10) : 0;
                free(begin);
                if (is_it)
                    return true;
            }
    return false;
}

/* The source of an address within the program, as function:line. The caller frees it. */
static char *line_of(unsigned long offset) {
    char *command = text_format("addr2line -f -s -e '%s' 0x%lx", program, offset), function[256], line[256];
    FILE *told = popen(command, "r"); /* NOLINT(cert-env33-c) */
    const bool good = told && fgets(function, sizeof function, told) && fgets(line, sizeof line, told);
    if (told)
        pclose(told);
    sigtimedwait(&child_ended, NULL, &(struct timespec){0, 0}); /* remove the SIGCHLD of addr2line; run() waits for
                                                                   the SIGCHLD of a command */
    free(command);
    if (!good)
        return text_copy("?");
    function[strcspn(function, "\n")] = 0;
    const char *colon = strchr(line, ':'); /* "file.c:12 (discriminator 3)" */
    return text_format("%s%.*s", function, colon ? (int)strcspn(colon, " \n") : 0, colon ? colon : "");
}

/* The functions of a call stack, innermost first: at most `most` functions of the program and of libc. If successive
 * functions are of one library, only the innermost is listed. The caller frees the text. */
static char *stack_told(const struct fault_stack *stack, int most) {
    char *told = text_copy("");
    const char *last = "libfaults_inject.so";
    for (int f = 0; f < stack->depth && most > 0; ++f) {
        const char *module = stack->frames[f].module, *symbol = stack->frames[f].symbol;
        const bool is_own = !strcmp(module, strrchr(program, '/') + 1);
        if ((!is_own && !strcmp(module, last)) || (!*told && !strcmp(module, "libc.so.6")))
            continue;
        char *here_told = is_own ? line_of(stack->frames[f].offset - 1) : text_format("%s(%s)", module, symbol),
             *longer = text_format("%s%s%s", told, *told ? " < " : "", here_told);
        free(here_told);
        free(told);
        told = longer;
        last = module;
        most -= is_own || !strcmp(module, "libc.so.6");
    }
    return told;
}

static struct tally { atomic_int next, counts[VERBS][CLASSES][OUTCOMES]; } * tally;

static void log_bad(int log, const struct one_case *c, const struct verdict *v) {
    char *name = case_name(c), *failed = stack_told(&here.state->failed, 4),
         *crashed = stack_told(&here.state->crashed, 3);
    for (char *at = (char *)v->why; *at; ++at)
        *at = *at == '\n' || *at == '\t' ? ' ' : *at;
    char *line = text_format("%s\t%s\t%s\t%s\t%s\t%s\n", outcome_names[v->outcome], class_names[c->class],
                             *crashed ? crashed : failed, v->why, *crashed ? failed : "", name);
    (void)!write(log, line, strlen(line));
    free(line);
    free(crashed);
    free(failed);
    free(name);
}

static void work(int worker, int log) {
    char *name = text_format("worker-%d", worker);
    place_begin(name);
    free(name);
    for (int k; (k = tally->next++) < case_count;) {
        const struct verdict v = try_case(&cases[k]);
        tally->counts[cases[k].verb][cases[k].class][v.outcome]++;
        if (v.outcome > NAMED)
            log_bad(log, &cases[k], &v);
    }
    _exit(EXIT_SUCCESS);
}

static int print_table(void) {
    int bad = 0;
    printf("%-8s %-7s %7s", "command", "class", "tried");
    for (int o = 0; o < OUTCOMES; ++o)
        printf(" %7s", outcome_names[o]);
    putchar('\n');
    for (int v = 0; v < VERBS; ++v)
        for (int c = 0; c < CLASSES; ++c) {
            int tried = 0;
            for (int o = 0; o < OUTCOMES; ++o)
                tried += tally->counts[v][c][o];
            if (!tried)
                continue;
            printf("%-8s %-7s %7d", verbs[v].name, class_names[c], tried);
            for (int o = 0; o < OUTCOMES; ++o) {
                const int count = tally->counts[v][c][o];
                bad += o > NAMED ? count : 0;
                char *text = count ? text_format("%d", count) : text_copy("-");
                printf(" %7s", text);
                free(text);
            }
            putchar('\n');
        }
    return bad;
}

/* Make the two contents of `home` with which cases begin, by undisturbed commands with the simulated clock. Also make
 * the programs that replace TetGen. */
static bool prepare(void) {
    static const char catalogue[] = "meshes:\n"
                                    "  cube:\n"
                                    "    doc: a cube\n"
                                    "    tetrahedra: -pY\n"
                                    "    counts: {vertices: 26, triangles: 48}\n"
                                    "    sources:\n"
                                    "      - formula: {name: cube, squares: 2}\n";
    place_begin("setup");
    text_write(FILE_OF, experiment, sizeof experiment - 1);
    text_write("paper_checks/test.yaml", claims, sizeof claims - 1);
    text_write("meshes.yaml", catalogue, sizeof catalogue - 1);
    before[0] = tree_read();
    for (int v = 0; v < VERBS; ++v)
        if ((verbs[v].traits & FIRST) && run(verbs[v].command, NULL, FAULT_NONE)) {
            fprintf(stderr, "faults: the undisturbed `%s` fails: see %s\n", verbs[v].command, here.folder);
            return false;
        }
    before[1] = tree_read();
    for (int s = 0; s < STUBS; ++s) {
        char *path = text_format("%s/%s/tetgen", root, stubs[s].name),
             *script = text_format("#!/bin/sh\n%s\n", stubs[s].script);
        text_write(path, script, strlen(script));
        chmod(path, 0755);
        free(script);
        free(path);
    }
    return true;
}

static void environment(void) {
    char *none = text_format("%s/none", root), *bodies = text_copy("bodies");
    mkdir(none, 0755);
    setenv("OCL_ICD_VENDORS", none, 1); /* no OpenCL, because its libraries are not tested here */
    setenv("SPRINGBACK_BODIES", bodies, 1);
    setenv("OMP_NUM_THREADS", "1", 1);
    setenv("LC_ALL", "C.UTF-8", 1);
    unsetenv("SPRINGBACK_MESHES");
    unsetenv("SPRINGBACK_KERNELS");
    sigemptyset(&child_ended);
    sigaddset(&child_ended, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child_ended, NULL);
    free(none);
    free(bodies);
}

/* Keep part `part` of `parts` parts of the cases: every parts-th case, beginning with case number `part`, from 1. */
static void take_part(int part, int parts) {
    int kept = 0;
    for (int k = part - 1; k < case_count; k += parts)
        cases[kept++] = cases[k];
    case_count = kept;
}

static int run_all(int sample, int part, int parts, const char *log_path) {
    const int log = open(log_path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0666);
    choose_cases(sample);
    take_part(part, parts);
    fprintf(stderr, "faults: %d cases\n", case_count);
    tally = mmap(NULL, sizeof *tally, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    const int workers = (int)sysconf(_SC_NPROCESSORS_ONLN) + 1; /* one worker mostly waits for TetGen */
    for (int w = 0; w < workers; ++w)
        if (fork() == 0)
            work(w, log);
    bool good = log >= 0;
    for (int w = 0, how; w < workers; ++w)
        good = wait(&how) > 0 && how == 0 && good;
    const int bad = print_table();
    fflush(stdout);
    if (bad) {
        printf("\n%d of %d cases are bad. Their outcomes, classes and call stacks, most frequent first:\n", bad,
               case_count);
        fflush(stdout);
        char *command = text_format("cut -f1-3 '%s' | sort | uniq -c | sort -rn | head -40", log_path);
        (void)!system(command); /* NOLINT(cert-env33-c) */
        printf("%s has all bad cases with their names. To try one again: faults %s CASE\n", log_path, program);
        free(command);
    } else {
        printf("%d cases: each gave the undisturbed result, or a message and exit code 2\n", case_count);
    }
    if (geteuid() != 0)
        printf("not tried: a folder that is not writable, because this needs root\n");
    return good && !bad ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int run_one(const struct one_case *c) {
    place_begin("again");
    const struct verdict v = try_case(c);
    char *name = case_name(c), *failed = stack_told(&here.state->failed, STACK_DEPTH),
         *crashed = stack_told(&here.state->crashed, STACK_DEPTH);
    printf("springback %s\n%s: %s %s\nfailed in: %s\ncrashed in: %s\nfiles: %s\n", verbs[c->verb].command, name,
           outcome_names[v.outcome], v.why, failed, crashed, here.folder);
    free(crashed);
    free(failed);
    free(name);
    return v.outcome > NAMED ? EXIT_FAILURE : EXIT_SUCCESS;
}

int main(int count, char **words) {
    const char *what = count > 2 ? words[2] : "0";
    struct one_case c = {.verb = VERBS};
    const bool is_all = *what && strspn(what, "0123456789") == strlen(what);
    program = count > 1 ? realpath(words[1], NULL) : NULL;
    char *slash, *end = NULL;
    const char *share = count > 3 ? words[3] : "1/1";
    const long part = strtol(share, &slash, 10), parts = *slash == '/' ? strtol(slash + 1, &end, 10) : 0;
    const bool is_part = parts >= 1 && !*end && part >= 1 && part <= parts && parts < 1000000;
    if (!program || !is_part || (!is_all && !case_read(what, &c))) {
        fprintf(stderr,
                "usage: faults PROGRAM [SAMPLE [PART/PARTS] | CASE]; a case is, for example, run/write/once/12\n");
        return EXIT_FAILURE;
    }
    char *folder = realpath(".", NULL), *log = text_format("%s/faults.log", folder);
    root = text_copy(access("/dev/shm", W_OK) ? "/tmp/springback-faults-XXXXXX" : "/dev/shm/springback-faults-XXXXXX");
    bool good = mkdtemp(root) && !chmod(root, 0755);
    if (good)
        environment();
    good = good && prepare();
    for (int v = 0; v < VERBS && good; ++v)
        good = (!is_all && v != c.verb) || refer(v);
    if (!good)
        return EXIT_FAILURE;
    const int status = is_all ? run_all((int)strtol(what, NULL, 10), (int)part, (int)parts, log) : run_one(&c);
    char *command = text_format("rm -rf '%s'", root);
    if (is_all && system(command)) /* NOLINT(cert-env33-c) */
        return EXIT_FAILURE;
    free(command);
    free(log);
    free(folder);
    return status;
}
