#include "mesh/step.h"

#include "base/memory.h"
#include "experiment/spelling.h"
#include "experiment/units.h"
#include "mesh/hole.h"
#include "mesh/repair.h"
#include "mesh/subdivide.h"

#include <math.h>
#include <string.h>

/* ---- What they take ---- */

enum shape { BARE, ONE, MAP, REDUCE };

/* SUBDIVIDE is of polygons, before they are triangles. */
enum action {
    WELD,
    DROP_DUPLICATES,
    KEEP_LARGEST,
    ORIENT,
    OPEN,
    CLOSE,
    MEND,
    REDUCE_COUNTS,
    CUT,
    SCALE,
    CENTRE,
    TURN,
    REFINE,
    SUBDIVIDE
};

struct parameter {
    const char *name, *unit;
    bool whole;
    double least, most;
};

struct step_kind {
    const char *name, *takes;
    enum shape shape;
    enum action action;
    struct parameter parameter[4]; /* ONE: the first alone */
};

static const struct step_kind kinds[] = {
    {"weld", "a distance, as in {weld: 0 m}", ONE, WELD, {{"weld", "m", false, 0, 1e9}}},
    {"drop_duplicates", "nothing", BARE, DROP_DUPLICATES, {{0}}},
    {"keep_largest", "nothing", BARE, KEEP_LARGEST, {{0}}},
    {"orient", "nothing", BARE, ORIENT, {{0}}},
    {"open", "nothing", BARE, OPEN, {{0}}},
    {"close", "nothing", BARE, CLOSE, {{0}}},
    {"mend", "a number of rounds, as in {mend: 8}", ONE, MEND, {{"mend", "1", true, 1, 100}}},
    {"reduce", "counts, as in {reduce: {vertices: 3008}}, and by: gts or meshoptimizer", REDUCE, REDUCE_COUNTS, {{0}}},
    {"cut",
     "a place in shares of the box and sides, as in {cut: {x: 0.5, y: 0, z: 0.5, sides: 6}}",
     MAP,
     CUT,
     {{"x", "1", false, 0, 1}, {"y", "1", false, 0, 1}, {"z", "1", false, 0, 1}, {"sides", "1", true, 3, 400}}},
    {"scale", "the length of the longest side, as in {scale: 1 m}", ONE, SCALE, {{"scale", "m", false, 1e-9, 1e9}}},
    {"centre", "nothing", BARE, CENTRE, {{0}}},
    {"turn",
     "quarter turns about each axis, as in {turn: {x: 1, y: 0, z: 0}}",
     MAP,
     TURN,
     {{"x", "1", true, -3, 3}, {"y", "1", true, -3, 3}, {"z", "1", true, -3, 3}}},
    {"refine", "how often, as in {refine: 1}", ONE, REFINE, {{"times", "1", true, 1, 8}}},
    {"subdivide",
     "how often, as in {subdivide: 2}; before all other steps",
     ONE,
     SUBDIVIDE,
     {{"times", "1", true, 1, 8}}},
    {.name = NULL},
};

/* ---- Reading ---- */

static int read_number(const struct node *node, const struct parameter *parameter, double *number) {
    if (node->kind != NODE_SCALAR)
        return fail_at(node->place, "%s is %s; write one number", parameter->name, document_kind(node));
    if (unit_read(node->place, parameter->name, node->text, parameter->unit, number))
        return STATUS_BAD;
    if (!(*number >= parameter->least && *number <= parameter->most) || (parameter->whole && *number != floor(*number)))
        return fail_at(node->place, "%s is %g; it is a %snumber from %g to %g", parameter->name, *number,
                       parameter->whole ? "whole " : "", parameter->least, parameter->most);
    return STATUS_OK;
}

static int unknown(const struct node *node, const struct step_kind *kind) {
    return fail_at(node->key_place, "%s has no %.60s; it takes %s", kind->name, node->key, kind->takes);
}

static int read_map(const struct node *node, struct step *step) {
    const struct step_kind *kind = step->kind;
    int status = STATUS_OK;
    if (node->kind != NODE_MAP)
        return fail_at(node->place, "%s takes %s", kind->name, kind->takes);
    for (int p = 0; p < 4 && kind->parameter[p].name; ++p) {
        const struct node *item = document_item(node, kind->parameter[p].name);
        if (!item)
            status = fail_at(node->place, "%s lacks %s; it takes %s", kind->name, kind->parameter[p].name, kind->takes);
        else if (read_number(item, &kind->parameter[p], &step->number[p]))
            status = STATUS_BAD;
    }
    for (int i = 0; i < node->count; ++i) {
        bool known = false;
        for (int p = 0; p < 4 && kind->parameter[p].name; ++p)
            known = known || !strcmp(kind->parameter[p].name, node->items[i].key);
        if (!known)
            status = unknown(&node->items[i], kind);
    }
    return status;
}

static int read_reduce(const struct node *node, struct step *step) {
    static const struct parameter count = {"a count", "1", true, 4, 1e8};
    int status = STATUS_OK;
    if (node->kind != NODE_MAP || !node->count)
        return fail_at(node->place, "reduce takes %s", step->kind->takes);
    for (int i = 0; i < node->count; ++i) {
        const struct node *item = &node->items[i];
        int *out = !strcmp(item->key, "vertices")    ? &step->target.vertices
                   : !strcmp(item->key, "edges")     ? &step->target.edges
                   : !strcmp(item->key, "triangles") ? &step->target.triangles
                                                     : NULL;
        double number = 0;
        if (out && !read_number(item, &count, &number))
            *out = (int)number;
        else if (out)
            status = STATUS_BAD;
        else if (strcmp(item->key, "by") != 0)
            status = unknown(item, step->kind);
        else if (item->kind == NODE_SCALAR && !strcmp(item->text, "meshoptimizer"))
            step->by = REDUCER_MESHOPTIMIZER;
        else if (item->kind != NODE_SCALAR || strcmp(item->text, "gts") != 0)
            status = fail_at(item->place, "by is gts, which is exact, or meshoptimizer, which is fast");
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
        return fail_at(node->place, "a step is one word, as in centre, or one word with what it takes, as in {scale: 1 "
                                    "m}; one item a step");
    const char *name = bare ? node->text : node->items[0].key;
    for (const struct step_kind *kind = kinds; kind->name; ++kind)
        if (!strcmp(kind->name, name))
            step->kind = kind;
    if (!step->kind)
        return refuse_name(name, bare ? node->place : node->items[0].key_place);
    if (bare != (step->kind->shape == BARE))
        return fail_at(node->place, "%s takes %s", name, step->kind->takes);
    switch (step->kind->shape) {
    case ONE:
        return read_number(&node->items[0], step->kind->parameter, &step->number[0]);
    case MAP:
        return read_map(&node->items[0], step);
    case REDUCE:
        return read_reduce(&node->items[0], step);
    default:
        return STATUS_OK;
    }
}

/* ---- Doing ---- */

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
    int status = STATUS_OK, turned;
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
        return mesh_orient(mesh, name, &turned);
    case OPEN:
        return holes_open(mesh, name);
    case CLOSE:
        return holes_close(mesh, name);
    case MEND:
        return holes_mend(mesh, (int)step->number[0], name);
    case REDUCE_COUNTS:
        return mesh_reduce(mesh, &step->target, step->by, name);
    case CUT:
        return hole_cut(mesh, step->number, (int)step->number[3], name);
    case SCALE:
        return mesh_scale(mesh, step->number[0], name);
    case CENTRE:
        mesh_centre(mesh);
        return STATUS_OK;
    case TURN:
        for (int axis = 0; axis < 3; ++axis)
            mesh_turn(mesh, axis, (int)step->number[axis]);
        return STATUS_OK;
    case REFINE:
        for (int k = 0; k < (int)step->number[0] && !status; ++k)
            status = mesh_refine(mesh, name);
        return status;
    default:
        return fail_at(step->place, "%s comes before all other steps, while faces are as the file has them",
                       step->kind->name);
    }
}

char *step_text(const struct step *step) {
    const struct step_kind *kind = step->kind;
    char number[4][NUMBER_SIZE];
    for (int k = 0; k < 4; ++k)
        number_write(step->number[k], number[k]);
    switch (kind->shape) {
    case ONE:
        return text_format("{%s: %s%s%s}", kind->name, number[0], strcmp(kind->parameter->unit, "1") != 0 ? " " : "",
                           strcmp(kind->parameter->unit, "1") != 0 ? kind->parameter->unit : "");
    case MAP: {
        char *text = text_format("{%s: {", kind->name);
        for (int p = 0; p < 4 && kind->parameter[p].name; ++p)
            text_append(&text, "%s%s: %s", p ? ", " : "", kind->parameter[p].name, number[p]);
        text_append(&text, "}}");
        return text;
    }
    case REDUCE: {
        const struct {
            const char *name;
            int count;
        } asked[] = {
            {"vertices", step->target.vertices}, {"edges", step->target.edges}, {"triangles", step->target.triangles}};
        char *text = text_copy("{reduce: {");
        for (int k = 0; k < 3; ++k)
            if (asked[k].count)
                text_append(&text, "%s: %d, ", asked[k].name, asked[k].count);
        text_append(&text, "by: %s}}", step->by == REDUCER_GTS ? "gts" : "meshoptimizer");
        return text;
    }
    default:
        return text_copy(kind->name);
    }
}
