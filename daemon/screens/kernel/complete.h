#pragma once

struct ui;

/* Completes the word before the cursor; shows the candidates if there are several. For names of
 * people and numbers of tables the core is asked first. */
void ui_complete_word(struct ui *ui);

/* The person has typed on: an answer that is still to come completes nothing. */
void ui_cancel_completion(struct ui *ui);
