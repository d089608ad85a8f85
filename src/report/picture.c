#include "report/picture.h"

#include "base/memory.h"
#include "base/process.h"
#include "base/temporary.h"
#include "report/gnuplot.h"
#include "trace/export.h"

#include <errno.h>
#include <math.h>
#include <meshoptimizer.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Where from ---- */

static double dot(const double *a, const double *b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static bool is_finite(const double *p) {
    return isfinite(p[0]) && isfinite(p[1]) && isfinite(p[2]);
}

/* Parallels meet behind the picture: what is nearer is larger. The third coordinate keeps the order of depth. */
static void see(const struct picture_camera *camera, const double *position, double *out) {
    double at[3];
    for (int k = 0; k < 3; ++k)
        at[k] = (position[k] - camera->centre[k]) / camera->radius;
    const double depth = dot(at, camera->toward), larger = camera->distance / (camera->distance - depth);
    out[0] = dot(at, camera->right) * larger;
    out[1] = dot(at, camera->up) * larger;
    out[2] = depth * larger;
}

void picture_face(double turn, double tilt, struct picture_camera *camera) {
    const double radian = M_PI / 180, across = sin(turn * radian), along = cos(turn * radian);
    const double above = sin(tilt * radian), level = cos(tilt * radian);
    *camera = (struct picture_camera){.right = {along, 0, -across},
                                      .up = {-above * across, level, -above * along},
                                      .toward = {level * across, above, level * along}};
}

int picture_aim(const struct picture_surface *surfaces, int count, double turn, double tilt,
                struct picture_camera *camera) {
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, half[3];
    for (int s = 0; s < count; ++s)
        for (int v = 0; v < surfaces[s].vertices; ++v)
            for (int k = 0; k < 3 && is_finite(surfaces[s].position[v]); ++k) {
                low[k] = fmin(low[k], surfaces[s].position[v][k]);
                high[k] = fmax(high[k], surfaces[s].position[v][k]);
            }
    if (!(low[0] <= high[0])) {
        fail("there is nothing to draw: no vertex is finite");
        return STATUS_BAD;
    }
    picture_face(turn, tilt, camera);
    camera->distance = 6;
    for (int k = 0; k < 2; ++k) {
        camera->low[k] = INFINITY;
        camera->high[k] = -INFINITY;
    }
    for (int k = 0; k < 3; ++k) {
        camera->centre[k] = 0.5 * low[k] + 0.5 * high[k];
        half[k] = 0.5 * high[k] - 0.5 * low[k];
    }
    camera->radius = hypot(hypot(half[0], half[1]), half[2]);
    if (!(camera->radius > 0))
        camera->radius = 1;
    for (int s = 0; s < count; ++s)
        for (int v = 0; v < surfaces[s].vertices; ++v) {
            double at[3];
            if (!is_finite(surfaces[s].position[v]))
                continue;
            see(camera, surfaces[s].position[v], at);
            for (int k = 0; k < 2; ++k) {
                camera->low[k] = fmin(camera->low[k], at[k]);
                camera->high[k] = fmax(camera->high[k], at[k]);
            }
        }
    return STATUS_OK;
}

/* ---- Triangles ---- */

/* Corners of fewer triangles, newly allocated; their number. */
static int thin(const struct picture_surface *surface, const struct picture_camera *camera, int most, int (**out)[3]) {
    const size_t corners = 3 * (size_t)surface->triangles;
    float(*position)[3] = memory_new((size_t)surface->vertices, sizeof *position);
    unsigned *from = memory_new(corners, sizeof *from), *to = memory_new(corners, sizeof *to);
    for (int v = 0; v < surface->vertices; ++v)
        for (int k = 0; k < 3 && is_finite(surface->position[v]); ++k)
            position[v][k] = (float)((surface->position[v][k] - camera->centre[k]) / camera->radius);
    for (size_t c = 0; c < corners; ++c)
        from[c] = (unsigned)surface->corner[c / 3][c % 3];
    const size_t vertices = (size_t)surface->vertices, wanted = 3 * (size_t)most;
    size_t left = meshopt_simplify(to, from, corners, &position[0][0], vertices, sizeof *position, wanted, 1, 0, NULL);
    if (left > 2 * wanted) /* it keeps to the topology, which a soup has too much of */
        left = meshopt_simplifySloppy(to, from, corners, &position[0][0], vertices, sizeof *position, wanted, 1, NULL);
    *out = memory_new(left / 3, sizeof **out);
    for (size_t c = 0; c < left; ++c)
        (*out)[c / 3][c % 3] = (int)to[c];
    free(position);
    free(from);
    free(to);
    return (int)(left / 3);
}

/* Whether what a camera sees of three corners is their back: they go clockwise in the picture. */
static bool faces_away(const double *a, const double *b, const double *c) {
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) <= 0;
}

void picture_write(const struct picture_surface *surfaces, int count, const struct picture_camera *camera, int most,
                   FILE *out) {
    struct export_view view = {.ambient = 0.3};
    for (int k = 0; k < 3; ++k)
        view.light[k] = -0.35 * camera->right[k] + 0.5 * camera->up[k] + 0.8 * camera->toward[k];
    for (int s = 0; s < count; ++s) {
        const struct picture_surface *surface = &surfaces[s];
        int(*thinned)[3] = NULL, triangles = surface->triangles;
        if (triangles > most)
            triangles = thin(surface, camera, most, &thinned);
        const int(*corner)[3] = thinned ? (const int(*)[3])thinned : surface->corner;
        view.colour = surface->colour;
        for (int t = 0; t < triangles; ++t) {
            const double *at[3];
            double seen[3][3] = {{0}};
            bool finite = true;
            for (int c = 0; c < 3; ++c) {
                at[c] = surface->position[corner[t][c]];
                see(camera, at[c], seen[c]);
                finite = finite && is_finite(at[c]);
            }
            if (finite && !(surface->hides_inside && faces_away(seen[0], seen[1], seen[2])))
                export_triangle(seen[0], seen[1], seen[2], export_shade(at[0], at[1], at[2], &view), out);
        }
        free(thinned);
    }
}

/* ---- Files ---- */

static const struct {
    const char *ending, *terminal;
    int most; /* triangles of a surface: no more are told apart, or a file would be too large to be looked at */
} kinds[] = {
    {".svg", "svg size %d,%d font 'DejaVu Sans,15' background rgb 'white'", 20000},
    {".png", "pngcairo size %d,%d font 'DejaVu Sans,15' fontscale 1.4 linewidth 1.5", 200000},
};

enum { KINDS = sizeof kinds / sizeof *kinds, SVG = 0, PANEL = 600, CAPTION = 84, EDGE = 24, COLUMNS = 4 };

static int kind_of(const char *path) {
    const size_t length = strlen(path);
    int kind = 0;
    while (kind < KINDS && (length <= 4 || strcmp(path + length - 4, kinds[kind].ending) != 0))
        ++kind;
    return kind;
}

int picture_check(const char *path) {
    return kind_of(path) < KINDS ? STATUS_OK : fail("%s: a figure's name ends in .svg or .png", path);
}

/* One panel: the picture's ranges are those that its box shows at one scale, so nothing is cut off or drawn out. */
static int put_panel(const struct picture_panel *panel, int number, int columns, int rows, int kind, FILE *out) {
    struct picture_camera camera;
    if (picture_aim(panel->surfaces, panel->count, panel->turn, 20, &camera))
        return STATUS_BAD;
    fprintf(out, "$scene << end\n");
    picture_write(panel->surfaces, panel->count, &camera, kinds[kind].most, out);
    fprintf(out, "end\n");
    const int left = number % columns, below = rows - 1 - number / columns;
    const double width = PANEL - 2 * EDGE, height = PANEL - CAPTION - EDGE;
    const double scale = fmax((camera.high[0] - camera.low[0]) / width, (camera.high[1] - camera.low[1]) / height);
    const double size[2] = {0.5 * width * (scale > 0 ? scale : 1), 0.5 * height * (scale > 0 ? scale : 1)};
    for (int k = 0; k < 2; ++k) {
        const double middle = 0.5 * camera.low[k] + 0.5 * camera.high[k];
        fprintf(out, "set %crange [%.9g:%.9g]\n", "xy"[k], middle - size[k], middle + size[k]);
    }
    fprintf(out, "set lmargin at screen %.9g\nset rmargin at screen %.9g\n", (left + (double)EDGE / PANEL) / columns,
            (left + 1 - (double)EDGE / PANEL) / columns);
    fprintf(out, "set bmargin at screen %.9g\nset tmargin at screen %.9g\n", (below + (double)CAPTION / PANEL) / rows,
            (below + 1 - (double)EDGE / PANEL) / rows);
    const char *const lines[] = {panel->title, panel->caption};
    for (int l = 0; l < 2; ++l) {
        fprintf(out, "set label %d ", l + 1);
        gnuplot_write_text(lines[l], out);
        fprintf(out, " at screen %.9g, screen %.9g center noenhanced font ',%d' textcolor rgb '%s'\n",
                (left + 0.5) / columns, (below + (l ? 26.0 : 54.0) / PANEL) / rows, l ? 11 : 15,
                l ? "#555555" : "#222222");
    }
    fprintf(out, "splot $scene using 1:3:2:4 with pm3d linecolor rgb variable\n");
    return STATUS_OK;
}

static int put_script(const struct picture_panel *panels, int count, int kind, FILE *out) {
    const int rows = (count + COLUMNS - 1) / COLUMNS, columns = (count + rows - 1) / rows;
    const int pixels = kind == SVG ? PANEL : 3 * PANEL / 2;
    fprintf(out, "set terminal ");
    fprintf(out, kinds[kind].terminal, columns * pixels,
            rows * pixels); /* NOLINT(clang-diagnostic-format-nonliteral) */
    fprintf(out, "\nset encoding utf8\nset view map\nset pm3d depthorder corners2color c1\nset cbrange [0:0xffffff]\n"
                 "set zrange [*:*]\nunset key; unset border; unset tics; unset colorbox\nset multiplot\n");
    int status = STATUS_OK;
    for (int p = 0; p < count && !status; ++p)
        status = put_panel(&panels[p], p, columns, rows, kind, out);
    fprintf(out, "unset multiplot\n");
    return status;
}

int picture_draw(const struct picture_panel *panels, int count, const char *path) {
    if (picture_check(path))
        return STATUS_BAD;
    const int kind = kind_of(path);
    /* Behind a slash, since gnuplot takes a leading - for an option, < for a command and ~ for a home. */
    char *script = text_format("%s%s.%ld.gp.part", *path == '/' ? "" : "./", path, (long)getpid());
    char *twin = text_format("%s.%ld.part", path, (long)getpid());
    temporary_add(script);
    temporary_add(twin);
    FILE *file = fopen(script, "w");
    int status =
        file ? put_script(panels, count, kind, file) : fail("%s: cannot be written: %s", path, strerror(errno));
    const bool bad = file && ferror(file);
    if (file && (fclose(file) || bad) && !status)
        status = fail("%s: its data cannot be written: %s", path, strerror(errno));
    const char *const argv[] = {"gnuplot", "--default-settings", script, NULL};
    const struct process process = {.argv = argv, .package = "gnuplot-nox", .into = twin, .seconds = 600};
    struct process_outcome outcome = {.output = NULL};
    if (!status) {
        status = process_succeed(&process, &outcome);
        process_free(&outcome);
    }
    if (!status && rename(twin, path))
        status = fail("%s: cannot be written: %s", path, strerror(errno));
    unlink(script);
    unlink(twin);
    temporary_forget(script);
    temporary_forget(twin);
    free(script);
    free(twin);
    return status;
}
