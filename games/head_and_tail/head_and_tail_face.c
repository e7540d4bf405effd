#include "games/head_and_tail/head_and_tail.h"

#include "games/card.h"
#include "games/face.h"
#include "games/history.h"

#include <stddef.h>

static void tell_deal(const struct game_view *now, struct story *story)
{
    story_add(story,
              PHRASE_OWN(N_("{0} deals"), N_("You deal"), arg_of_seat(head_and_tail_dealer(now))));
}

/* Tallies the round's tricks up to this one, without it if `is_before`. */
static struct head_and_tail_tally tally_tricks(const struct story_trick *trick, bool is_before)
{
    struct head_and_tail_tally tally = {.tricks = {0}};
    for (uint8_t i = 0; i < trick->number; i++) {
        head_and_tail_tally_add_trick_of_view(&tally, &trick->view->past[i]);
    }
    if (!is_before) {
        head_and_tail_tally_add_trick_of_view(&tally, trick->trick);
    }
    return tally;
}

/* Says what the betting cards of a seat's tricks would earn if the round ended now. */
static struct phrase describe_earnings_now(const struct head_and_tail_tally *tally,
                                           uint8_t seat_count, uint8_t seat)
{
    bool is_head = (head_and_tail_head_seats(tally, seat_count) >> seat & 1) != 0;
    bool is_tail = (head_and_tail_tail_seats(tally, seat_count) >> seat & 1) != 0;
    return phrase_without_args(is_head && is_tail ? N_("head and tail now: +3")
                               : is_head          ? N_("head now: +1")
                               : is_tail          ? N_("tail now: +2")
                                                  : N_("neither head nor tail now: 0"));
}

static void tell_bets_in_trick(const struct story_trick *trick,
                               const struct head_and_tail_tally *after, struct story *story)
{
    uint8_t winner = trick->trick->winner;
    struct phrase earnings = describe_earnings_now(after, trick->view->seats, winner);
    for (uint8_t i = 0; i < trick->trick->count; i++) {
        const struct view_play *play = &trick->trick->plays[i];
        if (!head_and_tail_is_betting_card(play->card)) {
            continue;
        }
        struct phrase words =
            PHRASE_OWN(N_("{0} keeps the BET ({2})"), N_("You keep your BET ({2})"),
                       arg_of_seat(play->seat), arg_of_seat(winner));
        if (play->seat != winner) {
            words.format = N_("{0}'s BET goes to {1} ({2})");
            words.own = N_("Your BET goes to {1} ({2})");
            words.own_other = N_("{0}'s BET goes to you ({2})");
        }
        phrase_put_inner(&words, 2, &earnings);
        struct story_line *line = story_add(story, words);
        if (play->seat != winner) {
            line->great = (struct phrase){
                .format = N_("{0}'s BET goes to {1}"),
                .own = N_("Your BET goes to {1}"),
                .own_other = N_("{0}'s BET goes to you"),
                .args = {arg_of_seat(play->seat), arg_of_seat(winner)},
            };
        }
    }
}

/* Tells who would be head and tail now, if that has changed. */
static void tell_taking(const struct story_trick *trick, struct story *story)
{
    uint8_t seats = trick->view->seats;
    struct head_and_tail_tally before = tally_tricks(trick, true);
    struct head_and_tail_tally after = tally_tricks(trick, false);
    uint8_t heads = head_and_tail_head_seats(&after, seats);
    uint8_t tails = head_and_tail_tail_seats(&after, seats);
    tell_bets_in_trick(trick, &after, story);
    if (trick->number + 1 < trick->view->slot_count[0] &&
        (trick->number == 0 || heads != head_and_tail_head_seats(&before, seats) ||
         tails != head_and_tail_tail_seats(&before, seats))) {
        story_add(story, PHRASE(N_("Head so far: {0}; tail so far: {1}"), arg_of_seats(heads),
                                arg_of_seats(tails)));
    }
}

/* The number of seats with as many tricks as this one. */
static uint8_t count_seats_with_equal_tricks(const struct head_and_tail_tally *tally,
                                             uint8_t seat_count, uint8_t seat)
{
    uint8_t count = 0;
    for (uint8_t i = 0; i < seat_count; i++) {
        count = (uint8_t)(count + (tally->tricks[i] == tally->tricks[seat]));
    }
    return count;
}

static void tell_head_and_tail(const struct head_and_tail_tally *tally, uint8_t seat_count,
                               struct story *story)
{
    uint8_t heads = head_and_tail_head_seats(tally, seat_count);
    uint8_t tails = head_and_tail_tail_seats(tally, seat_count);
    uint8_t head = bits_index_of_lowest(heads);
    uint8_t tail = bits_index_of_lowest(tails);
    bool is_head_tied = count_seats_with_equal_tricks(tally, seat_count, head) > bits_count(heads);
    bool is_tail_tied = count_seats_with_equal_tricks(tally, seat_count, tail) > bits_count(tails);
    struct story_line *line = story_add(
        story,
        PHRASE(is_head_tied
                   ? N_("Head: {0}, most tricks, {1}, and the largest sum of high ranks, {2}")
                   : N_("Head: {0}, most tricks, {1}"),
               arg_of_seats(heads), arg_of_number(tally->tricks[head]),
               arg_of_number(tally->highs[head])));
    line->great = PHRASE(N_("head: {0}"), arg_of_seats(heads));
    line = story_add(
        story,
        PHRASE(is_tail_tied
                   ? N_("Tail: {0}, fewest tricks, {1}, and the smallest sum of low ranks, {2}")
                   : N_("Tail: {0}, fewest tricks, {1}"),
               arg_of_seats(tails), arg_of_number(tally->tricks[tail]),
               arg_of_number(tally->lows[tail])));
    line->great = PHRASE(N_("head: {0}, tail: {1}"), arg_of_seats(heads), arg_of_seats(tails));
}

static void tell_results(const struct story_trick *last, UNUSED const struct game_view *now,
                         struct story *story)
{
    struct head_and_tail_tally tally = tally_tricks(last, false);
    uint8_t seat_count = last->view->seats;
    int16_t parts[SCORE_PARTS_MAX][SEATS_MAX];
    tell_head_and_tail(&tally, seat_count, story);
    head_and_tail_fill_score_parts(&tally, seat_count, parts);
    for (uint8_t seat = 0; seat < seat_count; seat++) {
        struct phrase words = PHRASE_OWN(
            N_("{0} loses the bet: the BET is with neither head nor tail"),
            N_("You lose the bet: your BET is with neither head nor tail"), arg_of_seat(seat));
        if (parts[HEAD_AND_TAIL_PART_BET_ON_HEAD][seat] != 0) {
            words.format = N_("{0} wins the bet: the BET is with the head");
            words.own = N_("You win the bet: your BET is with the head");
        } else if (parts[HEAD_AND_TAIL_PART_BET_ON_TAIL][seat] != 0) {
            words.format = N_("{0} wins the bet: the BET is with the tail");
            words.own = N_("You win the bet: your BET is with the tail");
        }
        story_add(story, words);
    }
}

static const struct game_story head_and_tail_story = {
    .begin = tell_deal,
    .take = tell_taking,
    .end = tell_results,
};

static void head_and_tail_explain_result(const struct game_view *view,
                                         const struct game_config *config, uint8_t winners,
                                         struct story *story)
{
    int limit = view->game->options[0].values[config->options[0]].number;
    unsigned seats = 0;
    story_add_highest_total(view, config, winners, story);
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        bool is_reached = view->scores[seat] >= limit || view->scores[seat] <= -limit;
        seats |= (unsigned)is_reached << seat;
    }
    if (seats != 0) {
        story_add(story,
                  PHRASE(N_("The game ends: the limit is {1} above or below 0, and {0} reached it"),
                         arg_of_seats((uint8_t)seats), arg_of_number(limit)));
    }
}

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
       "13, a betting card 1. Beside each player the table shows the sum of the high ranks and the "
       "sum of the low ranks so far, and who would be head and tail now."),
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
       "zero. The limit is 12 unless the table chose 6 or 18. The highest total wins; players with "
       "the same total share their rank."),
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
            return PHRASE(N_("BET to {0}"), arg_of_seat(taker));
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
        out[count++] = PHRASE(N_("high {0}"), arg_of_number(tally.highs[seat]));
        out[count++] = PHRASE(N_("low {0}"), arg_of_number(tally.lows[seat]));
    }
    out[count++] = describe_betting_card(view, seat, &tally);
    if (head_and_tail_dealer(view) == seat) {
        out[count++] = phrase_without_args(N_("dealer"));
    }
    return count;
}

static uint8_t fill_board(UNUSED const struct game_view *view, const struct game_config *config,
                          struct face_fact out[FACE_BOARD_MAX])
{
    if (config == NULL) {
        return 0;
    }
    int limit = head_and_tail_limit(config);
    out[0].label = N_("scoring");
    out[0].value = phrase_without_args(N_("head or tail -3, BET with head +1, with tail +2"));
    out[1].label = N_("ends at");
    out[1].value = PHRASE(N_("{0} or {1}"), arg_of_number(limit), arg_of_number(-limit));
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
    if (view->trick.count > 0 && led == SUIT_NONE) {
        return PHRASE(N_("{0}'s BET wins: play any card"), arg_of_seat(view->trick.plays[0].seat));
    }
    if (!viewer_holds_betting_card(view) ||
        (led != SUIT_NONE && face_count_suit_cards(view, led) == 0)) {
        return face_prompt_to_follow_suit(view, SUIT_NONE);
    }
    if (view->trick.count == 0) {
        return phrase_without_args(N_("Lead any card; your BET would win the trick"));
    }
    return PHRASE(N_("Follow {0} or play your BET"), arg_of_suit(led));
}

static struct phrase explain_refusal(const struct game_view *view, uint8_t move)
{
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
    struct phrase words = PHRASE(N_("neither head nor tail with {0} {0:trick|tricks}: 0"),
                                 arg_of_number(row->tricks[seat]));
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
    struct phrase words = PHRASE("{1}, {0}", arg_of_words(bet));
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
    return PHRASE(N_("highest {0}"), arg_of_suit(led));
}

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
     .matters = is_first_trick},
    {N_("Each player has one BET, a card without a suit: it wins if it is led, otherwise it always "
        "loses."),
     .matters = holds_bet},
    {N_("You took the trick, so you lead. There is no trump: the highest card of the suit led "
        "wins, and kings are the highest."),
     .matters = lesson_viewer_leads_after_trick},
    {N_("You must follow the suit led if you can; only your BET may be played instead."),
     .matters = follows_suit_with_bet},
    {N_("You have taken the most tricks by far: if you go on like this, you end as head."),
     .matters = is_far_ahead},
    {N_("A BET has fallen: its owner gets 1 point if the player who took it ends as head, 2 points "
        "if as tail."),
     .matters = has_bet_fallen},
    {N_("You have no card of the suit led, so you may play any card, but it cannot win."),
     .matters = lesson_viewer_cannot_follow},
    {N_("You have as many tricks as another player. Among equals, the largest sum \"high\" is "
        "head, the smallest sum \"low\" is tail."),
     .matters = is_level_with_another},
    {N_("Head and tail lost 3 points each; each BET in the head's tricks brought its owner 1 "
        "point, each in the tail's tricks 2."),
     .matters = lesson_round_is_over, .is_about_scores = true},
    {N_("The game ends when somebody has 6 points, above or below 0, and the most points win; q "
        "leaves."),
     .matters = lesson_round_is_over},
};

static const struct game_lesson head_and_tail_lesson = {
    .players = 3,
    .options = {1}, /* limit 6 */
    .seat = 2,
    .seed = {2},
    .moves = moves,
    .move_count = ARRAY_LEN(moves),
    .notes = notes,
    .note_count = ARRAY_LEN(notes),
};

const struct game_face head_and_tail_face = {
    .lesson = &head_and_tail_lesson,
    .pitch = N_("Take neither most tricks nor fewest, and bet on who will."),
    .pages = {head_and_tail_brief, head_and_tail_rules, head_and_tail_signs},
    .headline = fill_headline,
    .badges = fill_badges,
    .prompt = prompt_for_viewer,
    .refusal = explain_refusal,
    .point = face_card_in_slot,
    .explain = explain_points,
    .why_won = explain_trick_winner,
    .explain_result = head_and_tail_explain_result,
    .story = &head_and_tail_story,
    .board = fill_board,
    .expected_points = N_("Many points are good; the bot also weighs who wins the game."),
    .badges_tell_open_cards = true,
};
