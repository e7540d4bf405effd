#include "daemon/screens/table/choosing.h"

#include "daemon/screens/drawing/draw.h"

#include <string.h>

#define LETTERS "adefgnopuvxyz " /* letters that the table screen does not use as keys */
#define GRID_FROM 20             /* the smallest number of cards that is drawn as a grid */
#define LETTER_COUNT ((int)sizeof(LETTERS) - 2)

/* Reads a label that consists of numbers. Returns how many numbers: 1 for "3", 2 for "3 or 4", 0
 * for other labels. */
static int read_label_numbers(const struct game_view *view, uint8_t move, int numbers[2])
{
    struct phrase label = view->game->face->label(view, move);
    int count = 0;
    while (label.format != NULL && count < 2 && label.args[count].type == ARG_NUMBER &&
           label.args[count].number >= 0) {
        numbers[count] = label.args[count].number;
        count++;
    }
    bool is_number = count == 2 || (count == 1 && strcmp(label.format, "{0}") == 0);
    return is_number && label.args[count].type == ARG_NONE ? count : 0;
}

/* If a move's whole label is one number, returns that number; otherwise -1. */
static int read_label_number(const struct game_view *view, uint8_t move)
{
    int numbers[2];
    return read_label_numbers(view, move, numbers) == 1 ? numbers[0] : -1;
}

/* If a move's whole label is one card, returns that card; otherwise CARD_NONE. */
static uint8_t read_label_card(const struct game_view *view, uint8_t move)
{
    struct phrase label = view->game->face->label(view, move);
    bool is_card =
        label.format != NULL && strcmp(label.format, "{0}") == 0 && label.args[0].type == ARG_CARD;
    return is_card ? (uint8_t)label.args[0].number : CARD_NONE;
}

struct choice_cursor choices_make_empty_cursor(void)
{
    return (struct choice_cursor){.selected = -1};
}

/* True if the move is made by pointing at cards of another player. */
static bool is_move_made_by_pointing(const struct game_view *view, uint8_t move)
{
    struct face_aim aim;
    return view->game->face->aim != NULL && view->game->face->aim(view, move, &aim) &&
           aim.slots != 0;
}

/* True if the move puts the suits of the hand in order (table_order.h). */
static bool is_order_of_suits(const struct game_view *view, uint8_t move)
{
    struct face_order order;
    return view->game->face->order != NULL && view->game->face->order(view, move, &order);
}

static void find_moves_made_by_pointing(const struct game_view *view, struct move_set *pointed)
{
    *pointed = move_set_empty();
    if (view->seat == SPECTATOR) {
        return;
    }
    for (uint8_t i = 0; i < view->slot_count[view->seat]; i++) {
        uint8_t move =
            view->hands[view->seat][i].is_empty ? MOVE_NONE : view->game->face->point(view, i);
        if (move < MOVES_MAX) {
            move_set_add(pointed, move);
        }
    }
}

/* Finds the legal moves, and the unavailable ones that the game also lists during the viewer's
 * turn. */
static struct move_set find_moves_to_list(const struct game_view *view)
{
    struct move_set listed = view->legal;
    for (uint8_t move = 0; view_viewer_may_move(view) && move < MOVES_MAX; move++) {
        if (view->game->face->lists != NULL && view->game->face->lists(view, move)) {
            move_set_add(&listed, move);
        }
    }
    return listed;
}

static void add_choice(struct choices *out, uint8_t move)
{
    if (out->count < CHOICES_MAX) {
        out->moves[out->count++] = move;
    }
}

/* Lists an unbroken range of numbers around the legal ones, but none above the size of the hand.
 * The range includes numbers that a rule forbids now. */
static void list_unbroken_range_of_numbers(const struct game_view *view, struct choices *out)
{
    int limit = view->slot_count[view->seat];
    int first = out->moves[0];
    int last = out->moves[out->count - 1];
    while (first > 0 && read_label_number(view, (uint8_t)(first - 1)) >= 0 &&
           read_label_number(view, (uint8_t)(first - 1)) ==
               read_label_number(view, (uint8_t)first) - 1) {
        first--;
    }
    while (last + 1 < MOVES_MAX && read_label_number(view, (uint8_t)(last + 1)) <= limit &&
           read_label_number(view, (uint8_t)(last + 1)) ==
               read_label_number(view, (uint8_t)last) + 1) {
        last++;
    }
    out->count = 0;
    for (int move = first; move <= last; move++) {
        if (read_label_number(view, (uint8_t)move) >= 0) {
            add_choice(out, (uint8_t)move);
        }
    }
}

/* If the choices form a grid (equally many cards of each suit, with the same values), returns the
 * number of cards per suit. Returns 0 if they do not, or if they fit a line. */
static uint8_t count_grid_columns(const struct game_view *view, const struct choices *choices)
{
    const struct deck_def *deck = view->game->deck;
    uint8_t across = 0;
    for (uint8_t i = 0; i < choices->count; i++) {
        uint8_t card = read_label_card(view, choices->moves[i]);
        uint8_t suit = card_suit(deck, card);
        if (card == CARD_NONE || suit == SUIT_NONE) {
            return 0;
        }
        bool is_first_suit = suit == card_suit(deck, read_label_card(view, choices->moves[0]));
        across = (uint8_t)(across + (is_first_suit && across == i));
        uint8_t above = read_label_card(view, choices->moves[i % (across > 0 ? across : 1)]);
        if (card_value(deck, card) != card_value(deck, above)) {
            return 0;
        }
    }
    return choices->count >= GRID_FROM && choices->count % across == 0 ? across : 0;
}

static void assign_keys_to_choices(const struct game_view *view, struct choices *out)
{
    for (int i = 0; i < out->count; i++) {
        struct text key = text_init(out->typed[i], CHOICE_KEY_MAX);
        int numbers[2] = {0};
        if (out->keys == CHOICE_LETTERS) {
            text_put_char(&key, LETTERS[i < LETTER_COUNT ? i : LETTER_COUNT]);
        } else if (out->keys == CHOICE_GRID) {
            text_put_number(&key,
                            card_value(view->game->deck, read_label_card(view, out->moves[i])));
        } else if (out->keys == CHOICE_INDEX) {
            text_put_number(&key, i + 1);
        } else if (read_label_numbers(view, out->moves[i], numbers) == 2) {
            text_format(&key, "%d,%d", numbers[0], numbers[1]);
        } else {
            text_put_number(&key, numbers[0]);
        }
    }
}

void choices_collect(const struct game_view *view, struct choices *out)
{
    struct move_set pointed;
    find_moves_made_by_pointing(view, &pointed);
    memset(out, 0, sizeof(*out));
    bool are_numbers = true;
    const struct move_set listed = find_moves_to_list(view);
    for (uint8_t move = move_set_next(&listed, 0); move != MOVE_NONE;
         move = move_set_next(&listed, move + 1U)) {
        int numbers[2];
        if (move_set_has(&pointed, move) || is_move_made_by_pointing(view, move) ||
            is_order_of_suits(view, move)) {
            continue;
        }
        add_choice(out, move);
        int count = read_label_numbers(view, move, numbers);
        are_numbers &= count > 0;
        out->has_pairs |= count == 2;
    }
    out->has_pointing = move_set_count(&pointed) > 0 && view_viewer_may_move(view);
    out->keys = CHOICE_INDEX;
    if (out->has_pointing) {
        out->keys = CHOICE_LETTERS;
    } else if (are_numbers && out->count > 0) {
        out->keys = CHOICE_NUMBERS;
    }
    out->across = out->keys == CHOICE_INDEX ? count_grid_columns(view, out) : 0;
    if (out->across > 0) {
        out->keys = CHOICE_GRID;
    }
    out->has_pairs &= out->keys == CHOICE_NUMBERS;
    if (out->keys == CHOICE_NUMBERS && !out->has_pairs) {
        list_unbroken_range_of_numbers(view, out);
    }
    assign_keys_to_choices(view, out);
}

static enum choice_result choose_move(const struct choices *choices, struct choice_cursor *cursor,
                                      int index, uint8_t *move)
{
    cursor->selected = index;
    cursor->typed[0] = '\0';
    *move = choices->moves[index];
    return CHOICE_MADE;
}

static enum key_match match_typed_text(const char *key, const char *typed)
{
    if (strncmp(key, typed, strlen(typed)) != 0) {
        return KEY_NO;
    }
    return strlen(key) == strlen(typed) ? KEY_WHOLE : KEY_BEGUN;
}

enum key_match choices_match_key(const char *key, const char *typed)
{
    const char *comma = strchr(key, ',');
    enum key_match match = match_typed_text(key, typed);
    if (comma == NULL || match != KEY_NO) {
        return match;
    }
    struct text turned = TEXT_OF(CHOICE_KEY_MAX);
    text_format(&turned, "%s,%.*s", comma + 1, (int)(comma - key), key);
    return match_typed_text(turned.at, typed);
}

/* Returns the choice whose whole key was typed, -1 if there is none. *goes_on becomes true if a
 * longer key begins with the typed text. In a grid only keys in the selected row count. */
static int find_typed_choice(const struct choices *choices, const struct choice_cursor *cursor,
                             bool *goes_on)
{
    const char *typed = cursor->typed;
    int found = -1, first = 0, end = choices->count;
    if (choices->keys == CHOICE_GRID) {
        first = cursor->selected < 0 ? 0 : cursor->selected / choices->across * choices->across;
        end = first + choices->across;
    }
    *goes_on = false;
    for (int i = first; i < end && i < choices->count; i++) {
        enum key_match match = choices_match_key(choices->typed[i], typed);
        found = match == KEY_WHOLE ? i : found;
        *goes_on |= match == KEY_BEGUN;
    }
    return found;
}

bool choices_have_open_keys(const struct choices *choices)
{
    int pairs = choices->keys == CHOICE_LETTERS ? 0 : choices->count * choices->count;
    for (int i = 0; i < pairs; i++) {
        const char *key = choices->typed[i / choices->count];
        if (choices_match_key(key, choices->typed[i % choices->count]) == KEY_BEGUN) {
            return true;
        }
    }
    return false;
}

/* Notes the text that is no choice, and restores the text that was typed before the last
 * character. */
static enum choice_result refuse_typed_text(struct choice_cursor *cursor, const char *before)
{
    struct text refused = text_init(cursor->refused, sizeof(cursor->refused));
    text_put(&refused, cursor->typed);
    struct text typed = text_init(cursor->typed, CHOICE_KEY_MAX);
    text_put(&typed, before);
    return CHOICE_REFUSED;
}

/* A character that does not continue the typed text is refused: it may be the rest of a number that
 * is no choice. In a grid, where no number decides, it begins a new text. */
static enum choice_result add_typed_character(const struct choices *choices,
                                              struct choice_cursor *cursor, char character,
                                              uint8_t *move)
{
    bool goes_on = false, is_grid = choices->keys == CHOICE_GRID;
    struct text before = TEXT_OF(CHOICE_KEY_MAX);
    text_put(&before, cursor->typed);
    struct text typed = text_init(cursor->typed + before.len, CHOICE_KEY_MAX - before.len);
    text_put_char(&typed, character);
    int found = find_typed_choice(choices, cursor, &goes_on);
    if (found < 0 && !goes_on && is_grid) {
        typed = text_init(cursor->typed, CHOICE_KEY_MAX);
        text_put_char(&typed, character);
        found = find_typed_choice(choices, cursor, &goes_on);
        before.at[0] = '\0';
    }
    if (found < 0 && !goes_on) {
        return refuse_typed_text(cursor, before.at);
    }
    if (found >= 0 && !goes_on && !is_grid) {
        return choose_move(choices, cursor, found, move);
    }
    if (found >= 0 || !is_grid) { /* in a grid, the selected row stays selected */
        cursor->selected = found;
    }
    return CHOICE_TAKEN;
}

/* Takes back the last typed character. */
static enum choice_result erase_typed_character(const struct choices *choices,
                                                struct choice_cursor *cursor)
{
    bool goes_on;
    cursor->typed[strlen(cursor->typed) - 1] = '\0';
    cursor->selected = cursor->typed[0] != '\0' ? find_typed_choice(choices, cursor, &goes_on) : -1;
    return CHOICE_TAKEN;
}

/* A letter only selects: it may belong to a word that was meant as talk. */
static enum choice_result select_by_letter(const struct choices *choices,
                                           struct choice_cursor *cursor, uint32_t code)
{
    const char *found = code > 0 && code < 128 ? strchr(LETTERS, (int)code) : NULL;
    if (found == NULL || found - LETTERS >= LETTER_COUNT || found - LETTERS >= choices->count) {
        return CHOICE_IGNORED;
    }
    cursor->selected = (int)(found - LETTERS);
    return CHOICE_TAKEN;
}

static enum choice_result move_selection(const struct choices *choices,
                                         struct choice_cursor *cursor, int step)
{
    int at = cursor->selected < 0 ? (step > 0 ? 0 : choices->count - 1) : cursor->selected + step;
    cursor->typed[0] = '\0';
    if (at >= 0 && at < choices->count) {
        cursor->selected = at;
    }
    return CHOICE_TAKEN;
}

/* All arrows move among the choices unless cards of the hand can be selected too. In that case only
 * up and down move among the choices, and up from the first choice returns to the hand. */
static enum choice_result handle_arrow_key(const struct choices *choices,
                                           struct choice_cursor *cursor, enum press_kind kind)
{
    bool is_line = choices->keys == CHOICE_NUMBERS || choices->has_pointing;
    int down = is_line || cursor->across < 1 ? 1 : cursor->across;
    if ((kind == PRESS_LEFT || kind == PRESS_RIGHT) && !choices->has_pointing) {
        return move_selection(choices, cursor, kind == PRESS_LEFT ? -1 : 1);
    }
    if (kind == PRESS_UP && choices->has_pointing && cursor->selected <= 0) {
        cursor->selected = -1;
        return CHOICE_TAKEN;
    }
    if (kind == PRESS_UP || kind == PRESS_DOWN) {
        return move_selection(choices, cursor, kind == PRESS_UP ? -down : down);
    }
    if (kind == PRESS_HOME || kind == PRESS_END) {
        cursor->selected = kind == PRESS_HOME ? 0 : choices->count - 1;
        return CHOICE_TAKEN;
    }
    return CHOICE_IGNORED;
}

/* Makes the choice that is drawn under the pointer, if it still exists. */
static enum choice_result choose_by_click(const struct choices *choices,
                                          struct choice_cursor *cursor, const struct press *press,
                                          uint8_t *move)
{
    for (int i = 0; i < choices->count; i++) {
        const struct choice_spot *spot = &cursor->spots[i];
        if (spot->move == choices->moves[i] && press->row == spot->row &&
            press->column >= spot->column && press->column < spot->column + spot->width) {
            return choose_move(choices, cursor, i, move);
        }
    }
    return CHOICE_IGNORED;
}

static enum choice_result handle_key(const struct choices *choices, struct choice_cursor *cursor,
                                     const struct press *press, uint8_t *move)
{
    if (choices->has_pairs) {
        return pairs_handle_key(choices, cursor, press, move);
    }
    if (press->kind == PRESS_ENTER && cursor->selected >= 0 && cursor->selected < choices->count) {
        return choose_move(choices, cursor, cursor->selected, move);
    }
    if (press->kind == PRESS_CHAR && choices->keys == CHOICE_LETTERS) {
        return select_by_letter(choices, cursor, press->code);
    }
    if (press->kind == PRESS_CLICK) {
        return choose_by_click(choices, cursor, press, move);
    }
    bool is_digit = press->code >= '0' && press->code <= '9';
    if (press->kind == PRESS_CHAR && is_digit) {
        return add_typed_character(choices, cursor, (char)press->code, move);
    }
    if (press->kind == PRESS_BACKSPACE && cursor->typed[0] != '\0') {
        return erase_typed_character(choices, cursor);
    }
    return handle_arrow_key(choices, cursor, press->kind);
}

enum choice_result choices_handle_key(const struct choices *choices, struct choice_cursor *cursor,
                                      const struct press *press, uint8_t *move)
{
    if (choices->count == 0) {
        return CHOICE_IGNORED;
    }
    const int selected = cursor->selected;
    enum choice_result result = handle_key(choices, cursor, press, move);
    if (cursor->selected != selected || cursor->typed[0] != '\0') {
        cursor->is_suggested = false;
    }
    return result;
}
