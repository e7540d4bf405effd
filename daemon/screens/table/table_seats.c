#include "daemon/screens/table/table_seats.h"

#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/step.h"
#include "daemon/screens/model/model_entered.h"
#include "daemon/screens/table/table_card.h"
#include "daemon/screens/table/table_hand.h"
#include "daemon/screens/table/table_scene.h"
#include "games/face.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#define LINE_MAX_BYTES 400

static bool slot_tells(const struct view_slot *slot)
{
    return !slot->is_empty && (slot->card != CARD_NONE || slot->suit != SUIT_NONE ||
                               slot->value != 0 || slot->is_traded);
}

static bool seat_has_open_hand(const struct scene *scene, uint8_t seat)
{
    const struct game_view *view = scene->view;
    if (view->seat == (int)seat && !scene->is_open) {
        return false; /* drawn large at the bottom */
    }
    for (uint8_t i = 0; i < view->slot_count[seat]; i++) {
        if (slot_tells(&view->hands[seat][i])) {
            return true;
        }
    }
    return false;
}

bool scene_has_open_hands(const struct scene *scene)
{
    for (uint8_t seat = 0; seat < scene->view->seats; seat++) {
        if (seat_has_open_hand(scene, seat)) {
            return true;
        }
    }
    return false;
}

void scene_put_dot(const struct scene *scene, struct text *out)
{
    if (out->len == 0) {
        return;
    }
    if (scene->words.theme->is_ascii) {
        text_put(out, ", "); /* the dot's ASCII replacement also means "none" */
        return;
    }
    text_put_char(out, ' ');
    text_put(out, theme_glyph(scene->words.theme, GLYPH_DOT));
    text_put_char(out, ' ');
}

static bool seat_is_to_act(const struct scene *scene, uint8_t seat)
{
    return !scene->is_held && (scene->view->to_act >> seat & 1) != 0;
}

bool scene_is_taker(const struct scene *scene, uint8_t seat)
{
    return scene->is_held && scene->view->last_trick.winner == seat;
}

static void seat_name(const struct scene *scene, uint8_t seat, struct text *out)
{
    bool is_you = words_is_own_seat(&scene->words, seat);
    char name[LINE_MAX_BYTES];
    struct text text = text_init(name, sizeof(name));
    words_write_seat(&scene->words, seat, &text);
    enum style style = seat_is_to_act(scene, seat) ? STYLE_TURN : is_you ? STYLE_YOU : STYLE_STRONG;
    draw_put_styled(out, style, name);
}

static void seat_rating(const struct scene *scene, uint8_t seat, struct text *out)
{
    if (scene->seats == NULL || !scene->seats[seat].is_taken) {
        return;
    }
    text_put_char(out, ' ');
    if (scene->seats[seat].kind == PERSON_BOT || scene->seats[seat].is_program) {
        text_put(out, _("(bot)"));
    } else if (scene->seats[seat].rating.value != ROW_NONE) {
        words_write_rating(scene->words.theme, &scene->seats[seat].rating, out);
    }
}

/* Between two facts. */
static void put_gap(const struct scene *scene, bool is_narrow, struct text *out)
{
    if (is_narrow) {
        text_put_char(out, ' ');
    } else {
        scene_put_dot(scene, out);
    }
}

/* "bid 2 · won 1 · 31", or "bid 2 won 1 31". */
static void seat_facts_put(const struct scene *scene, uint8_t seat, bool is_narrow,
                           struct text *out)
{
    const struct game_view *view = scene->view;
    char fact[LINE_MAX_BYTES];
    if (view->has_bids && view->bids[seat] != BID_NONE) {
        snprintf(fact, sizeof(fact), _("bid %d"), view->bids[seat]);
        text_put(out, fact);
    } else if (view->has_bids) {
        snprintf(fact, sizeof(fact), _("bid %s"), theme_glyph(scene->words.theme, GLYPH_DASH));
        text_put(out, fact);
    }
    if (view->has_bids) {
        put_gap(scene, is_narrow, out);
    }
    snprintf(fact, sizeof(fact), _("won %d"), view->tricks[seat]);
    text_put(out, fact);
    put_gap(scene, is_narrow, out);
    text_put_number(out, view->scores[seat]);
}

static void seat_facts(const struct scene *scene, uint8_t seat, struct text *out)
{
    seat_facts_put(scene, seat, false, out);
}

/* The marks beside a name, each separately: whose turn it is, the game's badges, the state of the
 * connection. */
#define MARKS_MAX (2 * FACE_BADGES_MAX + 6) /* each may be broken in two */

struct marks {
    uint8_t count;
    char at[MARKS_MAX][LINE_MAX_BYTES];
};

static struct text marks_add(struct marks *marks)
{
    return text_init(marks->at[marks->count++], LINE_MAX_BYTES);
}

static void marks_add_badges(const struct scene *scene, uint8_t seat, struct marks *marks)
{
    struct phrase badges[FACE_BADGES_MAX];
    uint8_t count = scene->view->game->face->badges(scene->view, seat, badges);
    for (uint8_t i = 0; i < count; i++) {
        struct text text = marks_add(marks);
        words_write_phrase(&scene->words, &badges[i], &text);
    }
    const struct seat_row *who = scene->seats == NULL ? NULL : &scene->seats[seat];
    if (who == NULL || !who->is_taken || who->kind == PERSON_BOT) {
        return;
    }
    if (who->is_played_by_bot || !who->is_here || who->vacation_ms != 0) {
        struct text text = marks_add(marks);
        draw_put_styled(&text, STYLE_WARN,
                        who->is_played_by_bot   ? _("bot playing")
                        : who->vacation_ms != 0 ? _("on vacation")
                        : who->is_gone          ? _("no connection")
                                                : _("away"));
    }
}

/* "0:24" of a turn, or the rest of a bank. */
static void marks_add_time(const struct scene *scene, uint8_t seat, struct marks *marks)
{
    if (scene->live == NULL || seat >= SEATS_MAX || scene->is_held) {
        return;
    }
    const struct model_time *time = &scene->live->times[seat];
    bool is_turn = time->left_ms >= 0;
    int64_t left_ms =
        is_turn ? model_time_left(scene->live, time->left_ms, scene->now_ms) : time->bank_ms;
    if (left_ms < 0) {
        return;
    }
    char words[LINE_MAX_BYTES];
    struct text clock = text_init(words, sizeof(words));
    words_write_clock(left_ms, &clock);
    struct text text = marks_add(marks);
    draw_put_styled(&text, is_turn ? STYLE_TURN : STYLE_DIM, words);
}

static const char *turn_words(const struct game_view *view, uint8_t seat, bool is_you)
{
    if (is_you) {
        return _("your turn");
    }
    return _(face_turn_words(view, seat));
}

/* "◄ to play", "took it". */
static void marks_add_turn(const struct scene *scene, uint8_t seat, struct marks *marks)
{
    char words[LINE_MAX_BYTES];
    if (scene_is_taker(scene, seat)) {
        struct text text = marks_add(marks);
        draw_put_styled(&text, STYLE_GOOD, _("took it"));
    } else if (seat_is_to_act(scene, seat)) {
        struct text text = marks_add(marks);
        snprintf(words, sizeof(words), "%s %s", theme_glyph(scene->words.theme, GLYPH_TURN),
                 turn_words(scene->view, seat, words_is_own_seat(&scene->words, seat)));
        draw_put_styled(&text, STYLE_TURN, words);
    }
}

static struct marks marks_of(const struct scene *scene, uint8_t seat)
{
    struct marks marks = {.count = 0};
    marks_add_turn(scene, seat, &marks);
    marks_add_time(scene, seat, &marks);
    marks_add_badges(scene, seat, &marks);
    return marks;
}

/* Breaks a mark that is wider than a line at a blank. */
static void marks_break(struct marks *marks, int width)
{
    for (uint8_t i = 0; i < marks->count && marks->count < MARKS_MAX; i++) {
        size_t over = 0;
        size_t len = draw_text_width(marks->at[i]) > width
                         ? step_count_fitting_bytes(marks->at[i], width, &over)
                         : 0;
        if (over == 0) {
            continue;
        }
        memmove(marks->at[i + 1], marks->at[i], sizeof(marks->at[0]) * (marks->count - i));
        marks->count++;
        struct text rest = text_init(marks->at[i + 1], LINE_MAX_BYTES);
        bool is_styled = marks->at[i][0] == DRAW_MARK;
        text_put_bytes(&rest, marks->at[i], is_styled ? DRAW_MARK_BYTES : 0);
        text_put(&rest, marks->at[i] + len + over);
        marks->at[i][len] = is_styled ? DRAW_UNMARK : '\0';
        marks->at[i][len + is_styled] = '\0';
        i++;
    }
}

/* The marks from `from` on that fit one line; returns the next one. */
static uint8_t marks_line(const struct scene *scene, const struct marks *marks, uint8_t from,
                          int width, struct text *out)
{
    uint8_t at = from;
    for (; at < marks->count; at++) {
        if (at > from && draw_text_width(out->at) + 3 + draw_text_width(marks->at[at]) > width) {
            break;
        }
        scene_put_dot(scene, out);
        text_put(out, marks->at[at]);
    }
    return at;
}

/* The marks from `from` on that fit after the existing text; returns the next one. */
static uint8_t marks_beside(const struct scene *scene, const struct marks *marks, uint8_t from,
                            int width, struct text *out)
{
    bool is_room = from < marks->count && draw_text_width(marks->at[from]) <= width;
    return is_room ? marks_line(scene, marks, from, width, out) : from;
}

static void seat_marks(const struct scene *scene, uint8_t seat, struct text *out)
{
    struct marks marks = marks_of(scene, seat);
    (void)marks_line(scene, &marks, 0, INT_MAX, out);
}

/* The shown cards of an open hand, in order: all of it, or the top of each column. */
struct open_hand {
    uint8_t seat;
    uint8_t count;
    uint8_t slots[SLOTS_MAX];
    uint8_t under[SLOTS_MAX]; /* how many cards lie below that one */
};

/* The slot on top of a column and the number of cards below it; an empty column shows its lowest
 * slot. */
static void column_top(const struct game_view *view, uint8_t seat, uint8_t column, uint8_t columns,
                       struct open_hand *hand)
{
    uint8_t held = 0;
    uint8_t top = column;
    for (uint8_t slot = column; slot < view->slot_count[seat]; slot = (uint8_t)(slot + columns)) {
        bool is_held = !view->hands[seat][slot].is_empty;
        top = is_held ? slot : top;
        held = (uint8_t)(held + is_held);
    }
    hand->under[hand->count] = held > 0 ? (uint8_t)(held - 1) : 0;
    hand->slots[hand->count++] = top;
}

static struct open_hand open_hand_of(const struct scene *scene, uint8_t seat)
{
    const struct game_view *view = scene->view;
    struct open_hand hand = {.seat = seat};
    bool keeps_slots = false;
    uint8_t columns = view->game->face->columns != NULL ? view->game->face->columns(view, seat) : 0;
    uint8_t slots[SLOTS_MAX];
    uint8_t count = columns == 0 ? hand_order(view, seat, &keeps_slots, slots) : 0;
    for (uint8_t i = 0; i < count; i++) {
        /* Card backs are informative only if places matter. */
        if (view->game->face->keeps_slots || slot_tells(&view->hands[seat][slots[i]])) {
            hand.slots[hand.count++] = slots[i];
        }
    }
    for (uint8_t column = 0; column < columns && column < view->slot_count[seat]; column++) {
        column_top(view, seat, column, columns, &hand);
    }
    return hand;
}

static void open_card(const struct scene *scene, const struct open_hand *hand, uint8_t at,
                      struct text *out)
{
    uint8_t index = hand->slots[at];
    const struct view_slot *slot = &scene->view->hands[hand->seat][index];
    if (slot->is_empty) {
        text_put(out, theme_glyph(scene->words.theme, GLYPH_DOT));
    } else if ((scene->lit[hand->seat] >> index & 1) != 0) {
        char name[LINE_MAX_BYTES];
        struct text text = text_init(name, sizeof(name));
        struct words plain = scene->words;
        plain.is_plain = true;
        card_write_slot(&plain, slot, &text);
        draw_put_styled(out, STYLE_SELECTED, name);
    } else {
        card_write_slot(&scene->words, slot, out);
    }
    if (hand->under[at] > 0) {
        text_put_char(out, '+');
        text_put_number(out, hand->under[at]);
    }
}

/* One line of an open hand from place `from` on, as many cards as the width allows; returns the
 * place after the last. A card's mark takes the place of the blank before the next card. */
static uint8_t open_hand_line(const struct scene *scene, const struct open_hand *hand, uint8_t from,
                              int width, struct text *out)
{
    const char *mark = "";
    uint8_t at = from;
    for (; at < hand->count; at++) {
        char buffer[LINE_MAX_BYTES];
        struct text text = text_init(buffer, sizeof(buffer));
        const char *next =
            card_slot_mark(&scene->words, &scene->view->hands[hand->seat][hand->slots[at]]);
        text_put(&text, at > from && mark[0] == '\0' ? " " : mark);
        open_card(scene, hand, at, &text);
        if (at > from &&
            draw_text_width(out->at) + draw_text_width(buffer) + draw_text_width(next) > width) {
            break;
        }
        text_put(out, buffer);
        mark = next;
    }
    text_put(out, mark);
    return at;
}

static void seat_open_hand(const struct scene *scene, uint8_t seat, struct text *out)
{
    if (seat_has_open_hand(scene, seat)) {
        struct open_hand hand = open_hand_of(scene, seat);
        (void)open_hand_line(scene, &hand, 0, INT_MAX, out);
    }
}

static void line_draw(const struct canvas *canvas, const struct table_layout *layout, int place,
                      int line, const char *text)
{
    const struct area *seat = &layout->seats[place];
    if (line >= seat->height) {
        return;
    }
    if (layout->is_seat_centred[place]) {
        draw_text_centred(canvas, seat->row + line, seat->column, seat->width, STYLE_PLAIN, text);
    } else if (layout->is_seat_right[place]) {
        draw_text_right_aligned(canvas, seat->row + line, seat->column, seat->width, STYLE_PLAIN,
                                text);
    } else {
        draw_text(canvas, seat->row + line, seat->column, seat->width, STYLE_PLAIN, text);
    }
}

/* Appends two spaces and the part, if there is one. */
static void put_part(struct text *out, void (*part)(const struct scene *, uint8_t, struct text *),
                     const struct scene *scene, uint8_t seat)
{
    char buffer[LINE_MAX_BYTES * 2];
    struct text text = text_init(buffer, sizeof(buffer));
    part(scene, seat, &text);
    if (text.len > 0) {
        text_put(out, out->len > 0 ? "  " : "");
        text_put(out, buffer);
    }
}

/* All in one line; in a list the cards come before what the headline repeats. */
static void seat_draw_line(const struct canvas *canvas, const struct table_layout *layout,
                           const struct scene *scene, uint8_t place)
{
    uint8_t seat = scene_seat_at(scene, place);
    char buffer[LINE_MAX_BYTES * 4];
    struct text text = text_init(buffer, sizeof(buffer));
    bool has_hand = seat_has_open_hand(scene, seat);
    seat_name(scene, seat, &text);
    if (layout->is_list && !has_hand) {
        seat_rating(scene, seat, &text);
    }
    put_part(&text, seat_open_hand, scene, seat);
    put_part(&text, seat_facts, scene, seat);
    put_part(&text, seat_marks, scene, seat);
    line_draw(canvas, layout, place, 0, buffer);
}

static int seat_name_width(const struct scene *scene, uint8_t seat)
{
    char buffer[LINE_MAX_BYTES];
    struct text text = text_init(buffer, sizeof(buffer));
    seat_name(scene, seat, &text);
    return draw_text_width(buffer);
}

/* The facts, and the marks from `from` on that have no line elsewhere. */
static void seat_draw_facts(const struct canvas *canvas, const struct table_layout *layout,
                            const struct scene *scene, uint8_t place, const struct marks *marks,
                            uint8_t from)
{
    char buffer[LINE_MAX_BYTES * 3], more[LINE_MAX_BYTES * 2];
    struct text text = text_init(buffer, sizeof(buffer));
    struct text rest = text_init(more, sizeof(more));
    uint8_t seat = scene_seat_at(scene, place);
    seat_facts(scene, seat, &text);
    if (draw_text_width(buffer) > layout->seats[place].width) {
        text = text_init(buffer, sizeof(buffer));
        seat_facts_put(scene, seat, true, &text);
    }
    (void)marks_line(scene, marks, from, INT_MAX, &rest);
    text_put(&text, rest.len > 0 ? "  " : "");
    text_put(&text, more);
    line_draw(canvas, layout, place, 1, buffer);
}

/* The name; the rating and `more` if there is room, `more` first. */
static void seat_draw_name(const struct canvas *canvas, const struct table_layout *layout,
                           const struct scene *scene, uint8_t place, const char *more)
{
    uint8_t seat = scene_seat_at(scene, place);
    char buffer[LINE_MAX_BYTES * 2];
    char rating[LINE_MAX_BYTES];
    struct text text = text_init(rating, sizeof(rating));
    seat_rating(scene, seat, &text);
    text = text_init(buffer, sizeof(buffer));
    seat_name(scene, seat, &text);
    int gap = more[0] != '\0' ? 2 : 0;
    if (draw_text_width(buffer) + draw_text_width(rating) + gap + draw_text_width(more) <=
        layout->seats[place].width) {
        text_put(&text, rating);
    }
    text_put(&text, gap > 0 ? "  " : "");
    text_put(&text, more);
    line_draw(canvas, layout, place, 0, buffer);
}

/* The number of lines of a hand at that width. */
static int open_hand_lines(const struct scene *scene, const struct open_hand *hand, int width)
{
    int lines = 0;
    for (uint8_t from = 0; from < hand->count; lines++) {
        char buffer[LINE_MAX_BYTES];
        struct text text = text_init(buffer, sizeof(buffer));
        from = open_hand_line(scene, hand, from, width, &text);
    }
    return lines;
}

/* Name, facts, marks, hand; the hand gets its room first. Marks without a line of their own come
 * after the name, as many as fit, and then after the facts. */
static void seat_draw_block(const struct canvas *canvas, const struct table_layout *layout,
                            const struct scene *scene, uint8_t place)
{
    uint8_t seat = scene_seat_at(scene, place);
    const struct area *area = &layout->seats[place];
    struct marks marks = marks_of(scene, seat);
    struct open_hand hand = open_hand_of(scene, seat);
    hand.count = seat_has_open_hand(scene, seat) ? hand.count : 0;
    int line = 2;
    int spare = area->height - line - open_hand_lines(scene, &hand, area->width);
    uint8_t mark = 0;
    char buffer[LINE_MAX_BYTES * 2];
    struct text text = text_init(buffer, sizeof(buffer));
    bool is_beside = layout->is_seat_centred[place] || spare < 1;
    if (is_beside) {
        int room = area->width - seat_name_width(scene, seat) - 2;
        mark = marks_beside(scene, &marks, 0, room, &text);
    }
    seat_draw_name(canvas, layout, scene, place, buffer);
    bool has_line = spare > 0 && mark < marks.count;
    if (has_line) {
        marks_break(&marks, area->width);
    }
    seat_draw_facts(canvas, layout, scene, place, &marks, has_line ? marks.count : mark);
    mark = has_line ? mark : marks.count;
    for (; mark < marks.count && spare > 0; spare--) {
        text = text_init(buffer, sizeof(buffer));
        mark = marks_line(scene, &marks, mark, spare > 1 ? area->width : INT_MAX, &text);
        line_draw(canvas, layout, place, line++, buffer);
    }
    for (uint8_t from = 0; from < hand.count && line < area->height;) {
        text = text_init(buffer, sizeof(buffer));
        from = open_hand_line(scene, &hand, from, area->width, &text);
        line_draw(canvas, layout, place, line++, buffer);
    }
}

void scene_draw_seats(const struct canvas *canvas, const struct table_layout *layout,
                      const struct scene *scene)
{
    for (uint8_t place = 0; place < scene->view->seats; place++) {
        if (layout->is_list || layout->seats[place].height == 1) {
            seat_draw_line(canvas, layout, scene, place);
        } else {
            seat_draw_block(canvas, layout, scene, place);
        }
    }
}
