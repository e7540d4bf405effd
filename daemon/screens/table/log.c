#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/table/table.h"
#include "daemon/screens/table/table_state.h"

/* The screen that shows the log of the entered table's game, from the first round on. */

#define LINE_BYTES 400

struct log_state {
    int scrolled; /* number of rows by which the log is scrolled up from its newest line */
    int rows;     /* number of rows of the log at the last draw */
    int visible;
};

/* While the scores of a round are still to be read, the next round has not begun for the reader. */
static int count_lines_to_show(const struct model_entered *entered)
{
    const struct table_log *log = &entered->log;
    return round_end_waits_for_viewer(entered) ? log->begun : log->count;
}

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
    struct text title = TEXT_OF(LINE_BYTES);
    struct words words = words_make_for_entered_table(screen_theme(ui), entered);
    text_format(&title, _("#%lld %s: what happened"), (long long)entered->row.id,
                _(entered->row.game->title));
    draw_header(canvas, title.at, "");
    state->visible = inside.height;
    const struct table_log_part part = {count_lines_to_show(entered), state->scrolled};
    state->rows = table_log_draw_with_house(canvas, &inside, screen_model(ui), &words, &part);
}

/* Returns by how many rows the key scrolls up; 0 if it does not scroll. */
static int read_scroll_key(const struct log_state *state, const struct press *press)
{
    const int page = state->visible > 1 ? state->visible - 1 : 1;
    const struct {
        enum press_kind kind;
        uint32_t letter;
        int rows;
    } keys[] = {
        {PRESS_PAGE_UP, 0, page},
        {PRESS_PAGE_DOWN, 0, -page},
        {PRESS_HOME, 0, state->rows},
        {PRESS_END, 0, -state->rows},
        {PRESS_UP, 0, 1},
        {PRESS_DOWN, 0, -1},
        {PRESS_WHEEL_UP, 0, 1},
        {PRESS_WHEEL_DOWN, 0, -1},
        {PRESS_CHAR, 'k', 1},
        {PRESS_CHAR, 'j', -1},
    };
    for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
        if (press->kind == keys[i].kind && (keys[i].letter == 0 || press->code == keys[i].letter)) {
            return keys[i].rows;
        }
    }
    return 0;
}

static bool handle_log_key(struct ui *ui, void *opaque, const struct press *press)
{
    struct log_state *state = opaque;
    int rows = read_scroll_key(state, press);
    int most = state->rows > state->visible ? state->rows - state->visible : 0;
    if (press->kind == PRESS_ENTER || (press->kind == PRESS_CHAR && press->code == 'L')) {
        screen_close(ui);
        return true;
    }
    state->scrolled += rows;
    state->scrolled = state->scrolled > most ? most : state->scrolled < 0 ? 0 : state->scrolled;
    return rows != 0;
}

static void enter_log(UNUSED struct ui *ui, void *opaque, UNUSED int64_t argument)
{
    *(struct log_state *)opaque = (struct log_state){.scrolled = 0};
}

static bool print_log(struct ui *ui, UNUSED void *opaque, struct lines *lines)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    if (entered != NULL) {
        struct words words = words_make_for_entered_table(screen_theme(ui), entered);
        table_log_print(screen_model(ui), &words, lines);
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
