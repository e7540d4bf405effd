#pragma once

#include <jansson.h>

struct ui;

/* Reports what a message of the core means for the person, whichever screen is open: by notices,
 * the bell and "your turn". Call it after the model was updated from the message. */
void ui_report_pushed_message(struct ui *ui, const char *type, const json_t *message);
