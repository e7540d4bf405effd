#ifndef GAMES_VIEW_H
#define GAMES_VIEW_H

#include "games/card.h"
#include "games/fields.h"
#include "games/move.h"
#include "games/text.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * What one seat, or a spectator, may know at a step: HISTORY.md's "View" as a flat struct, copied
 * by assignment. Screens and bots see nothing else of a game.
 */

#define SEATS_MAX 7
#define SLOTS_MAX 15
#define TRICKS_MAX 15
#define SPECTATOR (-1)
#define BID_NONE (-1)
#define PHASE_OVER 0xFF

struct game_def;

struct view_slot {
    bool is_empty;  /* played or removed: null in the JSON; nothing else is set then */
    bool is_traded; /* carries a trade mark */
    uint8_t card;   /* CARD_NONE when the viewer does not know the card */
    uint8_t suit;   /* what a clue told, SUIT_NONE otherwise */
    uint8_t value;  /* what a clue told, 0 otherwise */
};

struct view_play {
    uint8_t seat;
    uint8_t card;
};

struct view_trick {
    uint8_t count;  /* how many plays */
    uint8_t winner; /* of a finished trick */
    struct view_play plays[SEATS_MAX];
};

struct game_view {
    const struct game_def *game;
    uint8_t format; /* as in struct game_config */
    int8_t seat;    /* SPECTATOR for one without a seat */
    uint8_t seats;  /* virtual ones included */
    uint16_t step;
    uint8_t phase;  /* index in the game's phases, or PHASE_OVER */
    uint8_t to_act; /* bit s: seat s may move */
    uint8_t round;
    uint8_t rounds; /* 0: unknown, null in the JSON */
    uint8_t slot_count[SEATS_MAX];
    struct view_slot hands[SEATS_MAX][SLOTS_MAX];
    struct view_trick trick; /* in progress, count 0 between tricks */
    uint8_t past_count;
    struct view_trick past[TRICKS_MAX]; /* this round's finished tricks */
    bool has_last_trick;
    struct view_trick last_trick;
    bool has_bids;          /* false in games without bids */
    int8_t bids[SEATS_MAX]; /* BID_NONE until bid */
    uint8_t tricks[SEATS_MAX];
    int16_t scores[SEATS_MAX];
    struct move_set legal; /* the viewer's own */
    struct fields info;
};

/* Makes a view of nothing: no seats, no cards, no bids, empty info. */
void view_clear(struct game_view *view);

/* Gives every card the number its copies share (card_face): nobody can tell them apart. */
void view_merge_copies(struct game_view *view);

/* True when the viewer may move now. */
bool view_is_to_act(const struct game_view *view);

/* Writes HISTORY.md's JSON object; equal views give equal bytes. About 1 to 12 KB. */
void view_write(const struct game_view *view, struct text *out);

#define VIEW_TEXT_MAX 20480

#endif
