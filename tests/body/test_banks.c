/* Tests of the order of constraints by banks of local memory (body/prepared.h), and of the maximum local memory of a
 * work group. */
#include "backend/opencl/device.h"
#include "backend/opencl/max_local_memory.h"
#include "base/memory.h"
#include "body/prepared.h"
#include "sphere.h"

#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static struct prepared sphere_of(int cuts) {
    struct prepared body;
    struct mesh mesh = sphere(cuts);
    cr_assert_eq(prepared_create(&mesh, "sphere", &body), STATUS_OK);
    mesh_free(&mesh);
    return body;
}

/* The order is a permutation that keeps each constraint in its group. */
Test(banks, an_order_keeps_to_the_groups) {
    struct prepared body = sphere_of(3);
    for (int k = 0; k < BODY_PARTS; ++k) {
        const struct part *part = &body.parts[k];
        int *order = memory_new((size_t)part->count, sizeof *order);
        bool *seen = memory_new((size_t)part->count, sizeof *seen);
        banks_order(part, part_kinds[k].size, order);
        for (int g = 0; g < part->groups; ++g)
            for (int i = part->start[g]; i < part->start[g + 1]; ++i) {
                cr_assert(order[i] >= part->start[g] && order[i] < part->start[g + 1] && !seen[order[i]]);
                seen[order[i]] = true;
            }
        free(order);
        free(seen);
    }
    prepared_free(&body);
}

/* The mean bank conflict, from 1 (no conflict) to 8. Eight lanes read the k-th particles of eight consecutive
 * constraints of a group at once. The conflict of this read is the largest number of lanes that use the same bank. The
 * mean is over all such reads, or 1 if there are no constraints. If `order` is NULL, the constraints have the order of
 * the part. */
static double bank_conflicts(const struct part *part, int size, const int *order) {
    double sum = 0;
    long count = 0;
    for (int g = 0; g < part->groups; ++g)
        for (int first = part->start[g]; first < part->start[g + 1]; first += 8)
            for (int k = 0; k < size; ++k, ++count) {
                int lanes_of_bank[8] = {0}, most = 0;
                for (int i = first; i < first + 8 && i < part->start[g + 1]; ++i) {
                    const int bank = part->particle[(order ? order[i] : i) * size + k] % 8;
                    most = ++lanes_of_bank[bank] > most ? lanes_of_bank[bank] : most;
                }
                sum += most;
            }
    return count ? sum / (double)count : 1;
}

Test(banks, an_order_has_fewer_bank_conflicts) {
    struct prepared body = sphere_of(3);
    for (int k = PART_EDGES; k <= PART_BENDS; ++k) {
        const struct part *part = &body.parts[k];
        int *order = memory_new((size_t)part->count, sizeof *order);
        banks_order(part, part_kinds[k].size, order);
        const double before = bank_conflicts(part, part_kinds[k].size, NULL),
                     after = bank_conflicts(part, part_kinds[k].size, order);
        cr_expect(after <= before && after < 1.8, "%s: %g before, %g now", part_kinds[k].name, before, after);
        free(order);
    }
    prepared_free(&body);
}

/* The first particles of pairs 2 i and 2 i + 1 are in the same bank, so two lanes use the same bank at once. In a
 * better order of the pairs, eight lanes use eight different banks. */
Test(banks, bank_conflicts_are_counted) {
    int particle[32], start[] = {0, 16}, order[16];
    struct part part = {16, 1, particle, start};
    for (int i = 0; i < 16; ++i) {
        particle[2 * i] = i / 2 + 8 * (i % 2);
        particle[2 * i + 1] = 100 + 5 * i;
    }
    cr_expect_eq(bank_conflicts(&part, 2, NULL), 1.5, "%g",
                 bank_conflicts(&part, 2, NULL)); /* 2 for the first particles, 1 for the second ones */
    banks_order(&part, 2, order);
    cr_expect_eq(bank_conflicts(&part, 2, order), 1, "%g", bank_conflicts(&part, 2, order));
    part.groups = 0;
    part.count = 0;
    cr_expect_eq(bank_conflicts(&part, 2, NULL), 1);
}

/* banks_lay reorders the constraints within their groups, and changes nothing else. */
Test(banks, a_body_laid_so_has_the_same_constraints) {
    struct prepared body = sphere_of(2), other = sphere_of(2);
    banks_lay(&other);
    for (int k = PART_EDGES; k <= PART_BENDS; ++k) {
        const size_t size = (size_t)part_kinds[k].size;
        cr_assert_eq(body.parts[k].count, other.parts[k].count);
        for (int g = 0; g < body.parts[k].groups; ++g)
            for (int i = body.parts[k].start[g]; i < body.parts[k].start[g + 1]; ++i) {
                int j = other.parts[k].start[g];
                while (j < other.parts[k].start[g + 1] &&
                       memcmp(body.parts[k].particle + (size_t)i * size, other.parts[k].particle + (size_t)j * size,
                              size * sizeof(int)) != 0)
                    ++j;
                cr_expect_lt(j, other.parts[k].start[g + 1], "%s %d is lost", part_kinds[k].name, i);
            }
    }
    cr_expect_null(prepared_flaw(&other));
    prepared_free(&body);
    prepared_free(&other);
}

/* device_with_max_local_memory gives at least as much local memory as the device reports. */
Test(banks, a_group_has_no_less_local_memory_than_its_device_reports) {
    const struct device_list *list = device_list();
    cr_assert_gt(list->count, 0);
    for (int d = 0; d < list->count; ++d) {
        const struct device *device = &list->devices[d];
        const cl_ulong local_memory_found = device_with_max_local_memory(device).local_memory;
        cr_expect_geq(local_memory_found, device->local_memory);
        cr_expect(device->has_global_barrier || local_memory_found == device->local_memory);
        cr_expect_eq(device_with_max_local_memory(device).local_memory, local_memory_found);
        cr_expect(local_memory_works(device, device->local_memory < 16384 ? 4096 : 16384),
                  "a kernel with this much local memory does not work");
    }
}
