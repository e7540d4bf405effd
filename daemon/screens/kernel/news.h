#pragma once

#include <jansson.h>

struct ui;

/* Shows what a push means for the person, whatever screen is open: notices, the bell, "your turn".
 * The model has processed the push already. */
void ui_report_push(struct ui *ui, const char *type, const json_t *message);
