/* springback devices: list the devices of this machine. */
#include "backend/backend.h"
#include "backend/opencl/device.h"
#include "base/json.h"
#include "base/status.h"
#include "cli/verb.h"
#include "method/arithmetic.h"
#include "report/machine.h"
#include "run/provenance.h"

#include <stdio.h>

struct devices_verb {
    bool json, machine;
    const char *measure;
};

static const struct verb_option options[] = {
    {"json", 0, NULL, "Print one JSON object per device", OPTION_FLAG, .field = offsetof(struct devices_verb, json)},
    {"machine", 0, NULL,
     "Print the name of this type of machine, made from processor, devices and drivers. Results are stored in "
     "out/<machine>",
     OPTION_FLAG, .field = offsetof(struct devices_verb, machine)},
    {"measure", 0, "FILE",
     "Measure the hardware limits (memory bandwidth, arithmetic rate, launch time) and write them to a file, for "
     "example floors.json in a folder of results, which `springback compare` and `springback record` read",
     OPTION_PATH, .field = offsetof(struct devices_verb, measure)},
    {.name = NULL},
};

static void print_json(int index, const struct device *device) {
    json_print(json_pack("{si so so so so sI sI si sb sb sb}", "index", index, "platform", json_text(device->platform),
                         "name", json_text(device->name), "driver", json_text(device->driver), "version",
                         json_text(device->version), "memory", (json_int_t)device->memory, "largest_buffer",
                         (json_int_t)device->largest_buffer, "compute_units", (int)device->compute_units, "gpu",
                         device->is_gpu, "double", device->has_double, "bit_exact", device->bit_exact),
               stdout);
}

static void print_row(const char *choice, const char *text) {
    printf("%-10s %s\n", choice, text);
}

static int list(void *out) {
    const struct devices_verb *verb = out;
    if (verb->measure)
        return machine_measure(verb->measure);
    if (verb->machine) {
        printf("%s\n", provenance_machine());
        return STATUS_OK;
    }
    const struct device_list *list = device_list();
    for (int d = 0; verb->json && d < list->count; ++d)
        print_json(d, &list->devices[d]);
    if (verb->json)
        return STATUS_OK;
    for (const struct backend *const *backend = backend_list; *backend; ++backend) {
        struct backend_choice choice;
        if ((*backend)->list)
            (*backend)->list(print_row);
        else if (backend_choose((*backend)->name, &choice))
            return STATUS_BAD;
        else
            printf("%-10s %s; %s%s\n", (*backend)->name, choice.device_name,
                   choice.bit_exact ? "bit-exact" : "not bit-exact: the loops of this build ",
                   choice.bit_exact ? "" : arithmetic_fault());
    }
    if (arithmetic_fault())
        printf("Runs on all these backends need --inexact, because the loops of this build also compute the starting "
               "state and the measures of each run.\n");
    return STATUS_OK;
}

const struct verb verb_devices = {
    .doc = "List the backends and devices of this machine, each with its name for --backend, and whether it is "
           "bit-exact."
           "\vExample: the GPUs\n"
           "  springback devices --json | jq -r 'select(.gpu) | .name'",
    .options = options,
    .size = sizeof(struct devices_verb),
    .run = list};
