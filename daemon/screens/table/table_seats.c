#include "daemon/screens/table/table.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"

#include <limits.h>
#include <string.h>

static bool scene_must_seat_act(const struct scene *scene, uint8_t seat)
{
    bool is_shown = !scene->is_held || words_is_own_seat(&scene->words, seat);
    return is_shown && (scene->view->to_act >> seat & 1) != 0;
}

static struct text add_empty_mark(struct seat_marks *marks)
{
    return text_init(marks->at[marks->count++], SEAT_MARK_BYTES);
}

static void add_bid_and_trick_marks(const struct scene *scene, uint8_t seat,
                                    struct seat_marks *marks)
{
    const struct game_view *view = scene->view;
    bool is_plain = scene->words.theme->is_plain_mode;
    if (view->has_bids) {
        struct text bid = add_empty_mark(marks);
        if (view->bids[seat] != BID_NONE) {
            text_format(&bid, _("bid %d"), view->bids[seat]);
        } else if (is_plain) {
            text_put(&bid, _("no bid yet"));
        } else {
            text_format(&bid, _("bid %s"), theme_glyph_text(scene->words.theme, GLYPH_DASH));
        }
    }
    struct text won = add_empty_mark(marks);
    text_format(&won, is_plain ? _("tricks %d") : _("won %d"), view->tricks[seat]);
}

/* Adds the bid, the tricks won, the score and the game's number beside it: "bid 2", "won 1", "score
 * 31", "badness 2". */
static void add_number_marks(const struct scene *scene, uint8_t seat, struct seat_marks *marks)
{
    const struct game_view *view = scene->view;
    if (!face_is_before_bids(view)) {
        add_bid_and_trick_marks(scene, seat, marks);
    }
    struct text score = add_empty_mark(marks);
    text_format(&score, _("score %d"), view->scores[seat]);
    for (const struct info_def *def = view->game->info; def != NULL && def->key != NULL; def++) {
        if (def->running != NULL) {
            struct text number = add_empty_mark(marks);
            words_write_phrase(&scene->words,
                               PHRASE(def->running, arg_of_number(view->info[def->at + seat])),
                               &number);
        }
    }
}

static void add_badge_and_absence_marks(const struct scene *scene, uint8_t seat,
                                        struct seat_marks *marks)
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
static void add_time_mark(const struct scene *scene, uint8_t seat, struct seat_marks *marks)
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
                        words_write_time_left(left_ms, &TEXT_OF(SEAT_MARK_BYTES)));
    }
}

/* Adds "◄ to play" for a player whose turn it is, "took it" for the player who took the trick: in
 * the middle it says that the viewer took it, whose turn may have begun. */
static void add_turn_mark(const struct scene *scene, uint8_t seat, struct seat_marks *marks)
{
    if (scene_seat_took_trick(scene, seat) && !scene_must_seat_act(scene, seat)) {
        struct text text = add_empty_mark(marks);
        draw_put_styled(&text, STYLE_GOOD, _("took it"));
    } else if (scene_must_seat_act(scene, seat)) {
        struct text text = add_empty_mark(marks), words = TEXT_OF(SEAT_MARK_BYTES);
        text_format(&words, "%s %s", theme_glyph_text(scene->words.theme, GLYPH_TURN),
                    words_is_own_seat(&scene->words, seat) ? _("your turn")
                                                           : _(face_describe_turn(scene->view)));
        draw_put_styled(&text, STYLE_TURN, words.at);
    }
}

/* Collects the facts of a seat: first the numbers. The marks of the turn come before or after the
 * game's badges. */
static struct seat_marks seat_marks_collect(const struct scene *scene, uint8_t seat,
                                            bool is_turn_last)
{
    struct seat_marks marks = {.scene = scene};
    add_number_marks(scene, seat, &marks);
    marks.number_count = marks.count;
    if (!is_turn_last) {
        add_turn_mark(scene, seat, &marks);
        add_time_mark(scene, seat, &marks);
    }
    marks.turn_end = marks.count;
    add_badge_and_absence_marks(scene, seat, &marks);
    if (is_turn_last) {
        add_turn_mark(scene, seat, &marks);
        add_time_mark(scene, seat, &marks);
    }
    return marks;
}

struct seat_marks seat_marks_collect_lasting(const struct scene *scene, uint8_t seat)
{
    struct seat_marks marks = {.scene = scene};
    add_number_marks(scene, seat, &marks);
    add_badge_and_absence_marks(scene, seat, &marks);
    return marks;
}

/* Breaks each mark that is wider than `width` into two, at a blank. */
static void seat_marks_break_wide(struct seat_marks *marks, int width)
{
    for (uint8_t i = 0; i < marks->count && marks->count < SEAT_MARKS_MAX; i++) {
        size_t over = 0;
        size_t len = draw_measure_text(marks->at[i]) > width
                         ? styled_text_count_fitting_bytes(marks->at[i], width, &over)
                         : 0;
        if (over == 0) {
            continue;
        }
        memmove(marks->at[i + 1], marks->at[i], sizeof(marks->at[0]) * (marks->count - i));
        marks->count++;
        struct text rest = text_init(marks->at[i + 1], SEAT_MARK_BYTES);
        bool is_styled = marks->at[i][0] == DRAW_MARK;
        text_put_bytes(&rest, marks->at[i], is_styled ? DRAW_MARK_BYTES : 0);
        text_put(&rest, marks->at[i] + len + over);
        marks->at[i][len] = is_styled ? DRAW_UNMARK : '\0';
        marks->at[i][len + is_styled] = '\0';
        i++;
    }
}

/* Appends a mark, after a separator, unless the text would be wider than `width`. Returns whether
 * it did. */
static bool append_mark(const struct scene *scene, const char *mark, int width, bool is_narrow,
                        struct text *out)
{
    struct text longer = TEXT_OF(SEAT_MARK_BYTES * 4);
    text_put(&longer, out->at);
    if (is_narrow) {
        bool is_ascii = scene->words.theme->is_ascii;
        const char *mark_between = is_ascii ? ";" : theme_glyph_text(scene->words.theme, GLYPH_DOT);
        text_put(&longer, longer.len > 0 ? mark_between : "");
    } else {
        scene_put_separator(scene, &longer);
    }
    text_put(&longer, mark);
    if (draw_measure_text(longer.at) > width) {
        return false;
    }
    out->len = 0;
    text_put(out, longer.at);
    return true;
}

/* Writes as many marks as fit one line of `width` columns, beginning with `first_mark`, even if the
 * first one does not fit; returns the index of the first mark that is left out. If is_narrow, only
 * a blank separates the marks. */
static uint8_t seat_marks_write_line(const struct seat_marks *marks, uint8_t first_mark, int width,
                                     bool is_narrow, struct text *out)
{
    uint8_t at = first_mark;
    while (at < marks->count && append_mark(marks->scene, marks->at[at],
                                            at > first_mark ? width : INT_MAX, is_narrow, out)) {
        at++;
    }
    return at;
}

/* Returns how many lines of that width all marks need. */
static int seat_marks_count_lines(const struct seat_marks *marks, int width, bool is_narrow)
{
    int lines = 0;
    for (uint8_t at = 0; at < marks->count; lines++) {
        at = seat_marks_write_line(marks, at, width, is_narrow, &TEXT_OF(SEAT_MARK_BYTES * 4));
    }
    return lines;
}

/* Writes the marks in one line, separated only by blanks if there is little room. A mark that does
 * not fit is left out, never cut. */
static void seat_marks_write_fitting(const struct seat_marks *marks, int width, struct text *out)
{
    bool is_narrow = seat_marks_count_lines(marks, width, false) > 1;
    for (uint8_t at = 0; at < marks->count; at++) {
        (void)append_mark(marks->scene, marks->at[at], width, is_narrow, out);
    }
}

/* Moves as many marks as fit the `width` columns after the name, from those between the numbers and
 * index `end`, from the list to `out`. */
static void seat_marks_move_beside_name(struct seat_marks *marks, uint8_t end, int width,
                                        struct text *out)
{
    uint8_t first = marks->number_count;
    struct seat_marks offered = *marks;
    offered.count = end;
    if (first >= end || draw_measure_text(marks->at[first]) > width) {
        return;
    }
    uint8_t next = seat_marks_write_line(&offered, first, width, false, out);
    memmove(marks->at[first], marks->at[next],
            sizeof(marks->at[0]) * (size_t)(marks->count - next));
    marks->count = (uint8_t)(marks->count - (next - first));
}

/* If it is the seat's turn and the mark of the turn ("◄ to play") is wider than `width`, leaves
 * only its arrow. The line of the prompt says what the seat has to do. */
static void seat_marks_shorten_turn(uint8_t seat, struct seat_marks *marks, int width)
{
    uint8_t turn = marks->number_count;
    if (turn < marks->turn_end && draw_measure_text(marks->at[turn]) > width &&
        scene_must_seat_act(marks->scene, seat)) {
        struct text arrow = text_init(marks->at[turn], SEAT_MARK_BYTES);
        draw_put_styled(&arrow, STYLE_TURN,
                        theme_glyph_text(marks->scene->words.theme, GLYPH_TURN));
    }
}

#define LINE_MAX_BYTES 400
#define LIST_CARD_WIDTH 8 /* fewest columns for the played card at the end of a list's line */
#define NAME_COLUMN_MAX 10
#define ROWS_ABOVE_LIST 4 /* rows of the name and of three lines of facts above a list of cards */
#define USUAL_HAND_LINE 3 /* a hand is below the name and two lines of facts */

void scene_put_separator(const struct scene *scene, struct text *out)
{
    if (out->len > 0 && scene->words.theme->is_plain_mode) {
        text_put(out, ", ");
    } else if (out->len > 0 && scene->words.theme->is_ascii) {
        text_put(out, "; "); /* in ASCII the dot looks like the sign that means "none" */
    } else if (out->len > 0) {
        text_format(out, " %s ", theme_glyph_text(scene->words.theme, GLYPH_DOT));
    }
}

bool scene_seat_took_trick(const struct scene *scene, uint8_t seat)
{
    return scene->is_held && scene->view->last_trick.winner == seat;
}

static const char *write_seat_name(const struct scene *scene, uint8_t seat, struct text *out)
{
    draw_put_styled(out,
                    scene_must_seat_act(scene, seat)         ? STYLE_TURN
                    : words_is_own_seat(&scene->words, seat) ? STYLE_YOU
                                                             : STYLE_STRONG,
                    words_write_seat(&scene->words, seat, &TEXT_OF(LINE_MAX_BYTES)));
    return out->at;
}

static void write_seat_rating(const struct scene *scene, uint8_t seat, struct text *out)
{
    if (scene->seats == NULL || !scene->seats[seat].is_taken) {
        return;
    }
    text_put_char(out, ' ');
    if (scene->seats[seat].kind == PERSON_BOT || scene->seats[seat].is_program) {
        text_format(out, "(%s)", person_brief_bot_label(person_level_of_seat(&scene->seats[seat])));
    } else if (scene->seats[seat].rating.value != ROW_NONE) {
        words_write_rating(scene->words.theme, &scene->seats[seat].rating, out);
    }
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

static int measure_name_width(const struct scene *scene, uint8_t seat)
{
    return draw_measure_text(write_seat_name(scene, seat, &TEXT_OF(LINE_MAX_BYTES)));
}

/* Returns the columns for the names in a list of players: as many as the widest name takes, but so
 * few that the names leave room. */
static int measure_name_column(const struct scene *scene)
{
    int widest = 0;
    for (uint8_t seat = 0; seat < scene->view->seats; seat++) {
        int width = measure_name_width(scene, seat);
        widest = width > widest && width <= NAME_COLUMN_MAX ? width : widest;
    }
    return widest;
}

/* Writes the name and the open hand of a seat, so that hands in neighbouring lines form columns. */
static void write_name_and_open_hand(const struct scene *scene, uint8_t seat, struct text *out)
{
    struct open_hand hand = open_hand_collect(scene, seat, 0, 0);
    write_seat_name(scene, seat, out);
    if (hand.count > 0) {
        struct text cards = TEXT_OF(LINE_MAX_BYTES * 2);
        int before = measure_name_column(scene) - measure_name_width(scene, seat);
        (void)open_hand_write_row(&hand, 0, INT_MAX, &cards);
        int after = open_hand_measure_row(&hand) - draw_measure_text(cards.at);
        text_format(out, "  %*s%s%*s", before > 0 ? before : 0, "", cards.at, after > 0 ? after : 0,
                    "");
    }
}

uint8_t scene_find_wide_places(const struct scene *scene, const struct table_layout *layout)
{
    unsigned wide = 0;
    int card = scene_list_card_width(scene);
    card = card > LIST_CARD_WIDTH ? card : LIST_CARD_WIDTH; /* the same before the first card */
    for (uint8_t place = 0; place < scene->view->seats && layout->is_list; place++) {
        uint8_t seat = scene_seat_at_place(scene, place);
        struct text name = TEXT_OF(LINE_MAX_BYTES * 2);
        struct seat_marks marks = seat_marks_collect(scene, seat, true);
        write_name_and_open_hand(scene, seat, &name);
        int room = layout->seats[place].width - card - draw_measure_text(name.at) - 2;
        wide |= (unsigned)(seat_marks_count_lines(&marks, room, true) > 1) << place;
    }
    return (uint8_t)wide;
}

/* Draws a seat in one line: the name, the open hand or (in a list) the rating, and the facts. In a
 * list, the columns at the line's end are left to the card of the trick. With a second line, the
 * open hand or the facts are there. */
static void draw_seat_in_one_or_two_lines(const struct canvas *canvas,
                                          const struct table_layout *layout,
                                          const struct scene *scene, uint8_t place)
{
    uint8_t seat = scene_seat_at_place(scene, place);
    const struct area *area = &layout->seats[place];
    struct text line = TEXT_OF(LINE_MAX_BYTES * 6), rating = TEXT_OF(LINE_MAX_BYTES);
    struct text facts = TEXT_OF(LINE_MAX_BYTES * 4);
    struct seat_marks marks = seat_marks_collect(scene, seat, true);
    struct open_hand hand = open_hand_collect(scene, seat, 0, 0);
    bool has_hand_line = area->height > 1 && hand.count > 0;
    if (has_hand_line) {
        struct text cards = TEXT_OF(LINE_MAX_BYTES * 2);
        text_put(&cards, "  ");
        (void)open_hand_write_row(&hand, 0, INT_MAX, &cards);
        draw_seat_line(canvas, layout, place, 1, cards.at);
        write_seat_name(scene, seat, &line);
    } else {
        write_name_and_open_hand(scene, seat, &line);
    }
    if (layout->is_list && hand.count == 0) {
        write_seat_rating(scene, seat, &rating);
    }
    if (area->height > 1 && !has_hand_line) {
        text_put(&line, rating.at);
        seat_marks_write_fitting(&marks, area->width, &facts);
        draw_seat_line(canvas, layout, place, 1, facts.at);
    } else {
        int card = layout->is_list ? scene_list_card_width(scene) : 0;
        int room = area->width - card - draw_measure_text(line.at) - 2;
        int left = room - draw_measure_text(rating.at);
        bool has_rating = seat_marks_count_lines(&marks, left, false) == 1;
        seat_marks_write_fitting(&marks, has_rating ? left : room, &facts);
        text_format(&line, "%s  %s", has_rating ? rating.at : "", facts.at);
    }
    draw_seat_line(canvas, layout, place, 0, line.at);
}

/* Returns the columns for the texts of a seat. In a tight layout, only its hand uses all columns.
 */
static int measure_text_columns(const struct table_layout *layout, uint8_t place)
{
    int free_columns = !layout->is_tight ? 0 : layout->is_seat_centred[place] ? 2 : 1;
    return layout->seats[place].width - free_columns;
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
        measure_text_columns(layout, place)) {
        text_put(&line, rating.at);
    }
    text_format(&line, "%s%s", gap, marks_text);
    draw_seat_line(canvas, layout, place, 0, line.at);
}

/* A seat drawn on several lines: the marks beside the name, the facts below it, the open hand. */
struct seat_lines {
    struct seat_marks marks;
    struct open_hand hand;
    bool is_narrow;
    char beside[LINE_MAX_BYTES * 2];
};

/* Divides the facts of a seat, whose hand has been collected, between the name's line and the lines
 * below. Lines for the hand are reserved first. If the lines are too few, more marks are put beside
 * the name, without the rating, and the facts are written closely. */
static void plan_seat_lines(const struct scene *scene, const struct area *area, int width,
                            struct seat_lines *out)
{
    uint8_t seat = out->hand.seat;
    struct text rating = TEXT_OF(LINE_MAX_BYTES);
    struct text beside = text_init(out->beside, sizeof(out->beside));
    out->marks = seat_marks_collect(scene, seat, false);
    write_seat_rating(scene, seat, &rating);
    int rows = area->height - 1 - open_hand_count_rows(&out->hand, area->width);
    bool is_tight = seat_marks_count_lines(&out->marks, width, false) > rows;
    int room = width - measure_name_width(scene, seat) - 2;
    int left = room - draw_measure_text(rating.at);
    seat_marks_shorten_turn(seat, &out->marks, left);
    room =
        is_tight || draw_measure_text(out->marks.at[out->marks.number_count]) > left ? room : left;
    seat_marks_move_beside_name(&out->marks, is_tight ? out->marks.count : out->marks.turn_end,
                                room, &beside);
    seat_marks_break_wide(&out->marks, width);
    out->is_narrow = seat_marks_count_lines(&out->marks, width, false) > rows;
}

/* Draws the hand from the seat's line `first_line` on. The cards of a list begin in the same
 * column, also at the right edge. */
static void draw_open_hand(const struct canvas *canvas, const struct table_layout *layout,
                           uint8_t place, const struct open_hand *hand, int first_line)
{
    int width = layout->seats[place].width;
    int widest = 0;
    for (uint8_t from = 0; from < hand->count && hand->form == OPEN_HAND_LIST;) {
        struct text text = TEXT_OF(LINE_MAX_BYTES * 2);
        from = open_hand_write_row(hand, from, width, &text);
        widest = draw_measure_text(text.at) > widest ? draw_measure_text(text.at) : widest;
    }
    int line = first_line;
    for (uint8_t from = 0; from < hand->count; line++) {
        struct text text = TEXT_OF(LINE_MAX_BYTES * 2);
        from = open_hand_write_row(hand, from, width, &text);
        int blanks = widest - draw_measure_text(text.at);
        text_format(&text, "%*s", blanks > 0 ? blanks : 0, "");
        draw_seat_line(canvas, layout, place, line, text.at);
    }
}

static void draw_seat_on_several_lines(const struct canvas *canvas,
                                       const struct table_layout *layout, const struct scene *scene,
                                       uint8_t place)
{
    const struct area *area = &layout->seats[place];
    int width = measure_text_columns(layout, place);
    struct seat_lines lines = {.hand =
                                   open_hand_collect(scene, scene_seat_at_place(scene, place),
                                                     area->width, area->height - ROWS_ABOVE_LIST)};
    plan_seat_lines(scene, area, width, &lines);
    draw_seat_name(canvas, layout, scene, place, lines.beside);
    int hand_lines = open_hand_count_rows(&lines.hand, area->width);
    int line = 1;
    for (uint8_t at = 0; at < lines.marks.count && (line == 1 || line + hand_lines < area->height);
         line++) {
        struct text text = TEXT_OF(LINE_MAX_BYTES * 4);
        at = seat_marks_write_line(&lines.marks, at, width, lines.is_narrow, &text);
        draw_seat_line(canvas, layout, place, line, text.at);
    }
    if (!layout->is_seat_centred[place]) {
        /* The hand stays in its line when marks come and go. */
        int last = area->height - hand_lines;
        int usual = layout->is_tight || last < USUAL_HAND_LINE ? last : USUAL_HAND_LINE;
        line = line > usual ? line : usual;
    }
    draw_open_hand(canvas, layout, place, &lines.hand, line);
}

int scene_count_top_rows(const struct scene *scene, const struct table_layout *layout)
{
    int most = 0;
    for (uint8_t place = 1; place < scene->view->seats && !layout->is_list; place++) {
        struct area area = layout->seats[place];
        int width = measure_text_columns(layout, place);
        struct seat_lines lines = {
            .hand = open_hand_collect(scene, scene_seat_at_place(scene, place), area.width, 1)};
        if (!layout->is_seat_centred[place]) {
            continue;
        }
        area.height = INT_MAX; /* to find out how many rows are needed, not how to make do */
        plan_seat_lines(scene, &area, width, &lines);
        int rows = 1 + seat_marks_count_lines(&lines.marks, width, lines.is_narrow) +
                   open_hand_count_rows(&lines.hand, area.width);
        most = rows > most ? rows : most;
    }
    return most;
}

void scene_draw_seats(const struct canvas *canvas, const struct table_layout *layout,
                      const struct scene *scene)
{
    for (uint8_t place = 0; place < scene->view->seats; place++) {
        if (layout->is_list || layout->seats[place].height == 1) {
            draw_seat_in_one_or_two_lines(canvas, layout, scene, place);
        } else {
            draw_seat_on_several_lines(canvas, layout, scene, place);
        }
    }
}
