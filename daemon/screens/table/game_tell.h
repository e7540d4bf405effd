#pragma once

#include "daemon/screens/drawing/lines.h"
#include "daemon/screens/drawing/words.h"
#include "games/game.h"

/*
 * A game told in lines, live or in a replay: from the view alone, whatever the game. Nothing here
 * knows a game's name, and nothing is told that the view does not hold.
 */

/* "Some Game, round 4 of 19, 7 cards, trump hearts (TH)", and what lies open beside the cards. */
void game_tell_head(const struct game_view *view, const struct words *words, struct lines *lines);

/* Each player: bid, tricks, score, marks; open cards on a line of their own. */
void game_tell_seats(const struct game_view *view, const struct words *words, struct lines *lines);

/* What lies in the trick; nothing when it is empty. */
void game_tell_trick(const struct game_view *view, const struct words *words, struct lines *lines);

/* The viewer's own cards with their numbers; nothing for a spectator. */
void game_tell_hand(const struct game_view *view, const struct words *words, struct lines *lines);

/* The cards of others that the view holds. */
void game_tell_open_hand(const struct game_view *view, const struct words *words, uint8_t seat,
                         struct lines *lines);

/* What is asked of the viewer and what can be typed, with why other cards will not do; whom one
 * waits for when it is not the viewer's turn. */
void game_tell_turn(const struct game_view *view, const struct words *words, struct lines *lines);

/* How the points of a round came about, a line each player. */
void game_tell_score(const struct score_row *row, const struct game_view *view,
                     const struct words *words, struct lines *lines);

/* All of it. */
void game_tell_all(const struct game_view *view, const struct words *words, struct lines *lines);

/* For the parts of a telling: its first line without the full stop; whom a line is about, at its
 * beginning; a card of some hand as far as it is known, its marks in words; the names of those
 * seats; the marks beside a player, nothing when there are none. */
void game_tell_put_head(const struct game_view *view, const struct words *words, struct text *out);
void game_tell_put_name(const struct words *words, uint8_t seat, struct text *out);
void game_tell_put_slot(const struct words *words, const struct view_slot *slot, struct text *out);
void game_tell_put_seats(const struct words *words, uint8_t seats, struct text *out);
void game_tell_put_badges(const struct game_view *view, const struct words *words, uint8_t seat,
                          struct text *out);
