/* The progress bar is printed only on a terminal. Colours are printed only on a terminal, unless --color requests them.
 * The tests use a pseudo-terminal. */
#include "base/amount.h"
#include "base/progress.h"
#include "base/terminal.h"
#include "support.h"

#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

static char *home;

/* All output of the terminal until now. */
static struct {
    char text[1 << 20];
    size_t length;
} shown;

static void setup(void) {
    home = folder_temporary();
    cr_assert_eq(chdir(home), 0);
    setenv("TERM", "xterm", 1);
    setenv("S", SPRINGBACK, 1);
    unsetenv("NO_COLOR");
}

static void teardown(void) {
    cr_assert_eq(chdir("/"), 0);
    folder_remove(home);
}

TestSuite(terminal, .init = setup, .fini = teardown);

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The number of times that the terminal showed a text. */
static int times(const char *text) {
    int count = 0;
    for (const char *c = shown.text; (c = strstr(c, text)); ++c)
        ++count;
    return count;
}

/* Run the shell command `line` on a terminal with this number of columns; if `line` is NULL, run `function` instead.
 * The child process is killed after 60 s, or when it has shown the text `until` three times (NULL: no such text).
 * Returns the exit code, or -1 if the process was killed. */
static int on_terminal(int columns, const char *until, const char *line, void (*function)(void)) {
    int terminal;
    const struct winsize size = {.ws_row = 24, .ws_col = (unsigned short)columns};
    const pid_t child = forkpty(&terminal, NULL, NULL, &size);
    cr_assert_geq(child, 0);
    if (!child && line)
        _exit(execl("/bin/sh", "sh", "-c", line, (char *)NULL));
    if (!child) {
        function();
        fflush(stdout);
        _exit(0);
    }
    const double end = now() + 60;
    shown.length = 0;
    ssize_t got = 1;
    while (got > 0) {
        struct pollfd ready = {terminal, POLLIN, 0};
        const double left = end - now();
        if (poll(&ready, 1, left > 0 ? (int)(1000 * left) + 1 : 0) > 0)
            got = read(terminal, shown.text + shown.length, sizeof shown.text - 1 - shown.length);
        shown.length += got > 0 ? (size_t)got : 0; /* -1: the child has closed the terminal */
        shown.text[shown.length] = 0;
        if (now() > end || (until && times(until) > 2)) {
            kill(-child, SIGKILL);
            break;
        }
    }
    int status;
    close(terminal);
    cr_assert_eq(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* The final content of the screen, newly allocated. No line may be wider than the screen. "\r" goes to the start of the
 * line; "\033[K" erases the rest of the line. */
static char *screen(void) {
    char *text = memory_new(shown.length + 1, 1), *line = text, *at = text, *end = text;
    for (const char *c = shown.text; *c; ++c) {
        if (*c == '\r') {
            at = line;
        } else if (!strncmp(c, "\033[K", 3)) {
            end = at;
            c += 2;
        } else if (*c == '\n') {
            *end++ = '\n';
            line = at = end;
        } else {
            *at++ = *c;
            end = at > end ? at : end;
        }
    }
    *end = 0;
    return text;
}

/* The number of times that the bar was drawn. *widest is its largest width, in characters. */
static int drawn(size_t *widest) {
    int count = 0;
    *widest = 0;
    for (const char *c = shown.text; (c = strstr(c, "\r")); ++c) {
        const size_t length = strcspn(c + 1, "\033\r\n");
        if (strncmp(c + 1 + length, "\033[K", 3) != 0 || !memchr(c + 1, '%', length))
            continue;
        ++count;
        *widest = length > *widest ? length : *widest;
    }
    return count;
}

#define expect_shown(wanted)    cr_expect(strstr(shown.text, wanted), "\"%s\" is not shown:\n%s", wanted, shown.text)
#define expect_not_shown(other) cr_expect_not(strstr(shown.text, other), "\"%s\" is shown:\n%s", other, shown.text)

/* ---- The bar ---- */

static void rest(double seconds) {
    const struct timespec t = {(time_t)seconds, (long)(1e9 * (seconds - (double)(time_t)seconds))};
    nanosleep(&t, NULL);
}

/* 2.5 s of work in 250 steps, with a line of output after every 50 steps. */
static void work(void) {
    progress_begin(250);
    for (int step = 0; step < 250; ++step) {
        progress_show(step, "a part of the work with a name that is rather long", "steps", step, 250);
        rest(0.01);
        if (step % 50 == 49) {
            progress_hide();
            printf("line %d\n", step);
            fflush(stdout);
        }
    }
    progress_end();
    printf("end\n");
}

static void short_work(void) {
    progress_begin(50);
    for (int step = 0; step < 50; ++step) {
        progress_show(step, "work", "steps", step, 50);
        rest(0.01);
    }
    progress_end();
    printf("end\n");
}

Test(terminal, the_bar_is_drawn_ten_times_a_second_at_most_and_leaves_the_lines_alone) {
    size_t widest;
    const double begin = now();
    cr_assert_eq(on_terminal(100, NULL, NULL, work), 0);
    const double took = now() - begin;
    const int count = drawn(&widest);
    cr_expect(count > 10 && count <= 10 * took + 1, "drawn %d times in %g s", count, took);
    cr_expect_lt(widest, 100);
    expect_shown(" of 250 steps, ");
    expect_shown("/s  ");
    expect_shown(" s left");
    expect_shown("[####");
    char *left = screen();
    cr_expect_str_eq(left, "line 49\nline 99\nline 149\nline 199\nline 249\nend\n", "%s", left);
    free(left);
}

Test(terminal, the_bar_keeps_within_a_narrow_window) {
    size_t widest;
    cr_assert_eq(on_terminal(30, NULL, NULL, work), 0);
    cr_expect_gt(drawn(&widest), 10);
    cr_expect_lt(widest, 30);
    expect_shown(" s left");
}

Test(terminal, short_work_and_terminals_that_cannot_redraw_get_no_bar) {
    cr_assert_eq(on_terminal(100, NULL, NULL, short_work), 0);
    cr_expect_str_eq(shown.text, "end\r\n");
    setenv("TERM", "dumb", 1);
    cr_assert_eq(on_terminal(100, NULL, NULL, work), 0);
    expect_not_shown("%");
    expect_not_shown("\033");
}

/* ---- The command ---- */

static const char cloth[] = "springback: 1\n"
                            "paper: test\n"
                            "title: A small cloth\n"
                            "body:\n"
                            "  cloth: {nodes: [6, 5], springs: [structural, shear, bend], pins: corners}\n"
                            "  node_mass: 1 kg\n"
                            "method: {name: mass_spring, stiffness: 100 N/m, damping: 0.1 N s/m}\n"
                            "time: {step: [1 ms, 0.2 s], steps_per_frame: 10, frames: 100}\n"
                            "record: {every: 0}\n";

static void write_cloth(void) {
    cr_assert_eq(system("mkdir paper"), 0); /* NOLINT(cert-env33-c) */
    text_write("paper/cloth.yaml", cloth);
}

Test(terminal, a_long_run_shows_its_frames_its_rate_and_the_time_left) {
    write_cloth();
    size_t widest;
    const char *line =
        "\"$S\" run paper/cloth.yaml --out out --set 'time.frames=[10, 10000000]' --set 'time.step=1 ms'";
    cr_assert_eq(on_terminal(120, " left  frames=10000000", line, NULL), -1, "%s", shown.text);
    cr_expect_gt(drawn(&widest), 1, "%s", shown.text);
    cr_expect_lt(widest, 120);
    expect_shown(" of 10000000 frames, ");
    expect_shown("/s  ");
    char *left = screen();
    const char *done = strstr(left, "\n  whole        10 frames "); /* the finished run, on a separate line */
    cr_expect(done && !strstr(done + 1, "\n  whole "), "%s", left);
    free(left);
    char *elsewhere = text_format("timeout -s KILL 1 %s 2>err; ! grep %% err", line);
    cr_assert_eq(on_terminal(120, NULL, elsewhere, NULL), 0, "%s", shown.text);
    free(elsewhere);
    elsewhere = text_format("timeout -s KILL 1 %s --quiet", line);
    on_terminal(120, NULL, elsewhere, NULL);
    cr_expect_not(strchr(shown.text, '%'), "%s", shown.text);
    free(elsewhere);
}

Test(terminal, outcomes_are_coloured_on_a_terminal_alone) {
    write_cloth();
    const char *diverged = "\033[33mdiverged\033[0m ";
    cr_assert_eq(on_terminal(120, NULL, "\"$S\" run paper/cloth.yaml --out out", NULL), 0);
    expect_shown(diverged);
    expect_not_shown("whole\033");
    static const struct {
        const char *words;
        bool coloured;
    } cases[] = {
        {"\"$S\" run --force paper/cloth.yaml --out out | cat", false},
        {"\"$S\" run --force paper/cloth.yaml --out out --color | cat", true},
        {"NO_COLOR=1 \"$S\" run --force paper/cloth.yaml --out out", false},
        {"NO_COLOR= \"$S\" run --force paper/cloth.yaml --out out", true},
        {"NO_COLOR=1 \"$S\" run --force paper/cloth.yaml --out out --color=always", true},
        {"TERM=dumb \"$S\" run --force paper/cloth.yaml --out out", false},
        {"\"$S\" run --force paper/cloth.yaml --out out --color=never", false},
        {"\"$S\" run --force paper/cloth.yaml --out out --color=always --json", false},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
        cr_assert_eq(on_terminal(120, NULL, cases[c].words, NULL), 0);
        expect_shown("diverged");
        cr_expect_eq(strstr(shown.text, diverged) != NULL, cases[c].coloured, "%s: %s", cases[c].words, shown.text);
        cr_expect_eq(strstr(shown.text, "\033[") != NULL, cases[c].coloured, "%s: %s", cases[c].words, shown.text);
    }
}

Test(terminal, verdicts_have_calm_colours_and_a_change_stands_out) {
    write_cloth();
    text_write("claims.yaml",
               "springback: 1\n"
               "paper: test\n"
               "claims:\n"
               "  - id: test.fall\n"
               "    where: Sec. 1\n"
               "    says: it falls at 100 m/s\n"
               "    kind: value\n"
               "    from: {experiment: paper/cloth, select: {time.step: 0.001 s}, quantity: largest_speed, "
               "over_frames: max}\n"
               "    reported: 100 m/s\n"
               "    tolerance: {relative: 5 %}\n"
               "    recorded: matches\n"
               "    why: five in a hundred, as a guess\n"
               "  - id: test.sum\n"
               "    where: Sec. 2\n"
               "    says: two and two make four\n"
               "    kind: consistency\n"
               "    compute: a + b\n"
               "    with: {a: 2, b: 2}\n"
               "    reported: 4\n"
               "    recorded: matches\n"
               "  - id: test.elsewhere\n"
               "    where: Sec. 3\n"
               "    says: it falls\n"
               "    kind: capability\n"
               "    from: {experiment: paper/cloth, select: {backend: threads}, same: state_hash}\n");
    cr_assert_eq(on_terminal(120, NULL, "\"$S\" run paper/cloth.yaml --out out -q", NULL), 0);
    cr_assert_eq(on_terminal(120, NULL, "\"$S\" check claims.yaml --out out", NULL), 1, "%s", shown.text);
    expect_shown("test.fall       \033[31mdiffers\033[0m  ");
    expect_shown("  \033[1;31mCHANGED\033[0m, was: matches\r\n");
    expect_shown("\033[32mmatches\033[0m  ");
    expect_shown("\033[2mnot run\033[0m  ");
    cr_assert_eq(on_terminal(120, NULL, "\"$S\" check claims.yaml --out out >plain; cat plain; rm plain", NULL), 0);
    expect_shown("CHANGED, was: matches");
    expect_not_shown("\033");
    cr_assert_eq(on_terminal(120, NULL, "\"$S\" check claims.yaml --out out --json --color=always", NULL), 1);
    expect_shown("\"verdict\":\"differs\"");
    expect_not_shown("\033");
    on_terminal(50, NULL, "\"$S\" check claims.yaml --out out --color=never", NULL);
    for (const char *line = shown.text; *line; line += strcspn(line, "\n") + 1)
        cr_expect_leq(strcspn(line, "\r\n"), 50, "%.*s", (int)strcspn(line, "\r\n"), line);
}

/* ---- Amounts ---- */

Test(terminal, amounts_are_written_for_people) {
    static const struct {
        double amount;
        const char *text;
    } times[] = {{0, "0 s"},
                 {1e-5, "1 ms"},
                 {0.0994, "99 ms"},
                 {0.0996, "0.1 s"},
                 {9.94, "9.9 s"},
                 {9.96, "10 s"},
                 {99.4, "99 s"},
                 {99.6, "1 min 40 s"},
                 {3599, "59 min 59 s"},
                 {3661, "61 min 01 s"},
                 {7200, "2 h 00 min"},
                 {360000, "4 d 04 h"},
                 {-1, "?"}},
      bytes[] = {{0, "0 bytes"},    {1, "1 byte"},        {1023, "1023 bytes"},
                 {1024, "1.0 KiB"}, {1048575, "1.0 MiB"}, {2e15, "1.8 PiB"}};
    char out[AMOUNT_SIZE];
    for (size_t t = 0; t < sizeof times / sizeof *times; ++t)
        cr_expect_str_eq(amount_seconds(times[t].amount, out), times[t].text);
    for (size_t b = 0; b < sizeof bytes / sizeof *bytes; ++b)
        cr_expect_str_eq(amount_bytes(bytes[b].amount, out), bytes[b].text);
}
