#include "report/scene.h"

#include "base/digest.h"
#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/project.h"
#include "experiment/units.h"
#include "report/html.h"
#include "report/page.h"
#include "report/playback.h"
#include "run/manifest.h"
#include "run/results.h"

#include <math.h>
#include <nettle/base64.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PANEL_PIXELS = 450 };

/* ---- Reading ---- */

static void read_every(struct form *form, const struct node *node, void *field) {
    const char **set = field;
    double every = 0;
    if (node->kind != NODE_SCALAR || unit_read(node->place, node->key, node->text, "1", &every) ||
        every != floor(every) || every < 1 || every > 1e6)
        form->status = fail_at(node->place, "`mesh_every` must be a whole number from 1 to 1000000");
    else
        *set = pool_add(&form->pool, text_format("record.mesh_every=%.0f", every));
}

static void read_id(struct form *form, const struct node *node, void *field) {
    form_text(form, node, field);
    form_refuse_if(form,
                   node->kind == NODE_SCALAR && node->text[strspn(node->text, "abcdefghijklmnopqrstuvwxyz0123456789-")],
                   node->place, "an id may only have the letters a to z, digits and -");
}

static void read_colour(struct form *form, const struct node *node, void *field) {
    static const char words[] = "plain strain volume";
    if (form_choice(form, node, "colour", words) >= 0)
        form_text(form, node, field);
}

static void read_only(struct form *form, const struct node *node, void *field) {
    struct words *only = field;
    for (int i = 0; node->kind == NODE_LIST && i < node->count; ++i)
        if (node->items[i].kind == NODE_SCALAR)
            words_add(only, node->items[i].text);
    if (!only->count || only->count != node->count)
        form->status =
            fail_at(node->place, "`only` must be a list of words KEY=VALUE, for example [method=mass_spring]");
}

#define AT(field) offsetof(struct scene_panel, field)

static const struct form_key panel_keys[] = {{"label", AT(label), form_text, ""},
                                             {"experiment", AT(experiment), form_text, ""},
                                             {"only", AT(only), read_only, NULL},
                                             {.name = NULL}};

#undef AT

static void read_panels(struct form *form, const struct node *node, void *field) {
    struct scene *scene = field;
    if (node->kind != NODE_LIST || !node->count || node->count > SCENE_PANELS) {
        form->status = fail_at(node->place, "`panels` must be a list of 1 to %d runs", SCENE_PANELS);
        return;
    }
    for (int i = 0; i < node->count; ++i) {
        struct scene_panel *panel = &scene->panels[scene->count++];
        panel->place = node->items[i].place;
        form_read_map(form, &node->items[i], "a panel", panel_keys, panel);
    }
}

#define AT(field) offsetof(struct scene, field)

static const struct form_key scene_keys[] = {{"id", AT(id), read_id, ""},
                                             {"title", AT(title), form_text, ""},
                                             {"says", AT(says), form_text, ""},
                                             {"colour", AT(colour), read_colour, ""},
                                             {"mesh_every", AT(set), read_every, NULL},
                                             {"panels", 0, read_panels, ""},
                                             {.name = NULL}};

#undef AT

static void read_scenes(struct form *form, const struct node *node, void *field) {
    struct scene_file *file = field;
    if (node->kind != NODE_LIST) {
        form->status = fail_at(node->place, "`scenes` must be a list of maps");
        return;
    }
    file->scenes = pool_add(&form->pool, memory_new((size_t)node->count + 1, sizeof *file->scenes));
    for (int i = 0; i < node->count; ++i)
        form_read_map(form, &node->items[i], "a scene", scene_keys, &file->scenes[file->count++]);
}

static void read_version(struct form *form, const struct node *node, void *field) {
    (void)field;
    form_refuse_if(form, node->kind != NODE_SCALAR || strcmp(node->text, "1") != 0, node->place,
                   "`springback` must be 1, the version of this file format");
}

int scene_file_read(const char *path, struct scene_file *out) {
    static const struct form_key keys[] = {{"springback", 0, read_version, ""},
                                           {"paper", offsetof(struct scene_file, paper), form_text, ""},
                                           {"scenes", 0, read_scenes, ""},
                                           {.name = NULL}};
    *out = (struct scene_file){.count = 0};
    int status = form_open(path, &out->form);
    if (!status) {
        form_read_map(&out->form, &out->form.root, "a file of scenes", keys, out);
        status = out->form.status;
    }
    for (int s = 0; s < out->count; ++s)
        out->scenes[s].paper = out->paper;
    if (status)
        scene_file_free(out);
    return status;
}

void scene_file_free(struct scene_file *file) {
    for (int s = 0; s < file->count; ++s)
        for (int p = 0; p < file->scenes[s].count; ++p)
            words_free(&file->scenes[s].panels[p].only);
    form_close(&file->form);
    *file = (struct scene_file){.count = 0};
}

/* ---- Runs ---- */

char *scene_folder(const struct scene *scene, const char *out) {
    return text_format("%s%s", out, scene->set[0] ? "/scenes/runs" : "");
}

int scene_plan(const struct scene *scene, const struct scene_panel *panel, const struct plan_options *options,
               struct plan *plan) {
    AUTO_FREE char *file = text_format("experiments/%s.yaml", panel->experiment);
    struct plan_options selected = *options;
    selected.set = scene->set;
    selected.only = panel->only.words;
    if (plan_read(project_path(file), &selected, plan))
        return STATUS_BAD;
    if (plan->run_count == 1)
        return STATUS_OK;
    const int count = plan->run_count;
    plan_free(plan);
    return fail_at(panel->place, "the panel selects %d runs of %s; `only` must select one", count, panel->experiment);
}

/* Open the trace of a panel. */
static int open_panel(const struct scene *scene, const struct scene_panel *panel, const struct plan_options *options,
                      const char *out, struct trace_data *trace) {
    AUTO(plan_free) struct plan plan = {.run_count = 0};
    AUTO(manifest_free) struct manifest manifest = {.count = 0};
    *trace = (struct trace_data){.path = NULL};
    if (panel->trace)
        return trace_open(panel->trace, trace);
    if (scene_plan(scene, panel, options, &plan))
        return STATUS_BAD;
    AUTO_FREE char *results = scene_folder(scene, out);
    AUTO_FREE char *folder = text_format("%s/%s", results, panel->experiment);
    if (manifest_read(folder, &manifest))
        return STATUS_BAD;
    for (int r = 0; r < manifest.count; ++r)
        if (!strcmp(manifest.rows[r].id, plan.runs[0].id) && run_has_trace(manifest.rows[r].status))
            return manifest_open(folder, NULL, &manifest.rows[r], trace);
    return fail_at(panel->place, "%s: the folder has no trace of the run %s; runs.tsv in this folder says why", folder,
                   plan.runs[0].id);
}

/* ---- Data ---- */

/* A picture of all panels as PNG, in base 64. Newly allocated; the caller frees it. NULL if it cannot be drawn. */
static char *draw_poster(struct picture_panel *panels, int count) {
    char *folder, *text = NULL, *bytes = NULL;
    struct stat about;
    if (temporary_make(&folder))
        return NULL;
    AUTO_FREE char *path = text_format("%s/still.png", folder);
    if (!picture_draw(panels, count, PANEL_PIXELS, 25, path) && !stat(path, &about) && !file_read(path, &bytes)) {
        const size_t size = (size_t)about.st_size;
        text = memory_new(BASE64_ENCODE_RAW_LENGTH(size) + 1, 1);
        base64_encode_raw(text, size, (const uint8_t *)bytes);
    }
    free(bytes);
    temporary_end(folder);
    return text;
}

/* The digest of a scene's inputs. The scene is made again only if its digest has changed. */
static void sign(const struct scene *scene, const struct trace_data *traces, char out[DIGEST_SIZE]) {
    AUTO_FREE char *text = text_format("4\n%s\n%s\n%s\n", scene->title, scene->says, scene->colour);
    for (int p = 0; p < scene->count; ++p)
        text_append(&text, "%s\n%s\n%d\n", scene->panels[p].label, trace_run_text(&traces[p], "key"),
                    traces[p].mesh_frames);
    digest_bytes(text, strlen(text), out);
}

static json_t *make(const struct scene *scene, const struct trace_data *traces, const char *made) {
    struct playback playbacks[SCENE_PANELS];
    struct picture_panel panels[SCENE_PANELS];
    int count = 0, status = STATUS_OK;
    json_t *all = json_array();
    for (; count < scene->count && !status; ++count) {
        struct playback *playback = &playbacks[count];
        status = playback_make(&traces[count], scene->panels[count].label, playback);
        panels[count] = playback->panel;
        json_array_append(all, playback->data);
    }
    AUTO_FREE char *poster = status ? NULL : draw_poster(panels, count);
    for (int p = 0; p < count; ++p)
        playback_free(&playbacks[p]);
    json_t *data = NULL;
    if (poster)
        data = json_pack("{ss ss ss so so ss ss sO}", "made", made, "paper", scene->paper, "id", scene->id, "title",
                         json_text(scene->title), "says", json_text(scene->says), "colour", scene->colour, "poster",
                         poster, "panels", all);
    json_decref(all);
    return data;
}

/* Whether a text consists of base 64 digits. */
static bool is_base64(const char *text) {
    return text && strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=") == strlen(text);
}

/* Read a stored scene; the caller releases it. Returns NULL if the file does not exist or is damaged. */
static json_t *read_kept(const char *path) {
    static const char *const texts[] = {"made", "paper", "id", "title", "says", "colour", NULL};
    json_t *data = file_exists(path) ? json_load_file(path, JSON_REJECT_DUPLICATES, NULL) : NULL;
    bool is_right =
        is_base64(json_string_value(json_object_get(data, "poster"))) && json_is_array(json_object_get(data, "panels"));
    for (const char *const *text = texts; *text; ++text)
        is_right = is_right && json_is_string(json_object_get(data, *text));
    if (is_right)
        return data;
    json_decref(data);
    return NULL;
}

json_t *scene_data(const struct scene *scene, const struct plan_options *options, const char *out, json_t *before) {
    struct trace_data traces[SCENE_PANELS];
    char made[DIGEST_SIZE];
    int opened = 0, status = STATUS_OK;
    json_t *data = NULL;
    for (; opened < scene->count && !status; ++opened)
        status = open_panel(scene, &scene->panels[opened], options, out, &traces[opened]);
    if (!status) {
        sign(scene, traces, made);
        const char *was = json_string_value(json_object_get(before, "made"));
        data = was && !strcmp(was, made) ? json_incref(before) : make(scene, traces, made);
    }
    for (int p = 0; p < opened; ++p)
        trace_close(&traces[p]);
    return data;
}

int scene_keep(const struct scene *scene, const struct plan_options *options, const char *out, const char *path) {
    json_t *before = read_kept(path), *data = scene_data(scene, options, out, before);
    int status = data ? STATUS_OK : STATUS_BAD;
    if (data && data != before) {
        AUTO_FREE char *text = json_dumps(data, JSON_COMPACT);
        status = file_write(path, text);
    }
    json_decref(data);
    json_decref(before);
    return status;
}

/* ---- The page ---- */

static const char *text_of(const json_t *data, const char *key) {
    return json_string_value(json_object_get(data, key));
}

/* Write JSON as the text of a script element. The characters <, > and & become \u escapes, because a parser would read
 * them as markup. */
static void put_json(const json_t *object, FILE *page) {
    char *text = json_dumps(object, JSON_COMPACT);
    for (const char *c = text; c && *c; ++c)
        if (strchr("<>&", *c))
            fprintf(page, "\\u%04x", (unsigned)*c);
        else
            fputc(*c, page);
    free(text);
}

void scene_put(const json_t *data, FILE *page) {
    html_put(page,
             "<figure class=\"scene\" id=\"scene-{id}-{id}\" data-colour=\"{text}\">\n"
             "<img alt=\"{text}\" src=\"data:image/png;base64,{markup}\"/>\n"
             "<figcaption><b>{text}.</b> {text}</figcaption>\n<script type=\"application/json\">",
             text_of(data, "paper"), text_of(data, "id"), text_of(data, "colour"), text_of(data, "title"),
             text_of(data, "poster"), text_of(data, "title"), text_of(data, "says"));
    put_json(json_object_get(data, "panels"), page);
    fputs("</script>\n</figure>\n", page);
}

char *scene_list(const char *out, const char *paper) {
    return text_format("%s/scenes/%s", out, paper);
}

int scene_put_all(const char *out, const char *paper, FILE *page) {
    AUTO_FREE char *folder = scene_list(out, paper);
    AUTO(entries_free) char **names = entries_list(folder);
    int count = 0;
    for (char **name = names; *name; ++name) {
        AUTO_FREE char *path = text_format("%s/%s", folder, *name);
        json_t *data = text_ends(*name, ".json") ? read_kept(path) : NULL;
        if (data) {
            scene_put(data, page);
            ++count;
        }
        json_decref(data);
    }
    return count;
}

void scene_put_player(FILE *page) {
    const char *library = page_part("three.js");
    AUTO_FREE char *packed = playback_pack(library, strlen(library));
    if (*library)
        html_put(page,
                 "<script type=\"text/plain\" "
                 "id=\"three\">{markup}</script>\n<script>\n//<![CDATA[\n{markup}//]]>\n</script>\n",
                 packed, page_part("player.js"));
}
