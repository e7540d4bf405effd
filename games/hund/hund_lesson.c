#include "games/face.h"
#include "games/hund/hund.h"
#include "games/lesson.h"

#include <stddef.h>

/*
 * The lesson of HUND: the player's own cards make purple trump and green minus, and a trump kept to
 * the end takes the last trick.
 */

static const struct lesson_move moves[] = {
    {2, "play:purple-5", NULL},
    {0, "play:purple-1", N_("you hold more purple, so make it trump")},
    {1, "play:purple-4", NULL},
    {2, "play:pink-6", NULL},
    {0, "play:pink-2", N_("the 6 wins anyway, so keep your high pinks")},
    {1, "play:pink-1", NULL},
    {2, "play:yellow-3", NULL},
    {0, "play:yellow-2", N_("you must follow, and it is your only yellow")},
    {1, "play:yellow-1", NULL},
    {2, "play:purple-6", NULL},
    {0, "play:purple-2", N_("the purple 6 is the highest trump, so keep the 3 for later")},
    {1, "play:grey-2", NULL},
    {2, "play:green-2", NULL},
    {0, "play:green-1", N_("it is your only green, and it makes green minus")},
    {1, "play:grey-1", NULL},
    {2, "play:green-3", NULL},
    {0, "play:grey-4", N_("a trump would win you the minus cards, so throw a grey away")},
    {1, "play:grey-3", NULL},
    {2, "play:green-4", NULL},
    {0, "play:grey-5", N_("throw the other grey away too and keep your last trump")},
    {1, "play:grey-6", NULL},
    {2, "play:green-5", NULL},
    {0, "play:pink-4", N_("the trick has minus cards, so it is still better to lose it")},
    {1, "play:yellow-4", NULL},
    {2, "play:green-6", NULL},
    {0, "play:pink-5", N_("keep your last trump for the last trick")},
    {1, "play:yellow-5", NULL},
    {2, "play:yellow-6", NULL},
    {0, "play:purple-3", N_("your trump takes the last trick, with any plus card in it")},
    {1, "play:pink-3", NULL},
};

/* Whether at least `count` suits have got a role, and the viewer has to play a card. */
static bool knows_roles(const struct game_view *view, unsigned count)
{
    const struct field *roles = fields_find(&view->info, "designated");
    unsigned known = 0;
    if (roles == NULL || !(lesson_viewer_leads(view) || lesson_viewer_follows(view))) {
        return false;
    }
    for (const struct field *at = field_first_member(roles); at != NULL;
         at = field_next_member(roles, at)) {
        known++;
    }
    return known >= count;
}

static bool follows_before_designations(const struct game_view *view)
{
    return lesson_viewer_follows(view) && !knows_roles(view, 1);
}

static bool knows_trump(const struct game_view *view)
{
    return knows_roles(view, 1);
}

static bool knows_plus(const struct game_view *view)
{
    return knows_roles(view, 2);
}

static bool knows_hund(const struct game_view *view)
{
    return knows_roles(view, 3);
}

static bool knows_minus(const struct game_view *view)
{
    return knows_roles(view, 4);
}

static bool cannot_follow(const struct game_view *view)
{
    return knows_roles(view, 1) && view->trick.count > 0 &&
           face_count_suit_cards(view, face_suit_led(view)) == 0;
}

static const struct lesson_note notes[] = {
    {N_("This round is about the 1s: the first makes its suit trump, the next ones plus, hund and "
        "minus."),
     follows_before_designations},
    {N_("Trump is known now: it beats all other suits, but you must follow suit if you can."),
     knows_trump},
    {N_("Plus is known now: each of its cards in your tricks is a point."), knows_plus},
    {N_("Hund is known now: 3 points if you take neither the most nor the fewest of its cards."),
     knows_hund},
    {N_("Minus is known now: each of its cards in your tricks costs a point."), knows_minus},
    {N_("You cannot follow: win with a trump, or throw any card away."), cannot_follow},
    {N_("That was a round of five. In each, another number decides. q leaves whenever you like."),
     lesson_round_is_over},
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
