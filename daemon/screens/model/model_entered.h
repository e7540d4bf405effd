#pragma once

#include "daemon/screens/model/model.h"

/* The entered table: its view, score sheet and result. */

/* Forgets the entered table, because the person has left it. */
void model_leave_table(struct model *model);

/* True from the moment when a claim is accepted until the house has played the round to its end:
 * nobody is asked for a move, although the views say whose turn it is. */
bool model_claim_is_played_out(const struct model_entered *entered);

/* True if the house waits for a move of the viewer. False for NULL: no table is entered. */
bool model_viewer_is_asked_to_move(const struct model_entered *entered);

/* False while no clock of the table runs: in a halt, and from when the house is away until it has
 * sent the next view. */
bool model_clocks_run(const struct model_entered *entered);

/* Returns the time to which the clocks of the table are shown: now_ms, or when they stopped. */
int64_t model_clock_ms(const struct model_entered *entered, int64_t now_ms);

/* Returns how much of a seat's time is left now, in milliseconds; -1 if the seat has no such time.
 * left_at_view_ms is what was left when the view arrived. */
int64_t model_time_left(const struct model_entered *entered, int64_t left_at_view_ms,
                        int64_t now_ms);

/* Converts a row of the score sheet to the struct that a game's function `explain` takes. `out` has
 * about 25 KB and is overwritten. */
void model_convert_score_row(const struct model_sheet_row *row, struct score_row *out);

/* Called by model_apply_pushed_message for the messages `table`, `view`, `sheet` and `result`. */
void model_apply_table_message(struct model *model, const json_t *message);
void model_apply_view_message(struct model *model, const json_t *message);
void model_apply_score_sheet(struct model *model, const json_t *message);
void model_apply_result_message(struct model *model, const json_t *message);
