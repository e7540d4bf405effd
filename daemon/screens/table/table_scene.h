#pragma once

#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/drawing/words.h"
#include "daemon/screens/model/model.h"
#include "daemon/screens/table/table_layout.h"
#include "games/game.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Draws a game, live or in a replay, from the view alone. The code is the same for all games, and
 * shows nothing that the view does not contain.
 */
struct scene {
    const struct game_view *view;
    struct words words;
    const struct seat_row
        *seats; /* ratings and absences of SEATS_MAX players; NULL: only names are shown */
    const struct model_entered *live; /* the table whose clocks run; NULL: a replay */
    int64_t now_ms;                   /* the present time by the session's clock */
    uint8_t bottom;                   /* the seat at the bottom of the screen */
    bool is_held;            /* the last trick is still shown, with its winner and why it won */
    uint16_t lit[SEATS_MAX]; /* for each seat: the highlighted slots (bit 0: slot 0) */
    bool is_open;            /* every hand in the view is shown under its name */
};

/* Returns what the scene requires of the layout. The caller adds the rows of the board, of the hand
 * and of the chat. */
struct table_layout_needs scene_layout_needs(const struct scene *scene);

/* Returns the seat at a place of the layout. */
uint8_t scene_seat_at(const struct scene *scene, uint8_t place);

/* Writes game, round and the game's own facts, as many as the width allows. `prefix` ("#7 ", may be
 * "") comes first. */
void scene_write_headline(const struct scene *scene, const char *prefix, int width,
                          struct text *out);

/* Draws the players, the cards of the trick, and what was led or who took the trick. */
void scene_draw(const struct canvas *canvas, const struct table_layout *layout,
                const struct scene *scene);

/* Writes "bob took the previous trick: highest ♣"; nothing if there is no previous trick. */
void scene_write_last_trick(const struct scene *scene, struct text *out);
