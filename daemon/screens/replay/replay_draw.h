#pragma once

#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/replay/replay_game.h"
#include "daemon/screens/replay/replay_hint.h"
#include "daemon/screens/table/table_scene.h"
#include "daemon/screens/table/table_sheet.h"

/* Draws a step of a game: on the replay's screen, in recordings, and when spectators look at
 * earlier steps. */

struct replay_picture {
    const struct scene *scene;
    const char *right_text;    /* the text at the right end of the header */
    const char *line;          /* text about the current step, drawn in place of the prompt */
    const char *status;        /* further text about the step; NULL: the previous trick */
    const struct sheet *sheet; /* the score sheet of the rounds finished before this step; NULL: no
                                  sheet is drawn */
    bool has_sheet; /* the score sheet is drawn over the table if there is no room beside it */
    const struct replay_hint *hint; /* the hint drawn over the table; NULL: none */
};

/* Paints the picture over all of canvas->body. */
void replay_draw_scene(const struct canvas *canvas, const struct replay_picture *picture);

/* Returns the current step in the form that the table's drawing functions take; borrows from the
 * game. */
struct scene replay_draw_make_scene(const struct replay_game *game, const struct theme *theme);

/* Appends the current step's number, such as "step 31 of 204"; returns all of `out`. */
const char *replay_draw_write_step_number(const struct replay_game *game, struct text *out);

/* Appends the current step's number and what the move did, such as "step 31 of 204 · ada plays T♥";
 * returns all of `out`. */
const char *replay_draw_write_step(const struct replay_game *game, const struct scene *scene,
                                   struct text *out);

/* Paints the game's current step over all of canvas->body. right_text, has_sheet and hint are as in
 * struct replay_picture. */
void replay_draw_game(const struct canvas *canvas, const struct replay_game *game,
                      const char *right_text, bool has_sheet, const struct replay_hint *hint);
