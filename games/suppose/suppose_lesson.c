#include "games/face.h"
#include "games/history.h"
#include "games/suppose/suppose.h"

#include <stddef.h>

/*
 * The lesson of Suppose: the player takes six tricks and sees the left neighbour take none, as
 * predicted.
 */

static const struct lesson_move moves[] = {
    {0, "arrange:yellow,red,green,blue",
     N_("the cards lie so already, and your neighbour will see only a 1 and two 3s, so they "
        "can hardly play a high card on purpose")},
    {0, "predict:0",
     N_("11 tricks for 3 players are almost 4 each, but this hand has only two cards above 4 "
        "(usual are four or five), and your neighbour sees neither")},
    {1, "arrange:blue,green,red,yellow", NULL},
    {1, "predict:11", NULL},
    {2, "arrange:yellow,blue,red,green", NULL},
    {2, "predict:0", NULL},
    {2, "play:8", NULL},
    {0, "play:7",
     N_("the reds rise to the right of your red 2, so card 8, if it is red too, is at least as "
        "high as card 7")},
    {1, "play:5", NULL},
    {0, "play:10", N_("no green card above 4 is in sight, so your 5 should win")},
    {1, "play:7", NULL},
    {2, "play:6", NULL},
    {0, "play:9", N_("it lay left of your green 5, so it may be another high green")},
    {1, "play:8", NULL},
    {2, "play:7", NULL},
    {0, "play:2", N_("right of your yellow 2 there may be a high yellow")},
    {1, "play:0", NULL},
    {2, "play:9", NULL},
    {0, "play:0", N_("a 2 hardly ever wins, so lose it, and keep the cards that may win")},
    {1, "play:3", NULL},
    {2, "play:10", NULL},
    {2, "play:2", NULL},
    {0, "play:5", N_("a red card cannot win a blue trick, and a 2 is no loss")},
    {1, "play:4", NULL},
    {2, "play:3", NULL},
    {0, "play:6",
     N_("nothing beats a blue 6 that is led, and this card lay between two reds, so it is red")},
    {1, "play:9", NULL},
    {2, "play:4", NULL},
    {0, "play:4",
     N_("nothing beats a blue 6 that is led, and if this card is red, it is no higher than 2")},
    {1, "play:10", NULL},
    {2, "play:1", NULL},
    {0, "play:3", N_("none of your cards so far was blue, so this one may be")},
    {1, "play:1", NULL},
    {2, "play:5", NULL},
    {0, "play:8", N_("it lay beside your green cards, so it may be green and beat the 1")},
    {1, "play:2", NULL},
    {0, "play:1", N_("it is your last card")},
    {1, "play:6", NULL},
    {2, "play:0", NULL},
};

static bool has_to_arrange(const struct game_view *view)
{
    return lesson_viewer_acts_in(view, SUPPOSE_PREPARE) &&
           suppose_read_colour_order(fields_find(&view->info, "arranged")) == SUPPOSE_NONE;
}

static bool has_to_predict(const struct game_view *view)
{
    return lesson_viewer_acts_in(view, SUPPOSE_PREPARE) && !has_to_arrange(view);
}

static bool gets_own_hand(const struct game_view *view)
{
    return view->phase == SUPPOSE_PLAY && view->past_count == 0 && view->trick.count == 0;
}

static bool knows_three_tricks(const struct game_view *view)
{
    return lesson_viewer_leads_after_trick(view) && view->past_count >= 3;
}

static const struct lesson_note notes[] = {
    {N_("These cards are for your left neighbour, who will see three of them. Choose the order of "
        "the colours."),
     has_to_arrange, false},
    {N_("Now guess your neighbour's tricks of the 11: one number pays 5 points if it is right. "
        "Name two if you waver: they pay 2."),
     has_to_predict, false},
    {N_("This is your own hand, arranged by your right neighbour: you see three of its cards, the "
        "others see the rest."),
     gets_own_hand, false},
    {N_("Play any card: the highest of the colour led wins. Each colour lies together and rises "
        "from left to right."),
     lesson_viewer_follows, false},
    {N_("You took the trick, so you lead: only cards of the colour that you lead can win."),
     lesson_viewer_leads_after_trick, false},
    {N_("Each trick is 1 point. Your right neighbour hopes that you take exactly as many as they "
        "guessed."),
     knows_three_tricks, false},
    {N_("Each trick was 1 point; a right guess about the left neighbour's tricks was 5 more, one "
        "of two guesses 2 more."),
     lesson_round_is_over, true},
    {N_("In each of the 3 rounds you arrange a new hand, and the most points win; q leaves."),
     lesson_round_is_over, false},
};

const struct game_lesson suppose_lesson = {
    .players = 3,
    .seat = 0,
    .seed = {3},
    .moves = moves,
    .move_count = ARRAY_LEN(moves),
    .notes = notes,
    .note_count = ARRAY_LEN(notes),
};
