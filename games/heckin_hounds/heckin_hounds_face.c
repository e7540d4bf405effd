#include "games/heckin_hounds/heckin_hounds.h"

#include "games/card.h"
#include "games/face.h"
#include "games/game.h"
#include "games/history.h"

#include <stddef.h>
#include <string.h>

static const char *const hounds_brief[] = {
    N_("Your cards face away from you: everybody knows them better than you do."),
    N_("Promise tricks on what you are told, and end at 0 or just above it."),
    "",
    N_("Leader  sees all hands; the others see each other's hands, but neither the\n"
       "        leader's nor their own. Names the bad dog, gives everyone three\n"
       "        true clues (all cards of a hound, all of a number, or one card),\n"
       "        then gives Cerberus to anyone, who drops a card for it."),
    N_("Trade   From the leader on: pass, or swap a card blindly with the dead\n"
       "        hand: the cards left over and all Mops. Then bid 0 to 5."),
    N_("Play    The leader leads; nobody must follow. Cerberus takes the trick,\n"
       "        else the strongest hound: Deathpaw, Paulgrave, Sudachi, Tom Dire,\n"
       "        Evil Molly, Mops; within a hound the higher number."),
    N_("Score   1 up for each trick above the bid, 1 down for each below it. Each\n"
       "        bad dog in a trick you take is 1 badness."),
    N_("Winner  The lowest total that is not negative; then the least badness."),
    NULL,
};

static const char *const hounds_signs[] = {
    N_("#             the holder of this card was told its number"),
    N_("@             the holder was told its hound"),
    N_("*             the holder was told both"),
    N_("↔             was traded with the dead hand after the clues"),
    N_("?             a card that you do not see; ? 3: you were told only its number"),
    N_("·             a card that is played already"),
    N_("CER           Cerberus, who takes every trick"),
    N_("De Pa Su      the strongest hounds: Deathpaw, Paulgrave, Sudachi"),
    N_("To Ev Mo      the weaker hounds: Tom Dire, Evil Molly, Mops"),
    N_("shift leader  names the bad dog, gives clues and leads to the first trick"),
    N_("clues 1 of 3  this player has got one of three clues"),
    N_("kept all      has passed instead of trading a card"),
    N_("bid –         has not bid yet; bid 2: promised to take two tricks"),
    N_("bids so far   the sum of the bids; a round has five tricks"),
    N_("badness 2     the bad dogs this player has taken; fewer win a tie"),
    NULL,
};

static const char *const hounds_rules[] = {
    N_("# What it is about"),
    N_("Two to seven dog walkers of the underworld play as many rounds of five tricks as there are "
       "players. Everybody promises a number of tricks and wants to take exactly that many. A "
       "player who takes more gains points, a player who takes fewer loses points. At the end, the "
       "lowest total that is not below 0 wins."),
    N_("# The hounds"),
    N_("Six hounds, the strongest first: Deathpaw, Paulgrave, Sudachi, Tom Dire, Evil Molly and "
       "Mops. Each has cards from 1 up to one more than there are players. Above all of them "
       "stands the single card Cerberus. The first five hounds are dealt, five cards to everybody; "
       "the five cards left over and all Mops make the dead hand, which nobody ever sees."),
    N_("# Who sees what"),
    N_("One player is the shift leader. The first leader is drawn by lot, and the office passes to "
       "the left every round. The leader sees every hand, including their own. Everybody else sees "
       "all hands except their own and the leader's. With two players, the player who is not "
       "leader therefore sees no hand."),
    N_("# The leader's work"),
    N_("First the leader names the bad dog of the round, any of the six hounds."),
    N_("Then every other player gets three clues about their own hand, in any order. A clue is "
       "true and heard by all. It points out all cards of one hound, at least two; or all cards of "
       "one number, at least two; or a single card with its hound and number. Each clue must tell "
       "the hound or the number of some card that no clue has told before; what a player could "
       "work out does not count as told. What was told stays marked on the cards."),
    N_("Last the leader gives Cerberus to any player, perhaps to himself or herself. That player "
       "chooses a card to drop, most often without seeing it, and Cerberus takes its place for all "
       "to see. The dropped card is out of the round; only those who saw it in the hand know it."),
    N_("# Trading"),
    N_("Beginning with the leader and going left, everybody chooses once: pass, or trade one card "
       "other than Cerberus. The traded card is laid aside, a random card of the dead hand takes "
       "its place, and then the card laid aside joins the dead hand. The place loses its clues and "
       "is marked as traded. Nobody sees the new cards before all have chosen. Then the leader "
       "sees all of them, and the others see the new cards in the hands that they can see."),
    N_("# Bidding and playing"),
    N_("In the same order everybody bids 0 to 5 tricks, openly. The leader leads to the first "
       "trick. Any card may be played at any time. Cerberus takes the trick; without it the "
       "strongest hound does, and of two cards of that hound the higher number. Whoever takes a "
       "trick leads the next."),
    N_("# Scoring"),
    N_("One point more for each trick above the bid, one less for each below it, nothing for an "
       "exact bid. Whoever takes a trick gets one badness for each card of the bad dog in that "
       "trick; Cerberus is never bad."),
    N_("After the last round the lowest total of 0 or more wins. If players tie, the one with less "
       "badness wins; if that is equal too, they share the victory. If all totals are negative, "
       "nobody wins. Negative totals rank behind all others, the nearest to 0 first."),
    NULL,
};

static void tell_leader(const struct game_view *now, struct story *story)
{
    story_add(story, PHRASE_OWN(N_("{0} is the shift leader"), N_("You are the shift leader"),
                                arg_of_seat(hounds_known(now)->leader)));
}

static void tell_bad_dog(const struct hounds_known *known, struct story *story)
{
    struct phrase_arg hound = arg_of_suit(known->bad_dog);
    struct story_line *line = story_add(story, PHRASE_OWN(N_("{0} names the bad dog: {1}"),
                                                          N_("You name the bad dog: {1}"),
                                                          arg_of_seat(known->leader), hound));
    line->great = PHRASE(N_("The bad dog: {0}"), hound);
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
    struct phrase words =
        PHRASE_OWN(N_("{0} keeps Cerberus"), N_("You keep Cerberus"), arg_of_seat(leader));
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
    struct phrase words =
        PHRASE_OWN(N_("{0} drops card {1} for Cerberus"), N_("You drop card {1} for Cerberus"),
                   arg_of_seat(known->cerberus_seat), arg_of_number(known->cerberus_slot + 1));
    struct phrase great = PHRASE_OWN(N_("Cerberus is card {1} of {0}"),
                                     N_("Cerberus is your card {1}"), words.args[0], words.args[1]);
    if (known->discarded != CARD_NONE) {
        words.format = N_("{0} drops card {1} for Cerberus: {2}");
        words.own = N_("You drop card {1} for Cerberus: {2}");
        words.args[2] = arg_of_card(known->discarded);
        great = PHRASE(N_("Cerberus replaces {0}"), words.args[2]);
    }
    story_add(story, words)->great = great;
}

/* `given` is the card given; CARD_NONE when the viewer does not know it. */
static void tell_trade(uint8_t seat, uint8_t choice, uint8_t given, struct story *story)
{
    struct phrase words =
        PHRASE_OWN(N_("{0} keeps all cards"), N_("You keep all cards"), arg_of_seat(seat));
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
        struct phrase words =
            PHRASE_OWN(N_("From the dead hand {0} has {2}, as card {1}"),
                       N_("From the dead hand you have {2}, as card {1}"), arg_of_seat(seat),
                       arg_of_number(slot + 1), arg_of_card(now->hands[seat][slot].card));
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
    struct phrase words = phrase_without_args(
        is_leader ? N_("Traded cards are shown: as shift leader you see them all")
        : now->seat == SPECTATOR
            ? N_("Traded cards are shown to the players")
            : N_("Traded cards are shown; yours and the shift leader's stay hidden"));
    story_add(story, words)->great = phrase_without_args(N_("Traded cards are shown"));
}

/* The phases are told in their order. `before` may be an empty view, which tells nothing. */
static void tell_shift(const struct game_view *before, const struct game_view *now,
                       struct story *story)
{
    const struct hounds_known *was = hounds_known(before);
    const struct hounds_known *is = hounds_known(now);
    if (before->phase == HOUNDS_BAD && is->bad_dog != SUIT_NONE) {
        tell_bad_dog(is, story);
    }
    for (uint8_t i = 0; is->clues[i].to != HOUNDS_SEAT_NONE; i++) {
        if (was->clues[i].to == HOUNDS_SEAT_NONE) {
            tell_clue(now, is, &is->clues[i], story);
        }
    }
    if (before->phase <= HOUNDS_CERBERUS && now->phase == HOUNDS_DISCARD && now->to_act != 0) {
        tell_giving_of_cerberus(is->leader, bits_index_of_lowest(now->to_act), story);
    } else if (before->phase <= HOUNDS_CERBERUS && is->cerberus_seat != HOUNDS_SEAT_NONE) {
        tell_giving_of_cerberus(is->leader, is->cerberus_seat, story);
    }
    if (before->phase <= HOUNDS_DISCARD && is->cerberus_seat != HOUNDS_SEAT_NONE) {
        tell_drop_for_cerberus(is, story);
    }
    for (uint8_t i = 0; i < now->seats; i++) {
        uint8_t seat = (uint8_t)((is->leader + i) % now->seats);
        if (is->trades[seat] != HOUNDS_TRADE_OPEN && was->trades[seat] >= HOUNDS_TRADE_OPEN) {
            tell_trade(seat, is->trades[seat], is->given[seat], story);
        }
    }
    if (before->phase <= HOUNDS_TRADE && now->phase > HOUNDS_TRADE) {
        tell_end_of_trading(now, is, story);
        tell_cards_from_dead_hand(now, is, story);
    }
}

static void tell_bad_dogs(const struct story_trick *trick, struct story *story)
{
    const struct hounds_known *known = hounds_known(trick->view);
    uint16_t values = 0;
    for (uint8_t i = 0; i < trick->trick->count; i++) {
        uint8_t card = trick->trick->plays[i].card;
        bool is_bad = card_suit(&hounds_deck, card) == known->bad_dog;
        values = (uint16_t)(values | is_bad << card % HOUNDS_VALUES);
    }
    if (values != 0) {
        /* a list of values is written in the same way as a list of slots */
        story_add(story,
                  PHRASE_OWN(N_("{0} takes {1} bad {1:dog|dogs} ({2} {3}): badness +{1}"),
                             N_("You take {1} bad {1:dog|dogs} ({2} {3}): badness +{1}"),
                             arg_of_seat(trick->trick->winner), arg_of_number(bits_count(values)),
                             arg_of_suit(known->bad_dog), arg_of_slots(values)));
    }
}

static const struct game_story hounds_story = {
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
    struct phrase words = PHRASE_OWN(N_("{0} wins: the only total that is not negative, {1}"),
                                     N_("You win: the only total that is not negative, {1}"),
                                     arg_of_seat(winner), arg_of_number(view->scores[winner]));
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
        words.format = N_(
            "{0} wins: lowest total that is not negative ({1}, badness {4}; {2} {3}, badness {5})");
        words.own = N_(
            "You win: lowest total that is not negative ({1}, badness {4}; {2} {3}, badness {5})");
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
            story_add(story, PHRASE_OWN(N_("{0} has the same total, {1}, but badness {2}"),
                                        N_("You have the same total, {1}, but badness {2}"),
                                        arg_of_seat(seat), arg_of_number(total),
                                        arg_of_number(known->badness[seat])));
        }
    }
}

static void hounds_explain_result(const struct game_view *view,
                                  UNUSED const struct game_config *config, uint8_t winners,
                                  struct story *story)
{
    const struct hounds_known *known = hounds_known(view);
    if (winners == 0) {
        story_add(story, phrase_without_args(N_("Nobody wins: every total is negative")));
        return;
    }
    uint8_t first = bits_index_of_lowest(winners);
    uint8_t told = winners;
    if (bits_count(winners) == 1) {
        uint8_t next = find_next_best_seats(view, known, winners);
        story_add(story, explain_single_winner(view, known, first, next));
        told |= next;
    } else {
        story_add(
            story,
            PHRASE_OWN(
                N_("{0} share the win: the same total, {1}, and the same badness, {2}"),
                N_("You share the win: {0} have the same total, {1}, and the same badness, {2}"),
                arg_of_seats(winners), arg_of_number(view->scores[first]),
                arg_of_number(known->badness[first])));
    }
    tell_seats_with_more_badness(view, known, view->scores[first], told, story);
}

/* The meaning of a move number. */
struct meaning {
    uint8_t phase;  /* the phase of the move; PHASE_OVER when the number is no move */
    uint8_t number; /* the slot, bid, seat or suit that the move names; for a clue, what it names */
    uint8_t to;     /* the seat that gets a clue */
};

static struct meaning find_move_meaning(uint8_t move)
{
    const struct move_def *kind = game_find_kind(&heckin_hounds_game, move);
    if (kind == NULL) {
        return (struct meaning){.phase = PHASE_OVER};
    }
    struct meaning meant = {kind->phase, (uint8_t)(move - kind->first), 0};
    if (meant.phase == HOUNDS_CLUE) {
        meant.to = meant.number / HOUNDS_SUBJECTS;
        meant.number = meant.number % HOUNDS_SUBJECTS;
    }
    return meant;
}

static struct phrase clue_label(const struct game_view *view, uint8_t to, uint8_t clue_subject)
{
    struct phrase phrase = {.args = {arg_of_seat(to)}};
    if (clue_subject < HOUNDS_SUBJECT_VALUE) {
        phrase.format = N_("{0}: every {1}");
        phrase.args[1] = arg_of_suit(clue_subject);
    } else if (clue_subject < HOUNDS_SUBJECT_SLOT) {
        phrase.format = N_("{0}: every {1}");
        phrase.args[1] = arg_of_number(clue_subject - HOUNDS_SUBJECT_VALUE + 1);
    } else {
        uint8_t slot = (uint8_t)(clue_subject - HOUNDS_SUBJECT_SLOT);
        uint8_t card = view->hands[to][slot].card;
        phrase.format = card == CARD_NONE ? N_("{0}: card {1}") : N_("{0}: just {1}");
        phrase.args[1] = card == CARD_NONE ? arg_of_number(slot + 1) : arg_of_card(card);
    }
    return phrase;
}

static struct phrase label_move(const struct game_view *view, uint8_t move)
{
    struct meaning meant = find_move_meaning(move);
    return meant.phase == HOUNDS_CLUE ? clue_label(view, meant.to, meant.number)
                                      : phrase_without_args(N_("pass"));
}

static struct phrase explain_clue_refusal(const struct game_view *view, uint8_t to,
                                          uint8_t clue_subject)
{
    uint8_t cards = 0;
    const struct hounds_known *known = hounds_known(view);
    if (to >= view->seats || to == known->leader) {
        return phrase_without_args(N_("clues go to the other players"));
    }
    if (hounds_count_clues(known, to) == HOUNDS_CLUES_EACH) {
        return PHRASE(N_("{0} has had three clues"), arg_of_seat(to));
    }
    for (uint8_t i = 0; i < view->slot_count[to]; i++) {
        uint8_t card = view->hands[to][i].card;
        cards = (uint8_t)(cards + (hounds_clue_subject_for_suit(card) == clue_subject ||
                                   hounds_clue_subject_for_value(card) == clue_subject));
    }
    if (clue_subject < HOUNDS_SUBJECT_SLOT && cards < 2) {
        bool is_suit = clue_subject < HOUNDS_SUBJECT_VALUE;
        return PHRASE(N_("at least two cards must be {1}: {0} holds {2}"), arg_of_seat(to),
                      is_suit ? arg_of_suit(clue_subject)
                              : arg_of_number(clue_subject - HOUNDS_SUBJECT_VALUE + 1),
                      arg_of_number(cards));
    }
    return PHRASE(N_("that clue tells {0} nothing new"), arg_of_seat(to));
}

/* The card that wins the trick so far; CARD_NONE when the trick is empty. */
static uint8_t winning_card(const struct game_view *view)
{
    uint8_t best = CARD_NONE;
    for (uint8_t i = 0; i < view->trick.count; i++) {
        uint8_t card = view->trick.plays[i].card;
        if (best == CARD_NONE || hounds_strength(card) > hounds_strength(best)) {
            best = card;
        }
    }
    return best;
}

static struct phrase clue_prompt(const struct game_view *view)
{
    const struct hounds_clue *clues = hounds_known(view)->clues;
    int given = 0;
    while (clues[given].to != HOUNDS_SEAT_NONE) {
        given++;
    }
    return PHRASE(N_("Give clue {0} of {1}"), arg_of_number(given + 1),
                  arg_of_number(HOUNDS_CLUES_EACH * (view->seats - 1)));
}

static struct phrase prompt_for_viewer(const struct game_view *view)
{
    switch ((enum hounds_phase)view->phase) {
    case HOUNDS_BAD:
        return phrase_without_args(N_("Name the bad dog: worth 1 badness to its taker"));
    case HOUNDS_CLUE:
        return clue_prompt(view);
    case HOUNDS_CERBERUS:
        return phrase_without_args(N_("Give Cerberus to a player: it beats every hound"));
    case HOUNDS_DISCARD:
        return phrase_without_args(N_("Cerberus is yours: choose a card to drop for it"));
    case HOUNDS_TRADE:
        return phrase_without_args(N_("Trade a card for an unseen one of the dead hand?"));
    case HOUNDS_BID:
        return phrase_without_args(N_("Bid 0–5"));
    case HOUNDS_PLAY:
        break;
    }
    uint8_t best = winning_card(view);
    if (best == CARD_NONE) {
        return phrase_without_args(N_("Lead any card"));
    }
    if (best == HOUNDS_CERBERUS_CARD) {
        return phrase_without_args(N_("Play any card: Cerberus cannot be beaten"));
    }
    return PHRASE(N_("Play any card: {0} wins so far"), arg_of_card(best));
}

static struct phrase explain_refusal(const struct game_view *view, uint8_t move)
{
    struct meaning meant = find_move_meaning(move);
    if (meant.phase != view->phase) {
        struct phrase prompt = prompt_for_viewer(view);
        return prompt.format != NULL ? prompt : phrase_without_args(N_("not now"));
    }
    switch ((enum hounds_phase)meant.phase) {
    case HOUNDS_CLUE:
        return explain_clue_refusal(view, meant.to, meant.number);
    case HOUNDS_TRADE:
        return phrase_without_args(N_("Cerberus cannot be traded"));
    case HOUNDS_PLAY:
        return phrase_without_args(N_("that card is played already"));
    case HOUNDS_CERBERUS:
        return phrase_without_args(N_("there is no such player"));
    case HOUNDS_BAD:
    case HOUNDS_DISCARD:
    case HOUNDS_BID:
        break;
    }
    return phrase_without_args(N_("not now"));
}

/* A move that gives a clue points at cards; a move that gives Cerberus points at a player. */
/* What a clue tells, as the format of its label without the player. */
static const char *words_of_clue(const struct game_view *view, uint8_t to, uint8_t clue_subject)
{
    if (clue_subject < HOUNDS_SUBJECT_SLOT) {
        return N_("every {1}");
    }
    uint8_t card = view->hands[to][clue_subject - HOUNDS_SUBJECT_SLOT].card;
    return card == CARD_NONE ? N_("card {1}") : N_("just {1}");
}

static bool find_cards_pointed_at(const struct game_view *view, uint8_t move, struct face_aim *out)
{
    struct meaning meant = find_move_meaning(move);
    *out = (struct face_aim){.seat = meant.phase == HOUNDS_CLUE ? meant.to : meant.number};
    if (meant.phase != HOUNDS_CLUE) {
        return meant.phase == HOUNDS_CERBERUS;
    }
    out->words = words_of_clue(view, meant.to, meant.number);
    for (uint8_t i = 0; i < HOUNDS_SLOTS; i++) {
        uint8_t card = view->hands[out->seat][i].card;
        bool is_meant = meant.number == HOUNDS_SUBJECT_SLOT + i ||
                        hounds_clue_subject_for_suit(card) == meant.number ||
                        hounds_clue_subject_for_value(card) == meant.number;
        out->slots = (uint16_t)(out->slots | is_meant << i);
    }
    return true;
}

static uint8_t fill_headline(const struct game_view *view, struct phrase out[FACE_HEADLINE_MAX])
{
    const struct hounds_known *known = hounds_known(view);
    uint8_t count = 0;
    if (known->bad_dog != SUIT_NONE) {
        out[count++] = PHRASE(N_("bad dog {0}"), arg_of_suit(known->bad_dog));
    }
    int bids = 0;
    int bidders = 0;
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        bids += view->bids[seat] == BID_NONE ? 0 : view->bids[seat];
        bidders += view->bids[seat] != BID_NONE;
    }
    if (bidders > 0) {
        out[count++] = PHRASE(bidders < view->seats ? N_("tricks bid so far: {0}")
                                                    : N_("bids {0} for {1} tricks"),
                              arg_of_number(bids), arg_of_number(HOUNDS_SLOTS));
    }
    return count;
}

/* The order of strength, which fills a row, the number of cards in the dead hand while players
 * trade with it, and the dropped card if the viewer saw it. */
static uint8_t fill_board_facts(const struct game_view *view,
                                UNUSED const struct game_config *config,
                                struct face_fact out[FACE_BOARD_MAX])
{
    const struct hounds_known *known = hounds_known(view);
    uint8_t count = 0;
    out[count++] = (struct face_fact){
        .label = N_("strength"),
        .value = phrase_without_args(
            N_("CER > Deathpaw > Paulgrave > Sudachi > Tom Dire > Evil Molly > Mops")),
    };
    if (view->phase == HOUNDS_TRADE) {
        out[count++] = (struct face_fact){
            .label = N_("dead hand:"),
            .value = PHRASE(N_("{0} cards, {1} Mops at first"),
                            arg_of_number(view->seats + HOUNDS_DEAD_MAX - SEATS_MAX),
                            arg_of_number(view->seats + 1)),
        };
    }
    if (known->discarded != CARD_NONE) {
        out[count++] = (struct face_fact){
            .label = N_("dropped for Cerberus:"),
            .value = PHRASE("{0}", arg_of_card(known->discarded)),
        };
    }
    return count;
}

static uint8_t fill_badges(const struct game_view *view, uint8_t seat,
                           struct phrase out[FACE_BADGES_MAX])
{
    const struct hounds_known *known = hounds_known(view);
    uint8_t count = 0;
    if (seat == known->leader) {
        out[count++] = phrase_without_args(N_("shift leader"));
    }
    if (view->phase == HOUNDS_CLUE && seat != known->leader) {
        out[count++] =
            PHRASE(N_("clues {0} of {1}"), arg_of_number(hounds_count_clues(known, seat)),
                   arg_of_number(HOUNDS_CLUES_EACH));
    }
    if (known->trades[seat] == HOUNDS_TRADE_PASS && view->phase == HOUNDS_TRADE) {
        out[count++] = phrase_without_args(N_("kept all"));
    }
    return count;
}

static struct phrase explain_signs(const struct game_view *view)
{
    bool is_told = false;
    bool is_traded = false;
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        for (uint8_t i = 0; i < view->slot_count[seat]; i++) {
            const struct view_slot *slot = &view->hands[seat][i];
            is_told |= slot->card != CARD_NONE && view->seat != (int)seat && !slot->is_empty &&
                       (slot->suit != SUIT_NONE || slot->value != 0);
            is_traded |= slot->is_traded;
        }
    }
    return !is_told && !is_traded ? phrase_absent()
           : !is_traded           ? phrase_without_args(N_("told: # number, @ hound, * both"))
           : !is_told             ? phrase_without_args(N_("↔ traded"))
                      : phrase_without_args(N_("told: # number, @ hound, * both, ↔ traded"));
}

static uint8_t move_for_slot(const struct game_view *view, uint8_t slot)
{
    if (view->seat < 0 || slot >= view->slot_count[view->seat] ||
        view->hands[view->seat][slot].is_empty) {
        return MOVE_NONE;
    }
    switch (view->phase) {
    case HOUNDS_DISCARD:
        return HOUNDS_MOVE_DISCARD + slot;
    case HOUNDS_TRADE:
        return HOUNDS_MOVE_TRADE + slot;
    case HOUNDS_PLAY:
        return HOUNDS_MOVE_PLAY + slot;
    default:
        return MOVE_NONE;
    }
}

static struct phrase explain_points(const struct score_row *row, uint8_t seat)
{
    int off = row->points[seat];
    struct phrase phrase =
        PHRASE(off == 0 ? N_("bid {0}, took {1}: exact, 0; badness so far {3}")
                        : N_("bid {0}, took {1}: {2}; badness so far {3}"),
               arg_of_number(row->bids[seat]), arg_of_number(row->tricks[seat]), arg_of_points(off),
               arg_of_number(row->part_count > 0 ? row->parts[0][seat] : 0));
    return phrase;
}

static struct phrase explain_trick_winner(UNUSED const struct game_view *view,
                                          const struct view_trick *trick)
{
    uint8_t won = CARD_NONE;
    uint8_t alike = 0;
    for (uint8_t i = 0; i < trick->count; i++) {
        if (trick->plays[i].seat == trick->winner) {
            won = trick->plays[i].card;
        }
    }
    if (won == HOUNDS_CERBERUS_CARD) {
        return phrase_without_args(N_("Cerberus beats all"));
    }
    uint8_t suit = card_suit(&hounds_deck, won);
    for (uint8_t i = 0; i < trick->count; i++) {
        alike = (uint8_t)(alike + (card_suit(&hounds_deck, trick->plays[i].card) == suit));
    }
    return PHRASE(alike > 1 ? N_("highest {0}") : N_("strongest hound, {0}"), arg_of_suit(suit));
}

/*
 * The lesson of Heckin' Hounds: the player gets clues and Cerberus, bids 2 and takes exactly 2
 * tricks. In the second round the player is the shift leader.
 */

static const struct lesson_move moves[] = {
    {2, "bad:tom-dire", NULL},
    {2, "clue:0:value:4", NULL},
    {2, "clue:0:slot:2", NULL},
    {2, "clue:0:slot:4", NULL},
    {2, "clue:1:value:3", NULL},
    {2, "clue:1:slot:0", NULL},
    {2, "clue:1:slot:3", NULL},
    {2, "cerberus:0", NULL},
    {0, "discard:4", N_("of the two cards that you know, Evil Molly is the weaker")},
    {2, "trade:0", NULL},
    {0, "trade:pass", N_("you would not know the new card either, so there is nothing to gain")},
    {1, "trade:4", NULL},
    {2, "bid:2", NULL},
    {0, "bid:2",
     N_("Cerberus wins a trick for certain, and only Deathpaw and Paulgrave beat Sudachi 4")},
    {1, "bid:0", NULL},
    {2, "play:0", NULL},
    {0, "play:2", N_("the only player after you has no card that beats it, so it wins")},
    {1, "play:0", NULL},
    {0, "play:0", N_("Cerberus will be your second trick, so let the others beat an unknown card")},
    {1, "play:3", NULL},
    {2, "play:1", NULL},
    {2, "play:2", NULL},
    {0, "play:1", N_("hardly any card beats a Deathpaw, so here an unknown card should lose")},
    {1, "play:2", NULL},
    {2, "play:3", NULL},
    {0, "play:4", N_("your unknown card might win this weak trick too, so let Cerberus win it")},
    {1, "play:4", NULL},
    {0, "play:3", N_("it is your last card")},
    {1, "play:1", NULL},
    {2, "play:4", NULL},
};

static bool viewer_is_leader(const struct game_view *view)
{
    return view->seat == (int8_t)hounds_known(view)->leader;
}

static bool waits_for_bad_dog(const struct game_view *view)
{
    return view->phase == HOUNDS_BAD && !viewer_is_leader(view);
}

static bool waits_for_clues(const struct game_view *view)
{
    return view->phase == HOUNDS_CLUE && !viewer_is_leader(view);
}

/* Whether the viewer knows of a clue while others get more. */
static bool sees_clue(const struct game_view *view)
{
    return waits_for_clues(view) && hounds_known(view)->clues[0].to != HOUNDS_SEAT_NONE;
}

static bool viewer_leads_and_gave_clue(const struct game_view *view)
{
    return viewer_is_leader(view) && hounds_known(view)->clues[0].to != HOUNDS_SEAT_NONE;
}

/* Whether the viewer leads after a trick and holds a card that the viewer does not know. */
static bool leads_with_unknown_card(const struct game_view *view)
{
    bool is_unknown = false;
    for (uint8_t slot = 0; slot < HOUNDS_SLOTS && view->seat >= 0; slot++) {
        const struct view_slot *own = &view->hands[view->seat][slot];
        is_unknown |= !own->is_empty && own->card == CARD_NONE;
    }
    return is_unknown && lesson_viewer_leads_after_trick(view);
}

static const struct lesson_note notes[] = {
    {N_("The shift leader sees all cards. You see the hands of the others, but neither your own "
        "nor the shift leader's."),
     .matters = waits_for_bad_dog},
    {N_("A bad dog is named: each card of it in your tricks is 1 badness, and the lower badness "
        "wins a tie."),
     .matters = waits_for_clues},
    {N_("Clues are true: each points at all cards of one hound or of one number, or tells a single "
        "card wholly."),
     .matters = sees_clue},
    {N_("You are given Cerberus, which beats every hound: choose the card that you drop for it."),
     .phases = 1U << HOUNDS_DISCARD},
    {N_("A swap takes a card unseen from the dead hand; after the swaps you see all hands again."),
     .matters = viewer_is_leader, .phases = 1U << HOUNDS_TRADE},
    {N_("You may swap a card, unseen, for one of the dead hand: the cards that nobody holds."),
     .phases = 1U << HOUNDS_TRADE},
    {N_("You see every hand, so work out which of the five tricks you can win, and bid these."),
     .matters = viewer_is_leader, .phases = 1U << HOUNDS_BID},
    {N_("Each trick missing from your bid is -1, each too many +1; the lowest total of 0 or more "
        "wins."),
     .phases = 1U << HOUNDS_BID},
    {N_("You need not follow suit: play any card. The stronger hound wins, of the same hound the "
        "higher number."),
     .matters = lesson_viewer_follows},
    {N_("You took the trick, so you lead: any card will do, also one that you do not know."),
     .matters = leads_with_unknown_card},
    {N_("You have as many tricks as you bid: one more would be one too many."),
     .matters = lesson_viewer_has_bid_tricks},
    {N_("A right bid was worth 0 points, each trick too many +1, each missing one -1. Everyone is "
        "shift leader once."),
     .matters = lesson_round_is_over, .is_about_scores = true},
    {N_("Now you are the shift leader and see all cards. Name a bad dog that others will have to "
        "take; q leaves."),
     .matters = viewer_is_leader, .phases = 1U << HOUNDS_BAD},
    {N_("A clue must be true and tell something new, but it need not help its player much."),
     .matters = viewer_leads_and_gave_clue, .phases = 1U << HOUNDS_CLUE},
    {N_("Now give each of the others three clues about their cards, with which they will bid."),
     .matters = viewer_is_leader, .phases = 1U << HOUNDS_CLUE},
    {N_("Give Cerberus to any player, also to yourself: it wins its holder one trick for certain."),
     .matters = viewer_is_leader, .phases = 1U << HOUNDS_CERBERUS},
};

static const struct game_lesson hounds_lesson = {
    .players = 3,
    .seat = 0,
    .seed = {3},
    .moves = moves,
    .move_count = ARRAY_LEN(moves),
    .notes = notes,
    .note_count = ARRAY_LEN(notes),
};

const struct game_face hounds_face = {
    .lesson = &hounds_lesson,
    .pitch = N_("Everybody sees your cards but you: promise tricks anyway."),
    .pages = {hounds_brief, hounds_rules, hounds_signs},
    .headline = fill_headline,
    .badges = fill_badges,
    .prompt = prompt_for_viewer,
    .label = label_move,
    .refusal = explain_refusal,
    .point = move_for_slot,
    .explain = explain_points,
    .why_won = explain_trick_winner,
    .explain_result = hounds_explain_result,
    .story = &hounds_story,
    .board = fill_board_facts,
    .aim = find_cards_pointed_at,
    .expected_points = N_("Few points are good, as long as the total does not fall below 0."),
    .card_signs = explain_signs,
    .spells_suits = true,
};
