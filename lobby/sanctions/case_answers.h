#pragma once

#include "lobby/house/house_state.h"
#include "storage/mod/reports.h"

/* The results of reports, as told to their authors. */

/* The text about a closed report for its author: "Your report 7 about eve is closed, by max: …". */
json_t *case_answer_say(const struct storage_report *report);

/* Stores a closed case and tells its author, now or when they next enter. */
void case_answer(struct house *house, struct storage_report *report);
