#include "games/face.h"
#include "games/history.h"
#include "games/hund/hund.h"

#include <stddef.h>

/*
 * The lesson of HUND: the player's own cards make purple trump and green minus, and a trump kept to
 * the end takes the last trick.
 */

static const struct lesson_move moves[] = {
    {2, "play:purple-5", NULL},
    {0, "play:purple-1", N_("you hold three purple cards, so purple is a good trump for you")},
    {1, "play:purple-4", NULL},
    {2, "play:pink-6", NULL},
    {0, "play:pink-2", N_("the 6 wins anyway, so play your lowest pink")},
    {1, "play:pink-1", NULL},
    {2, "play:yellow-3", NULL},
    {0, "play:yellow-2", N_("it is your only yellow card, so you have no choice")},
    {1, "play:yellow-1", NULL},
    {2, "play:purple-6", NULL},
    {0, "play:purple-2", N_("nothing beats the purple 6, so keep your higher trump")},
    {1, "play:grey-2", NULL},
    {2, "play:green-2", NULL},
    {0, "play:green-1", N_("it is your only green card, and as the fourth 1 it makes green minus")},
    {1, "play:grey-1", NULL},
    {2, "play:green-3", NULL},
    {0, "play:grey-4", N_("your trump would win a minus card, and grey cards are worth no points")},
    {1, "play:grey-3", NULL},
    {2, "play:green-4", NULL},
    {0, "play:grey-5",
     N_("again your trump would win a minus card, so throw the other grey card away too")},
    {1, "play:grey-6", NULL},
    {2, "play:green-5", NULL},
    {0, "play:pink-4",
     N_("you give a plus card away, but your only trump is for a trick without minus")},
    {1, "play:yellow-4", NULL},
    {2, "play:green-6", NULL},
    {0, "play:pink-5",
     N_("you give a plus card away again, but your trump wins the last trick, without minus")},
    {1, "play:yellow-5", NULL},
    {2, "play:yellow-6", NULL},
    {0, "play:purple-3",
     N_("your trump wins, and one hund card is neither the most nor the fewest")},
    {1, "play:pink-3", NULL},
};

/* Whether at least `count` suits have got a role in this round. */
static bool knows_roles(const struct game_view *view, unsigned count)
{
    struct hund_board board;
    hund_board_read_view(view, &board);
    return view->phase == HUND_PLAY && board.count >= count;
}

static bool is_before_designations(const struct game_view *view)
{
    return view->round == 1 && !knows_roles(view, 1);
}

static bool knows_trump(const struct game_view *view)
{
    return knows_roles(view, HUND_TRUMP + 1);
}

static bool knows_plus(const struct game_view *view)
{
    return knows_roles(view, HUND_PLUS + 1);
}

static bool knows_hund(const struct game_view *view)
{
    return knows_roles(view, HUND_HUND + 1);
}

static bool knows_minus(const struct game_view *view)
{
    return knows_roles(view, HUND_MINUS + 1);
}

/* Whether the viewer cannot follow suit but holds a trump. */
static bool may_trump(const struct game_view *view)
{
    struct hund_board board;
    hund_board_read_view(view, &board);
    return lesson_viewer_cannot_follow(view) && board.count > HUND_TRUMP &&
           face_count_suit_cards(view, board.roles[HUND_TRUMP]) > 0;
}

static const struct lesson_note notes[] = {
    {N_("In this round the 1s decide: the suit of the first 1 becomes trump, the next ones plus, "
        "hund and minus; the last suit is lead."),
     is_before_designations, false},
    {N_("Trump is known now: it beats all other suits, but you must follow suit if you can."),
     knows_trump, false},
    {N_("Plus is known now: each of its cards in the tricks that you take is 1 point."), knows_plus,
     false},
    {N_("Hund is known now: whoever takes neither the most nor the fewest of its cards gets 3 "
        "points."),
     knows_hund, false},
    {N_("Minus is known now: each of its cards in the tricks that you take costs 1 point."),
     knows_minus, false},
    {N_("The last suit is lead: whoever takes the most of its cards chooses who begins the next "
        "round."),
     knows_minus, false},
    {N_("You have no card of the suit led, so you may play any card, also a trump."), may_trump,
     false},
    {N_("Each plus card taken was 1 point, each minus card -1; hund paid 3 for neither the most "
        "nor the fewest of its cards."),
     lesson_round_is_over, true},
    {N_("In each of the 5 rounds another number decides the roles, and the most points win; q "
        "leaves."),
     lesson_round_is_over, false},
};

const struct game_lesson hund_lesson = {
    .players = 3,
    .seat = 0,
    .seed = {4},
    .moves = moves,
    .move_count = ARRAY_LEN(moves),
    .notes = notes,
    .note_count = ARRAY_LEN(notes),
};
