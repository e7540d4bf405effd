#include "daemon/screens/table/table_state.h"

#include "daemon/base/i18n.h"

#include <string.h>

#define LINE_BYTES 400
#define PAGE_ROWS 5

void round_end_forget(struct round_end *round_end, const struct model_entered *entered)
{
    round_end->seen = entered == NULL ? 0 : entered->sheet_count;
    round_end->left = 0;
    round_end->kept_until_ms = 0;
    round_end->has_view = false;
}

bool round_end_is_seen_late(const struct model_entered *entered)
{
    return entered->you < 0 && entered->row.phase == TABLE_PLAYING &&
           entered->row.watch.policy == WATCH_DELAY;
}

void round_end_note_scores(struct round_end *round_end, const struct model_entered *entered,
                           bool is_reset, int64_t now_ms)
{
    bool is_new = !is_reset && entered->sheet_count > round_end->seen;
    bool is_last = entered->row.phase == TABLE_FINISHED;
    if (is_reset) {
        round_end->left = 0;
        round_end->kept_until_ms = 0;
    }
    if (is_new) {
        round_end->top = 0;
        round_end->has_view = false;
    }
    if (is_new && (is_last || round_end_is_seen_late(entered))) {
        round_end->kept_until_ms = now_ms + pace_trick_ms(PACE_NORMAL) +
                                   pace_round_stop_ms((enum pace)entered->details.pace);
    }
    round_end->seen = entered->sheet_count;
}

bool round_end_is_stop(const struct model_entered *entered)
{
    return entered->row.phase == TABLE_PLAYING && entered->row.halt == HALT_ROUND;
}

/* True while the table stops and the viewer sees the present. Spectators with a delay may see a
 * stop for long, until the next move is shown to them. */
static bool is_stop_now(const struct model_entered *entered)
{
    return round_end_is_stop(entered) && !round_end_is_seen_late(entered);
}

bool round_end_waits_for_viewer(const struct model_entered *entered)
{
    return round_end_is_stop(entered) && entered->you >= 0 &&
           (entered->details.awaited >> entered->you & 1) != 0;
}

bool round_end_is_shown(const struct round_end *round_end, const struct model_entered *entered,
                        int64_t now_ms)
{
    bool is_left = round_end->left == entered->sheet_count;
    bool is_stop = entered->you < 0 ? is_stop_now(entered) : round_end_waits_for_viewer(entered);
    return entered->sheet_count > 0 && !is_left && (is_stop || round_end->kept_until_ms > now_ms);
}

/* Returns when the stop ends by itself. While the house is away, the stop grows longer by that
 * time: the game goes on only after the house has come back. */
static int64_t find_end_of_stop_ms(const struct model_entered *entered, int64_t now_ms)
{
    int64_t away_ms = entered->away_since_ms == 0 ? 0 : now_ms - entered->away_since_ms;
    return entered->stop_end_ms + away_ms;
}

/* Returns when the end of the round is no longer shown; 0: when a key is pressed. */
static int64_t find_end_ms(const struct round_end *round_end, const struct model_entered *entered,
                           int64_t now_ms)
{
    bool ends_by_itself = is_stop_now(entered) && entered->stop_end_ms != 0;
    return ends_by_itself ? find_end_of_stop_ms(entered, now_ms) : round_end->kept_until_ms;
}

static int count_seconds_left(int64_t end_ms, int64_t now_ms)
{
    return end_ms <= now_ms ? 0 : (int)((end_ms - now_ms + 999) / 1000);
}

/* Writes for whom the stop waits besides the viewer; nothing if for nobody. */
static const char *write_others(const struct model_entered *entered, const struct words *words,
                                struct text *out)
{
    uint8_t own = (uint8_t)(entered->you < 0 ? 0 : 1U << entered->you);
    uint8_t others = (uint8_t)(entered->details.awaited & ~own);
    if (is_stop_now(entered) && others != 0) {
        words_write_seats(words, others, out);
    }
    return out->at;
}

/* Writes for whom the game waits: for the viewer, who goes on with a key, for others, for both, or
 * for the end of the stop. */
static void write_who_goes_on(unsigned round, bool is_viewer, const char *others, int seconds,
                              struct text *out)
{
    bool has_end = seconds >= 0;
    if (others[0] != '\0') {
        text_format(out,
                    is_viewer && has_end
                        ? _("Round %u is over. Enter goes on; waiting for %s, at most %d s")
                    : is_viewer ? _("Round %u is over. Enter goes on; waiting for %s.")
                    : has_end   ? _("Round %u is over. Waiting for %s, at most %d s")
                                : _("Round %u is over. Waiting for %s."),
                    round, others, seconds);
    } else {
        text_format(out,
                    is_viewer && has_end ? _("Round %u is over. Enter goes on; by itself in %d s")
                    : is_viewer          ? _("Round %u is over. Enter goes on.")
                    : has_end ? _("Round %u is over. The next one begins by itself in %d s")
                              : _("Round %u is over."),
                    round, seconds);
    }
}

bool round_end_write_prompt(const struct round_end *round_end, const struct model_entered *entered,
                            const struct words *words, int64_t now_ms, struct text *out)
{
    bool is_shown = round_end_is_shown(round_end, entered, now_ms);
    if (entered->sheet_count == 0 || (!is_shown && !is_stop_now(entered))) {
        return false; /* the scores may arrive after the news of the stop */
    }
    const char *others = write_others(entered, words, &TEXT_OF(LINE_BYTES));
    unsigned round = entered->sheet[entered->sheet_count - 1].round;
    int64_t end_ms = find_end_ms(round_end, entered, now_ms);
    bool has_end = end_ms != 0 && (end_ms > now_ms || is_stop_now(entered));
    int seconds = has_end ? count_seconds_left(end_ms, now_ms) : -1;
    if (is_shown && entered->row.phase == TABLE_FINISHED) {
        text_format(out, _("The last round is over. Enter shows the result; by itself in %d s"),
                    seconds);
    } else {
        bool is_viewer = is_shown && (entered->you >= 0 || !is_stop_now(entered));
        write_who_goes_on(round, is_viewer, others, seconds, out);
    }
    return true;
}

void round_end_print_stop(const struct model_entered *entered, const struct words *words,
                          int64_t now_ms, struct lines *lines)
{
    const char *others = write_others(entered, words, &TEXT_OF(LINE_BYTES));
    int seconds = count_seconds_left(find_end_of_stop_ms(entered, now_ms), now_ms);
    if (round_end_waits_for_viewer(entered)) {
        lines_put(lines, _("Press Enter to go on."));
    }
    if (others[0] != '\0') {
        lines_format(lines, _("The next round waits for %s."), others);
    }
    if (entered->stop_end_ms != 0) {
        lines_format(lines,
                     ngettext("It begins by itself in %d second.",
                              "It begins by itself in %d seconds.", (unsigned long)seconds),
                     seconds);
    }
}

/* Warns of the refusal, and shows the end of the round again. */
static void handle_resume_answer(struct ui *ui, void *opaque, UNUSED int64_t tag, bool is_ok,
                                 const json_t *answer)
{
    struct table_screen_state *state = opaque;
    if (!is_ok) {
        state->round_end.left = 0;
        screen_warn_of_refusal(ui, answer);
    }
}

void round_end_go_on(struct ui *ui, struct round_end *round_end)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    if (round_end_waits_for_viewer(entered)) {
        screen_send_request(ui, "resume", json_pack("{s:b}", "stop", 1), handle_resume_answer, 0);
    }
    round_end->left = entered->sheet_count;
    round_end->kept_until_ms = 0;
}

static bool scroll(struct round_end *round_end, int rows)
{
    int top = round_end->top + rows;
    round_end->top = top < 0 ? 0 : top > round_end->top_max ? round_end->top_max : top;
    return true;
}

/* True for keys that only show something, begin to talk, or leave: they do not go on. */
static bool is_looking_key(const struct press *press)
{
    static const char letters[] = "?rstcwipqNXL/";
    bool is_letter = press->kind == PRESS_CHAR && press->code > 0 && press->code < 128;
    return press->kind == PRESS_CLICK || (is_letter && strchr(letters, (int)press->code) != NULL);
}

bool round_end_handle_key(struct ui *ui, struct round_end *round_end, const struct press *press)
{
    if (is_looking_key(press)) {
        return false;
    }
    switch ((int)press->kind) {
    case PRESS_UP:
    case PRESS_WHEEL_UP:
        return scroll(round_end, -1);
    case PRESS_DOWN:
    case PRESS_WHEEL_DOWN:
        return scroll(round_end, 1);
    case PRESS_PAGE_UP:
        return round_end->top_max > 0 && scroll(round_end, -PAGE_ROWS);
    case PRESS_PAGE_DOWN:
        return scroll(round_end, PAGE_ROWS);
    default:
        break;
    }
    round_end_go_on(ui, round_end);
    return true;
}

void round_end_add_hints(const struct round_end *round_end, const struct model_entered *entered,
                         struct hints *hints)
{
    hints_add(hints, "Enter",
              entered->row.phase == TABLE_FINISHED ? _("result")
              : entered->you >= 0                  ? _("go on")
                                                   : _("show the table"));
    if (round_end->top_max > 0) {
        hints_add(hints, "↑ ↓", _("scroll"));
    }
    hints_add(hints, "t", _("last trick"));
    hints_add(hints, "s", _("scores"));
    hints_add(hints, "c", _("chat"));
}

int64_t round_end_next_change_ms(const struct round_end *round_end,
                                 const struct model_entered *entered, int64_t now_ms)
{
    if (is_stop_now(entered) && entered->stop_end_ms != 0 && entered->away_since_ms != 0) {
        return INT64_MAX; /* the seconds stand */
    }
    return table_next_second_ms(find_end_ms(round_end, entered, now_ms), now_ms);
}

#define NAME_WIDTH_MIN 10
#define NAME_WIDTH_MAX 17
#define NUMBER_WIDTH 8
#define GAP 2

/* Draws the rows of the page one below another. Rows above the area are skipped, rows below it are
 * only counted. */
struct page {
    const struct canvas *canvas;
    struct area area;
    int skipped; /* rows of the page that are above the area */
    int row;     /* the next row of the page */
};

/* Draws a text that is wrapped to the width from `column` on, and returns its height. Does not move
 * to the next row. */
static int draw_wrapped(const struct page *page, int column, enum style style, const char *text)
{
    struct area area = page->area;
    area.column += column;
    area.width -= column;
    return draw_wrapped_text(page->canvas, &area, style, text, page->skipped - page->row, 0);
}

/* Returns the screen row of the page's next row; -1 if it is not visible. */
static int find_screen_row(const struct page *page)
{
    int row = page->row - page->skipped;
    return row < 0 || row >= page->area.height ? -1 : page->area.row + row;
}

static int measure_names(const struct words *words, uint8_t seats)
{
    int width = NAME_WIDTH_MIN;
    for (uint8_t seat = 0; seat < seats; seat++) {
        int name = draw_measure_text(words_write_seat(words, seat, &TEXT_OF(LINE_BYTES)));
        width = name > width ? name : width;
    }
    return width > NAME_WIDTH_MAX ? NAME_WIDTH_MAX : width;
}

/* Draws a player's points of the round and in all, and how the points came about. */
static void draw_scores_of_player(struct page *page, const struct words *words, int names,
                                  const struct score_row *scores, uint8_t seat)
{
    enum style style = words_is_own_seat(words, seat) ? STYLE_YOU : STYLE_PLAIN;
    int explained = names + 2 * NUMBER_WIDTH + GAP;
    int row = find_screen_row(page);
    int column = page->area.column;
    if (row >= 0) {
        draw_text(page->canvas, row, column, names, style,
                  words_write_seat(words, seat, &TEXT_OF(LINE_BYTES)));
        int32_t points = scores->points[seat];
        draw_text_right_aligned(page->canvas, row, column + names, NUMBER_WIDTH, style,
                                text_format(&TEXT_OF(32), points != 0 ? "%+d" : "%d", points));
        draw_text_right_aligned(page->canvas, row, column + names + NUMBER_WIDTH, NUMBER_WIDTH,
                                style, text_format(&TEXT_OF(32), "%d", scores->totals[seat]));
    }
    const char *why = words_write_phrase(words, words->game->face->explain(scores, seat),
                                         &TEXT_OF(LINE_BYTES * 2));
    int rows = draw_wrapped(page, explained, style, why);
    page->row += rows > 0 ? rows : 1;
}

/* Draws the cards of the round's last trick in the order of play, and who took it and why. */
static void draw_last_trick(struct page *page, const struct game_view *view, bool is_of_round,
                            const struct words *words)
{
    const struct view_trick *trick = &view->last_trick;
    struct text taken = TEXT_OF(LINE_BYTES * 2);
    if (!view->has_last_trick) {
        return;
    }
    const char *cards = words_write_trick(words, trick, false, &TEXT_OF(LINE_BYTES));
    page->row += 1;
    page->row += draw_wrapped(page, 0, STYLE_PLAIN,
                              text_format(&TEXT_OF(LINE_BYTES * 2), _("Last trick: %s"), cards));
    text_format(&taken,
                words_is_own_seat(words, trick->winner) ? _("you took it") : _("%s took it"),
                words_write_seat(words, trick->winner, &TEXT_OF(LINE_BYTES)));
    if (is_of_round) {
        text_put(&taken, ": ");
        words_write_phrase(words, view->game->face->why_won(view, trick), &taken);
    }
    page->row += draw_wrapped(page, 0, STYLE_GOOD, taken.at);
}

static void draw_page(struct page *page, const struct round_end *round_end,
                      const struct model_entered *entered, const struct words *words)
{
    const struct score_row *scores = &entered->sheet[entered->sheet_count - 1];
    uint8_t seats = entered->view.seats;
    int first = words->you > 0 ? words->you : 0;
    int names = measure_names(words, seats);
    int row = find_screen_row(page), column = page->area.column;
    if (row >= 0) {
        draw_formatted_text(page->canvas, row, column, names + GAP, STYLE_TITLE, _("Round %u"),
                            scores->round);
        draw_text_right_aligned(page->canvas, row, column + names, NUMBER_WIDTH, STYLE_DIM,
                                _("points"));
        draw_text_right_aligned(page->canvas, row, column + names + NUMBER_WIDTH, NUMBER_WIDTH,
                                STYLE_DIM, _("total"));
    }
    page->row++;
    for (uint8_t i = 0; i < seats; i++) {
        draw_scores_of_player(page, words, names, scores, (uint8_t)((first + i) % seats));
    }
    bool is_known = round_end->has_view || entered->view.round == scores->round;
    draw_last_trick(page, round_end->has_view ? &round_end->view : &entered->view, is_known, words);
    const struct table_log *log = &entered->log;
    for (int i = log->decided; i < log->ended; i++) { /* what the last trick decided */
        page->row += draw_wrapped(page, 0, log->lines[i].is_great ? STYLE_STRONG : STYLE_PLAIN,
                                  table_log_write_line(words, log, i, &TEXT_OF(LINE_BYTES * 3)));
    }
}

void round_end_draw(struct round_end *round_end, const struct model_entered *entered,
                    const struct words *words, const struct canvas *canvas, const struct area *area)
{
    struct page page = {.canvas = canvas, .area = *area, .skipped = round_end->top};
    page.area.column += 1;
    page.area.width -= 2;
    draw_page(&page, round_end, entered, words);
    round_end->top_max = page.row > area->height ? page.row - area->height : 0;
}
