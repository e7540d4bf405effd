#include "games/face.h"
#include "games/head_and_tail/head_and_tail.h"
#include "games/lesson.h"

#include <stddef.h>

/*
 * The lesson of Head & Tail: the player stays in the middle and plays the BET to a trick of the
 * player who ends as tail.
 */

static const struct lesson_move moves[] = {
    {1, "play:TD", NULL},
    {2, "play:JD", N_("you need a few tricks, and only the queen and the king beat it")},
    {0, "play:6D", NULL},
    {2, "play:5C", N_("a low card gives the lead away")},
    {0, "play:8C", NULL},
    {1, "play:7C", NULL},
    {0, "play:TH", NULL},
    {1, "play:6H", NULL},
    {2, "play:KH", N_("nothing beats a king, since the aces are BETs")},
    {2, "play:QH", N_("the king of hearts is gone, so the queen is the highest")},
    {0, "play:9H", NULL},
    {1, "play:JH", NULL},
    {2, "play:5D", N_("you have three tricks, so give the lead away")},
    {0, "play:8D", NULL},
    {1, "play:AH", NULL},
    {0, "play:8H", NULL},
    {1, "play:KC", NULL},
    {2, "play:KS", N_("you have no heart, so get rid of your highest spade")},
    {0, "play:8S", NULL},
    {1, "play:QS", NULL},
    {2, "play:9S", N_("the queen wins anyway, so lose a high spade under it")},
    {1, "play:JS", NULL},
    {2, "play:6S", N_("the jack wins anyway, so lose the next spade")},
    {0, "play:AS", NULL},
    {1, "play:7S", NULL},
    {2, "play:AD", N_("if you stay in the middle, whoever takes this trick ends as head or tail")},
    {0, "play:TS", NULL},
    {0, "play:9C", NULL},
    {1, "play:TC", NULL},
    {2, "play:QC", N_("one more trick keeps you in the middle")},
    {2, "play:7D", N_("a low card gives the lead away")},
    {0, "play:9D", NULL},
    {1, "play:QD", NULL},
    {1, "play:KD", NULL},
    {2, "play:5S", N_("you cannot win this trick, so throw the spade away")},
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
    return face_viewer_holds(view, (uint8_t)(HEAD_AND_TAIL_BETS + view->seat));
}

static bool follows_suit(const struct game_view *view)
{
    return lesson_viewer_follows(view) && face_count_suit_cards(view, face_suit_led(view)) > 0;
}

static bool cannot_follow(const struct game_view *view)
{
    return lesson_viewer_follows(view) && face_count_suit_cards(view, face_suit_led(view)) == 0;
}

static bool is_ahead(const struct game_view *view)
{
    bool is_ahead = has_to_play(view) && view->past_count >= 3;
    for (uint8_t seat = 0; is_ahead && seat < view->seats; seat++) {
        is_ahead = seat == (uint8_t)view->seat || view->tricks[seat] < view->tricks[view->seat];
    }
    return is_ahead;
}

static bool holds_bet_late(const struct game_view *view)
{
    return has_to_play(view) && view->past_count >= 4 && holds_bet(view);
}

static bool has_played_bet(const struct game_view *view)
{
    return has_to_play(view) && !holds_bet(view);
}

static const struct lesson_note notes[] = {
    {N_("Take neither the most tricks nor the fewest: head and tail each lose 3 points."),
     lesson_viewer_follows},
    {N_("You took the trick, so you lead. There is no trump: only the suit led can win."),
     lesson_viewer_leads},
    {N_("Follow the suit led if you hold it. Only your BET may be played instead."), follows_suit},
    {N_("You have the most tricks now: lose some, or you end as head."), is_ahead},
    {N_("Your BET loses unless you lead it. It pays if the head or the tail takes it."),
     holds_bet_late},
    {N_("You cannot follow: throw any card away."), cannot_follow},
    {N_("Your BET is out: it pays if whoever took it ends as head or tail."), has_played_bet},
    {N_("That was a round. The game ends at 6 points above or below 0. q leaves whenever you "
        "like."),
     lesson_round_is_over},
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
