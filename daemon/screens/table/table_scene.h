#pragma once

#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/drawing/words.h"
#include "daemon/screens/model/model.h"
#include "daemon/screens/table/table_layout.h"
#include "games/game.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Draws a game, live or in a replay, from a game_view alone: what one viewer may see. The code is
 * the same for all games.
 */
struct scene {
    const struct game_view *view;
    struct words words;
    /* The players at the SEATS_MAX seats, whose ratings and absences are shown; NULL: shows only
     * names. */
    const struct seat_row *seats;
    const struct model_entered *live; /* the table whose clocks are shown; NULL in a replay */
    int64_t now_ms;                   /* the present time by the session's clock */
    uint8_t bottom;                   /* the seat at the bottom of the screen */
    bool is_held;            /* the finished trick is still shown, with its winner and why it won */
    uint16_t lit[SEATS_MAX]; /* for each seat: the highlighted slots of its hand (bit 0: slot 0) */
    const struct phrase *great; /* the great moment announced now; NULL: none */
    bool is_open;               /* every hand in the view is shown under its player's name */
    int log_lines; /* number of the table's log lines that the screen shows: none of a round that
                      is not shown yet */
};

/* Returns what the scene requires of the table's layout. The caller adds the rows that the board,
 * the hand and the chat need. */
struct table_layout_needs scene_compute_layout_needs(const struct scene *scene);

/* Returns the seat that is drawn at a place of the layout; place 0 is at the bottom, the others
 * follow in the order of play. */
uint8_t scene_seat_at_place(const struct scene *scene, uint8_t place);

/* Writes the game's title, the round, and the facts that the game names for its headline, as many
 * as fit the width. `prefix` ("#7 ", may be "") comes first. */
void scene_write_headline(const struct scene *scene, const char *prefix, int width,
                          struct text *out);

/* Draws the players, the cards of the trick, and what was led or who took the trick. */
void scene_draw(const struct canvas *canvas, const struct table_layout *layout,
                const struct scene *scene);

/* True if a great moment is announced and the middle of the table has room for the announcement,
 * where scene_draw draws it. */
bool scene_has_great_moment_in_middle(const struct table_layout *layout, const struct scene *scene);

/* Writes the announcement of the great moment, which there must be. */
void scene_write_great_moment(const struct scene *scene, struct text *out);

/* Returns the columns that a list of players keeps free at the end of each line for the card of the
 * trick; 0 if there is no trick. */
int scene_list_card_width(const struct scene *scene);

/* Writes the row below the hand: who took the previous trick, or, while the finished trick is
 * shown, why it was won if the middle of the table has no room for the reason. */
void scene_write_status(const struct table_layout *layout, const struct scene *scene, int width,
                        struct text *out);

/* True if the view's last trick is one of the present round: only then its reason can be told. */
bool scene_has_trick_of_round(const struct game_view *view);

/* Writes "bob took the previous trick: highest ♣", without the reason if it does not fit `width`
 * columns; nothing if there is no previous trick. */
void scene_write_last_trick(const struct scene *scene, int width, struct text *out);
