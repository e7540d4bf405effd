#include "games/face.h"
#include "games/lesson.h"
#include "games/suppose/suppose.h"

#include <stddef.h>

/*
 * The lesson of Suppose: the player sees a neighbour take not a single trick, as predicted.
 */

static const struct lesson_move moves[] = {
    {0, "arrange:yellow,red,green,blue",
     N_("the three cards that your neighbour sees are low then")},
    {0, "predict:0", N_("most of these cards are low")},
    {1, "arrange:blue,green,red,yellow", NULL},
    {1, "predict:11", NULL},
    {2, "arrange:yellow,blue,red,green", NULL},
    {2, "predict:0", NULL},
    {2, "play:8", NULL},
    {0, "play:7", N_("right of your red 2 there may be a higher red")},
    {1, "play:5", NULL},
    {0, "play:3", N_("an unknown card is good enough to find out who holds what")},
    {1, "play:10", NULL},
    {2, "play:3", NULL},
    {2, "play:6", NULL},
    {0, "play:10", N_("few green cards beat your 5")},
    {1, "play:1", NULL},
    {0, "play:9", N_("left of your green 5 there may be another high green")},
    {1, "play:8", NULL},
    {2, "play:7", NULL},
    {0, "play:0", N_("a yellow 2 rarely wins, so spend it now")},
    {1, "play:3", NULL},
    {2, "play:10", NULL},
    {2, "play:2", NULL},
    {0, "play:6",
     N_("a slot between a red 2 and a red 6 is red, so it is no loss in a blue trick")},
    {1, "play:4", NULL},
    {2, "play:4", NULL},
    {0, "play:5", N_("nothing beats a blue 6, so give away a low card")},
    {1, "play:2", NULL},
    {2, "play:1", NULL},
    {0, "play:4", N_("between a blue 1 and a red 2 may be a higher blue")},
    {1, "play:0", NULL},
    {2, "play:5", NULL},
    {0, "play:8", N_("both red 6s are in sight, so this slot is green and beats a 1")},
    {1, "play:9", NULL},
    {0, "play:2", N_("the right one of two yellow slots is not the lower one")},
    {1, "play:6", NULL},
    {2, "play:0", NULL},
    {0, "play:1", N_("it is the only card that you have left")},
    {1, "play:7", NULL},
    {2, "play:9", NULL},
};

static bool has_to_arrange(const struct game_view *view)
{
    return view_viewer_may_move(view) && view->phase == SUPPOSE_PREPARE &&
           suppose_read_colour_order(fields_find(&view->info, "arranged")) == SUPPOSE_NONE;
}

static bool has_to_predict(const struct game_view *view)
{
    return view_viewer_may_move(view) && view->phase == SUPPOSE_PREPARE && !has_to_arrange(view);
}

static bool knows_a_trick(const struct game_view *view)
{
    return lesson_viewer_follows(view) && view->past_count > 0;
}

static bool knows_three_tricks(const struct game_view *view)
{
    return (lesson_viewer_leads(view) || lesson_viewer_follows(view)) && view->past_count >= 3;
}

static const struct lesson_note notes[] = {
    {N_("These cards are for your left neighbour, who will see three of them. Choose the order of "
        "the colours."),
     has_to_arrange},
    {N_("Now guess your neighbour's tricks of the 11. One right guess pays 5 points, one of two "
        "pays 2."),
     has_to_predict},
    {N_("You see three of your cards, the others see the rest. Play any card: the highest of the "
        "colour led wins."),
     lesson_viewer_follows},
    {N_("You took the trick, so you lead. Only cards of your colour can win it."),
     lesson_viewer_leads},
    {N_("Within a colour the cards rise from left to right, so a card that you see tells about "
        "those beside it."),
     knows_a_trick},
    {N_("Each trick is a point. Whoever arranged your hand hopes that you take as many as they "
        "guessed."),
     knows_three_tricks},
    {N_("That was a round of three. The board shows what all had guessed. q leaves whenever you "
        "like."),
     lesson_round_is_over},
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
