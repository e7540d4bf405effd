#include "games/face.h"
#include "games/head_and_tail/head_and_tail.h"
#include "games/history.h"

#include <stddef.h>

/*
 * The lesson of Head & Tail: the player stays in the middle and plays the BET to a trick of the
 * player who ends as tail.
 */

static const struct lesson_move moves[] = {
    {1, "play:TD", NULL},
    {2, "play:JD", N_("only the queen and the king of diamonds beat it, and you need some tricks")},
    {0, "play:6D", NULL},
    {2, "play:5C", N_("fives are the lowest cards, so others win, and you keep your high cards")},
    {0, "play:8C", NULL},
    {1, "play:7C", NULL},
    {0, "play:TH", NULL},
    {1, "play:6H", NULL},
    {2, "play:KH", N_("you play last and win with it, and then your queen is the highest heart")},
    {2, "play:QH", N_("the king of hearts is gone, so the queen wins your third trick")},
    {0, "play:9H", NULL},
    {1, "play:JH", NULL},
    {2, "play:5D", N_("it is the lowest diamond, so it gives the lead away")},
    {0, "play:8D", NULL},
    {1, "play:AH", NULL},
    {0, "play:8H", NULL},
    {1, "play:KC", NULL},
    {2, "play:KS", N_("later this king might win you a trick too many")},
    {0, "play:8S", NULL},
    {1, "play:QS", NULL},
    {2, "play:9S", N_("the queen wins anyway, and the lower spades are safer to keep")},
    {1, "play:JS", NULL},
    {2, "play:6S", N_("the jack wins anyway, and the five is safer to keep")},
    {0, "play:AS", NULL},
    {1, "play:7S", NULL},
    {2, "play:AD",
     N_("you are three players: if you stay in the middle, both others are head and tail, so your "
        "BET pays")},
    {0, "play:TS", NULL},
    {0, "play:9C", NULL},
    {1, "play:TC", NULL},
    {2, "play:QC", N_("with only three tricks you might end as tail")},
    {2, "play:7D", N_("three higher diamonds are still out, so it cannot win")},
    {0, "play:9D", NULL},
    {1, "play:QD", NULL},
    {1, "play:KD", NULL},
    {2, "play:5S", N_("neither of your last two cards can win any more, so either will do")},
    {0, "play:5H", NULL},
    {1, "play:JC", NULL},
    {2, "play:6C", N_("it is your last card")},
    {0, "play:7H", NULL},
};

static bool has_to_play(const struct game_view *view)
{
    return lesson_viewer_leads(view) || lesson_viewer_follows(view);
}

static bool holds_bet(const struct game_view *view)
{
    return has_to_play(view) && face_viewer_holds(view, (uint8_t)(HEAD_AND_TAIL_BETS + view->seat));
}

static bool follows_suit_with_bet(const struct game_view *view)
{
    return lesson_viewer_follows_suit(view) && holds_bet(view);
}

static bool is_first_trick(const struct game_view *view)
{
    return view->round == 1 && view->past_count == 0;
}

/* Whether the viewer has at least `lead` tricks more than every other player. */
static bool is_ahead_by(const struct game_view *view, uint8_t lead)
{
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        if (seat != (uint8_t)view->seat && view->tricks[seat] + lead > view->tricks[view->seat]) {
            return false;
        }
    }
    return true;
}

static bool is_far_ahead(const struct game_view *view)
{
    return has_to_play(view) && is_ahead_by(view, 2);
}

static bool trick_has_bet(const struct view_trick *trick)
{
    bool has_bet = false;
    for (uint8_t i = 0; i < trick->count; i++) {
        has_bet |= trick->plays[i].card >= HEAD_AND_TAIL_BETS;
    }
    return has_bet;
}

/* Whether somebody has taken a BET that another player led or threw in. */
static bool has_bet_fallen(const struct game_view *view)
{
    bool has_fallen = false;
    for (uint8_t trick = 0; trick < view->past_count; trick++) {
        has_fallen |= trick_has_bet(&view->past[trick]);
    }
    return has_fallen;
}

static bool is_level_with_another(const struct game_view *view)
{
    bool is_level = false;
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        is_level |= seat != (uint8_t)view->seat && view->tricks[seat] == view->tricks[view->seat];
    }
    return is_level && has_to_play(view) && view->past_count >= 4;
}

static const struct lesson_note notes[] = {
    {N_("Whoever takes the most tricks is head, whoever takes the fewest is tail, and each loses 3 "
        "points. So aim for about 4 of the 13 tricks."),
     is_first_trick, false},
    {N_("Each player has one BET, a card without a suit: it wins if it is led, otherwise it always "
        "loses."),
     holds_bet, false},
    {N_("You took the trick, so you lead. There is no trump: the highest card of the suit led "
        "wins, and kings are the highest."),
     lesson_viewer_leads_after_trick, false},
    {N_("You must follow the suit led if you can; only your BET may be played instead."),
     follows_suit_with_bet, false},
    {N_("You have taken the most tricks by far: if you go on like this, you end as head."),
     is_far_ahead, false},
    {N_("A BET has fallen: its owner gets 1 point if the player who took it ends as head, 2 points "
        "if as tail."),
     has_bet_fallen, false},
    {N_("You have no card of the suit led, so you may play any card, but it cannot win."),
     lesson_viewer_cannot_follow, false},
    {N_("You have as many tricks as another player. Among equals, the largest sum \"high\" is "
        "head, "
        "the smallest sum \"low\" is tail."),
     is_level_with_another, false},
    {N_("Head and tail lost 3 points each; each BET in the head's tricks brought its owner 1 "
        "point, each in the tail's tricks 2."),
     lesson_round_is_over, true},
    {N_("The game ends when somebody has 6 points, above or below 0, and the most points win; q "
        "leaves."),
     lesson_round_is_over, false},
};

const struct game_lesson head_and_tail_lesson = {
    .players = 3,
    .options = {1}, /* limit 6 */
    .seat = 2,
    .seed = {2},
    .moves = moves,
    .move_count = ARRAY_LEN(moves),
    .notes = notes,
    .note_count = ARRAY_LEN(notes),
};
