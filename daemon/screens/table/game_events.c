#include "daemon/screens/table/game_events.h"

#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/text_format.h"
#include "daemon/screens/table/game_print.h"

#include <string.h>

#define NAME_BYTES 200
#define FACT_BYTES 400
/* maximum number of changed cards in a hand: if more change, all hands are printed whole */
#define CHANGES_MAX 4

bool game_events_are_complete(const struct game_view *before, const struct game_view *now)
{
    if (before->game != now->game || now->step < before->step || now->round < before->round) {
        return false;
    }
    return now->round == before->round || (now->round == before->round + 1 && now->has_last_trick);
}

static void print_played_card(const struct words *words, const struct view_play *play, bool is_lead,
                              struct lines *lines)
{
    const char *card = words_write_card(words, play->card, &TEXT_OF(FACT_BYTES));
    if (words_is_own_seat(words, play->seat)) {
        lines_format(lines, is_lead ? _("You lead %s.") : _("You play %s."), card);
    } else {
        lines_format(lines, is_lead ? _("%s leads %s.") : _("%s plays %s."),
                     words_write_seat(words, play->seat, &TEXT_OF(NAME_BYTES)), card);
    }
}

/* Prints the trick's plays, beginning with play number `first_play` (from 0). */
static void print_plays_of_trick(const struct words *words, const struct view_trick *trick,
                                 uint8_t first_play, struct lines *lines)
{
    for (uint8_t i = first_play; i < trick->count; i++) {
        print_played_card(words, &trick->plays[i], i == 0, lines);
    }
}

static void print_trick_winner(const struct game_view *view, const struct words *words,
                               const struct view_trick *trick, struct lines *lines)
{
    const char *why =
        words_write_phrase(words, view->game->face->why_won(view, trick), &TEXT_OF(FACT_BYTES));
    if (words_is_own_seat(words, trick->winner)) {
        lines_format(lines, _("You take the trick: %s."), why);
    } else {
        lines_format(lines, _("%s takes the trick: %s."),
                     words_write_seat(words, trick->winner, &TEXT_OF(NAME_BYTES)), why);
    }
}

void game_events_print_round_end(const struct game_view *before, const struct game_view *now,
                                 const struct words *words, struct lines *lines)
{
    if (now->round != before->round && now->has_last_trick) {
        print_plays_of_trick(words, &now->last_trick, before->trick.count, lines);
        print_trick_winner(now, words, &now->last_trick, lines);
    }
}

static void print_new_bids(const struct game_view *before, const struct game_view *now,
                           const struct words *words, struct lines *lines)
{
    for (uint8_t seat = 0; seat < now->seats && now->has_bids; seat++) {
        bool is_old = before->round == now->round && before->bids[seat] == now->bids[seat];
        if (now->bids[seat] == BID_NONE || is_old) {
            continue;
        }
        if (words_is_own_seat(words, seat)) {
            lines_format(lines, _("You bid %d."), now->bids[seat]);
        } else {
            lines_format(lines, _("%s bids %d."),
                         words_write_seat(words, seat, &TEXT_OF(NAME_BYTES)), now->bids[seat]);
        }
    }
}

/* Prints how many tricks each player has taken: "Tricks: ada 2 of 3, you 1 of 1". */
static void print_trick_counts(const struct game_view *view, const struct words *words,
                               struct lines *lines)
{
    struct text line = TEXT_OF(LINES_LINE_MAX);
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        const char *name = words_write_seat(words, seat, &TEXT_OF(NAME_BYTES));
        if (view->has_bids && view->bids[seat] != BID_NONE) {
            text_format_list_item(&line, _("%s %d of %d"), name, view->tricks[seat],
                                  view->bids[seat]);
        } else {
            text_format_list_item(&line, "%s %d", name, view->tricks[seat]);
        }
    }
    lines_format(lines, _("Tricks: %s."), line.at);
}

/* Prints the tricks finished since the earlier view, then the one in progress. */
static void print_tricks_since(const struct game_view *before, const struct game_view *now,
                               const struct words *words, struct lines *lines)
{
    bool is_same = before->round == now->round;
    uint8_t past = is_same ? before->past_count : 0;
    uint8_t plays = is_same ? before->trick.count : 0;
    bool is_taken = now->past_count > past;
    for (; past < now->past_count; past++) {
        print_plays_of_trick(words, &now->past[past], plays, lines);
        print_trick_winner(now, words, &now->past[past], lines);
        plays = 0;
    }
    if (is_taken) {
        print_trick_counts(now, words, lines);
    }
    print_plays_of_trick(words, &now->trick, plays, lines);
}

static bool slots_are_equal(const struct view_slot *a, const struct view_slot *b)
{
    return a->is_empty == b->is_empty && a->is_traded == b->is_traded && a->card == b->card &&
           a->suit == b->suit && a->value == b->value;
}

/* Returns the slots (places of cards in the seat's hand; bit 0: slot 0) where something new is
 * known. A slot whose card was only played does not count. */
static uint16_t find_changed_slots(const struct game_view *before, const struct game_view *now,
                                   uint8_t seat)
{
    uint16_t changed = 0;
    for (uint8_t i = 0; i < now->slot_count[seat]; i++) {
        const struct view_slot *slot = &now->hands[seat][i];
        if (!slot->is_empty && !slots_are_equal(&before->hands[seat][i], slot)) {
            changed = (uint16_t)(changed | 1U << i);
        }
    }
    return changed;
}

static const char *write_slot_numbers(uint16_t slots, struct text *out)
{
    char numbers[SLOTS_MAX][4];
    const char *items[SLOTS_MAX];
    size_t count = 0;
    for (int i = 0; i < SLOTS_MAX; i++) {
        if ((slots >> i & 1) != 0) {
            struct text number = text_init(numbers[count], sizeof numbers[count]);
            text_put_number(&number, i + 1);
            items[count++] = number.at;
        }
    }
    text_put_list(out, items, count);
    return out->at;
}

/* Returns the seat whose turn it was if its player gave a clue about that card; otherwise
 * SPECTATOR. */
static int8_t find_clue_giver(const struct game_view *before, const struct game_view *now,
                              uint8_t seat, int slot)
{
    const struct view_slot *was = &before->hands[seat][slot];
    const struct view_slot *is = &now->hands[seat][slot];
    bool is_told = (is->suit != SUIT_NONE && is->suit != was->suit) ||
                   (is->value != 0 && is->value != was->value);
    if (!is_told || now->step != before->step + 1 || __builtin_popcount(before->to_act) != 1) {
        return SPECTATOR;
    }
    return (int8_t)__builtin_ctz(before->to_act);
}

/* Prints facts about cards: "Your card 2: 5 Gr", or "Ada tells: bob, card 2: 5 Gr" if a clue
 * revealed these facts. Cards that now show the same facts are printed together. */
static void print_changed_slots(const struct game_view *before, const struct game_view *now,
                                const struct words *words, uint8_t seat, uint16_t changed,
                                struct lines *lines)
{
    while (changed != 0) {
        const struct view_slot *first = &now->hands[seat][__builtin_ctz(changed)];
        struct text facts = TEXT_OF(LINES_LINE_MAX);
        uint16_t alike = 0;
        for (int i = 0; i < SLOTS_MAX; i++) {
            bool is_alike = (changed >> i & 1) != 0 && slots_are_equal(first, &now->hands[seat][i]);
            alike = (uint16_t)(alike | (is_alike ? 1U << i : 0));
        }
        const char *numbers = write_slot_numbers(alike, &TEXT_OF(FACT_BYTES));
        const char *shown = game_print_write_hand_card(words, first, &TEXT_OF(FACT_BYTES));
        int8_t giver = find_clue_giver(before, now, seat, __builtin_ctz(alike));
        if (!words_is_own_seat(words, seat)) {
            text_format(&facts, _("%s, card %s: %s"),
                        words_write_seat(words, seat, &TEXT_OF(NAME_BYTES)), numbers, shown);
        } else {
            text_format(&facts, giver == SPECTATOR ? _("Your card %s: %s") : _("your card %s: %s"),
                        numbers, shown);
        }
        if (giver == SPECTATOR) {
            lines_format(lines, "%s.", facts.at);
        } else {
            lines_format(
                lines,
                words_is_own_seat(words, (uint8_t)giver) ? _("%s tell: %s.") : _("%s tells: %s."),
                game_print_write_name(words, (uint8_t)giver, &TEXT_OF(NAME_BYTES)), facts.at);
        }
        changed = (uint16_t)(changed & ~alike);
    }
}

static void print_hands(const struct game_view *view, const struct words *words,
                        struct lines *lines)
{
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        if (view->seat != (int)seat) {
            game_print_open_hand(view, words, seat, lines);
        }
    }
    if (!view_viewer_may_move(view)) { /* the viewer's hand is left out during the viewer's turn:
                                          then it is printed with the possible moves */
        game_print_hand(view, words, lines);
    }
}

static void print_changed_cards(const struct game_view *before, const struct game_view *now,
                                const struct words *words, struct lines *lines)
{
    uint16_t changed[SEATS_MAX] = {0};
    bool is_deal = before->round != now->round;
    for (uint8_t seat = 0; seat < now->seats; seat++) {
        changed[seat] = find_changed_slots(before, now, seat);
        is_deal |= __builtin_popcount(changed[seat]) > CHANGES_MAX;
    }
    if (is_deal) {
        print_hands(now, words, lines);
        return;
    }
    for (uint8_t seat = 0; seat < now->seats; seat++) {
        print_changed_slots(before, now, words, seat, changed[seat], lines);
    }
}

static void print_changed_player_badges(const struct game_view *before, const struct game_view *now,
                                        const struct words *words, struct lines *lines)
{
    bool is_deal = before->round != now->round;
    for (uint8_t seat = 0; seat < now->seats; seat++) {
        const char *was = game_print_write_badges(before, words, seat, &TEXT_OF(FACT_BYTES));
        const char *is = game_print_write_badges(now, words, seat, &TEXT_OF(FACT_BYTES));
        const char *name = game_print_write_name(words, seat, &TEXT_OF(NAME_BYTES));
        if (is[0] != '\0' && (is_deal || strcmp(was, is) != 0)) {
            lines_format(lines, "%s: %s.", name, is);
        } else if (!is_deal && now->phase == before->phase && was[0] != '\0' && is[0] == '\0') {
            lines_format(lines, _("%s: no longer %s."), name, was);
        }
    }
}

static const char *write_board_fact(const struct words *words, const struct face_fact *fact,
                                    struct text *out)
{
    text_format(out, "%s ", _(fact->label));
    return words_write_phrase(words, fact->value, out);
}

static void print_changed_board_facts(const struct game_view *before, const struct game_view *now,
                                      const struct words *words, struct lines *lines)
{
    struct face_fact were[FACE_BOARD_MAX];
    struct face_fact are[FACE_BOARD_MAX];
    const struct game_face *face = now->game->face;
    if (face->board == NULL || now->phase == PHASE_OVER) {
        return;
    }
    uint8_t were_count = face->board(before, were);
    uint8_t count = face->board(now, are);
    for (uint8_t i = 0; i < count; i++) {
        const char *is = write_board_fact(words, &are[i], &TEXT_OF(FACT_BYTES));
        bool is_old = false;
        for (uint8_t j = 0; j < were_count; j++) {
            is_old |= strcmp(write_board_fact(words, &were[j], &TEXT_OF(FACT_BYTES)), is) == 0;
        }
        if (!is_old) {
            lines_format(lines, _("Now %s."), is);
        }
    }
}

/* When a new phase begins, prints the headline if it has changed. */
static void print_new_phase(const struct game_view *before, const struct game_view *now,
                            const struct words *words, struct lines *lines)
{
    const char *was = game_print_write_headline(before, words, &TEXT_OF(LINES_LINE_MAX));
    const char *is = game_print_write_headline(now, words, &TEXT_OF(LINES_LINE_MAX));
    if (now->phase != before->phase && now->phase != PHASE_OVER && strcmp(was, is) != 0) {
        lines_format(lines, "%s.", is);
    }
}

void game_events_print(const struct game_view *before, const struct game_view *now,
                       const struct words *words, struct lines *lines)
{
    bool is_deal = before->round != now->round;
    if (is_deal) {
        game_print_headline(now, words, lines);
        print_changed_player_badges(before, now, words, lines);
        print_changed_cards(before, now, words, lines);
    }
    print_new_bids(before, now, words, lines);
    print_tricks_since(before, now, words, lines);
    if (!is_deal) {
        print_changed_cards(before, now, words, lines);
        print_changed_board_facts(before, now, words, lines);
        print_changed_player_badges(before, now, words, lines);
        print_new_phase(before, now, words, lines);
    }
}
