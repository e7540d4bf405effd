#pragma once

#include "games/game.h"

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

/* Returns "to lead" if the viewer has to lead, otherwise "to play". Games use this function as
 * game_face's `turn`. */
const char *face_lead_or_play_words(const struct game_view *view);

/* face_describe_turn says what a seat whose turn it is has to do; face_describe_pointing_at_card
 * says what happens when the viewer points at a card of their own hand. Both work for any game and
 * return a text still to be translated, never NULL. */
const char *face_describe_turn(const struct game_view *view, uint8_t seat);
const char *face_describe_pointing_at_card(const struct game_view *view);

/* The seat that plays after this seat in the current round. */
uint8_t face_next_seat(const struct game_view *view, uint8_t seat);

/* Why the viewer may not move now: the game is over, or it is another player's turn. Absent when it
 * is the viewer's turn. */
struct phrase face_explain_wrong_turn(const struct game_view *view);

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

/* Whether nobody has bid yet in this phase, so that screens leave out bids and tricks won
 * (game_face.phases_before_bids). */
bool face_is_before_bids(const struct game_view *view);
