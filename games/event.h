#ifndef GAMES_EVENT_H
#define GAMES_EVENT_H

#include "games/table.h"

/*
 * HISTORY.md's events, built and sent to a log. Building one costs far more than a move, so games
 * call these only when there is a log; those that take one accept one without listeners.
 */

/* Begins the event of that kind: {"e": kind. */
void event_init(struct fields *event, const char *kind);

/* Hands the finished event on, if somebody listens. */
void event_send(const struct game_log *log, const struct fields *event);

/* Appends a card by its name; key NULL inside a list. */
void event_card(struct fields *event, const char *key, const struct deck_def *deck, uint8_t card);

/* Appends all hands under "hands", as dealt or as they lie before the first card is played. */
void event_hands(struct fields *event, const struct table_state *table,
                 const struct deck_def *deck);

/* Begins the `round` event with its number and all hands, as dealt; the game adds its keys. */
void event_round(struct fields *event, const struct table_state *table,
                 const struct deck_def *deck);

void event_played(const struct game_log *log, const struct deck_def *deck, uint8_t seat,
                  uint8_t card);
void event_trick(const struct game_log *log, uint8_t winner);

/* Fills the row of the round just scored, its event included; to both the game may add what is its
 * own before event_score_send. */
void event_score_row(struct score_row *row, const struct table_state *table,
                     const int16_t points[SEATS_MAX]);

/* Hands the row and its event on, if somebody listens. */
void event_score_send(const struct game_log *log, const struct score_row *row);

/* Both, for a game that has nothing to add. */
void event_score(const struct game_log *log, const struct table_state *table,
                 const int16_t points[SEATS_MAX]);

/* Adds `ranks` and `winners`, as `end` and a history's `result` have them. */
void event_outcome(struct fields *event, const struct game_outcome *outcome, uint8_t seats);

/* The last event of a finished game. */
void event_end(const struct game_log *log, const struct game_outcome *outcome, uint8_t seats);

#endif
