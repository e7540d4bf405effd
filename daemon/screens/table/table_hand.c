#include "daemon/screens/table/table.h"

#include "daemon/base/i18n.h"

#include <string.h>

#define TALL_ROWS 5

#define CARD_FACE_TEXT_MAX 160

/* The face of a card, which may be known only in part. */
struct card_face {
    char rank[CARD_FACE_TEXT_MAX];    /* rank or title: "T", "CERBERUS"; "?" if nothing is known */
    char suit[CARD_FACE_TEXT_MAX];    /* the suit's symbol or letters; may be empty */
    char title[CARD_FACE_TEXT_MAX];   /* the suit's full name; may be empty */
    char letters[CARD_FACE_TEXT_MAX]; /* the letters of a special card; otherwise empty */
};

/* Returns the name of a special card: its title, or its letters if the title is wider than `width`
 * columns. */
static const char *name_of_special(const struct card_face *face, int width)
{
    bool fits = face->letters[0] == '\0' || draw_measure_text(face->rank) <= width;
    return fits ? face->rank : face->letters;
}

static void make_face(const struct words *words, const struct view_slot *slot,
                      struct card_face *face)
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
        const struct special_def *special = words_find_special(deck, slot->card);
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

/* Appends the face of a card as one text, in the given form. */
static void write_face(const struct words *words, const struct card_face *face, enum card_form form,
                       struct text *out)
{
    bool is_title_first = form == FACE_LONG && !words->game->deck->is_standard;
    bool has_blank = is_title_first || (form != FACE_HAND && draw_measure_text(face->suit) > 1);
    const char *first = is_title_first ? face->title : face->rank;
    const char *second = is_title_first ? face->rank : face->suit;
    text_put(out, first);
    text_put(out, has_blank && first[0] != '\0' && second[0] != '\0' ? " " : "");
    text_put(out, second);
}

void card_write_edged(const struct words *words, uint8_t card, struct text *out)
{
    const char *edge = theme_glyph_text(words->theme, GLYPH_VERTICAL);
    struct card_face face;
    make_face(words, &(struct view_slot){.card = card, .suit = SUIT_NONE}, &face);
    text_put(out, edge);
    if (face.suit[0] == '\0') {
        text_put(out, name_of_special(&face, 0));
    } else {
        write_face(words, &face, FACE_SHORT, out);
    }
    text_put(out, edge);
}

bool card_in_slot_is_known(const struct view_slot *slot)
{
    return !slot->is_empty && (slot->card != CARD_NONE || slot->suit != SUIT_NONE ||
                               slot->value != 0 || slot->is_traded);
}

/* Returns the sign after a card that the viewer sees in another hand (game_face.card_signs): what
 * the holder was told about it, or that it was traded; "" if neither. */
static const char *card_choose_slot_mark(const struct words *words, const struct view_slot *slot)
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

/* Measures every value once and every suit once: a card with the widest value and the widest suit
 * is the widest. */
void card_measure_widths(const struct words *words, struct card_widths *out)
{
    const struct deck_def *deck = words->game->deck;
    int first_special = deck->suit_count * deck->value_count;
    int rank = 1, suit = 0, title = 0, special = 0, letters = 0;
    for (uint8_t card = 0; card < card_count(deck); card++) {
        struct card_face face;
        bool is_special = card >= first_special;
        if (!is_special && card >= deck->value_count && card % deck->value_count != 0) {
            continue; /* neither the first of its value nor of its suit */
        }
        make_face(words, &(struct view_slot){.card = card, .suit = SUIT_NONE}, &face);
        int *name = is_special ? &special : &rank;
        *name = int_max(*name, draw_measure_text(face.rank));
        suit = int_max(suit, draw_measure_text(face.suit));
        title = int_max(title, draw_measure_text(face.title));
        letters = int_max(letters, draw_measure_text(face.letters));
    }
    int between = suit > 1 ? 1 : 0;
    out->of[FACE_SHORT] = int_max(rank + between + suit, special);
    out->of[FACE_LONG] =
        deck->is_standard ? out->of[FACE_SHORT] : int_max(title + 1 + rank, special);
    out->of[FACE_STACKED] = int_max(int_max(rank, suit), letters);
    out->of[FACE_TITLE] = int_max(title, special);
    out->of[FACE_HAND] = int_max(rank + suit, letters);
}

#define TALL_INNER_MAX 7

/* A card of the hand while it is drawn. */
struct hand_cell {
    struct card_face face;
    enum style style;
    bool is_bracketed;
    enum card_form form;
    int row, column; /* where the card's first line is drawn, inside the frame */
    int inner;       /* its width */
    int lines;
};

/* Returns the position of a card in a sorted hand. A standard deck's suits are sorted as spades,
 * hearts, clubs, diamonds, so that colours alternate. Other decks keep their own order of suits.
 * Special cards come last. Within a suit, high cards come first. */
static int compute_sort_position(const struct deck_def *deck, uint8_t card)
{
    int suit = card_suit(deck, card);
    if (suit == SUIT_NONE) {
        return 100 * deck->suit_count + card;
    }
    if (deck->is_standard && suit >= 2) {
        suit = 5 - suit;
    }
    return 100 * suit - card_value(deck, card) + 50;
}

uint8_t hand_order_slots(const struct game_view *view, uint8_t seat, bool *keeps_slots,
                         uint8_t slots[SLOTS_MAX])
{
    const struct view_slot *hand = view->hands[seat];
    uint8_t count = 0;
    bool is_sorted = view->phase != PHASE_OVER && view->game->phases[view->phase].is_sorted;
    *keeps_slots |= view_tells_slots(view) && !is_sorted;
    for (uint8_t i = 0; i < view->slot_count[seat]; i++) {
        bool is_marked = hand[i].card == CARD_NONE || hand[i].is_traded ||
                         hand[i].suit != SUIT_NONE || hand[i].value != 0;
        *keeps_slots |= !hand[i].is_empty && is_marked;
    }
    for (uint8_t i = 0; i < view->slot_count[seat]; i++) {
        if (*keeps_slots) {
            slots[count++] = i;
            continue;
        }
        if (hand[i].is_empty) {
            continue;
        }
        int place = compute_sort_position(view->game->deck, hand[i].card);
        uint8_t at = count++;
        while (at > 0 &&
               compute_sort_position(view->game->deck, hand[slots[at - 1]].card) > place) {
            slots[at] = slots[at - 1];
            at--;
        }
        slots[at] = i;
    }
    return count;
}

static int count_cards_per_line(const struct hand_plan *plan, int width)
{
    int per_line = width / (plan->inner + 3);
    return per_line > 0 ? per_line : 1;
}

/* Returns the width of a bracketed card in a row without frames, where rank and suit stand close:
 * "[1Ro]". */
static int measure_row_card(const struct words *words, const struct card_widths *widths)
{
    int blank = 0;
    for (uint8_t suit = 0; suit < words->game->deck->suit_count; suit++) {
        blank |= draw_measure_text(words_write_suit(words, suit, &TEXT_OF(CARD_FACE_TEXT_MAX))) > 1;
    }
    return widths->of[FACE_SHORT] - blank + 2;
}

static int count_unframed_rows(const struct hand_plan *plan, int slot_count, int width)
{
    int per_line = count_cards_per_line(plan, width);
    return slot_count == 0 ? 1 : (slot_count + per_line - 1) / per_line;
}

/* True if pointing at some card of the hand makes a move in this phase, now or at the next turn. */
static bool is_any_card_pointed_at(const struct game_view *view)
{
    for (uint8_t slot = 0; slot < view->slot_count[view->seat]; slot++) {
        if (view->game->face->point(view, slot) != MOVE_NONE) {
            return true;
        }
    }
    return false;
}

static void plan_unframed_hand(const struct game_view *view, const struct words *words,
                               const struct card_widths *widths, int width, bool keeps_slots,
                               struct hand_plan *plan)
{
    memset(plan, 0, sizeof(*plan));
    plan->keeps_slots = keeps_slots;
    plan->style = HAND_LINES;
    plan->form = FACE_SHORT;
    plan->lines = 1;
    plan->inner = widths->of[FACE_SHORT] + 2;
    plan->count = hand_order_slots(view, (uint8_t)view->seat, &plan->keeps_slots, plan->slots);
    /* Where places matter, sentences name them by the same numbers. */
    plan->has_no_keys = !plan->keeps_slots && !is_any_card_pointed_at(view);
    int slots = view->slot_count[view->seat];
    plan->rows = count_unframed_rows(plan, slots, width);
    int spare = width - 1 - slots * measure_row_card(words, widths);
    struct hand_plan named = *plan;
    named.form = FACE_LONG;
    named.inner = widths->of[FACE_LONG] + 2;
    if (view->game->face->spells_suits && count_unframed_rows(&named, slots, width) == plan->rows) {
        *plan = named; /* full names need no row more */
    } else if (view_tells_slots(view) && plan->rows > 1 && spare >= 0) {
        plan->style = HAND_ROW;
        plan->form = FACE_HAND;
        plan->inner = measure_row_card(words, widths) + (spare >= slots ? 1 : 0);
        plan->rows = 2;
    }
}

void hand_make_plans(const struct game_view *view, const struct words *words, int width,
                     bool keeps_slots, bool is_tall, struct hand_plans *plans)
{
    memset(plans, 0, sizeof(*plans));
    if (view->seat == SPECTATOR) {
        return;
    }
    struct card_widths widths;
    card_measure_widths(words, &widths);
    plan_unframed_hand(view, words, &widths, width, keeps_slots, &plans->lines);
    plans->framed = plans->lines;
    bool is_named = !view->game->deck->is_standard, is_spelled = view->game->face->spells_suits;
    const struct {
        bool is_wanted;
        enum card_form form;
        int lines, inner;
    } frames[] = {
        {is_tall && is_spelled, FACE_TITLE, 3, widths.of[FACE_TITLE] + 4},
        {is_tall && !is_spelled && widths.of[FACE_STACKED] + 4 <= TALL_INNER_MAX, FACE_STACKED, 3,
         widths.of[FACE_STACKED] + 4},
        {is_named, FACE_LONG, 1, widths.of[FACE_LONG] + 2},
        {true, FACE_SHORT, 1, widths.of[FACE_SHORT] + 4},
        {true, FACE_SHORT, 1, widths.of[FACE_SHORT] + 2},
        {true, FACE_STACKED, 2, widths.of[FACE_STACKED] + 2},
    };
    for (size_t i = 0; i < ARRAY_LEN(frames); i++) {
        if (frames[i].is_wanted &&
            view->slot_count[view->seat] * (frames[i].inner + 1) + 1 <= width) {
            plans->framed.style = HAND_FRAMED;
            plans->framed.form = frames[i].form;
            plans->framed.lines = frames[i].lines;
            plans->framed.inner = frames[i].inner;
            plans->framed.rows = 1 + frames[i].lines + 2;
            return;
        }
    }
}

static const char keys[] = "1234567890ABCDE";

char hand_keyboard_key_of_place(int place)
{
    return keys[place < SLOTS_MAX ? place : SLOTS_MAX - 1];
}

int hand_place_of_keyboard_key(uint32_t key)
{
    const char *found = key > 0 && key < 128 ? strchr(keys, (int)key) : NULL;
    return found == NULL ? -1 : (int)(found - keys);
}

/* Returns the distance between the left edges of two neighbouring cards in one row; frames need a
 * column. */
static int compute_distance_of_cards(const struct hand_plan *plan)
{
    return plan->inner + (plan->style == HAND_ROW ? 0 : 1);
}

static int compute_left_column_of_hand(const struct area *area, const struct hand_plan *plan,
                                       int slot_count)
{
    int width = slot_count * compute_distance_of_cards(plan) + 1;
    return area->column + (area->width > width ? (area->width - width) / 2 : 0);
}

struct area hand_find_cell(const struct area *area, const struct hand_plan *plan, int place,
                           int slot_count)
{
    int left = compute_left_column_of_hand(area, plan, slot_count);
    int per_line = count_cards_per_line(plan, area->width);
    if (plan->style == HAND_LINES) {
        return (struct area){area->row + place / per_line,
                             area->column + 2 + place % per_line * (plan->inner + 3), 1,
                             plan->inner};
    }
    return (struct area){area->row + (plan->style == HAND_ROW ? 1 : 2),
                         left + 1 + place * compute_distance_of_cards(plan), plan->lines,
                         plan->inner};
}

static void draw_line_of_hand_card(const struct canvas *canvas, const struct hand_cell *cell,
                                   int line, const char *content)
{
    draw_text_centred(canvas, cell->row + line, cell->column, cell->inner, cell->style,
                      text_format(&TEXT_OF(CARD_FACE_TEXT_MAX * 2 + 2),
                                  cell->is_bracketed ? "[%s]" : "%s", content));
}

/* Draws a card of three lines: the rank in two corners, the suit between them. A special card and a
 * card of which nothing is known have only the middle line. */
static void draw_tall_card(const struct canvas *canvas, const struct hand_cell *cell)
{
    const struct card_face *face = &cell->face;
    if (face->suit[0] == '\0') {
        draw_line_of_hand_card(canvas, cell, 1, name_of_special(face, cell->inner - 2));
        return;
    }
    draw_text(canvas, cell->row, cell->column + 1, cell->inner - 1, cell->style, face->rank);
    draw_line_of_hand_card(canvas, cell, 1, cell->form == FACE_TITLE ? face->title : face->suit);
    draw_text_right_aligned(canvas, cell->row + 2, cell->column, cell->inner - 1, cell->style,
                            face->rank);
}

static void draw_card(const struct canvas *canvas, const struct words *words,
                      const struct hand_cell *cell)
{
    const struct card_face *face = &cell->face;
    struct area inside = {cell->row, cell->column, cell->lines, cell->inner};
    if (cell->style == STYLE_SELECTED) {
        draw_filled_area(canvas, &inside, STYLE_SELECTED);
    }
    if (cell->lines == 3) {
        draw_tall_card(canvas, cell);
    } else if (cell->lines == 2) {
        /* The brackets of a playable card are around the rank, or below it if that is too wide. */
        bool is_special = face->suit[0] == '\0';
        const char *rank = is_special ? name_of_special(face, cell->inner) : face->rank;
        bool fits = draw_measure_text(rank) + 2 <= cell->inner || !cell->is_bracketed;
        const char *below = is_special ? " " : face->suit;
        struct hand_cell plain = *cell;
        plain.is_bracketed = false;
        draw_line_of_hand_card(canvas, fits ? cell : &plain, 0, rank);
        draw_line_of_hand_card(canvas, fits ? &plain : cell, 1, below);
    } else {
        struct text text = TEXT_OF(CARD_FACE_TEXT_MAX * 2);
        write_face(words, face, cell->form, &text);
        draw_line_of_hand_card(canvas, cell, 0, text.at);
    }
}

void card_draw(const struct canvas *canvas, const struct area *area, const struct words *words,
               uint8_t card, enum style frame_style)
{
    bool is_named = words->game->face->spells_suits;
    struct hand_cell cell = {.style = STYLE_STRONG,
                             .form = FACE_SHORT,
                             .row = area->row + 1,
                             .column = area->column + 1,
                             .inner = area->width - 2,
                             .lines = area->height >= TALL_ROWS ? 3 : 1};
    draw_border(canvas, area, frame_style);
    if (card == CARD_NONE) {
        return;
    }
    struct card_widths widths;
    card_measure_widths(words, &widths); /* the cards of a trick of three rows have the same form */
    make_face(words, &(struct view_slot){.card = card, .suit = SUIT_NONE}, &cell.face);
    if (cell.lines == 3 && is_named && draw_measure_text(cell.face.title) <= cell.inner) {
        cell.form = FACE_TITLE;
    } else if (cell.lines == 1 && is_named && widths.of[FACE_LONG] <= cell.inner) {
        cell.form = FACE_LONG;
    }
    if (cell.face.suit[0] == '\0') {
        draw_line_of_hand_card(canvas, &cell, cell.lines / 2,
                               name_of_special(&cell.face, cell.inner));
    } else {
        draw_card(canvas, words, &cell);
    }
}

/* Draws the key above a card, and that the card was traded: in words if there is room. */
static void draw_key_above_hand_card(const struct canvas *canvas, int row,
                                     const struct hand_cell *cell, const struct hand_plan *plan,
                                     int place, const struct view_slot *slot)
{
    bool is_chosen = (plan->chosen >> plan->slots[place] & 1) != 0;
    struct text text = TEXT_OF(80), words = TEXT_OF(80);
    const char *sign = slot->is_traded ? theme_glyph_text(canvas->theme, GLYPH_TRADED) : "";
    text_format(&text, "%s%c%s", is_chosen ? ">" : "", hand_keyboard_key_of_place(place), sign);
    text_format(&words, _("%s traded"), text.at);
    bool has_room = slot->is_traded && draw_measure_text(words.at) <= cell->inner;
    draw_text_centred(canvas, row, cell->column, cell->inner,
                      cell->is_bracketed || is_chosen ? STYLE_KEY : STYLE_DIM,
                      has_room ? words.at : text.at);
}

/* Draws the frames of all cards, of which neighbours share an edge. */
static void draw_hand_frame(const struct canvas *canvas, int row, int column,
                            const struct hand_plan *plan)
{
    int height = plan->lines + 2;
    for (int i = 0; i < plan->count; i++) {
        struct area card = {row, column + i * (plan->inner + 1), height, plan->inner + 2};
        draw_border(canvas, &card, STYLE_BORDER);
        if (i > 0) {
            draw_glyph(canvas, row, card.column, STYLE_BORDER, GLYPH_TEE_TOP);
            draw_glyph(canvas, row + height - 1, card.column, STYLE_BORDER, GLYPH_TEE_BOTTOM);
        }
    }
}

void hand_draw(const struct canvas *canvas, const struct area *area, const struct hand_plan *plan,
               const struct game_view *view, const struct words *words, int selected_place)
{
    if (view->seat == SPECTATOR || area->height < plan->rows) {
        return;
    }
    const struct view_slot *hand = view->hands[view->seat];
    if (plan->style == HAND_FRAMED) {
        int left = compute_left_column_of_hand(area, plan, view->slot_count[view->seat]);
        draw_hand_frame(canvas, area->row + 1, left, plan);
    }
    for (int i = 0; i < plan->count; i++) {
        const struct view_slot *slot = &hand[plan->slots[i]];
        if (slot->is_empty) {
            continue;
        }
        struct area at = hand_find_cell(area, plan, i, view->slot_count[view->seat]);
        struct hand_cell cell = {.form = plan->form,
                                 .row = at.row,
                                 .column = at.column,
                                 .inner = plan->inner,
                                 .lines = plan->lines};
        struct words own = *words;
        uint8_t move =
            view_viewer_may_move(view) ? view->game->face->point(view, plan->slots[i]) : MOVE_NONE;
        cell.is_bracketed = move_set_has(&view->legal, move);
        cell.style = i == selected_place ? STYLE_SELECTED
                     : cell.is_bracketed ? STYLE_CARD
                     : move != MOVE_NONE ? STYLE_DIM
                                         : STYLE_PLAIN;
        own.is_plain = cell.style == STYLE_DIM || cell.style == STYLE_SELECTED;
        make_face(&own, slot, &cell.face);
        draw_card(canvas, &own, &cell);
        if (plan->has_no_keys) {
            continue;
        }
        if (plan->style == HAND_LINES) {
            bool is_chosen = (plan->chosen >> plan->slots[i] & 1) != 0;
            draw_formatted_text(canvas, cell.row, cell.column - 2, 2,
                                cell.is_bracketed ? STYLE_KEY : STYLE_DIM,
                                is_chosen ? "%c>" : "%c:", hand_keyboard_key_of_place(i));
        } else {
            draw_key_above_hand_card(canvas, area->row, &cell, plan, i, slot);
        }
    }
}

int hand_find_place_at(const struct area *area, const struct hand_plan *plan, int row, int column,
                       uint8_t slot_count)
{
    bool is_line = plan->style == HAND_LINES;
    int width = is_line ? plan->inner + 3 : compute_distance_of_cards(plan);
    if (row < area->row || row >= area->row + area->height || plan->rows > area->height) {
        return -1;
    }
    for (int place = 0; place < plan->count; place++) {
        struct area cell = hand_find_cell(area, plan, place, slot_count);
        int first = cell.column - (is_line ? 2 : 0); /* a key is part of its card */
        if ((!is_line || row == cell.row) && column >= first && column < first + width) {
            return place;
        }
    }
    return -1;
}

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
    return has_known || (view_tells_slots(view) && has_played && has_cards);
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
    struct open_hand hand = {.scene = scene, .seat = seat};
    bool keeps_slots = false;
    uint8_t slots[SLOTS_MAX];
    if (!open_hand_is_shown(scene, seat)) {
        return hand;
    }
    uint8_t columns = face->columns != NULL ? face->columns(view, seat) : 0;
    uint8_t count = columns == 0 ? hand_order_slots(view, seat, &keeps_slots, slots) : 0;
    for (uint8_t i = 0; i < count; i++) {
        /* Hidden cards are worth showing only in games in which their places matter. */
        if (view_tells_slots(view) || card_in_slot_is_known(&view->hands[seat][slots[i]])) {
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
    bool is_short = hand->form == OPEN_HAND_SHORT;
    const struct special_def *special = words_find_special(words->game->deck, slot->card);
    if (is_short && special != NULL && special->letters != NULL) {
        words_write_tinted(words, special->tint, _(special->letters), out);
        return;
    }
    make_face(words, slot, &face);
    write_face(words, &face, is_short ? FACE_HAND : FACE_LONG, out);
}

static void write_card(const struct open_hand *hand, uint8_t place, struct text *out)
{
    uint8_t index = hand->slots[place];
    const struct view_slot *slot = &hand->scene->view->hands[hand->seat][index];
    if (hand->form == OPEN_HAND_LIST) {
        text_format(out, "%u ", index + 1U);
    }
    if (slot->is_empty) {
        text_put(out, theme_glyph_text(hand->scene->words.theme, GLYPH_DOT));
    } else if ((hand->scene->lit[hand->seat] >> index & 1) != 0) {
        struct text name = TEXT_OF(TABLE_TEXT);
        struct words plain = hand->scene->words;
        plain.is_plain = true;
        write_name_of_card(&plain, hand, slot, &name);
        draw_put_styled(out, STYLE_SELECTED, name.at);
    } else {
        write_name_of_card(&hand->scene->words, hand, slot, out);
    }
    if (hand->under[place] > 0) {
        text_format(out, "+%u", hand->under[place]);
    }
}

/* Returns how many columns each card gets, without its sign, so that the cards keep their places
 * when some are played; 0 if cards are written closely. Cards whose places do not matter are,
 * unless they have full names. */
static int measure_cells(const struct open_hand *hand)
{
    struct card_widths widths;
    const struct game_face *face = hand->scene->view->game->face;
    if ((!face->spells_suits && !view_tells_slots(hand->scene->view)) ||
        hand->form == OPEN_HAND_LIST) {
        return 0;
    }
    card_measure_widths(&hand->scene->words, &widths);
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

/* Between two cards stands the sign of the first one, or a blank, and in the form with names one
 * more blank. */
uint8_t open_hand_write_row(const struct open_hand *hand, uint8_t first_place, int width,
                            struct text *out)
{
    const char *sign = "";
    int cell = measure_cells(hand);
    uint8_t at = first_place;
    for (; at < hand->count; at++) {
        struct text buffer = TEXT_OF(TABLE_TEXT), card = TEXT_OF(TABLE_TEXT);
        const char *next = card_choose_slot_mark(
            &hand->scene->words, &hand->scene->view->hands[hand->seat][hand->slots[at]]);
        text_format(&buffer, "%s%s", sign, at > first_place && sign[0] == '\0' ? " " : "");
        text_put(&buffer, at > first_place && hand->form == OPEN_HAND_NAMED ? " " : "");
        write_card(hand, at, &card);
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

int open_hand_count_rows(const struct open_hand *hand, int width)
{
    int rows = 0;
    for (uint8_t from = 0; from < hand->count; rows++) {
        from = open_hand_write_row(hand, from, width, &TEXT_OF(TABLE_TEXT * 2));
    }
    return rows;
}

int open_hand_measure_row(const struct open_hand *hand)
{
    struct card_widths widths;
    card_measure_widths(&hand->scene->words, &widths);
    return view_tells_slots(hand->scene->view) ? hand->count * (widths.of[FACE_HAND] + 1) : 0;
}
