#pragma once

#include <jansson.h>
#include <stdint.h>

/* Short messages to the person, and the bell. */
struct ui;

/* Shows a line above the input line for some seconds: information, or a warning. */
void screen_inform(struct ui *ui, const char *format, ...) __attribute__((format(printf, 2, 3)));
void screen_warn(struct ui *ui, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The last warning, "" if there was none; borrowed until the next warning. */
const char *screen_get_last_warning(const struct ui *ui);

/* Removes the notice just shown as soon as the entered table changes, because the notice is then
 * outdated. */
void screen_drop_notice_when_table_changes(struct ui *ui);

/* Keeps the notice just shown until it could be read, whichever key is pressed and whichever
 * screen opens or closes: it came from the house, unasked. */
void screen_keep_notice_until_read(struct ui *ui);

/* Returns from when on the screen says that the house is away, in the session's clock; INT64_MAX:
 * it is not away. ui_away_text returns the sentence. */
int64_t ui_away_notice_at_ms(const struct ui *ui);
const char *ui_away_text(void);

/* Shows the reason for a refusal (`why` in the answer) as a warning. */
void screen_warn_of_refusal(struct ui *ui, const json_t *answer);

/* Warns that a password is too short or too long. */
void screen_warn_of_password_length(struct ui *ui);

/* Adds a line to the open chat channel: for answers of more than one line. */
void screen_add_chat_line(struct ui *ui, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Rings the bell, if the settings allow it. news.c already rings it when the person's turn has
 * come. */
void screen_ring_bell(struct ui *ui);
