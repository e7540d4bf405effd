#include "daemon/screens/table/table_state.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/model/model.h"
#include "daemon/screens/table/table.h"

#define LINE_BYTES 400
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
    int above = page->skipped - page->row;
    area.column += column;
    area.width -= column;
    int rows = draw_wrapped_text(NULL, &area, style, text, 0, 0);
    int hidden = above > 0 ? above : 0;
    area.row += above > 0 ? 0 : -above;
    area.height = page->area.row + page->area.height - area.row;
    if (hidden < rows && area.height > 0) {
        (void)draw_wrapped_text(page->canvas, &area, style, text, hidden, 0);
    }
    return rows;
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

static void draw_heading(struct page *page, int names, unsigned round)
{
    struct text title = TEXT_OF(LINE_BYTES);
    int row = find_screen_row(page);
    text_format(&title, _("Round %u"), round);
    if (row >= 0) {
        int column = page->area.column;
        draw_text(page->canvas, row, column, names + GAP, STYLE_TITLE, title.at);
        draw_text_right_aligned(page->canvas, row, column + names, NUMBER_WIDTH, STYLE_DIM,
                                _("points"));
        draw_text_right_aligned(page->canvas, row, column + names + NUMBER_WIDTH, NUMBER_WIDTH,
                                STYLE_DIM, _("total"));
    }
    page->row++;
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
        struct text points = TEXT_OF(32), total = TEXT_OF(32);
        text_format(&points, scores->points[seat] != 0 ? "%+d" : "%d", scores->points[seat]);
        text_format(&total, "%d", scores->totals[seat]);
        draw_text_right_aligned(page->canvas, row, column + names, NUMBER_WIDTH, style, points.at);
        draw_text_right_aligned(page->canvas, row, column + names + NUMBER_WIDTH, NUMBER_WIDTH,
                                style, total.at);
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
    struct text line = TEXT_OF(LINE_BYTES * 2), cards = TEXT_OF(LINE_BYTES);
    if (!view->has_last_trick) {
        return;
    }
    for (uint8_t i = 0; i < trick->count; i++) {
        text_format_list_item(&cards, "%s %s",
                              words_write_seat(words, trick->plays[i].seat, &TEXT_OF(LINE_BYTES)),
                              words_write_card(words, trick->plays[i].card, &TEXT_OF(LINE_BYTES)));
    }
    text_format(&line, _("Last trick: %s"), cards.at);
    page->row += 1;
    page->row += draw_wrapped(page, 0, STYLE_PLAIN, line.at);
    const char *winner = words_write_seat(words, trick->winner, &TEXT_OF(LINE_BYTES));
    struct text taken = TEXT_OF(LINE_BYTES * 2);
    text_format(&taken,
                words_is_own_seat(words, trick->winner) ? _("you took it") : _("%s took it"),
                winner);
    if (is_of_round) {
        text_put(&taken, ": ");
        words_write_phrase(words, view->game->face->why_won(view, trick), &taken);
    }
    page->row += draw_wrapped(page, 0, STYLE_GOOD, taken.at);
}

/* Tells what the last trick decided, in the words of the log. */
static void draw_what_was_decided(struct page *page, const struct table_log *log,
                                  const struct words *words)
{
    for (int i = log->decided; i < log->ended; i++) {
        struct text text = TEXT_OF(LINE_BYTES * 3);
        table_log_write_line(words, log, i, &text);
        page->row +=
            draw_wrapped(page, 0, log->lines[i].is_great ? STYLE_STRONG : STYLE_PLAIN, text.at);
    }
}

static void draw_page(struct page *page, const struct round_end *round_end,
                      const struct model_entered *entered, const struct words *words)
{
    struct score_row scores;
    uint8_t seats = entered->view.seats;
    int first = words->you > 0 ? words->you : 0;
    int names = measure_names(words, seats);
    model_convert_score_row(&entered->sheet[entered->sheet_count - 1], &scores);
    draw_heading(page, names, scores.round);
    for (uint8_t i = 0; i < seats; i++) {
        draw_scores_of_player(page, words, names, &scores, (uint8_t)((first + i) % seats));
    }
    bool is_known = round_end->has_view || entered->view.round == scores.round;
    draw_last_trick(page, round_end->has_view ? &round_end->view : &entered->view, is_known, words);
    draw_what_was_decided(page, &entered->log, words);
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
