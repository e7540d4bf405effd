#include "daemon/screens/table/game_events.h"

#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/text_format.h"
#include "daemon/screens/table/game_print.h"

#include <string.h>

#define NAME_BYTES 200
#define FACT_BYTES 400
#define CHANGES_MAX 4 /* cards that changed at once; with more, whole hands are printed */

bool game_events_are_complete(const struct game_view *before, const struct game_view *now)
{
    if (before->game != now->game || now->step < before->step || now->round < before->round) {
        return false;
    }
    return now->round == before->round || (now->round == before->round + 1 && now->has_last_trick);
}

static void write_name(const struct words *words, uint8_t seat, char name[NAME_BYTES])
{
    struct text text = text_init(name, NAME_BYTES);
    game_print_write_name(words, seat, &text);
}

static void print_play(const struct words *words, const struct view_play *play, bool is_lead,
                       struct lines *lines)
{
    char name[NAME_BYTES];
    struct text card = TEXT_OF(FACT_BYTES);
    words_write_card(words, play->card, &card);
    write_name(words, play->seat, name);
    if (words_is_own_seat(words, play->seat)) {
        lines_format(lines, is_lead ? _("You lead %s.") : _("You play %s."), card.at);
    } else {
        lines_format(lines, is_lead ? _("%s leads %s.") : _("%s plays %s."), name, card.at);
    }
}

/* Plays of the trick from `from` on. */
static void print_plays(const struct words *words, const struct view_trick *trick, uint8_t from,
                        struct lines *lines)
{
    for (uint8_t i = from; i < trick->count; i++) {
        print_play(words, &trick->plays[i], i == 0, lines);
    }
}

static void print_trick_winner(const struct game_view *view, const struct words *words,
                               const struct view_trick *trick, struct lines *lines)
{
    char name[NAME_BYTES];
    struct text why = TEXT_OF(FACT_BYTES);
    struct phrase reason = view->game->face->why_won(view, trick);
    words_write_phrase(words, reason, &why);
    write_name(words, trick->winner, name);
    if (words_is_own_seat(words, trick->winner)) {
        lines_format(lines, _("You take the trick: %s."), why.at);
    } else {
        lines_format(lines, _("%s takes the trick: %s."), name, why.at);
    }
}

void game_events_print_round_end(const struct game_view *before, const struct game_view *now,
                                 const struct words *words, struct lines *lines)
{
    if (now->round != before->round && now->has_last_trick) {
        print_plays(words, &now->last_trick, before->trick.count, lines);
        print_trick_winner(now, words, &now->last_trick, lines);
    }
}

static void print_bids(const struct game_view *before, const struct game_view *now,
                       const struct words *words, struct lines *lines)
{
    for (uint8_t seat = 0; seat < now->seats && now->has_bids; seat++) {
        char name[NAME_BYTES];
        bool is_old = before->round == now->round && before->bids[seat] == now->bids[seat];
        if (now->bids[seat] == BID_NONE || is_old) {
            continue;
        }
        write_name(words, seat, name);
        if (words_is_own_seat(words, seat)) {
            lines_format(lines, _("You bid %d."), now->bids[seat]);
        } else {
            lines_format(lines, _("%s bids %d."), name, now->bids[seat]);
        }
    }
}

/* The tricks of every player who took some: "Tricks: ada 2 of 3, you 1 of 1". */
static void print_trick_counts(const struct game_view *view, const struct words *words,
                               struct lines *lines)
{
    struct text line = TEXT_OF(LINES_LINE_MAX);
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        struct text name = TEXT_OF(NAME_BYTES);
        words_write_seat(words, seat, &name);
        if (view->has_bids && view->bids[seat] != BID_NONE) {
            text_format_item(&line, _("%s %d of %d"), name.at, view->tricks[seat],
                             view->bids[seat]);
        } else {
            text_format_item(&line, "%s %d", name.at, view->tricks[seat]);
        }
    }
    lines_format(lines, _("Tricks: %s."), line.at);
}

/* Tricks finished since, then the one in progress. */
static void print_tricks_since(const struct game_view *before, const struct game_view *now,
                               const struct words *words, struct lines *lines)
{
    bool is_same = before->round == now->round;
    uint8_t past = is_same ? before->past_count : 0;
    uint8_t plays = is_same ? before->trick.count : 0;
    bool is_taken = now->past_count > past;
    for (; past < now->past_count; past++) {
        print_plays(words, &now->past[past], plays, lines);
        print_trick_winner(now, words, &now->past[past], lines);
        plays = 0;
    }
    if (is_taken) {
        print_trick_counts(now, words, lines);
    }
    print_plays(words, &now->trick, plays, lines);
}

static bool slots_are_equal(const struct view_slot *a, const struct view_slot *b)
{
    return a->is_empty == b->is_empty && a->is_traded == b->is_traded && a->card == b->card &&
           a->suit == b->suit && a->value == b->value;
}

/* Bit i: that slot shows something new, other than that its card was played. */
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

static void write_slot_numbers(uint16_t slots, struct text *out)
{
    char numbers[SLOTS_MAX][4];
    const char *items[SLOTS_MAX];
    size_t count = 0;
    for (int i = 0; i < SLOTS_MAX; i++) {
        if ((slots >> i & 1) != 0) {
            struct text number = text_init(numbers[count], sizeof numbers[count]);
            text_put_number(&number, i + 1);
            items[count] = numbers[count];
            count++;
        }
    }
    text_put_list(out, items, count);
}

/* The player whose turn it was, if they gave a clue about that card; otherwise SPECTATOR. */
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

/* "Your card 2: 5 Gr", or "Ada tells: bob, card 2: 5 Gr". */
static void print_card_facts(const struct words *words, int8_t teller, const char *facts,
                             struct lines *lines)
{
    struct text name = TEXT_OF(NAME_BYTES);
    if (teller == SPECTATOR) {
        lines_format(lines, "%s.", facts);
        return;
    }
    game_print_write_name(words, (uint8_t)teller, &name);
    lines_format(lines,
                 words_is_own_seat(words, (uint8_t)teller) ? _("%s tell: %s.") : _("%s tells: %s."),
                 name.at, facts);
}

/* Slots that now show the same are printed together. */
static void print_changed_slots(const struct game_view *before, const struct game_view *now,
                                const struct words *words, uint8_t seat, uint16_t changed,
                                struct lines *lines)
{
    char name[NAME_BYTES];
    write_name(words, seat, name);
    while (changed != 0) {
        const struct view_slot *first = &now->hands[seat][__builtin_ctz(changed)];
        uint16_t alike = 0;
        for (int i = 0; i < SLOTS_MAX; i++) {
            bool is_alike = (changed >> i & 1) != 0 && slots_are_equal(first, &now->hands[seat][i]);
            alike = (uint16_t)(alike | (is_alike ? 1U << i : 0));
        }
        struct text numbers = TEXT_OF(FACT_BYTES);
        write_slot_numbers(alike, &numbers);
        struct text shown = TEXT_OF(FACT_BYTES);
        game_print_write_slot(words, first, &shown);
        struct text facts = TEXT_OF(LINES_LINE_MAX);
        int8_t teller = find_clue_giver(before, now, seat, __builtin_ctz(alike));
        if (!words_is_own_seat(words, seat)) {
            text_format(&facts, _("%s, card %s: %s"), name, numbers.at, shown.at);
        } else {
            text_format(&facts, teller == SPECTATOR ? _("Your card %s: %s") : _("your card %s: %s"),
                        numbers.at, shown.at);
        }
        print_card_facts(words, teller, facts.at, lines);
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
    if (!view_viewer_may_move(view)) { /* otherwise the turn's text says it */
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

static void print_changed_badges(const struct game_view *before, const struct game_view *now,
                                 const struct words *words, struct lines *lines)
{
    bool is_deal = before->round != now->round;
    for (uint8_t seat = 0; seat < now->seats; seat++) {
        char name[NAME_BYTES];
        struct text was = TEXT_OF(FACT_BYTES);
        game_print_write_badges(before, words, seat, &was);
        struct text is = TEXT_OF(FACT_BYTES);
        game_print_write_badges(now, words, seat, &is);
        write_name(words, seat, name);
        if (is.at[0] != '\0' && (is_deal || strcmp(was.at, is.at) != 0)) {
            lines_format(lines, "%s: %s.", name, is.at);
        } else if (!is_deal && now->phase == before->phase && was.at[0] != '\0' &&
                   is.at[0] == '\0') {
            lines_format(lines, _("%s: no longer %s."), name, was.at);
        }
    }
}

/* A fact of the board by its place there, with its label. */
static void write_fact(const struct words *words, const struct face_fact *fact, char *out)
{
    struct text text = text_init(out, FACT_BYTES);
    text_put(&text, _(fact->label));
    text_put_char(&text, ' ');
    words_write_phrase(words, fact->value, &text);
}

static void print_changed_board(const struct game_view *before, const struct game_view *now,
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
        char is[FACT_BYTES];
        bool is_old = false;
        write_fact(words, &are[i], is);
        for (uint8_t j = 0; j < were_count; j++) {
            char was[FACT_BYTES];
            write_fact(words, &were[j], was);
            is_old |= strcmp(was, is) == 0;
        }
        if (!is_old) {
            lines_format(lines, _("Now %s."), is);
        }
    }
}

/* When a new phase begins, the headline if it changed. */
static void print_new_phase(const struct game_view *before, const struct game_view *now,
                            const struct words *words, struct lines *lines)
{
    struct text was = TEXT_OF(LINES_LINE_MAX);
    game_print_write_headline(before, words, &was);
    struct text is = TEXT_OF(LINES_LINE_MAX);
    game_print_write_headline(now, words, &is);
    if (now->phase != before->phase && now->phase != PHASE_OVER && strcmp(was.at, is.at) != 0) {
        lines_format(lines, "%s.", is.at);
    }
}

void game_events_print(const struct game_view *before, const struct game_view *now,
                       const struct words *words, struct lines *lines)
{
    bool is_deal = before->round != now->round;
    if (is_deal) {
        game_print_headline(now, words, lines);
        print_changed_badges(before, now, words, lines);
        print_changed_cards(before, now, words, lines);
    }
    print_bids(before, now, words, lines);
    print_tricks_since(before, now, words, lines);
    if (!is_deal) {
        print_changed_cards(before, now, words, lines);
        print_changed_board(before, now, words, lines);
        print_changed_badges(before, now, words, lines);
        print_new_phase(before, now, words, lines);
    }
}
