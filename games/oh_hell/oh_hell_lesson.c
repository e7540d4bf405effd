#include "games/face.h"
#include "games/history.h"
#include "games/oh_hell/oh_hell.h"

#include <stddef.h>

/*
 * The lesson of Oh Hell: the player bids 2, takes a trick with a low trump and one with the ace
 * of trumps, and then loses the rest.
 */

static const struct lesson_move moves[] = {
    {2, "bid:1", NULL},
    {3, "bid:2",
     N_("the ace of diamonds is the highest trump; your other trump may win when hearts are led, "
        "since who has no heart may play a trump")},
    {0, "bid:1", NULL},
    {1, "bid:1", NULL},
    {2, "play:AS", NULL},
    {3, "play:TS",
     N_("the ace will most likely win, and later this ten might win a trick that you do not "
        "want")},
    {0, "play:7S", NULL},
    {1, "play:2S", NULL},
    {2, "play:9C", NULL},
    {3, "play:JC", N_("it is your only club, so you have no choice")},
    {0, "play:AC", NULL},
    {1, "play:8H", NULL},
    {0, "play:2H", NULL},
    {1, "play:3H", NULL},
    {2, "play:6H", NULL},
    {3, "play:2D", N_("a trump beats the three hearts, so this is your first trick")},
    {3, "play:AD", N_("nobody can beat the ace of trumps, so this is your second trick")},
    {0, "play:8C", NULL},
    {1, "play:3D", NULL},
    {2, "play:9S", NULL},
    {3, "play:3S", N_("your lowest card is the most likely to lose")},
    {0, "play:4S", NULL},
    {1, "play:5D", NULL},
    {2, "play:3C", NULL},
    {1, "play:4H", NULL},
    {2, "play:4C", NULL},
    {3, "play:8S", N_("it is your last card, and a spade cannot win a heart trick")},
    {0, "play:TC", NULL},
};

static bool hears_of_trump(const struct game_view *view)
{
    return view->phase == OH_HELL_BID && !view_viewer_may_move(view) && view->round == 1;
}

/* Whether all bids are made, and nobody has led yet. */
static bool sees_all_bids(const struct game_view *view)
{
    return view->phase == OH_HELL_PLAY && view->past_count == 0 && view->trick.count == 0;
}

static bool has_to_bid(const struct game_view *view)
{
    return lesson_viewer_acts_in(view, OH_HELL_BID);
}

static bool has_to_bid_last(const struct game_view *view)
{
    return has_to_bid(view) && fields_find_number(&view->info, "dealer", -1) == view->seat;
}

/* Whether the viewer cannot follow suit but holds a trump. */
static bool may_trump(const struct game_view *view)
{
    const struct field *turnup = fields_find(&view->info, "turnup");
    if (turnup == NULL || turnup->type != FIELD_TEXT || !lesson_viewer_cannot_follow(view)) {
        return false;
    }
    uint8_t trump = card_suit(view->game->deck, card_parse(view->game->deck, turnup->text));
    return face_count_suit_cards(view, trump) > 0;
}

static const struct lesson_note notes[] = {
    {N_("One card is turned up, and its suit is trump: any trump beats every card of the other "
        "suits."),
     hears_of_trump, false},
    {N_("You deal, so you bid last, and the bids of all may not add up to the number of tricks."),
     has_to_bid_last, false},
    {N_("First all say how many tricks they will take. Exactly right pays 10 points; each trick "
        "taken is 1 more point."),
     has_to_bid, false},
    {N_("The dealer bids last and may not make the bids add up to the number of tricks: so "
        "somebody always misses."),
     sees_all_bids, false},
    {N_("You hold the suit that was led, so you must follow it; the highest card of it wins, "
        "unless somebody plays a trump."),
     lesson_viewer_follows_suit, false},
    {N_("You have no card of the suit led, so you may play any card, also a trump."), may_trump,
     false},
    {N_("You have as many tricks as you bid: one more would cost you the 10 points."),
     lesson_viewer_has_bid_tricks, false},
    {N_("You took the trick, so you lead: you may lead any card."), lesson_viewer_leads_after_trick,
     false},
    {N_("Whoever took exactly the tricks of the bid got 10 points; every trick taken is 1 point, "
        "also after a wrong bid."),
     lesson_round_is_over, true},
    {N_("The hands now shrink to 1 card, then grow again, and the most points win; q leaves."),
     lesson_round_is_over, false},
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
