#pragma once

#include "games/game.h"
#include "lobby/protocol/clock_rule.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * The clocks of one table: plain arithmetic on unix times in ms, all passed in. It knows no player,
 * bot or storage; table_times.h decides what happens when a clock runs out.
 *
 *             begin                      end (moved)
 *     idle ──────────▶ running until due ──────────▶ idle
 *                          │      ▲
 *                     stop │      │ go: due moves by as long as it stood still
 *                          ▼      │
 *                          standing
 */

/* The hours of the day at which no deadline of a turn-by-turn game may fall. Local minutes since
 * midnight, 0–1439; from == to: none. They may span midnight. */
struct quiet_hours {
    uint16_t from_min, to_min;
    int16_t offset_min; /* east of UTC, -720 to 840 */
};

#define QUIET_LONGEST_MIN 720 /* longer hours would amount to a second vacation */
#define QUIET_OFFSET_MIN_MIN (-720)
#define QUIET_OFFSET_MAX_MIN 840

/* True when all fields are in range and the hours are not too long. */
bool quiet_hours_are_valid(const struct quiet_hours *quiet);

/* Returns at_ms, or the end of the quiet hours it falls into. */
int64_t quiet_hours_end_ms(const struct quiet_hours *quiet, int64_t at_ms);

/* A player's settings that affect the clocks of turn-by-turn games. */
struct player_time {
    struct quiet_hours quiet;
    int64_t vacation_ms; /* on vacation until then; 0 or past: not on vacation */
    int64_t respite_ms;  /* no deadline falls before then; 0: no respite */
};

struct clock_seat {
    bool is_running;  /* the seat is to act */
    int64_t since_ms; /* since when */
    int64_t due_ms;   /* deadline, without quiet hours; INT64_MAX: none */
    int64_t bank_ms;  /* with a bank: time left at since_ms, or after the last move */
};

struct table_clock {
    struct clock_rule rule;
    int64_t stopped_ms; /* stopped since then; 0: running */
    struct clock_seat seats[SEATS_MAX];
};

/* The minimum for every turn, even when the bank is empty. */
#define CLOCK_TURN_LEAST_MS (1000 * (int64_t)CLOCK_TURN_LEAST_S)

/* A game begins: all banks are full and no seat is to act. */
void table_clock_init(struct table_clock *clock, const struct clock_rule *rule);

/* The seat is to act from at_ms on; at a turn-by-turn table this begins after a vacation. A
 * repeated call restarts the move's time. */
void table_clock_begin_turn(struct table_clock *clock, int seat, const struct player_time *player,
                            int64_t at_ms);

/* The seat has acted, by its holder or by a bot: charges its bank, if it has one. */
void table_clock_end_turn(struct table_clock *clock, int seat, int64_t at_ms);

/* Stops or restarts all clocks; no time passes in between. A repeated call has no effect. */
void table_clock_stop_all(struct table_clock *clock, int64_t at_ms);
void table_clock_resume_all(struct table_clock *clock, int64_t at_ms);

/* Charges the time between the two to nobody: the house was down. */
void table_clock_skip_time(struct table_clock *clock, int64_t from_ms, int64_t to_ms);

/* Moves the seat's deadline by by_ms (which may be negative), or to until_ms at the earliest. */
void table_clock_move_deadline(struct table_clock *clock, int seat, int64_t by_ms);
void table_clock_extend_deadline(struct table_clock *clock, int seat, int64_t until_ms);

/* The seat's deadline: at a turn-by-turn table never in the player's respite or quiet hours.
 * INT64_MAX: the seat is not to act, has no clock, or all clocks are stopped. */
int64_t table_clock_deadline_ms(const struct table_clock *clock, int seat,
                                const struct player_time *player);

/* The time that a running seat has left at now_ms, 0 or more, also while the clocks are stopped;
 * INT64_MAX: unlimited. */
int64_t table_clock_left_ms(const struct table_clock *clock, int seat,
                            const struct player_time *player, int64_t now_ms);

/* The time left in the seat's bank at now_ms. */
int64_t table_clock_bank_ms(const struct table_clock *clock, int seat, int64_t now_ms);

/* The full time of the current move, for a bar on the screen. */
int64_t table_clock_turn_ms(const struct table_clock *clock, int seat);
