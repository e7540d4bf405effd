#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/list.h"
#include "daemon/screens/drawing/text_format.h"
#include "daemon/screens/kernel/screen.h"
#include "daemon/screens/table/table_options.h"

#include <stdio.h>
#include <string.h>

/* Shows the rules of the entered table's game on three pages: a summary on one screen, all rules,
 * and what the signs on the table mean. */

#define LINE_BYTES 400

enum rules_page {
    RULES_IN_BRIEF,
    ALL_RULES,
    TABLE_SIGNS,
};

/* The signs that the tables of all games have. */
static const char *const common_signs[] = {
    N_("won 3         the tricks this player has taken in this round"),
    N_("score 12      the points of all rounds so far"),
    N_("dealer        dealt the cards of this round"),
    N_("◄             it is this player's turn"),
    N_("[7]           in your hand: a card that you may play now"),
    N_("1551?         a player's rating that is not yet certain"),
    NULL,
};

struct rules_state {
    uint8_t game;         /* the game's index in the registry */
    enum rules_page page; /* the page that is shown */
    struct list scroll;   /* the selected row is the first row of the text on the screen */
    int page_rows;        /* number of rows shown at the last draw */
};

static void rules_enter(struct ui *ui, void *opaque, int64_t argument)
{
    struct rules_state *state = opaque;
    const struct model_entered *entered = screen_model(ui)->entered;
    int64_t named = argument & ~(int64_t)RULES_FULL;
    *state =
        (struct rules_state){.page = (argument & RULES_FULL) != 0 ? ALL_RULES : RULES_IN_BRIEF};
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

typedef int draw_lines(const struct canvas *canvas, const struct area *area, int first_row,
                       const char *text);

/* Draws the translated texts, beginning in row `first_row` of the area; texts may be NULL. Returns
 * the row after them. */
static int draw_text_block(const struct canvas *canvas, const struct area *area, int first_row,
                           const char *const *texts, draw_lines *draw)
{
    int at = first_row;
    for (; texts != NULL && *texts != NULL; texts++) {
        at += (*texts)[0] == '\0' ? 1 : draw(canvas, area, at, _(*texts));
    }
    return at;
}

static const char *write_page_title(enum rules_page page, uint8_t game, struct text *out)
{
    text_format(out,
                page == ALL_RULES     ? _("%s: the rules")
                : page == TABLE_SIGNS ? _("%s: the signs on the table")
                                      : _("%s in brief"),
                _(game_at(game)->title));
    return out->at;
}

static void show_page(struct rules_state *state, enum rules_page page)
{
    state->page = page;
    state->scroll.selected = 0;
}

static void rules_draw(UNUSED struct ui *ui, void *opaque, const struct canvas *canvas)
{
    struct rules_state *state = opaque;
    const struct game_def *game = game_at(state->game);
    const struct area *body = &canvas->body;
    draw_header(canvas, write_page_title(state->page, state->game, &TEXT_OF(LINE_BYTES)), "");
    struct area area = {body->row + 2, body->column + 1, body->height - 2, body->width - 2};
    area.width = area.width > 90 ? 90 : area.width;
    int at = -state->scroll.selected;
    if (state->page == ALL_RULES) {
        at = draw_text_block(canvas, &area, at, game->face->rules, draw_paragraph);
    } else if (state->page == RULES_IN_BRIEF) {
        at = draw_text_block(canvas, &area, at, game->face->brief, draw_preformatted_lines);
    } else {
        at = draw_text_block(canvas, &area, at, common_signs, draw_preformatted_lines);
        at = draw_text_block(canvas, &area, at, game->face->signs, draw_preformatted_lines);
    }
    int rows = at + state->scroll.selected;
    state->page_rows = area.height > 2 ? area.height - 1 : 1;
    list_set_size(&state->scroll, rows > area.height ? rows - area.height + 1 : 1,
                  state->page_rows);
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
        show_page(state, state->page == ALL_RULES ? RULES_IN_BRIEF : ALL_RULES);
        return true;
    }
    if (letter == 's') {
        show_page(state, state->page == TABLE_SIGNS ? RULES_IN_BRIEF : TABLE_SIGNS);
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

static void print_text_block(const char *const *texts, struct lines *lines)
{
    for (; texts != NULL && *texts != NULL; texts++) {
        if ((*texts)[0] != '\0') {
            print_paragraph(_(*texts), lines);
        }
    }
}

static bool rules_print(UNUSED struct ui *ui, void *opaque, struct lines *lines)
{
    const struct rules_state *state = opaque;
    const struct game_face *face = game_at(state->game)->face;
    lines_put(lines, write_page_title(state->page, state->game, &TEXT_OF(LINE_BYTES)));
    print_text_block(state->page == ALL_RULES ? face->rules : face->brief, lines);
    if (state->page == RULES_IN_BRIEF) {
        print_text_block(face->signs, lines);
        lines_put(lines, _("/rules full prints all rules."));
    }
    return true;
}

static void rules_add_hints(UNUSED struct ui *ui, void *opaque, struct hints *hints)
{
    const struct rules_state *state = opaque;
    hints_add(hints, "Enter", state->page == ALL_RULES ? _("in brief") : _("all rules"));
    hints_add(hints, "s", state->page == TABLE_SIGNS ? _("in brief") : _("signs on the table"));
    if (state->scroll.count > 1) {
        hints_add(hints, "↑ ↓", _("scroll"));
    }
    hints_add(hints, "?", _("keys and commands"));
}

static const struct screen_key rules_keys[] = {
    {"Enter", N_("switch between brief and full rules"), NULL, NULL},
    {"s", N_("explain the words and signs on the table"), NULL, NULL},
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
