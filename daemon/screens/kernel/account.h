#pragma once

#include "daemon/screens/drawing/theme.h"
#include "lobby/protocol/pace.h"

#include <jansson.h>
#include <stdbool.h>

/* Settings that take effect in this session at once and are stored with the account, if there is
 * one. */
struct ui;

void screen_set_theme(struct ui *ui, enum theme_kind kind, bool is_ascii, bool has_bell);

/* Switches to the language with this tag (i18n.h) at once, and stores it with the account if there
 * is one. */
void screen_set_language(struct ui *ui, const char *tag);

/* Stores the zone that zones_use has chosen, by its whole name. */
void screen_set_timezone(struct ui *ui, const char *name);

/* Sets whether the account may also be used over telnet. Guests may always use telnet; the screen
 * tells them so. */
void screen_set_telnet_permission(struct ui *ui, bool is_on);

/* Sets how long a finished trick stays on the person's screen. */
void screen_set_pace(struct ui *ui, enum pace pace);

/* Sets whether the last card of a hand plays itself. */
void screen_set_auto_play(struct ui *ui, bool is_on);

/* Switches between plain mode and drawn screens. */
void screen_set_plain_mode(struct ui *ui, bool is_on);

/* Call it after sign-up: takes the new account from the answer's `you`, and stores the settings
 * that the person chose before. */
void screen_adopt_new_account(struct ui *ui, const json_t *you);

/* Call it once the account has a password: the next change of password then asks for the old
 * one. */
void screen_mark_password_as_set(struct ui *ui);

/* Only for files in kernel/: applies the account's settings to the display. */
void ui_apply_settings(struct ui *ui);
