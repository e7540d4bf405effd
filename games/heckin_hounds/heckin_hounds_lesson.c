#include "games/face.h"
#include "games/heckin_hounds/heckin_hounds.h"
#include "games/lesson.h"

#include <stddef.h>

/*
 * The lesson of Heckin' Hounds: the player gets clues and Cerberus, bids 2 and takes exactly 2
 * tricks. In the second round the player is the shift leader.
 */

static const struct lesson_move moves[] = {
    {2, "bad:mops", NULL},
    {2, "clue:0:value:4", NULL},
    {2, "clue:0:slot:2", NULL},
    {2, "clue:0:slot:4", NULL},
    {2, "clue:1:value:3", NULL},
    {2, "clue:1:slot:0", NULL},
    {2, "clue:1:slot:3", NULL},
    {2, "cerberus:0", NULL},
    {0, "discard:4", N_("of the dogs you know of, Evil Molly is the weakest")},
    {2, "trade:0", NULL},
    {0, "trade:pass", N_("the dead hand is full of mops, the weakest dogs")},
    {1, "trade:4", NULL},
    {2, "bid:2", NULL},
    {0, "bid:2", N_("Cerberus wins one trick, and a Sudachi 4 may win another")},
    {1, "bid:0", NULL},
    {2, "play:0", NULL},
    {0, "play:4", N_("nothing beats Cerberus, so the first trick is yours")},
    {1, "play:1", NULL},
    {0, "play:0", N_("you know nothing about this card, so try it")},
    {1, "play:3", NULL},
    {2, "play:1", NULL},
    {2, "play:2", NULL},
    {0, "play:1", N_("try another unknown card and keep your Sudachi 4")},
    {1, "play:2", NULL},
    {2, "play:3", NULL},
    {0, "play:2", N_("Sudachi 4 beats what was led and makes your second trick")},
    {1, "play:0", NULL},
    {0, "play:3", N_("it is your last card")},
    {1, "play:4", NULL},
    {2, "play:4", NULL},
};

static bool acts_in_phase(const struct game_view *view, enum hounds_phase phase)
{
    return view_viewer_may_move(view) && view->phase == phase;
}

static bool has_to_discard(const struct game_view *view)
{
    return acts_in_phase(view, HOUNDS_DISCARD);
}

static bool has_to_trade(const struct game_view *view)
{
    return acts_in_phase(view, HOUNDS_TRADE);
}

static bool has_to_bid(const struct game_view *view)
{
    return acts_in_phase(view, HOUNDS_BID);
}

static bool has_tricks_of_bid(const struct game_view *view)
{
    return acts_in_phase(view, HOUNDS_PLAY) &&
           view->tricks[view->seat] == (uint8_t)view->bids[view->seat];
}

static bool has_to_name_bad_dog(const struct game_view *view)
{
    return acts_in_phase(view, HOUNDS_BAD);
}

static bool has_to_give_clue(const struct game_view *view)
{
    return acts_in_phase(view, HOUNDS_CLUE);
}

static const struct lesson_note notes[] = {
    {N_("The others see your cards, you do not; clues stand on them. You get Cerberus, who beats "
        "all: drop a card for him."),
     has_to_discard},
    {N_("You may swap one card blindly with a card that nobody holds, or pass."), has_to_trade},
    {N_("Bid your tricks of five. Each one missing is -1, each one too many +1; the lowest total "
        "of 0 or more wins."),
     has_to_bid},
    {N_("Nobody follows suit here: play any card. The stronger dog wins, then the higher number."),
     lesson_viewer_follows},
    {N_("You lead, with any card you like. You may also play cards that you do not know."),
     lesson_viewer_leads},
    {N_("You have as many tricks as you bid: from now on you want to lose."), has_tricks_of_bid},
    {N_("You are the shift leader of this round: you see all cards and name the bad dog."),
     has_to_name_bad_dog},
    {N_("Give each of the others three clues: point at a card, then choose what you tell. q leaves "
        "whenever you like."),
     has_to_give_clue},
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
