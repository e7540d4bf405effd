#pragma once

#include "games/game.h"
#include "lobby/protocol/clock_rule.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * The clocks of one table: plain arithmetic on unix times in ms, all passed in. This file knows no
 * players, bots or storage; table_times.h decides what happens when a clock runs out.
 *
 *             begin                      end (moved)
 *     idle ──────────▶ running until the deadline ──▶ idle
 *                          │      ▲
 *                     stop │      │ resume: the deadline moves by the time stopped
 *                          ▼      │
 *                          stopped
 */

/* The hours of the day in which no deadline of a turn-by-turn game may fall, in local minutes since
 * midnight, 0–1439. They may span midnight. If from_min and to_min are equal, there are no quiet
 * hours. */
struct quiet_hours {
    uint16_t from_min, to_min;
    int16_t offset_min; /* minutes east of UTC, -720 to 840 */
};

/* Most minutes of quiet hours: longer ones would amount to a second vacation. */
#define QUIET_LONGEST_MIN 720
#define QUIET_OFFSET_MIN_MIN (-720)
#define QUIET_OFFSET_MAX_MIN 840

/* True when all fields are in range and the hours are not too long. */
bool quiet_hours_are_valid(const struct quiet_hours *quiet);

/* Returns the end of the quiet hours that at_ms falls into; returns at_ms if it falls into none. */
int64_t quiet_hours_postpone_to_end_ms(const struct quiet_hours *quiet, int64_t at_ms);

/* A player's times off, which affect the clocks of turn-by-turn games. */
struct player_time_off {
    struct quiet_hours quiet;
    int64_t vacation_ms; /* when the vacation ends; 0 or past: not on vacation */
    int64_t respite_ms; /* end of the respite (table_respite.h), during which no deadline falls due;
                           0: no respite */
};

struct clock_seat {
    bool is_running;  /* whether it is this seat's turn */
    int64_t since_ms; /* when the turn began */
    int64_t due_ms;   /* the deadline, not yet moved out of quiet hours; INT64_MAX: none */
    int64_t
        bank_ms; /* time in the bank when the turn began or, between turns, after the last move */
};

struct table_clock {
    struct clock_rule rule;
    int64_t stopped_ms; /* since when the clocks are stopped; 0: running */
    struct clock_seat seats[SEATS_MAX];
};

/* The minimum time for every turn, even when the bank is empty. */
#define CLOCK_TURN_LEAST_MS (1000 * (int64_t)CLOCK_TURN_LEAST_S)

/* Prepares the clocks for a new game: all banks are full, and it is nobody's turn. */
void table_clock_init(struct table_clock *clock, const struct clock_rule *rule);

/* Begins the seat's turn at at_ms, or after the player's vacation at a turn-by-turn table. A second
 * call begins the turn anew. */
void table_clock_begin_turn(struct table_clock *clock, int seat,
                            const struct player_time_off *player, int64_t at_ms);

/* Ends the seat's turn after its move. If the clock has time banks, updates the seat's bank. */
void table_clock_end_turn(struct table_clock *clock, int seat, int64_t at_ms);

/* Stops all clocks, or resumes them as if no time had passed. A second call has no effect. */
void table_clock_stop_all(struct table_clock *clock, int64_t at_ms);
void table_clock_resume_all(struct table_clock *clock, int64_t at_ms);

/* Skips the time from from_ms to to_ms, when the house was down: no player is charged for it. */
void table_clock_skip_time(struct table_clock *clock, int64_t from_ms, int64_t to_ms);

/* table_clock_move_deadline moves the seat's deadline by by_ms, which may be negative;
 * table_clock_extend_deadline extends it to at least until_ms. */
void table_clock_move_deadline(struct table_clock *clock, int seat, int64_t by_ms);
void table_clock_extend_deadline(struct table_clock *clock, int seat, int64_t until_ms);

/* Returns the seat's deadline, which never falls in the player's respite or quiet hours at a
 * turn-by-turn table. INT64_MAX: it is not the seat's turn, there is no clock, or the clocks are
 * stopped. */
int64_t table_clock_deadline_ms(const struct table_clock *clock, int seat,
                                const struct player_time_off *player);

/* Returns the time left for the seat's turn at now_ms, 0 or more, also while the clocks are
 * stopped. INT64_MAX: unlimited. */
int64_t table_clock_turn_left_ms(const struct table_clock *clock, int seat,
                                 const struct player_time_off *player, int64_t now_ms);

/* Returns the time left in the seat's bank at now_ms. */
int64_t table_clock_left_in_bank_ms(const struct table_clock *clock, int seat, int64_t now_ms);

/* Returns the full time of the current turn, which a bar on the screen shows. */
int64_t table_clock_full_turn_ms(const struct table_clock *clock, int seat);
