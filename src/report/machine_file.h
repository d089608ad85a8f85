/* The files of a machine's record, in JSON, as report/machine.h lays them out; and how what they say is put together.
 */
#ifndef SPRINGBACK_REPORT_MACHINE_FILE_H
#define SPRINGBACK_REPORT_MACHINE_FILE_H

#include "report/machine.h"

/* Lists that a machine is put together from. */
struct machine_run *machine_add_run(struct machine *machine);               /* until the next one is added */
struct machine_floor *machine_add_floor(struct machine *machine);           /* likewise; nothing is known of it */
void floor_settle(struct machine_floor *floor);                             /* the best of the samples that there are */
const char *machine_text(struct machine *machine, const char *text);        /* a copy that the machine keeps */
void *machine_array(struct machine *machine, size_t count, size_t size);    /* zeroed, which the machine keeps */
int machine_environment(struct machine *machine, struct attributes *facts); /* takes the facts over; their index */

/* Read machine.json, and the runs of the record where it is one; or a file of floors alone. What the machine has of
 * floors and names already is added to, and kept. Mistakes are told with the file, and the line where the text is no
 * JSON. */
int machine_file_read(const char *file, struct machine *machine);

/* Write machine.json, or a file of floors; and FOLDER/<paper>/<experiment>.json, with the main runs of one. */
int machine_file_write(const char *file, const struct machine *machine);
int machine_file_write_runs(const char *folder, const struct machine *machine, const char *experiment);

#endif
