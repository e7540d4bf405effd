#include "daemon/screens/table/table_state.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"

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

const char *table_log_write_line(const struct words *words, const struct table_log *log, int index,
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
                   const struct words *words, const struct table_log_part *part)
{
    const struct chat_log *chat = &model->chat[CHAT_TABLE];
    struct reader reader = {&model->entered->log, chat, part->line_count - 1, chat->count - 1};
    struct pane pane = {canvas, area, part->scrolled_rows, 0};
    while ((part->talk == LOG_WITH_HOUSE || pane.below < area->height) &&
           (reader.line >= 0 || (part->talk == LOG_WITH_TALK && reader.said >= 0))) {
        const struct chat_line *talk = read_older_line(&reader);
        struct text text = TEXT_OF(ENTRY_BYTES);
        if (talk == NULL) {
            bool is_great = reader.log->lines[reader.line + 1].is_great;
            text_put(&text, is_great ? "! " : "  ");
            table_log_write_line(words, reader.log, reader.line + 1, &text);
            draw_line_above(&pane, is_great ? STYLE_STRONG : STYLE_PLAIN, text.at, INDENT);
        } else if (part->talk == LOG_WITH_TALK && !talk->is_arrival) {
            chat_write_line(canvas, model, talk, &text);
            draw_line_above(&pane, STYLE_PLAIN, text.at, CHAT_INDENT);
        } else if (part->talk == LOG_WITH_HOUSE && is_of_game(&reader, reader.said + 1)) {
            draw_line_above(&pane, STYLE_SYSTEM, text_format(&text, "  %s", talk->text), INDENT);
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

#define LINE_BYTES 400

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
    struct words words = words_make_for_entered_table(screen_theme(ui), entered);
    draw_header(canvas,
                text_format(&TEXT_OF(LINE_BYTES), _("#%lld %s: what happened"),
                            (long long)entered->row.id, _(entered->row.game->title)),
                "");
    state->visible = inside.height;
    /* while the scores of a round are still to be read, the next one has not begun for the reader
     */
    int line_count = round_end_waits_for_viewer(entered) ? entered->log.begun : entered->log.count;
    const struct table_log_part part = {LOG_WITH_HOUSE, line_count, state->scrolled};
    state->rows = table_log_draw(canvas, &inside, screen_model(ui), &words, &part);
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
