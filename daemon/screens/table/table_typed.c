#include "daemon/screens/table/choosing.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#define LABEL_BYTES 400
#define MISTYPED_MAX 12 /* bytes of the longest word that can be a mistyped move */
#define IN_ONE_LINE 6   /* a longer list is printed with one line for each entry */

uint8_t typed_list_numbered_slots(const struct game_view *view, uint8_t slots[SLOTS_MAX])
{
    bool keeps_slots = false;
    return view->seat == SPECTATOR
               ? 0
               : hand_order_slots(view, (uint8_t)view->seat, &keeps_slots, slots);
}

/* Appends a text in a form for comparisons: lower-case ASCII letters, without blanks and dashes.
 * The rank ten of a card becomes "t". Returns all of `out`. */
static const char *simplify_text(const struct game_view *view, const char *text, struct text *out)
{
    if (view->game->deck->is_standard && strncmp(text, "10", 2) == 0) {
        text_put_char(out, 't');
        text += 2;
    }
    for (struct styled_char step; (step = styled_text_read_char(text)).len > 0; text += step.len) {
        if (!step.is_mark && step.character != L' ' && step.character != L'-') {
            text_put_char(out, (char)styled_text_character_to_lower_ascii(step.character));
        }
    }
    return out->at;
}

static bool are_texts_alike(const struct game_view *view, const char *line, const char *text)
{
    return strcmp(simplify_text(view, line, &TEXT_OF(LABEL_BYTES)),
                  simplify_text(view, text, &TEXT_OF(LABEL_BYTES))) == 0;
}

/* True if the line is the move's label, or the move as histories write it: the whole notation, or
 * its part after the colon. */
static bool is_line_a_name_of_move(const struct game_view *view, const struct words *words,
                                   uint8_t move, const char *line)
{
    struct text written = TEXT_OF(MOVE_TEXT_MAX);
    game_move_write(view->game, move, &written);
    const char *colon = strchr(written.at, ':');
    return strcmp(line, written.at) == 0 ||
           are_texts_alike(view, line,
                           words_write_move(words, view, move, &TEXT_OF(LABEL_BYTES))) ||
           (colon != NULL && are_texts_alike(view, line, colon + 1));
}

/* Returns the positive number that the line consists of; 0 for any other line. */
static int parse_number(const char *line)
{
    size_t len = strspn(line, "0123456789");
    int number = 0;
    for (size_t i = 0; i < len && len <= 3; i++) {
        number = 10 * number + line[i] - '0';
    }
    return line[len] == '\0' ? number : 0;
}

/* Returns the slot of the card in the viewer's hand that the line names, by the card's number or
 * its name; -1 if there is none. */
static int find_typed_slot(const struct game_view *view, const struct words *words,
                           const char *line)
{
    uint8_t slots[SLOTS_MAX];
    uint8_t count = typed_list_numbered_slots(view, slots);
    int number = parse_number(line);
    if (number > 0) {
        return number <= count ? slots[number - 1] : -1;
    }
    for (uint8_t i = 0; i < count; i++) {
        const struct view_slot *slot = &view->hands[view->seat][slots[i]];
        struct text written = TEXT_OF(CARD_TEXT_MAX);
        card_write_name(view->game->deck, slot->card, &written);
        if (!slot->is_empty && slot->card != CARD_NONE &&
            (are_texts_alike(view, line,
                             words_write_card(words, slot->card, &TEXT_OF(LABEL_BYTES))) ||
             are_texts_alike(view, line, written.at))) {
            return slots[i];
        }
    }
    return -1;
}

static uint8_t find_move_in_printed_list(const struct game_view *view, const char *typed_line)
{
    struct choices choices;
    struct aims aims;
    choices_collect(view, &choices);
    aims_collect_pointing_moves(view, &aims);
    for (int i = 0; i < choices.count; i++) {
        if (choices_match_key(choices.typed[i], typed_line) == KEY_WHOLE) {
            return choices.moves[i];
        }
    }
    int number = parse_number(typed_line) - choices.count;
    return number > 0 && number <= aims.count ? aims.moves[number - 1] : MOVE_NONE;
}

bool typed_is_only_numbers(const char *line)
{
    return line[0] >= '0' && line[0] <= '9' && line[strspn(line, "0123456789 ,")] == '\0';
}

/* True if the whole label of a move is a player's name, which people also say. */
static bool is_label_a_name_of_person(const struct game_view *view, uint8_t move)
{
    struct phrase label = view->game->face->label(view, move);
    return label.format != NULL && strcmp(label.format, "{0}") == 0 &&
           label.args[0].type == ARG_SEAT;
}

/* Finds a move of the game by its name: a legal one, or any one but those that are named by a
 * player's name alone. MOVE_NONE if there is none. */
static uint8_t find_move_by_name(const struct game_view *view, const struct words *words,
                                 const char *line, bool is_legal)
{
    for (uint8_t move = 0; move < MOVES_MAX; move++) {
        struct text written = TEXT_OF(MOVE_TEXT_MAX);
        game_move_write(view->game, move, &written);
        bool is_meant = is_legal ? move_set_has(&view->legal, move)
                                 : written.len > 0 && !is_label_a_name_of_person(view, move);
        if (is_meant && is_line_a_name_of_move(view, words, move, line)) {
            return move;
        }
    }
    return MOVE_NONE;
}

static bool is_line_a_card_of_the_deck(const struct game_view *view, const struct words *words,
                                       const char *line)
{
    for (uint8_t card = 0; card < card_count(view->game->deck); card++) {
        if (are_texts_alike(view, line, words_write_card(words, card, &TEXT_OF(LABEL_BYTES)))) {
            return true;
        }
    }
    return false;
}

/* True if histories write the move with this verb, in any case: "bid" for "bid:3". */
static bool is_verb_of_move(const struct game_view *view, uint8_t move, const char *verb,
                            size_t len)
{
    struct text written = TEXT_OF(MOVE_TEXT_MAX);
    game_move_write(view->game, move, &written);
    return strncasecmp(written.at, verb, len) == 0 && written.at[len] == ':';
}

/* True if some move of the game is written with this verb. */
static bool is_verb_of_game(const struct game_view *view, const char *verb, size_t len)
{
    bool is_verb = false;
    for (uint8_t move = 0; move < MOVES_MAX && !is_verb; move++) {
        is_verb = is_verb_of_move(view, move, verb, len);
    }
    return is_verb;
}

/* Returns the words after the line's first word if that is a verb of the game, such as "bid", of
 * *verb_len bytes; otherwise the whole line, and *verb_len is 0. A word for what pointing at a card
 * does now ("drop") is skipped too, but fits every move. */
static const char *skip_verb(const struct game_view *view, const char *line, size_t *verb_len)
{
    size_t len = strcspn(line, " ");
    const char *rest = line + len + strspn(line + len, " ");
    *verb_len = 0;
    if (*rest == '\0' || rest == line + len) {
        return line;
    }
    if (is_verb_of_game(view, line, len)) {
        *verb_len = len;
        return rest;
    }
    const char *pointing = face_describe_pointing_at_card(view);
    const char *const words[] = {pointing, _(pointing)};
    for (size_t i = 0; i < ARRAY_LEN(words); i++) {
        if (strlen(words[i]) == len && strncasecmp(words[i], line, len) == 0) {
            return rest;
        }
    }
    return line;
}

/* True if the text contains the word, which has no blanks. */
static bool has_word(const struct game_view *view, const char *text, const char *word)
{
    while (*text != '\0') {
        char found[LABEL_BYTES];
        size_t len = strcspn(text, " ,;:()");
        snprintf(found, sizeof(found), "%.*s", (int)len, text);
        if (len > 0 && are_texts_alike(view, word, found)) {
            return true;
        }
        text += len + (text[len] != '\0');
    }
    return false;
}

/* True if the word is printed in the list of what the viewer can choose now: a part of a choice, or
 * of a card in the hand as plain mode describes it ("unknown"). */
static bool is_word_of_printed_choices(const struct game_view *view, const struct words *words,
                                       const char *word)
{
    uint8_t slots[SLOTS_MAX];
    uint8_t count = typed_list_numbered_slots(view, slots);
    for (uint8_t move = move_set_next(&view->legal, 0); move != MOVE_NONE;
         move = move_set_next(&view->legal, move + 1U)) {
        struct text label = TEXT_OF(LABEL_BYTES);
        if (!is_label_a_name_of_person(view, move) &&
            has_word(view, words_write_move(words, view, move, &label), word)) {
            return true;
        }
    }
    for (uint8_t i = 0; i < count; i++) {
        struct text card = TEXT_OF(LABEL_BYTES);
        if (has_word(view,
                     game_print_write_hand_card(words, &view->hands[view->seat][slots[i]], &card),
                     word)) {
            return true;
        }
    }
    return false;
}

/* True for a line that was probably meant as a move, with a slip: one short word with a digit in
 * it, as in "ye6"; in the viewer's turn also any word of the choices. */
static bool is_line_like_a_move(const struct game_view *view, const struct words *words,
                                const char *line)
{
    bool is_word = strchr(line, ' ') == NULL && strlen(line) <= MISTYPED_MAX;
    bool has_digit = line[strcspn(line, "0123456789")] != '\0';
    return is_word && (has_digit || (view_viewer_may_move(view) &&
                                     is_word_of_printed_choices(view, words, line)));
}

/* Finds the move that the line names in the viewer's turn; MOVE_NONE if there is none. */
static uint8_t find_move_of_this_turn(const struct game_view *view, const struct words *words,
                                      const char *line, int slot)
{
    /* A typed number means the choice printed with that number, not a move's number in
     * histories. */
    bool is_number = line[strspn(line, "0123456789")] == '\0';
    uint8_t move = find_move_in_printed_list(view, line);
    if (move == MOVE_NONE && !is_number) {
        move = find_move_by_name(view, words, line, true);
    }
    if (move == MOVE_NONE && !is_number) {
        move = order_parse_line(view, line);
    }
    if (move == MOVE_NONE && slot >= 0) {
        move = view->game->face->point(view, (uint8_t)slot);
    }
    return move == MOVE_NONE && !is_number ? find_move_by_name(view, words, line, false) : move;
}

enum typed typed_parse_move(const struct game_view *view, const struct words *words,
                            const char *line, uint8_t *move)
{
    size_t verb;
    *move = MOVE_NONE;
    if (view->seat == SPECTATOR || line[0] == '\0') {
        return TYPED_NOTHING;
    }
    const char *name = skip_verb(view, line, &verb);
    int slot = find_typed_slot(view, words, name);
    bool is_move_like =
        slot >= 0 || typed_is_only_numbers(name) || is_line_a_card_of_the_deck(view, words, name);
    if (!view_viewer_may_move(view)) {
        is_move_like |= find_move_by_name(view, words, name, false) != MOVE_NONE;
        return is_move_like                             ? TYPED_EARLY
               : is_line_like_a_move(view, words, name) ? TYPED_UNKNOWN
                                                        : TYPED_NOTHING;
    }
    is_move_like |= is_verb_of_game(view, line, strlen(line)) ||
                    order_is_line_of_suits(view, line) || is_line_like_a_move(view, words, name);
    *move = find_move_of_this_turn(view, words, name, slot);
    if (verb > 0 && *move != MOVE_NONE && !is_verb_of_move(view, *move, line, verb)) {
        *move = MOVE_NONE;
        is_move_like = true;
    }
    return *move != MOVE_NONE ? TYPED_MOVE : is_move_like ? TYPED_UNKNOWN : TYPED_NOTHING;
}

/* Finds the move whose whole label is that number: a bid. */
static uint8_t find_any_move_by_number(const struct game_view *view, const struct words *words,
                                       const char *number)
{
    for (uint8_t move = 0; move < MOVES_MAX; move++) {
        struct text written = TEXT_OF(MOVE_TEXT_MAX), label = TEXT_OF(LABEL_BYTES);
        game_move_write(view->game, move, &written);
        if (written.len > 0 && strcmp(words_write_move(words, view, move, &label), number) == 0) {
            return move;
        }
    }
    return MOVE_NONE;
}

uint8_t typed_parse_later_move(const struct game_view *view, const struct words *words,
                               const char *line)
{
    size_t verb;
    const char *name = skip_verb(view, line, &verb);
    int slot = view->seat == SPECTATOR ? -1 : find_typed_slot(view, words, name);
    uint8_t move = slot >= 0 ? view->game->face->point(view, (uint8_t)slot) : MOVE_NONE;
    if (typed_is_only_numbers(name) &&
        (move == MOVE_NONE || (verb > 0 && !is_verb_of_move(view, move, line, verb)))) {
        move = find_any_move_by_number(view, words, name);
    } else if (move == MOVE_NONE) {
        move = find_move_by_name(view, words, name, false);
    }
    bool is_meant = move == MOVE_NONE || verb == 0 || is_verb_of_move(view, move, line, verb);
    return is_meant ? move : MOVE_NONE;
}

/* Writes why a move is not allowed now; nothing if the move is allowed. */
static const char *write_why_move_is_refused(const struct game_view *view,
                                             const struct words *words, uint8_t move,
                                             struct text *out)
{
    if (!move_set_has(&view->legal, move)) {
        words_write_phrase(words, view->game->face->refusal(view, move), out);
    }
    return out->at;
}

/* Writes the cards of the viewer's hand that may not be played for the reason `refusal`; if
 * `refusal` is "", the playable cards. Returns the places of the written cards as bits. */
static uint16_t write_cards_with_refusal(const struct game_view *view, const struct words *words,
                                         const char *refusal, struct text *out)
{
    uint8_t slots[SLOTS_MAX];
    uint16_t written = 0;
    uint8_t count = typed_list_numbered_slots(view, slots);
    for (uint8_t place = 0; place < count; place++) {
        const struct view_slot *slot = &view->hands[view->seat][slots[place]];
        uint8_t move = view->game->face->point(view, slots[place]);
        if (!slot->is_empty &&
            strcmp(write_why_move_is_refused(view, words, move, &TEXT_OF(LABEL_BYTES)), refusal) ==
                0) {
            written = (uint16_t)(written | 1U << place);
            text_format_list_item(out, "%d ", place + 1);
            game_print_write_hand_card(words, slot, out);
        }
    }
    return written;
}

/* Prints the cards that can be played, then the other cards, grouped by the reason why they cannot
 * be played. */
static void print_playable_and_other_cards(const struct game_view *view, const struct words *words,
                                           struct lines *lines)
{
    uint8_t slots[SLOTS_MAX];
    struct text line = TEXT_OF(LINES_LINE_MAX);
    uint16_t printed = write_cards_with_refusal(view, words, "", &line);
    uint8_t count = typed_list_numbered_slots(view, slots);
    lines_format(lines, _("You can choose %s."), line.at);
    for (uint8_t place = 0; place < count; place++) {
        struct text others = TEXT_OF(LINES_LINE_MAX);
        if ((printed >> place & 1) != 0 || view->hands[view->seat][slots[place]].is_empty) {
            continue;
        }
        const char *why = write_why_move_is_refused(
            view, words, view->game->face->point(view, slots[place]), &TEXT_OF(LABEL_BYTES));
        printed = (uint16_t)(printed | write_cards_with_refusal(view, words, why, &others));
        lines_format(lines, _("Not now: %s (%s)."), others.at, why);
    }
}

/* Prints which numbers can be typed: as a range if none between the first and the last is missing.
 */
static void print_numbers_to_type(const struct game_view *view, const struct choices *choices,
                                  struct lines *lines)
{
    struct text line = TEXT_OF(LINES_LINE_MAX);
    int first = -1, last = -1, count = 0;
    for (int i = 0; i < choices->count; i++) {
        bool is_pair = strchr(choices->typed[i], ',') != NULL;
        if (!is_pair && move_set_has(&view->legal, choices->moves[i])) {
            text_format_list_item(&line, "%s", choices->typed[i]);
            last = parse_number(choices->typed[i]);
            first = first < 0 ? last : first;
            count++;
        }
    }
    bool is_range = count > 2 && last - first + 1 == count;
    if (is_range) {
        lines_format(lines,
                     choices->has_pairs ? _("Type a number from %d to %d, or two, such as 3,4.")
                                        : _("Type a number from %d to %d."),
                     first, last);
    } else {
        lines_format(lines,
                     choices->has_pairs ? _("Type a number, %s, or two, such as 3,4.")
                                        : _("Type a number: %s."),
                     line.at);
    }
}

/* Prints the allowed numbers, then why the other numbers are not allowed. */
static void print_allowed_numbers(const struct game_view *view, const struct words *words,
                                  const struct choices *choices, struct lines *lines)
{
    print_numbers_to_type(view, choices, lines);
    if (choices->has_pairs && view->game->face->confirm != NULL) {
        struct phrase meaning = view->game->face->confirm(view, MOVE_NONE, FACE_ENTER_ONCE);
        lines_format(lines, "%s.", words_write_phrase(words, meaning, &TEXT_OF(LABEL_BYTES)));
    }
    for (int i = 0; i < choices->count; i++) {
        const char *why =
            write_why_move_is_refused(view, words, choices->moves[i], &TEXT_OF(LABEL_BYTES));
        if (why[0] != '\0') {
            lines_format(lines, "%s.", why);
        }
    }
}

/* Prints the moves, each after the key or number to type for it: in one line if there are few. */
static void print_move_list(const struct game_view *view, const struct words *words,
                            const struct choices *choices, const struct aims *aims,
                            struct lines *lines)
{
    struct text line = TEXT_OF(LINES_LINE_MAX);
    int count = choices->count + aims->count;
    bool is_in_one_line = count <= IN_ONE_LINE && aims->count == 0;
    if (!is_in_one_line) {
        lines_put(lines, _("Type the number of one of these:"));
    }
    for (int i = 0; i < count; i++) {
        struct text number = TEXT_OF(16);
        bool is_choice = i < choices->count;
        uint8_t move = is_choice ? choices->moves[i] : aims->moves[i - choices->count];
        const char *label = words_write_move(words, view, move, &TEXT_OF(LABEL_BYTES));
        text_put_number(&number, i + 1);
        const char *key = is_choice ? choices->typed[i] : number.at;
        if (!is_in_one_line) {
            lines_format(lines, "%s: %s", key, label);
        } else {
            text_format_list_item(&line, "%s: %s", key, label);
        }
    }
    if (line.len > 0) {
        lines_format(lines, choices->has_pointing ? _("Or type %s.") : _("Type %s."), line.at);
    }
}

void typed_print_possible_moves(const struct game_view *view, const struct words *words,
                                struct lines *lines)
{
    struct choices choices;
    struct aims aims;
    choices_collect(view, &choices);
    aims_collect_pointing_moves(view, &aims);
    if (choices.has_pointing) {
        print_playable_and_other_cards(view, words, lines);
    } else if (!order_print(view, words, lines)) {
        game_print_hand(view, words, lines);
    }
    if (choices.count > 0 && choices.keys == CHOICE_NUMBERS) {
        print_allowed_numbers(view, words, &choices, lines);
    } else if (choices.count + aims.count > 0) {
        print_move_list(view, words, &choices, &aims, lines);
    }
}
