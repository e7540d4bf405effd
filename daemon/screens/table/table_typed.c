#include "daemon/screens/table/table_typed.h"

#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/step.h"
#include "daemon/screens/table/game_print.h"
#include "daemon/screens/table/table_aim.h"
#include "daemon/screens/table/table_choices.h"
#include "daemon/screens/table/table_hand.h"

#include <stdio.h>
#include <string.h>

#define LABEL_BYTES 400
#define IN_ONE_LINE 6 /* longer lists are printed one per line */

uint8_t typed_order_slots(const struct game_view *view, uint8_t slots[SLOTS_MAX])
{
    bool keeps_slots = false;
    return view->seat == SPECTATOR
               ? 0
               : hand_order_slots(view, (uint8_t)view->seat, &keeps_slots, slots);
}

/* For comparison: a letter as a small ASCII letter. */
static char simplify_letter(wchar_t character)
{
    wchar_t letter = character < 0x7F ? character : step_character_to_ascii(character);
    bool is_capital = letter >= L'A' && letter <= L'Z';
    return (char)(is_capital ? letter - L'A' + L'a' : letter);
}

/* For comparison: small ASCII letters, no blanks and dashes; ten is T on a card. */
static void append_simplified(const char *text, bool is_standard, struct text *out)
{
    if (is_standard && strncmp(text, "10", 2) == 0) {
        text_put_char(out, 't');
        text += 2;
    }
    for (struct step step; (step = step_read(text)).len > 0; text += step.len) {
        if (step.is_mark || step.character == L' ' || step.character == L'-') {
            continue;
        }
        text_put_char(out, simplify_letter(step.character));
    }
}

static bool are_alike(const struct game_view *view, const char *line, const char *text)
{
    struct text one = TEXT_OF(LABEL_BYTES);
    append_simplified(line, view->game->deck->is_standard, &one);
    struct text other = TEXT_OF(LABEL_BYTES);
    append_simplified(text, view->game->deck->is_standard, &other);
    return strcmp(one.at, other.at) == 0;
}

static void write_label(const struct game_view *view, const struct words *words, uint8_t move,
                        struct text *out)
{
    struct phrase label = view->game->face->label(view, move);
    words_write_phrase(words, label, out);
}

/* True if the text is the move as in histories, whole or after the colon, or its label. */
static bool names_move(const struct game_view *view, const struct words *words, uint8_t move,
                       const char *line)
{
    struct text written = TEXT_OF(MOVE_TEXT_MAX);
    game_move_write(view->game, move, &written);
    struct text label = TEXT_OF(LABEL_BYTES);
    write_label(view, words, move, &label);
    const char *colon = strchr(written.at, ':');
    return strcmp(line, written.at) == 0 || are_alike(view, line, label.at) ||
           (colon != NULL && are_alike(view, line, colon + 1));
}

static uint8_t find_legal_move(const struct game_view *view, const struct words *words,
                               const char *line)
{
    for (uint8_t move = move_set_next(&view->legal, 0); move != MOVE_NONE;
         move = move_set_next(&view->legal, move + 1U)) {
        if (names_move(view, words, move, line)) {
            return move;
        }
    }
    return MOVE_NONE;
}

/* The number that is the whole line, from 1 on; 0 for any other line. */
static int parse_number(const char *line)
{
    size_t len = strspn(line, "0123456789");
    int number = 0;
    for (size_t i = 0; i < len && len <= 3; i++) {
        number = 10 * number + line[i] - '0';
    }
    return line[len] == '\0' ? number : 0;
}

/* The slot of the viewer's hand that the line names by number or card; -1 for none. */
static int find_slot(const struct game_view *view, const struct words *words, const char *line)
{
    uint8_t slots[SLOTS_MAX];
    uint8_t count = typed_order_slots(view, slots);
    int number = parse_number(line);
    if (number > 0) {
        return number <= count ? slots[number - 1] : -1;
    }
    for (uint8_t i = 0; i < count; i++) {
        const struct view_slot *slot = &view->hands[view->seat][slots[i]];
        struct text name = TEXT_OF(LABEL_BYTES);
        words_write_card(words, slot->card, &name);
        struct text written = TEXT_OF(CARD_TEXT_MAX);
        card_write(view->game->deck, slot->card, &written);
        if (!slot->is_empty && slot->card != CARD_NONE &&
            (are_alike(view, line, name.at) || are_alike(view, line, written.at))) {
            return slots[i];
        }
    }
    return -1;
}

/* Numbers may be typed in either order. */
static bool matches_key(const char *key, const char *line)
{
    const char *comma = strchr(key, ',');
    char turned[2 * CHOICE_KEY_MAX] = "";
    if (comma != NULL) {
        snprintf(turned, sizeof(turned), "%s,%.*s", comma + 1, (int)(comma - key), key);
    }
    return strcmp(key, line) == 0 || (comma != NULL && strcmp(turned, line) == 0);
}

static uint8_t find_listed_move(const struct game_view *view, const char *line)
{
    struct choices choices;
    struct aims aims;
    choices_collect(view, &choices);
    aims_collect(view, &aims);
    for (int i = 0; i < choices.count; i++) {
        if (matches_key(choices.typed[i], line)) {
            return choices.moves[i];
        }
    }
    int number = parse_number(line) - choices.count;
    return number > 0 && number <= aims.count ? aims.moves[number - 1] : MOVE_NONE;
}

enum typed typed_parse_move(const struct game_view *view, const struct words *words,
                            const char *line, uint8_t *move)
{
    int slot = find_slot(view, words, line);
    *move = MOVE_NONE;
    if (view->seat == SPECTATOR || line[0] == '\0') {
        return TYPED_NOTHING;
    }
    if (!view_viewer_may_move(view)) {
        return slot >= 0 ? TYPED_EARLY : TYPED_NOTHING;
    }
    /* A number always means one that was printed: in histories moves count from 0. */
    bool is_number = line[strspn(line, "0123456789")] == '\0';
    *move = find_listed_move(view, line);
    if (*move == MOVE_NONE && !is_number) {
        *move = find_legal_move(view, words, line);
    }
    if (*move == MOVE_NONE && slot >= 0) {
        *move = view->game->face->point(view, (uint8_t)slot);
    }
    return *move != MOVE_NONE ? TYPED_MOVE : TYPED_NOTHING;
}

static void put_between(struct text *out)
{
    text_put(out, out->len > 0 ? ", " : "");
}

/* Why the card at that place cannot be played now; nothing if it can. */
static void write_refusal(const struct game_view *view, const struct words *words, uint8_t move,
                          struct text *out)
{
    if (!move_set_has(&view->legal, move)) {
        struct phrase why = view->game->face->refusal(view, move);
        words_write_phrase(words, why, out);
    }
}

/* Prints the cards of the hand without a refusal, or with this one. Returns the printed places as
 * bits. */
static uint16_t write_cards_refused_so(const struct game_view *view, const struct words *words,
                                       const char *refusal, struct text *out)
{
    uint8_t slots[SLOTS_MAX];
    uint16_t told = 0;
    uint8_t count = typed_order_slots(view, slots);
    for (uint8_t place = 0; place < count; place++) {
        const struct view_slot *slot = &view->hands[view->seat][slots[place]];
        struct text why = TEXT_OF(LABEL_BYTES);
        if (slot->is_empty) {
            continue;
        }
        write_refusal(view, words, view->game->face->point(view, slots[place]), &why);
        if (strcmp(why.at, refusal) == 0) {
            told = (uint16_t)(told | 1U << place);
            put_between(out);
            text_put_number(out, place + 1);
            text_put_char(out, ' ');
            game_print_write_slot(words, slot, out);
        }
    }
    return told;
}

/* Cards that can be played, then the others by the reason why not. */
static void print_hand(const struct game_view *view, const struct words *words, struct lines *lines)
{
    uint8_t slots[SLOTS_MAX];
    struct text line = TEXT_OF(LINES_LINE_MAX);
    uint16_t told = write_cards_refused_so(view, words, "", &line);
    uint8_t count = typed_order_slots(view, slots);
    lines_format(lines, _("You can choose %s."), line.at);
    for (uint8_t place = 0; place < count; place++) {
        struct text why = TEXT_OF(LABEL_BYTES);
        if ((told >> place & 1) != 0 || view->hands[view->seat][slots[place]].is_empty) {
            continue;
        }
        write_refusal(view, words, view->game->face->point(view, slots[place]), &why);
        line = TEXT_OF(LINES_LINE_MAX);
        told = (uint16_t)(told | write_cards_refused_so(view, words, why.at, &line));
        lines_format(lines, _("Not now: %s (%s)."), line.at, why.at);
    }
}

/* The allowed numbers, then why the others are not allowed. */
static void print_numbers(const struct game_view *view, const struct words *words,
                          const struct choices *choices, struct lines *lines)
{
    struct text line = TEXT_OF(LINES_LINE_MAX);
    for (int i = 0; i < choices->count; i++) {
        bool is_pair = strchr(choices->typed[i], ',') != NULL;
        if (!is_pair && move_set_has(&view->legal, choices->moves[i])) {
            put_between(&line);
            text_put(&line, choices->typed[i]);
        }
    }
    lines_format(lines,
                 choices->has_pairs ? _("Type a number, %s, or two of them, as 3,4.")
                                    : _("Type a number: %s."),
                 line.at);
    for (int i = 0; i < choices->count; i++) {
        line = TEXT_OF(LINES_LINE_MAX);
        write_refusal(view, words, choices->moves[i], &line);
        if (line.at[0] != '\0') {
            lines_format(lines, "(%s.)", line.at);
        }
    }
}

/* A list with the key to type before each entry. */
struct listing {
    struct lines *lines;
    int count; /* total entries */
    char line[LINES_LINE_MAX];
    struct text text;
};

static void add_listing_entry(struct listing *listing, const char *key, const char *label)
{
    if (listing->count > IN_ONE_LINE) {
        lines_format(listing->lines, "%s: %s", key, label);
        return;
    }
    put_between(&listing->text);
    text_put(&listing->text, key);
    text_put(&listing->text, ": ");
    text_put(&listing->text, label);
}

static void print_list(const struct game_view *view, const struct words *words,
                       const struct choices *choices, const struct aims *aims, struct lines *lines)
{
    struct listing listing = {.lines = lines, .count = choices->count + aims->count};
    listing.text = text_init(listing.line, sizeof(listing.line));
    if (listing.count > IN_ONE_LINE) {
        lines_put(lines, _("Type the number of one of these:"));
    }
    for (int i = 0; i < listing.count; i++) {
        char key[16];
        struct text label = TEXT_OF(LABEL_BYTES);
        bool is_choice = i < choices->count;
        write_label(view, words, is_choice ? choices->moves[i] : aims->moves[i - choices->count],
                    &label);
        snprintf(key, sizeof(key), "%d", i + 1);
        add_listing_entry(&listing, is_choice ? choices->typed[i] : key, label.at);
    }
    if (listing.text.len > 0) {
        lines_format(lines, choices->has_pointing ? _("Or type %s.") : _("Type %s."), listing.line);
    }
}

void typed_print_options(const struct game_view *view, const struct words *words,
                         struct lines *lines)
{
    struct choices choices;
    struct aims aims;
    choices_collect(view, &choices);
    aims_collect(view, &aims);
    if (choices.has_pointing) {
        print_hand(view, words, lines);
    } else {
        game_print_hand(view, words, lines);
    }
    if (choices.count > 0 && choices.keys == CHOICE_NUMBERS) {
        print_numbers(view, words, &choices, lines);
    } else if (choices.count + aims.count > 0) {
        print_list(view, words, &choices, &aims, lines);
    }
}
