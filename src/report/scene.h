/* Scenes: runs side by side that the player of a page shows with one clock and one camera. Those of a paper stand in
 * figures/<paper>/scenes.yaml:
 *
 *   springback: 1
 *   paper: va2023
 *   scenes:
 *     - id: fall
 *       title: Free fall of the Bunny
 *       says: Without a volume constraint the body collapses.
 *       colour: volume                  # or strain, plain
 *       mesh_every: 4                   # record.mesh_every of runs of its own; without it, the experiment's runs serve
 *       panels:
 *         - {label: Mass-spring, experiment: va2023/free-fall, only: [method=mass_spring, mesh=bunny_closed_3008]}
 */
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
    const char *experiment; /* "va2023/free-fall"; NULL for a trace */
    struct words only;      /* PATH=VALUE: what selects its run, as for `springback run --only` */
    const char *trace;      /* path, in place of an experiment */
    struct place place;
};

struct scene {
    const char *paper, *id, *title, *says, *colour;
    const char *set[2]; /* "record.mesh_every=4", or NULL: the experiment as it is; NULL ends it */
    struct scene_panel panels[SCENE_PANELS];
    int count;
};

struct scene_file {
    struct form form; /* owns the texts */
    const char *paper;
    struct scene *scenes;
    int count;
};

/* Read figures/<paper>/scenes.yaml. Errors: those of form_open, each mistake with its place. Then *out is empty. */
int scene_file_read(const char *path, struct scene_file *out);
void scene_file_free(struct scene_file *file);

/* Where the runs of a scene are: the results themselves, or results of their own below them. Newly allocated. */
char *scene_folder(const struct scene *scene, const char *out);

/* The plan of a panel's run. `options`: as for plan_read; its `set` and `only` are replaced. Errors: those of
 * plan_read; not exactly one run is selected. */
int scene_plan(const struct scene *scene, const struct scene_panel *panel, const struct plan_options *options,
               struct plan *plan);

/* A scene as JSON: made (a digest of what it was made of), paper, id, title, says, colour, poster (a picture of one
 * moment of it, PNG in base 64), panels (report/playback.h). If `before` was made of the same, it is returned. The
 * caller has the reference. Errors: no such run or trace, those of playback_make and picture_draw; then NULL. */
json_t *scene_data(const struct scene *scene, const struct plan_options *options, const char *out, json_t *before);

/* Write that into a file, unless it is there. */
int scene_keep(const struct scene *scene, const struct plan_options *options, const char *out, const char *path);

/* The folder of a paper's scenes in results, whose files *.json stand there in the order of the page. */
char *scene_list(const char *out, const char *paper);

/* Write a scene as an element <figure>: the picture, which is what is seen without JavaScript or WebGL, the caption,
 * the panels. */
void scene_put(const json_t *data, FILE *page);

/* Write all scenes of a paper; returns how many there are. One that is damaged is left out. */
int scene_put_all(const char *out, const char *paper, FILE *page);

/* Write the player, once and behind the scenes of a page: three.js and player.js. Without three.js, which is looked for
 * when springback is built, scenes stay pictures. */
void scene_put_player(FILE *page);

#endif
