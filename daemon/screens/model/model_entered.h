#pragma once

#include "daemon/screens/model/model.h"

/* The entered table: its view, score sheet and result. */

/* Forgets the entered table, which was left. */
void model_leave(struct model *model);

/* How much is left of one of the entered table's times now; -1: none. */
int64_t model_time_left(const struct model_entered *entered, int64_t time_ms, int64_t now_ms);

/* The row in the form of game_face.explain; `out` has about 25 KB and is overwritten. */
void model_score_row(const struct model_sheet_row *row, struct score_row *out);

/* For the model: takes the pushes `table`, `view`, `sheet` and `result`. */
void model_entered_push(struct model *model, const json_t *message);
void model_view_push(struct model *model, const json_t *message);
void model_sheet_push(struct model *model, const json_t *message);
void model_result_push(struct model *model, const json_t *message);
