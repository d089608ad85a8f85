#include "base/project.h"

#include "base/file.h"
#include "base/memory.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

const char *project_path(const char *path) {
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    static struct words found;
    if (!*path || *path == '/' || file_exists(path))
        return path;
    AUTO_FREE char *prefix = realpath("/proc/self/exe", NULL);
    for (int level = 0; prefix && level < 2; ++level) /* /usr/bin/springback becomes /usr */
        prefix[strrchr(prefix, '/') ? strrchr(prefix, '/') - prefix : 0] = '\0';
    AUTO_FREE char *installed = text_format("%s/share/springback/%s", prefix ? prefix : "", path);
    if (!prefix || !file_exists(installed))
        return path;
    pthread_mutex_lock(&mutex);
    words_add_new(&found, installed);
    for (int w = 0; w < found.count; ++w)
        path = strcmp(found.words[w], installed) ? path : found.words[w];
    pthread_mutex_unlock(&mutex);
    return path;
}

void project_add_claims(struct words *files) {
    AUTO_FREE char *pattern = text_format("%s/*.yaml", project_path("paper_checks"));
    words_add_files(files, pattern);
}
