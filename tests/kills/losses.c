#include "tests/kills/losses.h"

#include "tests/faults/data_check.h"

#include <inttypes.h>
#include <stdio.h>

bool losses_check(const struct crowd *crowd, const char *path, bool is_control)
{
    struct findings findings = {0};
    data_check_file(path, &crowd->ledger, crowd->setup.url != NULL, &findings);
    printf("%s: %" PRIu64 " told facts were checked, %" PRIu64 " lost, %" PRIu64 " corrupt%s%s\n",
           is_control ? "control" : "data check", findings.checked, findings.lost, findings.corrupt,
           findings.first[0] == '\0' ? "" : "; first: ", findings.first);
    if (crowd_sum_counts(crowd).moves == 0) {
        fprintf(stderr, "losses: nobody moved\n");
        return false;
    }
    bool is_lossless = findings.lost == 0 && findings.corrupt == 0;
    return is_lossless != is_control;
}
