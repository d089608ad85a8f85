#include "mesh/catalogue.h"

#include "base/memory.h"
#include "experiment/spelling.h"
#include "experiment/units.h"
#include "mesh/repair.h"

#include <math.h>
#include <string.h>

/* ---- Parameters of steps ---- */

/* What a step does. SUBDIVIDE is applied to polygons, before they are cut into triangles. */
enum action {
    WELD,
    DROP_DUPLICATES,
    KEEP_LARGEST,
    ORIENT,
    OPEN,
    CLOSE,
    MEND,
    REDUCE,
    CUT,
    SCALE,
    CENTRE,
    ROTATE,
    REFINE,
    LOOSE,
    SUBDIVIDE
};

struct parameter {
    const char *name, *unit; /* unit: "1" for a pure number */
    bool whole;              /* the value must be an integer */
    double least, most;      /* the allowed range, in the unit */
};

/* A kind of step. A step without parameters is written as its name, a step with one parameter as {NAME: VALUE}, and a
 * step with several parameters as {NAME: {PARAMETER: VALUE, ...}}. `takes` describes the parameters in messages. */
struct step_kind {
    const char *name, *takes;
    enum action action;
    struct parameter parameter[4];
};

static const struct step_kind kinds[] = {
    {"weld", "a distance, as in {weld: 0 m}", WELD, {{"weld", "m", false, 0, 1e9}}},
    {"drop_duplicates", "nothing", DROP_DUPLICATES, {{0}}},
    {"keep_largest", "nothing", KEEP_LARGEST, {{0}}},
    {"orient", "nothing", ORIENT, {{0}}},
    {"open", "nothing", OPEN, {{0}}},
    {"close", "nothing", CLOSE, {{0}}},
    {"mend", "a number of rounds, as in {mend: 8}", MEND, {{"mend", "1", true, 1, 100}}},
    {"reduce",
     "counts, as in {reduce: {vertices: 3008}}, and optionally `by: gts` or `by: meshoptimizer`",
     REDUCE,
     {{"vertices", "1", true, 4, 1e8}, {"edges", "1", true, 4, 1e8}, {"triangles", "1", true, 4, 1e8}}},
    {"cut",
     "a place in fractions of the bounding box and a number of sides, as in {cut: {x: 0.5, y: 0, z: 0.5, sides: 6}}",
     CUT,
     {{"x", "1", false, 0, 1}, {"y", "1", false, 0, 1}, {"z", "1", false, 0, 1}, {"sides", "1", true, 3, 400}}},
    {"scale", "the length of the longest side, as in {scale: 1 m}", SCALE, {{"scale", "m", false, 1e-9, 1e9}}},
    {"centre", "nothing", CENTRE, {{0}}},
    {"turn",
     "rotations by 90 degrees about each axis, as in {turn: {x: 1, y: 0, z: 0}}",
     ROTATE,
     {{"x", "1", true, -3, 3}, {"y", "1", true, -3, 3}, {"z", "1", true, -3, 3}}},
    {"refine", "a number of times, as in {refine: 1}", REFINE, {{"times", "1", true, 1, 8}}},
    {"loose", "a number of vertices, as in {loose: 100}", LOOSE, {{"loose", "1", true, 1, 1e8}}},
    {"subdivide", "a number of times, as in {subdivide: 2}", SUBDIVIDE, {{"times", "1", true, 1, 8}}},
    {.name = NULL},
};

/* ---- Reading ---- */

static int read_number(const struct node *node, const char *name, const struct parameter *parameter, double *number) {
    if (node->kind != NODE_SCALAR)
        return fail_at(node->place, "%s is %s; write one number", name, document_kind(node));
    if (unit_read(node->place, name, node->text, parameter->unit, number))
        return STATUS_BAD;
    if (!(*number >= parameter->least && *number <= parameter->most) || (parameter->whole && *number != floor(*number)))
        return fail_at(node->place, "%s is %g; use a %snumber from %g to %g", name, *number,
                       parameter->whole ? "whole " : "", parameter->least, parameter->most);
    return STATUS_OK;
}

static int read_reducer(const struct node *node, enum reducer *by) {
    const bool is_word = node->kind == NODE_SCALAR;
    if (is_word && !strcmp(node->text, "meshoptimizer"))
        *by = REDUCER_MESHOPTIMIZER;
    else if (!is_word || strcmp(node->text, "gts") != 0)
        return fail_at(node->place, "`by` must be gts, which reaches exact counts, or meshoptimizer, which is faster");
    return STATUS_OK;
}

/* Read the parameters of a step from a map. A step needs all of its parameters. Only `reduce` is different: it needs at
 * least one key, and may have the key `by`. */
static int read_map(const struct node *node, struct step *step) {
    const struct step_kind *kind = step->kind;
    const struct parameter *parameter = kind->parameter;
    const bool is_reduce = kind->action == REDUCE;
    int status = STATUS_OK;
    if (node->kind != NODE_MAP || (is_reduce && !node->count))
        return fail_at(node->place, "`%s` takes %s", kind->name, kind->takes);
    for (int p = 0; p < 4 && parameter[p].name && !is_reduce; ++p)
        if (!document_item(node, parameter[p].name))
            status = fail_at(node->place, "`%s` lacks the parameter `%s`; it takes %s", kind->name, parameter[p].name,
                             kind->takes);
    for (int i = 0; i < node->count; ++i) {
        const struct node *item = &node->items[i];
        int p = 0;
        while (p < 4 && parameter[p].name && strcmp(parameter[p].name, item->key) != 0)
            ++p;
        if (p < 4 && parameter[p].name)
            status |= read_number(item, is_reduce ? "a count" : item->key, &parameter[p], &step->number[p]);
        else if (is_reduce && !strcmp(item->key, "by"))
            status |= read_reducer(item, &step->by);
        else
            status = fail_at(item->key_place, "`%s` has no parameter `%.60s`; it takes %s", kind->name, item->key,
                             kind->takes);
    }
    return status;
}

static int refuse_name(const char *name, struct place place) {
    AUTO_FREE char *names = text_copy("");
    for (const struct step_kind *kind = kinds; kind->name; ++kind)
        text_append(&names, "%s%s", *names ? " " : "", kind->name);
    AUTO_FREE char *advice = spelling_advice(name, names);
    return fail_at(place, "there is no step %.60s; %s", name, advice);
}

int step_read(const struct node *node, struct step *step) {
    const bool bare = node->kind == NODE_SCALAR;
    memset(step, 0, sizeof *step);
    step->place = node->place;
    step->by = REDUCER_GTS;
    if (!bare && (node->kind != NODE_MAP || node->count != 1))
        return fail_at(node->place, "a step must be one word, such as `centre`, or one word with its parameters, such "
                                    "as `{scale: 1 m}`; use one item per step");
    const char *name = bare ? node->text : node->items[0].key;
    for (const struct step_kind *kind = kinds; kind->name; ++kind)
        if (!strcmp(kind->name, name))
            step->kind = kind;
    if (!step->kind)
        return refuse_name(name, bare ? node->place : node->items[0].key_place);
    const struct parameter *parameter = step->kind->parameter;
    if (bare != !parameter[0].name)
        return fail_at(node->place, "`%s` takes %s", name, step->kind->takes);
    if (bare)
        return STATUS_OK;
    return parameter[1].name ? read_map(&node->items[0], step)
                             : read_number(&node->items[0], parameter->name, parameter, &step->number[0]);
}

/* ---- Executing ---- */

int steps_of_polygons(const struct step *steps, int count) {
    int leading = 0;
    while (leading < count && steps[leading].kind->action == SUBDIVIDE)
        ++leading;
    return leading;
}

int step_subdivide(const struct step *step, const char *name, struct polygons *polygons) {
    for (int k = 0; k < (int)step->number[0]; ++k) {
        struct polygons finer;
        if (polygons_catmull_clark(polygons, name, &finer))
            return STATUS_BAD;
        polygons_free(polygons);
        *polygons = finer;
    }
    return STATUS_OK;
}

int step_do(const struct step *step, const char *name, struct mesh *mesh) {
    struct mesh_target target;
    int status = STATUS_OK, flipped;
    switch (step->kind->action) {
    case WELD:
        mesh_weld(mesh, step->number[0]);
        mesh_drop_degenerate(mesh, false);
        mesh_drop_unused(mesh);
        return STATUS_OK;
    case DROP_DUPLICATES:
        mesh_drop_duplicates(mesh);
        return STATUS_OK;
    case KEEP_LARGEST:
        mesh_keep_largest(mesh);
        mesh_drop_unused(mesh);
        return STATUS_OK;
    case ORIENT:
        return mesh_orient(mesh, name, &flipped);
    case OPEN:
        return holes_open(mesh, name);
    case CLOSE:
        return holes_close(mesh, name);
    case MEND:
        return holes_mend(mesh, (int)step->number[0], name);
    case REDUCE:
        target = (struct mesh_target){(int)step->number[0], (int)step->number[1], (int)step->number[2]};
        return mesh_reduce(mesh, &target, step->by, name);
    case CUT:
        return hole_cut(mesh, step->number, (int)step->number[3], name);
    case SCALE:
        return mesh_scale(mesh, step->number[0], name);
    case CENTRE:
        mesh_centre(mesh);
        return STATUS_OK;
    case ROTATE:
        for (int axis = 0; axis < 3; ++axis)
            mesh_rotate(mesh, axis, (int)step->number[axis]);
        return STATUS_OK;
    case REFINE:
        for (int k = 0; k < (int)step->number[0] && !status; ++k)
            status = mesh_refine(mesh, name);
        return status;
    case LOOSE:
        if (!mesh->vertices)
            return fail_at(step->place, "%s has no vertices that loose vertices could copy", name);
        mesh_add_loose(mesh, (int)step->number[0]);
        return STATUS_OK;
    default:
        return fail_at(
            step->place,
            "`%s` must come before all other steps and needs an original, because it processes the faces of a file",
            step->kind->name);
    }
}

char *step_text(const struct step *step) {
    const struct step_kind *kind = step->kind;
    const struct parameter *parameter = kind->parameter;
    char number[4][NUMBER_SIZE];
    for (int k = 0; k < 4; ++k)
        number_write(step->number[k], number[k]);
    if (!parameter[0].name)
        return text_copy(kind->name);
    if (!parameter[1].name)
        return text_format("{%s: %s%s%s}", kind->name, number[0], strcmp(parameter->unit, "1") != 0 ? " " : "",
                           strcmp(parameter->unit, "1") != 0 ? parameter->unit : "");
    char *text = text_format("{%s: {", kind->name);
    for (int p = 0; p < 4 && parameter[p].name; ++p)
        if (kind->action != REDUCE)
            text_append(&text, "%s%s: %s", p ? ", " : "", parameter[p].name, number[p]);
        else if (step->number[p] > 0)
            text_append(&text, "%s: %.0f, ", parameter[p].name, step->number[p]);
    if (kind->action == REDUCE)
        text_append(&text, "by: %s", step->by == REDUCER_GTS ? "gts" : "meshoptimizer");
    text_append(&text, "}}");
    return text;
}
