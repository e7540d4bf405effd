#pragma once

#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/drawing/words.h"
#include "daemon/screens/model/model.h"
#include "daemon/screens/table/table_layout.h"
#include "games/game.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Draws a game, live or in a replay, from the view alone. Nothing here knows a game's name, and
 * nothing is shown that the view does not contain.
 */
struct scene {
    const struct game_view *view;
    struct words words;
    const struct seat_row *seats; /* SEATS_MAX of them: ratings, who is away; NULL: only names */
    const struct model_entered *live; /* whose clocks run; NULL: a replay */
    int64_t now_ms;                   /* by the session's clock */
    uint8_t bottom;                   /* this seat is at the bottom */
    bool is_held;                     /* the last trick is held: who took it, and why */
    uint16_t lit[SEATS_MAX];          /* by seat: highlighted slots */
    bool is_open;                     /* every hand in the view is shown under its name */
};

/* What a game wants of the layout, without its facts, its hand's rows and chat. */
struct table_wants scene_wants(const struct scene *scene);

/* The seat at a place of the layout. */
uint8_t scene_seat_at(const struct scene *scene, uint8_t place);

/* Game, round and the game's own facts, cut to the width; the least important come last. `prefix`
 * ("#7 ", may be "") comes first. */
void scene_write_headline(const struct scene *scene, const char *prefix, int width,
                          struct text *out);

/* Players, cards of the trick, and what was led or who took it. */
void scene_draw(const struct canvas *canvas, const struct table_layout *layout,
                const struct scene *scene);

/* "bob won the trick before: highest ♣"; nothing if there was none. */
void scene_write_last_trick(const struct scene *scene, struct text *out);
