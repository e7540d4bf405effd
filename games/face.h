#ifndef GAMES_FACE_H
#define GAMES_FACE_H

#include "games/game.h"

/*
 * What several games say in the same words, and what they ask of a view to say it: the shared part
 * of their faces. All are pure in the view.
 */

/* The suit led to the trick in progress; SUIT_NONE when there is none to follow: no trick, or one
 * led with a card of no suit. */
uint8_t face_led(const struct game_view *view);

/* How many cards of that suit the viewer knows in their own hand. */
uint8_t face_held(const struct game_view *view, uint8_t suit);

/* Whether the viewer knows that card in their own hand. */
bool face_holds(const struct game_view *view, uint8_t card);

/* The card in a slot of the viewer's own hand, which is what pointing at it plays where a card's
 * number is the move; MOVE_NONE when there is none or it is unknown. */
uint8_t face_point_card(const struct game_view *view, uint8_t slot);

/* "to lead" or "to play": for game_face's turn. */
const char *face_turn_play(const struct game_view *view);

/* What a seat that may act now is to do, and what pointing at a card of one's own hand does, in any
 * game; to be translated, never NULL. */
const char *face_turn(const struct game_view *view, uint8_t seat);
const char *face_pointing(const struct game_view *view);

/* Who plays after the seat in this round. */
uint8_t face_next(const struct game_view *view, uint8_t seat);

/* Why nobody may move now, or not the viewer; absent when the viewer is to act. */
struct phrase face_refuse_turn(const struct game_view *view);

/* Where suit must be followed: what is asked of the viewer, who is to play. */
struct phrase face_prompt_follow(const struct game_view *view);

/* Where suit must be followed: why the card may not be played. */
struct phrase face_refuse_follow(const struct game_view *view, uint8_t card);

#endif
