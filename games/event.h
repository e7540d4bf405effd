#pragma once

#include "games/table.h"

/*
 * Builds the events of HISTORY.md and sends them to a log. Building an event costs far more than
 * making a move, so games call these functions only when there is a log. A log without listeners is
 * allowed.
 */

/* Starts an event: empties it and appends "e" with the event's kind. */
void event_init(struct fields *event, const char *kind);

/* Sends the finished event to the log's listener, if there is one. */
void event_send(const struct game_log *log, const struct fields *event);

/* Appends a card by its name; key is NULL inside a list. */
void event_add_card(struct fields *event, const char *key, const struct deck_def *deck,
                    uint8_t card);

/* Appends all hands under "hands", as they are before the first card is played. */
void event_add_hands(struct fields *event, const struct table_state *table,
                     const struct deck_def *deck);

/* Starts a `round` event with the round's number and all hands as dealt. The game then appends its
 * own keys. */
void event_init_round(struct fields *event, const struct table_state *table,
                      const struct deck_def *deck);

void event_send_played(const struct game_log *log, const struct deck_def *deck, uint8_t seat,
                       uint8_t card);
void event_send_trick(const struct game_log *log, uint8_t winner);

/* Fills the score row of the round just scored, and the row's event. The game may add its own
 * fields to both before it calls event_send_score_row. */
void event_fill_score_row(struct score_row *row, const struct table_state *table,
                          const int16_t points[SEATS_MAX]);

/* Sends the row and its event to the log's listeners, if there are any. */
void event_send_score_row(const struct game_log *log, const struct score_row *row);

/* Fills and sends the score row, for a game that adds nothing to it. */
void event_send_score(const struct game_log *log, const struct table_state *table,
                      const int16_t points[SEATS_MAX]);

/* Appends `ranks` and `winners`, as the `end` event and a history's `result` have them. */
void event_add_outcome(struct fields *event, const struct game_outcome *outcome,
                       uint8_t seat_count);

/* Sends the last event of a finished game. */
void event_send_end(const struct game_log *log, const struct game_outcome *outcome,
                    uint8_t seat_count);
