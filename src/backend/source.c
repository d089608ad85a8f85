#include "backend/source.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/status.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *file_text(const char *folder, const char *name) {
    AUTO_FREE char *path = text_format("%s/%s", folder, name);
    char *text = NULL;
    if (access(path, R_OK))
        fail("%s: %s; SPRINGBACK_KERNELS must name a folder with the files of kernels/", path, strerror(errno));
    else if (file_read(path, &text))
        return NULL;
    return text;
}

static char *kernel_text(const char *name, bool embedded) {
    const char *folder = embedded ? NULL : getenv("SPRINGBACK_KERNELS");
    if (folder && *folder)
        return file_text(folder, name);
    for (const struct kernel_file *file = kernel_files; file->name; ++file)
        if (!strcmp(file->name, name))
            return text_copy(file->text);
    fail("kernel file '%s' is not embedded in this program", name);
    return NULL;
}

char *source_read(const char *const *names, int count, bool embedded) {
    char *source = text_copy("");
    for (int f = -1; f <= count; ++f) {
        const char *name = f < 0 ? "dialect.h" : f == count ? "frame.h" : names[f];
        AUTO_FREE char *text = kernel_text(name, embedded);
        if (!text) {
            free(source);
            return NULL;
        }
        /* The text of an included file is already in `source`, so the #include is commented out. */
        for (char *line = text; (line = strstr(line, "#include \"")); ++line)
            memcpy(line, "//", 2);
        text_append(&source, "#line 1 \"kernels/%s\"\n%s\n", name, text);
    }
    return source;
}

void source_digest(const char *source, char out[DIGEST_SIZE]) {
    AUTO_FREE char *normalised = memory_new(2 * strlen(source) + 1, 1);
    char *to = normalised;
    bool is_separate = false; /* white space or a comment precedes *c */
    for (const char *c = source; *c;) {
        if (c[0] == '/' && c[1] == '/') {
            c += strcspn(c, "\n");
            is_separate = true;
        } else if (c[0] == '/' && c[1] == '*') {
            const char *end = strstr(c + 2, "*/");
            c = end ? end + 2 : c + strlen(c);
            is_separate = true;
        } else if (isspace((unsigned char)*c)) {
            ++c;
            is_separate = true;
        } else {
            if (is_separate)
                *to++ = ' ';
            is_separate = false;
            *to++ = *c++;
        }
    }
    struct digest *digest = digest_create();
    digest_add(digest, normalised, (size_t)(to - normalised));
    digest_finish(digest, out);
}
