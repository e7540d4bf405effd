#include "daemon/screens/table/table.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/model/model.h"
#include "games/face.h"

#include <limits.h>
#include <string.h>

static struct text add_empty_mark(struct seat_marks *marks)
{
    return text_init(marks->at[marks->count++], SEAT_MARK_BYTES);
}

static void add_bid_and_trick_marks(const struct scene *scene, uint8_t seat,
                                    struct seat_marks *marks)
{
    const struct game_view *view = scene->view;
    if (view->has_bids && view->bids[seat] != BID_NONE) {
        struct text bid = add_empty_mark(marks);
        text_format(&bid, _("bid %d"), view->bids[seat]);
    } else if (view->has_bids) {
        struct text bid = add_empty_mark(marks);
        text_format(&bid, _("bid %s"), theme_glyph_text(scene->words.theme, GLYPH_DASH));
    }
    struct text won = add_empty_mark(marks);
    text_format(&won, _("won %d"), view->tricks[seat]);
}

/* Adds the bid, the tricks won, the score and the game's number beside it: "bid 2", "won 1", "score
 * 31", "badness 2". */
static void add_number_marks(const struct scene *scene, uint8_t seat, struct seat_marks *marks)
{
    const struct game_view *view = scene->view;
    const struct game_face *face = view->game->face;
    if (!face_is_before_bids(view)) {
        add_bid_and_trick_marks(scene, seat, marks);
    }
    struct text score = add_empty_mark(marks);
    text_format(&score, _("score %d"), view->scores[seat]);
    struct phrase beside =
        face->beside_score != NULL ? face->beside_score(view, seat) : phrase_absent();
    if (beside.format != NULL) {
        struct text number = add_empty_mark(marks);
        words_write_phrase(&scene->words, beside, &number);
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
                    words_is_own_seat(&scene->words, seat)
                        ? _("your turn")
                        : _(face_describe_turn(scene->view, seat)));
        draw_put_styled(&text, STYLE_TURN, words.at);
    }
}

struct seat_marks seat_marks_collect(const struct scene *scene, uint8_t seat, bool is_turn_last)
{
    struct seat_marks marks = {.count = 0};
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

void seat_marks_break_wide(struct seat_marks *marks, int width)
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

uint8_t seat_marks_write_line(const struct scene *scene, const struct seat_marks *marks,
                              uint8_t first_mark, int width, bool is_narrow, struct text *out)
{
    uint8_t at = first_mark;
    while (at < marks->count &&
           append_mark(scene, marks->at[at], at > first_mark ? width : INT_MAX, is_narrow, out)) {
        at++;
    }
    return at;
}

void seat_marks_write_fitting(const struct scene *scene, const struct seat_marks *marks, int width,
                              struct text *out)
{
    bool is_narrow = seat_marks_count_lines(scene, marks, width, false) > 1;
    for (uint8_t at = 0; at < marks->count; at++) {
        (void)append_mark(scene, marks->at[at], width, is_narrow, out);
    }
}

int seat_marks_count_lines(const struct scene *scene, const struct seat_marks *marks, int width,
                           bool is_narrow)
{
    int lines = 0;
    for (uint8_t at = 0; at < marks->count; lines++) {
        at = seat_marks_write_line(scene, marks, at, width, is_narrow,
                                   &TEXT_OF(SEAT_MARK_BYTES * 4));
    }
    return lines;
}

void seat_marks_move_beside_name(const struct scene *scene, struct seat_marks *marks, uint8_t end,
                                 int width, struct text *out)
{
    uint8_t first = marks->number_count;
    struct seat_marks offered = *marks;
    offered.count = end;
    if (first >= end || draw_measure_text(marks->at[first]) > width) {
        return;
    }
    uint8_t next = seat_marks_write_line(scene, &offered, first, width, false, out);
    memmove(marks->at[first], marks->at[next],
            sizeof(marks->at[0]) * (size_t)(marks->count - next));
    marks->count = (uint8_t)(marks->count - (next - first));
}

void seat_marks_shorten_turn(const struct scene *scene, uint8_t seat, struct seat_marks *marks,
                             int width)
{
    uint8_t turn = marks->number_count;
    if (turn < marks->turn_end && draw_measure_text(marks->at[turn]) > width &&
        scene_must_seat_act(scene, seat)) {
        struct text arrow = text_init(marks->at[turn], SEAT_MARK_BYTES);
        draw_put_styled(&arrow, STYLE_TURN, theme_glyph_text(scene->words.theme, GLYPH_TURN));
    }
}
