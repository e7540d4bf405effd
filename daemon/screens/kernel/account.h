#pragma once

#include "daemon/screens/drawing/theme.h"

#include <jansson.h>
#include <stdbool.h>

/* Settings that take effect in this session at once and are stored with the account, if there is
 * one. */
struct ui;

void screen_set_theme(struct ui *ui, enum theme_kind kind, bool is_ascii, bool has_bell);

/* The language with this tag (i18n.h): takes effect at once, and is stored with the account if
 * there is one. */
void screen_set_language(struct ui *ui, const char *tag);

/* Whether the account may also be used over telnet. Guests always may, and are told so. */
void screen_set_telnet(struct ui *ui, bool is_on);

/* Plain mode instead of a drawn screen. */
void screen_set_plain(struct ui *ui, bool is_on);

/* Call it once the account exists: takes over the answer's `you`. */
void screen_note_sign_up(struct ui *ui, const json_t *you);

/* Call it once the account has a new password: from now on it is asked for. */
void screen_note_new_password(struct ui *ui);

/* For the kernel: applies the account's settings to the display. */
void ui_apply_settings(struct ui *ui);
