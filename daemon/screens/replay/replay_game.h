#pragma once

#include "daemon/screens/model/model.h"
#include "games/game.h"
#include "lobby/protocol/record_json.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * A record being looked at: the engine plays it again up to the step that is shown, so any step is
 * as good as the next. Zeroed memory is a valid, empty one.
 */
enum replay_mark {
    REPLAY_TRICK = 1, /* the move before this step finished a trick */
    REPLAY_ROUND = 2, /* a deal stands fresh at this step */
};

struct replay_game {
    struct record record;
    bool is_open;
    uint8_t *marks; /* by step, 0 … move_count; enum replay_mark bits */
    int8_t seat;    /* whose view; SPECTATOR: all hands together */
    uint32_t step;
    struct game_view view;
    bool is_trick_done; /* the last move finished a trick: view.last_trick lies there whole */
    uint8_t mover;      /* who made the last move, from step 1 on */
    const char *move_phase;
    struct phrase move_label;
    struct model_sheet_row rows[GAME_ROUNDS_MAX]; /* finished by this step; json is NULL */
    int row_count;
    struct score_row last_row;
};

/* Takes a reference to the protocol's record and goes to step 0, all hands shown. False, with
 * nothing to clear, when it is no record or one of its moves is refused. */
bool replay_game_init(struct replay_game *game, json_t *record) MUST_CHECK;
void replay_game_clear(struct replay_game *game);

/* step: 0 … move_count. */
void replay_game_go(struct replay_game *game, uint32_t step);

/* Whose view is shown: a player's seat, or SPECTATOR for all hands. */
void replay_game_see(struct replay_game *game, int8_t seat);

/* The next step with that mark after (direction 1) or before (-1) the present one; the last or
 * first step when there is none. */
uint32_t replay_game_find(const struct replay_game *game, enum replay_mark mark, int direction);

/* Who sat there at the present step; "" for a virtual seat. */
const char *replay_game_name(const struct replay_game *game, uint8_t seat);
