#include "games/head_and_tail/head_and_tail.h"

#include "games/card.h"
#include "games/face.h"

static void tell_deal(const struct game_view *now, struct story *story)
{
    int32_t dealer = fields_find_number(&now->info, "dealer", 0);
    story_add(story, (struct phrase){.format = N_("{0} deals"),
                                     .own = N_("You deal"),
                                     .args = {arg_of_seat((uint8_t)dealer)}});
}

static void add_trick_to_tally(const struct view_trick *trick, struct head_and_tail_tally *tally)
{
    uint8_t cards[SEATS_MAX];
    for (uint8_t i = 0; i < trick->count; i++) {
        cards[i] = trick->plays[i].card;
    }
    head_and_tail_tally_add_trick(tally, trick->winner, cards, trick->count);
}

/* Tallies the round's tricks up to this one, without it if `is_before`. */
static struct head_and_tail_tally tally_tricks(const struct story_trick *trick, bool is_before)
{
    struct head_and_tail_tally tally = {.tricks = {0}};
    for (uint8_t i = 0; i < trick->number; i++) {
        add_trick_to_tally(&trick->view->past[i], &tally);
    }
    if (!is_before) {
        add_trick_to_tally(trick->trick, &tally);
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
        struct phrase words = {
            .format = N_("{0} keeps the BET ({2})"),
            .own = N_("You keep your BET ({2})"),
            .args = {arg_of_seat(play->seat), arg_of_seat(winner)},
        };
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
        story_add(story, (struct phrase){.format = N_("Head so far: {0}; tail so far: {1}"),
                                         .args = {arg_of_seats(heads), arg_of_seats(tails)}});
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
        (struct phrase){
            .format =
                is_head_tied
                    ? N_("Head: {0}, most tricks, {1}, and the largest sum of high ranks, {2}")
                    : N_("Head: {0}, most tricks, {1}"),
            .args = {arg_of_seats(heads), arg_of_number(tally->tricks[head]),
                     arg_of_number(tally->highs[head])},
        });
    line->great = (struct phrase){.format = N_("head: {0}"), .args = {arg_of_seats(heads)}};
    line = story_add(
        story,
        (struct phrase){
            .format =
                is_tail_tied
                    ? N_("Tail: {0}, fewest tricks, {1}, and the smallest sum of low ranks, {2}")
                    : N_("Tail: {0}, fewest tricks, {1}"),
            .args = {arg_of_seats(tails), arg_of_number(tally->tricks[tail]),
                     arg_of_number(tally->lows[tail])},
        });
    line->great = (struct phrase){.format = N_("head: {0}, tail: {1}"),
                                  .args = {arg_of_seats(heads), arg_of_seats(tails)}};
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
        struct phrase words = {
            .format = N_("{0} loses the bet: the BET is with neither head nor tail"),
            .own = N_("You lose the bet: your BET is with neither head nor tail"),
            .args = {arg_of_seat(seat)},
        };
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

const struct game_story head_and_tail_story = {
    .begin = tell_deal,
    .take = tell_taking,
    .end = tell_results,
};

void head_and_tail_explain_result(const struct game_view *view, const struct game_config *config,
                                  uint8_t winners, struct story *story)
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
                  (struct phrase){
                      .format = N_("The game ends: the limit is {1} above or below 0, and {0} "
                                   "reached it"),
                      .args = {arg_of_seats((uint8_t)seats), arg_of_number(limit)},
                  });
    }
}
