#pragma once

#include "daemon/screens/drawing/lines.h"
#include "daemon/screens/drawing/theme.h"
#include "daemon/screens/model/model.h"

#include <stdbool.h>
#include <stdint.h>

/* What a screen or command may know about its session: the model, the theme, the clocks, and the
 * connection. Pointers are borrowed and valid as long as the session. */
struct ui;

/* What is known of a connection when its session begins. */
struct session_info {
    bool is_telnet;                      /* not encrypted: others can read what is typed */
    bool has_key;                        /* a key to sign up with */
    char suggested_name[MODEL_NAME_MAX]; /* for sign-up; may be "" */
    unsigned password_min, password_max; /* length of a new password in bytes */
};

const struct session_info *screen_session(const struct ui *ui);

/* The model that all screens are drawn from. */
const struct model *screen_model(const struct ui *ui);

/* The theme to draw with: in plain mode cards are written as letters. */
const struct theme *screen_theme(const struct ui *ui);

/* The theme that the person has chosen, also in plain mode. */
const struct theme *screen_chosen_theme(const struct ui *ui);

/* The time of the last input, tick or paint in milliseconds, by the session's monotonic clock. All
 * times in the model use this clock unless they are marked as unix time. */
int64_t screen_now_ms(const struct ui *ui);

/* The time of day, unix ms. */
int64_t screen_unix_now_ms(void);

bool screen_has_bell(const struct ui *ui);

/* Plain mode instead of a drawn screen. */
bool screen_is_plain(const struct ui *ui);

/* Plain mode: lines added here are shown at once. */
struct lines *screen_plain_lines(struct ui *ui);

/* True if a new password has a valid length. */
bool screen_password_is_valid(const struct ui *ui, const char *password);
