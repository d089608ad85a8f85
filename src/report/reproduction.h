/* A reproduction as one archive, which can be judged again elsewhere.
 *
 *   SHA256SUMS                          of all that follows (base/tarball.h)
 *   README.txt                          what this is, and how it is judged
 *   provenance.json                     which programs, machines and devices the traces are of, and how many of each
 *   experiments/<paper>/<name>.yaml     the description files, as the traces keep them; experiments/<paper>.yaml
 *   paper_checks/<file>.yaml            the claims
 *   verdicts/<file>.jsonl               what `springback check --json` said of them
 *   results/<paper>/<experiment>/       manifest, the traces that it names, tables
 *   data/sweeps/<paper>/<name>.tsv.xz   the tables of sweeps, by which claims are judged
 *   results/figures/<paper>/            SVG and PNG
 *   figures/, data/, ...                what draws them, and mesh files that experiments name, where they are there
 */
#ifndef SPRINGBACK_REPORT_REPRODUCTION_H
#define SPRINGBACK_REPORT_REPRODUCTION_H

#include "base/tarball.h"
#include "base/words.h"
#include "claim/claim.h"

#include <stdio.h>

/* What was written. */
struct reproduction_summary {
    int files, traces, verdicts;
    double bytes; /* before compression */
};

/* Write the results of a machine's folder, such as out/<machine>, into an archive whose name says its compression, with
 * the claims of these files; where `claim_count` is 0, of those in paper_checks/ whose paper the folder has results of.
 * `part` names papers ("va2022") and experiments ("va2022/resolutions"): only their results go in, and the verdicts on
 * claims about these; of figures those of whole papers. Without names all goes in.
 * Errors, which leave no archive: no results or no claims there, a name that no result has, a mistake in a file of
 * claims, a trace that a manifest names and that is missing or damaged, those of tarball_write. */
int reproduction_write(const char *path, const char *folder, const struct words *part, const char *const *claims,
                       int claim_count, struct reproduction_summary *summary);

/* One that was unpacked into a temporary folder. */
struct reproduction {
    char *path, *folder; /* of the archive; temporary */
    char *results;       /* what trace_set_read takes */
    struct words claims; /* its files of claims, in order */
    struct words part;   /* the experiments that claims are to be judged about; none: all */
};

/* Unpack and check one. Errors: those of tarball_unpack; it holds no claims. *out is then empty, and nothing stays. */
int reproduction_open(const char *path, const struct archive_limits *limits, struct reproduction *out);
void reproduction_close(struct reproduction *reproduction);

/* Compare verdicts on a file of its claims with those that it was written with: a line on `out` for each that is
 * another. STATUS_CHANGED where one is, STATUS_BAD where its verdicts cannot be read. *count grows by those compared.
 */
int reproduction_compare(const struct reproduction *reproduction, const char *claims, const struct claim_report *report,
                         int *count, FILE *out);

#endif
