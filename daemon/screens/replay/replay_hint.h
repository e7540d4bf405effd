#pragma once

#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/drawing/lines.h"
#include "daemon/screens/drawing/words.h"
#include "daemon/screens/model/hint.h"
#include "daemon/screens/replay/replay_game.h"

/*
 * The hint at a step of a replay: what a strong bot would choose in the place of the player who
 * moves next. The bot sees what this player saw, not the open hands of the replay. The last hint is
 * kept, so asking again for the same step costs nothing. A zeroed struct has no hint.
 */
struct replay_hint {
    bool is_made;  /* the members below are set */
    bool is_shown; /* the hint is drawn whenever the replay is at its step */
    uint32_t step;
    uint8_t seat;          /* the player who moves next */
    uint8_t move;          /* the move that this player made */
    struct game_view view; /* what this player saw */
    struct hint hint;
};

/* Makes the hint for the current step, unless it is made already; it is not shown yet. Returns
 * false if nobody moves there. */
bool replay_hint_make(struct replay_hint *hint, struct replay_game *game,
                      int64_t game_id) MUST_CHECK;

/* True if the hint of the current step is kept. */
bool replay_hint_is_made(const struct replay_hint *hint, const struct replay_game *game);

/* True if the hint is to be drawn: it is one of the current step, and the replay shows all hands or
 * those that the player saw. */
bool replay_hint_is_shown(const struct replay_hint *hint, const struct replay_game *game);

/* Draws the hint in a frame over the upper part of the area; a list too long for the area is cut,
 * but always contains the move that was made. */
void replay_hint_draw_box(const struct canvas *canvas, const struct area *area,
                          const struct replay_hint *hint, const struct words *words);

/* Prints the hint for plain mode. */
void replay_hint_print(const struct replay_hint *hint, const struct words *words,
                       struct lines *lines);
