#include "base/deadline.h"

#include "base/status.h"
#include "base/temporary.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

static char word[512];

static void end(int signal_number) {
    (void)signal_number;
    (void)!write(STDERR_FILENO, word, strlen(word));
    temporary_remove_all();
    _exit(STATUS_BAD);
}

void deadline_set(double seconds, const char *message) {
    const struct sigaction action = {.sa_handler = end};
    snprintf(word, sizeof word, "\nspringback: %.490s\n", message);
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &(struct itimerval){.it_value = {.tv_sec = (time_t)seconds}}, NULL);
}
