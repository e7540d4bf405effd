#pragma once

#include "daemon/screens/drawing/lines.h"
#include "daemon/screens/drawing/theme.h"
#include "daemon/screens/model/model.h"

#include <stdbool.h>
#include <stdint.h>

/* What a screen or command may know about its session: the model, the theme, the clocks, and the
 * connection. Pointers are borrowed and valid as long as the session. */
struct ui;

/* The model that all screens are drawn from. */
const struct model *screen_model(const struct ui *ui);

/* The theme to draw with: in plain mode cards are written as letters. */
const struct theme *screen_theme(const struct ui *ui);

/* The theme that the person has chosen, also in plain mode. */
const struct theme *screen_look(const struct ui *ui);

/* The time of the last input, tick or paint in milliseconds, by the session's monotonic clock. All
 * times in the model use this clock unless they are marked as unix time. */
int64_t screen_now(const struct ui *ui);

/* The time of day, unix ms. */
int64_t screen_unix_now(void);

bool screen_has_bell(const struct ui *ui);

/* Plain mode instead of a drawn screen. */
bool screen_is_plain(const struct ui *ui);

/* Plain mode: lines added here are shown at once. */
struct lines *screen_lines(struct ui *ui);

/* For sign-up: the suggested name (may be ""), and whether the connection has a key to sign up
 * with. */
const char *screen_suggested_name(const struct ui *ui);
bool screen_has_key(const struct ui *ui);

/* True if the connection is not encrypted, so that others can read what is typed. */
bool screen_is_telnet(const struct ui *ui);

/* Whether a new password has a valid length; the least length in bytes. */
bool screen_password_fits(const struct ui *ui, const char *password);
unsigned screen_password_min(const struct ui *ui);
