/* Interruption by Ctrl-C (SIGINT), SIGTERM or a deadline. After the first signal the program continues, and long
 * computations check interrupt_signal and stop early. The second signal ends the program at once. */
#ifndef SPRINGBACK_BASE_INTERRUPT_H
#define SPRINGBACK_BASE_INTERRUPT_H

/* Install the signal handlers. A signal that was already ignored when the program started stays ignored. */
void interrupt_catch(void);

/* The number of the first signal received, or 0. */
int interrupt_signal(void);

/* Set a deadline, which limits the time for untrusted files. After `seconds` (at least 1; fractions are dropped), the
 * program prints `message`, removes temporary files (base/file.h) and ends with exit code 2. The message is copied and
 * cut after 490 bytes. */
void interrupt_after(double seconds, const char *message);

/* If a signal was received, end the program by that signal, so that a shell sees exit code 130 (SIGINT) or 143
 * (SIGTERM), and make stops. If no signal was received, return. */
void interrupt_obey(void);

#endif
