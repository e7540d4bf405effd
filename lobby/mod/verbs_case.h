#ifndef LOBBY_MOD_VERBS_CASE_H
#define LOBBY_MOD_VERBS_CASE_H

#include "lobby/sanctions/order.h"
#include "storage/chat/chat.h"
#include "storage/mod/reports.h"

/* Reports and lines of talk as staff read them. */

/* "12 · open · 2026-… · bob about eve (spam): text". */
void case_say(struct order *order, const struct storage_report *report, bool is_staffs);

/* The same for programs. */
json_t *case_json(const struct storage_report *report, bool is_staffs);

/* "481 · 2026-… <eve> text", for a storage_chat_* function; context is the order. At most
 * CASE_LINES_MAX. */
#define CASE_LINES_MAX 100
bool case_say_line(void *context, const struct storage_chat *line);

/* "2026-… max: text"; context is the order. */
bool case_say_note(void *context, const struct storage_note *note);

#endif
