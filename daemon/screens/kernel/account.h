#pragma once

#include "daemon/screens/drawing/theme.h"

#include <jansson.h>
#include <stdbool.h>

/* Settings that take effect in this session at once and are stored with the account, if there is
 * one. */
struct ui;

void screen_set_theme(struct ui *ui, enum theme_kind kind, bool is_ascii, bool has_bell);

/* Switches to the language with this tag (i18n.h) at once, and stores it with the account if there
 * is one. */
void screen_set_language(struct ui *ui, const char *tag);

/* Sets whether the account may also be used over telnet. Guests always may, and are told so. */
void screen_set_telnet(struct ui *ui, bool is_on);

/* Switches between plain mode and drawn screens. */
void screen_set_plain(struct ui *ui, bool is_on);

/* Notes that the account now exists, and takes over the `you` of the answer. */
void screen_note_sign_up(struct ui *ui, const json_t *you);

/* Notes that the account has a new password: from now on the old one is asked for. */
void screen_note_new_password(struct ui *ui);

/* For the kernel: applies the account's settings to the display. */
void ui_apply_settings(struct ui *ui);
