/* The verdicts on all claims about a folder of results. They are judged once and kept in its verdicts.json, from which
 * `check`, `report` and `export --format archive` take them.
 *
 * The file holds an object for each file of claims: {digest, paper, title, doi, incomplete, claims: [...]}, a claim as
 * `check --json` prints it. The digest covers all that a verdict depends on: this program, the claims, the manifests,
 * the traces and the sweeps. With another digest, or if the file is damaged, the claims are judged again. */
#ifndef SPRINGBACK_CLAIM_VERDICTS_H
#define SPRINGBACK_CLAIM_VERDICTS_H

#include "claim/claim.h"

/* Judge files of claims by the traces (claims_judge), or take what verdicts.json holds of them. It is written if
 * a file was judged whole and the folder of results stays (trace_set.is_passing). `scope` as for claims_judge: results
 * that were kept may be more. reports[f] belongs to files[f]; each is freed by claim_report_free. Returns the worst
 * status; reports[f].status is each file's. */
int verdicts_of(const char *const *files, int count, const struct trace_set *traces, const struct claim_scope *scope,
                struct claim_report *reports);

#endif
