#include "daemon/screens/table/table_state.h"

#include "daemon/base/i18n.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define MISTYPED_MAX 12 /* bytes of the longest word that can be a mistyped move */
#define IN_ONE_LINE 6   /* a longer list is printed with one line for each entry */

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

void game_print_headline(const struct game_view *view, const struct words *words,
                         struct lines *lines)
{
    const struct scene scene = {.view = view, .words = *words};
    lines_format(lines, "%s.", scene_write_headline(&scene, "", INT_MAX, &TEXT_OF(LINES_LINE_MAX)));
    board_print(&scene, lines);
}

/* Writes what is known about the card in a slot (a place of a hand), and the card's marks in words.
 */
static const char *game_print_write_hand_card(const struct words *words,
                                              const struct view_slot *slot, struct text *out)
{
    struct text clue = TEXT_OF(TABLE_TEXT), card = TEXT_OF(TABLE_TEXT * 3);
    words_write_suit(words, slot->suit, &clue);
    if (slot->value != 0) {
        text_put(&clue, clue.len > 0 ? " " : "");
        text_put_number(&clue, slot->value);
    }
    if (slot->is_empty) {
        text_put(&card, _("gone"));
    } else if (slot->card == CARD_NONE && clue.len == 0) {
        text_put(&card, _("unknown"));
    } else if (slot->card == CARD_NONE) {
        text_format(&card, _("unknown %s"), clue.at);
    } else if (clue.len == 0) {
        words_write_card(words, slot->card, &card);
    } else if (slot->suit != SUIT_NONE && slot->value != 0) {
        text_format(&card, _("%s (told)"),
                    words_write_card(words, slot->card, &TEXT_OF(TABLE_TEXT)));
    } else {
        text_format(&card, _("%s (told: %s)"),
                    words_write_card(words, slot->card, &TEXT_OF(TABLE_TEXT)), clue.at);
    }
    return text_format(out, slot->is_traded && !slot->is_empty ? _("%s (traded)") : "%s", card.at);
}

/* Lists the slots of the viewer's hand in the order in which plain mode numbers the cards; returns
 * how many there are, 0 for a spectator. */
static uint8_t list_numbered_slots(const struct game_view *view, uint8_t slots[SLOTS_MAX])
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
    return strcmp(simplify_text(view, line, &TEXT_OF(TABLE_TEXT)),
                  simplify_text(view, text, &TEXT_OF(TABLE_TEXT))) == 0;
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
           are_texts_alike(view, line, words_write_move(words, view, move, &TEXT_OF(TABLE_TEXT))) ||
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
    uint8_t count = list_numbered_slots(view, slots);
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
                             words_write_card(words, slot->card, &TEXT_OF(TABLE_TEXT))) ||
             are_texts_alike(view, line, written.at))) {
            return slots[i];
        }
    }
    return -1;
}

static uint8_t find_move_in_printed_list(const struct game_view *view, const char *typed_line)
{
    struct choices choices;
    choices_collect(view, &choices);
    for (int i = 0; i < choices.count; i++) {
        if (choices_match_key(choices.typed[i], typed_line) == KEY_WHOLE) {
            return choices.moves[i];
        }
    }
    int number = parse_number(typed_line) - choices.count;
    return number > 0 && number <= choices.aims.count ? choices.aims.moves[number - 1] : MOVE_NONE;
}

/* True if the line consists of numbers alone: "3", "3,8". Such a line is never talk. */
static bool typed_is_only_numbers(const char *line)
{
    return line[0] >= '0' && line[0] <= '9' && line[strspn(line, "0123456789 ,")] == '\0';
}

/* Finds a move of the game by its name: a legal one, or any one but those that are named by a
 * player's name alone. MOVE_NONE if there is none. */
static uint8_t find_move_by_name(const struct game_view *view, const struct words *words,
                                 const char *line, bool is_legal)
{
    for (uint8_t move = 0; move < MOVES_MAX; move++) {
        const struct move_def *kind = game_find_kind(view->game, move);
        bool is_meant =
            is_legal ? move_set_has(&view->legal, move) : kind != NULL && kind->form != MOVE_SEAT;
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
        if (are_texts_alike(view, line, words_write_card(words, card, &TEXT_OF(TABLE_TEXT)))) {
            return true;
        }
    }
    return false;
}

/* True if histories write this kind of moves with this verb, in any case: "bid" for "bid:3". */
static bool is_verb_of_kind(const struct move_def *kind, const char *verb, size_t len)
{
    return strlen(kind->word) == len && strncasecmp(kind->word, verb, len) == 0;
}

/* True if some move of the game is written with this verb. */
static bool is_verb_of_game(const struct game_view *view, const char *verb, size_t len)
{
    const struct move_def *kind = view->game->moves;
    while (kind->word != NULL && !is_verb_of_kind(kind, verb, len)) {
        kind++;
    }
    return kind->word != NULL;
}

static bool is_verb_of_move(const struct game_view *view, uint8_t move, const char *verb,
                            size_t len)
{
    return is_verb_of_kind(game_find_kind(view->game, move), verb, len);
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
        char found[TABLE_TEXT];
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
    uint8_t count = list_numbered_slots(view, slots);
    for (uint8_t move = move_set_next(&view->legal, 0); move != MOVE_NONE;
         move = move_set_next(&view->legal, move + 1U)) {
        struct text label = TEXT_OF(TABLE_TEXT);
        if (game_find_kind(view->game, move)->form != MOVE_SEAT && /* names are also said */
            has_word(view, words_write_move(words, view, move, &label), word)) {
            return true;
        }
    }
    for (uint8_t i = 0; i < count; i++) {
        struct text card = TEXT_OF(TABLE_TEXT);
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
        if (strcmp(words_write_move(words, view, move, &TEXT_OF(TABLE_TEXT)), number) == 0) {
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
        if (view_tells_slots(view)) {
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
                     words_write_seat(words, seat, &TEXT_OF(TABLE_TEXT)), line.at);
    }
}

static void print_player(const struct game_view *view, const struct words *words, uint8_t seat,
                         struct lines *lines)
{
    struct text facts = TEXT_OF(LINES_LINE_MAX);
    const struct scene scene = {.view = view, .words = *words};
    const struct seat_marks marks = seat_marks_collect_lasting(&scene, seat);
    for (uint8_t i = 0; i < marks.count; i++) {
        text_format_list_item(&facts, "%s", marks.at[i]);
    }
    lines_format(lines, "%s: %s.", game_print_write_name(words, seat, &TEXT_OF(TABLE_TEXT)),
                 facts.at);
    if (view->seat != (int)seat && !view->game->face->badges_tell_open_cards) {
        print_open_hand(view, words, seat, lines);
    }
}

void game_print_seats(const struct game_view *view, const struct words *words, struct lines *lines)
{
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        print_player(view, words, seat, lines);
    }
}

void game_print_trick(const struct game_view *view, const struct words *words, struct lines *lines)
{
    if (view->trick.count > 0) {
        lines_format(lines, _("In the trick: %s."),
                     words_write_trick(words, &view->trick, false, &TEXT_OF(LINES_LINE_MAX)));
    }
}

/* Writes why the viewer cannot choose the card in that slot now; nothing if they can. */
static const char *write_refusal_of_card(const struct game_view *view, const struct words *words,
                                         uint8_t slot, struct text *out)
{
    return words_write_phrase(words, face_refusal(view, view->game->face->point(view, slot)), out);
}

/* Writes the viewer's cards with their numbers: those that may not be played for the reason
 * `refusal`, if it is "" the playable ones, if it is NULL all. Returns the places of the written
 * cards as bits. */
static uint16_t write_cards(const struct game_view *view, const struct words *words,
                            const char *refusal, struct text *out)
{
    uint8_t slots[SLOTS_MAX];
    uint16_t written = 0;
    uint8_t count = list_numbered_slots(view, slots);
    for (uint8_t place = 0; place < count; place++) {
        const struct view_slot *slot = &view->hands[view->seat][slots[place]];
        if (!slot->is_empty &&
            (refusal == NULL ||
             strcmp(write_refusal_of_card(view, words, slots[place], &TEXT_OF(TABLE_TEXT)),
                    refusal) == 0)) {
            written = (uint16_t)(written | 1U << place);
            text_format_list_item(out, "%d ", place + 1);
            game_print_write_hand_card(words, slot, out);
        }
    }
    return written;
}

void game_print_hand(const struct game_view *view, const struct words *words, struct lines *lines)
{
    struct text line = TEXT_OF(LINES_LINE_MAX);
    (void)write_cards(view, words, NULL, &line);
    if (line.len > 0) {
        lines_format(lines, _("Your cards: %s."), line.at);
    }
}

/* Prints the cards that can be played, then the other cards, grouped by the reason why they cannot
 * be played. */
static void print_playable_and_other_cards(const struct game_view *view, const struct words *words,
                                           struct lines *lines)
{
    uint8_t slots[SLOTS_MAX];
    struct text line = TEXT_OF(LINES_LINE_MAX);
    uint16_t printed = write_cards(view, words, "", &line);
    uint8_t count = list_numbered_slots(view, slots);
    lines_format(lines, _("You can choose %s."), line.at);
    for (uint8_t place = 0; place < count; place++) {
        struct text others = TEXT_OF(LINES_LINE_MAX);
        if ((printed >> place & 1) != 0 || view->hands[view->seat][slots[place]].is_empty) {
            continue;
        }
        const char *why = write_refusal_of_card(view, words, slots[place], &TEXT_OF(TABLE_TEXT));
        printed = (uint16_t)(printed | write_cards(view, words, why, &others));
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
        lines_format(lines, "%s.", words_write_phrase(words, meaning, &TEXT_OF(TABLE_TEXT)));
    }
    for (int i = 0; i < choices->count; i++) {
        const char *why =
            words_write_phrase(words, face_refusal(view, choices->moves[i]), &TEXT_OF(TABLE_TEXT));
        if (why[0] != '\0') {
            lines_format(lines, "%s.", why);
        }
    }
}

/* Prints the moves, each after the key or number to type for it: in one line if there are few. */
static void print_move_list(const struct game_view *view, const struct words *words,
                            const struct choices *choices, struct lines *lines)
{
    struct text line = TEXT_OF(LINES_LINE_MAX);
    int count = choices->count + choices->aims.count;
    bool is_in_one_line = count <= IN_ONE_LINE && choices->aims.count == 0;
    if (!is_in_one_line) {
        lines_put(lines, _("Type the number of one of these:"));
    }
    for (int i = 0; i < count; i++) {
        struct text number = TEXT_OF(16);
        bool is_choice = i < choices->count;
        uint8_t move = is_choice ? choices->moves[i] : choices->aims.moves[i - choices->count];
        const char *label = words_write_move(words, view, move, &TEXT_OF(TABLE_TEXT));
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

/* Prints all moves that the viewer, whose turn it is, can type, and why the other cards cannot be
 * played. */
static void typed_print_possible_moves(const struct game_view *view, const struct words *words,
                                       struct lines *lines)
{
    struct choices choices;
    choices_collect(view, &choices);
    if (choices.has_pointing) {
        print_playable_and_other_cards(view, words, lines);
    } else if (!order_print(view, words, lines)) {
        game_print_hand(view, words, lines);
    }
    if (choices.count > 0 && choices.keys == CHOICE_NUMBERS) {
        print_allowed_numbers(view, words, &choices, lines);
    } else if (choices.count + choices.aims.count > 0) {
        print_move_list(view, words, &choices, lines);
    }
}

void game_print_turn(const struct game_view *view, const struct words *words, struct lines *lines)
{
    if (view_viewer_may_move(view)) {
        struct text prompt = TEXT_OF(LINES_LINE_MAX);
        words_write_phrase(words, face_prompt(view), &prompt);
        bool is_question = prompt.len > 0 && prompt.at[prompt.len - 1] == '?';
        lines_format(lines, is_question ? _("Your turn: %s") : _("Your turn: %s."), prompt.at);
        typed_print_possible_moves(view, words, lines);
    } else if (view->to_act != 0) {
        lines_format(lines, _("Waiting for %s (%s)."),
                     words_write_seats(words, view->to_act, &TEXT_OF(LINES_LINE_MAX)),
                     _(face_describe_turn(view)));
    }
}

void game_print_story_lines(const struct story *story, uint8_t first, uint8_t end,
                            const struct words *words, struct lines *lines)
{
    for (uint8_t i = first; i < end; i++) {
        lines_format(lines, "%s.",
                     words_write_phrase(words, story->lines[i].words, &TEXT_OF(LINES_LINE_MAX)));
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

/* Prints the table in plain mode, as lines of text: the whole table on arrival, then each event. */

#define WARN_MS 10000 /* a player with this many milliseconds left is warned */

static void print_table_before_start(const struct model_entered *entered, struct lines *lines)
{
    struct text line = TEXT_OF(LINES_LINE_MAX);
    struct option_settings settings;
    lines_format(lines, _("Table #%lld, %s, about to begin. %s"), (long long)entered->row.id,
                 _(entered->row.game->title), _(entered->row.game->face->pitch));
    for (int seat = 0; seat < entered->row.players; seat++) {
        if (entered->details.seats.at[seat].is_taken) {
            lines_format(lines, _("Seat %d: %s."), seat + 1,
                         table_write_player(entered, seat, true, &TEXT_OF(TABLE_TEXT)));
        } else {
            lines_format(lines, _("Seat %d: free."), seat + 1);
        }
    }
    option_list_settings(entered, &settings);
    for (uint8_t i = 0; i < settings.count; i++) {
        text_format_list_item(&line, "%s %s", settings.at[i].label, settings.at[i].value.at);
    }
    lines_format(lines, "%s.", line.at);
    lines_put(lines, table_write_missing_players(entered, true, &TEXT_OF(TABLE_TEXT)));
    lines_put(lines, _("/rules prints the rules. A line that is no command is said at the table."));
}

static void print_typing_instructions(const struct model_entered *entered, struct lines *lines)
{
    if (entered->row.game->deck->is_standard) {
        lines_put(lines, _("A card is written as its rank, T for ten, and its suit: S spades, H "
                           "hearts, D diamonds, C clubs."));
    }
    if (entered->you >= 0) {
        lines_put(lines, _("Type the number or name of a card or choice. Enter alone sums up the "
                           "situation, /look prints the table, /last the last trick, /scores the "
                           "scores, /rules the rules. Any other line is said at the table."));
    } else {
        lines_put(lines,
                  _("You are watching. /look prints the table, /leave goes back to the lobby."));
    }
}

/* Prints why the game does not continue: it is halted, a bot plays for the viewer, or the game
 * waits for a player. */
static void print_why_game_waits(struct ui *ui, struct table_screen_state *state)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    struct words words = words_make_for_entered_table(screen_theme(ui), entered);
    struct text line = TEXT_OF(TABLE_TEXT * 2);
    state->told_halt = entered->row.halt;
    if (round_end_is_stop(entered)) {
        round_end_print_stop(entered, &words, ui->now_ms, screen_get_plain_lines(ui));
    } else if (table_write_why_game_waits(entered, &words, ui->now_ms, &line)) {
        lines_put(screen_get_plain_lines(ui), line.at);
    }
}

static void remember_printed_view(struct table_screen_state *state,
                                  const struct model_entered *entered)
{
    state->told = entered->view;
    state->has_told = true;
    state->told_game = entered->details.game_id;
    state->sheet_told = entered->sheet_count;
    state->is_round_end_told = false;
}

/* True at the stop between two rounds, until the player has gone on; for a spectator, until the
 * stop is over. The next round is printed after that. */
static bool holds_next_round_back(const struct model_entered *entered)
{
    return round_end_is_stop(entered) && (entered->you < 0 || round_end_waits_for_viewer(entered));
}

/* Prints the points of the round that has just ended, and how to go on. */
static void print_finished_round(struct ui *ui, struct table_screen_state *state,
                                 const struct words *words, struct lines *lines)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    if (entered->sheet_count > 0) {
        game_print_score(&entered->sheet[entered->sheet_count - 1], &entered->view, words, lines);
    }
    state->is_round_end_told = true;
    table_lesson_print(&state->lesson, entered, words, true, lines);
    print_why_game_waits(ui, state);
}

bool table_print(struct ui *ui, void *opaque, struct lines *lines)
{
    struct table_screen_state *state = opaque;
    const struct model_entered *entered = screen_model(ui)->entered;
    if (entered == NULL || (entered->row.phase != TABLE_OPEN && !entered->has_view)) {
        return false;
    }
    if (entered->row.phase == TABLE_OPEN) {
        state->has_told = false;
        state->missing_told = (int8_t)table_count_free_seats(entered);
        print_table_before_start(entered, lines);
        return true;
    }
    struct words words = words_make_for_entered_table(screen_theme(ui), entered);
    const struct game_view *view = &entered->view;
    bool is_new = !state->has_told || state->told_game != entered->details.game_id;
    lines_format(lines, _("Table #%lld."), (long long)entered->row.id);
    if (is_new && view->phase != PHASE_OVER) {
        print_typing_instructions(entered, lines);
    }
    if (holds_next_round_back(entered)) {
        print_finished_round(ui, state, &words, lines);
        return true;
    }
    if (is_new && view->trick.count == 0 && view->past_count == 0) {
        struct story story; /* who deals, who leads, what others have told */
        story_tell(NULL, view, &story);
        game_print_story_lines(&story, 0, story.count, &words, lines);
    }
    game_print_headline(view, &words, lines);
    game_print_seats(view, &words, lines);
    game_print_trick(view, &words, lines);
    if (!view_viewer_may_move(view)) { /* in the viewer's turn it is printed with the moves */
        game_print_hand(view, &words, lines);
    }
    if (view->phase != PHASE_OVER) {
        game_print_turn(view, &words, lines);
    }
    table_lesson_print(&state->lesson, entered, &words, true, lines);
    print_why_game_waits(ui, state);
    remember_printed_view(state, entered);
    if (view->phase == PHASE_OVER) {
        table_result_print(ui, state, lines);
    }
    return true;
}

static void print_new_scores(struct table_screen_state *state, const struct model_entered *entered,
                             const struct words *words, struct lines *lines)
{
    for (; state->sheet_told < entered->sheet_count; state->sheet_told++) {
        game_print_score(&entered->sheet[state->sheet_told], &entered->view, words, lines);
    }
}

/* True if a person, not only bots, must move now; people may take a while. */
static bool is_waiting_for_people(const struct model_entered *entered)
{
    for (uint8_t seat = 0; seat < entered->row.players; seat++) {
        bool is_waiting = (entered->view.to_act >> seat & 1) != 0;
        if (is_waiting && entered->details.seats.at[seat].kind != PERSON_BOT) {
            return true;
        }
    }
    return false;
}

/* True if the viewer's own clock is running. */
static bool is_own_clock_running(const struct model_entered *entered)
{
    return entered->has_clock && model_clocks_run(entered) && entered->has_view &&
           view_viewer_may_move(&entered->view);
}

static void print_time_left(struct ui *ui, const struct model_entered *entered)
{
    if (is_own_clock_running(entered)) {
        lines_format(screen_get_plain_lines(ui), _("Time left: %s."),
                     words_write_time_left(entered->clock_end_ms - ui->now_ms, &TEXT_OF(64)));
    }
}

int64_t table_print_clock_warning(struct ui *ui, void *opaque)
{
    struct table_screen_state *state = opaque;
    const struct model_entered *entered = screen_model(ui)->entered;
    if (entered == NULL || !is_own_clock_running(entered) || entered->clock_of_ms < 2 * WARN_MS) {
        return INT64_MAX;
    }
    uint16_t step = (uint16_t)(entered->view.step + 1);
    int64_t warn_ms = entered->clock_end_ms - WARN_MS;
    if (state->warned_step != step && ui->now_ms < warn_ms) {
        return warn_ms;
    }
    if (state->warned_step != step) {
        state->warned_step = step;
        print_time_left(ui, entered);
    }
    return INT64_MAX;
}

static void print_turn_if_changed(struct ui *ui, const struct table_screen_state *state,
                                  const struct model_entered *entered, const struct words *words)
{
    struct lines *lines = screen_get_plain_lines(ui);
    const struct game_view *now = &entered->view;
    bool is_asked = view_viewer_may_move(now);
    if (model_claim_is_played_out(entered) || premove_is_due(state, entered)) {
        return;
    }
    bool is_new = state->is_turn_untold ||
                  (is_asked ? !view_viewer_may_move(&state->told) ||
                                  memcmp(&now->legal, &state->told.legal, sizeof(now->legal)) != 0
                            : now->to_act != state->told.to_act && is_waiting_for_people(entered));
    if (is_new || (is_asked && now->phase != state->told.phase)) {
        game_print_turn(now, words, lines);
        print_time_left(ui, entered);
        if (table_claim_is_worth_offering(entered)) {
            lines_put(lines,
                      _("You can take all remaining tricks for certain: /claim takes them."));
        }
    }
}

void table_print_view_changes(struct ui *ui, struct table_screen_state *state)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    struct words words = words_make_for_entered_table(screen_theme(ui), entered);
    struct lines *lines = screen_get_plain_lines(ui);
    if (!state->has_told || !entered->has_view || state->told_game != entered->details.game_id ||
        !story_views_follow(&state->told, &entered->view)) {
        screen_print_top_again(ui);
        return;
    }
    struct story story;
    story_tell(&state->told, &entered->view, &story);
    bool is_stop = round_end_is_stop(entered);
    bool is_round_end_new = !state->is_round_end_told;
    if (is_round_end_new) {
        game_print_story_lines(&story, 0, story.old_count, &words, lines);
    }
    if (story.old_count > 0 || is_stop) {
        print_new_scores(state, entered, &words, lines);
    }
    if (holds_next_round_back(entered)) {
        state->is_round_end_told = true;
        if (is_round_end_new) {
            table_lesson_print(&state->lesson, entered, &words, false, lines);
            print_why_game_waits(ui, state);
        }
        return;
    }
    game_print_story_lines(&story, story.old_count, story.count, &words, lines);
    print_new_scores(state, entered, &words, lines);
    game_print_new_hands(&state->told, &entered->view, &words, lines);
    if (!is_stop) {
        table_lesson_print(&state->lesson, entered, &words, false, lines);
        print_turn_if_changed(ui, state, entered, &words);
    }
    remember_printed_view(state, entered);
    state->is_turn_untold = is_stop;
}

/* Before the start, prints how many players are still missing; the house itself announces who comes
 * and goes. Later, prints why a game was halted. */
void table_print_table_changes(struct ui *ui, struct table_screen_state *state)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    int missing = table_count_free_seats(entered);
    if (entered->row.phase == TABLE_OPEN) {
        if (state->missing_told != missing && state->missing_told >= 0) {
            lines_put(screen_get_plain_lines(ui),
                      table_write_missing_players(entered, true, &TEXT_OF(TABLE_TEXT)));
            state->missing_told = (int8_t)missing;
        }
    } else if (state->has_told && state->told_game != entered->details.game_id) {
        screen_print_top_again(ui);
    } else if (state->is_round_end_told) {
        table_print_view_changes(ui, state);
        if (round_end_is_stop(entered) && !state->is_round_end_told) {
            print_why_game_waits(ui, state); /* the player has gone on, but not all others */
        }
    } else if (round_end_is_stop(entered)) {
        state->told_halt = entered->row.halt; /* it is printed after the scores */
    } else if (state->told_halt == HALT_ROUND && entered->row.halt == HALT_NONE) {
        state->told_halt = HALT_NONE; /* the next round has been printed */
    } else if (entered->row.halt != state->told_halt) {
        print_why_game_waits(ui, state);
    }
}

/* Prints a short summary of the situation in the game, in reply to an empty typed line. */
static void print_situation(struct ui *ui, struct table_screen_state *state,
                            const struct model_entered *entered)
{
    struct words words = words_make_for_entered_table(screen_theme(ui), entered);
    struct lines *lines = screen_get_plain_lines(ui);
    if (entered->row.phase == TABLE_OPEN || !entered->has_view) {
        lines_put(lines, table_write_missing_players(entered, true, &TEXT_OF(TABLE_TEXT)));
        return;
    }
    if (entered->view.phase == PHASE_OVER) {
        table_result_print(ui, state, lines);
        return;
    }
    print_why_game_waits(ui, state);
    game_print_headline(&entered->view, &words, lines);
    if (entered->view.seat != SPECTATOR) {
        print_player(&entered->view, &words, (uint8_t)entered->view.seat, lines);
    }
    game_print_trick(&entered->view, &words, lines);
    if (!view_viewer_may_move(&entered->view)) {
        game_print_hand(&entered->view, &words, lines);
    }
    if (!round_end_is_stop(entered)) {
        game_print_turn(&entered->view, &words, lines);
        print_time_left(ui, entered);
    }
}

bool table_handle_typed_line(struct ui *ui, void *opaque, const char *typed_line)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    if (entered == NULL || typed_line[0] != '\0') {
        return false; /* table_catch_line makes the moves */
    }
    if (round_end_waits_for_viewer(entered)) {
        round_end_go_on(ui, &((struct table_screen_state *)opaque)->round_end);
    } else {
        print_situation(ui, opaque, entered);
    }
    return true;
}

bool table_catch_line(struct ui *ui, void *opaque, const char *line)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    uint8_t move;
    if (entered == NULL || entered->you < 0) {
        return false;
    }
    if (entered->row.phase != TABLE_PLAYING || !entered->has_view) {
        if (typed_is_only_numbers(line)) {
            screen_inform(ui, _("\"%s\" was not said: no game is running. /chat %s says it."), line,
                          line);
        }
        return typed_is_only_numbers(line);
    }
    struct words words = words_make_for_entered_table(screen_theme(ui), entered);
    enum typed typed = typed_parse_move(&entered->view, &words, line, &move);
    if (typed != TYPED_NOTHING && round_end_waits_for_viewer(entered)) {
        screen_inform(ui, "%s",
                      _("A round has just ended: press Enter to go on, then type your move."));
        return true;
    }
    if (typed == TYPED_MOVE) {
        table_make_move(ui, opaque, move);
        return true;
    }
    if (typed == TYPED_NOTHING) {
        return false;
    }
    if (typed == TYPED_EARLY) {
        screen_inform(
            ui, _("Not your turn yet: \"%s\" was not said. /premove %s plays it at your turn."),
            line, line);
    } else {
        screen_warn(ui, _("\"%s\" was not said: it is no move now. /chat %s says it."), line, line);
    }
    if (ui->plain.is_on) {
        game_print_turn(&entered->view, &words, screen_get_plain_lines(ui));
    }
    screen_drop_notice_when_table_changes(ui);
    return true;
}
