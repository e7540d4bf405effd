#include "daemon/base/i18n.h"
#include "daemon/screens/table/table_state.h"

#include <stdlib.h>
#include <string.h>

/* Fills in which cards the move points out; false if it points out none. */
static bool aims_read_move(const struct game_view *view, uint8_t move, struct face_aim *out)
{
    return view->game->face->aim != NULL && view->game->face->aim(view, move, out) &&
           out->slots != 0;
}

void aims_collect_pointing_moves(const struct game_view *view, struct aims *out)
{
    out->count = 0;
    out->view = view;
    for (uint8_t move = move_set_next(&view->legal, 0); move != MOVE_NONE;
         move = move_set_next(&view->legal, move + 1U)) {
        if (aims_read_move(view, move, &out->at[out->count])) {
            out->moves[out->count++] = move;
        }
    }
}

/* Collects the indexes of the moves that point out the card under the cursor; returns their
 * number. */
static uint8_t find_moves_at_cursor(const struct aims *aims, const struct aim_cursor *cursor,
                                    uint8_t indexes[MOVES_MAX])
{
    uint8_t count = 0;
    for (uint8_t i = 0; i < aims->count; i++) {
        if (aims->at[i].seat == cursor->seat && (aims->at[i].slots >> cursor->slot & 1) != 0) {
            indexes[count++] = i;
        }
    }
    return count;
}

/* Returns which cards of a seat can be pointed out by some move, as bits (bit 0: the card in slot
 * 0). */
static uint16_t find_slots_pointed_out(const struct aims *aims, uint8_t seat)
{
    uint16_t slots = 0;
    for (uint8_t i = 0; i < aims->count; i++) {
        slots |= aims->at[i].seat == seat ? aims->at[i].slots : 0;
    }
    return slots;
}

static void place_cursor(struct aim_cursor *cursor, uint8_t seat, uint8_t slot)
{
    *cursor = (struct aim_cursor){.seat = seat, .slot = slot, .is_chosen = cursor->is_chosen};
}

/* Moves the cursor to the next seat in that direction whose cards can be pointed out. If there is
 * none, the cursor stays. */
static void move_cursor_to_next_seat(const struct aims *aims, int direction,
                                     struct aim_cursor *cursor)
{
    for (int i = 1; i < aims->view->seats; i++) {
        uint8_t seat =
            (uint8_t)((cursor->seat + aims->view->seats + direction * i) % aims->view->seats);
        uint16_t slots = find_slots_pointed_out(aims, seat);
        if (slots != 0) {
            place_cursor(cursor, seat, (uint8_t)__builtin_ctz(slots));
            return;
        }
    }
}

void aims_put_cursor_on_valid_card(const struct aims *aims, struct aim_cursor *cursor)
{
    uint8_t here[MOVES_MAX];
    if (aims->count == 0) {
        return;
    }
    if (cursor->seat >= aims->view->seats || cursor->slot >= aims->view->slot_count[cursor->seat]) {
        place_cursor(cursor, aims->at[0].seat, 0);
    }
    uint16_t slots = find_slots_pointed_out(aims, cursor->seat);
    if (slots == 0) {
        move_cursor_to_next_seat(aims, 1, cursor);
    } else if (find_moves_at_cursor(aims, cursor, here) == 0) {
        place_cursor(cursor, cursor->seat, (uint8_t)__builtin_ctz(slots));
    }
}

uint16_t aims_find_highlighted_slots(const struct aims *aims, const struct aim_cursor *cursor,
                                     uint8_t seat)
{
    uint8_t here[MOVES_MAX];
    if (aims->count == 0 || seat != cursor->seat) {
        return 0;
    }
    uint8_t count = find_moves_at_cursor(aims, cursor, here);
    if (count > 0) {
        return aims->at[here[cursor->turn % count]].slots;
    }
    return (uint16_t)(1U << cursor->slot);
}

/* Moves the cursor to the next card of the same hand in that direction. At the end of the hand the
 * cursor stays. */
static void move_cursor_to_next_slot(const struct game_view *view, int direction,
                                     struct aim_cursor *cursor)
{
    int slot = cursor->slot + direction;
    while (slot >= 0 && slot < view->slot_count[cursor->seat] &&
           view->hands[cursor->seat][slot].is_empty) {
        slot += direction;
    }
    if (slot >= 0 && slot < view->slot_count[cursor->seat]) {
        place_cursor(cursor, cursor->seat, (uint8_t)slot);
    }
}

enum choice_result aims_handle_key(const struct aims *aims, struct aim_cursor *cursor,
                                   const struct press *press, uint8_t *move)
{
    uint8_t here[MOVES_MAX];
    *move = MOVE_NONE;
    if (aims->count == 0) {
        return CHOICE_IGNORED;
    }
    uint8_t count = find_moves_at_cursor(aims, cursor, here);
    int slot = press->kind == PRESS_CHAR ? hand_place_of_keyboard_key(press->code) : -1;
    if (press->kind == PRESS_LEFT || press->kind == PRESS_RIGHT) {
        move_cursor_to_next_slot(aims->view, press->kind == PRESS_LEFT ? -1 : 1, cursor);
    } else if (press->kind == PRESS_UP || press->kind == PRESS_DOWN) {
        move_cursor_to_next_seat(aims, press->kind == PRESS_UP ? -1 : 1, cursor);
    } else if (press->kind == PRESS_TAB || (slot == cursor->slot && cursor->is_chosen)) {
        cursor->turn++; /* the same number again selects the card's next move */
    } else if (press->kind == PRESS_ENTER && count > 0) {
        *move = aims->moves[here[cursor->turn % count]];
        return CHOICE_MADE;
    } else if (slot >= 0) {
        if (slot < aims->view->slot_count[cursor->seat] &&
            !aims->view->hands[cursor->seat][slot].is_empty) {
            place_cursor(cursor, cursor->seat, (uint8_t)slot);
        }
    } else if (press->kind != PRESS_ENTER) {
        return CHOICE_IGNORED;
    }
    cursor->is_chosen = true;
    return CHOICE_TAKEN;
}

/* Writes the numbers of the cards that a move points out: "1, 4". */
static const char *write_slot_numbers(uint16_t slots, struct text *out)
{
    for (int i = 0; i < SLOTS_MAX; i++) {
        if ((slots >> i & 1) != 0) {
            text_format_list_item(out, "%d", i + 1);
        }
    }
    return out->at;
}

/* Writes a clue: "every 3", or "[every 3 (cards 1, 4)]" for the chosen one. */
static const char *write_clue(const struct aims *aims, uint8_t index, bool is_chosen,
                              const struct words *words, struct text *out)
{
    struct phrase label = face_label(aims->view, aims->moves[index]);
    uint16_t slots = aims->at[index].slots;
    struct words own = *words;
    own.is_plain = is_chosen;
    label.format = aims->at[index].words;
    text_put_char(out, is_chosen ? '[' : ' ');
    words_write_phrase(&own, label, out);
    if (is_chosen) {
        text_put_char(out, ' ');
        text_format(out,
                    ngettext("(card %s)", "(cards %s)", (unsigned long)__builtin_popcount(slots)),
                    write_slot_numbers(slots, &TEXT_OF(TABLE_TEXT)));
    }
    text_put_char(out, is_chosen ? ']' : ' ');
    return out->at;
}

static int measure_clues(const struct aims *aims, const struct aim_cursor *cursor,
                         const uint8_t *indexes, uint8_t count, const struct words *words)
{
    int width = 0;
    for (uint8_t i = 0; i < count; i++) {
        width += draw_measure_text(write_clue(aims, indexes[i], i == cursor->turn % count, words,
                                              &TEXT_OF(TABLE_TEXT))) +
                 1;
    }
    return width;
}

void aims_draw(const struct canvas *canvas, const struct area *row, const struct aims *aims,
               const struct aim_cursor *cursor, const struct words *words)
{
    uint8_t here[MOVES_MAX];
    uint8_t count = find_moves_at_cursor(aims, cursor, here);
    int column = row->column;
    int end = row->column + row->width;
    if (count == 0) {
        draw_formatted_text(canvas, row->row, column, row->width, STYLE_DIM,
                            _("card %d: nothing new to say about it"), cursor->slot + 1);
        return;
    }
    column += 1 + draw_formatted_text(canvas, row->row, column, end - column, STYLE_STRONG,
                                      _("clue for %s:"),
                                      words_write_seat(words, cursor->seat, &TEXT_OF(TABLE_TEXT)));
    /* The chosen clue is always shown; others only if there is room for all of them. */
    bool has_all = measure_clues(aims, cursor, here, count, words) <= end - column;
    for (uint8_t i = 0; i < count; i++) {
        bool is_chosen = i == cursor->turn % count;
        if (!is_chosen && !has_all) {
            continue;
        }
        column += 1 + draw_text(canvas, row->row, column, end - column,
                                is_chosen ? STYLE_SELECTED : STYLE_PLAIN,
                                write_clue(aims, here[i], is_chosen, words, &TEXT_OF(TABLE_TEXT)));
    }
    const char *hint = _("Tab: another clue");
    if (count > 1 && column + 1 + draw_measure_text(hint) <= end) {
        draw_text(canvas, row->row, column + 1, end - column - 1, STYLE_DIM, hint);
    }
}

#define LETTERS "adefgnopuvxyz " /* letters that the table screen does not use as keys */
#define GRID_FROM 20             /* the smallest number of cards that is drawn as a grid */
#define LETTER_COUNT ((int)sizeof(LETTERS) - 2)

/* Reads a label that consists of numbers. Returns how many numbers: 1 for "3", 2 for "3 or 4", 0
 * for other labels. */
static int read_label_numbers(const struct game_view *view, uint8_t move, int numbers[2])
{
    struct phrase label = face_label(view, move);
    int count = 0;
    while (label.format != NULL && count < 2 && label.args[count].type == ARG_NUMBER &&
           label.args[count].number >= 0) {
        numbers[count] = label.args[count].number;
        count++;
    }
    bool is_number = count == 2 || (count == 1 && strcmp(label.format, "{0}") == 0);
    return is_number && label.args[count].type == ARG_NONE ? count : 0;
}

/* Returns the card that a choice names; CARD_NONE if it names none. */
static uint8_t card_of_choice(const struct choices *choices, int index)
{
    uint8_t move = choices->moves[index];
    const struct move_def *kind = game_find_kind(choices->view->game, move);
    return kind != NULL && kind->form == MOVE_CARD ? (uint8_t)(move - kind->first) : CARD_NONE;
}

struct choice_cursor choices_make_empty_cursor(void)
{
    return (struct choice_cursor){.selected = -1, .named_move = MOVE_NONE};
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

/* True for a bid of at most as many tricks as the viewer holds cards, whether a rule forbids it now
 * or not. */
static bool is_possible_bid(const struct game_view *view, uint8_t move)
{
    const struct move_def *bids = game_find_bids(view->game);
    return bids != NULL && bids->phase == view->phase && move >= bids->first &&
           move < bids->first + bids->count && move - bids->first <= view->slot_count[view->seat];
}

/* Finds the legal moves, and the unavailable ones that are listed too during the viewer's turn. */
static struct move_set find_moves_to_list(const struct game_view *view)
{
    struct move_set listed = view->legal;
    for (uint8_t move = 0; view_viewer_may_move(view) && move < MOVES_MAX; move++) {
        if (is_possible_bid(view, move) ||
            (view->game->face->lists != NULL && view->game->face->lists(view, move))) {
            move_set_add(&listed, move);
        }
    }
    return listed;
}

/* If the choices form a grid (equally many cards of each suit), returns the number of cards per
 * suit. Returns 0 if they do not, or if they fit a line. */
static uint8_t count_grid_columns(const struct choices *choices)
{
    const struct deck_def *deck = choices->view->game->deck;
    uint8_t across = 0;
    while (across < choices->count && card_of_choice(choices, across) != CARD_NONE &&
           card_suit(deck, card_of_choice(choices, across)) ==
               card_suit(deck, card_of_choice(choices, 0))) {
        across++;
    }
    return choices->count >= GRID_FROM && across > 0 && choices->count % across == 0 ? across : 0;
}

static void assign_keys_to_choices(struct choices *out)
{
    for (int i = 0; i < out->count; i++) {
        struct text key = text_init(out->typed[i], CHOICE_KEY_MAX);
        int numbers[2] = {0};
        if (out->keys == CHOICE_LETTERS) {
            text_put_char(&key, LETTERS[i < LETTER_COUNT ? i : LETTER_COUNT]);
        } else if (out->keys == CHOICE_GRID) {
            text_put_number(&key, card_value(out->view->game->deck, card_of_choice(out, i)));
        } else if (out->keys == CHOICE_INDEX) {
            text_put_number(&key, i + 1);
        } else if (read_label_numbers(out->view, out->moves[i], numbers) == 2) {
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
    *out = (struct choices){.view = view};
    aims_collect_pointing_moves(view, &out->aims);
    bool are_numbers = true;
    const struct move_set listed = find_moves_to_list(view);
    for (uint8_t move = move_set_next(&listed, 0); move != MOVE_NONE;
         move = move_set_next(&listed, move + 1U)) {
        int numbers[2];
        struct face_aim aim;
        struct face_order order;
        if (move_set_has(&pointed, move) || aims_read_move(view, move, &aim) ||
            order_read_move(view, move, &order)) {
            continue;
        }
        out->moves[out->count++] = move;
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
    out->across = out->keys == CHOICE_INDEX ? count_grid_columns(out) : 0;
    if (out->across > 0) {
        out->keys = CHOICE_GRID;
    }
    out->has_pairs &= out->keys == CHOICE_NUMBERS;
    assign_keys_to_choices(out);
}

static enum choice_result choose_move(const struct choices *choices, struct choice_cursor *cursor,
                                      int index, uint8_t *move)
{
    cursor->selected = index;
    if (!choices
             ->has_pairs) { /* numbers that may become two stay in sight until the move is made */
        cursor->typed[0] = '\0';
    }
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
    return match_typed_text(
        text_format(&TEXT_OF(CHOICE_KEY_MAX), "%s,%.*s", comma + 1, (int)(comma - key), key),
        typed);
}

/* Returns the choice whose whole key is the text, -1 if there is none. *goes_on becomes true if a
 * longer key begins with the text. In a grid only keys in the selected row count. */
static int find_typed_choice(const struct choices *choices, const struct choice_cursor *cursor,
                             const char *typed, bool *goes_on)
{
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

/* Takes the text as what was typed if it names a choice or can be continued to one. *goes_on
 * becomes true if it can. */
static bool accept_text(const struct choices *choices, struct choice_cursor *cursor,
                        const char *text, bool *goes_on)
{
    int found = find_typed_choice(choices, cursor, text, goes_on);
    if (found < 0 && !*goes_on) {
        return false;
    }
    struct text typed = text_init(cursor->typed, CHOICE_KEY_MAX);
    text_put(&typed, text);
    if (found >= 0 || choices->keys != CHOICE_GRID) { /* in a grid, the selected row stays so */
        cursor->selected = found;
    }
    return true;
}

/* Appends a typed character. One that does not continue the typed text is refused: it may be the
 * rest of a number that is no choice. In a grid, where no number decides, it begins a new text. Of
 * two numbers, it begins the second one, or a new choice if there are two already. */
static enum choice_result add_typed_character(const struct choices *choices,
                                              struct choice_cursor *cursor, char character,
                                              uint8_t *move)
{
    bool goes_on, is_grid = choices->keys == CHOICE_GRID, has_pairs = choices->has_pairs;
    const char alone[] = {character, '\0'};
    const char *longer = text_format(&TEXT_OF(2 * CHOICE_KEY_MAX), "%s%s", cursor->typed, alone);
    const char *second = text_format(&TEXT_OF(2 * CHOICE_KEY_MAX), "%s,%s", cursor->typed, alone);
    bool is_taken = accept_text(choices, cursor, longer, &goes_on) ||
                    (has_pairs && accept_text(choices, cursor, second, &goes_on)) ||
                    ((has_pairs || is_grid) && accept_text(choices, cursor, alone, &goes_on));
    if (!is_taken && !has_pairs) {
        struct text refused = text_init(cursor->refused, sizeof(cursor->refused));
        text_put(&refused, is_grid ? alone : longer);
        if (is_grid) {
            cursor->typed[0] = '\0';
        }
        return CHOICE_REFUSED;
    }
    return has_pairs || is_grid || goes_on ? CHOICE_TAKEN
                                           : choose_move(choices, cursor, cursor->selected, move);
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

/* Changes the last number to the next one, in that direction, that makes a whole choice. */
static void step_last_number(const struct choices *choices, struct choice_cursor *cursor, int step)
{
    const char *from = cursor->typed[0] == '\0' && cursor->selected >= 0
                           ? choices->typed[cursor->selected]
                           : cursor->typed;
    const char *comma = strchr(from, ',');
    const char *last = comma != NULL ? comma + 1 : from;
    int number = *last != '\0' ? (int)strtol(last, NULL, 10) + step : 0;
    for (int tries = 0; tries < choices->count && number >= 0; tries++, number += step) {
        struct text text = TEXT_OF(4 * CHOICE_KEY_MAX);
        bool goes_on;
        text_format(&text, "%.*s%d", (int)(last - from), from, number);
        if (find_typed_choice(choices, cursor, text.at, &goes_on) >= 0) {
            (void)accept_text(choices, cursor, text.at, &goes_on);
            return;
        }
    }
}

/* Adds the clicked number as the first or the second one, or begins anew with it. */
static void add_clicked_number(const struct choices *choices, struct choice_cursor *cursor,
                               int clicked)
{
    struct text text = TEXT_OF(3 * CHOICE_KEY_MAX);
    text_format(&text, "%.*s,%s", (int)strcspn(cursor->typed, ","), cursor->typed,
                choices->typed[clicked]);
    bool goes_on, is_second = strchr(cursor->typed, ',') == NULL || cursor->selected < 0;
    if (cursor->typed[0] == '\0' || !is_second ||
        !accept_text(choices, cursor, text.at, &goes_on)) {
        (void)accept_text(choices, cursor, choices->typed[clicked], &goes_on);
    }
}

/* Returns the choice that is drawn under the pointer, if it still exists; -1 if there is none. */
static int find_clicked_choice(const struct choices *choices, const struct choice_cursor *cursor,
                               const struct press *press)
{
    for (int i = 0; i < choices->count && press->kind == PRESS_CLICK; i++) {
        const struct choice_spot *spot = &cursor->spots[i];
        if (spot->move == choices->moves[i] && press->row == spot->row &&
            press->column >= spot->column && press->column < spot->column + spot->width) {
            return i;
        }
    }
    return -1;
}

/* Among choices of one number or two, nothing decides before Enter. */
static enum choice_result handle_key(const struct choices *choices, struct choice_cursor *cursor,
                                     const struct press *press, uint8_t *move)
{
    bool is_arrow = press->kind == PRESS_LEFT || press->kind == PRESS_RIGHT;
    bool is_typed = press->kind == PRESS_CHAR && ((press->code >= '0' && press->code <= '9') ||
                                                  (choices->has_pairs && press->code == ','));
    int clicked = find_clicked_choice(choices, cursor, press);
    if (press->kind == PRESS_ENTER && cursor->selected >= 0 && cursor->selected < choices->count) {
        return choose_move(choices, cursor, cursor->selected, move);
    }
    if (press->kind == PRESS_CHAR && choices->keys == CHOICE_LETTERS) {
        return select_by_letter(choices, cursor, press->code);
    }
    if (press->kind == PRESS_BACKSPACE && cursor->typed[0] != '\0') {
        bool goes_on;
        cursor->typed[strlen(cursor->typed) - 1] = '\0';
        cursor->selected = cursor->typed[0] == '\0'
                               ? -1
                               : find_typed_choice(choices, cursor, cursor->typed, &goes_on);
        return CHOICE_TAKEN;
    }
    if (is_typed) {
        return add_typed_character(choices, cursor, (char)press->code, move);
    }
    if (clicked >= 0 && !choices->has_pairs) {
        return choose_move(choices, cursor, clicked, move);
    }
    if (!choices->has_pairs) {
        return handle_arrow_key(choices, cursor, press->kind);
    }
    if (is_arrow) {
        step_last_number(choices, cursor, press->kind == PRESS_LEFT ? -1 : 1);
    } else if (clicked >= 0) {
        add_clicked_number(choices, cursor, clicked);
    }
    return is_arrow || clicked >= 0 ? CHOICE_TAKEN : CHOICE_IGNORED;
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

#define LABEL_MAX 200
#define KEY_WIDTH 4
#define GRID_SUIT 5 /* width of a suit's name and the blank after it, in columns */
#define GRID_CELL 4 /* "[12]" */
#define TOO_MANY 1000

static struct choice_spot make_spot(uint8_t move, const struct area *at)
{
    return (struct choice_spot){move, (int16_t)at->row, (int16_t)at->column, (int16_t)at->width};
}

/* True if the number is the typed one, or one of the two typed ones. */
static bool is_number_typed(const struct choice_cursor *cursor, const char *number)
{
    size_t len = strcspn(cursor->typed, ",");
    const char *second = cursor->typed + len + (cursor->typed[len] == ',');
    return (strlen(number) == len && strncmp(number, cursor->typed, len) == 0) ||
           strcmp(number, second) == 0;
}

/* Writes what was typed and what Enter does: "3,4_  Enter predicts 3 or 4: …". */
static const char *write_typed_choice(const struct choices *choices,
                                      const struct choice_cursor *cursor, const struct words *words,
                                      struct text *out)
{
    enum face_enter enter = !cursor->is_suggested             ? FACE_ENTER_ONCE
                            : cursor->named_move != MOVE_NONE ? FACE_ENTER_AGAIN
                                                              : FACE_ENTER_TWICE;
    bool is_begun = cursor->typed[0] != '\0' && cursor->selected < 0;
    text_format(out, "%s_  ", cursor->typed);
    if (is_begun) {
        text_put(out, _("Type the second number"));
    } else if (choices->view->game->face->confirm != NULL) {
        uint8_t move = cursor->selected < 0 ? MOVE_NONE : choices->moves[cursor->selected];
        words_write_phrase(words, choices->view->game->face->confirm(choices->view, move, enter),
                           out);
    }
    return out->at;
}

/* Writes a choice as it is drawn. An allowed choice stands in brackets, and a number that is typed
 * as one of two in angle brackets, so that they can be recognised on monochrome screens too. */
static enum style write_choice(const struct choices *choices, const struct choice_cursor *cursor,
                               int index, const struct words *words, struct text *out)
{
    bool is_legal =
        choices->has_pairs || move_set_has(&choices->view->legal, choices->moves[index]);
    bool is_selected = choices->has_pairs ? is_number_typed(cursor, choices->typed[index])
                                          : index == cursor->selected;
    struct words own = *words;
    own.is_plain = !is_legal || is_selected;
    text_put(out, choices->has_pairs && is_selected ? "<" : is_legal ? "[" : " ");
    if (choices->has_pairs || choices->keys == CHOICE_GRID) {
        text_put(out, choices->typed[index]);
    } else {
        words_write_move(&own, choices->view, choices->moves[index], out);
    }
    text_put(out, choices->has_pairs && is_selected ? ">" : is_legal ? "]" : " ");
    return is_selected ? STYLE_SELECTED : is_legal ? STYLE_CARD : STYLE_DIM;
}

/* Returns the width of the key before a choice in a row; 0 if the label itself is typed. */
static int measure_key_width_in_row(const struct choices *choices, int index)
{
    return choices->keys == CHOICE_NUMBERS ? 0 : draw_measure_text(choices->typed[index]) + 1;
}

static int measure_choice(const struct choices *choices, int index, const struct words *words)
{
    const struct choice_cursor none = choices_make_empty_cursor();
    struct text text = TEXT_OF(LABEL_MAX);
    (void)write_choice(choices, &none, index, words, &text);
    return draw_measure_text(text.at);
}

int choices_measure_row_width(const struct choices *choices, const struct words *words)
{
    int width = 0;
    for (int i = 0; i < choices->count; i++) {
        width += measure_key_width_in_row(choices, i) + measure_choice(choices, i, words) +
                 (i > 0 ? 1 : 0);
    }
    return width;
}

int choices_draw_rows(const struct canvas *canvas, const struct area *area,
                      const struct choices *choices, struct choice_cursor *cursor,
                      const struct words *words)
{
    int row = 0;
    int at = 0;
    if (canvas != NULL) {
        memset(cursor->spots, 0, sizeof(cursor->spots));
    }
    for (int i = 0; i < choices->count; i++) {
        struct text text = TEXT_OF(LABEL_MAX);
        if (choices->has_pairs && strchr(choices->typed[i], ',') != NULL) {
            continue; /* a pair consists of two of the numbers */
        }
        enum style style = write_choice(choices, cursor, i, words, &text);
        int key = measure_key_width_in_row(choices, i);
        int width = key + draw_measure_text(text.at);
        if (at > 0 && at + width > area->width && !choices->has_pairs) {
            row++;
            at = 0;
        }
        if (canvas != NULL && row < area->height) {
            struct area spot = {area->row + row, area->column + at, 1, width};
            cursor->spots[i] = make_spot(choices->moves[i], &spot);
            draw_text(canvas, spot.row, spot.column, key > 0 ? key - 1 : 0, STYLE_KEY,
                      choices->typed[i]);
            draw_text(canvas, spot.row, spot.column + key, area->width - at - key, style, text.at);
        }
        at += width + 1;
    }
    if (choices->has_pairs && canvas != NULL && area->height > 1) {
        draw_text(canvas, area->row + 1, area->column, area->width, STYLE_KEY,
                  write_typed_choice(choices, cursor, words, &TEXT_OF(TABLE_TEXT)));
    }
    return choices->has_pairs ? 2 : row + 1;
}

const char *choices_write_pending(const struct choices *choices, const struct choice_cursor *cursor,
                                  const struct words *words, struct text *out)
{
    if (cursor->typed[0] == '\0' || choices->has_pairs) {
        return out->at; /* choices_draw_rows writes numbers that may become two */
    }
    if (cursor->selected < 0 || cursor->selected >= choices->count) {
        return text_format(out, _("%s_  goes on"), cursor->typed);
    }
    return text_format(out, _("%s_  Enter confirms %s"), cursor->typed,
                       words_write_move(words, choices->view, choices->moves[cursor->selected],
                                        &TEXT_OF(LABEL_MAX)));
}

/* How a list of choices is laid out. A grid has a suit's name before each row. */
struct list_plan {
    int left;   /* columns before the first choice of a row */
    int key;    /* columns of the key before each choice */
    int cell;   /* columns of each choice, with its key and a blank */
    int across; /* number of choices in a row */
};

static struct list_plan plan_list(const struct choices *choices, const struct words *words,
                                  int width)
{
    if (choices->keys == CHOICE_GRID) {
        return (struct list_plan){GRID_SUIT, 0, GRID_CELL, choices->across};
    }
    int widest = 1;
    for (int i = 0; i < choices->count; i++) {
        int label = measure_choice(choices, i, words);
        widest = label > widest ? label : widest;
    }
    struct list_plan plan = {.key = choices->keys == CHOICE_NUMBERS ? 0 : KEY_WIDTH};
    plan.cell = plan.key + widest + 1;
    plan.across = width / plan.cell > 0 ? width / plan.cell : 1;
    if (plan.across > choices->count && choices->count > 0) {
        plan.across = choices->count;
    }
    plan.cell = plan.cell > width ? width : plan.cell;
    return plan;
}

int choices_count_list_rows(const struct choices *choices, const struct words *words, int width)
{
    struct list_plan plan = plan_list(choices, words, width);
    bool fits = choices->keys != CHOICE_GRID || plan.left + plan.across * plan.cell <= width;
    return fits ? (choices->count + plan.across - 1) / plan.across : TOO_MANY;
}

void choices_draw_list(const struct canvas *canvas, const struct area *area,
                       const struct choices *choices, struct choice_cursor *cursor,
                       const struct words *words)
{
    bool is_grid = choices->keys == CHOICE_GRID;
    struct list_plan plan = plan_list(choices, words, area->width);
    draw_filled_area(canvas, area, STYLE_PLAIN);
    memset(cursor->spots, 0, sizeof(cursor->spots));
    cursor->across = plan.across;
    struct list list = {.top = cursor->top,
                        .selected = cursor->selected < 0 ? 0 : cursor->selected / plan.across};
    list_set_size(&list, (choices->count + plan.across - 1) / plan.across, area->height);
    cursor->top = list.top;
    int first = cursor->top * plan.across;
    for (int i = first; i < choices->count && i - first < area->height * plan.across; i++) {
        int column = plan.left + i % plan.across * plan.cell;
        struct area spot = {area->row + (i - first) / plan.across, area->column + column, 1,
                            plan.cell};
        struct text text = TEXT_OF(LABEL_MAX);
        if (is_grid && i % plan.across == 0) {
            uint8_t suit = card_suit(choices->view->game->deck, card_of_choice(choices, i));
            draw_text_right_aligned(canvas, spot.row, area->column, GRID_SUIT - 1, STYLE_PLAIN,
                                    words_write_suit(words, suit, &TEXT_OF(LABEL_MAX)));
        }
        if (plan.key > 0) {
            draw_text_right_aligned(canvas, spot.row, spot.column, plan.key - 1, STYLE_KEY,
                                    choices->typed[i]);
        }
        enum style style = write_choice(choices, cursor, i, words, &text);
        cursor->spots[i] = make_spot(choices->moves[i], &spot);
        (is_grid ? draw_text_right_aligned : draw_text)(canvas, spot.row, spot.column + plan.key,
                                                        plan.cell - plan.key, style, text.at);
    }
}

int order_find_suit(const struct game_view *view, const struct face_order *order, int hand_place)
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

const char *order_write_seen_cards(const struct game_view *view, const struct words *words,
                                   const struct face_order *order, int width, struct text *out)
{
    char cards[SLOTS_MAX][LABEL_MAX];
    const char *names[SLOTS_MAX];
    struct text list = TEXT_OF(TABLE_TEXT);
    size_t count = 0;
    for (uint8_t place = 0; place < view->slot_count[view->seat]; place++) {
        if ((order->seen >> place & 1) != 0) {
            struct text card = text_init(cards[count], LABEL_MAX);
            names[count++] =
                words_write_card(words, view->hands[view->seat][order->slots[place]].card, &card);
        }
    }
    text_put_list(&list, names, count);
    const char *holder = words_write_seat(words, order->holder, &TEXT_OF(TABLE_TEXT));
    struct text line = TEXT_OF(2 * TABLE_TEXT);
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
                                         : order_find_suit(view, &order, clicked_place);
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
        order_write_seen_cards(view, words, &order, LINES_LINE_MAX, &TEXT_OF(2 * TABLE_TEXT)));
    if (order_is_asked(view)) {
        lines_format(
            lines,
            _("Type the colours from left to right, such as %s or %s. The word order keeps them as "
              "they are."),
            write_example(view, &order, true, &TEXT_OF(TABLE_TEXT)),
            write_example(view, &order, false, &TEXT_OF(TABLE_TEXT)));
    }
    return true;
}
