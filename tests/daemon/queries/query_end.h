#pragma once

#include "daemon/queries/queries.h"
#include "daemon/screens/model/model.h"

/* Frees what the run of a query holds; answers that arrive later are ignored. The house need not:
 * the process of a query ends with it. */
static inline void query_end(struct query_run *run)
{
    for (size_t i = 0; i < QUERY_ANSWERS_MAX; i++) {
        json_decref(run->answers[i]);
    }
    model_free(run->model);
    json_decref(run->people);
    json_decref(run->tables);
    lines_clear(&run->out);
}
