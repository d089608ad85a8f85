/* Being ended from outside: Ctrl-C (SIGINT), SIGTERM, and a deadline. The first signal asks, and whoever works
 * looks now and then whether that has happened; the second ends the program at once. */
#ifndef SPRINGBACK_BASE_INTERRUPT_H
#define SPRINGBACK_BASE_INTERRUPT_H

/* From here on, ask first. A signal that the caller of the program had ignored stays so. */
void interrupt_catch(void);

/* The signal that asked, or 0. */
int interrupt_signal(void);

/* After so many seconds, print the message, remove temporary files (base/file.h), and end with exit code 2: for
 * files from others, which may ask for any time. The message is copied; its end is lost beyond 490 bytes. */
void interrupt_after(double seconds, const char *message);

/* End the program by the signal that asked: a shell then sees 130 or 143 and ends its script, and make stops. Returns
 * where there was none. */
void interrupt_obey(void);

#endif
