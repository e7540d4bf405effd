#pragma once

#include "daemon/screens/drawing/words.h"
#include "daemon/screens/kernel/screen.h"
#include "games/game.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Moves that are made by pointing at other players' cards (game_face.aim). The viewer selects a
 * player, then a card, then one of the moves that point out that card. All cards that the selected
 * move points out are highlighted.
 */
struct aim_cursor {
    uint8_t seat, slot;
    uint8_t turn;   /* index of the selected move among the moves that point out the card */
    bool is_chosen; /* the player has put the cursor there */
};

struct aims {
    uint8_t count;
    uint8_t moves[MOVES_MAX];
    struct face_aim
        at[MOVES_MAX]; /* for each move in `moves`: the cards that the move points out */
};

/* Collects the viewer's legal moves that are made by pointing. */
void aims_collect_pointing_moves(const struct game_view *view, struct aims *out);

/* Collects the indexes of those moves that point out the card under the cursor; returns the number
 * of these moves. */
uint8_t aims_find_moves_at_cursor(const struct aims *aims, const struct aim_cursor *cursor,
                                  uint8_t indexes[MOVES_MAX]);

/* Puts the cursor on a card that some move points out, of the same player if possible. */
void aims_put_cursor_on_valid_card(const struct aims *aims, const struct game_view *view,
                                   struct aim_cursor *cursor);

/* Returns the cards of a seat to highlight, as bits: those that the selected move points out,
 * otherwise the card under the cursor. */
uint16_t aims_find_highlighted_slots(const struct aims *aims, const struct aim_cursor *cursor,
                                     uint8_t seat);

/* Handles a key; true if it was used. *move is MOVE_NONE unless the key makes a move. */
bool aims_handle_key(const struct aims *aims, const struct game_view *view,
                     struct aim_cursor *cursor, const struct press *press, uint8_t *move);

/* Draws in one row the moves that point out the card under the cursor, with the selected one in
 * brackets: "[bob: every Su] bob: every 3". If there are none, writes that instead. */
void aims_draw(const struct canvas *canvas, const struct area *row, const struct aims *aims,
               const struct aim_cursor *cursor, const struct game_view *view,
               const struct words *words);
