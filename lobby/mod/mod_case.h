#pragma once

#include "lobby/sanctions/order.h"
#include "storage/chat/chat.h"
#include "storage/mod/reports.h"

/* How staff see reports and chat lines. */

/* "12 · open · 2026-… · bob about eve (spam): text". */
void case_say(struct order *order, const struct storage_report *report, bool is_staffs);

/* The same as JSON for programs. */
json_t *case_json(const struct storage_report *report, bool is_staffs);

/* Adds "481 · 2026-… <eve> text" to the answer, at most CASE_LINES_MAX lines. A callback for
 * storage_chat_* functions; context is the order. */
#define CASE_LINES_MAX 100
bool case_say_line(void *context, const struct storage_chat *line);

/* Adds "2026-… max: text" to the answer; context is the order. */
bool case_say_note(void *context, const struct storage_note *note);
