#include "body/groups.h"

#include "base/memory.h"
#include "base/rows.h"
#include "body/order.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { NONE = -1 };

static bool is_in(const int *list, int count, int what) {
    int i = 0;
    while (i < count && list[i] != what)
        ++i;
    return i < count;
}

/* Limits of the search. */
enum {
    SIZE_MOST = 16,     /* particles of a constraint */
    CHAIN_MOST = 4096,  /* constraints in a chain of edges */
    TANGLE_MOST = 8,    /* constraints in a chain, of more than two particles each; few, because the chain branches */
    CHAIN_TRIES = 16,   /* chains tried for a constraint */
    LOOK_MOST = 256,    /* colours tested for a constraint */
    SEARCH_STEPS = 150, /* steps per constraint before a colour is added; a step takes a few nanoseconds */
    ROUNDS_MOST = 100   /* rounds of balancing */
};

/* A colouring of a lattice is accepted if the sizes of its colours differ by at most 1 / LATTICE_SPREAD of the largest
 * size. The border of the lattice causes such differences. */
enum { LATTICE_SPREAD = 8 };

/* A colouring in progress. Each particle has a row of slots: a hash table of its constraints by colour, with open
 * addressing and linear probing. The number of slots of a row is a power of two. The search for colour k begins at slot
 * k modulo this number. */
struct colouring {
    int particles, constraints, size, colours; /* colours: number of colours that may be used */
    const int *particle;
    int *colour;         /* [constraints] the colour of each constraint; NONE if it has no colour yet */
    size_t *start;       /* [particles + 1] the row of particle p is slot[start[p]] to slot[start[p + 1] - 1] */
    int *slot;           /* a constraint, or NONE if the slot is empty */
    int *lowest;         /* per particle: the lowest colour that none of its constraints has */
    int *queue;          /* [constraints + SIZE_MOST] the constraints of a chain */
    int64_t *seen;       /* per constraint: stamp of the last chain that contained it */
    int *weight;         /* per constraint: how often it was hard to place */
    int64_t stamp, work; /* work: steps since a colour was added */
    uint32_t variety;
};

static const int *particles_of(const struct colouring *c, int constraint) {
    return c->particle + (size_t)constraint * (size_t)c->size;
}

/* The index of the slot with the particle's constraint of this colour. If there is no such constraint: the index of the
 * empty slot in which it would be stored. */
static size_t find(const struct colouring *c, int p, int colour) {
    const size_t mask = c->start[p + 1] - c->start[p] - 1;
    size_t k = (size_t)colour & mask;
    const int *row = c->slot + c->start[p];
    while (row[k] != NONE && c->colour[row[k]] != colour)
        k = (k + 1) & mask;
    return c->start[p] + k;
}

/* The constraint of the colour at the particle, or NONE. */
static int at(const struct colouring *c, int p, int colour) {
    return c->slot[find(c, p, colour)];
}

/* Empty a slot, and move later entries of the row into it where necessary, so that the search for their colours still
 * finds them. */
static void empty(struct colouring *c, int p, size_t found) {
    const size_t mask = c->start[p + 1] - c->start[p] - 1;
    int *row = c->slot + c->start[p];
    size_t hole = found - c->start[p];
    for (size_t k = (hole + 1) & mask; row[k] != NONE; k = (k + 1) & mask) {
        const size_t home = (size_t)c->colour[row[k]] & mask;
        if (((k - home) & mask) >= ((k - hole) & mask)) {
            row[hole] = row[k];
            hole = k;
        }
    }
    row[hole] = NONE;
}

static void place(struct colouring *c, int constraint, int colour) {
    c->colour[constraint] = colour;
    for (int k = 0; k < c->size; ++k) {
        const int p = particles_of(c, constraint)[k];
        if (p == NONE)
            continue;
        c->slot[find(c, p, colour)] = constraint;
        while (c->lowest[p] < c->colours && at(c, p, c->lowest[p]) != NONE)
            ++c->lowest[p];
    }
}

static void take(struct colouring *c, int constraint) {
    const int colour = c->colour[constraint];
    for (int k = 0; k < c->size; ++k) {
        const int p = particles_of(c, constraint)[k];
        if (p == NONE)
            continue;
        empty(c, p, find(c, p, colour));
        if (colour < c->lowest[p])
            c->lowest[p] = colour;
    }
    c->colour[constraint] = NONE;
}

/* The lowest colour that is free at all of a constraint's particles, or NONE. */
static int free_colour(const struct colouring *c, int constraint) {
    const int *p = particles_of(c, constraint);
    int colour = 0;
    for (int k = 0; k < c->size; ++k)
        if (p[k] != NONE && c->lowest[p[k]] > colour)
            colour = c->lowest[p[k]];
    for (; colour < c->colours; ++colour) {
        int k = 0;
        while (k < c->size && (p[k] == NONE || at(c, p[k], colour) == NONE))
            ++k;
        if (k == c->size)
            return colour;
    }
    return NONE;
}

/* Deterministic pseudo-random numbers, so that searches do not cycle (Marsaglia's xorshift). */
static uint32_t vary(struct colouring *c) {
    c->variety ^= c->variety << 13;
    c->variety ^= c->variety >> 17;
    c->variety ^= c->variety << 5;
    return c->variety;
}

/* Complete a Kempe chain in the queue. The first `count` constraints of the queue have colour a or b. Add all
 * constraints of these two colours that are connected to them by shared particles. Returns the new count, or NONE if
 * the chain contains a constraint of `barred` or more than `most` constraints. */
static int chain(struct colouring *c, int count, int a, int b, const int *barred, int bars, int most) {
    ++c->stamp;
    for (int i = 0; i < count; ++i)
        c->seen[c->queue[i]] = c->stamp;
    for (int i = 0; i < count; ++i) {
        const int *p = particles_of(c, c->queue[i]), other = a + b - c->colour[c->queue[i]];
        c->work += c->size;
        for (int k = 0; k < c->size; ++k) {
            const int next = p[k] == NONE ? NONE : at(c, p[k], other);
            if (next == NONE || c->seen[next] == c->stamp)
                continue;
            if (is_in(barred, bars, next) || count == most)
                return NONE;
            c->seen[next] = c->stamp;
            c->queue[count++] = next;
        }
    }
    return count;
}

/* Exchange colours a and b in the first `count` constraints of the queue, which are a chain. */
static void flip(struct colouring *c, int count, int a, int b) {
    for (int i = 0; i < count; ++i) {
        const int t = c->queue[i], colour = c->colour[t];
        take(c, t);
        c->colour[t] = a + b - colour; /* takes effect when place() puts the constraint into the slots again */
    }
    for (int i = 0; i < count; ++i)
        place(c, c->queue[i], c->colour[c->queue[i]]);
}

/* Make colour a free at the constraint's particles: exchange a and b in the chains of all constraints that have colour
 * a at these particles. Returns false, with all colours unchanged, if this is impossible. */
static bool free_by_chain(struct colouring *c, int constraint, int a, int b) {
    const int *p = particles_of(c, constraint);
    int barred[SIZE_MOST], bars = 0, count = 0;
    for (int k = 0; k < c->size; ++k) {
        if (p[k] == NONE)
            continue;
        const int of_a = at(c, p[k], a), of_b = at(c, p[k], b);
        if (of_a != NONE && of_b != NONE)
            return false;
        if (of_b != NONE)
            barred[bars++] = of_b;
        if (of_a != NONE && !is_in(c->queue, count, of_a))
            c->queue[count++] = of_a;
    }
    c->work += c->size;
    count = chain(c, count, a, b, barred, bars, c->size == 2 ? CHAIN_MOST : TANGLE_MOST);
    if (count == NONE)
        return false;
    flip(c, count, a, b);
    return true;
}

/* Colour the constraint with a free colour, or with one that a chain frees. Returns false if the search finds neither.
 */
static bool settle(struct colouring *c, int constraint) {
    int colour = free_colour(c, constraint);
    if (colour != NONE) {
        place(c, constraint, colour);
        return true;
    }
    int left = CHAIN_TRIES;
    const int first = (int)(vary(c) % (unsigned)c->colours);
    for (int i = 0; i < c->colours && i < LOOK_MOST && left > 0; ++i) {
        const int a = (first + i) % c->colours, *p = particles_of(c, constraint);
        int blocked = 0, blocked_at = NONE;
        for (int k = 0; k < c->size; ++k)
            if (p[k] != NONE && at(c, p[k], a) != NONE) {
                ++blocked;
                blocked_at = p[k];
            }
        c->work += c->size;
        if (blocked > 1)
            continue;
        const int lowest = c->lowest[blocked_at];
        for (int b = lowest; b < c->colours && b - lowest < LOOK_MOST && left > 0; ++b)
            if (at(c, blocked_at, b) == NONE) {
                --left;
                if (free_by_chain(c, constraint, a, b)) {
                    place(c, constraint, a);
                    return true;
                }
            }
    }
    return false;
}

/* Colour the constraint with the colour whose constraints at its particles have the least weight. These constraints
 * lose their colour and are pushed on the stack. The stack is an ejection pool (Nagata and Braysy 2009): the weight of
 * a constraint counts how often it was hard to place. Returns the new depth of the stack. */
static int eject(struct colouring *c, int constraint, int *stack, int depth) {
    const int *p = particles_of(c, constraint);
    int best = NONE, ties = 0;
    long least = LONG_MAX;
    for (int colour = 0; colour < c->colours; ++colour) {
        long sum = 0;
        int held[SIZE_MOST], count = 0;
        for (int k = 0; k < c->size && sum <= least; ++k) {
            const int holder = p[k] == NONE ? NONE : at(c, p[k], colour);
            if (holder != NONE && !is_in(held, count, holder)) {
                held[count++] = holder;
                sum += 1 + c->weight[holder];
            }
        }
        if (sum < least) {
            least = sum;
            ties = 0;
        }
        if (sum == least && vary(c) % (unsigned)++ties == 0)
            best = colour;
    }
    c->work += (long)c->colours * c->size;
    for (int k = 0; k < c->size; ++k) {
        const int holder = p[k] == NONE ? NONE : at(c, p[k], best);
        if (holder != NONE) {
            take(c, holder);
            stack[depth++] = holder;
        }
    }
    place(c, constraint, best);
    return depth;
}

static int other_end(const struct colouring *c, int edge, int p) {
    const int *ends = particles_of(c, edge);
    return ends[0] == p ? ends[1] : ends[0];
}

/* Whether p is the other end of one of the first `count` edges of `list`, which is the fan around u. */
static bool is_in_fan(const struct colouring *c, const int *list, int count, int u, int p) {
    int i = 0;
    while (i < count && other_end(c, list[i], u) != p)
        ++i;
    return i < count;
}

/* Colour an edge by Misra and Gries's fan. The number of colours must exceed the largest number of edges at a particle.
 * Always succeeds in a simple graph. `list` is scratch memory for all edges at a particle. */
static bool colour_by_fan(struct colouring *c, int edge, int *list) {
    const int u = particles_of(c, edge)[0];
    int count = 1;
    list[0] = edge;
    for (int colour = 0; colour < c->colours; ++colour) {
        const int next = at(c, u, colour);
        if (next == NONE || at(c, other_end(c, list[count - 1], u), colour) != NONE ||
            is_in_fan(c, list, count, u, other_end(c, next, u)))
            continue;
        list[count++] = next;
        colour = NONE; /* test all colours again, with the fan's new last edge */
    }
    const int free_at_u = c->lowest[u], d = c->lowest[other_end(c, list[count - 1], u)];
    if (at(c, u, d) != NONE) {
        c->queue[0] = at(c, u, d);
        flip(c, chain(c, 1, free_at_u, d, NULL, 0, INT_MAX), free_at_u, d);
    }
    /* Find the first edge of the fan at whose other end d is free. Each edge before it gets the colour of the next edge
     * of the fan; the found edge gets colour d. */
    for (int i = 0; at(c, u, d) == NONE && i < count; ++i) {
        if (i > 0 && at(c, other_end(c, list[i - 1], u), c->colour[list[i]]) != NONE)
            break;
        if (at(c, other_end(c, list[i], u), d) != NONE)
            continue;
        for (int k = 0; k < i; ++k) {
            const int colour = c->colour[list[k + 1]];
            take(c, list[k + 1]);
            place(c, list[k], colour);
        }
        place(c, list[i], d);
        return true;
    }
    return false;
}

/* Colour all constraints. The number of colours begins with `bound` and grows if necessary. */
static void colour_all(struct colouring *c, int bound) {
    bool is_graph = c->size == 2;
    for (size_t i = 0; is_graph && i < 2 * (size_t)c->constraints; ++i)
        is_graph = c->particle[i] != NONE;
    AUTO_FREE int *stack = memory_new((size_t)c->constraints, sizeof *stack);
    int depth = 0;
    AUTO_FREE int *list = memory_new((size_t)bound + 1, sizeof *list);
    c->colours = bound > 0 ? bound : 1;
    for (int t = 0; t < c->constraints; ++t)
        if (!settle(c, t))
            stack[depth++] = t;
    while (depth > 0) {
        for (c->work = 0; depth > 0 && c->work / SEARCH_STEPS < c->constraints;) {
            const int t = stack[--depth];
            if (settle(c, t) || (is_graph && c->colours > bound && colour_by_fan(c, t, list)))
                continue;
            ++c->weight[t];
            depth = eject(c, t, stack, depth);
        }
        /* Add a colour. If many more will be needed, add half of the estimated number. As many colours as constraints
         * always suffice. */
        const int64_t seems = (int64_t)c->colours * depth / c->constraints, more = seems > 2 ? seems / 2 : depth > 0;
        c->colours = (int)(c->colours + more < c->constraints ? c->colours + more : c->constraints);
    }
}

/* Move constraints from colour a to the smaller colour b, so that their sizes become about equal. Both colours are
 * exchanged in chains that have more constraints of a than of b. A chain of edges has at most one more of a, so for
 * edges the sizes then differ by at most one. Returns whether any constraint was moved. */
static bool level(struct colouring *c, int a, int b, const int *of_a, int size_a, int size_b) {
    bool is_moved = false;
    const int64_t before = c->stamp;
    for (int i = 0; i < size_a && size_a - size_b > 1; ++i) {
        if (c->colour[of_a[i]] != a || c->seen[of_a[i]] > before)
            continue;
        c->queue[0] = of_a[i];
        const int count = chain(c, 1, a, b, NULL, 0, INT_MAX);
        int more = 0;
        for (int k = 0; k < count; ++k)
            more += c->colour[c->queue[k]] == a ? 1 : -1;
        if (more <= 0 || 2 * more > size_a - size_b + 1)
            continue;
        flip(c, count, a, b);
        size_a -= more;
        size_b += more;
        is_moved = true;
    }
    return is_moved;
}

struct ranked {
    int colour, size;
};

/* Larger colours first. */
static int compare(const void *a, const void *b) {
    const struct ranked *x = a, *y = b;
    return x->size != y->size ? (x->size < y->size) - (x->size > y->size)
                              : (x->colour > y->colour) - (x->colour < y->colour);
}

/* Make the sizes of the colours about equal: move constraints from the largest colour to the smallest, from the second
 * largest to the second smallest, and so on, repeatedly. */
static void balance(struct colouring *c) {
    AUTO_FREE int *start = memory_new((size_t)c->colours + 1, sizeof *start);
    AUTO_FREE int *list = memory_new((size_t)c->constraints, sizeof *list);
    AUTO_FREE struct ranked *rank = memory_new((size_t)c->colours, sizeof *rank);
    const int half = c->colours / 2;
    for (int round = 0, idle = 0; round < ROUNDS_MOST && idle < half; ++round) {
        rows_sort(c->colours, c->constraints, c->colour, start, list);
        for (int k = 0; k < c->colours; ++k)
            rank[k] = (struct ranked){k, start[k + 1] - start[k]};
        qsort(rank, (size_t)c->colours, sizeof *rank, compare);
        if (rank[0].size - rank[c->colours - 1].size <= 1)
            break;
        bool is_moved = false;
        for (int i = 0; i < half; ++i) {
            const struct ranked large = rank[i], small = rank[c->colours - 1 - (i + idle) % half];
            if (large.size - small.size > 1 &&
                level(c, large.colour, small.colour, list + start[large.colour], large.size, small.size))
                is_moved = true;
        }
        idle = is_moved ? 0 : idle + 1;
    }
}

/* Fails if the list cannot be coloured, with the reason. */
static int check_list(int particles, int constraints, int size, const int *particle) {
    if (particles < 0 || constraints < 0 || size < 1 || size > SIZE_MOST)
        return fail("%d constraints of %d particles each, among %d particles: counts must not be negative, and a "
                    "constraint has 1 to "
                    "%d particles",
                    constraints, size, particles, SIZE_MOST);
    for (int t = 0; t < constraints; ++t) {
        const int *p = particle + (size_t)t * (size_t)size;
        for (int k = 0; k < size; ++k) {
            if (p[k] < NONE || p[k] >= particles)
                return fail("constraint %d has particle %d; particles are 0 to %d, and -1 for none", t, p[k],
                            particles - 1);
            if (p[k] != NONE && is_in(p, k, p[k]))
                return fail("constraint %d has particle %d twice; its particles must differ", t, p[k]);
        }
    }
    return STATUS_OK;
}

/* Count the constraints at particle p in count[p + 1], which must be 0 before. Returns the largest count. */
static int count_at(int constraints, int size, const int *particle, size_t *count) {
    size_t most = 0;
    for (size_t i = 0; i < (size_t)constraints * (size_t)size; ++i)
        if (particle[i] != NONE && ++count[particle[i] + 1] > most)
            most = count[particle[i] + 1];
    return (int)most;
}

int groups_bound(int particles, int constraints, int size, const int *particle) {
    if (check_list(particles, constraints, size, particle))
        return NONE;
    AUTO_FREE size_t *count = memory_new((size_t)particles + 1, sizeof *count);
    return count_at(constraints, size, particle, count);
}

/* Colour the edges of a lattice. Returns the number of colours. Returns NONE if the edges are not a lattice, or need
 * more colours than the bound, or if the sizes of the colours differ too much (LATTICE_SPREAD). */
static int colour_lattice(int particles, int edges, const int *particle, int bound, int *colour) {
    for (int k = 0; k < 2 * edges; ++k)
        if (particle[k] == NONE)
            return NONE;
    const int(*end)[2] = (const int(*)[2])particle;
    const int colours = lattice_is(edges, end) ? lattice_colour(particles, edges, end, bound, colour) : NONE;
    if (colours == NONE)
        return NONE;
    AUTO_FREE int *held = memory_new((size_t)colours, sizeof *held);
    int most = 0, least = edges;
    for (int e = 0; e < edges; ++e)
        ++held[colour[e]];
    for (int k = 0; k < colours; ++k) {
        most = held[k] > most ? held[k] : most;
        least = held[k] < least ? held[k] : least;
    }
    return most - least <= most / LATTICE_SPREAD ? colours : NONE;
}

int groups_colour(int particles, int constraints, int size, const int *particle, int *colour) {
    if (check_list(particles, constraints, size, particle))
        return NONE;
    if (constraints == 0)
        return 0;
    struct colouring c = {particles, constraints, size, .particle = particle, .colour = colour, .variety = 1};
    AUTO(pool_free) struct pool pool = {0};
    c.start = pool_add(&pool, memory_new((size_t)particles + 1, sizeof *c.start));
    const int bound = count_at(constraints, size, particle, c.start);
    const int lattice = size == 2 ? colour_lattice(particles, constraints, particle, bound, colour) : NONE;
    if (lattice != NONE)
        return lattice;
    for (int p = 0; p < particles; ++p) {
        size_t width = 1;
        while (width <= c.start[p + 1]) /* at least one slot stays empty, so the search for a colour ends */
            width *= 2;
        c.start[p + 1] = c.start[p] + width;
    }
    c.slot = pool_add(&pool, memory_new(c.start[particles], sizeof *c.slot));
    memset(c.slot, -1, c.start[particles] * sizeof *c.slot);
    memset(colour, -1, (size_t)constraints * sizeof *colour);
    c.lowest = pool_add(&pool, memory_new((size_t)particles, sizeof *c.lowest));
    c.queue = pool_add(&pool, memory_new((size_t)constraints + SIZE_MOST, sizeof *c.queue));
    c.seen = pool_add(&pool, memory_new((size_t)constraints, sizeof *c.seen));
    c.weight = pool_add(&pool, memory_new((size_t)constraints, sizeof *c.weight));
    colour_all(&c, bound);
    balance(&c);
    return c.colours;
}

long groups_conflicts(int particles, int constraints, int size, const int *particle, const int *colour) {
    if (check_list(particles, constraints, size, particle))
        return NONE;
    int colours = 0;
    for (int t = 0; t < constraints; ++t) {
        if (colour[t] < 0 || colour[t] >= constraints)
            return fail("constraint %d has colour %d; colours of %d constraints are 0 to %d", t, colour[t], constraints,
                        constraints - 1),
                   NONE;
        if (colour[t] >= colours)
            colours = colour[t] + 1;
    }
    AUTO_FREE int *start = memory_new((size_t)colours + 1, sizeof *start);
    AUTO_FREE int *list = memory_new((size_t)constraints, sizeof *list);
    rows_sort(colours, constraints, colour, start, list);
    /* One row for each particle: the constraints at the particle, sorted by colour. */
    AUTO_FREE size_t *row = memory_new((size_t)particles + 1, sizeof *row);
    AUTO_FREE size_t *next = memory_new((size_t)particles + 1, sizeof *next);
    count_at(constraints, size, particle, row);
    for (int p = 0; p < particles; ++p)
        row[p + 1] += row[p];
    memcpy(next, row, ((size_t)particles + 1) * sizeof *next);
    AUTO_FREE int *held = memory_new(row[particles], sizeof *held);
    for (int i = 0; i < constraints; ++i)
        for (int k = 0; k < size; ++k) {
            const int p = particle[(size_t)list[i] * (size_t)size + (size_t)k];
            if (p != NONE)
                held[next[p]++] = list[i];
        }
    long conflicts = 0;
    for (int p = 0; p < particles; ++p)
        for (size_t i = row[p]; i < row[p + 1]; ++i)
            for (size_t j = i; j-- > row[p] && colour[held[j]] == colour[held[i]];) {
                /* A pair that shares several particles counts at the first of them. */
                const int *a = particle + (size_t)held[i] * (size_t)size,
                          *b = particle + (size_t)held[j] * (size_t)size;
                int k = 0;
                while (a[k] != p && (a[k] == NONE || !is_in(b, size, a[k])))
                    ++k;
                conflicts += a[k] == p;
            }
    return conflicts;
}

int groups_create(int particles, int constraints, int size, const int *particle, struct groups *groups) {
    *groups = (struct groups){.constraints = constraints};
    AUTO_FREE int *colour = memory_new((size_t)(constraints > 0 ? constraints : 0), sizeof *colour);
    groups->count = groups_colour(particles, constraints, size, particle, colour);
    if (groups->count < 0) {
        *groups = (struct groups){.count = 0};
        return STATUS_BAD;
    }
    AUTO_FREE int *list = memory_new((size_t)constraints, sizeof *list);
    AUTO_FREE int *key = memory_new((size_t)constraints, sizeof *key);
    order_constraints(particles, constraints, size, particle, list);
    for (int i = 0; i < constraints; ++i)
        key[i] = colour[list[i]];
    groups->start = memory_new((size_t)groups->count + 1, sizeof *groups->start);
    groups->constraint = memory_new((size_t)constraints, sizeof *groups->constraint);
    rows_sort(groups->count, constraints, key, groups->start, groups->constraint);
    for (int i = 0; i < constraints; ++i)
        groups->constraint[i] = list[groups->constraint[i]];
    return STATUS_OK;
}

void groups_free(struct groups *groups) {
    free(groups->start);
    free(groups->constraint);
    *groups = (struct groups){.count = 0};
}

void groups_lay(const struct groups *groups, size_t bytes, const void *from, void *to) {
    for (int i = 0; i < groups->constraints; ++i)
        memcpy((char *)to + (size_t)i * bytes, (const char *)from + (size_t)groups->constraint[i] * bytes, bytes);
}
