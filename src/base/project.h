/* Files of the project that are installed with the program. */
#ifndef SPRINGBACK_BASE_PROJECT_H
#define SPRINGBACK_BASE_PROJECT_H

#include "base/words.h"

/* Find a file or folder by its path from the root of the project, such as "data/sweeps". Returns `path` if it exists in
 * the working folder. Otherwise returns its path in ../share/springback, relative to the folder of the program, if it
 * exists there. Otherwise returns `path`. An absolute path is returned unchanged. The result is valid until the program
 * ends or, if it is `path` itself, as long as `path` is valid. Safe in threads. */
const char *project_path(const char *path);

/* Add the paths of all files of claims, paper_checks/NAME.yaml, to `files`. */
void project_add_claims(struct words *files);

#endif
