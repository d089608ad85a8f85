/* springback view: write a page that shows runs in motion. */
#include "base/file.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "cli/verb.h"
#include "report/html.h"
#include "report/page.h"
#include "report/scene.h"
#include "run/results.h"
#include "run/runner.h"

#include <stdio.h>
#include <string.h>

struct view_verb {
    struct words files;
    const char *html, *out, *tier, *colour;
    bool quiet;
};

static const struct verb_option options[] = {
    {"html", 0, "FILE", "The page to write (default: view.html; for files of player scenes, no page)", OPTION_PATH,
     .field = offsetof(struct view_verb, html)},
    {"colour", 0, "BY", "Initial colour of traces: plain, strain or volume (default: strain)", OPTION_TEXT,
     .field = offsetof(struct view_verb, colour)},
    {"out", 'o', "DIR", "Folder of this machine's results, for the runs of player scenes (default: out/<machine>)",
     OPTION_PATH, .field = offsetof(struct view_verb, out)},
    {"tier", 't', "TIER", "quick or full, for the runs of player scenes (default: full)", OPTION_TEXT,
     .field = offsetof(struct view_verb, tier)},
    {"quiet", 'q', NULL, "Print only errors", OPTION_FLAG, .field = offsetof(struct view_verb, quiet)},
    {.name = NULL},
};

static void put_head(FILE *page, const char *title) {
    html_put(page,
             "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
             "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
             "<meta name=\"color-scheme\" content=\"light dark\"/>\n"
             "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; "
             "style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\"/>\n"
             "<title>springback: "
             "{text}</title>\n<style>\n/*<![CDATA[*/\n{markup}{markup}/*]]>*/\n</style>\n</head>\n<body>\n"
             "<main>\n<h1>{text}</h1>\n",
             title, page_part("page.css"), page_part("player.css"), title);
}

static struct plan_options plan_options_of(const struct view_verb *verb) {
    const struct selection selection = {.tier = verb->tier};
    return selection_plan_options(&selection);
}

/* ---- Player scenes of a file ---- */

/* Make the trace that a panel shows, unless this trace is up to date. */
static int run_panel(const struct view_verb *verb, const struct scene *scene, const struct scene_panel *panel) {
    const struct plan_options how = plan_options_of(verb);
    AUTO(plan_free) struct plan plan = {.run_count = 0};
    AUTO_FREE char *out = scene_folder(scene, results_folder(verb->out));
    if (scene_plan(scene, panel, &how, &plan))
        return STATUS_BAD;
    const struct runner_options runner = {
        .out = out, .tier = verb->tier, .resume = true, .partial = true, .quiet = true, .label = true};
    return runner_run(&plan, &runner);
}

/* Remove all files of player scenes (.json) from a folder, except the files whose paths are in `kept`. */
static void remove_others(const char *folder, const struct words *kept) {
    AUTO(entries_free) char **names = entries_list(folder);
    for (char **name = names; *name; ++name) {
        AUTO_FREE char *path = text_format("%s/%s", folder, *name);
        if (text_ends(*name, ".json") && !words_has(kept, path))
            remove(path);
    }
}

/* Make the player scenes of a file, and write them to the page unless `page` is NULL. */
static int put_file(const struct view_verb *verb, const char *path, FILE *page) {
    const struct plan_options how = plan_options_of(verb);
    const char *out = results_folder(verb->out);
    AUTO(scene_file_free) struct scene_file file;
    AUTO(words_free) struct words kept = {NULL, 0};
    int status = scene_file_read(path, &file);
    if (status)
        return status;
    AUTO_FREE char *folder = scene_list(out, file.paper);
    status = folder_make(folder);
    for (int s = 0; s < file.count && !interrupt_signal(); ++s) {
        const struct scene *scene = &file.scenes[s];
        AUTO_FREE char *kept_at = text_format("%s/%02d-%s.json", folder, s + 1, scene->id);
        int here = STATUS_OK;
        words_add(&kept, kept_at);
        for (int p = 0; p < scene->count && !here; ++p)
            here = run_panel(verb, scene, &scene->panels[p]);
        if (here || scene_keep(scene, &how, out, kept_at))
            status = STATUS_BAD;
    }
    remove_others(folder, &kept);
    if (page) {
        html_put(page, "<h2>{text}</h2>\n", file.paper);
        scene_put_all(out, file.paper, page);
    }
    return interrupt_signal() ? STATUS_BAD : status;
}

/* ---- Traces ---- */

static int put_traces(const struct view_verb *verb, FILE *page) {
    const struct plan_options how = plan_options_of(verb);
    AUTO(pool_free) struct pool labels = {NULL, 0};
    struct scene scene = {.paper = "", .id = "traces", .title = "", .says = "", .colour = verb->colour};
    for (int t = 0; t < verb->files.count; ++t) {
        const char *path = verb->files.words[t], *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
        char *id = trace_file_id(name);
        const char *label = pool_add(&labels, id ? id : text_copy(name));
        scene.panels[scene.count++] = (struct scene_panel){.label = label, .trace = path};
    }
    json_t *data = scene_data(&scene, &how, "", NULL);
    if (data)
        scene_put(data, page);
    json_decref(data);
    return data ? STATUS_OK : STATUS_BAD;
}

static void check_arguments(void *out, struct argp_state *state) {
    const struct view_verb *verb = out;
    int scenes = 0;
    for (int f = 0; f < verb->files.count; ++f)
        scenes += text_ends(verb->files.words[f], ".yaml");
    if (scenes && scenes < verb->files.count)
        argp_error(state, "traces and files of player scenes cannot be combined");
    if (!scenes && verb->files.count > SCENE_PANELS)
        argp_error(state, "expected at most %d traces, but %d are given", SCENE_PANELS, verb->files.count);
    if (strcmp(verb->colour, "plain") != 0 && strcmp(verb->colour, "strain") != 0 &&
        strcmp(verb->colour, "volume") != 0)
        argp_error(state, "--colour expects plain, strain or volume, not '%s'", verb->colour);
}

static int write_page(const struct view_verb *verb, bool is_scenes, const char *path) {
    struct file_draft draft;
    int status = STATUS_OK;
    if (file_draft_begin(path, &draft))
        return STATUS_BAD;
    put_head(draft.file, is_scenes ? "scenes" : "runs in motion");
    if (!is_scenes)
        status = put_traces(verb, draft.file);
    for (int f = 0; f < verb->files.count && is_scenes; ++f)
        if (put_file(verb, verb->files.words[f], draft.file))
            status = STATUS_BAD;
    scene_put_player(draft.file);
    fputs("</main>\n</body>\n</html>\n", draft.file);
    status = file_draft_end(&draft, status);
    if (!status && !verb->quiet)
        printf("view: %s\n", path);
    return status;
}

static int view(void *out) {
    const struct view_verb *verb = out;
    const bool is_scenes = text_ends(verb->files.words[0], ".yaml");
    int status = STATUS_OK;
    interrupt_catch();
    if (!is_scenes || verb->html)
        return write_page(verb, is_scenes, verb->html ? verb->html : "view.html");
    for (int f = 0; f < verb->files.count; ++f)
        if (put_file(verb, verb->files.words[f], NULL))
            status = STATUS_BAD;
    return status;
}

static const struct view_verb defaults = {.colour = "strain"};

const struct verb verb_view = {
    .arguments = "TRACE...",
    .doc =
        "Write a page that shows runs in motion next to each other, with one clock and one camera: orbit, zoom, pause, "
        "step, speed. The page needs no other file and no network. The traces must have geometry (record.mesh_every). "
        "Instead of traces, files of player scenes (figures/*/scenes.yaml) may be given. The command then does the "
        "runs that the player scenes show, and stores the player scenes in DIR/scenes for the report."
        "\v"
        "Example: a body with two methods\n"
        "  springback run experiments/va2023/twisting.yaml --set record.mesh_every=4 --out /tmp/twist\n"
        "  springback view /tmp/twist/va2023/twisting/*.vtkhdf --html twist.html",
    .options = options,
    .missing = "no trace given",
    .check = check_arguments,
    .size = sizeof(struct view_verb),
    .defaults = &defaults,
    .run = view};
