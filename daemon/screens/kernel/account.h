#pragma once

#include "daemon/screens/drawing/theme.h"

#include <jansson.h>
#include <stdbool.h>

/* Choices that take effect in this session at once and are kept with the account, if there is one.
 */
struct ui;

void screen_set_look(struct ui *ui, enum theme_kind kind, bool is_ascii, bool has_bell);

/* The language with this tag (i18n.h): at once, and kept with the account when there is one. */
void screen_set_language(struct ui *ui, const char *tag);

/* Whether one may sign in by telnet too. Guests always may, and are told so. */
void screen_set_telnet(struct ui *ui, bool is_on);

/* Plain lines instead of a drawn screen. */
void screen_set_plain(struct ui *ui, bool is_on);

/* The account exists now: takes over the answer's `you`. */
void screen_signed_up(struct ui *ui, const json_t *you);

/* The account has a new password: from now on it is asked for. */
void screen_password_set(struct ui *ui);

/* For the kernel: takes the look from the account's settings. */
void ui_apply_settings(struct ui *ui);
