#pragma once

#include "games/view.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Moves that are made without a key at the moment: the move that the player has chosen before their
 * turn, and the last card of a hand, if the player has turned that on (/auto). Both are known to
 * this session only; the core gets the move when it is the player's turn.
 *
 *     nothing ──key of a card──▶ offered ──same key or Enter──▶ set ──own turn──▶ made, if legal
 *        ▲                          │ any other key                │ Esc, the cards change
 *        └──────────────────────────┴──────────────────────────────┘
 *
 * If it is the player's turn but the game waits for players (table_halt_keeps_moves), a legal move
 * is set at once and made when the game goes on.
 */
struct premove {
    bool is_offered, is_set; /* at most one is true; `move` then is the move */
    uint8_t move;
    int64_t game;
    uint8_t round;
    struct view_slot hand[SLOTS_MAX]; /* the hand for which the move was chosen */
    int64_t auto_ms;                  /* when the last card plays itself; 0: it does not */
};

/* milliseconds during which people see the last card before it plays itself */
#define PREMOVE_AUTO_MS 800

struct model_entered;
struct ui;
struct table_state;
struct text;

/* Handles the key of a card that was pressed before the player's turn: the first press offers the
 * card's move, the second chooses it. */
void premove_point(struct ui *ui, struct table_state *state, uint8_t move, char key);

/* Chooses a legal move in the player's own turn, because the game waits for players
 * (table_halt_keeps_moves): it is made when the game goes on. */
void premove_choose_in_halt(struct ui *ui, struct table_state *state, uint8_t move);

/* Chooses the offered move; false if none is offered. */
bool premove_confirm(struct ui *ui, struct table_state *state);

/* Drops what is offered or chosen; false if there was nothing. */
bool premove_take_back(struct ui *ui, struct table_state *state);

/* Carries out /premove with these arguments: a move to choose, "off", or "" to ask. */
void premove_run_command(struct ui *ui, struct table_state *state, const char *args);

/* Call it after each change of the table: makes the chosen move if it is the player's turn and the
 * move is legal, says so if it is not, drops the move and says so if the player's cards have
 * changed or the round, the game or the player's seat is over, and decides whether the last card
 * will play itself. */
void premove_follow_table(struct ui *ui, struct table_state *state);

/* True if premove_follow_table would make the chosen move now. */
bool premove_is_due(const struct table_state *state, const struct model_entered *entered);

/* Drops the chosen move, and says so, when the table's screen closes. */
void premove_end_at_leaving(struct ui *ui, struct table_state *state);

/* Plays the last card if its moment has come. Returns when that will be; INT64_MAX: never. */
int64_t premove_play_last_card(struct ui *ui, struct table_state *state);

/* Writes the chosen move, "" if there is none. */
const char *premove_write(struct ui *ui, const struct table_state *state, struct text *out);

/* Returns the slot of the own hand whose card is chosen; -1 if none is. */
int premove_find_slot(const struct table_state *state, const struct game_view *view);
