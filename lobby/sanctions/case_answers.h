#ifndef LOBBY_SANCTIONS_CASE_ANSWERS_H
#define LOBBY_SANCTIONS_CASE_ANSWERS_H

#include "lobby/house/house_state.h"
#include "storage/mod/reports.h"

/* What came of reports, as their authors are told. */

/* What its author reads of a closed one: "Your report 7 about eve is closed, by max: …". */
void case_answer_words(const struct storage_report *report, char *words, size_t size);

/* Keeps a case that has been closed, and tells its author, who may come later. */
void case_answer(struct house *house, struct storage_report *report);

/* Tells somebody who has come in what was answered while they were away. */
void case_tell_answers(struct house *house, const struct conn *conn);

#endif
