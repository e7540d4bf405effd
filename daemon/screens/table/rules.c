#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/list.h"
#include "daemon/screens/drawing/text_format.h"
#include "daemon/screens/kernel/screen.h"
#include "daemon/screens/table/table_options.h"

#include <stdio.h>
#include <string.h>

/* Shows the rules of the entered table's game: first a summary on one screen, then all rules. */

#define LINE_BYTES 400

struct rules_state {
    uint8_t game; /* the game's index in the registry */
    bool is_full;
    struct list scroll; /* the selected row is the first row of the text on the screen */
    int page;           /* number of rows shown at the last draw */
};

static void rules_enter(struct ui *ui, void *opaque, int64_t argument)
{
    struct rules_state *state = opaque;
    const struct model_entered *entered = screen_model(ui)->entered;
    int64_t named = argument & ~(int64_t)RULES_FULL;
    *state = (struct rules_state){.is_full = (argument & RULES_FULL) != 0};
    if (named > 0 && named <= game_count()) {
        state->game = (uint8_t)(named - 1);
    } else if (entered != NULL) {
        state->game = option_find_game_index(entered->row.game);
    }
}

/* Copies the first line of a text into `line`. Returns the text after that line; NULL if the text
 * has no further line. */
static const char *copy_first_line(const char *text, char line[LINE_BYTES])
{
    int len = (int)strcspn(text, "\n");
    snprintf(line, LINE_BYTES, "%.*s", len, text);
    return text[len] == '\0' ? NULL : text + len + 1;
}

/* Draws lines that are laid out in columns by hand, and therefore never wraps them. Returns the
 * number of lines. */
static int draw_preformatted_lines(const struct canvas *canvas, const struct area *area,
                                   int first_row, const char *text)
{
    char line[LINE_BYTES];
    int rows = 0;
    for (; text != NULL; rows++) {
        text = copy_first_line(text, line);
        if (first_row + rows >= 0 && first_row + rows < area->height) {
            draw_text(canvas, area->row + first_row + rows, area->column, area->width, STYLE_PLAIN,
                      line);
        }
    }
    return rows;
}

/* Draws one paragraph, beginning in row `first_row` of the area. Returns the paragraph's number of
 * rows, including the blank row after it. */
static int draw_paragraph(const struct canvas *canvas, const struct area *area, int first_row,
                          const char *paragraph)
{
    bool is_heading = paragraph[0] == '#' && paragraph[1] == ' ';
    const char *text = is_heading ? paragraph + 2 : paragraph;
    enum style style = is_heading ? STYLE_TITLE : STYLE_PLAIN;
    int rows = draw_wrapped_text(NULL, area, style, text, 0, 0);
    if (first_row < area->height && first_row + rows > 0) {
        struct area part = *area;
        part.row += first_row > 0 ? first_row : 0;
        part.height -= first_row > 0 ? first_row : 0;
        draw_wrapped_text(canvas, &part, style, text, first_row < 0 ? -first_row : 0, 0);
    }
    return rows + (is_heading ? 0 : 1);
}

static void rules_draw(UNUSED struct ui *ui, void *opaque, const struct canvas *canvas)
{
    struct rules_state *state = opaque;
    const struct game_def *game = game_at(state->game);
    const struct area *body = &canvas->body;
    struct text title = TEXT_OF(LINE_BYTES);
    text_format(&title, state->is_full ? _("%s: the rules") : _("%s in brief"), _(game->title));
    draw_header(canvas, title.at, "");
    struct area area = {body->row + 2, body->column + 1, body->height - 2, body->width - 2};
    area.width = area.width > 90 ? 90 : area.width;
    const char *const *lines = state->is_full ? game->face->rules : game->face->brief;
    int at = -state->scroll.selected;
    for (; *lines != NULL; lines++) {
        at += (*lines)[0] == '\0' ? 1
              : state->is_full    ? draw_paragraph(canvas, &area, at, _(*lines))
                                  : draw_preformatted_lines(canvas, &area, at, _(*lines));
    }
    int rows = at + state->scroll.selected;
    state->page = area.height > 2 ? area.height - 1 : 1;
    list_set_size(&state->scroll, rows > area.height ? rows - area.height + 1 : 1, state->page);
}

static bool rules_handle_key(struct ui *ui, void *opaque, const struct press *press)
{
    struct rules_state *state = opaque;
    uint32_t letter = press->kind == PRESS_CHAR ? press->code : 0;
    if (letter == '?') {
        screen_close(ui); /* Closing this screen frees its state. The help then describes the table,
                             which is the screen below. */
        return screen_open(ui, "help", 0);
    }
    if (press->kind == PRESS_ENTER || letter == 'r') {
        state->is_full = !state->is_full;
        state->scroll.selected = 0;
        return true;
    }
    struct press page_down = {.kind = PRESS_PAGE_DOWN};
    return list_handle_key(&state->scroll, letter == ' ' ? &page_down : press);
}

/* Writes one row of a table that is laid out by hand as words: the first column, a colon, and the
 * other columns. */
static void append_row_as_words(const char *line, struct text *out)
{
    line += strspn(line, " ");
    const char *gap = strstr(line, "  ");
    text_put(out, out->len > 0 ? (gap != NULL ? "; " : " ") : "");
    if (gap != NULL) {
        text_format(out, "%.*s: ", (int)(gap - line), line);
        line = gap + strspn(gap, " ");
    }
    text_put(out, line);
}

/* Prints a paragraph as one line, however many lines its text has. */
static void print_paragraph(const char *text, struct lines *lines)
{
    struct text line = TEXT_OF(LINES_LINE_MAX);
    char part[LINE_BYTES];
    text += strncmp(text, "# ", 2) == 0 ? 2 : 0;
    if (strchr(text, '\n') == NULL) {
        append_row_as_words(text,
                            &line); /* a text without line breaks may be too long for `part` */
        text = NULL;
    }
    while (text != NULL) {
        text = copy_first_line(text, part);
        append_row_as_words(part, &line);
    }
    lines_put(lines, line.at);
}

static bool rules_print(UNUSED struct ui *ui, void *opaque, struct lines *lines)
{
    const struct rules_state *state = opaque;
    const struct game_face *face = game_at(state->game)->face;
    const char *const *rules = state->is_full ? face->rules : face->brief;
    lines_format(lines, state->is_full ? _("%s: the rules") : _("%s in brief"),
                 _(game_at(state->game)->title));
    for (; *rules != NULL; rules++) {
        if ((*rules)[0] != '\0') {
            print_paragraph(_(*rules), lines);
        }
    }
    if (!state->is_full) {
        lines_put(lines, _("/rules full prints all rules."));
    }
    return true;
}

static void rules_add_hints(UNUSED struct ui *ui, void *opaque, struct hints *hints)
{
    const struct rules_state *state = opaque;
    hints_add(hints, "Enter", state->is_full ? _("in brief") : _("all rules"));
    if (state->scroll.count > 1) {
        hints_add(hints, "↑ ↓", _("scroll"));
    }
    hints_add(hints, "?", _("keys and commands"));
}

static const struct screen_key rules_keys[] = {
    {"Enter", N_("switch between brief and full rules"), NULL, NULL},
    {"↑ ↓", N_("scroll"), NULL, NULL},
    {NULL, NULL, NULL, NULL},
};

const struct screen rules_screen = {
    .name = "rules",
    .title = N_("Rules"),
    .state_size = sizeof(struct rules_state),
    .keys = rules_keys,
    .enter = rules_enter,
    .draw = rules_draw,
    .key = rules_handle_key,
    .hints = rules_add_hints,
    .print = rules_print,
};
