#include "daemon/screens/table/table.h"

#include "daemon/screens/drawing/draw.h"

#define LINE_MAX_BYTES 400

bool open_hand_is_shown(const struct scene *scene, uint8_t seat)
{
    const struct game_view *view = scene->view;
    if (view->seat == (int)seat && !scene->is_open) {
        return false; /* the viewer's own hand is drawn large at the bottom */
    }
    if (view->game->face->badges_tell_open_cards && !scene->is_open) {
        return false;
    }
    bool has_known = false, has_played = false, has_cards = false;
    for (uint8_t i = 0; i < view->slot_count[seat]; i++) {
        const struct view_slot *slot = &view->hands[seat][i];
        has_known |= card_in_slot_is_known(slot);
        has_played |= slot->is_empty;
        has_cards |= !slot->is_empty;
    }
    /* A hand whose places matter stays in sight when its last known card has been played. */
    return has_known || (view->game->face->keeps_slots && has_played && has_cards);
}

/* Adds the slot of a column's top card, and the number of cards below that card; for an empty
 * column, its lowest slot. */
static void add_top_of_column(const struct game_view *view, uint8_t column, uint8_t column_count,
                              struct open_hand *hand)
{
    uint8_t held = 0;
    uint8_t top = column;
    for (uint8_t slot = column; slot < view->slot_count[hand->seat];
         slot = (uint8_t)(slot + column_count)) {
        bool is_held = !view->hands[hand->seat][slot].is_empty;
        top = is_held ? slot : top;
        held = (uint8_t)(held + is_held);
    }
    hand->under[hand->count] = held > 0 ? (uint8_t)(held - 1) : 0;
    hand->slots[hand->count++] = top;
}

/* Chooses by the deck's widest card, so that a hand keeps its form while its cards change. */
static enum open_hand_form choose_form(const struct scene *scene, uint8_t card_count, int width,
                                       int rows)
{
    struct card_widths widths;
    if (!scene->view->game->face->spells_suits) {
        return OPEN_HAND_SHORT;
    }
    card_measure_widths(&scene->words, &widths);
    int card = widths.of[FACE_LONG] + 1; /* with its sign */
    return card_count * (card + 1) - 1 <= width      ? OPEN_HAND_NAMED
           : rows >= card_count && 2 + card <= width ? OPEN_HAND_LIST
                                                     : OPEN_HAND_SHORT;
}

struct open_hand open_hand_collect(const struct scene *scene, uint8_t seat, int width, int rows)
{
    const struct game_view *view = scene->view;
    const struct game_face *face = view->game->face;
    struct open_hand hand = {.seat = seat};
    bool keeps_slots = false;
    uint8_t slots[SLOTS_MAX];
    if (!open_hand_is_shown(scene, seat)) {
        return hand;
    }
    uint8_t columns = face->columns != NULL ? face->columns(view, seat) : 0;
    uint8_t count = columns == 0 ? hand_order_slots(view, seat, &keeps_slots, slots) : 0;
    for (uint8_t i = 0; i < count; i++) {
        /* Hidden cards are worth showing only in games in which their places matter. */
        if (face->keeps_slots || card_in_slot_is_known(&view->hands[seat][slots[i]])) {
            hand.slots[hand.count++] = slots[i];
        }
    }
    for (uint8_t column = 0; column < columns && column < view->slot_count[seat]; column++) {
        add_top_of_column(view, column, columns, &hand);
    }
    hand.form = choose_form(scene, hand.count, width, rows);
    return hand;
}

static void write_name_of_card(const struct words *words, const struct open_hand *hand,
                               const struct view_slot *slot, struct text *out)
{
    struct card_face face;
    if (hand->form == OPEN_HAND_SHORT) {
        card_write_hand_card(words, slot, out);
    } else {
        card_make_face(words, slot, &face);
        card_write_face(words, &face, FACE_LONG, out);
    }
}

static void write_card(const struct scene *scene, const struct open_hand *hand, uint8_t place,
                       struct text *out)
{
    uint8_t index = hand->slots[place];
    const struct view_slot *slot = &scene->view->hands[hand->seat][index];
    if (hand->form == OPEN_HAND_LIST) {
        text_format(out, "%u ", index + 1U);
    }
    if (slot->is_empty) {
        text_put(out, theme_glyph_text(scene->words.theme, GLYPH_DOT));
    } else if ((scene->lit[hand->seat] >> index & 1) != 0) {
        struct text name = TEXT_OF(LINE_MAX_BYTES);
        struct words plain = scene->words;
        plain.is_plain = true;
        write_name_of_card(&plain, hand, slot, &name);
        draw_put_styled(out, STYLE_SELECTED, name.at);
    } else {
        write_name_of_card(&scene->words, hand, slot, out);
    }
    if (hand->under[place] > 0) {
        text_format(out, "+%u", hand->under[place]);
    }
}

static const char *choose_sign(const struct scene *scene, const struct open_hand *hand,
                               uint8_t place)
{
    return card_choose_slot_mark(&scene->words,
                                 &scene->view->hands[hand->seat][hand->slots[place]]);
}

/* Returns how many columns each card gets, without its sign, so that the cards keep their places
 * when some are played; 0 if cards are written closely. Cards whose places do not matter are,
 * unless they have full names. */
static int measure_cells(const struct scene *scene, const struct open_hand *hand)
{
    struct card_widths widths;
    const struct game_face *face = scene->view->game->face;
    if ((!face->spells_suits && !face->keeps_slots) || hand->form == OPEN_HAND_LIST) {
        return 0;
    }
    card_measure_widths(&scene->words, &widths);
    return widths.of[hand->form == OPEN_HAND_NAMED ? FACE_LONG : FACE_HAND];
}

/* Returns the columns that a card needs in its row, with its sign. In a row of cells it is a whole
 * cell, even for a narrow sign such as that of a played card: the same cards stay in the row when
 * some are played. */
static int measure_needed_columns(const char *card, const char *sign, int cell)
{
    int width = draw_measure_text(card) + draw_measure_text(sign);
    return cell > 0 && width < cell + 1 ? cell + 1 : width;
}

/* Writes as many cards, from place `first_place` up to the one before `end_place`, as the width
 * allows; returns the place of the first card that was not written. Between two cards stands the
 * sign of the first one, or a blank, and in the form with names one more blank. */
static uint8_t write_cards_that_fit(const struct scene *scene, const struct open_hand *hand,
                                    uint8_t first_place, uint8_t end_place, int width,
                                    struct text *out)
{
    const char *sign = "";
    int cell = measure_cells(scene, hand);
    uint8_t at = first_place;
    for (; at < end_place; at++) {
        struct text buffer = TEXT_OF(LINE_MAX_BYTES), card = TEXT_OF(LINE_MAX_BYTES);
        const char *next = choose_sign(scene, hand, at);
        text_format(&buffer, "%s%s", sign, at > first_place && sign[0] == '\0' ? " " : "");
        text_put(&buffer, at > first_place && hand->form == OPEN_HAND_NAMED ? " " : "");
        write_card(scene, hand, at, &card);
        bool fits = draw_measure_text(out->at) + draw_measure_text(buffer.at) +
                        measure_needed_columns(card.at, next, cell) <=
                    width;
        if (at > first_place && (!fits || hand->form == OPEN_HAND_LIST)) {
            break;
        }
        int blanks = cell - draw_measure_text(card.at);
        bool is_sign_first = next[0] != '\0'; /* the sign stays at its card */
        text_format(out, "%s%s", buffer.at, card.at);
        if (blanks > 0) {
            text_format(out, "%s%*s", next, blanks - (is_sign_first ? 1 : 0), "");
            sign = is_sign_first ? " " : "";
        } else {
            sign = next;
        }
    }
    text_put(out, cell > 0 && sign[0] == '\0' ? " " : sign);
    return at;
}

uint8_t open_hand_write_row(const struct scene *scene, const struct open_hand *hand,
                            uint8_t first_place, int width, struct text *out)
{
    const struct game_def *game = scene->view->game;
    uint8_t end = write_cards_that_fit(scene, hand, first_place, hand->count, width,
                                       &TEXT_OF(LINE_MAX_BYTES * 2));
    if (end < hand->count && game->face->order != NULL && !game->face->keeps_slots) {
        end = hand_choose_line_break(scene->view->hands[hand->seat], game->deck, hand->slots,
                                     hand->count, first_place, end);
    }
    return write_cards_that_fit(scene, hand, first_place, end, width, out);
}

int open_hand_count_rows(const struct scene *scene, const struct open_hand *hand, int width)
{
    int rows = 0;
    for (uint8_t from = 0; from < hand->count; rows++) {
        from = open_hand_write_row(scene, hand, from, width, &TEXT_OF(LINE_MAX_BYTES * 2));
    }
    return rows;
}

int open_hand_measure_row(const struct scene *scene, const struct open_hand *hand)
{
    struct card_widths widths;
    card_measure_widths(&scene->words, &widths);
    return scene->view->game->face->keeps_slots ? hand->count * (widths.of[FACE_HAND] + 1) : 0;
}
