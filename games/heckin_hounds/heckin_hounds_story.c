#include "games/heckin_hounds/heckin_hounds.h"

#include "games/card.h"
#include "games/face.h"

static void tell_leader(const struct game_view *now, struct story *story)
{
    int32_t leader = fields_find_number(&now->info, "leader", 0);
    story_add(story, (struct phrase){.format = N_("{0} is the shift leader"),
                                     .own = N_("You are the shift leader"),
                                     .args = {arg_of_seat((uint8_t)leader)}});
}

static void tell_bad_dog(const struct hounds_known *known, struct story *story)
{
    struct phrase_arg hound = arg_of_suit(known->bad_dog);
    struct story_line *line =
        story_add(story, (struct phrase){.format = N_("{0} names the bad dog: {1}"),
                                         .own = N_("You name the bad dog: {1}"),
                                         .args = {arg_of_seat(known->leader), hound}});
    line->great = (struct phrase){.format = N_("The bad dog: {0}"), .args = {hound}};
}

/* Tells a clue. In views that do not tell past facts, what a clue about a single card told can no
 * longer be seen when another card has taken the card's slot, or the card was played. */
static void tell_clue(const struct game_view *now, const struct hounds_known *known,
                      const struct hounds_clue *clue, struct story *story)
{
    struct phrase words = {
        .format = N_("{0} clues {1}: {1}'s {2}s are cards {3}"),
        .own = N_("You clue {1}: {1}'s {2}s are cards {3}"),
        .own_other = N_("{0} clues you: your {2}s are cards {3}"),
        .args = {arg_of_seat(known->leader), arg_of_seat(clue->to)},
    };
    words.args[3] = arg_of_slots(clue->slots);
    if (clue->clue_subject < HOUNDS_SUBJECT_VALUE) {
        words.args[2] = arg_of_suit(clue->clue_subject);
        words.format = N_("{0} clues {1}: {1}'s {2} cards are {3}");
        words.own = N_("You clue {1}: {1}'s {2} cards are {3}");
        words.own_other = N_("{0} clues you: your {2} cards are {3}");
    } else if (clue->clue_subject < HOUNDS_SUBJECT_SLOT) {
        words.args[2] = arg_of_number(clue->clue_subject - HOUNDS_SUBJECT_VALUE + 1);
    } else {
        const struct view_slot *slot =
            &now->hands[clue->to][clue->clue_subject - HOUNDS_SUBJECT_SLOT];
        bool is_told = clue->card != CARD_NONE;
        bool is_there = is_told || (!slot->is_empty && slot->suit != SUIT_NONE && slot->value != 0);
        words.args[2] =
            is_there ? arg_of_card(is_told ? clue->card : slot->card) : (struct phrase_arg){0};
        words.format =
            is_there ? N_("{0} clues {1}: card {3} is {2}") : N_("{0} clues {1}: card {3}");
        words.own = is_there ? N_("You clue {1}: card {3} is {2}") : N_("You clue {1}: card {3}");
        words.own_other =
            is_there ? N_("{0} clues you: card {3} is {2}") : N_("{0} clues you: card {3}");
    }
    story_add(story, words);
}

static void tell_giving_of_cerberus(uint8_t leader, uint8_t to, struct story *story)
{
    struct phrase words = {
        .format = N_("{0} keeps Cerberus"),
        .own = N_("You keep Cerberus"),
        .args = {arg_of_seat(leader)},
    };
    if (to != leader) {
        words.format = N_("{0} gives Cerberus to {1}");
        words.own = N_("You give Cerberus to {1}");
        words.own_other = N_("{0} gives you Cerberus");
        words.args[1] = arg_of_seat(to);
    }
    story_add(story, words)->great = words;
}

static void tell_drop_for_cerberus(const struct hounds_known *known, struct story *story)
{
    struct phrase words = {
        .format = N_("{0} drops card {1} for Cerberus"),
        .own = N_("You drop card {1} for Cerberus"),
        .args = {arg_of_seat(known->cerberus_seat), arg_of_number(known->cerberus_slot + 1)},
    };
    struct phrase great = {.format = N_("Cerberus is card {1} of {0}"),
                           .own = N_("Cerberus is your card {1}"),
                           .args = {words.args[0], words.args[1]}};
    if (known->discarded != CARD_NONE) {
        words.format = N_("{0} drops card {1} for Cerberus: {2}");
        words.own = N_("You drop card {1} for Cerberus: {2}");
        words.args[2] = arg_of_card(known->discarded);
        great = (struct phrase){.format = N_("Cerberus replaces {0}"), .args = {words.args[2]}};
    }
    story_add(story, words)->great = great;
}

/* `given` is the card given; CARD_NONE when the viewer does not know it. */
static void tell_trade(uint8_t seat, uint8_t choice, uint8_t given, struct story *story)
{
    struct phrase words = {
        .format = N_("{0} keeps all cards"),
        .own = N_("You keep all cards"),
        .args = {arg_of_seat(seat)},
    };
    if (choice != HOUNDS_TRADE_PASS) {
        words.format = N_("{0} trades card {1} with the dead hand");
        words.own = N_("You trade card {1} with the dead hand");
        words.args[1] = arg_of_number(choice + 1);
    }
    if (given != CARD_NONE) {
        words.format = N_("{0} trades card {1} with the dead hand: {2}");
        words.own = N_("You trade card {1} with the dead hand: {2}");
        words.args[2] = arg_of_card(given);
    }
    story_add(story, words);
}

/* After the last trade, tells the traded-in cards that the viewer sees. */
static void tell_cards_from_dead_hand(const struct game_view *now, const struct hounds_known *known,
                                      struct story *story)
{
    for (uint8_t i = 0; i < now->seats; i++) {
        uint8_t seat = (uint8_t)((known->leader + i) % now->seats);
        uint8_t slot = known->trades[seat];
        if (slot >= HOUNDS_SLOTS || now->hands[seat][slot].is_empty ||
            now->hands[seat][slot].card == CARD_NONE) {
            continue;
        }
        struct phrase words = {
            .format = N_("From the dead hand {0} has {2}, as card {1}"),
            .own = N_("From the dead hand you have {2}, as card {1}"),
            .args = {arg_of_seat(seat), arg_of_number(slot + 1),
                     arg_of_card(now->hands[seat][slot].card)},
        };
        story_add(story, words);
    }
}

/* After the last trade, tells who sees the traded-in cards from now on. */
static void tell_end_of_trading(const struct game_view *now, const struct hounds_known *known,
                                struct story *story)
{
    bool was_traded = false;
    for (uint8_t seat = 0; seat < now->seats; seat++) {
        was_traded |= known->trades[seat] < HOUNDS_SLOTS;
    }
    if (!was_traded) {
        return;
    }
    bool is_leader = now->seat == (int)known->leader;
    struct phrase words = {
        .format = is_leader ? N_("Traded cards are shown: as shift leader you see them all")
                  : now->seat == SPECTATOR
                      ? N_("Traded cards are shown to the players")
                      : N_("Traded cards are shown; yours and the shift leader's stay hidden"),
    };
    story_add(story, words)->great = phrase_without_args(N_("Traded cards are shown"));
}

/* The phases are told in their order. `was` has the empty facts of a round that has just begun if
 * the earlier view tells nothing. */
static void tell_shift(const struct game_view *before, const struct game_view *now,
                       struct story *story)
{
    struct hounds_known was;
    struct hounds_known is;
    bool is_new = !hounds_read_view(before, &was);
    if (!hounds_read_view(now, &is)) {
        return;
    }
    uint8_t clue_count = is_new ? 0 : was.clue_count;
    uint8_t trade_count = is_new ? 0 : was.trade_count;
    uint8_t before_phase = is_new ? HOUNDS_BAD : before->phase;
    if (before_phase == HOUNDS_BAD && is.bad_dog != SUIT_NONE) {
        tell_bad_dog(&is, story);
    }
    for (; clue_count < is.clue_count; clue_count++) {
        tell_clue(now, &is, &is.clues[clue_count], story);
    }
    if (before_phase <= HOUNDS_CERBERUS && now->phase == HOUNDS_DISCARD && now->to_act != 0) {
        tell_giving_of_cerberus(is.leader, bits_index_of_lowest(now->to_act), story);
    } else if (before_phase <= HOUNDS_CERBERUS && is.cerberus_seat != HOUNDS_SEAT_NONE) {
        tell_giving_of_cerberus(is.leader, is.cerberus_seat, story);
    }
    if (before_phase <= HOUNDS_DISCARD && is.cerberus_seat != HOUNDS_SEAT_NONE) {
        tell_drop_for_cerberus(&is, story);
    }
    for (uint8_t i = trade_count; i < is.trade_count; i++) {
        uint8_t seat = (uint8_t)((is.leader + i) % now->seats);
        tell_trade(seat, is.trades[seat], is.given[seat], story);
    }
    if (before_phase <= HOUNDS_TRADE && now->phase > HOUNDS_TRADE) {
        tell_end_of_trading(now, &is, story);
        tell_cards_from_dead_hand(now, &is, story);
    }
}

static void tell_bad_dogs(const struct story_trick *trick, struct story *story)
{
    struct hounds_known known;
    uint16_t values = 0;
    if (!hounds_read_view(trick->view, &known)) {
        return;
    }
    for (uint8_t i = 0; i < trick->trick->count; i++) {
        uint8_t card = trick->trick->plays[i].card;
        bool is_bad = card_suit(&hounds_deck, card) == known.bad_dog;
        values = (uint16_t)(values | is_bad << card % HOUNDS_VALUES);
    }
    if (values != 0) {
        /* a list of values is written in the same way as a list of slots */
        story_add(story,
                  (struct phrase){
                      .format = N_("{0} takes {1} bad {1:dog|dogs} ({2} {3}): badness +{1}"),
                      .own = N_("You take {1} bad {1:dog|dogs} ({2} {3}): badness +{1}"),
                      .args = {arg_of_seat(trick->trick->winner), arg_of_number(bits_count(values)),
                               arg_of_suit(known.bad_dog), arg_of_slots(values)},
                  });
    }
}

const struct game_story hounds_story = {
    .begin = tell_leader,
    .prepare = tell_shift,
    .take = tell_bad_dogs,
};

/* Of the seats with totals of 0 or more, returns the best of those that are not in `winners`:
 * lowest total, then least badness. */
static uint8_t find_next_best_seats(const struct game_view *view, const struct hounds_known *known,
                                    uint8_t winners)
{
    unsigned best_seats = 0;
    int best = INT32_MAX;
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        int key = view->scores[seat] * 1000 + known->badness[seat];
        if ((winners >> seat & 1) != 0 || view->scores[seat] < 0 || key > best) {
            continue;
        }
        best_seats = key < best ? 0 : best_seats;
        best_seats |= 1U << seat;
        best = key;
    }
    return (uint8_t)best_seats;
}

static struct phrase explain_single_winner(const struct game_view *view,
                                           const struct hounds_known *known, uint8_t winner,
                                           uint8_t next)
{
    struct phrase words = {
        .format = N_("{0} wins: the only total that is not negative, {1}"),
        .own = N_("You win: the only total that is not negative, {1}"),
        .args = {arg_of_seat(winner), arg_of_number(view->scores[winner])},
    };
    uint8_t other = next == 0 ? winner : bits_index_of_lowest(next);
    if (next != 0) {
        words.args[2] = arg_of_seats(next);
        words.args[3] = arg_of_number(view->scores[other]);
        words.format = N_("{0} wins: lowest total that is not negative, {1} (next: {2} {3})");
        words.own = N_("You win: lowest total that is not negative, {1} (next: {2} {3})");
    }
    if (next != 0 && view->scores[other] == view->scores[winner]) {
        words.args[4] = arg_of_number(known->badness[winner]);
        words.args[5] = arg_of_number(known->badness[other]);
        words.format =
            N_("{0} wins: lowest total that is not negative ({1}, badness {4}; {2} {3}, badness "
               "{5})");
        words.own =
            N_("You win: lowest total that is not negative ({1}, badness {4}; {2} {3}, badness "
               "{5})");
    }
    return words;
}

/* Names the seats with the winners' total that only their badness keeps from winning, except those
 * already told. */
static void tell_seats_with_more_badness(const struct game_view *view,
                                         const struct hounds_known *known, int16_t total,
                                         uint8_t told, struct story *story)
{
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        if ((told >> seat & 1) == 0 && view->scores[seat] == total) {
            story_add(story, (struct phrase){
                                 .format = N_("{0} has the same total, {1}, but badness {2}"),
                                 .own = N_("You have the same total, {1}, but badness {2}"),
                                 .args = {arg_of_seat(seat), arg_of_number(total),
                                          arg_of_number(known->badness[seat])},
                             });
        }
    }
}

void hounds_explain_result(const struct game_view *view, UNUSED const struct game_config *config,
                           uint8_t winners, struct story *story)
{
    struct hounds_known known;
    if (winners == 0 || !hounds_read_view(view, &known)) {
        story_add(story, phrase_without_args(N_("Nobody wins: every total is negative")));
        return;
    }
    uint8_t first = bits_index_of_lowest(winners);
    uint8_t told = winners;
    if (bits_count(winners) == 1) {
        uint8_t next = find_next_best_seats(view, &known, winners);
        story_add(story, explain_single_winner(view, &known, first, next));
        told |= next;
    } else {
        story_add(story,
                  (struct phrase){
                      .format = N_("{0} share the win: the same total, {1}, and the same "
                                   "badness, {2}"),
                      .own = N_("You share the win: {0} have the same total, {1}, and the same "
                                "badness, {2}"),
                      .args = {arg_of_seats(winners), arg_of_number(view->scores[first]),
                               arg_of_number(known.badness[first])},
                  });
    }
    tell_seats_with_more_badness(view, &known, view->scores[first], told, story);
}
