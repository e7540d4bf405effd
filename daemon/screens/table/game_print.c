#include "daemon/screens/table/table.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/draw.h"
#include "games/card.h"
#include "games/face.h"

#include <string.h>

#define FACT_BYTES 400
/* maximum number of new cards in a hand that the story tells; if there are more, all hands are
 * printed */
#define CHANGES_MAX 4

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
    struct face_fact facts[BOARD_FACTS_MAX];
    struct text line = TEXT_OF(LINES_LINE_MAX);
    uint8_t count = view->phase == PHASE_OVER ? 0 : board_collect_facts(view, words, facts);
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

static const char *write_headline(const struct game_view *view, const struct words *words,
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
    lines_format(lines, "%s.", write_headline(view, words, &TEXT_OF(LINES_LINE_MAX)));
    print_board_facts(view, words, lines);
}

static const char *write_badges(const struct game_view *view, const struct words *words,
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
    } else if (slot->card == CARD_NONE && clue.len == 0) {
        text_put(out, _("unknown"));
    } else if (slot->card == CARD_NONE) {
        text_format(out, _("unknown %s"), clue.at);
    } else if (clue.len == 0) {
        words_write_card(words, slot->card, out);
    } else if (slot->suit != SUIT_NONE && slot->value != 0) {
        text_format(out, _("%s (told)"), words_write_card(words, slot->card, &TEXT_OF(FACT_BYTES)));
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

/* Prints another player's cards, as far as the view contains them. */
static void print_open_hand(const struct game_view *view, const struct words *words, uint8_t seat,
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
    const char *badges = write_badges(view, words, seat, &TEXT_OF(FACT_BYTES * FACE_BADGES_MAX));
    bool is_before_bids = face_is_before_bids(view);
    if (view->has_bids && view->bids[seat] != BID_NONE) {
        text_format_list_item(&facts, _("bid %d"), view->bids[seat]);
    } else if (view->has_bids && !is_before_bids) {
        text_put(&facts, _("no bid yet"));
    }
    if (!is_before_bids) {
        text_format_list_item(&facts, _("tricks %d"), view->tricks[seat]);
    }
    text_format_list_item(&facts, _("score %d"), view->scores[seat]);
    if (view->game->face->beside_score != NULL &&
        view->game->face->beside_score(view, seat).format != NULL) {
        text_format_list_item(&facts, "%s",
                              words_write_phrase(words, view->game->face->beside_score(view, seat),
                                                 &TEXT_OF(FACT_BYTES)));
    }
    if (badges[0] != '\0') {
        text_format_list_item(&facts, "%s", badges);
    }
    lines_format(lines, "%s: %s.", game_print_write_name(words, seat, &TEXT_OF(FACT_BYTES)),
                 facts.at);
    if (view->seat != (int)seat && !view->game->face->badges_tell_open_cards) {
        print_open_hand(view, words, seat, lines);
    }
}

void game_print_seats(const struct game_view *view, const struct words *words, struct lines *lines)
{
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        print_seat(view, words, seat, lines);
    }
}

void game_print_standing(const struct game_view *view, const struct words *words,
                         struct lines *lines)
{
    game_print_headline(view, words, lines);
    if (view->seat != SPECTATOR) {
        print_seat(view, words, (uint8_t)view->seat, lines);
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
        struct text prompt = TEXT_OF(LINES_LINE_MAX);
        words_write_phrase(words, view->game->face->prompt(view), &prompt);
        bool is_question = prompt.len > 0 && prompt.at[prompt.len - 1] == '?';
        lines_format(lines, is_question ? _("Your turn: %s") : _("Your turn: %s."), prompt.at);
        typed_print_possible_moves(view, words, lines);
    } else if (view->to_act != 0) {
        lines_format(lines, _("Waiting for %s (%s)."),
                     words_write_seats(words, view->to_act, &TEXT_OF(LINES_LINE_MAX)),
                     _(face_describe_turn(view, bits_index_of_lowest(view->to_act))));
    }
}

void game_print_story_lines(const struct story *story, uint8_t first, uint8_t end,
                            const struct words *words, struct lines *lines)
{
    for (uint8_t i = first; i < end; i++) {
        struct text text = TEXT_OF(LINES_LINE_MAX);
        lines_format(lines, "%s.", words_write_phrase(words, story->lines[i].words, &text));
    }
}

void game_print_score(const struct score_row *row, const struct game_view *view,
                      const struct words *words, struct lines *lines)
{
    struct story story;
    story_tell_points(view->game, row, view->seats, &story);
    /* after the heading, a line for each seat: the viewer's is printed first */
    uint8_t first = (uint8_t)(1 + (words->you > 0 ? words->you : 0));
    game_print_story_lines(&story, 0, 1, words, lines);
    game_print_story_lines(&story, first, story.count, words, lines);
    game_print_story_lines(&story, 1, first, words, lines);
}

/* The number of cards in a hand of which the later view shows more than the earlier one. */
static int count_new_cards(const struct game_view *before, const struct game_view *now,
                           uint8_t seat)
{
    int count = 0;
    for (uint8_t i = 0; i < now->slot_count[seat]; i++) {
        const struct view_slot *slot = &now->hands[seat][i];
        count += !slot->is_empty && slot->card != before->hands[seat][i].card;
    }
    return count;
}

void game_print_new_hands(const struct game_view *before, const struct game_view *now,
                          const struct words *words, struct lines *lines)
{
    bool is_deal = before->round != now->round;
    for (uint8_t seat = 0; seat < now->seats; seat++) {
        is_deal |= count_new_cards(before, now, seat) > CHANGES_MAX;
    }
    for (uint8_t seat = 0; seat < now->seats && is_deal; seat++) {
        if (now->seat != (int)seat) {
            print_open_hand(now, words, seat, lines);
        }
    }
    if (is_deal && !view_viewer_may_move(now)) { /* the viewer's hand is left out during the
                                                    viewer's turn: then it is printed with the
                                                    possible moves */
        game_print_hand(now, words, lines);
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
