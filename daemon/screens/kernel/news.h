#pragma once

#include <jansson.h>

struct ui;

/* Tells the person what a message from the core means for them, whichever screen is open: with a
 * notice, the bell or "your turn". Call it after the model was updated from the message. */
void ui_report_pushed_message(struct ui *ui, const char *type, const json_t *message);
