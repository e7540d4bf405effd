#include "daemon/screens/table/game_print.h"

#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/text_format.h"
#include "daemon/screens/table/table_hand.h"
#include "daemon/screens/table/table_typed.h"

#include <string.h>

#define FACT_BYTES 400

const char *game_print_write_name(const struct words *words, uint8_t seat, struct text *out)
{
    if (words_is_own_seat(words, seat)) {
        text_put(out, _("You"));
    } else {
        words_write_seat(words, seat, out);
    }
    return out->at;
}

static void print_board_facts(const struct game_view *view, const struct words *words,
                              struct lines *lines)
{
    struct face_fact facts[FACE_BOARD_MAX];
    struct text line = TEXT_OF(LINES_LINE_MAX);
    if (view->game->face->board == NULL || view->phase == PHASE_OVER) {
        return;
    }
    uint8_t count = view->game->face->board(view, facts);
    for (uint8_t i = 0; i < count; i++) {
        bool is_new = i == 0 || strcmp(facts[i].label, facts[i - 1].label) != 0;
        const char *value = words_write_phrase(words, facts[i].value, &TEXT_OF(FACT_BYTES));
        text_format_list_item(&line, "%s%s%s", is_new ? _(facts[i].label) : "", is_new ? " " : "",
                              value);
    }
    if (line.len > 0) {
        lines_format(lines, _("On the table: %s."), line.at);
    }
}

const char *game_print_write_headline(const struct game_view *view, const struct words *words,
                                      struct text *out)
{
    struct phrase facts[FACE_HEADLINE_MAX];
    uint8_t count = view->game->face->headline(view, facts);
    text_put(out, _(view->game->title));
    text_format_list_item(out, view->rounds > 0 ? _("round %u of %u") : _("round %u"), view->round,
                          view->rounds);
    for (uint8_t i = 0; i < count; i++) {
        text_put(out, ", ");
        words_write_phrase(words, facts[i], out);
    }
    return out->at;
}

void game_print_headline(const struct game_view *view, const struct words *words,
                         struct lines *lines)
{
    lines_format(lines, "%s.", game_print_write_headline(view, words, &TEXT_OF(LINES_LINE_MAX)));
    print_board_facts(view, words, lines);
}

const char *game_print_write_badges(const struct game_view *view, const struct words *words,
                                    uint8_t seat, struct text *out)
{
    struct phrase badges[FACE_BADGES_MAX];
    uint8_t count = view->game->face->badges(view, seat, badges);
    for (uint8_t i = 0; i < count; i++) {
        text_put(out, i > 0 ? ", " : "");
        words_write_phrase(words, badges[i], out);
    }
    return out->at;
}

static const char *describe_card_in_slot(const struct words *words, const struct view_slot *slot,
                                         struct text *out)
{
    struct text clue = TEXT_OF(FACT_BYTES);
    words_write_suit(words, slot->suit, &clue);
    if (slot->value != 0) {
        text_put(&clue, clue.len > 0 ? " " : "");
        text_put_number(&clue, slot->value);
    }
    if (slot->is_empty) {
        text_put(out, _("gone"));
    } else if (slot->card == CARD_NONE) {
        text_put(out, clue.len > 0 ? clue.at : _("unknown"));
    } else if (clue.len == 0) {
        words_write_card(words, slot->card, out);
    } else {
        text_format(out, _("%s (told: %s)"),
                    words_write_card(words, slot->card, &TEXT_OF(FACT_BYTES)), clue.at);
    }
    return out->at;
}

const char *game_print_write_hand_card(const struct words *words, const struct view_slot *slot,
                                       struct text *out)
{
    text_format(out, slot->is_traded && !slot->is_empty ? _("%s (traded)") : "%s",
                describe_card_in_slot(words, slot, &TEXT_OF(FACT_BYTES * 3)));
    return out->at;
}

void game_print_open_hand(const struct game_view *view, const struct words *words, uint8_t seat,
                          struct lines *lines)
{
    struct text line = TEXT_OF(LINES_LINE_MAX);
    int hidden = 0;
    for (uint8_t i = 0; i < view->slot_count[seat]; i++) {
        const struct view_slot *slot = &view->hands[seat][i];
        if (slot->is_empty || !card_in_slot_is_known(slot)) {
            hidden += !slot->is_empty;
            continue;
        }
        text_put(&line, line.len > 0 ? ", " : "");
        if (view->game->face->keeps_slots) {
            text_format(&line, "%d ", i + 1);
        }
        game_print_write_hand_card(words, slot, &line);
    }
    bool has_open = line.len > 0;
    if (hidden > 0) {
        text_format_list_item(
            &line, ngettext("%d card hidden", "%d cards hidden", (unsigned long)hidden), hidden);
    }
    if (has_open) {
        lines_format(lines, _("Cards of %s: %s."),
                     words_write_seat(words, seat, &TEXT_OF(FACT_BYTES)), line.at);
    }
}

static void print_seat(const struct game_view *view, const struct words *words, uint8_t seat,
                       struct lines *lines)
{
    struct text facts = TEXT_OF(LINES_LINE_MAX);
    const char *badges =
        game_print_write_badges(view, words, seat, &TEXT_OF(FACT_BYTES * FACE_BADGES_MAX));
    if (view->has_bids && view->bids[seat] != BID_NONE) {
        text_format_list_item(&facts, _("bid %d"), view->bids[seat]);
    } else if (view->has_bids) {
        text_put(&facts, _("no bid yet"));
    }
    text_format_list_item(&facts, _("tricks %d"), view->tricks[seat]);
    text_format_list_item(&facts, _("score %d"), view->scores[seat]);
    if (badges[0] != '\0') {
        text_format_list_item(&facts, "%s", badges);
    }
    lines_format(lines, "%s: %s.", game_print_write_name(words, seat, &TEXT_OF(FACT_BYTES)),
                 facts.at);
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
        const struct view_play *play = &view->trick.plays[i];
        text_put(&line, i > 0 ? ", " : "");
        words_write_seat(words, play->seat, &line);
        text_put_char(&line, ' ');
        words_write_card(words, play->card, &line);
    }
    if (line.len > 0) {
        lines_format(lines, _("In the trick: %s."), line.at);
    }
}

void game_print_hand(const struct game_view *view, const struct words *words, struct lines *lines)
{
    struct text line = TEXT_OF(LINES_LINE_MAX);
    uint8_t slots[SLOTS_MAX];
    uint8_t count = typed_list_numbered_slots(view, slots);
    for (uint8_t place = 0; place < count; place++) {
        const struct view_slot *slot = &view->hands[view->seat][slots[place]];
        if (!slot->is_empty) {
            text_format_list_item(&line, "%d ", place + 1);
            game_print_write_hand_card(words, slot, &line);
        }
    }
    if (line.len > 0) {
        lines_format(lines, _("Your cards: %s."), line.at);
    }
}

void game_print_turn(const struct game_view *view, const struct words *words, struct lines *lines)
{
    if (view_viewer_may_move(view)) {
        lines_format(
            lines, _("Your turn: %s."),
            words_write_phrase(words, view->game->face->prompt(view), &TEXT_OF(LINES_LINE_MAX)));
        typed_print_possible_moves(view, words, lines);
    } else if (view->to_act != 0) {
        lines_format(lines, _("Waiting for %s."),
                     words_write_seats(words, view->to_act, &TEXT_OF(LINES_LINE_MAX)));
    }
}

void game_print_score(const struct score_row *row, const struct game_view *view,
                      const struct words *words, struct lines *lines)
{
    lines_format(lines, _("Round %u is over."), row->round);
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        struct phrase why = view->game->face->explain(row, seat);
        lines_format(lines, _("%s: %s. Points %+d, total %d."),
                     game_print_write_name(words, seat, &TEXT_OF(FACT_BYTES)),
                     words_write_phrase(words, why, &TEXT_OF(LINES_LINE_MAX)), row->points[seat],
                     row->totals[seat]);
    }
}

void game_print_all(const struct game_view *view, const struct words *words, struct lines *lines)
{
    game_print_headline(view, words, lines);
    game_print_seats(view, words, lines);
    game_print_trick(view, words, lines);
    if (!view_viewer_may_move(view)) { /* the viewer's hand is left out during the viewer's turn:
                                          then it is printed with the possible moves */
        game_print_hand(view, words, lines);
    }
    if (view->phase != PHASE_OVER) {
        game_print_turn(view, words, lines);
    }
}
