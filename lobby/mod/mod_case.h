#pragma once

#include "lobby/sanctions/order.h"
#include "storage/chat/chat.h"
#include "storage/mod/reports.h"

/* How reports, appeals and chat lines are shown to staff. */

/* Adds a line about the case to the answer: "12 · open · 2026-… · bob about eve (spam): text". */
void case_add_to_answer(struct order *order, const struct storage_report *report,
                        bool is_for_staff);

/* Returns the case as JSON for programs. */
json_t *case_to_json(const struct storage_report *report, bool is_for_staff);

/* Adds the line "481 · 2026-… <eve> text" to the answer, up to CASE_LINES_MAX lines. A callback for
 * storage_chat_* functions; `context` is the order. */
#define CASE_LINES_MAX 100
bool case_add_chat_line_to_answer(void *context, const struct storage_chat *line);

/* Adds the line "2026-… max: text" to the answer; `context` is the order. */
bool case_add_note_to_answer(void *context, const struct storage_note *note);
