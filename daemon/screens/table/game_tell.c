#include "daemon/screens/table/game_tell.h"

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

void game_tell_put_name(const struct words *words, uint8_t seat, struct text *out)
{
    if (words_is_own_seat(words, seat)) {
        text_put(out, _("You"));
    } else {
        words_write_seat(words, seat, out);
    }
}

static void tell_board(const struct game_view *view, const struct words *words, struct lines *lines)
{
    struct face_fact facts[FACE_BOARD_MAX];
    char line[LINES_LINE_MAX];
    struct text text = text_init(line, sizeof(line));
    if (view->game->face->board == NULL || view->phase == PHASE_OVER) {
        return;
    }
    uint8_t count = view->game->face->board(view, facts);
    for (uint8_t i = 0; i < count; i++) {
        bool is_labelled = i == 0 || strcmp(facts[i].label, facts[i - 1].label) != 0;
        put_between(&text, ", ");
        text_put(&text, is_labelled ? _(facts[i].label) : "");
        text_put(&text, is_labelled ? " " : "");
        words_write_phrase(words, &facts[i].value, &text);
    }
    if (text.len > 0) {
        lines_format(lines, _("On the table: %s."), line);
    }
}

void game_tell_put_head(const struct game_view *view, const struct words *words, struct text *out)
{
    struct phrase facts[FACE_HEADLINE_MAX];
    text_put(out, _(view->game->title));
    put_fact(out, view->rounds > 0 ? _("round %u of %u") : _("round %u"), view->round,
             view->rounds);
    uint8_t count = view->game->face->headline(view, facts);
    for (uint8_t i = 0; i < count; i++) {
        text_put(out, ", ");
        words_write_phrase(words, &facts[i], out);
    }
}

void game_tell_head(const struct game_view *view, const struct words *words, struct lines *lines)
{
    char line[LINES_LINE_MAX];
    struct text text = text_init(line, sizeof(line));
    game_tell_put_head(view, words, &text);
    lines_format(lines, "%s.", line);
    tell_board(view, words, lines);
}

void game_tell_put_badges(const struct game_view *view, const struct words *words, uint8_t seat,
                          struct text *out)
{
    struct phrase badges[FACE_BADGES_MAX];
    uint8_t count = view->game->face->badges(view, seat, badges);
    for (uint8_t i = 0; i < count; i++) {
        text_put(out, i > 0 ? ", " : "");
        words_write_phrase(words, &badges[i], out);
    }
}

static void slot_write(const struct words *words, const struct view_slot *slot, struct text *out)
{
    char told[FACT_BYTES], card[FACT_BYTES];
    struct text name = text_init(card, sizeof(card));
    struct text clue = text_init(told, sizeof(told));
    words_write_suit(words, slot->suit, &clue);
    if (slot->value != 0) {
        text_put(&clue, clue.len > 0 ? " " : "");
        text_put_number(&clue, slot->value);
    }
    if (slot->is_empty) {
        text_put(out, _("gone"));
    } else if (slot->card == CARD_NONE) {
        text_put(out, clue.len > 0 ? told : _("unknown"));
    } else if (clue.len == 0) {
        words_write_card(words, slot->card, out);
    } else {
        words_write_card(words, slot->card, &name);
        text_format(out, _("%s (told: %s)"), card, told);
    }
}

void game_tell_put_slot(const struct words *words, const struct view_slot *slot, struct text *out)
{
    char shown[FACT_BYTES * 3];
    struct text text = text_init(shown, sizeof(shown));
    slot_write(words, slot, &text);
    text_format(out, slot->is_traded && !slot->is_empty ? _("%s (traded)") : "%s", shown);
}

static bool is_known(const struct view_slot *slot)
{
    return !slot->is_empty && (slot->card != CARD_NONE || slot->suit != SUIT_NONE ||
                               slot->value != 0 || slot->is_traded);
}

void game_tell_open_hand(const struct game_view *view, const struct words *words, uint8_t seat,
                         struct lines *lines)
{
    char line[LINES_LINE_MAX];
    char name[FACT_BYTES];
    struct text text = text_init(line, sizeof(line));
    struct text who = text_init(name, sizeof(name));
    bool has_places = view->game->face->keeps_slots;
    int hidden = 0;
    for (uint8_t i = 0; i < view->slot_count[seat]; i++) {
        const struct view_slot *slot = &view->hands[seat][i];
        hidden += !slot->is_empty && !is_known(slot) ? 1 : 0;
        if (slot->is_empty || !is_known(slot)) {
            continue;
        }
        put_between(&text, ", ");
        if (has_places) {
            text_put_number(&text, i + 1);
            text_put_char(&text, ' ');
        }
        game_tell_put_slot(words, slot, &text);
    }
    bool has_open = text.len > 0;
    if (hidden > 0) {
        put_fact(&text, ngettext("%d card hidden", "%d cards hidden", (unsigned long)hidden),
                 hidden);
    }
    if (has_open) {
        words_write_seat(words, seat, &who);
        lines_format(lines, _("Cards of %s: %s."), name, line);
    }
}

static void tell_seat(const struct game_view *view, const struct words *words, uint8_t seat,
                      struct lines *lines)
{
    char name[FACT_BYTES];
    char line[LINES_LINE_MAX];
    char badges[FACT_BYTES * FACE_BADGES_MAX];
    struct text text = text_init(name, sizeof(name));
    game_tell_put_name(words, seat, &text);
    text = text_init(badges, sizeof(badges));
    game_tell_put_badges(view, words, seat, &text);
    text = text_init(line, sizeof(line));
    if (view->has_bids && view->bids[seat] != BID_NONE) {
        put_fact(&text, _("bid %d"), view->bids[seat]);
    } else if (view->has_bids) {
        text_put(&text, _("no bid yet"));
    }
    put_fact(&text, _("tricks %d"), view->tricks[seat]);
    put_fact(&text, _("score %d"), view->scores[seat]);
    put_between(&text, badges[0] != '\0' ? ", " : "");
    text_put(&text, badges);
    lines_format(lines, "%s: %s.", name, line);
    if (view->seat != (int)seat) {
        game_tell_open_hand(view, words, seat, lines);
    }
}

void game_tell_seats(const struct game_view *view, const struct words *words, struct lines *lines)
{
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        tell_seat(view, words, seat, lines);
    }
}

void game_tell_trick(const struct game_view *view, const struct words *words, struct lines *lines)
{
    char line[LINES_LINE_MAX];
    struct text text = text_init(line, sizeof(line));
    for (uint8_t i = 0; i < view->trick.count; i++) {
        put_between(&text, ", ");
        words_write_seat(words, view->trick.plays[i].seat, &text);
        text_put_char(&text, ' ');
        words_write_card(words, view->trick.plays[i].card, &text);
    }
    if (text.len > 0) {
        lines_format(lines, _("In the trick: %s."), line);
    }
}

void game_tell_hand(const struct game_view *view, const struct words *words, struct lines *lines)
{
    char line[LINES_LINE_MAX];
    struct text text = text_init(line, sizeof(line));
    uint8_t slots[SLOTS_MAX];
    if (view->seat == SPECTATOR) {
        return;
    }
    uint8_t count = typed_places(view, slots);
    for (uint8_t place = 0; place < count; place++) {
        const struct view_slot *slot = &view->hands[view->seat][slots[place]];
        if (slot->is_empty) {
            continue;
        }
        put_between(&text, ", ");
        text_put_number(&text, place + 1);
        text_put_char(&text, ' ');
        game_tell_put_slot(words, slot, &text);
    }
    if (text.len > 0) {
        lines_format(lines, _("Your cards: %s."), line);
    }
}

static void tell_waiting(const struct game_view *view, const struct words *words,
                         struct lines *lines)
{
    char line[LINES_LINE_MAX];
    struct text text = text_init(line, sizeof(line));
    words_write_seats(words, view->to_act, &text);
    if (text.len > 0) {
        lines_format(lines, _("Waiting for %s."), line);
    }
}

void game_tell_turn(const struct game_view *view, const struct words *words, struct lines *lines)
{
    char line[LINES_LINE_MAX];
    struct text text = text_init(line, sizeof(line));
    if (!view_viewer_may_move(view)) {
        tell_waiting(view, words, lines);
        return;
    }
    struct phrase prompt = view->game->face->prompt(view);
    words_write_phrase(words, &prompt, &text);
    lines_format(lines, _("Your turn: %s."), line);
    typed_tell(view, words, lines);
}

void game_tell_score(const struct score_row *row, const struct game_view *view,
                     const struct words *words, struct lines *lines)
{
    lines_format(lines, _("Round %u is over."), row->round);
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        char name[FACT_BYTES];
        char line[LINES_LINE_MAX];
        struct text text = text_init(name, sizeof(name));
        game_tell_put_name(words, seat, &text);
        struct phrase why = view->game->face->explain(row, seat);
        text = text_init(line, sizeof(line));
        words_write_phrase(words, &why, &text);
        lines_format(lines, _("%s: %s. Points %+d, total %d."), name, line, row->points[seat],
                     row->totals[seat]);
    }
}

void game_tell_all(const struct game_view *view, const struct words *words, struct lines *lines)
{
    game_tell_head(view, words, lines);
    game_tell_seats(view, words, lines);
    game_tell_trick(view, words, lines);
    if (!view_viewer_may_move(view)) { /* otherwise the turn's text says it */
        game_tell_hand(view, words, lines);
    }
    if (view->phase != PHASE_OVER) {
        game_tell_turn(view, words, lines);
    }
}
