#include "run/slurm.h"

#include "base/process.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Whether no other job may use the node: scontrol then prints "OverSubscribe=NO", the result of --exclusive. */
static bool has_node_alone(const char *job) {
    const char *const argv[] = {"scontrol", "show", "job", "-o", job, NULL}, *processors = getenv("SLURM_CPUS_ON_NODE");
    const struct failure_mark mark = failure_mark();
    struct process_outcome outcome;
    const bool has_answer =
        !process_succeed(&(struct process){.argv = argv, .package = "slurm-client", .seconds = 60}, &outcome);
    const bool is_alone = has_answer ? strstr(outcome.output, " OverSubscribe=NO ") != NULL
                                     : processors && strtol(processors, NULL, 10) >= sysconf(_SC_NPROCESSORS_ONLN);
    process_free(&outcome);
    failure_rewind(mark);
    return is_alone;
}

bool slurm_shares_node(void) {
    static int answer = -1;
    const char *job = getenv("SLURM_JOB_ID");
    if (answer < 0)
        answer = job && *job && !has_node_alone(job);
    return answer;
}
