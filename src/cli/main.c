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
    {"run", "run experiments, and write one trace per run", &verb_run},
    {"plan", "print what would run and why, how long it takes, and what is assumed", &verb_plan},
    {"list", "list the experiments of a folder", &verb_list},
    {"devices", "list the devices of this machine", &verb_devices},
#ifdef SPRINGBACK_PREPARE
    {"mesh", "describe meshes: topology, faults, sizes; draw them", &verb_mesh},
    {"meshes", "fetch and prepare the meshes of the bodies", &verb_meshes},
    {"view", "write an HTML page that shows runs in motion next to each other", &verb_view},
#endif
    {"check", "judge the papers' claims by the traces", &verb_check},
    {"report", "write the verdicts as one HTML page", &verb_report},
    {"diff", "find the first difference of two runs: frame, step, stage, element", &verb_diff},
#ifdef SPRINGBACK_SWEEP
    {"sensitivity",
     "run many combinations of values that a paper does not state, and count in how many a claim is true",
     &verb_sensitivity},
    {"verify", "run random members of sweeps' tables again, and compare all bits", &verb_verify},
#endif
    {"fit", "find which claims of a paper can be true together, and in which set-up", &verb_fit},
    {"compare", "compare the results and the speeds of machines or devices", &verb_compare},
    {"record", "write a summary of a machine's results, for comparisons", &verb_record},
    {"export", "write a trace or an experiment's results as text, for other programs", &verb_export},
#ifdef SPRINGBACK_PREPARE
    {"archive", "write results of all or some papers and experiments as one file", &verb_archive},
#endif
    {"clean", "remove leftover files of earlier sweeps and killed runs", &verb_clean},
    {"manual", "print the reference of the experiment file", &verb_manual},
    {.name = NULL},
};

static void help(FILE *out) {
    fprintf(out,
            "springback %s: re-runs the experiments of published deformable-body papers\n\n"
            "Usage: springback COMMAND [OPTION...] [FILE...]\n\n",
            provenance_version());
    for (int v = 0; verbs[v].name; ++v)
        fprintf(out, "  %-13s%s\n", verbs[v].name, verbs[v].doc);
    fprintf(
        out,
        "\n`springback COMMAND --help` prints the options of a command. Exit codes: 0 success; 1 a verdict is not the "
        "recorded one, or two runs differ; 2 bad input, or something could not run. 130: ended by Ctrl-C. 143: ended "
        "by "
        "SIGTERM.\n");
}

/* Errors of writing to standard output, for example because the disk is full, are detected only here. */
static int closed(int status) {
    if (!fflush(stdout) && !ferror(stdout))
        return status;
    fprintf(stderr, "springback: cannot write to standard output; the output is incomplete\n");
    return STATUS_BAD;
}

int main(int count, char **words) {
    provenance_set_command(count, words);
    /* If SIGXFSZ is ignored, a write beyond the limit on the file size fails, but does not end the program. */
    signal(SIGXFSZ, SIG_IGN);
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
        fprintf(stderr, "springback: unknown command '%s'; the commands are listed below\n\n", name);
    help(stderr);
    return STATUS_BAD;
}
