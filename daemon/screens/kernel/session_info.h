#pragma once

#include "daemon/screens/drawing/lines.h"
#include "daemon/screens/drawing/theme.h"
#include "daemon/screens/model/model.h"

#include <stdbool.h>
#include <stdint.h>

/* What screens and commands may know about their session: the model, the theme, the clocks and the
 * connection. All pointers are borrowed and stay valid during the session. */
struct ui;

/* What is known of a connection when its session begins. */
struct session_info {
    bool is_telnet; /* others can read what is typed, because the connection is not encrypted */
    bool has_key;   /* the client has shown an SSH key, with which the person can sign up */
    char suggested_name[MODEL_NAME_MAX]; /* the name suggested for sign-up; may be "" */
    unsigned password_min, password_max; /* the allowed length of a new password, in bytes */
};

const struct session_info *screen_session_info(const struct ui *ui);

/* The model from which all screens are drawn. */
const struct model *screen_model(const struct ui *ui);

/* The theme with which texts are written now. Plain mode has its own theme, which writes cards as
 * letters. */
const struct theme *screen_theme(const struct ui *ui);

/* The theme that the person has chosen for drawn screens. */
const struct theme *screen_chosen_theme(const struct ui *ui);

/* Milliseconds of the session's monotonic clock at the last input, tick or paint. All times in the
 * model use this clock unless they are marked as unix time. */
int64_t screen_now_ms(const struct ui *ui);

/* The time of day in milliseconds since 1970. */
int64_t screen_unix_now_ms(void);

bool screen_bell_is_on(const struct ui *ui);

/* True in plain mode, where nothing is drawn. */
bool screen_is_plain(const struct ui *ui);

/* Returns the output of plain mode: lines that are added to it are printed at once. */
struct lines *screen_get_plain_lines(struct ui *ui);

/* True if a new password has an allowed length. */
bool screen_password_length_is_valid(const struct ui *ui, const char *password);
