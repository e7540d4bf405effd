#pragma once

#include "daemon/screens/drawing/lines.h"
#include "daemon/screens/drawing/words.h"
#include "games/game.h"
#include "games/story.h"

/*
 * Describes a game in lines, live or in a replay, from the view alone. The code is the same for all
 * games, and prints nothing that the view does not contain.
 */

/* Prints the headline, such as "Some Game, round 4 of 19, 7 cards, trump hearts (TH)", then the
 * game's board: the open cards and facts beside the hands. */
void game_print_headline(const struct game_view *view, const struct words *words,
                         struct lines *lines);

/* Prints each player's bid, tricks, score and marks. A player's open cards are printed as a line of
 * their own. */
void game_print_seats(const struct game_view *view, const struct words *words, struct lines *lines);

/* Prints the round, what holds for the whole table, and the viewer's own bid, tricks and score. */
void game_print_standing(const struct game_view *view, const struct words *words,
                         struct lines *lines);

/* Prints the cards of the current trick; nothing if it is empty. */
void game_print_trick(const struct game_view *view, const struct words *words, struct lines *lines);

/* Prints the viewer's own cards with their numbers; nothing for a spectator. */
void game_print_hand(const struct game_view *view, const struct words *words, struct lines *lines);

/* During the viewer's turn, prints what the viewer must do and can type, and why other cards are
 * not allowed. Otherwise prints whom the table waits for. */
void game_print_turn(const struct game_view *view, const struct words *words, struct lines *lines);

/* Prints the lines of a story from number `first` to before number `end`, each with a full stop. */
void game_print_story_lines(const struct story *story, uint8_t first, uint8_t end,
                            const struct words *words, struct lines *lines);

/* Prints all hands that the later view shows, if cards were dealt or passed on since the earlier
 * view. */
void game_print_new_hands(const struct game_view *before, const struct game_view *now,
                          const struct words *words, struct lines *lines);

/* Prints how the points of a round came about, one line per player, beginning with the viewer. */
void game_print_score(const struct score_row *row, const struct game_view *view,
                      const struct words *words, struct lines *lines);

/* Prints the whole description of a game: the lines of all functions above. */
void game_print_all(const struct game_view *view, const struct words *words, struct lines *lines);

/* These functions append a part of the description to `out` and return all of `out`.
 * write_name: the name of the player at a seat, "You" for the viewer. write_hand_card: what is
 * known about the card in a slot (a place of a hand), and the card's marks in words. */
const char *game_print_write_name(const struct words *words, uint8_t seat, struct text *out);
const char *game_print_write_hand_card(const struct words *words, const struct view_slot *slot,
                                       struct text *out);
