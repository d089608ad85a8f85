/* springback: re-run the experiments of published deformable-body papers. */
#include "base/status.h"
#include "cli/verb.h"
#include "run/provenance.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name, *doc;
    const struct verb *verb;
} verbs[] = {
    {"run", "run experiments, each run into a trace", &verb_run},
    {"plan", "say what would run and why, how long it may take, and what is assumed", &verb_plan},
    {"list", "list the experiments of a folder", &verb_list},
    {"devices", "list the devices of this machine", &verb_devices},
#ifdef SPRINGBACK_PREPARE
    {"mesh", "say what meshes are: topology, faults, measures; draw them", &verb_mesh},
    {"meshes", "fetch and prepare the meshes of the bodies", &verb_meshes},
    {"view", "show runs in motion, side by side, as one HTML page", &verb_view},
#endif
    {"check", "judge the papers' claims by the traces", &verb_check},
    {"report", "write what was found as one HTML page", &verb_report},
    {"diff", "say where two runs part: frame, step, stage, element", &verb_diff},
#ifdef SPRINGBACK_SWEEP
    {"sensitivity", "run set-ups that a paper allows, and say in how many its claims hold", &verb_sensitivity},
    {"verify", "run random members of sweeps' tables again, and compare them to the bit", &verb_verify},
#endif
    {"fit", "say which claims of a paper can hold together, and in which set-up", &verb_fit},
    {"compare", "compare machines, or devices: physics apart from speed", &verb_compare},
    {"record", "keep a machine's results as a summary to compare with", &verb_record},
    {"export", "write a trace or an experiment's results as text, for other programs", &verb_export},
#ifdef SPRINGBACK_PREPARE
    {"archive", "write results, of all or of some papers and experiments, as one file", &verb_archive},
#endif
    {"clean", "remove what earlier sweeps and killed runs left over", &verb_clean},
    {"manual", "print the reference of the experiment file", &verb_manual},
    {.name = NULL},
};

static void help(FILE *out) {
    fprintf(out,
            "springback %s: re-runs the experiments of published deformable-body papers\n\n"
            "Usage: springback VERB [OPTION...] [FILE...]\n\n",
            provenance_version());
    for (int v = 0; verbs[v].name; ++v)
        fprintf(out, "  %-13s%s\n", verbs[v].name, verbs[v].doc);
    fprintf(out, "\nEach verb answers --help. Exit codes: 0 well; 1 a verdict changed, or two runs differ; 2 bad "
                 "input, or something could not run; 130 or 143 ended by Ctrl-C or SIGTERM.\n");
}

/* A full disk behind standard output is found out only now. */
static int closed(int status) {
    if (!fflush(stdout) && !ferror(stdout))
        return status;
    fprintf(stderr, "springback: standard output cannot be written; what stands there is not whole\n");
    return STATUS_BAD;
}

int main(int count, char **words) {
    provenance_set_command(count, words);
    signal(SIGXFSZ, SIG_IGN); /* a limit on a file's size is an error like a full disk */
    const char *name = count > 1 ? words[1] : "";
    if (!strcmp(name, "--help") || !strcmp(name, "-h") || !strcmp(name, "help")) {
        help(stdout);
        return STATUS_OK;
    }
    if (!strcmp(name, "--version")) {
        printf("springback %s, revision %s\n", provenance_version(), provenance_revision());
        return STATUS_OK;
    }
    for (int v = 0; verbs[v].name; ++v)
        if (!strcmp(verbs[v].name, name))
            return closed(verb_do(verbs[v].verb, count - 1, words + 1));
    if (*name)
        fprintf(stderr, "springback: '%s' is no verb; the verbs are listed below\n\n", name);
    help(stderr);
    return STATUS_BAD;
}
