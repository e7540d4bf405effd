#include "games/face.h"
#include "games/heckin_hounds/heckin_hounds.h"
#include "games/history.h"

#include <stddef.h>

/*
 * The lesson of Heckin' Hounds: the player gets clues and Cerberus, bids 2 and takes exactly 2
 * tricks. In the second round the player is the shift leader.
 */

static const struct lesson_move moves[] = {
    {2, "bad:tom-dire", NULL},
    {2, "clue:0:value:4", NULL},
    {2, "clue:0:slot:2", NULL},
    {2, "clue:0:slot:4", NULL},
    {2, "clue:1:value:3", NULL},
    {2, "clue:1:slot:0", NULL},
    {2, "clue:1:slot:3", NULL},
    {2, "cerberus:0", NULL},
    {0, "discard:4", N_("of the two cards that you know, Evil Molly is the weaker")},
    {2, "trade:0", NULL},
    {0, "trade:pass", N_("you would not know the new card either, so there is nothing to gain")},
    {1, "trade:4", NULL},
    {2, "bid:2", NULL},
    {0, "bid:2",
     N_("Cerberus wins a trick for certain, and only Deathpaw and Paulgrave beat "
        "Sudachi 4")},
    {1, "bid:0", NULL},
    {2, "play:0", NULL},
    {0, "play:2", N_("the only player after you has no card that beats it, so it wins")},
    {1, "play:0", NULL},
    {0, "play:0", N_("Cerberus will be your second trick, so let the others beat an unknown card")},
    {1, "play:3", NULL},
    {2, "play:1", NULL},
    {2, "play:2", NULL},
    {0, "play:1", N_("hardly any card beats a Deathpaw, so here an unknown card should lose")},
    {1, "play:2", NULL},
    {2, "play:3", NULL},
    {0, "play:4", N_("your unknown card might win this weak trick too, so let Cerberus win it")},
    {1, "play:4", NULL},
    {0, "play:3", N_("it is your last card")},
    {1, "play:1", NULL},
    {2, "play:4", NULL},
};

/* Whether another player is the shift leader, so that the viewer does not see all cards. */
static bool is_led_by_another(const struct game_view *view)
{
    return fields_find_number(&view->info, "leader", view->seat) != view->seat;
}

static bool acts_as_leader_in(const struct game_view *view, uint8_t phase)
{
    return lesson_viewer_acts_in(view, phase) && !is_led_by_another(view);
}

static bool waits_for_bad_dog(const struct game_view *view)
{
    return view->phase == HOUNDS_BAD && is_led_by_another(view);
}

static bool waits_for_clues(const struct game_view *view)
{
    return view->phase == HOUNDS_CLUE && is_led_by_another(view);
}

/* Whether the viewer knows of a clue while others get more. */
static bool sees_clue(const struct game_view *view)
{
    const struct field *clues = fields_find(&view->info, "clues");
    return waits_for_clues(view) && clues != NULL && clues->span > 0;
}

static bool has_to_discard(const struct game_view *view)
{
    return lesson_viewer_acts_in(view, HOUNDS_DISCARD);
}

static bool has_to_trade(const struct game_view *view)
{
    return lesson_viewer_acts_in(view, HOUNDS_TRADE);
}

static bool has_to_bid(const struct game_view *view)
{
    return lesson_viewer_acts_in(view, HOUNDS_BID);
}

/* Whether the viewer leads after a trick and holds a card that the viewer does not know. */
static bool leads_with_unknown_card(const struct game_view *view)
{
    bool is_unknown = false;
    for (uint8_t slot = 0; slot < HOUNDS_SLOTS && view->seat >= 0; slot++) {
        const struct view_slot *own = &view->hands[view->seat][slot];
        is_unknown |= !own->is_empty && own->card == CARD_NONE;
    }
    return is_unknown && lesson_viewer_leads_after_trick(view);
}

static bool leads_and_has_to_name_bad_dog(const struct game_view *view)
{
    return acts_as_leader_in(view, HOUNDS_BAD);
}

static bool has_to_give_first_clue(const struct game_view *view)
{
    return acts_as_leader_in(view, HOUNDS_CLUE);
}

static bool has_to_give_further_clue(const struct game_view *view)
{
    const struct field *clues = fields_find(&view->info, "clues");
    return has_to_give_first_clue(view) && clues != NULL && clues->span > 0;
}

static bool has_to_give_cerberus(const struct game_view *view)
{
    return acts_as_leader_in(view, HOUNDS_CERBERUS);
}

static bool leads_and_has_to_trade(const struct game_view *view)
{
    return acts_as_leader_in(view, HOUNDS_TRADE);
}

static bool leads_and_has_to_bid(const struct game_view *view)
{
    return acts_as_leader_in(view, HOUNDS_BID);
}

static const struct lesson_note notes[] = {
    {N_("The shift leader sees all cards. You see the hands of the others, but neither your own "
        "nor the shift leader's."),
     waits_for_bad_dog, false},
    {N_("A bad dog is named: each card of it in your tricks is 1 badness, and the lower badness "
        "wins a tie."),
     waits_for_clues, false},
    {N_("Clues are true: each points at all cards of one hound or of one number, or tells a "
        "single card wholly."),
     sees_clue, false},
    {N_("You are given Cerberus, which beats every hound: choose the card that you drop for it."),
     has_to_discard, false},
    {N_("A swap takes a card unseen from the dead hand; after the swaps you see all hands again."),
     leads_and_has_to_trade, false},
    {N_("You may swap a card, unseen, for one of the dead hand: the cards that nobody holds."),
     has_to_trade, false},
    {N_("You see every hand, so work out which of the five tricks you can win, and bid these."),
     leads_and_has_to_bid, false},
    {N_("Each trick missing from your bid is -1, each too many +1; the lowest total of 0 or more "
        "wins."),
     has_to_bid, false},
    {N_("You need not follow suit: play any card. The stronger hound wins, of the same hound the "
        "higher number."),
     lesson_viewer_follows, false},
    {N_("You took the trick, so you lead: any card will do, also one that you do not know."),
     leads_with_unknown_card, false},
    {N_("You have as many tricks as you bid: one more would be one too many."),
     lesson_viewer_has_bid_tricks, false},
    {N_("A right bid was worth 0 points, each trick too many +1, each missing one -1. Everyone is "
        "shift leader once."),
     lesson_round_is_over, true},
    {N_("Now you are the shift leader and see all cards. Name a bad dog that others will have to "
        "take; q leaves."),
     leads_and_has_to_name_bad_dog, false},
    {N_("A clue must be true and tell something new, but it need not help its player much."),
     has_to_give_further_clue, false},
    {N_("Now give each of the others three clues about their cards, with which they will bid."),
     has_to_give_first_clue, false},
    {N_("Give Cerberus to any player, also to yourself: it wins its holder one trick for certain."),
     has_to_give_cerberus, false},
};

const struct game_lesson hounds_lesson = {
    .players = 3,
    .seat = 0,
    .seed = {3},
    .moves = moves,
    .move_count = ARRAY_LEN(moves),
    .notes = notes,
    .note_count = ARRAY_LEN(notes),
};
