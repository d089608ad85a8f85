/* The longest that a verb may take: for files from others, which may ask for any time. */
#ifndef SPRINGBACK_BASE_DEADLINE_H
#define SPRINGBACK_BASE_DEADLINE_H

/* After so many seconds, print the message, remove temporary files (base/temporary.h), and end with exit code 2. The
 * message is copied; its end is lost beyond 490 bytes. */
void deadline_set(double seconds, const char *message);

#endif
