#pragma once

#include "daemon/screens/model/model.h"

/*
 * The log of the entered table's game: its story (games/story.h) from the first round on, with the
 * points of each round and the result. Whoever enters in the middle of a game gets the points of
 * the finished rounds and the story of the present one. Each line names those who held the seats
 * when it was added.
 */
#define LOG_LINES_MAX 1200 /* maximum number of lines kept; then the oldest ones go */
#define LOG_HOLDERS_MAX 64 /* maximum number of changes of the seats' holders that are kept */

/* Called when the core has sent a view, and when it has sent the result. */
void model_log_add_view(struct model *model);
void model_log_add_result(struct model *model);

/* Forgets all lines. */
void model_log_clear(struct table_log *log);
