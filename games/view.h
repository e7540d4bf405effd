#pragma once

#include "games/card.h"
#include "games/fields.h"
#include "games/move.h"
#include "games/text.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * What one player or a spectator may know of a game at one step: the "View" of HISTORY.md as a flat
 * struct, copied by assignment. Screens and bots see nothing else of a game.
 */

#define SEATS_MAX 7
#define SLOTS_MAX 15
#define TRICKS_MAX 15
#define SPECTATOR (-1)
#define BID_NONE (-1)
#define SLOT_NONE 0xFF
#define PHASE_OVER 0xFF

struct game_def;

struct view_slot {
    bool is_empty;  /* the slot's card was played or removed: the slot is null in the JSON, and no
                       other member is set */
    bool is_traded; /* the slot is marked because its card was traded */
    uint8_t card;   /* CARD_NONE when the viewer does not know the card */
    uint8_t suit;   /* the card's suit if a clue told it, otherwise SUIT_NONE */
    uint8_t value;  /* the card's value if a clue told it, otherwise 0 */
};

struct view_play {
    uint8_t seat;
    uint8_t card;
    uint8_t slot; /* the slot of the seat's hand from which the card was played; SLOT_NONE unless
                     view_tells_slots */
};

struct view_trick {
    uint8_t count;  /* number of plays */
    uint8_t winner; /* the seat that won, if the trick is finished */
    struct view_play plays[SEATS_MAX];
};

struct game_view {
    const struct game_def *game;
    int8_t seat;   /* the seat, or SPECTATOR for a viewer without one */
    uint8_t seats; /* the number of seats, virtual ones included */
    uint16_t step;
    uint8_t phase;  /* index in the game's phases, or PHASE_OVER */
    uint8_t to_act; /* bit s: seat s may move */
    uint8_t round;
    uint8_t rounds; /* the number of rounds; 0 when it is not known: null in the JSON */
    uint8_t slot_count[SEATS_MAX];
    struct view_slot hands[SEATS_MAX][SLOTS_MAX];
    struct view_trick trick; /* the current trick; count 0 between tricks */
    uint8_t past_count;
    struct view_trick past[TRICKS_MAX]; /* the round's finished tricks */
    bool has_last_trick;
    struct view_trick last_trick;
    bool has_bids;          /* whether the game has bids */
    int8_t bids[SEATS_MAX]; /* by seat; BID_NONE before the seat bids */
    uint8_t tricks[SEATS_MAX];
    int16_t scores[SEATS_MAX];
    struct move_set legal; /* the viewer's own legal moves */
    struct fields info;
};

/* Clears the view: no seats, no cards, no bids, empty info. */
void view_clear(struct game_view *view);

/* Replaces the numbers of equal cards by one number (card_number_without_copy), so that nobody can
 * tell copies apart. */
void view_hide_copy_numbers(struct game_view *view);

bool view_viewer_may_move(const struct game_view *view);

/* Whether each play in the view has the slot from which the card was played. */
bool view_tells_slots(const struct game_view *view);

/* Writes the view as the JSON object that HISTORY.md describes, 1 to 12 KB. Equal views give equal
 * bytes. */
void view_write(const struct game_view *view, struct text *out);

#define VIEW_TEXT_MAX 20480
