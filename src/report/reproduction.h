/* A reproduction as one archive, which can be judged again on other machines.
 *
 *   SHA256SUMS                          the SHA-256 of every other file (base/tarball.h)
 *   README.txt                          what the archive is, and how to judge it
 *   ro-crate-metadata.json, codecheck.yml   descriptions of the archive for other programs (report/crate.h)
 *   provenance.json                     the programs, machines and devices of the traces, each combination with the
 *                                       number of its traces
 *   experiments/<paper>/<name>.yaml     the experiment files, as stored in the traces
 *   experiments/<paper>.yaml            the shared assumptions of the paper's experiments
 *   paper_checks/<file>.yaml            the claims
 *   verdicts/<file>.jsonl               the output of `springback check --json` for these claims
 *   results/<paper>/<experiment>/       manifest, the traces that it names, tables
 *   data/sweeps/<paper>/<name>.tsv.xz   the tables of sweeps, by which claims are judged
 *   results/figures/<paper>/            SVG and PNG
 *   results/report.html                 the report, if the archive has all results of the folder
 *   figures/, data/, ...                the scripts of the figures, and mesh files that experiments name, if they exist
 */
#ifndef SPRINGBACK_REPORT_REPRODUCTION_H
#define SPRINGBACK_REPORT_REPRODUCTION_H

#include "base/tarball.h"
#include "base/words.h"
#include "claim/claim.h"

#include <stdio.h>

/* What reproduction_write has written into an archive. */
struct reproduction_summary {
    int files, traces, verdicts;
    double bytes; /* size of all files before compression */
};

/* Write the results in a machine's folder, for example out/<machine>, into an archive. The extension of `path` selects
 * the compression. `claims` are `claim_count` files of claims. If `claim_count` is 0, the files of paper_checks/ are
 * used whose papers have results in the folder.
 *
 * `part` limits the archive to some experiments; if `part` is empty, the archive has everything. `part` names papers
 * ("va2022"), experiments ("va2022/resolutions") and claims; a claim means the experiments that decide it. The archive
 * then has the results of these experiments, the verdicts on the claims about them, and the figures of the papers that
 * `part` names.
 *
 * Errors: no results or no claims; a name in `part` without results; a mistake in a file of claims; a missing or
 * damaged trace of a manifest; those of tarball_write. After an error there is no archive. */
int reproduction_write(const char *path, const char *folder, const struct words *part, const char *const *claims,
                       int claim_count, struct reproduction_summary *summary);

/* An archive, unpacked into a temporary folder. */
struct reproduction {
    char *path, *folder; /* path of the archive; the temporary folder */
    char *results;       /* the folder of the unpacked results, for trace_set_read */
    struct words claims; /* paths of the unpacked files of claims, sorted */
    struct words part;   /* the experiments to which the archive is limited; empty if it has everything */
};

/* Unpack and check an archive. Errors: those of tarball_unpack; the archive has no claims or no provenance.json. After
 * an error *out is empty, and no unpacked files are left. */
int reproduction_open(const char *path, const struct archive_limits *limits, struct reproduction *out);
void reproduction_close(struct reproduction *reproduction);

/* Compare the verdicts in `report`, which judges the claims of the file `claims`, with those stored in the archive.
 * Prints a line on `out` for each difference. Returns STATUS_CHANGED if there is any difference, and STATUS_BAD if the
 * stored verdicts cannot be read. Adds the number of compared verdicts to *count. */
int reproduction_compare(const struct reproduction *reproduction, const char *claims, const struct claim_report *report,
                         int *count, FILE *out);

#endif
