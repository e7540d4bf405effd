#include "daemon/screens/table/table_state.h"

#include "daemon/base/i18n.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#define PAGE_ROWS 5
#define SEED_HEX 64

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
    const char *others = write_others(entered, words, &TEXT_OF(TABLE_TEXT));
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
    const char *others = write_others(entered, words, &TEXT_OF(TABLE_TEXT));
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
static void handle_resume_answer(struct ui *ui, const struct ui_answer *answer)
{
    struct table_screen_state *state = answer->state;
    if (!answer->is_ok) {
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

#define ENTRY_BYTES 1200
#define INDENT 2 /* columns of the sign before a line and of its further rows */

/* The words for a line of the log: they name those who held the seats then. */
static struct words words_for_line(const struct words *words, const struct table_log *log,
                                   const struct log_line *line)
{
    struct words then = *words;
    const struct log_holders *holders = &log->holders[line->holders];
    for (int seat = 0; seat < SEATS_MAX; seat++) {
        then.names[seat] = holders->names[seat];
    }
    then.you = holders->you;
    return then;
}

/* Writes line `index` of the log, without its sign, for screens that draw; returns all of `out`. */
static const char *write_log_line(const struct words *words, const struct table_log *log, int index,
                                  struct text *out)
{
    struct words spelled = words_for_line(words, log, &log->lines[index]);
    spelled.spells_suits = true;
    return words_write_phrase(&spelled, log->lines[index].words, out);
}

/* Reads the log of the game and the table's chat together, in the order of time. */
struct reader {
    const struct table_log *log;
    const struct chat_log *chat;
    int line; /* the next line of the log */
    int said; /* the next line of the chat */
};

/* True if the line of the chat was there before the line of the log. */
static bool was_said_before(const struct reader *reader, int said, int line)
{
    uint32_t number = reader->chat->added - (uint32_t)(reader->chat->count - said);
    return reader->log->lines[line].chat_before > number;
}

/* Goes back by one line: returns the line of the chat; NULL when it is the line of the log that was
 * next. */
static const struct chat_line *read_older_line(struct reader *reader)
{
    bool is_at_begin = reader->line < 0;
    if (reader->said < 0 || (!is_at_begin && was_said_before(reader, reader->said, reader->line))) {
        reader->line--;
        return NULL;
    }
    return &reader->chat->lines[reader->said--];
}

/* True if the line of the chat belongs to what happened in the game. */
static bool is_of_game(const struct reader *reader, int said)
{
    const struct chat_line *talk = &reader->chat->lines[said];
    return talk->kind == CHAT_SYSTEM && !talk->is_arrival && !talk->is_answer &&
           reader->log->count > 0 && !was_said_before(reader, said, 0);
}

/* A pane that is filled from its bottom row upwards. */
struct pane {
    const struct canvas *canvas;
    const struct area *area;
    int scrolled_rows;
    int below; /* number of rows of the lines drawn so far */
};

static void draw_line_above(struct pane *pane, enum style style, const char *text, int indent)
{
    pane->below += draw_wrapped_text(NULL, pane->area, style, text, 0, indent);
    draw_wrapped_text(pane->canvas, pane->area, style, text,
                      pane->below - pane->area->height - pane->scrolled_rows, indent);
}

int table_log_draw(const struct canvas *canvas, const struct area *area, const struct model *model,
                   enum log_talk talk, int line_count, int scrolled_rows)
{
    const struct chat_log *chat = &model->chat[CHAT_TABLE];
    const struct words words = words_make_for_entered_table(canvas->theme, model->entered);
    struct reader reader = {&model->entered->log, chat, line_count - 1, chat->count - 1};
    struct pane pane = {canvas, area, scrolled_rows, 0};
    while ((talk == LOG_WITH_HOUSE || pane.below < area->height) &&
           (reader.line >= 0 || (talk == LOG_WITH_TALK && reader.said >= 0))) {
        const struct chat_line *said = read_older_line(&reader);
        struct text text = TEXT_OF(ENTRY_BYTES);
        if (said == NULL) {
            bool is_great = reader.log->lines[reader.line + 1].is_great;
            text_put(&text, is_great ? "! " : "  ");
            write_log_line(&words, reader.log, reader.line + 1, &text);
            draw_line_above(&pane, is_great ? STYLE_STRONG : STYLE_PLAIN, text.at, INDENT);
        } else if (talk == LOG_WITH_TALK && !said->is_arrival) {
            chat_write_line(canvas, model, said, &text);
            draw_line_above(&pane, STYLE_PLAIN, text.at, CHAT_INDENT);
        } else if (talk == LOG_WITH_HOUSE && is_of_game(&reader, reader.said + 1)) {
            draw_line_above(&pane, STYLE_SYSTEM, text_format(&text, "  %s", said->text), INDENT);
        }
    }
    return pane.below;
}

/* Prints the lines of the house that came before the next line of the log; after its last line, all
 * others. */
static void print_house_lines(struct reader *reader, struct lines *lines)
{
    bool is_at_end = reader->line == reader->log->count;
    while (reader->said < reader->chat->count &&
           (is_at_end || was_said_before(reader, reader->said, reader->line))) {
        int said = reader->said++;
        if (is_of_game(reader, said)) {
            lines_put(lines, reader->chat->lines[said].text);
        }
    }
}

const struct phrase *table_log_find_great_moment(const struct model_entered *entered,
                                                 int64_t now_ms, int64_t hold_ms)
{
    const struct table_log *log = &entered->log;
    bool stands = log->great.format != NULL && now_ms < log->great_ms + hold_ms;
    return stands ? &log->great : NULL;
}

/* The screen that shows the log of the entered table's game, from the first round on. */

struct log_state {
    int scrolled; /* number of rows by which the log is scrolled up from its newest line */
    int rows;     /* number of rows of the log at the last draw */
    int visible;
};

static void draw_log_screen(struct ui *ui, void *opaque, const struct canvas *canvas)
{
    struct log_state *state = opaque;
    const struct model_entered *entered = screen_model(ui)->entered;
    const struct area *body = &canvas->body;
    struct area inside = {body->row + 2, body->column + 1, body->height - 2, body->width - 2};
    if (entered == NULL || entered->log.count == 0) {
        draw_text_centred(canvas, body->row + 2, body->column, body->width, STYLE_DIM,
                          entered == NULL ? _("You have left the table.")
                                          : _("Nothing has happened in this game yet."));
        return;
    }
    draw_header(canvas,
                text_format(&TEXT_OF(TABLE_TEXT), _("#%lld %s: what happened"),
                            (long long)entered->row.id, _(entered->row.game->title)),
                "");
    state->visible = inside.height;
    /* while the scores of a round are still to be read, the next one has not begun for the reader
     */
    int line_count = round_end_waits_for_viewer(entered) ? entered->log.begun : entered->log.count;
    state->rows = table_log_draw(canvas, &inside, screen_model(ui), LOG_WITH_HOUSE, line_count,
                                 state->scrolled);
}

static bool handle_log_key(struct ui *ui, void *opaque, const struct press *press)
{
    struct log_state *state = opaque;
    const struct list list = {.count = state->rows,
                              .visible = state->visible > 1 ? state->visible - 1 : 1};
    int rows = -list_find_step(&list, press); /* up */
    int most = state->rows > state->visible ? state->rows - state->visible : 0;
    if (press->kind == PRESS_ENTER || (press->kind == PRESS_CHAR && press->code == 'L')) {
        screen_close(ui);
        return true;
    }
    if (press->kind == PRESS_WHEEL_UP || press->kind == PRESS_WHEEL_DOWN) {
        rows = rows > 0 ? 1 : -1;
    }
    state->scrolled += rows;
    state->scrolled = state->scrolled > most ? most : state->scrolled < 0 ? 0 : state->scrolled;
    return rows != 0;
}

static void enter_log(UNUSED struct ui *ui, void *opaque, UNUSED int64_t argument)
{
    *(struct log_state *)opaque = (struct log_state){.scrolled = 0};
}

/* Prints all lines that table_log_draw draws with LOG_WITH_HOUSE. */
static bool print_log(struct ui *ui, UNUSED void *opaque, struct lines *lines)
{
    const struct model *model = screen_model(ui);
    if (model->entered == NULL) {
        return true;
    }
    const struct words words = words_make_for_entered_table(screen_theme(ui), model->entered);
    struct reader reader = {.log = &model->entered->log, .chat = &model->chat[CHAT_TABLE]};
    for (; reader.line < reader.log->count; reader.line++) {
        const struct log_line *line = &reader.log->lines[reader.line];
        struct words then = words_for_line(&words, reader.log, line);
        print_house_lines(&reader, lines);
        lines_format(lines, "%s.", words_write_phrase(&then, line->words, &TEXT_OF(ENTRY_BYTES)));
    }
    print_house_lines(&reader, lines);
    if (reader.log->count == 0) {
        lines_put(lines, _("Nothing has happened in this game yet."));
    }
    return true;
}

static const struct screen_key log_keys[] = {
    {"↑ ↓", N_("scroll by one row"), NULL, N_("scroll")},
    {N_("PgUp PgDn"), N_("scroll by one page"), NULL, N_("page")},
    {N_("Home End"), N_("to the first round, to the newest line"), NULL, NULL},
    {"L q", N_("back to the table"), NULL, NULL},
    {"?", NULL, NULL, N_("help")},
    {"q", NULL, NULL, N_("back to the table")},
    {NULL, NULL, NULL, NULL},
};

const struct screen log_screen = {
    .name = "log",
    .title = N_("What happened"),
    .state_size = sizeof(struct log_state),
    .keys = log_keys,
    .enter = enter_log,
    .draw = draw_log_screen,
    .key = handle_log_key,
    .print = print_log,
};

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
        int name = draw_measure_text(words_write_seat(words, seat, &TEXT_OF(TABLE_TEXT)));
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
                  words_write_seat(words, seat, &TEXT_OF(TABLE_TEXT)));
        int32_t points = scores->points[seat];
        draw_text_right_aligned(page->canvas, row, column + names, NUMBER_WIDTH, style,
                                text_format(&TEXT_OF(32), points != 0 ? "%+d" : "%d", points));
        draw_text_right_aligned(page->canvas, row, column + names + NUMBER_WIDTH, NUMBER_WIDTH,
                                style, text_format(&TEXT_OF(32), "%d", scores->totals[seat]));
    }
    const char *why = words_write_phrase(words, words->game->face->explain(scores, seat),
                                         &TEXT_OF(TABLE_TEXT * 2));
    int rows = draw_wrapped(page, explained, style, why);
    page->row += rows > 0 ? rows : 1;
}

/* Draws the cards of the round's last trick in the order of play, and who took it and why. */
static void draw_last_trick(struct page *page, const struct game_view *view, bool is_of_round,
                            const struct words *words)
{
    const struct view_trick *trick = &view->last_trick;
    struct text taken = TEXT_OF(TABLE_TEXT * 2);
    if (!view->has_last_trick) {
        return;
    }
    const char *cards = words_write_trick(words, trick, false, &TEXT_OF(TABLE_TEXT));
    page->row += 1;
    page->row += draw_wrapped(page, 0, STYLE_PLAIN,
                              text_format(&TEXT_OF(TABLE_TEXT * 2), _("Last trick: %s"), cards));
    text_format(&taken,
                words_is_own_seat(words, trick->winner) ? _("you took it") : _("%s took it"),
                words_write_seat(words, trick->winner, &TEXT_OF(TABLE_TEXT)));
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
                                  write_log_line(words, log, i, &TEXT_OF(TABLE_TEXT * 3)));
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

/* Shows the result of a game: ranks, rating changes, and whether the deal was fair. */

enum deal_check {
    DEAL_UNKNOWN, /* there is no seed or no commitment to compare */
    DEAL_HOLDS,
    DEAL_BROKEN,
};

/* Makes words that name those who held the seats at the end, whoever has them now. */
static struct words make_words_of_players(const struct ui *ui)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    struct words words = words_make_for_entered_table(screen_theme(ui), entered);
    for (int seat = 0; seat < SEATS_MAX; seat++) {
        if (entered->result.names[seat][0] != '\0') {
            words.names[seat] = entered->result.names[seat];
        }
    }
    return words;
}

/* Draws the lines that tell the result. Returns the row below them. */
static int draw_explained_result(const struct canvas *canvas, const struct area *area,
                                 const struct model_entered *entered, const struct words *words)
{
    struct story story;
    struct area rest = *area;
    story_tell_result(&entered->view, &entered->config, entered->result.winners, &story);
    for (uint8_t i = 0; i < story.count && rest.height > 0; i++) {
        struct text line = TEXT_OF(TABLE_TEXT * 2);
        words_write_phrase(words, story.lines[i].words, &line);
        text_put_char(&line, '.');
        int rows =
            draw_wrapped_text(canvas, &rest, i == 0 ? STYLE_TITLE : STYLE_PLAIN, line.at, 0, 0);
        rest.row += rows;
        rest.height -= rows;
    }
    return rest.row;
}

/* Writes how the player's rating changed, by opponent: "ada +3.1, bob -1.2". The opponents are the
 * players who held the seats at the start. */
static const char *write_rating_changes(const struct model_entered *entered,
                                        const struct words *words, uint8_t seat, struct text *out)
{
    const struct model_result_seat *result = &entered->result.seats[seat];
    for (uint8_t other = 0; other < entered->view.seats; other++) {
        const char *left = entered->result.left[other].name;
        int32_t tenths = result->by[other];
        if (tenths != 0) {
            text_format_list_item(
                out, "%s %c%d.%d",
                left[0] != '\0' ? left : words_write_seat(words, other, &TEXT_OF(TABLE_TEXT)),
                tenths < 0 ? '-' : '+', abs(tenths) / 10, abs(tenths) % 10);
        }
    }
    return out->at;
}

/* Draws the rating change of the player who held this seat at the start. */
static void draw_rating_change(const struct canvas *canvas, const struct area *row,
                               const struct model_result_seat *result)
{
    struct text deviation = TEXT_OF(64);
    if (result->is_rated) {
        words_write_rating_deviation(canvas->theme, result->deviation, &deviation);
        draw_formatted_text(canvas, row->row, row->column + 30, 20, STYLE_PLAIN, "%+d %s %d%s %s",
                            result->after - result->before,
                            theme_glyph_text(canvas->theme, GLYPH_ARROW_RIGHT), result->after,
                            result->is_provisional ? "?" : "", deviation.at);
    }
}

static void draw_result_of_player(const struct canvas *canvas, const struct area *row,
                                  const struct model_entered *entered, const struct words *words,
                                  uint8_t seat)
{
    const struct model_result_seat *result = &entered->result.seats[seat];
    bool is_winner = (entered->result.winners >> seat & 1) != 0;
    enum style style = words_is_own_seat(words, seat) ? STYLE_YOU
                       : is_winner                    ? STYLE_STRONG
                                                      : STYLE_PLAIN;
    if (result->rank > 0) {
        draw_formatted_text(canvas, row->row, row->column, 4, style, "%2d", result->rank);
    }
    draw_text(canvas, row->row, row->column + 4, NAME_WIDTH_MAX, style,
              words_write_seat(words, seat, &TEXT_OF(TABLE_TEXT)));
    draw_formatted_text(canvas, row->row, row->column + 22, 6, style, "%5d", result->score);
    if (entered->result.left[seat].name[0] == '\0') {
        draw_rating_change(canvas, row, result);
    }
}

/* Draws the players who left for good, below all others. Returns the screen row below the last of
 * them. */
static int draw_leavers(const struct canvas *canvas, const struct area *area,
                        const struct model_entered *entered)
{
    int row = area->row;
    for (uint8_t seat = 0; seat < entered->view.seats; seat++) {
        const struct model_result_left *left = &entered->result.left[seat];
        struct area each = {row, area->column, 1, area->width};
        if (left->name[0] == '\0' || row >= area->row + area->height) {
            continue;
        }
        draw_formatted_text(canvas, row, area->column, 4, STYLE_DIM, "%2d", left->rank);
        draw_text(canvas, row, area->column + 4, NAME_WIDTH_MAX, STYLE_DIM, left->name);
        draw_text(canvas, row, area->column + 23, 6, STYLE_DIM, _("left"));
        draw_rating_change(canvas, &each, &entered->result.seats[seat]);
        row++;
    }
    return row;
}

/* Compares the SHA-256 of the seed that the result reveals with the commitment that this session
 * saw before the first card (HISTORY.md, "Fair dealing"). A session that began later uses the
 * commitment that the house shows now. */
static enum deal_check check_fairness_of_deal(const struct model_entered *entered,
                                              const struct table_screen_state *state,
                                              bool *saw_commitment)
{
    unsigned char seed[SEED_BYTES];
    unsigned char commitment[crypto_hash_sha256_BYTES];
    unsigned char hash[crypto_hash_sha256_BYTES];
    *saw_commitment = state->committed_game == entered->result.game_id && state->commitment[0] != 0;
    const char *committed = *saw_commitment ? state->commitment : entered->details.commitment;
    if (strlen(entered->result.seed) != SEED_HEX || strlen(committed) != SEED_HEX ||
        sodium_hex2bin(seed, sizeof(seed), entered->result.seed, SEED_HEX, NULL, NULL, NULL) != 0 ||
        sodium_hex2bin(commitment, sizeof(commitment), committed, SEED_HEX, NULL, NULL, NULL) !=
            0) {
        return DEAL_UNKNOWN;
    }
    crypto_hash_sha256(hash, seed, sizeof(seed));
    return memcmp(hash, commitment, sizeof(hash)) == 0 ? DEAL_HOLDS : DEAL_BROKEN;
}

static void draw_fairness_of_deal(const struct canvas *canvas, int row, int column, int width,
                                  const struct model_entered *entered,
                                  const struct table_screen_state *state)
{
    bool was_there;
    enum deal_check check = check_fairness_of_deal(entered, state, &was_there);
    if (check == DEAL_UNKNOWN) {
        return;
    }
    if (check == DEAL_HOLDS) {
        draw_formatted_text(canvas, row, column, width, STYLE_GOOD, "%s %s %s", _("deal"),
                            theme_glyph_text(canvas->theme, GLYPH_CHECK),
                            was_there ? _("the seed is the one fixed before the first card")
                                      : _("the seed matches the commitment of this game"));
    } else {
        draw_text(canvas, row, column, width, STYLE_BAD,
                  _("deal: the seed is NOT the one fixed before the first card"));
    }
    draw_formatted_text(canvas, row + 1, column, width, STYLE_DIM, _("seed %s"),
                        entered->result.seed);
}

/* Lists the seats by rank; a seat without a rank comes last. */
static void order_seats_by_rank(const struct model_entered *entered, uint8_t order[SEATS_MAX])
{
    for (uint8_t seat = 0; seat < entered->view.seats; seat++) {
        uint8_t at = seat;
        uint8_t rank = (uint8_t)(entered->result.seats[seat].rank -
                                 1); /* rank 0, which means no rank, becomes the greatest */
        while (at > 0 && (uint8_t)(entered->result.seats[order[at - 1]].rank - 1) > rank) {
            order[at] = order[at - 1];
            at--;
        }
        order[at] = seat;
    }
}

/* Below the ranks, draws as many notes as fit: the viewer's rating changes, the check of the deal,
 * and who wants to play again. */
static void draw_result_notes(const struct canvas *canvas, const struct area *area,
                              const struct model_entered *entered, const struct words *words,
                              const struct table_screen_state *state)
{
    int row = area->row;
    int left = area->height;
    if (words->you >= 0 && entered->result.seats[words->you].is_rated && left > 0) {
        draw_formatted_text(
            canvas, row++, area->column, area->width, STYLE_DIM, _("your rating, by opponent: %s"),
            write_rating_changes(entered, words, (uint8_t)words->you, &TEXT_OF(TABLE_TEXT)));
        left--;
    }
    if (left > 2) {
        draw_fairness_of_deal(canvas, row + 1, area->column, area->width, entered, state);
    }
    if (left > 4 && entered->details.rematch != 0) {
        draw_formatted_text(
            canvas, row + 4, area->column, area->width, STYLE_TURN, _("Want to play again: %s"),
            words_write_seats(words, entered->details.rematch, &TEXT_OF(TABLE_TEXT)));
    }
}

void table_result_draw(struct ui *ui, const struct table_screen_state *state,
                       const struct canvas *canvas, const struct area *area)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    struct words words = make_words_of_players(ui);
    struct area rest = {area->row, area->column + 2, area->height, area->width - 4};
    if (!entered->has_result) {
        draw_text_centred(canvas, area->row + 1, rest.column, rest.width, STYLE_DIM,
                          _("The game is over."));
        return;
    }
    uint8_t order[SEATS_MAX] = {0};
    order_seats_by_rank(entered, order);
    int end = area->row + area->height;
    int used = entered->view.seats + 6;
    int row = area->row + (area->height > used + 2 ? (area->height - used) / 3 : 0);
    rest.row = row;
    rest.height = end - row;
    row = draw_explained_result(canvas, &rest, entered, &words) + 1;
    for (uint8_t i = 0; i < entered->view.seats && row < end; i++) {
        struct area line = {row++, rest.column, 1, rest.width};
        draw_result_of_player(canvas, &line, entered, &words, order[i]);
    }
    rest.row = row;
    rest.height = end - row;
    rest.row = draw_leavers(canvas, &rest, entered);
    rest.height = end - rest.row;
    draw_result_notes(canvas, &rest, entered, &words, state);
}

bool table_result_handle_key(struct ui *ui, const struct press *press)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    uint32_t letter = press->kind == PRESS_CHAR ? press->code : 0;
    if (letter == 'n' || letter == 'R') {
        screen_send_request(ui, "rematch", json_object(), NULL, 0);
        return true;
    }
    return letter == 'p' && entered->has_result &&
           screen_open(ui, "replay", entered->result.game_id);
}

void table_result_add_hints(struct ui *ui, struct hints *hints)
{
    if (screen_model(ui)->entered->you >= 0) {
        hints_add(hints, "n", _("play again"));
    }
    hints_add(hints, "s", _("scores"));
    hints_add(hints, "p", _("replay"));
    hints_add(hints, "t", _("last trick"));
    hints_add(hints, "L", _("story"));
}

static void print_result_of_player(const struct model_entered *entered, const struct words *words,
                                   uint8_t seat, struct lines *lines)
{
    const struct model_result_seat *result = &entered->result.seats[seat];
    const char *name = game_print_write_name(words, seat, &TEXT_OF(TABLE_TEXT));
    bool has_left = entered->result.left[seat].name[0] != '\0';
    unsigned long points = (unsigned long)labs(result->score);
    if (result->rank == 0) {
        lines_format(lines, ngettext("%s: %d point.", "%s: %d points.", points), name,
                     result->score);
    } else if (!result->is_rated || has_left) {
        lines_format(lines, ngettext("Rank %d: %s, %d point.", "Rank %d: %s, %d points.", points),
                     result->rank, name, result->score);
    } else {
        lines_format(lines,
                     ngettext("Rank %d: %s, %d point, rating %+d, now %d.",
                              "Rank %d: %s, %d points, rating %+d, now %d.", points),
                     result->rank, name, result->score, result->after - result->before,
                     result->after);
    }
}

static void print_leavers(const struct model_entered *entered, struct lines *lines)
{
    for (uint8_t seat = 0; seat < entered->view.seats; seat++) {
        const struct model_result_left *left = &entered->result.left[seat];
        const struct model_result_seat *result = &entered->result.seats[seat];
        if (left->name[0] == '\0') {
            continue;
        }
        if (result->is_rated) {
            lines_format(lines, _("Rank %d: %s, who left for good, rating %+d, now %d."),
                         left->rank, left->name, result->after - result->before, result->after);
        } else {
            lines_format(lines, _("Rank %d: %s, who left for good."), left->rank, left->name);
        }
    }
}

static void print_fairness_of_deal(const struct model_entered *entered,
                                   const struct table_screen_state *state, struct lines *lines)
{
    bool was_there;
    enum deal_check check = check_fairness_of_deal(entered, state, &was_there);
    if (check == DEAL_HOLDS) {
        lines_put(lines, was_there ? _("The deal was fair: its seed was fixed before the game.")
                                   : _("The deal was fair: its seed matches the commitment."));
    } else if (check == DEAL_BROKEN) {
        lines_put(lines, _("The deal is NOT the one fixed before the first card."));
    }
}

void table_result_print(struct ui *ui, const struct table_screen_state *state, struct lines *lines)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    struct words words = make_words_of_players(ui);
    uint8_t order[SEATS_MAX] = {0};
    if (!entered->has_result) {
        lines_put(lines, _("The game is over."));
        return;
    }
    struct story story;
    story_tell_result(&entered->view, &entered->config, entered->result.winners, &story);
    lines_put(lines, _("The game is over."));
    game_print_story_lines(&story, 0, story.count, &words, lines);
    order_seats_by_rank(entered, order);
    for (uint8_t i = 0; i < entered->view.seats; i++) {
        print_result_of_player(entered, &words, order[i], lines);
    }
    print_leavers(entered, lines);
    if (words.you >= 0 && entered->result.seats[words.you].is_rated) {
        lines_format(
            lines, _("Your rating, by opponent: %s."),
            write_rating_changes(entered, &words, (uint8_t)words.you, &TEXT_OF(TABLE_TEXT)));
    }
    print_fairness_of_deal(entered, state, lines);
    lines_format(lines,
                 entered->you >= 0
                     ? _("/rematch asks for another game, /scores prints the score sheet, /replay "
                         "%lld replays the game, /leave goes back to the lobby.")
                     : _("/scores prints the score sheet, /replay %lld replays the game, /leave "
                         "goes back to the lobby."),
                 (long long)entered->result.game_id);
}
