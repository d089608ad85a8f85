#include "experiment/run.h"

#include "base/memory.h"
#include "experiment/document.h"
#include "experiment/value.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Parameters of a run ---- */

const char *origin_name(enum origin origin) {
    static const char *const names[] = {"default", "stated", "assumed", "tier", "command"};
    return names[origin];
}

const struct parameter *run_parameter(const struct run *run, const char *path) {
    for (int i = 0; i < run->parameter_count; i++)
        if (strcmp(run->parameters[i].field->path, path) == 0)
            return &run->parameters[i];
    return NULL;
}

bool run_is_timed(const struct run *run) {
    return run_number(run, "time.repeats", 0) > 0;
}

bool run_assumes(const struct run *run, const char *path) {
    const struct parameter *parameter = run_parameter(run, path);
    return parameter && parameter->origin == ORIGIN_ASSUMED;
}

/* The parameter of a path. Aborts if the run does not have it. */
static const struct parameter *parameter_known(const struct run *run, const char *path) {
    const struct parameter *parameter = run_parameter(run, path);
    if (!parameter) {
        fprintf(stderr, "springback: a run has no parameter %s: this is a bug in springback\n", path);
        abort();
    }
    return parameter;
}

double run_number(const struct run *run, const char *path, int k) {
    const struct value *value = &parameter_known(run, path)->value;
    if (k < 0 || k >= value->count) {
        fprintf(stderr, "springback: %s has no number %d: this is a bug in springback\n", path, k);
        abort();
    }
    return value->number[k];
}

double run_number_or_nan(const struct run *run, const char *path) {
    return run_parameter(run, path) ? run_number(run, path, 0) : (double)NAN;
}

const char *run_text(const struct run *run, const char *path) {
    return parameter_known(run, path)->value.text;
}

int run_choice(const struct run *run, const char *path) {
    const struct parameter *parameter = parameter_known(run, path);
    return words_index(parameter->field->choices, parameter->value.text);
}

bool run_has(const struct run *run, const char *path, const char *word) {
    return words_have(run_text(run, path), word, strlen(word));
}

/* ---- The values of a run ---- */

/* The default of a field, read from its table. NULL, and a message, if the table has a mistake. */
static const struct value *default_of(struct description *description, const struct field *field) {
    struct value value;
    for (int i = 0; i < description->default_count; i++)
        if (description->defaults[i].field == field)
            return &description->defaults[i].value;
    if (value_parse(field->fallback, "the table of fields", field, description_choices(description, field),
                    description->pool, &value))
        return NULL;
    struct default_value *last = ARRAY_ADD(description->defaults, description->default_count);
    *last = (struct default_value){field, value};
    return &last->value;
}

/* The value that the description states for a path, where steps[a] is an index into axis a; NULL if there is none.
 * *column becomes the column that has the value. A value of --set for one method overrides all other values. */
static const struct value *stated_value(const struct description *description, const int *steps, const char *path,
                                        const struct column **column) {
    const struct value *stated = NULL;
    for (int a = 0; a < description->axis_count; a++)
        for (int c = 0; c < description->axes[a].column_count; c++) {
            const struct column *candidate = &description->axes[a].columns[c];
            const struct value *value = &candidate->values[steps[a]];
            if (!value->text || (stated && !candidate->is_of_method) || strcmp(candidate->field->path, path) != 0)
                continue;
            stated = value;
            *column = candidate;
        }
    return stated;
}

/* The assumption of a field, or NULL. An assumption that is only in the paper's file obeys two rules: it cannot add a
 * kind of body or a part of a scene to an experiment; and it gives no value to a path that the experiment lists under
 * `stated:`. */
static const struct assumption *assumption_at(const struct experiment *experiment, const struct field *field) {
    const char *path = field->path, *first = field_belongs_to(field);
    bool is_barred = first && !strcmp(first, path);
    for (int c = 0; c < experiment->citation_count; c++)
        is_barred = is_barred || !strcmp(experiment->citations[c].field->path, path);
    for (int i = 0; i < experiment->assumption_count; i++)
        if (!strcmp(experiment->assumptions[i].field->path, path) &&
            !strcmp(experiment->assumptions[i].field->unit, field->unit))
            return is_barred && !experiment->assumptions[i].is_used ? NULL : &experiment->assumptions[i];
    return NULL;
}

/* Whether the description or a used assumption gives a value at a path. */
static bool is_given(const struct description *description, const struct experiment *experiment, const int *steps,
                     const char *path) {
    const struct column *column;
    bool is_assumed = false;
    for (int i = 0; i < experiment->assumption_count; i++)
        is_assumed = is_assumed ||
                     (experiment->assumptions[i].is_used && strcmp(experiment->assumptions[i].field->path, path) == 0);
    return is_assumed || stated_value(description, steps, path, &column);
}

static int missing(const struct description *description, const struct experiment *experiment,
                   const struct field *field) {
    const char *unit = strcmp(field->unit, "1") == 0 ? "" : field->unit,
               *choices = description_choices(description, field);
    return fail_at(
        description_parent(description, experiment->file, field->path), "%s is missing; state it (%s%s%s%s%s)%s",
        field->path, type_name(field->type), unit[0] ? " in " : "", unit, choices[0] ? ", one of: " : "", choices,
        strcmp(field->path, "method.name") == 0 ? "" : ", or add it to assumptions if the paper does not state it");
}

/* Check that the numbers that scene.wind.kind needs are not left at their defaults. The defaults are 0: no wind. */
static int check_wind(const struct run *run) {
    static const char *const needs[][2] = {{"triangles", "scene.wind.velocity"},
                                           {"triangles", "scene.wind.drag"},
                                           {"uniform", "scene.wind.acceleration"},
                                           {"normals", "scene.wind.acceleration"}};
    const struct parameter *kind = run_parameter(run, "scene.wind.kind");
    int status = STATUS_OK;
    for (size_t n = 0; kind && n < sizeof needs / sizeof *needs; ++n)
        if (!strcmp(kind->value.text, needs[n][0]) && run_parameter(run, needs[n][1])->origin == ORIGIN_DEFAULT)
            status = fail_at(kind->place,
                             "scene.wind.kind is %s, and %s is missing; state it, or add it to assumptions if the "
                             "paper does not state it",
                             needs[n][0], needs[n][1]);
    return status;
}

int run_check(const struct run *run) {
    const struct parameter *mesh = run_parameter(run, "record.mesh_every"),
                           *until = run_parameter(run, "scene.push.until"),
                           *nodes = run_parameter(run, "body.cloth.nodes");
    double every = run_number(run, "record.every", 0), mesh_every = mesh->value.number[0];
    int status = check_wind(run);
    if (every > 0 && (long long)mesh_every % (long long)every != 0)
        status = fail_at(mesh->place,
                         "record.mesh_every is %s and record.every is %.0f; make record.mesh_every a multiple of "
                         "record.every, or 0",
                         mesh->value.text, every);
    if (until && until->value.number[0] < run_number(run, "scene.push.from", 0))
        status = fail_at(until->place,
                         "scene.push.until is %s, which is before scene.push.from (%s); use a time that is not earlier",
                         until->value.text, run_text(run, "scene.push.from"));
    if (nodes && nodes->value.number[0] * nodes->value.number[1] > INT_MAX)
        status = fail_at(nodes->place, "body.cloth.nodes is %s, which makes %.0f nodes; at most %d are allowed",
                         nodes->value.text, nodes->value.number[0] * nodes->value.number[1], INT_MAX);
    const struct parameter *push = run_parameter(run, "scene.push.acceleration");
    if (push && !nodes)
        status = fail_at(push->place, "%s needs body.cloth.nodes, which is missing", push->field->path);
    static const char *const of_meshes[] = {"scene.ground.height", "scene.plate.speed", "scene.twist.torque"};
    for (size_t f = 0; nodes && f < sizeof of_meshes / sizeof *of_meshes; ++f)
        if (run_parameter(run, of_meshes[f]))
            status = fail_at(run_parameter(run, of_meshes[f])->place, "%s needs body.mesh, but the body is a cloth",
                             of_meshes[f]);
    const double steps = run_number(run, "time.frames", 0) * run_number(run, "time.steps_per_frame", 0);
    if (steps > INT_MAX)
        status =
            fail_at(run_parameter(run, "time.frames")->place,
                    "time.frames times time.steps_per_frame makes %.0f steps; at most %d are allowed", steps, INT_MAX);
    return status;
}

/* Add the parameters of one table of fields to a run. */
static int settle_table(struct description *description, const struct experiment *experiment, const struct field *table,
                        const int *steps, struct run *out) {
    int status = STATUS_OK;
    for (const struct field *field = table; field->path; field++) {
        struct parameter parameter = {field, {0}, ORIGIN_DEFAULT, {experiment->file, 0, 0}};
        const struct column *column;
        const struct value *value = stated_value(description, steps, field->path, &column);
        const struct assumption *assumption = value ? NULL : assumption_at(experiment, field);
        const char *first = field_belongs_to(field);
        if (first && !is_given(description, experiment, steps, first)) {
            if (value || (assumption && assumption->is_used))
                status = fail_at(value ? column->place : assumption->place, "%s needs %s, which is missing",
                                 field->path, first);
            continue;
        }
        if (value) {
            parameter.origin = column->origin;
            parameter.place = column->place;
        } else if (assumption) {
            value = &assumption->value;
            parameter.origin = ORIGIN_ASSUMED;
            parameter.place = assumption->place;
        } else if (field_is_optional(field)) {
            continue;
        } else if (!field->fallback) {
            status = missing(description, experiment, field);
            continue;
        } else if (!(value = default_of(description, field))) {
            return STATUS_BAD;
        }
        parameter.value = *value;
        *ARRAY_ADD(out->parameters, out->parameter_count) = parameter;
    }
    return status;
}

int run_settle(struct description *description, const struct experiment *experiment,
               const struct method_fields *methods, const int *steps, struct run *out) {
    memset(out, 0, sizeof *out);
    const bool is_cloth = is_given(description, experiment, steps, "body.cloth.nodes"),
               is_mesh = is_given(description, experiment, steps, "body.mesh");
    int status = STATUS_OK;
    if (is_cloth == is_mesh)
        status = fail_at(description_parent(description, experiment->file, "body.cloth.nodes"),
                         is_cloth ? "body.cloth.nodes and body.mesh are both given; keep one of them"
                                  : "body.cloth.nodes is missing; state it (two whole numbers), or add it to "
                                    "assumptions if the paper does not state it; or give body.mesh, a mesh's name or "
                                    "file");
    else
        status = settle_table(description, experiment, experiment_fields, steps, out);
    const struct parameter *name = run_parameter(out, "method.name");
    const struct method_fields *method = name ? method_named(methods, name->value.text) : NULL;
    if (method)
        status |= settle_table(description, experiment, method->fields, steps, out);
    if (status == STATUS_OK)
        status = run_check(out);
    if (status != STATUS_OK)
        run_free(out);
    return status;
}

void run_digest(const struct run *run, bool all, char out[DIGEST_SIZE]) {
    struct digest *digest = digest_create();
    for (int i = 0; i < run->parameter_count; i++) {
        const char *path = run->parameters[i].field->path;
        if (!all && (!strcmp(path, "backend") || !strcmp(path, "time.read_back")))
            continue;
        digest_add_text(digest, path);
        digest_add_text(digest, run->parameters[i].value.text);
    }
    digest_finish(digest, out);
}

char *parameter_id_text(const struct parameter *parameter) {
    char *out = text_copy(parameter->value.text), *to = out;
    int numbers = type_numbers(parameter->field->type);
    for (const char *at = parameter->value.text; *at; at++) {
        if (*at == ' ' && numbers && --numbers == 0)
            break;
        bool plain = (*at >= '0' && *at <= '9') || (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z');
        char mapped = *at == ' ' ? numbers ? 'x' : '+' : *at == ':' ? '.' : '_';
        *to++ = plain || strchr(".=,+_-", *at) ? *at : mapped;
    }
    *to = 0;
    return out;
}

void run_free(struct run *run) {
    free(run->parameters);
    pool_free(&run->pool);
    free(run->id);
    memset(run, 0, sizeof *run);
}
