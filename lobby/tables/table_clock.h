#ifndef LOBBY_TABLES_TABLE_CLOCK_H
#define LOBBY_TABLES_TABLE_CLOCK_H

#include "games/game.h"
#include "lobby/protocol/clock_rule.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * The clocks of one table: plain arithmetic on unix times in ms, which are all given. It knows no
 * player, bot or storage; what happens when a time is up is table_times.h's.
 *
 *             begin                      end (moved)
 *     idle ──────────▶ running until due ──────────▶ idle
 *                          │      ▲
 *                     stop │      │ go: due moves by as long as it stood still
 *                          ▼      │
 *                          standing
 */

/* The hours of the day at which no deadline of a turn-by-turn game may fall. Local minutes since
 * midnight, 0–1439; from == to: none. May reach over midnight. */
struct quiet_hours {
    uint16_t from_min, to_min;
    int16_t offset_min; /* east of UTC, -720 to 840 */
};

#define QUIET_LONGEST_MIN 720 /* more would be a second vacation */
#define QUIET_OFFSET_MIN_MIN (-720)
#define QUIET_OFFSET_MAX_MIN 840

/* True when all is in its range and the hours are not too many. */
bool quiet_hours_are_good(const struct quiet_hours *quiet);

/* at_ms, or the end of the quiet hours it falls into. */
int64_t quiet_hours_end_ms(const struct quiet_hours *quiet, int64_t at_ms);

/* What of a player matters to the clocks of turn-by-turn games. */
struct player_time {
    struct quiet_hours quiet;
    int64_t vacation_ms; /* on vacation until then; 0 or past: not */
    int64_t respite_ms;  /* no deadline falls before then; 0: as the clock says */
};

struct clock_seat {
    bool is_running;  /* to act, */
    int64_t since_ms; /* since then, */
    int64_t due_ms;   /* and until then, quiet hours not looked at; INT64_MAX: for ever */
    int64_t bank_ms;  /* CLOCK_BANK: what was left at since_ms, or after the last move */
};

struct table_clock {
    struct clock_rule rule;
    int64_t stopped_ms; /* stands still since then; 0: goes */
    struct clock_seat seats[SEATS_MAX];
};

/* Every turn has at least so long, however empty the bank. */
#define CLOCK_TURN_LEAST_MS (1000 * (int64_t)CLOCK_MOVE_MIN_S)

/* A game begins: all banks are full and nobody is to act. */
void table_clock_start(struct table_clock *clock, const struct clock_rule *rule);

/* The seat is to act from at_ms on; at a turn-by-turn table a vacation comes first. Beginning
 * anew gives a move's whole time again. */
void table_clock_begin(struct table_clock *clock, int seat, const struct player_time *player,
                       int64_t at_ms);

/* The seat has acted, whoever did it: its bank is charged and gets the increment. */
void table_clock_end(struct table_clock *clock, int seat, int64_t at_ms);

/* Everything stands still, or goes on: no time passes in between. Twice is once. */
void table_clock_stop(struct table_clock *clock, int64_t at_ms);
void table_clock_go(struct table_clock *clock, int64_t at_ms);

/* The time between the two counts for nobody: the house was not there. */
void table_clock_skip(struct table_clock *clock, int64_t from_ms, int64_t to_ms);

/* The seat's time ends so much later (or earlier), or not before until_ms. */
void table_clock_shift(struct table_clock *clock, int seat, int64_t by_ms);
void table_clock_spare(struct table_clock *clock, int seat, int64_t until_ms);

/* When the seat's time is up: at a turn-by-turn table never in the player's respite or quiet hours.
 * INT64_MAX: it is not to act, has no clock, or all stands still. */
int64_t table_clock_due_ms(const struct table_clock *clock, int seat,
                           const struct player_time *player);

/* What a running seat has left at now_ms, 0 or more, also while all stands still; INT64_MAX: no
 * end. */
int64_t table_clock_left_ms(const struct table_clock *clock, int seat,
                            const struct player_time *player, int64_t now_ms);

/* CLOCK_BANK: what is left of the seat's bank at now_ms. */
int64_t table_clock_bank_ms(const struct table_clock *clock, int seat, int64_t now_ms);

/* How long a move has when it begins, for a bar on the screen. */
int64_t table_clock_of_ms(const struct table_clock *clock, int seat);

#endif
