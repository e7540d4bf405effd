#include "daemon/screens/table/game_print.h"

#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/text_format.h"
#include "daemon/screens/table/table_hand.h"
#include "daemon/screens/table/table_typed.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define FACT_BYTES 400

static void put_between(struct text *out, const char *between)
{
    text_put(out, out->len > 0 ? between : "");
}

__attribute__((format(printf, 2, 3))) static void put_fact(struct text *out, const char *format,
                                                           ...)
{
    char words[FACT_BYTES];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(words, sizeof(words), format, args); /* NOLINT(clang-analyzer-valist.*) */
    va_end(args);
    put_between(out, ", ");
    text_put(out, words);
}

void game_print_write_name(const struct words *words, uint8_t seat, struct text *out)
{
    if (words_is_own_seat(words, seat)) {
        text_put(out, _("You"));
    } else {
        words_write_seat(words, seat, out);
    }
}

static void print_board(const struct game_view *view, const struct words *words,
                        struct lines *lines)
{
    struct face_fact facts[FACE_BOARD_MAX];
    struct text line = TEXT_OF(LINES_LINE_MAX);
    if (view->game->face->board == NULL || view->phase == PHASE_OVER) {
        return;
    }
    uint8_t count = view->game->face->board(view, facts);
    for (uint8_t i = 0; i < count; i++) {
        bool is_labelled = i == 0 || strcmp(facts[i].label, facts[i - 1].label) != 0;
        put_between(&line, ", ");
        text_put(&line, is_labelled ? _(facts[i].label) : "");
        text_put(&line, is_labelled ? " " : "");
        words_write_phrase(words, facts[i].value, &line);
    }
    if (line.len > 0) {
        lines_format(lines, _("On the table: %s."), line.at);
    }
}

void game_print_write_headline(const struct game_view *view, const struct words *words,
                               struct text *out)
{
    struct phrase facts[FACE_HEADLINE_MAX];
    text_put(out, _(view->game->title));
    put_fact(out, view->rounds > 0 ? _("round %u of %u") : _("round %u"), view->round,
             view->rounds);
    uint8_t count = view->game->face->headline(view, facts);
    for (uint8_t i = 0; i < count; i++) {
        text_put(out, ", ");
        words_write_phrase(words, facts[i], out);
    }
}

void game_print_headline(const struct game_view *view, const struct words *words,
                         struct lines *lines)
{
    struct text line = TEXT_OF(LINES_LINE_MAX);
    game_print_write_headline(view, words, &line);
    lines_format(lines, "%s.", line.at);
    print_board(view, words, lines);
}

void game_print_write_badges(const struct game_view *view, const struct words *words, uint8_t seat,
                             struct text *out)
{
    struct phrase badges[FACE_BADGES_MAX];
    uint8_t count = view->game->face->badges(view, seat, badges);
    for (uint8_t i = 0; i < count; i++) {
        text_put(out, i > 0 ? ", " : "");
        words_write_phrase(words, badges[i], out);
    }
}

static void write_slot_cards(const struct words *words, const struct view_slot *slot,
                             struct text *out)
{
    struct text card = TEXT_OF(FACT_BYTES);
    struct text told = TEXT_OF(FACT_BYTES);
    words_write_suit(words, slot->suit, &told);
    if (slot->value != 0) {
        text_put(&told, told.len > 0 ? " " : "");
        text_put_number(&told, slot->value);
    }
    if (slot->is_empty) {
        text_put(out, _("gone"));
    } else if (slot->card == CARD_NONE) {
        text_put(out, told.len > 0 ? told.at : _("unknown"));
    } else if (told.len == 0) {
        words_write_card(words, slot->card, out);
    } else {
        words_write_card(words, slot->card, &card);
        text_format(out, _("%s (told: %s)"), card.at, told.at);
    }
}

void game_print_write_slot(const struct words *words, const struct view_slot *slot,
                           struct text *out)
{
    struct text shown = TEXT_OF(FACT_BYTES * 3);
    write_slot_cards(words, slot, &shown);
    text_format(out, slot->is_traded && !slot->is_empty ? _("%s (traded)") : "%s", shown.at);
}

static bool is_known(const struct view_slot *slot)
{
    return !slot->is_empty && (slot->card != CARD_NONE || slot->suit != SUIT_NONE ||
                               slot->value != 0 || slot->is_traded);
}

void game_print_open_hand(const struct game_view *view, const struct words *words, uint8_t seat,
                          struct lines *lines)
{
    struct text line = TEXT_OF(LINES_LINE_MAX);
    struct text name = TEXT_OF(FACT_BYTES);
    bool has_places = view->game->face->keeps_slots;
    int hidden = 0;
    for (uint8_t i = 0; i < view->slot_count[seat]; i++) {
        const struct view_slot *slot = &view->hands[seat][i];
        hidden += !slot->is_empty && !is_known(slot) ? 1 : 0;
        if (slot->is_empty || !is_known(slot)) {
            continue;
        }
        put_between(&line, ", ");
        if (has_places) {
            text_put_number(&line, i + 1);
            text_put_char(&line, ' ');
        }
        game_print_write_slot(words, slot, &line);
    }
    bool has_open = line.len > 0;
    if (hidden > 0) {
        put_fact(&line, ngettext("%d card hidden", "%d cards hidden", (unsigned long)hidden),
                 hidden);
    }
    if (has_open) {
        words_write_seat(words, seat, &name);
        lines_format(lines, _("Cards of %s: %s."), name.at, line.at);
    }
}

static void print_seat(const struct game_view *view, const struct words *words, uint8_t seat,
                       struct lines *lines)
{
    struct text name = TEXT_OF(FACT_BYTES);
    game_print_write_name(words, seat, &name);
    struct text badges = TEXT_OF(FACT_BYTES * FACE_BADGES_MAX);
    game_print_write_badges(view, words, seat, &badges);
    struct text line = TEXT_OF(LINES_LINE_MAX);
    if (view->has_bids && view->bids[seat] != BID_NONE) {
        put_fact(&line, _("bid %d"), view->bids[seat]);
    } else if (view->has_bids) {
        text_put(&line, _("no bid yet"));
    }
    put_fact(&line, _("tricks %d"), view->tricks[seat]);
    put_fact(&line, _("score %d"), view->scores[seat]);
    put_between(&line, badges.at[0] != '\0' ? ", " : "");
    text_put(&line, badges.at);
    lines_format(lines, "%s: %s.", name.at, line.at);
    if (view->seat != (int)seat) {
        game_print_open_hand(view, words, seat, lines);
    }
}

void game_print_seats(const struct game_view *view, const struct words *words, struct lines *lines)
{
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        print_seat(view, words, seat, lines);
    }
}

void game_print_trick(const struct game_view *view, const struct words *words, struct lines *lines)
{
    struct text line = TEXT_OF(LINES_LINE_MAX);
    for (uint8_t i = 0; i < view->trick.count; i++) {
        put_between(&line, ", ");
        words_write_seat(words, view->trick.plays[i].seat, &line);
        text_put_char(&line, ' ');
        words_write_card(words, view->trick.plays[i].card, &line);
    }
    if (line.len > 0) {
        lines_format(lines, _("In the trick: %s."), line.at);
    }
}

void game_print_hand(const struct game_view *view, const struct words *words, struct lines *lines)
{
    struct text line = TEXT_OF(LINES_LINE_MAX);
    uint8_t slots[SLOTS_MAX];
    if (view->seat == SPECTATOR) {
        return;
    }
    uint8_t count = typed_order_slots(view, slots);
    for (uint8_t place = 0; place < count; place++) {
        const struct view_slot *slot = &view->hands[view->seat][slots[place]];
        if (slot->is_empty) {
            continue;
        }
        put_between(&line, ", ");
        text_put_number(&line, place + 1);
        text_put_char(&line, ' ');
        game_print_write_slot(words, slot, &line);
    }
    if (line.len > 0) {
        lines_format(lines, _("Your cards: %s."), line.at);
    }
}

static void print_awaited_players(const struct game_view *view, const struct words *words,
                                  struct lines *lines)
{
    struct text line = TEXT_OF(LINES_LINE_MAX);
    words_write_seats(words, view->to_act, &line);
    if (line.len > 0) {
        lines_format(lines, _("Waiting for %s."), line.at);
    }
}

void game_print_turn(const struct game_view *view, const struct words *words, struct lines *lines)
{
    struct text line = TEXT_OF(LINES_LINE_MAX);
    if (!view_viewer_may_move(view)) {
        print_awaited_players(view, words, lines);
        return;
    }
    struct phrase prompt = view->game->face->prompt(view);
    words_write_phrase(words, prompt, &line);
    lines_format(lines, _("Your turn: %s."), line.at);
    typed_print_options(view, words, lines);
}

void game_print_score(const struct score_row *row, const struct game_view *view,
                      const struct words *words, struct lines *lines)
{
    lines_format(lines, _("Round %u is over."), row->round);
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        struct text name = TEXT_OF(FACT_BYTES);
        game_print_write_name(words, seat, &name);
        struct phrase why = view->game->face->explain(row, seat);
        struct text line = TEXT_OF(LINES_LINE_MAX);
        words_write_phrase(words, why, &line);
        lines_format(lines, _("%s: %s. Points %+d, total %d."), name.at, line.at, row->points[seat],
                     row->totals[seat]);
    }
}

void game_print_all(const struct game_view *view, const struct words *words, struct lines *lines)
{
    game_print_headline(view, words, lines);
    game_print_seats(view, words, lines);
    game_print_trick(view, words, lines);
    if (!view_viewer_may_move(view)) { /* otherwise the turn's text says it */
        game_print_hand(view, words, lines);
    }
    if (view->phase != PHASE_OVER) {
        game_print_turn(view, words, lines);
    }
}
