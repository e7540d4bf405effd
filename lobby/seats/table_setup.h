#pragma once

#include "lobby/protocol/eligibility.h"
#include "lobby/protocol/watch_rule.h"
#include "lobby/tables/tables_state.h"

/* The settings of a table: its game and options. */
struct table_setup {
    const struct game_def *game;
    struct game_config config;
    struct clock_rule clock;
    struct watch_rule watch;
    struct eligibility fit;
    const struct table *table; /* NULL: a new table */
};

/* True when the password opens this locked table; false for NULL. */
bool table_setup_password_opens(const struct table *table, const char *password);
