#pragma once

#include "lobby/house/house_state.h"
#include "storage/mod/reports.h"

/* The answers that people read about their reports and appeals. */

/* The sentence about a closed case for its author: "Your report 7 about eve is closed, by max:
 * …". */
json_t *case_answer_sentence(const struct storage_report *report);

/* Stores a closed case, and tells its author now or when they next enter. */
void case_answer_store_and_send(struct house *house, struct storage_report *report);
