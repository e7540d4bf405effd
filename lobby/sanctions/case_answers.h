#pragma once

#include "lobby/house/house_state.h"
#include "storage/mod/reports.h"

/* The results of reports, as told to their authors. */

/* The text about a closed report for its author: "Your report 7 about eve is closed, by max: …". */
void case_answer_words(const struct storage_report *report, char *words, size_t size);

/* Stores a closed case and tells its author, now or when they next enter. */
void case_answer(struct house *house, struct storage_report *report);
