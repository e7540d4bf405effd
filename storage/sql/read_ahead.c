#include "storage/sql/postgres.h"

#include <assert.h>

PGresult **read_ahead_add(struct read_ahead *ahead, struct kept_results *results,
                          const struct kept_run *run)
{
    assert(!read_ahead_is_full(ahead));
    struct kept_name *name = &ahead->reads[ahead->count].name;
    PGresult **answer = &ahead->reads[ahead->count].answer;

    if (!kept_results_name(results, run, name)) {
        return NULL;
    }
    struct kept_result *kept = kept_results_find(results, name);
    kept_result_release(kept);
    if (kept != NULL) {
        return NULL;
    }
    ahead->count++;
    *answer = NULL;
    return answer;
}

void read_ahead_keep(struct read_ahead *ahead, struct kept_results *results, const struct libpq *pq)
{
    for (size_t i = 0; i < ahead->count; i++) {
        PGresult *answer = ahead->reads[i].answer;
        struct kept_result *kept =
            answer == NULL ? NULL : kept_results_keep(results, &ahead->reads[i].name, answer);
        if (kept != NULL) {
            kept_result_release(kept);
        } else {
            pq->PQclear(answer);
        }
    }
    ahead->count = 0;
}
