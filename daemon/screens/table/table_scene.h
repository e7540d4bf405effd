#pragma once

#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/drawing/words.h"
#include "daemon/screens/model/model.h"
#include "daemon/screens/table/table_layout.h"
#include "games/game.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * A game as it is drawn, live or in a replay: from the view alone, whatever the game. Nothing here
 * knows a game's name, and nothing is shown that the view does not hold.
 */
struct scene {
    const struct game_view *view;
    struct words words;
    const struct seat_row *seats; /* SEATS_MAX of them: ratings, who is away; NULL: names alone */
    const struct model_entered *live; /* whose clocks run; NULL: a replay */
    int64_t now_ms;                   /* by the session's clock */
    uint8_t bottom;                   /* this seat sits at the bottom */
    bool is_held;                     /* the last trick lies there whole: who took it, and why */
    uint16_t lit[SEATS_MAX];          /* by seat: slots that stand out */
    bool is_open;                     /* every hand that the view holds is shown under its name */
};

/* How wide a card lies on the table, frame included (table_wants.card_width). */
int scene_card_width(const struct scene *scene);

/* The seat at a place of the layout. */
uint8_t scene_seat_at(const struct scene *scene, uint8_t place);

/* Game, round and the game's own facts, cut to the width, least important last. `prefix` ("#7 ",
 * may be "") comes first. */
void scene_headline(const struct scene *scene, const char *prefix, int width, struct text *out);

/* Players, cards of the trick, what is led or who took it. */
void scene_draw(const struct canvas *canvas, const struct table_layout *layout,
                const struct scene *scene);

/* "bob won the trick before: highest ♣"; nothing when there was none. */
void scene_last_trick(const struct scene *scene, struct text *out);
