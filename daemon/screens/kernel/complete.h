#pragma once

struct ui;

/* Completes the word before the cursor; shows the candidates if there are several. */
void ui_complete_word(struct ui *ui);
