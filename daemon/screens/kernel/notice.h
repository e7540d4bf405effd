#pragma once

#include <jansson.h>

/* Short messages to the person, and the bell. */
struct ui;

/* One line, shown in the rule for some seconds: information, or a warning. */
void screen_inform(struct ui *ui, const char *format, ...) __attribute__((format(printf, 2, 3)));
void screen_warn(struct ui *ui, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The newest warning, "" if there was none; borrowed until the next warning. */
const char *screen_last_warning(const struct ui *ui);

/* The notice just shown depends on the current state of the entered table: the table's next news
 * remove it. */
void screen_drop_notice_on_table_news(struct ui *ui);

/* Shows the `why` of a refusal as a warning. */
void screen_warn_refused(struct ui *ui, const json_t *answer);

/* Warns that a password is too short or too long. */
void screen_warn_password_length(struct ui *ui);

/* Adds a line to the open chat channel, for answers longer than one line. */
void screen_add_chat_line(struct ui *ui, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Rings the bell (if the settings allow it). The kernel rings for "your turn" itself. */
void screen_ring_bell(struct ui *ui);
