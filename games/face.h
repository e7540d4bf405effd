#pragma once

#include "games/game.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Shared parts of the games' faces (struct game_face: the texts that people read about a game):
 * sentences that several games use, and functions that find in a view what these sentences need.
 * Every function depends only on its arguments.
 */

/* The suit that the current trick requires players to follow. SUIT_NONE when there is none: no
 * trick has begun, or the card led has no suit. */
uint8_t face_suit_led(const struct game_view *view);

/* The number of cards of the suit that the viewer sees in their own hand. */
uint8_t face_count_suit_cards(const struct game_view *view, uint8_t suit);

/* Whether the viewer sees that card in their own hand. */
bool face_viewer_holds(const struct game_view *view, uint8_t card);

/* The card in a slot of the viewer's own hand; MOVE_NONE when the slot is empty or the viewer does
 * not see the card. Games in which a card's number is the move use this function as game_face's
 * `point`. */
uint8_t face_card_in_slot(const struct game_view *view, uint8_t slot);

/* Returns "to lead" if the viewer has to lead, otherwise "to play". */
const char *face_lead_or_play_words(const struct game_view *view);

/* face_describe_turn says what a seat whose turn it is has to do; face_describe_pointing_at_card
 * says what happens when the viewer points at a card of their own hand. Both return a text still to
 * be translated, never NULL. */
const char *face_describe_turn(const struct game_view *view);
const char *face_describe_pointing_at_card(const struct game_view *view);

/* The seat that plays after this seat in the current round. */
uint8_t face_next_seat(const struct game_view *view, uint8_t seat);

/* The card that wins the trick as it lies now: the highest card of `trump` (SUIT_NONE: no trumps),
 * otherwise the highest of the suit led. CARD_NONE if the trick is empty or a card without a suit
 * was led. For decks in which a higher number in a suit is a higher card. */
uint8_t face_find_winning_card(const struct game_view *view, uint8_t trump);

/* The prompt for a viewer who has to play a card in a game where players must follow suit, and
 * which card wins so far. */
struct phrase face_prompt_to_follow_suit(const struct game_view *view, uint8_t trump);

/* "trick 4 of 6", for the headline: the trick in progress, of the round's `tricks`. */
struct phrase face_count_tricks(const struct game_view *view, uint8_t tricks);

/* Whether the trick, which is finished, belongs to the view's round. False for the last trick of
 * the round before: the view then tells nothing of that round's trumps. */
bool face_trick_is_of_round(const struct game_view *view, const struct view_trick *trick);

/* Why the trick's winner won it in a game where only a trump beats the suit led: "highest trump",
 * or "highest" with the suit led. `trump` is the trump suit when the trick was taken; SUIT_NONE
 * when there was none or the view does not show it. */
struct phrase face_explain_trick_winner(const struct game_view *view,
                                        const struct view_trick *trick, uint8_t trump);

/* Why the card may not be played in a game where players must follow suit. */
struct phrase face_explain_illegal_card(const struct game_view *view, uint8_t card);

/* Whether bids come in a later phase, so that screens leave out bids and tricks won. */
bool face_is_before_bids(const struct game_view *view);

/*
 * The story of a table: what happened in a game, told in sentences. A story is made from two views
 * of the same viewer, so it tells nothing that this viewer may not know, and reads the same at the
 * table, in replays and in recordings. This file tells what all games share: rounds, bids, cards,
 * tricks, points and results. A game adds its own sentences with a struct game_story.
 */

/* More lines than the longest round of any game has. */
#define STORY_LINES_MAX 128

struct story_line {
    struct phrase words; /* a sentence without its full stop */
    struct phrase great; /* for a great moment: a few words to announce it; otherwise absent */
};

struct story {
    uint8_t count;
    uint8_t old_count; /* the number of lines, from the first, that end the earlier round: its
                          points are told after them */
    uint8_t decided;   /* the line after the last "takes the trick"; from there on, the lines of the
                          earlier round tell what its last trick decided */
    bool is_cut;       /* there was no room for further lines */
    struct story_line lines[STORY_LINES_MAX];
};

/* A trick of the story: finished, or still in progress. */
struct story_trick {
    const struct game_view *view; /* a view of the trick's round, with all tricks before this one */
    uint8_t number;               /* number of the round's finished tricks before this one */
    const struct view_trick *trick;
};

/* What a game adds to the story. Every member may be NULL. Every function appends lines with
 * story_add, except `bid_remark`, `remark` and `count`, which return a phrase. */
struct game_story {
    /* At the beginning of a round: who deals, what is turned up. */
    void (*begin)(const struct game_view *now, struct story *story);

    /* What happened between two views of a round before the bids and the first card. `before` may
     * be an empty view, whose `info` has no members. */
    void (*prepare)(const struct game_view *before, const struct game_view *now,
                    struct story *story);

    /* What limited the bid of this seat, told in brackets in the bid's line. Absent for most bids.
     */
    struct phrase (*bid_remark)(const struct game_view *now, uint8_t seat);

    /* What the card of this play changes, told in the play's line and announced: "{0} is TRUMP
     * now". Absent for most cards. */
    struct phrase (*remark)(const struct story_trick *trick, uint8_t play);

    /* What happened between two views of a round after the cards and tricks. `before` is never an
     * empty view. */
    void (*after)(const struct game_view *before, const struct game_view *now, struct story *story);

    /* What the winner of the trick has taken in this round, told in brackets in the trick's line
     * instead of the number of tricks; at most four arguments. Absent when the number of tricks
     * says enough. */
    struct phrase (*count)(const struct story_trick *trick);

    /* What follows from a finished trick. */
    void (*take)(const struct story_trick *trick, struct story *story);

    /* What the round's last trick decides, before the points are told. `now` may be a view of the
     * next round. */
    void (*end)(const struct story_trick *last, const struct game_view *now, struct story *story);
};

/* Tells what happened between two views of the same viewer that follow each other
 * (story_views_follow). If `before` is NULL, tells all of the present round that the view shows. */
void story_tell(const struct game_view *before, const struct game_view *now, struct story *story);

/* Whether the later view shows everything that happened since the earlier one. */
bool story_views_follow(const struct game_view *before, const struct game_view *now);

/* Tells the points of a finished round, each number explained. */
void story_tell_points(const struct game_def *game, const struct score_row *row, uint8_t seats,
                       struct story *story);

/* Tells who wins and why, and why the game ended. `view` is the last view of the game; `winners`
 * has bit s for seat s. The first line names the winners. */
void story_tell_result(const struct game_view *view, const struct game_config *config,
                       uint8_t winners, struct story *story);

/* For the games: appends a line and returns it. The line belongs to the story. */
struct story_line *story_add(struct story *story, struct phrase words);

/* The seat that made the only move between the two views; SPECTATOR when there were more moves, or
 * when several seats could have made it. */
int8_t story_find_mover(const struct game_view *before, const struct game_view *now);

/* The number of tricks that a seat has won up to this finished trick. */
uint8_t story_count_tricks(const struct story_trick *trick, uint8_t seat);

/* Appends the result of a game that the highest total wins, for `explain_result` of struct
 * game_face. */
void story_add_highest_total(const struct game_view *view, const struct game_config *config,
                             uint8_t winners, struct story *story);
