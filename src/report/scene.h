/* Player scenes. A player scene is up to four runs that the player of a page shows next to each other, with one clock
 * and one camera. In this file, "scene" means a player scene; in other files, such as method/scene.h, a scene is what
 * acts on a body. The player scenes of a paper are in figures/<paper>/scenes.yaml:
 *
 *   springback: 1
 *   paper: va2023
 *   scenes:
 *     - id: fall
 *       title: Free fall of the Bunny
 *       says: Without a volume constraint the body collapses.
 *       colour: volume                  # or strain, plain
 *       mesh_every: 4                   # the scene has its own runs, with this record.mesh_every;
 *                                       # without this key it shows the experiment's runs
 *       panels:
 *         - {label: Mass-spring, experiment: va2023/free-fall, only: [method=mass_spring, mesh=bunny_closed_3008]} */
#ifndef SPRINGBACK_REPORT_SCENE_H
#define SPRINGBACK_REPORT_SCENE_H

#include "base/words.h"
#include "experiment/form.h"
#include "experiment/plan.h"
#include "trace/trace.h"

#include <jansson.h>
#include <stdio.h>

enum { SCENE_PANELS = 4 };

struct scene_panel {
    const char *label;
    const char *experiment; /* "va2023/free-fall"; NULL if `trace` is given */
    struct words only;      /* texts PATH=VALUE, which select the panel's run as `springback run --only` does */
    const char *trace;      /* path of a trace, instead of an experiment */
    struct place place;
};

struct scene {
    const char *paper, *id, *title, *says, *colour;
    const char *set[2]; /* the values of --set for the scene's runs: {"record.mesh_every=4", NULL}, or {NULL} */
    struct scene_panel panels[SCENE_PANELS];
    int count;
};

struct scene_file {
    struct form form; /* owns the texts */
    const char *paper;
    struct scene *scenes;
    int count;
};

/* Read a file figures/<paper>/scenes.yaml. The caller calls scene_file_free. Errors: those of form_open, and mistakes
 * in the file, each reported with its place. After an error *out is empty. */
int scene_file_read(const char *path, struct scene_file *out);
void scene_file_free(struct scene_file *file);

/* The folder of a scene's runs: `out`, or out/scenes/runs if the scene has `mesh_every`. Newly allocated; the caller
 * frees it. */
char *scene_folder(const struct scene *scene, const char *out);

/* Read the plan of a panel's run. The caller frees the plan. `options` are for plan_read, except that `set` comes from
 * the scene, and `only` from the panel. Errors: those of plan_read; the panel does not select exactly one run. */
int scene_plan(const struct scene *scene, const struct scene_panel *panel, const struct plan_options *options,
               struct plan *plan);

/* A scene as JSON, with these keys: made (a digest of the scene's inputs), paper, id, title, says, colour, poster (a
 * picture of one moment, PNG in base 64), panels (report/playback.h). `before` is an earlier result, or NULL; if it was
 * made from the same inputs, the function returns a new reference to `before`. The caller releases the result. NULL
 * after an error: there is no such run or trace, or an error of playback_make or picture_draw. */
json_t *scene_data(const struct scene *scene, const struct plan_options *options, const char *out, json_t *before);

/* Write a scene's JSON to the file `path`, unless the file was made from the same inputs. */
int scene_keep(const struct scene *scene, const struct plan_options *options, const char *out, const char *path);

/* The folder of a paper's scenes below the results `out`. It has a file *.json for each scene. The page shows the
 * scenes in the order of the files' names. Newly allocated; the caller frees it. */
char *scene_list(const char *out, const char *paper);

/* Write a scene as an element <figure>: the picture, the caption, and the data of the panels. The picture is visible
 * without JavaScript or WebGL. */
void scene_put(const json_t *data, FILE *page);

/* Write all scenes of a paper; returns their number. Damaged scenes are skipped. */
int scene_put_all(const char *out, const char *paper, FILE *page);

/* Write the player, which is three.js and player.js. Call this once for a page, after its scenes. If three.js was not
 * found when springback was built, nothing is written, and the page shows only the scenes' pictures. */
void scene_put_player(FILE *page);

#endif
