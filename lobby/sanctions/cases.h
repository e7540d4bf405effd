#ifndef LOBBY_SANCTIONS_CASES_H
#define LOBBY_SANCTIONS_CASES_H

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

/* What its author reads of a closed one: "Your report 7 about eve is closed, by max: …". */
void case_answer_words(const struct storage_report *report, char *words, size_t size);

/* Keeps a case that has been closed, and tells its author, who may come later. */
void case_answer(struct house *house, struct storage_report *report);

/* Tells somebody who has come in what was answered while they were away. */
void case_tell_answers(struct house *house, const struct conn *conn);

/* "2026-… max: text"; context is the order. */
bool case_say_note(void *context, const struct storage_note *note);

#endif
