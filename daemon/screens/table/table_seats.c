#include "daemon/screens/table/table_seats.h"

#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/styled_text.h"
#include "daemon/screens/drawing/text_format.h"
#include "daemon/screens/model/model_entered.h"
#include "daemon/screens/table/table_card.h"
#include "daemon/screens/table/table_hand.h"
#include "daemon/screens/table/table_scene.h"
#include "games/face.h"

#include <limits.h>
#include <string.h>

#define LINE_MAX_BYTES 400

static bool has_open_hand(const struct scene *scene, uint8_t seat)
{
    const struct game_view *view = scene->view;
    if (view->seat == (int)seat && !scene->is_open) {
        return false; /* the viewer's own hand is drawn large at the bottom */
    }
    for (uint8_t i = 0; i < view->slot_count[seat]; i++) {
        if (card_in_slot_is_known(&view->hands[seat][i])) {
            return true;
        }
    }
    return false;
}

bool scene_has_open_hands(const struct scene *scene)
{
    for (uint8_t seat = 0; seat < scene->view->seats; seat++) {
        if (has_open_hand(scene, seat)) {
            return true;
        }
    }
    return false;
}

void scene_put_separator(const struct scene *scene, struct text *out)
{
    if (out->len > 0 && scene->words.theme->is_ascii) {
        text_put(out, ", "); /* in ASCII the dot looks like the sign that means "none" */
    } else if (out->len > 0) {
        text_format(out, " %s ", theme_glyph_text(scene->words.theme, GLYPH_DOT));
    }
}

static bool must_seat_act(const struct scene *scene, uint8_t seat)
{
    return !scene->is_held && (scene->view->to_act >> seat & 1) != 0;
}

bool scene_seat_took_trick(const struct scene *scene, uint8_t seat)
{
    return scene->is_held && scene->view->last_trick.winner == seat;
}

static void write_seat_name(const struct scene *scene, uint8_t seat, struct text *out)
{
    draw_put_styled(out,
                    must_seat_act(scene, seat)               ? STYLE_TURN
                    : words_is_own_seat(&scene->words, seat) ? STYLE_YOU
                                                             : STYLE_STRONG,
                    words_write_seat(&scene->words, seat, &TEXT_OF(LINE_MAX_BYTES)));
}

static void write_seat_rating(const struct scene *scene, uint8_t seat, struct text *out)
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

static void write_separator(const struct scene *scene, bool is_narrow, struct text *out)
{
    if (is_narrow) {
        text_put_char(out, ' ');
    } else {
        scene_put_separator(scene, out);
    }
}

/* Writes the bid, the tricks won and the score: "bid 2 · won 1 · 31"; if is_narrow, "bid 2 won 1
 * 31". */
static void write_bid_tricks_and_score(const struct scene *scene, uint8_t seat, bool is_narrow,
                                       struct text *out)
{
    const struct game_view *view = scene->view;
    if (view->has_bids && view->bids[seat] != BID_NONE) {
        text_format(out, _("bid %d"), view->bids[seat]);
    } else if (view->has_bids) {
        text_format(out, _("bid %s"), theme_glyph_text(scene->words.theme, GLYPH_DASH));
    }
    if (view->has_bids) {
        write_separator(scene, is_narrow, out);
    }
    text_format(out, _("won %d"), view->tricks[seat]);
    write_separator(scene, is_narrow, out);
    text_put_number(out, view->scores[seat]);
}

/* The marks beside a player's name, one text each: whose turn it is, the game's badges, the state
 * of the connection. */
#define MARKS_MAX (2 * FACE_BADGES_MAX + 6) /* each mark can be broken into two parts */

struct marks {
    uint8_t count;
    char at[MARKS_MAX][LINE_MAX_BYTES];
};

static struct text add_empty_mark(struct marks *marks)
{
    return text_init(marks->at[marks->count++], LINE_MAX_BYTES);
}

static void add_badge_and_absence_marks(const struct scene *scene, uint8_t seat,
                                        struct marks *marks)
{
    struct phrase badges[FACE_BADGES_MAX];
    uint8_t count = scene->view->game->face->badges(scene->view, seat, badges);
    for (uint8_t i = 0; i < count; i++) {
        struct text text = add_empty_mark(marks);
        words_write_phrase(&scene->words, badges[i], &text);
    }
    const struct seat_row *who = scene->seats == NULL ? NULL : &scene->seats[seat];
    if (who == NULL || !who->is_taken || who->kind == PERSON_BOT) {
        return;
    }
    if (who->is_played_by_bot || !who->is_here || who->vacation_ms != 0) {
        struct text text = add_empty_mark(marks);
        draw_put_styled(&text, STYLE_WARN,
                        who->is_played_by_bot   ? _("bot playing")
                        : who->vacation_ms != 0 ? _("on vacation")
                        : who->is_gone          ? _("no connection")
                                                : _("away"));
    }
}

/* Adds the time left for the seat's turn ("0:24"), or the rest of the seat's time for all turns. */
static void add_time_mark(const struct scene *scene, uint8_t seat, struct marks *marks)
{
    if (scene->live == NULL || seat >= SEATS_MAX || scene->is_held) {
        return;
    }
    const struct model_time *time = &scene->live->times[seat];
    bool is_turn = time->left_ms >= 0;
    int64_t left_ms =
        is_turn ? model_time_left(scene->live, time->left_ms, scene->now_ms) : time->bank_ms;
    if (left_ms >= 0) {
        struct text text = add_empty_mark(marks);
        draw_put_styled(&text, is_turn ? STYLE_TURN : STYLE_DIM,
                        words_write_time_left(left_ms, &TEXT_OF(LINE_MAX_BYTES)));
    }
}

/* Adds "◄ to play" for a player whose turn it is, "took it" for the player who took the trick. */
static void add_turn_mark(const struct scene *scene, uint8_t seat, struct marks *marks)
{
    if (scene_seat_took_trick(scene, seat)) {
        struct text text = add_empty_mark(marks);
        draw_put_styled(&text, STYLE_GOOD, _("took it"));
    } else if (must_seat_act(scene, seat)) {
        struct text text = add_empty_mark(marks), words = TEXT_OF(LINE_MAX_BYTES);
        text_format(&words, "%s %s", theme_glyph_text(scene->words.theme, GLYPH_TURN),
                    words_is_own_seat(&scene->words, seat)
                        ? _("your turn")
                        : _(face_describe_turn(scene->view, seat)));
        draw_put_styled(&text, STYLE_TURN, words.at);
    }
}

static struct marks collect_marks(const struct scene *scene, uint8_t seat)
{
    struct marks marks = {.count = 0};
    add_turn_mark(scene, seat, &marks);
    add_time_mark(scene, seat, &marks);
    add_badge_and_absence_marks(scene, seat, &marks);
    return marks;
}

/* Breaks each mark that is wider than `width` into two, at a blank. */
static void break_wide_marks(struct marks *marks, int width)
{
    for (uint8_t i = 0; i < marks->count && marks->count < MARKS_MAX; i++) {
        size_t over = 0;
        size_t len = draw_measure_text(marks->at[i]) > width
                         ? styled_text_count_fitting_bytes(marks->at[i], width, &over)
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

/* Writes as many marks as fit one line, beginning with `first_mark`; returns the index of the first
 * mark that did not fit. */
static uint8_t write_marks_line(const struct scene *scene, const struct marks *marks,
                                uint8_t first_mark, int width, struct text *out)
{
    uint8_t at = first_mark;
    for (; at < marks->count; at++) {
        if (at > first_mark &&
            draw_measure_text(out->at) + 3 + draw_measure_text(marks->at[at]) > width) {
            break;
        }
        scene_put_separator(scene, out);
        text_put(out, marks->at[at]);
    }
    return at;
}

/* Writes as many marks as fit the `width` columns after the existing text, beginning with
 * `first_mark`; returns the index of the first mark that did not fit. */
static uint8_t write_marks_after_text(const struct scene *scene, const struct marks *marks,
                                      uint8_t first_mark, int width, struct text *out)
{
    bool is_room = first_mark < marks->count && draw_measure_text(marks->at[first_mark]) <= width;
    return is_room ? write_marks_line(scene, marks, first_mark, width, out) : first_mark;
}

/* The visible cards of a hand, in the order in which they are drawn: all of them, or the top card
 * of each column. */
struct open_hand {
    uint8_t seat;
    uint8_t count;
    uint8_t slots[SLOTS_MAX];
    uint8_t under[SLOTS_MAX]; /* for each shown card: how many cards lie below it */
};

/* Adds the slot of a column's top card, and the number of cards below that card; for an empty
 * column, its lowest slot. */
static void add_top_of_column(const struct game_view *view, uint8_t seat, uint8_t column,
                              uint8_t column_count, struct open_hand *hand)
{
    uint8_t held = 0;
    uint8_t top = column;
    for (uint8_t slot = column; slot < view->slot_count[seat];
         slot = (uint8_t)(slot + column_count)) {
        bool is_held = !view->hands[seat][slot].is_empty;
        top = is_held ? slot : top;
        held = (uint8_t)(held + is_held);
    }
    hand->under[hand->count] = held > 0 ? (uint8_t)(held - 1) : 0;
    hand->slots[hand->count++] = top;
}

static struct open_hand collect_open_hand_cards(const struct scene *scene, uint8_t seat)
{
    const struct game_view *view = scene->view;
    struct open_hand hand = {.seat = seat};
    bool keeps_slots = false;
    uint8_t columns = view->game->face->columns != NULL ? view->game->face->columns(view, seat) : 0;
    uint8_t slots[SLOTS_MAX];
    uint8_t count = columns == 0 ? hand_order_slots(view, seat, &keeps_slots, slots) : 0;
    for (uint8_t i = 0; i < count; i++) {
        /* Hidden cards are worth showing only in games in which their places matter. */
        if (view->game->face->keeps_slots || card_in_slot_is_known(&view->hands[seat][slots[i]])) {
            hand.slots[hand.count++] = slots[i];
        }
    }
    for (uint8_t column = 0; column < columns && column < view->slot_count[seat]; column++) {
        add_top_of_column(view, seat, column, columns, &hand);
    }
    return hand;
}

static void write_card_of_open_hand(const struct scene *scene, const struct open_hand *hand,
                                    uint8_t place, struct text *out)
{
    uint8_t index = hand->slots[place];
    const struct view_slot *slot = &scene->view->hands[hand->seat][index];
    if (slot->is_empty) {
        text_put(out, theme_glyph_text(scene->words.theme, GLYPH_DOT));
    } else if ((scene->lit[hand->seat] >> index & 1) != 0) {
        struct text name = TEXT_OF(LINE_MAX_BYTES);
        struct words plain = scene->words;
        plain.is_plain = true;
        card_write_hand_card(&plain, slot, &name);
        draw_put_styled(out, STYLE_SELECTED, name.at);
    } else {
        card_write_hand_card(&scene->words, slot, out);
    }
    if (hand->under[place] > 0) {
        text_format(out, "+%u", hand->under[place]);
    }
}

/* Writes as many cards of an open hand, from place `first_place` on, as the width allows; returns
 * the place of the first card that did not fit. A card's mark is written instead of the blank
 * before the next card. */
static uint8_t write_open_hand_line(const struct scene *scene, const struct open_hand *hand,
                                    uint8_t first_place, int width, struct text *out)
{
    const char *mark = "";
    uint8_t at = first_place;
    for (; at < hand->count; at++) {
        struct text buffer = TEXT_OF(LINE_MAX_BYTES);
        const char *next =
            card_choose_slot_mark(&scene->words, &scene->view->hands[hand->seat][hand->slots[at]]);
        text_put(&buffer, at > first_place && mark[0] == '\0' ? " " : mark);
        write_card_of_open_hand(scene, hand, at, &buffer);
        if (at > first_place &&
            draw_measure_text(out->at) + draw_measure_text(buffer.at) + draw_measure_text(next) >
                width) {
            break;
        }
        text_put(out, buffer.at);
        mark = next;
    }
    text_put(out, mark);
    return at;
}

static void draw_seat_line(const struct canvas *canvas, const struct table_layout *layout,
                           int place, int line, const char *text)
{
    const struct area *seat = &layout->seats[place];
    int gap = seat->width - draw_measure_text(text);
    int before = gap <= 0                         ? 0
                 : layout->is_seat_centred[place] ? gap / 2
                 : layout->is_seat_right[place]   ? gap
                                                  : 0;
    if (line < seat->height) {
        draw_text(canvas, seat->row + line, seat->column + before, seat->width - before,
                  STYLE_PLAIN, text);
    }
}

/* Draws a seat in one line: the name, the open hand or (in a list) the rating, the bid, the tricks
 * won and the score, then as many marks as fit. */
static void draw_seat_in_one_line(const struct canvas *canvas, const struct table_layout *layout,
                                  const struct scene *scene, uint8_t place)
{
    uint8_t seat = scene_seat_at_place(scene, place);
    struct text line = TEXT_OF(LINE_MAX_BYTES * 4), last = TEXT_OF(LINE_MAX_BYTES * 2);
    struct marks marks = collect_marks(scene, seat);
    write_seat_name(scene, seat, &line);
    if (has_open_hand(scene, seat)) {
        struct open_hand hand = collect_open_hand_cards(scene, seat);
        text_put(&line, "  ");
        (void)write_open_hand_line(scene, &hand, 0, INT_MAX, &line);
    } else if (layout->is_list) {
        write_seat_rating(scene, seat, &line);
    }
    text_put(&line, "  ");
    write_bid_tricks_and_score(scene, seat, false, &line);
    (void)write_marks_line(scene, &marks, 0,
                           layout->seats[place].width - draw_measure_text(line.at) - 2, &last);
    text_put(&line, last.len > 0 ? "  " : "");
    text_put(&line, last.at);
    draw_seat_line(canvas, layout, place, 0, line.at);
}

static int measure_name_width(const struct scene *scene, uint8_t seat)
{
    struct text name = TEXT_OF(LINE_MAX_BYTES);
    write_seat_name(scene, seat, &name);
    return draw_measure_text(name.at);
}

/* Draws bid, tricks won and score, and after them the marks from index first_mark on, which no
 * other line shows. */
static void draw_score_and_remaining_marks(const struct canvas *canvas,
                                           const struct table_layout *layout,
                                           const struct scene *scene, uint8_t place,
                                           const struct marks *marks, uint8_t first_mark)
{
    struct text line = TEXT_OF(LINE_MAX_BYTES * 3), more = TEXT_OF(LINE_MAX_BYTES * 2);
    uint8_t seat = scene_seat_at_place(scene, place);
    write_bid_tricks_and_score(scene, seat, false, &line);
    if (draw_measure_text(line.at) > layout->seats[place].width) {
        line = text_init(line.at, line.cap);
        write_bid_tricks_and_score(scene, seat, true, &line);
    }
    (void)write_marks_line(scene, marks, first_mark, INT_MAX, &more);
    text_put(&line, more.len > 0 ? "  " : "");
    text_put(&line, more.at);
    draw_seat_line(canvas, layout, place, 1, line.at);
}

/* Draws the player's name, then `marks_text`, and the rating between them if there is room for
 * both. */
static void draw_seat_name(const struct canvas *canvas, const struct table_layout *layout,
                           const struct scene *scene, uint8_t place, const char *marks_text)
{
    uint8_t seat = scene_seat_at_place(scene, place);
    struct text line = TEXT_OF(LINE_MAX_BYTES * 2), rating = TEXT_OF(LINE_MAX_BYTES);
    const char *gap = marks_text[0] != '\0' ? "  " : "";
    write_seat_rating(scene, seat, &rating);
    write_seat_name(scene, seat, &line);
    if (draw_measure_text(line.at) + draw_measure_text(rating.at) + draw_measure_text(gap) +
            draw_measure_text(marks_text) <=
        layout->seats[place].width) {
        text_put(&line, rating.at);
    }
    text_format(&line, "%s%s", gap, marks_text);
    draw_seat_line(canvas, layout, place, 0, line.at);
}

static int count_open_hand_lines(const struct scene *scene, const struct open_hand *hand, int width)
{
    int lines = 0;
    for (uint8_t from = 0; from < hand->count; lines++) {
        from = write_open_hand_line(scene, hand, from, width, &TEXT_OF(LINE_MAX_BYTES));
    }
    return lines;
}

/* Draws a seat on several lines: the name; bid, tricks won and score; the marks; the hand. Lines
 * for the hand are reserved first. If no line is left for the marks, they are drawn after the name,
 * and those that do not fit there after the score. */
static void draw_seat_on_several_lines(const struct canvas *canvas,
                                       const struct table_layout *layout, const struct scene *scene,
                                       uint8_t place)
{
    uint8_t seat = scene_seat_at_place(scene, place);
    const struct area *area = &layout->seats[place];
    struct marks marks = collect_marks(scene, seat);
    struct open_hand hand = collect_open_hand_cards(scene, seat);
    struct text beside = TEXT_OF(LINE_MAX_BYTES * 2);
    hand.count = has_open_hand(scene, seat) ? hand.count : 0;
    int line = 2;
    int spare = area->height - line - count_open_hand_lines(scene, &hand, area->width);
    uint8_t mark = 0;
    if (layout->is_seat_centred[place] || spare < 1) {
        int room = area->width - measure_name_width(scene, seat) - 2;
        mark = write_marks_after_text(scene, &marks, 0, room, &beside);
    }
    draw_seat_name(canvas, layout, scene, place, beside.at);
    bool has_line = spare > 0 && mark < marks.count;
    if (has_line) {
        break_wide_marks(&marks, area->width);
    }
    draw_score_and_remaining_marks(canvas, layout, scene, place, &marks,
                                   has_line ? marks.count : mark);
    mark = has_line ? mark : marks.count;
    for (; mark < marks.count && spare > 0; spare--) {
        struct text text = TEXT_OF(LINE_MAX_BYTES * 2);
        mark = write_marks_line(scene, &marks, mark, spare > 1 ? area->width : INT_MAX, &text);
        draw_seat_line(canvas, layout, place, line++, text.at);
    }
    for (uint8_t from = 0; from < hand.count && line < area->height;) {
        struct text text = TEXT_OF(LINE_MAX_BYTES * 2);
        from = write_open_hand_line(scene, &hand, from, area->width, &text);
        draw_seat_line(canvas, layout, place, line++, text.at);
    }
}

void scene_draw_seats(const struct canvas *canvas, const struct table_layout *layout,
                      const struct scene *scene)
{
    for (uint8_t place = 0; place < scene->view->seats; place++) {
        if (layout->is_list || layout->seats[place].height == 1) {
            draw_seat_in_one_line(canvas, layout, scene, place);
        } else {
            draw_seat_on_several_lines(canvas, layout, scene, place);
        }
    }
}
