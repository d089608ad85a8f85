#include "report/gallery.h"

#include "base/file.h"
#include "base/memory.h"
#include "run/results.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The comment at the start of a script as one text, without comment marks; "" if there is no comment. The text ends
 * before a line `# raster`. Newly allocated; the caller frees it. */
static char *head_comment(const char *script) {
    char *text = text_copy("");
    for (const char *line = script; *line == '#' && strncmp(line, "# raster", 8) != 0;) {
        const char *words = line + 1 + strspn(line + 1, "# ");
        const size_t length = strcspn(words, "\n");
        text_append(&text, "%s%.*s", *text && length ? " " : "", (int)length, words);
        line = words + length + (words[length] == '\n');
    }
    return text;
}

/* The caption of a figure. "va2022, figure 7: frames a second." becomes "Figure 7: frames a second.", because the page
 * already names the paper. Newly allocated; the caller frees it. */
static char *caption_of(const char *paper, const char *name) {
    const struct failure_mark mark = failure_mark();
    AUTO_FREE char *path = text_format("figures/%s/%s.gp", paper, name);
    AUTO_FREE char *script = NULL;
    AUTO_FREE char *comment = file_exists(path) && !file_read(path, &script) ? head_comment(script) : text_copy("");
    failure_rewind(mark);
    const size_t length = strlen(paper);
    const char *words = comment;
    if (!strncmp(words, paper, length) && words[length] && strchr(",:", words[length]))
        words += length + 1 + strspn(words + length + 1, " ");
    char *caption = text_copy(*words ? words : name);
    if (*caption >= 'a' && *caption <= 'z' && words != comment)
        *caption = (char)(*caption - 'a' + 'A');
    return caption;
}

/* Read the size in pixels from `viewBox=` in the element <svg>. */
static void measure(struct gallery_figure *figure) {
    const char *svg = strstr(figure->svg, "<svg"), *box = strstr(svg, "viewBox=");
    double size[4] = {0}; /* left, top, width, height */
    char *rest = box && box < strchr(svg, '>') ? (char *)box + strlen("viewBox=") + 1 : NULL;
    for (int s = 0; rest && s < 4; ++s)
        size[s] = strtod(rest, &rest);
    if (size[2] >= 1 && size[3] >= 1 && size[2] < 1e5 && size[3] < 1e5) {
        figure->width = (int)size[2];
        figure->height = (int)size[3];
    }
}

/* Read a figure's picture. Returns a sentence on why the picture cannot be shown, or "" if it can. Newly allocated; the
 * caller frees it. */
static char *load(const char *path, struct gallery_figure *figure) {
    const struct failure_mark mark = failure_mark();
    struct stat about;
    if (stat(path, &about) || !S_ISREG(about.st_mode))
        return text_copy("The figure is not a readable file.");
    if (about.st_size > GALLERY_MOST)
        return text_format("The figure is too large for this page (%.1f MB).", (double)about.st_size / 1e6);
    if (file_read(path, &figure->svg)) {
        AUTO_FREE char *reason = failure_take(mark);
        return text_format("The figure cannot be read: %s.", reason);
    }
    const char *svg = strstr(figure->svg, "<svg");
    if (svg && strchr(svg, '>')) {
        measure(figure);
        return text_copy("");
    }
    free(figure->svg);
    figure->svg = NULL;
    return text_copy("The figure is not an SVG picture; draw it again.");
}

static int compare(const void *a, const void *b) {
    const struct gallery_figure *x = a, *y = b;
    const int papers = strcmp(x->paper, y->paper);
    return papers ? papers : strverscmp(x->name, y->name);
}

static void add_paper(const char *out, const char *paper, struct gallery *gallery) {
    AUTO_FREE char *folder = text_format("%s/figures/%s", out, paper);
    AUTO(entries_free) char **names = entries_list(folder);
    for (char **name = names; *name; ++name) {
        if (!text_ends(*name, ".svg"))
            continue;
        struct gallery_figure *figure = ARRAY_ADD(gallery->figures, gallery->count);
        AUTO_FREE char *path = text_format("%s/%s", folder, *name);
        struct pool *texts = &gallery->texts;
        *figure = (struct gallery_figure){.paper = pool_add(texts, text_copy(paper)),
                                          .name = pool_add(texts, text_format("%.*s", (int)(strlen(*name) - 4), *name)),
                                          .file = pool_add(texts, text_format("figures/%s/%s", paper, *name))};
        figure->caption = pool_add(texts, caption_of(paper, figure->name));
        figure->reads = pool_add(texts, figure_reads(paper, figure->name));
        figure->problem = pool_add(texts, load(path, figure));
        pool_add(texts, figure->svg);
    }
}

void gallery_read(const char *out, struct gallery *gallery) {
    AUTO_FREE char *folder = text_format("%s/figures", out);
    AUTO(entries_free) char **papers = entries_list(folder);
    *gallery = (struct gallery){.count = 0};
    for (char **paper = papers; *paper; ++paper)
        add_paper(out, *paper, gallery);
    if (gallery->count)
        qsort(gallery->figures, (size_t)gallery->count, sizeof *gallery->figures, compare);
}

void gallery_free(struct gallery *gallery) {
    free(gallery->figures);
    pool_free(&gallery->texts);
    *gallery = (struct gallery){.count = 0};
}

/* ---- The experiments that a figure reads ---- */

/* The largest number of scripts in a chain in which each script loads the next. The limit ends the search if a script
 * loads itself. */
enum { NESTED_MOST = 8 };

/* Whether a text begins with a word and, directly after it, a quotation mark. */
static bool is_quoted(const char *text, const char *word) {
    const size_t length = strlen(word);
    return !strncmp(text, word, length) && text[length] && strchr("\"'", text[length]);
}

static void add_name(char **reads, const char *name) {
    AUTO_FREE char *word = text_format("%.*s ", (int)strcspn(name, "/|\"'"), name);
    AUTO_FREE char *between = text_format(" %s", word);
    if (!strstr(*reads, between))
        text_append(reads, "%s", word);
}

static void read_script(const char *path, int nested, char **reads) {
    static const char experiment[] = "here.", part[] = "load ", folder[] = "figures/";
    AUTO_FREE char *script = NULL;
    if (nested >= NESTED_MOST || !file_exists(path) || file_read(path, &script))
        return;
    for (const char *at = script; *at; ++at) {
        if (is_quoted(at, experiment) && at[sizeof experiment] == '/')
            add_name(reads, at + sizeof experiment + 1);
        const char *loaded = at + sizeof part;
        if (!is_quoted(at, part) || strncmp(loaded, folder, strlen(folder)) != 0)
            continue;
        AUTO_FREE char *file = text_format("%.*s", (int)strcspn(loaded, "\"'"), loaded);
        read_script(file, nested + 1, reads);
    }
}

char *figure_reads(const char *paper, const char *figure) {
    const struct failure_mark mark = failure_mark();
    char *reads = text_copy(" ");
    AUTO_FREE char *path = text_format("figures/%s/%s.gp", paper, figure);
    read_script(path, 0, &reads);
    failure_rewind(mark);
    return reads;
}

bool figure_reads_experiment(const char *reads, const char *paper, const char *experiment) {
    const size_t length = strlen(paper);
    if (strncmp(experiment, paper, length) != 0 || experiment[length] != '/')
        return false;
    AUTO_FREE char *word = text_format(" %s ", experiment + length + 1);
    return strstr(reads, word) != NULL;
}
