#pragma once

#include "daemon/screens/model/model.h"
#include "games/game.h"
#include "games/story.h"
#include "lobby/protocol/record_json.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * A record being replayed: the engine plays it up to the step shown, so one can jump to any step. A
 * zeroed struct is a valid, empty record.
 */
enum replay_mark {
    REPLAY_TRICK = 1, /* the move before this step finished a trick */
    REPLAY_ROUND = 2, /* at this step a round has just been dealt */
};

struct replay_game {
    struct record record;
    bool is_open;
    uint8_t *marks; /* for each step from 0 to move_count: enum replay_mark bits */
    int8_t seat;    /* the seat whose view is shown; SPECTATOR: all hands together */
    uint32_t step;
    struct game_view view;
    bool is_trick_done; /* the last move finished a trick, which view.last_trick shows */
    uint8_t mover;      /* the seat that made the last move; unset at step 0 */
    struct story story; /* what the last move did; at step 0, how the first round begins */
    uint8_t winners;    /* at the last step: the winning seats (bit 0: seat 0) */
    struct model_sheet_row rows[GAME_ROUNDS_MAX]; /* the score rows of the rounds finished by this
                                                     step; their `json` is NULL */
    int row_count;
    struct score_row last_row;
};

/* Takes a reference to a game's record, in the protocol's form, and goes to step 0, with all hands
 * shown. False, with nothing to clear, if the JSON is no record or one of the moves is illegal. */
bool replay_game_init(struct replay_game *game, json_t *record) MUST_CHECK;
void replay_game_clear(struct replay_game *game);

/* Goes to a step from 0 to move_count. */
void replay_game_go_to(struct replay_game *game, uint32_t step);

/* Chooses the view: a player's seat, or SPECTATOR for all hands. */
void replay_game_set_viewpoint(struct replay_game *game, int8_t seat);

/* Fills in what the player who makes the move after the current step saw at this step. False at the
 * last step. */
bool replay_game_fill_movers_view(struct replay_game *game, struct game_view *view) MUST_CHECK;

/* Finds the nearest step with this mark after the current step (direction 1) or before it (-1).
 * Returns the last or first step if there is none. */
uint32_t replay_game_find_marked_step(const struct replay_game *game, enum replay_mark mark,
                                      int direction);

/* True at the last step, where `winners` is set. */
bool replay_game_is_over(const struct replay_game *game);

/* Returns the name of whoever held the seat at the current step; "" for a virtual seat. */
const char *replay_game_seat_name(const struct replay_game *game, uint8_t seat);
