#include "report/snapshot.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/process.h"
#include "report/figure_data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *ending, *terminal;
    double scale; /* units of the gnuplot terminal per pixel */
} kinds[] = {
    {".svg", "svg size %.0f,%.0f font 'DejaVu Sans,15' background rgb 'white'", 2. / 3},
    {".png", "pngcairo size %.0f,%.0f font 'DejaVu Sans,15' fontscale 1.4", 1},
};

/* COLUMNS: the largest number of panels in a row. WORDS: the height, in pixels, of the space for text below a panel's
 * picture. TITLE, CAPTION: the heights, in pixels, of the title and the caption above the panel's lower edge. */
enum { KINDS = sizeof kinds / sizeof *kinds, COLUMNS = 4, WORDS = 108, TITLE = 81, CAPTION = 42 };

static int kind_of(const char *path) {
    int kind = 0;
    while (kind < KINDS && !text_ends(path, kinds[kind].ending))
        ++kind;
    return kind;
}

int picture_check(const char *path) {
    return kind_of(path) < KINDS ? STATUS_OK : fail("%s: the name of a figure must end in .svg or .png", path);
}

/* One picture of all panels, without text; the panels fill it row by row. */
struct canvas {
    int columns, rows, side; /* a panel is a square with this side in pixels */
    unsigned char *pixels;   /* [side * rows][side * columns][3] */
};

static int put_panel(const struct picture_panel *panel, int number, double turn, struct canvas *canvas) {
    struct snapshot_view view = {.width = canvas->side,
                                 .height = canvas->side - WORDS,
                                 .turn = turn,
                                 .tilt = 20,
                                 .ground = panel->ground,
                                 .plate = panel->plate};
    const struct snapshot_subject subject = {
        .body = panel->surface, .obstacles = panel->obstacles, .obstacle_count = panel->obstacle_count};
    const size_t bytes = 3 * (size_t)view.width, stride = bytes * (size_t)canvas->columns;
    AUTO_FREE unsigned char *pixels = memory_new((size_t)view.height * bytes, 1);
    int status = snapshot_aim(&panel->surface, &view);
    if (!status)
        status = snapshot_draw(&subject, &view, pixels);
    unsigned char *to = canvas->pixels + (size_t)(number / canvas->columns * canvas->side) * stride +
                        (size_t)(number % canvas->columns) * bytes;
    for (int row = 0; row < view.height && !status; ++row)
        memcpy(to + (size_t)row * stride, pixels + (size_t)row * bytes, bytes);
    return status;
}

static int write_canvas(const struct picture_panel *panels, int count, double turn, struct canvas *canvas,
                        const char *path) {
    const size_t bytes = 3 * (size_t)(canvas->side * canvas->columns) * (size_t)(canvas->side * canvas->rows);
    struct file_draft draft;
    canvas->pixels = memory_new(bytes, 1);
    memset(canvas->pixels, 255, bytes);
    int status = STATUS_OK;
    for (int p = 0; p < count && !status; ++p)
        status = put_panel(&panels[p], p, turn, canvas);
    if (!status && !(status = file_draft_begin(path, &draft))) {
        fwrite(canvas->pixels, 1, bytes, draft.file);
        status = file_draft_end(&draft, status);
    }
    free(canvas->pixels);
    return status;
}

static void put_label(const char *text, int x, int y, const char *style, FILE *out) {
    fprintf(out, "set label ");
    gnuplot_write_text(text, out);
    fprintf(out, " at %d, %d center front noenhanced %s\n", x, y, style);
}

static int write_script(const struct picture_panel *panels, int count, int kind, const struct canvas *canvas,
                        const char *path) {
    const int side = canvas->side, width = canvas->columns * side, height = canvas->rows * side;
    struct file_draft draft;
    if (file_draft_begin(path, &draft))
        return STATUS_BAD;
    FILE *out = draft.file;
    fprintf(out, "set terminal ");
    fprintf(out, kinds[kind].terminal, width * kinds[kind].scale, /* NOLINT(clang-diagnostic-format-nonliteral) */
            height * kinds[kind].scale);
    fprintf(out,
            "\nset encoding utf8\nunset key; unset border; unset tics\nset margins 0, 0, 0, 0\n"
            "set xrange [0:%d]\nset yrange [0:%d]\n",
            width, height);
    for (int p = 0; p < count; ++p) {
        const int x = p % canvas->columns * side + side / 2, below = height - (p / canvas->columns + 1) * side;
        put_label(panels[p].title, x, below + TITLE, "textcolor rgb '#222222'", out);
        put_label(panels[p].caption, x, below + CAPTION, "font ',11' textcolor rgb '#555555'", out);
    }
    fprintf(out,
            "plot 'pixels' binary array=(%d,%d) flipy origin=(0.5,0.5) format='%%uchar' using 1:2:3 with rgbimage\n",
            width, height);
    return file_draft_end(&draft, STATUS_OK);
}

int picture_draw(const struct picture_panel *panels, int count, int side, double turn, const char *path) {
    if (picture_check(path))
        return STATUS_BAD;
    struct file_draft draft;
    char *folder;
    if (file_draft_begin(path, &draft))
        return STATUS_BAD;
    int status = temporary_make(&folder);
    if (status)
        return file_draft_end(&draft, status);
    const int rows = (count + COLUMNS - 1) / COLUMNS;
    struct canvas canvas = {.columns = (count + rows - 1) / rows, .rows = rows, .side = side};
    AUTO_FREE char *script = text_format("%s/script", folder);
    AUTO_FREE char *pixels = text_format("%s/pixels", folder);
    static const char *const argv[] = {"gnuplot", "--default-settings", "script", NULL};
    const struct process process = {
        .argv = argv, .package = "gnuplot-nox", .folder = folder, .into = draft.temporary, .seconds = 600};
    struct process_outcome outcome;
    status = write_script(panels, count, kind_of(path), &canvas, script);
    if (!status)
        status = write_canvas(panels, count, turn, &canvas, pixels);
    if (!status) {
        status = process_succeed(&process, &outcome);
        process_free(&outcome);
    }
    temporary_end(folder);
    return file_draft_end(&draft, status);
}
