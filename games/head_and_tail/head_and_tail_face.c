#include "games/face.h"
#include "games/head_and_tail/head_and_tail.h"

#include <stddef.h>

static const char *const head_and_tail_brief[] = {
    N_("Take neither the most tricks nor the fewest; bet on who will."),
    "",
    N_("Cards   King high. Everyone also holds a betting card, shown as BET: its\n"
       "        rank is 1, it has no suit, and all know whose it is."),
    N_("Play    The player left of the dealer leads. Follow the suit led if you\n        can, else "
       "play anything. The highest card of the suit led wins; no\n        trumps. The winner leads "
       "the next trick."),
    N_("BET     Play it at any time, even if you could follow. Led, it wins the\n"
       "        trick and the others play what they like; otherwise it loses."),
    N_("Head    Most tricks; if tied, the largest sum of each trick's highest rank."),
    N_("Tail    Fewest tricks; if tied, the smallest sum of each trick's lowest\n        rank. "
       "Players who are still tied are all heads, or all tails."),
    N_("Score   Head -3, tail -3. Your BET among a head's tricks +1, a tail's +2,\n"
       "        your own tricks included."),
    N_("End     After the round in which somebody reaches the limit\n        above or below 0. The "
       "highest total wins."),
    NULL,
};

static const char *const head_and_tail_rules[] = {
    N_("# What it is about"),
    N_("Three to six players. Whoever takes the most tricks in a round is its head, whoever takes "
       "the fewest is its tail, and both lose points. So you want to end somewhere in the middle, "
       "and to get your betting card into the tricks of the head or the tail."),
    N_("# The cards"),
    N_("Four suits, king high, no aces among them. Four and six players use 2 to king, five "
       "players 4 to king, three players 5 to king. All cards are dealt: 12 each with three or "
       "four players, 8 each with five or six. In addition everyone has a betting card of their "
       "own, the same all game; it is the last card of the hand and lies open until it is played, "
       "so all can see who still has theirs."),
    N_("# Playing"),
    N_("The first dealer is drawn by lot and the deal passes to the left. The player to the "
       "dealer's left leads any card. Clockwise, everyone plays one card: of the suit led if they "
       "have one, otherwise any. There are no trumps; the highest card of the suit led takes the "
       "trick, and its player leads the next."),
    N_("A betting card is of no suit. You may play it whenever it is your turn, also when you "
       "could follow, and holding it never makes you follow anything. If you lead it, it wins the "
       "trick, and the others may play whatever they like. If somebody else led, it cannot win."),
    N_("# Taken tricks"),
    N_("Of every trick taken, its highest and its lowest rank stay known: jack 11, queen 12, king "
       "13, a betting card 1. Beside each player the table shows the sum of the high ranks and "
       "the sum of the low ranks so far, and who would be head and tail now."),
    N_("# Head and tail"),
    N_("The player who took the most tricks is head. If players tie, add up the highest rank of "
       "each of their tricks: the largest sum is head. If the sums are equal too, all of them are "
       "head. The player who took the fewest tricks is tail. If players tie, add up the lowest "
       "rank of each of their tricks: the smallest sum is tail. If the sums are equal too, all of "
       "them are tail. Players without any trick are all tail."),
    N_("# Scoring"),
    N_("Each head and each tail loses 3 points. If your betting card lies among the tricks of a "
       "head, you gain 1 point, among those of a tail 2 points. Whose tricks those are does not "
       "matter: your own count as well."),
    N_("The game ends after a round in which some total has reached the limit, above or below "
       "zero. "
       "The limit is 12 unless the table chose 6 or 18. The highest total wins; players with the "
       "same total share their rank."),
    NULL,
};

static const char *const head_and_tail_signs[] = {
    N_("head now      would be head if the round ended now: most tricks so far"),
    N_("tail now      would be tail: fewest tricks so far"),
    N_("high 36       the sum of the highest ranks: the largest is head if tied"),
    N_("low 12        the sum of the lowest ranks: the smallest is tail if tied"),
    N_("holds BET     has not played the betting card yet"),
    N_("BET in this trick  has just played the betting card: it lies on the table"),
    N_("BET to ada    this player's betting card lies among ada's tricks"),
    N_("dealer        dealt the cards of this round"),
    NULL,
};

static uint8_t fill_headline(const struct game_view *view, struct phrase out[FACE_HEADLINE_MAX])
{
    out[0] = face_count_tricks(view, view->slot_count[0]);
    return 1;
}

static bool trick_has_card(const struct view_trick *trick, uint8_t card)
{
    for (uint8_t i = 0; i < trick->count; i++) {
        if (trick->plays[i].card == card) {
            return true;
        }
    }
    return false;
}

/* Says where the seat's betting card is: still held, in the trick, or among whose tricks. */
static struct phrase describe_betting_card(const struct game_view *view, uint8_t seat,
                                           const struct head_and_tail_tally *tally)
{
    for (uint8_t taker = 0; taker < view->seats; taker++) {
        if ((tally->bets[taker] >> seat & 1) != 0) {
            return (struct phrase){.format = N_("BET to {0}"), .args = {arg_of_seat(taker)}};
        }
    }
    return phrase_without_args(trick_has_card(&view->trick, (uint8_t)(HEAD_AND_TAIL_BETS + seat))
                                   ? N_("BET in this trick")
                                   : N_("holds BET"));
}

/* Fills in the badges shown beside a player: head or tail by the tricks so far, the sums of the
 * high and the low ranks, where the betting card is, and the dealer's mark. */
static uint8_t fill_badges(const struct game_view *view, uint8_t seat,
                           struct phrase out[FACE_BADGES_MAX])
{
    uint8_t count = 0;
    struct head_and_tail_tally tally;
    head_and_tail_tally_from_view(view, &tally);
    bool is_open = view->past_count > 0 && view->phase != PHASE_OVER;
    bool is_head = is_open && (head_and_tail_head_seats(&tally, view->seats) >> seat & 1) != 0;
    bool is_tail = is_open && (head_and_tail_tail_seats(&tally, view->seats) >> seat & 1) != 0;
    if (is_head || is_tail) {
        out[count++] = phrase_without_args(!is_tail   ? N_("head now")
                                           : !is_head ? N_("tail now")
                                                      : N_("head and tail now"));
    }
    if (tally.tricks[seat] > 0) {
        out[count++] =
            (struct phrase){.format = N_("high {0}"), .args = {arg_of_number(tally.highs[seat])}};
        out[count++] =
            (struct phrase){.format = N_("low {0}"), .args = {arg_of_number(tally.lows[seat])}};
    }
    out[count++] = describe_betting_card(view, seat, &tally);
    if (fields_find_number(&view->info, "dealer", -1) == seat) {
        out[count++] = phrase_without_args(N_("dealer"));
    }
    return count;
}

static uint8_t fill_terms(const struct game_config *config, struct face_fact out[FACE_TERMS_MAX])
{
    int limit = head_and_tail_limit(config);
    out[0].label = N_("scoring");
    out[0].value = phrase_without_args(N_("head or tail -3, BET with head +1, with tail +2"));
    out[1].label = N_("ends at");
    out[1].value = (struct phrase){
        .format = N_("{0} or {1}"),
        .args = {arg_of_number(limit), arg_of_number(-limit)},
    };
    return 2;
}

/* Whether the viewer still holds their own betting card. */
static bool viewer_holds_betting_card(const struct game_view *view)
{
    return view->seat >= 0 && face_viewer_holds(view, (uint8_t)(HEAD_AND_TAIL_BETS + view->seat));
}

static struct phrase prompt_for_viewer(const struct game_view *view)
{
    uint8_t led = face_suit_led(view);
    if (!view_viewer_may_move(view)) {
        return phrase_absent();
    }
    if (view->trick.count > 0 && led == SUIT_NONE) {
        return (struct phrase){
            .format = N_("{0}'s BET wins: play any card"),
            .args = {arg_of_seat(view->trick.plays[0].seat)},
        };
    }
    if (!viewer_holds_betting_card(view) ||
        (led != SUIT_NONE && face_count_suit_cards(view, led) == 0)) {
        return face_prompt_to_follow_suit(view, SUIT_NONE);
    }
    if (view->trick.count == 0) {
        return phrase_without_args(N_("Lead any card; your BET would win the trick"));
    }
    return (struct phrase){.format = N_("Follow {0} or play your BET"), .args = {arg_of_suit(led)}};
}

static struct phrase label_move(UNUSED const struct game_view *view, uint8_t move)
{
    return (struct phrase){.format = "{0}", .args = {arg_of_card(move)}};
}

static struct phrase explain_refusal(const struct game_view *view, uint8_t move)
{
    if (move_set_has(&view->legal, move)) {
        return phrase_absent();
    }
    if (!view_viewer_may_move(view)) {
        return face_explain_wrong_turn(view);
    }
    struct phrase words = face_explain_illegal_card(view, move);
    if (face_viewer_holds(view, move) && viewer_holds_betting_card(view)) {
        words.format = N_("must follow {0} (you have {1} of them) or play your BET");
    }
    return words;
}

/* Whether another player took as many tricks as this head or tail and yet is none, because the sum
 * of ranks decided. */
static bool was_decided_by_sum(const struct score_row *row, enum head_and_tail_part part,
                               uint8_t seat)
{
    for (uint8_t other = 0; other < SEATS_MAX; other++) {
        bool is_none = row->parts[part][other] == 0;
        if (is_none && row->tricks[other] == row->tricks[seat] && row->tricks[seat] > 0) {
            return true;
        }
    }
    return false;
}

static struct phrase explain_place(const struct score_row *row, uint8_t seat)
{
    struct phrase words = {
        .format = N_("neither head nor tail with {0} {0:trick|tricks}: 0"),
        .args = {arg_of_number(row->tricks[seat])},
    };
    bool is_head = row->parts[HEAD_AND_TAIL_PART_HEAD][seat] != 0;
    bool is_tail = row->parts[HEAD_AND_TAIL_PART_TAIL][seat] != 0;
    if (is_head && is_tail) {
        words.format = N_("head and tail with {0} {0:trick|tricks}: -6");
    } else if (is_head) {
        words.format = was_decided_by_sum(row, HEAD_AND_TAIL_PART_HEAD, seat)
                           ? N_("head with {0} {0:trick|tricks} and the largest high sum: -3")
                           : N_("head with {0} {0:trick|tricks}: -3");
    } else if (is_tail) {
        words.format = was_decided_by_sum(row, HEAD_AND_TAIL_PART_TAIL, seat)
                           ? N_("tail with {0} {0:trick|tricks} and the smallest low sum: -3")
                           : N_("tail with {0} {0:trick|tricks}: -3");
    }
    return words;
}

static struct phrase explain_points(const struct score_row *row, uint8_t seat)
{
    const char *bet = N_("BET with neither: 0");
    bool is_with_head = row->parts[HEAD_AND_TAIL_PART_BET_ON_HEAD][seat] != 0;
    bool is_with_tail = row->parts[HEAD_AND_TAIL_PART_BET_ON_TAIL][seat] != 0;
    if (is_with_head && is_with_tail) {
        bet = N_("BET with a head that is tail too: +3");
    } else if (is_with_head) {
        bet = N_("BET with the head: +1");
    } else if (is_with_tail) {
        bet = N_("BET with the tail: +2");
    }
    struct phrase place = explain_place(row, seat);
    struct phrase words = {.format = "{1}, {0}", .args = {arg_of_words(bet)}};
    phrase_put_inner(&words, 1, &place);
    return words;
}

static struct phrase explain_trick_winner(UNUSED const struct game_view *view,
                                          const struct view_trick *trick)
{
    uint8_t led = card_suit(&head_and_tail_deck, trick->plays[0].card);
    if (led == SUIT_NONE) {
        return phrase_without_args(N_("a BET was led"));
    }
    return (struct phrase){.format = N_("highest {0}"), .args = {arg_of_suit(led)}};
}

const struct game_face head_and_tail_face = {
    .lesson = &head_and_tail_lesson,
    .pitch = N_("Take neither most tricks nor fewest, and bet on who will."),
    .brief = head_and_tail_brief,
    .rules = head_and_tail_rules,
    .headline = fill_headline,
    .badges = fill_badges,
    .prompt = prompt_for_viewer,
    .label = label_move,
    .refusal = explain_refusal,
    .point = face_card_in_slot,
    .explain = explain_points,
    .why_won = explain_trick_winner,
    .explain_result = head_and_tail_explain_result,
    .story = &head_and_tail_story,
    .terms = fill_terms,
    .signs = head_and_tail_signs,
    .expected_points = N_("Many points are good; the bot also weighs who wins the game."),
    .badges_tell_open_cards = true,
};
