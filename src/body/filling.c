#include "body/filling.h"

#include "base/memory.h"
#include "body/links.h"
#include "body/order.h"
#include "body/paper_groups.h"
#include "body/tetgen.h"
#include "mesh/edges.h"

#include <signal.h>
#include <string.h>

static int add_links(struct prepared *prepared, const struct mesh *mesh, enum links_end end) {
    static const enum body_part kind_of[] = {[LINKS_END_HIT] = PART_LINKS, [LINKS_END_START] = PART_LINKS_TO_START};
    const enum body_part kind = kind_of[end];
    AUTO(links_free) struct links links;
    if (links_create(mesh, end, &links))
        return STATUS_BAD;
    AUTO_FREE int *particle = memory_new(2 * (size_t)links.count, sizeof *particle);
    for (int l = 0; l < links.count; ++l) {
        particle[2 * (size_t)l] = links.link[l].a;
        particle[2 * (size_t)l + 1] = links.link[l].b;
    }
    const struct {
        const char *name;
        int value;
    } facts[] = {{"missed", links.missed}, {"doubled", links.doubled}, {"that_are_edges", links.edges}};
    if (prepared_add_part(prepared, kind, links.count, particle))
        return STATUS_BAD;
    for (size_t f = 0; f < sizeof facts / sizeof *facts; ++f) {
        AUTO_FREE char *name = text_format("%s_%s", part_kinds[kind].name, facts[f].name);
        prepared_add(prepared, name, "%d", facts[f].value);
    }
    return STATUS_OK;
}

/* TetGen's output without the lines with times, because times differ from run to run. Newly allocated. */
static char *message_without_times(const char *message) {
    char *kept = memory_new(strlen(message) + 2, 1), *to = kept;
    for (const char *line = message, *end; *line; line = *end ? end + 1 : end) {
        end = strchrnul(line, '\n');
        const size_t length = (size_t)(end - line);
        if (memmem(line, length, "seconds", strlen("seconds")))
            continue;
        memcpy(to, line, length);
        to[length] = '\n';
        to += length + 1;
    }
    return kept;
}

/* Add TetGen's tetrahedra. TetGen's new vertices inside the body are sorted along Morton's curve, and follow those of
 * the surface. */
static int take_tetrahedra(struct prepared *prepared, const struct tetrahedra *body, const char *name) {
    const int kept = prepared->surface_vertices, inside = body->vertices - kept;
    if (body->kept < kept)
        return fail("%s: TetGen keeps %d of the surface's %d vertices; use switches with Y to keep all", name,
                    body->kept, kept);
    AUTO_FREE int *order = memory_new((size_t)inside, sizeof *order);
    AUTO_FREE int *place = memory_new((size_t)body->vertices, sizeof *place);
    if (inside && order_morton(inside, (const double(*)[3])body->position + kept, order))
        return STATUS_BAD;
    prepared->position = memory_grow(prepared->position, (size_t)body->vertices, sizeof *prepared->position);
    for (int k = 0; k < kept; ++k)
        place[k] = k;
    for (int k = 0; k < inside; ++k) {
        place[kept + order[k]] = kept + k;
        memcpy(prepared->position[kept + k], body->position[kept + order[k]], sizeof *prepared->position);
    }
    prepared->vertices = body->vertices;
    AUTO_FREE int *particle = memory_new(4 * (size_t)body->tetrahedra, sizeof *particle);
    for (size_t k = 0; k < 4 * (size_t)body->tetrahedra; ++k)
        particle[k] = place[body->corner[k / 4][k % 4]];
    return prepared_add_part(prepared, PART_TETRAHEDRA, body->tetrahedra, particle);
}

static int add_tetrahedra(struct prepared *prepared, const struct mesh *surface, const char *switches,
                          const char *name) {
    static const char *const results[] = {"whole", "not run", "failed", "empty", "broken"};
    const struct failure_mark mark = failure_mark();
    AUTO(tetrahedra_free) struct tetrahedra body;
    AUTO(tetgen_free) struct tetgen_outcome outcome;
    const int failed = tetgen_fill(surface, &(struct tetgen_options){.switches = switches}, &body, &outcome);
    /* A failure is a result only if the surface causes it. Other causes are the machine's load, a signal from outside,
     * and a TetGen that does not work at all. */
    const bool is_result =
        !failed || (outcome.result != TETGEN_NOT_RUN && outcome.run.end != PROCESS_TIMED_OUT &&
                    outcome.run.end != PROCESS_OUT_OF_MEMORY && outcome.run.end != PROCESS_INTERRUPTED &&
                    outcome.run.signal != SIGKILL && outcome.run.signal != SIGTERM && !tetgen_check());
    if (!is_result)
        return STATUS_BAD;
    AUTO_FREE char *message = message_without_times(outcome.run.output);
    failure_rewind(mark); /* the failure is a result, not an error */
    prepared_add(prepared, "tetgen_switches", "%s", switches);
    prepared_add(prepared, "tetgen_result", "%s", results[outcome.result]);
    prepared_add(prepared, "tetgen_failed", "%d", failed != 0);
    prepared_add(prepared, "tetgen_code", "%d", outcome.run.code);
    prepared_add(prepared, "tetgen_signal", "%d", outcome.run.signal);
    prepared_add(prepared, "tetgen_message", "%s", message);
    if (failed)
        return STATUS_OK;
    struct tetrahedra_survey survey;
    tetrahedra_survey(&body, &survey);
    prepared_add(prepared, "tetrahedra_volume", "%.17g", survey.volume);
    prepared_add(prepared, "tetrahedra_smallest_angle", "%.6g", survey.smallest_angle);
    return take_tetrahedra(prepared, &body, name);
}

/* Add facts about the groups of cetinaslan2019's algorithm 2, as printed and repaired. The edges are in the order of
 * their vertices. */
static int judge_paper_groups(struct prepared *prepared, const struct edges *edges) {
    struct groups groups;
    struct paper_groups_verdict verdict;
    const int(*end)[2] = (const int(*)[2])edges->end;
    if (edges->count > PAPER_GROUPS_EDGES_MOST)
        return STATUS_OK;
    if (paper_groups_repaired(prepared->vertices, edges->count, end, &groups))
        return STATUS_BAD;
    const int count = groups.count;
    paper_groups_judge(&groups, edges->count, end, &verdict);
    prepared_add(prepared, "paper_groups", "%d", count);
    prepared_add(prepared, "paper_groups_conflicts", "%ld", verdict.conflicts);
    groups_free(&groups);
    if ((long)count * edges->count > PAPER_GROUPS_PLACES_MOST)
        return STATUS_OK;
    if (paper_groups_as_printed(prepared->vertices, edges->count, end, count, &groups))
        return STATUS_BAD;
    paper_groups_judge(&groups, edges->count, end, &verdict);
    prepared_add(prepared, "printed_groups_conflicts", "%ld", verdict.conflicts);
    prepared_add(prepared, "printed_groups_missing", "%d", verdict.missing);
    groups_free(&groups);
    return STATUS_OK;
}

int filling_add(struct prepared *prepared, const struct filling *how, const char *name) {
    AUTO(mesh_free) struct mesh mesh;
    AUTO(edges_free) struct edges edges;
    prepared_surface(prepared, &mesh);
    edges_create(&mesh, &edges);
    if (how->with_links && (add_links(prepared, &mesh, LINKS_END_HIT) || add_links(prepared, &mesh, LINKS_END_START)))
        return STATUS_BAD;
    if ((how->with_paper_groups && judge_paper_groups(prepared, &edges)) ||
        (how->switches && add_tetrahedra(prepared, &mesh, how->switches, name)))
        return STATUS_BAD;
    prepared_add(prepared, "particles", "%d", prepared->vertices);
    prepared_seal(prepared);
    return STATUS_OK;
}
