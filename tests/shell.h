/* Run shell commands in a temporary folder of the test, and check their exit codes, output and files. */
#ifndef SPRINGBACK_TESTS_SHELL_H
#define SPRINGBACK_TESTS_SHELL_H

#include "support.h"

#include <glob.h>
#include <stdarg.h>
#include <sys/wait.h>

static char *home; /* a temporary folder of the test, in which the commands run */
static struct {
    int code;        /* the exit code, or 128 + the number of the signal that ended the shell */
    char *out, *err; /* the standard output and the standard error */
} said;              /* the result of the last call of shell() */

static inline void shell_begin(void) {
    home = folder_temporary();
    cr_assert_eq(chdir(home), 0);
    cr_assert_eq(setenv("SPRINGBACK_LOCKS", home, 1), 0); /* own locks, so that no command waits for other tests */
}

static inline void shell_end(void) {
    free(said.out);
    free(said.err);
    cr_assert_eq(chdir("/"), 0);
    folder_remove(home);
}

static inline char *text_read(const char *path) {
    FILE *file = fopen(path, "rb");
    cr_assert_not_null(file, "%s cannot be read", path);
    char *text = memory_new(1 << 20, 1);
    size_t length = fread(text, 1, (1 << 20) - 1, file);
    cr_assert_lt(length, (1 << 20) - 1);
    fclose(file);
    return text;
}

/* Run a shell command line, in which "$S" is the program springback. Returns its exit code; sets `said`. */
static inline int shell(const char *format, ...) __attribute__((format(printf, 1, 2)));

static inline int shell(const char *format, ...) {
    char line[4096];
    va_list arguments;
    va_start(arguments, format);
    cr_assert_lt(vsnprintf(line, sizeof line, format, arguments), (int)sizeof line);
    va_end(arguments);
    cr_assert_eq(setenv("S", SPRINGBACK, 1), 0);
    char *command = text_format("{ %s\n} >.stdout 2>.stderr </dev/null", line);
    int status = system(command); /* NOLINT(cert-env33-c) */
    free(command);
    free(said.out);
    free(said.err);
    said.out = text_read(".stdout");
    said.err = text_read(".stderr");
    said.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return said.code;
}

#define expect_code(expected) cr_expect_eq(said.code, expected, "exit code %d\n%s%s", said.code, said.out, said.err)
#define expect_out(text)      cr_expect(strstr(said.out, text), "standard output lacks \"%s\":\n%s", text, said.out)
#define expect_err(text)      cr_expect(strstr(said.err, text), "standard error lacks \"%s\":\n%s", text, said.err)
#define expect_no_out(text)   cr_expect_not(strstr(said.out, text), "standard output has \"%s\":\n%s", text, said.out)

/* The number of paths that match a shell pattern. */
static inline size_t matching(const char *pattern) {
    glob_t found = {0};
    size_t count = glob(pattern, 0, NULL, &found) ? 0 : found.gl_pathc;
    globfree(&found);
    return count;
}

#endif
