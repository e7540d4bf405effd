#pragma once

struct ui;

/* Completes the word before the cursor; shows the candidates if there are several. */
void ui_complete(struct ui *ui);
