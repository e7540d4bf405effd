#include "daemon/screens/table/table.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"

#define TALL_ROWS 5

static const struct special_def *find_special(const struct deck_def *deck, uint8_t card)
{
    uint8_t index = (uint8_t)(card - deck->suit_count * deck->value_count);
    return card != CARD_NONE && index < deck->special_count ? &deck->specials[index] : NULL;
}

const char *card_name_of_special(const struct card_face *face, int width)
{
    bool fits = face->letters[0] == '\0' || draw_measure_text(face->rank) <= width;
    return fits ? face->rank : face->letters;
}

void card_make_face(const struct words *words, const struct view_slot *slot, struct card_face *face)
{
    const struct deck_def *deck = words->game->deck;
    struct text rank = text_init(face->rank, sizeof(face->rank));
    struct text suit = text_init(face->suit, sizeof(face->suit));
    struct text title = text_init(face->title, sizeof(face->title));
    struct text letters = text_init(face->letters, sizeof(face->letters));
    uint8_t suit_index = slot->suit;
    if (slot->card != CARD_NONE) {
        suit_index = card_suit(deck, slot->card);
        words_write_rank(deck, slot->card, &rank);
        const struct special_def *special = find_special(deck, slot->card);
        text_put(&letters, special != NULL && special->letters != NULL ? _(special->letters) : "");
    } else if (slot->value != 0) {
        text_put_number(&rank, slot->value);
    } else {
        text_put(&rank, "?");
    }
    if (slot->card == CARD_NONE && slot->value != 0 && suit_index == SUIT_NONE) {
        text_put(&suit, "?"); /* only the value is known */
        text_put(&title, "?");
    }
    words_write_suit(words, suit_index, &suit);
    if (suit_index < deck->suit_count) {
        const struct suit_def *def = &deck->suits[suit_index];
        if (words->is_plain) {
            text_put(&title, _(def->title));
        } else {
            draw_put_styled(&title, (enum style)(STYLE_TINT + def->tint), _(def->title));
        }
    }
}

static void join_words(const char *first, const char *between, const char *second, struct text *out)
{
    text_put(out, first);
    if (first[0] != '\0' && second[0] != '\0') {
        text_put(out, between);
    }
    text_put(out, second);
}

void card_write_face(const struct words *words, const struct card_face *face, enum card_form form,
                     struct text *out)
{
    if (form == FACE_LONG && !words->game->deck->is_standard) {
        join_words(face->title, " ", face->rank, out);
    } else {
        join_words(face->rank, draw_measure_text(face->suit) > 1 ? " " : "", face->suit, out);
    }
}

bool card_in_slot_is_known(const struct view_slot *slot)
{
    return !slot->is_empty && (slot->card != CARD_NONE || slot->suit != SUIT_NONE ||
                               slot->value != 0 || slot->is_traded);
}

const char *card_choose_slot_mark(const struct words *words, const struct view_slot *slot)
{
    if (slot->is_empty) {
        return "";
    }
    if (slot->is_traded) {
        return theme_glyph_text(words->theme, GLYPH_TRADED);
    }
    bool is_suit_told = slot->suit != SUIT_NONE;
    bool is_value_told = slot->value != 0;
    return slot->card == CARD_NONE         ? ""
           : is_suit_told && is_value_told ? "*"
           : is_suit_told                  ? "@"
           : is_value_told                 ? "#"
                                           : "";
}

void card_write_hand_card(const struct words *words, const struct view_slot *slot, struct text *out)
{
    const struct special_def *special = find_special(words->game->deck, slot->card);
    if (special != NULL && special->letters != NULL) {
        words_write_tinted(words, special->tint, _(special->letters), out);
        return;
    }
    struct card_face face;
    card_make_face(words, slot, &face);
    join_words(face.rank, "", face.suit, out);
}

static int int_max(int a, int b)
{
    return a > b ? a : b;
}

/* Increases the widths measured so far where this card's face is wider. */
static void increase_widths_for_card(const struct words *words, uint8_t card, int *rank_width,
                                     int *suit_width, int *title_width)
{
    struct view_slot slot = {.card = card, .suit = SUIT_NONE};
    struct card_face face;
    card_make_face(words, &slot, &face);
    *rank_width = int_max(*rank_width, draw_measure_text(face.rank));
    *suit_width = int_max(*suit_width, draw_measure_text(face.suit));
    *title_width = int_max(*title_width, draw_measure_text(face.title));
}

/* Measures every value once and every suit once: a card with the widest value and the widest suit
 * is the widest. */
void card_measure_widths(const struct words *words, struct card_widths *out)
{
    const struct deck_def *deck = words->game->deck;
    uint8_t first_special = (uint8_t)(deck->suit_count * deck->value_count);
    int rank = 1;
    int suit = 0;
    int title = 0;
    int special = 0;
    int letters = 0;
    for (uint8_t value = 0; value < deck->value_count; value++) {
        increase_widths_for_card(words, value, &rank, &suit, &title);
    }
    for (uint8_t i = 1; i < deck->suit_count; i++) {
        increase_widths_for_card(words, (uint8_t)(i * deck->value_count), &rank, &suit, &title);
    }
    for (uint8_t i = 0; i < deck->special_count; i++) {
        const char *short_name = deck->specials[i].letters;
        increase_widths_for_card(words, (uint8_t)(first_special + i), &special, &suit, &title);
        letters = int_max(letters, short_name != NULL ? draw_measure_text(_(short_name)) : 0);
    }
    int between = suit > 1 ? 1 : 0;
    out->of[FACE_SHORT] = int_max(rank + between + suit, special);
    out->of[FACE_LONG] =
        deck->is_standard ? out->of[FACE_SHORT] : int_max(title + 1 + rank, special);
    out->of[FACE_STACKED] = int_max(int_max(rank, suit), letters);
    out->of[FACE_TITLE] = int_max(title, special);
    out->of[FACE_HAND] = int_max(rank + suit, letters);
}

static void draw_card_edge(const struct canvas *canvas, int row, const struct area *area,
                           enum style style, enum glyph left, enum glyph right)
{
    int last = area->column + area->width - 1;
    draw_glyph(canvas, row, area->column, style, left);
    for (int column = area->column + 1; column < last; column++) {
        draw_glyph(canvas, row, column, style, GLYPH_HORIZONTAL);
    }
    draw_glyph(canvas, row, last, style, right);
}

static void draw_card_frame(const struct canvas *canvas, const struct area *area, enum style style)
{
    int bottom = area->row + area->height - 1;
    draw_card_edge(canvas, area->row, area, style, GLYPH_TOP_LEFT, GLYPH_TOP_RIGHT);
    for (int row = area->row + 1; row < bottom; row++) {
        draw_glyph(canvas, row, area->column, style, GLYPH_VERTICAL);
        draw_glyph(canvas, row, area->column + area->width - 1, style, GLYPH_VERTICAL);
    }
    draw_card_edge(canvas, bottom, area, style, GLYPH_BOTTOM_LEFT, GLYPH_BOTTOM_RIGHT);
}

void card_draw(const struct canvas *canvas, const struct area *area, const struct words *words,
               uint8_t card, enum style frame_style)
{
    draw_card_frame(canvas, area, frame_style);
    if (card == CARD_NONE) {
        return;
    }
    struct view_slot slot = {.card = card, .suit = SUIT_NONE};
    struct card_face face;
    struct text buffer = TEXT_OF(CARD_FACE_TEXT_MAX * 2);
    card_make_face(words, &slot, &face);
    int inner = area->width - 2;
    bool is_named = words->game->face->spells_suits;
    if (face.suit[0] == '\0') {
        text_put(&buffer, card_name_of_special(&face, inner));
    } else if (area->height >= TALL_ROWS) {
        bool has_title = is_named && draw_measure_text(face.title) <= inner;
        draw_text(canvas, area->row + 1, area->column + 2, inner - 1, STYLE_STRONG, face.rank);
        draw_text_right_aligned(canvas, area->row + 3, area->column + 1, inner - 1, STYLE_STRONG,
                                face.rank);
        text_put(&buffer, has_title ? face.title : face.suit);
    } else {
        /* All cards of a trick have the same form. */
        struct card_widths widths;
        card_measure_widths(words, &widths);
        card_write_face(words, &face,
                        is_named && widths.of[FACE_LONG] <= inner ? FACE_LONG : FACE_SHORT,
                        &buffer);
    }
    draw_text_centred(canvas, area->row + area->height / 2, area->column + 1, inner, STYLE_STRONG,
                      buffer.at);
}
