#include "daemon/base/i18n.h"
#include "daemon/screens/table/choosing.h"

#include <string.h>

#define LINE_BYTES 400

#define LABEL_BYTES 100

/* Returns the suit's place in the order for the card at that place of the hand; -1 for an invalid
 * place. */
static int find_suit_of_place(const struct game_view *view, const struct face_order *order,
                              int hand_place)
{
    if (hand_place < 0 || hand_place >= view->slot_count[view->seat]) {
        return -1;
    }
    uint8_t slot = order->slots[hand_place];
    uint8_t suit = card_suit(view->game->deck, view->hands[view->seat][slot].card);
    int at = 0;
    while (at < order->suit_count && order->suits[at] != suit) {
        at++;
    }
    return at < order->suit_count ? at : -1;
}

void order_change_plan(const struct face_order *order, struct hand_plan *plan)
{
    memcpy(plan->slots, order->slots, sizeof(plan->slots));
    plan->has_no_keys = true;
    plan->rows++;
}

/* Writes the label of a suit: the longest of "2 yellow", "2 Y" and "Y" that fits. The picked suit
 * stands in brackets. */
static void write_suit_label(const struct order_picture *picture, int suit_place, int width,
                             struct text *out)
{
    const struct suit_def *suit =
        &picture->words->game->deck->suits[picture->order->suits[suit_place]];
    const char *const names[] = {_(suit->title), _(suit->letters), _(suit->letters)};
    bool is_picked = suit_place == picture->picked;
    for (size_t form = 0; form < ARRAY_LEN(names); form++) {
        *out = text_init(out->at, out->cap);
        text_put_char(out, is_picked ? '[' : ' ');
        if (picture->is_asked && form < 2) {
            text_format(out, "%d ", suit_place + 1);
        }
        text_put(out, names[form]);
        text_put(out, is_picked ? "]" : "");
        if (draw_measure_text(out->at) <= width) {
            return;
        }
    }
}

/* Draws the label of a suit into the row; returns how many columns it takes. */
static int draw_suit_label(const struct canvas *canvas, const struct area *row,
                           const struct order_picture *picture, int suit_place)
{
    struct text label = TEXT_OF(LABEL_BYTES);
    const struct deck_def *deck = picture->words->game->deck;
    uint8_t tint = deck->suits[picture->order->suits[suit_place]].tint;
    write_suit_label(picture, suit_place, row->width, &label);
    return draw_text(
        canvas, row->row, row->column, row->width,
        suit_place == picture->picked ? STYLE_SELECTED : (enum style)(STYLE_TINT + tint), label.at);
}

/* Draws the label of each suit above the first of its cards. */
static void draw_labels_above_cards(const struct canvas *canvas, const struct area *area,
                                    const struct hand_plan *plan,
                                    const struct order_picture *picture)
{
    for (int first = 0; first < plan->count;) {
        int suit_place = find_suit_of_place(picture->view, picture->order, first);
        int end = first + 1;
        while (end < plan->count &&
               find_suit_of_place(picture->view, picture->order, end) == suit_place) {
            end++;
        }
        struct area at = hand_find_cell(area, plan, first, plan->count);
        struct area last = hand_find_cell(area, plan, end - 1, plan->count);
        at.row = area->row;
        at.width = last.column + last.width - at.column;
        if (suit_place >= 0) {
            int used = draw_suit_label(canvas, &at, picture, suit_place) + 1;
            draw_horizontal_line(canvas, at.row, at.column + used, at.width - used);
        }
        first = end;
    }
}

bool order_draw(const struct canvas *canvas, const struct area *area, const struct hand_plan *plan,
                const struct order_picture *picture)
{
    if (area->height < plan->rows) {
        return false;
    }
    struct area below = {area->row + plan->rows - 1, area->column + 1, 1, area->width - 2};
    if (plan->style == HAND_LINES) {
        /* the hand may have several rows: all labels are in one */
        for (int i = 0; i < picture->order->suit_count && below.width > 0; i++) {
            int used = 1 + draw_suit_label(canvas, &below, picture, i);
            below.column += used;
            below.width -= used;
        }
        return false;
    }
    draw_labels_above_cards(canvas, area, plan, picture);
    for (int place = 0; place < plan->count; place++) {
        struct area cell = hand_find_cell(area, plan, place, plan->count);
        if ((picture->order->seen >> place & 1) != 0) {
            draw_text_centred(canvas, below.row, cell.column, cell.width, STYLE_TURN,
                              theme_glyph_text(canvas->theme, GLYPH_ARROW_UP));
        }
    }
    return true;
}

const char *order_write_seen_cards(const struct game_view *view, const struct words *words,
                                   const struct face_order *order, int width, struct text *out)
{
    char cards[SLOTS_MAX][LABEL_BYTES];
    const char *names[SLOTS_MAX];
    struct text list = TEXT_OF(LINE_BYTES);
    size_t count = 0;
    for (uint8_t place = 0; place < view->slot_count[view->seat]; place++) {
        if ((order->seen >> place & 1) != 0) {
            struct text card = text_init(cards[count], LABEL_BYTES);
            names[count++] =
                words_write_card(words, view->hands[view->seat][order->slots[place]].card, &card);
        }
    }
    text_put_list(&list, names, count);
    const char *holder = words_write_seat(words, order->holder, &TEXT_OF(LINE_BYTES));
    struct text line = TEXT_OF(2 * LINE_BYTES);
    text_format(&line, _("%s will see only %s; everybody else sees the other cards"), holder,
                list.at);
    if (draw_measure_text(line.at) > width) {
        line = text_init(line.at, line.cap);
        text_format(&line, _("%s will see only %s"), holder, list.at);
    }
    text_put(out, line.at);
    return out->at;
}

#define SEPARATORS " ,-"

struct order_cursor order_make_empty_cursor(void)
{
    return (struct order_cursor){.move = MOVE_NONE, .picked = -1};
}

bool order_read_move(const struct game_view *view, uint8_t move, struct face_order *out)
{
    return view->game->face->order != NULL && view->seat != SPECTATOR &&
           view->game->face->order(view, move, out);
}

/* Returns the first legal move that puts suits in order; MOVE_NONE if there is none. */
static uint8_t find_first_order(const struct game_view *view)
{
    struct face_order order;
    uint8_t move = view_viewer_may_move(view) ? move_set_next(&view->legal, 0) : MOVE_NONE;
    return move != MOVE_NONE && order_read_move(view, move, &order) ? move : MOVE_NONE;
}

bool order_is_asked(const struct game_view *view)
{
    return find_first_order(view) != MOVE_NONE;
}

/* Returns the move for the order that is shown; MOVE_NONE if the viewer does not order suits. */
static uint8_t find_shown_move(const struct game_view *view, const struct order_cursor *cursor)
{
    return order_is_asked(view) && move_set_has(&view->legal, cursor->move)
               ? cursor->move
               : find_first_order(view);
}

bool order_find_shown(const struct game_view *view, const struct order_cursor *cursor,
                      struct face_order *out)
{
    return order_read_move(view, find_shown_move(view, cursor), out);
}

/* Returns the legal move with these suits; MOVE_NONE if there is none. */
static uint8_t find_move_with_suits(const struct game_view *view, const uint8_t *suits,
                                    uint8_t count)
{
    struct face_order order;
    for (uint8_t move = move_set_next(&view->legal, 0); move != MOVE_NONE;
         move = move_set_next(&view->legal, move + 1U)) {
        if (order_read_move(view, move, &order) && order.suit_count == count &&
            memcmp(order.suits, suits, count) == 0) {
            return move;
        }
    }
    return MOVE_NONE;
}

static void swap_suits(const struct game_view *view, struct order_cursor *cursor,
                       const struct face_order *order, int first, int second)
{
    uint8_t suits[FACE_SUITS_MAX];
    memcpy(suits, order->suits, sizeof(suits));
    suits[first] = order->suits[second];
    suits[second] = order->suits[first];
    cursor->move = find_move_with_suits(view, suits, order->suit_count);
}

static void select_next_suit(struct order_cursor *cursor, const struct face_order *order,
                             int direction)
{
    int at = cursor->picked < 0 ? (direction > 0 ? 0 : order->suit_count - 1)
                                : cursor->picked + direction;
    if (at >= 0 && at < order->suit_count) {
        cursor->picked = (int8_t)at;
    }
}

/* Moves the picked suit by one place; without a picked suit, the first one. */
static void move_picked_suit(const struct game_view *view, struct order_cursor *cursor,
                             const struct face_order *order, int direction)
{
    int from = cursor->picked < 0 ? 0 : cursor->picked;
    int to = from + direction;
    cursor->picked = (int8_t)from;
    if (to >= 0 && to < order->suit_count) {
        swap_suits(view, cursor, order, from, to);
        cursor->picked = (int8_t)to;
    }
}

/* Picks a suit, or swaps it with the one that is picked already. */
static void pick_or_swap_suit(const struct game_view *view, struct order_cursor *cursor,
                              const struct face_order *order, int suit_place)
{
    if (cursor->picked < 0) {
        cursor->picked = (int8_t)suit_place;
        return;
    }
    if (cursor->picked != suit_place) {
        swap_suits(view, cursor, order, cursor->picked, suit_place);
    }
    cursor->picked = -1;
}

enum choice_result order_handle_key(const struct game_view *view, struct order_cursor *cursor,
                                    const struct press *press, int clicked_place, uint8_t *move)
{
    struct face_order order;
    if (!order_is_asked(view) || !order_find_shown(view, cursor, &order)) {
        return CHOICE_IGNORED;
    }
    uint32_t code = press->kind == PRESS_CHAR ? press->code : 0;
    if (press->kind == PRESS_ENTER || code == ORDER_KEY_GIVE) {
        *move = find_shown_move(view, cursor);
        return CHOICE_MADE;
    }
    int pick = code > '0' && code <= '9' ? (int)(code - '1')
                                         : find_suit_of_place(view, &order, clicked_place);
    bool is_back = press->kind == PRESS_LEFT || press->kind == PRESS_UP;
    if (is_back || press->kind == PRESS_RIGHT || press->kind == PRESS_DOWN) {
        select_next_suit(cursor, &order, is_back ? -1 : 1);
    } else if (code == '<' || code == '>') {
        move_picked_suit(view, cursor, &order, code == '<' ? -1 : 1);
    } else if (pick >= 0 && pick < order.suit_count) {
        pick_or_swap_suit(view, cursor, &order, pick);
    } else {
        return CHOICE_IGNORED;
    }
    cursor->is_chosen = true;
    return CHOICE_TAKEN;
}

/* Returns the number of bytes at the beginning of `line` that are the word, in any case; 0 if the
 * line does not begin with it. Accents do not matter. */
static size_t match_word(const char *line, const char *word)
{
    const char *at = line;
    struct styled_char want, got;
    for (; (want = styled_text_read_char(word)).len > 0; word += want.len, at += got.len) {
        got = styled_text_read_char(at);
        if (got.len == 0 || styled_text_character_to_lower_ascii(want.character) !=
                                styled_text_character_to_lower_ascii(got.character)) {
            return 0;
        }
    }
    return (size_t)(at - line);
}

/* Returns how many bytes at the beginning of `line` name the suit: its name or its letters, as
 * screens show them or as histories and English screens do. */
static size_t match_suit(const char *line, const struct suit_def *suit, bool is_translated)
{
    const char *const names[] = {is_translated ? _(suit->title) : suit->title, suit->id,
                                 is_translated ? _(suit->letters) : suit->letters};
    size_t longest = 0;
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        size_t len = match_word(line, names[i]);
        longest = len > longest ? len : longest;
    }
    return longest;
}

/* Reads suits from the whole line, each at most once. Returns how many; 0 if something else is
 * there. */
static uint8_t read_suits(const struct game_view *view, const char *line, bool is_translated,
                          uint8_t suits[FACE_SUITS_MAX])
{
    const struct deck_def *deck = view->game->deck;
    uint8_t count = 0;
    for (line += strspn(line, SEPARATORS); *line != '\0'; line += strspn(line, SEPARATORS)) {
        uint8_t best = 0;
        size_t longest = 0;
        for (uint8_t suit = 0; suit < deck->suit_count; suit++) {
            size_t len = match_suit(line, &deck->suits[suit], is_translated);
            best = len > longest ? suit : best;
            longest = len > longest ? len : longest;
        }
        if (longest == 0 || count == FACE_SUITS_MAX) {
            return 0;
        }
        suits[count++] = best;
        line += longest;
    }
    return count;
}

bool order_is_line_of_suits(const struct game_view *view, const char *line)
{
    uint8_t suits[FACE_SUITS_MAX];
    return find_first_order(view) != MOVE_NONE &&
           (read_suits(view, line, true, suits) > 0 || read_suits(view, line, false, suits) > 0);
}

uint8_t order_parse_line(const struct game_view *view, const char *line)
{
    const char *const words[] = {_("order"), "order"};
    uint8_t suits[FACE_SUITS_MAX];
    uint8_t move = find_first_order(view);
    size_t len = 0;
    if (move == MOVE_NONE) {
        return MOVE_NONE;
    }
    for (size_t i = 0; i < ARRAY_LEN(words) && len == 0; i++) {
        len = match_word(line, words[i]);
        len = strchr(SEPARATORS, line[len]) != NULL ? len : 0; /* also at the line's end */
    }
    if (len > 0 && line[len + strspn(line + len, SEPARATORS)] == '\0') {
        return move;
    }
    move = MOVE_NONE;
    for (int is_translated = 1; is_translated >= 0 && move == MOVE_NONE; is_translated--) {
        uint8_t count = read_suits(view, line + len, is_translated != 0, suits);
        move = count > 0 ? find_move_with_suits(view, suits, count) : MOVE_NONE;
    }
    return move;
}

/* Writes an example of what to type: the suits from right to left, by their letters or names. */
static const char *write_example(const struct game_view *view, const struct face_order *order,
                                 bool has_names, struct text *out)
{
    for (uint8_t i = order->suit_count; i > 0; i--) {
        const struct suit_def *suit = &view->game->deck->suits[order->suits[i - 1]];
        text_put(out, has_names && out->len > 0 ? " " : "");
        text_put(out, has_names ? _(suit->title) : _(suit->letters));
    }
    return out->at;
}

bool order_print(const struct game_view *view, const struct words *words, struct lines *lines)
{
    const struct order_cursor first = order_make_empty_cursor();
    struct face_order order;
    if (!order_find_shown(view, &first, &order)) {
        return false;
    }
    struct text cards = TEXT_OF(LINES_LINE_MAX);
    for (uint8_t place = 0; place < view->slot_count[view->seat]; place++) {
        text_put(&cards, place > 0 ? ", " : "");
        words_write_card(words, view->hands[view->seat][order.slots[place]].card, &cards);
    }
    lines_format(lines, _("The cards from left to right: %s."), cards.at);
    lines_format(
        lines, "%s.",
        order_write_seen_cards(view, words, &order, LINES_LINE_MAX, &TEXT_OF(2 * LINE_BYTES)));
    if (order_is_asked(view)) {
        lines_format(
            lines,
            _("Type the colours from left to right, such as %s or %s. The word order keeps them as "
              "they are."),
            write_example(view, &order, true, &TEXT_OF(LINE_BYTES)),
            write_example(view, &order, false, &TEXT_OF(LINE_BYTES)));
    }
    return true;
}
