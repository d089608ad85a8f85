#include "base/interrupt.h"

#include "base/file.h"
#include "base/status.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

static volatile sig_atomic_t received;

static void on_signal(int signal_number) {
    static const char word[] = "\nspringback: stopping after the current work; a second signal stops at once\n";
    if (received) {
        temporary_remove_all();
        signal(signal_number, SIG_DFL);
        raise(signal_number);
        return;
    }
    received = signal_number;
    (void)!write(STDERR_FILENO, word, sizeof word - 1);
}

void interrupt_catch(void) {
    static const int signals[] = {SIGINT, SIGTERM};
    for (unsigned s = 0; s < sizeof signals / sizeof *signals; ++s) {
        struct sigaction old, new = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
        sigemptyset(&new.sa_mask);
        if (!sigaction(signals[s], NULL, &old) && old.sa_handler != SIG_IGN)
            sigaction(signals[s], &new, NULL);
    }
}

static char late_word[512];

static void end_late(int signal_number) {
    (void)signal_number;
    (void)!write(STDERR_FILENO, late_word, strlen(late_word));
    temporary_remove_all();
    _exit(STATUS_BAD);
}

void interrupt_after(double seconds, const char *message) {
    snprintf(late_word, sizeof late_word, "\nspringback: %.490s\n", message);
    sigaction(SIGALRM, &(struct sigaction){.sa_handler = end_late}, NULL);
    setitimer(ITIMER_REAL, &(struct itimerval){.it_value = {.tv_sec = (time_t)seconds}}, NULL);
}

int interrupt_signal(void) {
    return received;
}

void interrupt_obey(void) {
    if (!received)
        return;
    fflush(NULL);
    signal(received, SIG_DFL);
    raise(received);
}
