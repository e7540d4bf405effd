#pragma once

#include "daemon/screens/drawing/lines.h"
#include "daemon/screens/drawing/theme.h"
#include "daemon/screens/model/model.h"

#include <stdbool.h>
#include <stdint.h>

/* What a screen or command may know about its session: the model, the look, the clocks, and how
 * the person is connected. Pointers are borrowed and valid as long as the session. */
struct ui;

/* What everything on the screens is drawn from. */
const struct model *screen_model(const struct ui *ui);

/* The theme to draw with: in plain mode cards are written as letters. */
const struct theme *screen_theme(const struct ui *ui);

/* The theme the person has chosen, in plain mode too. */
const struct theme *screen_look(const struct ui *ui);

/* Milliseconds as of the last input, tick or paint, by the session's clock, which never jumps. All
 * times in the model use this clock unless they are said to be unix time. */
int64_t screen_now(const struct ui *ui);

/* The time of day, unix ms. */
int64_t screen_unix_now(void);

bool screen_has_bell(const struct ui *ui);

/* Plain lines instead of a drawn screen. */
bool screen_is_plain(const struct ui *ui);

/* Plain mode: lines added here are shown at once. */
struct lines *screen_lines(struct ui *ui);

/* For sign-up: the name to suggest (may be ""), and whether the connection's key can be bound. */
const char *screen_suggested_name(const struct ui *ui);
bool screen_has_key(const struct ui *ui);

/* Whether the connection is unencrypted, so that others can read what is typed. */
bool screen_is_telnet(const struct ui *ui);

/* Whether a new password is neither too short nor too long; the least bytes it may have. */
bool screen_password_fits(const struct ui *ui, const char *password);
unsigned screen_password_min(const struct ui *ui);
