#include "games/face.h"
#include "games/lesson.h"
#include "games/oh_hell/oh_hell.h"

#include <stddef.h>

/*
 * The lesson of Oh Hell: the player bids 2, takes a trick with a low trump and one with the ace
 * of trumps, and then has to lose the rest.
 */

static const struct lesson_move moves[] = {
    {2, "bid:1", NULL},
    {3, "bid:2", N_("the ace of trumps wins for sure, and without a heart the two can trump")},
    {0, "bid:1", NULL},
    {1, "bid:1", NULL},
    {2, "play:AS", NULL},
    {3, "play:TS", N_("the ace wins anyway, so lose a high spade under it")},
    {0, "play:7S", NULL},
    {1, "play:2S", NULL},
    {2, "play:9C", NULL},
    {3, "play:JC", N_("it is your only club")},
    {0, "play:AC", NULL},
    {1, "play:8H", NULL},
    {0, "play:2H", NULL},
    {1, "play:3H", NULL},
    {2, "play:6H", NULL},
    {3, "play:2D", N_("you have no heart, and any trump beats the hearts")},
    {3, "play:AD", N_("nobody can beat the ace of trumps")},
    {0, "play:8C", NULL},
    {1, "play:3D", NULL},
    {2, "play:9S", NULL},
    {3, "play:3S", N_("you have your two tricks, and the lowest card loses most easily")},
    {0, "play:4S", NULL},
    {1, "play:5D", NULL},
    {2, "play:3C", NULL},
    {1, "play:4H", NULL},
    {2, "play:4C", NULL},
    {3, "play:8S", N_("it is your last card, and a spade cannot win this trick")},
    {0, "play:TC", NULL},
};

static bool has_to_bid(const struct game_view *view)
{
    return view_viewer_may_move(view) && view->phase == OH_HELL_BID;
}

static bool follows_suit(const struct game_view *view)
{
    return lesson_viewer_follows(view) && face_count_suit_cards(view, face_suit_led(view)) > 0;
}

static bool cannot_follow(const struct game_view *view)
{
    return lesson_viewer_follows(view) && face_count_suit_cards(view, face_suit_led(view)) == 0;
}

static bool has_tricks_of_bid(const struct game_view *view)
{
    return (lesson_viewer_leads(view) || lesson_viewer_follows(view)) &&
           view->bids[view->seat] > 0 &&
           view->tricks[view->seat] == (uint8_t)view->bids[view->seat];
}

static const struct lesson_note notes[] = {
    {N_("First all say how many tricks they will take. To be exactly right pays 10 points."),
     has_to_bid},
    {N_("You hold the suit that was led, so you must follow it."), follows_suit},
    {N_("You have none of the suit led: throw any card away, or win with a trump."), cannot_follow},
    {N_("You have as many tricks as you bid: from now on you want to lose."), has_tricks_of_bid},
    {N_("You took the trick, so you lead. Any card may be led."), lesson_viewer_leads},
    {N_("That was a round. In the next ones the hands shrink to 1 card, then grow. q leaves "
        "whenever you like."),
     lesson_round_is_over},
};

const struct game_lesson oh_hell_lesson = {
    .players = 4,
    .options = {[OH_HELL_LENGTH] = 2}, /* short-up-down: six cards first */
    .seat = 3,
    .seed = {34},
    .moves = moves,
    .move_count = ARRAY_LEN(moves),
    .notes = notes,
    .note_count = ARRAY_LEN(notes),
};
