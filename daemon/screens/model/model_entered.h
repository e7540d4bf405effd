#pragma once

#include "daemon/screens/model/model.h"

/* The entered table: its view, score sheet and result. */

/* Forgets the entered table, which was left. */
void model_leave_table(struct model *model);

/* How much is left of one of the entered table's times now; -1: none. */
int64_t model_time_left(const struct model_entered *entered, int64_t time_ms, int64_t now_ms);

/* The row in the form of game_face.explain; `out` has about 25 KB and is overwritten. */
void model_convert_score_row(const struct model_sheet_row *row, struct score_row *out);

/* For the model: takes the pushes `table`, `view`, `sheet` and `result`. */
void model_take_table(struct model *model, const json_t *message);
void model_take_view(struct model *model, const json_t *message);
void model_take_score_sheet(struct model *model, const json_t *message);
void model_take_result(struct model *model, const json_t *message);
