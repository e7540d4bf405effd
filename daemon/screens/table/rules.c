#include "daemon/base/i18n.h"
#include "daemon/screens/table/table.h"

#include <stdio.h>
#include <string.h>

/* Shows the rules of the entered table's game on three pages: a summary on one screen, all rules,
 * and what the signs on the table mean. */

#define WRAP_INDENT 2

/* The signs that the tables of all games have. They stand after the game's own signs. */
static const char *const common_signs[] = {
    N_("won 3         the tricks this player has taken in this round"),
    N_("score 12      the points of all rounds so far"),
    N_("◄             it is this player's turn"),
    N_("took it       this player has just taken the trick"),
    N_("[7]           in your hand: a card that you may play now"),
    N_("ada │7│       in a small terminal: the card that ada has played to the trick"),
    N_("!             before a line of the log: a great moment of the game"),
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
static const char *copy_first_line(const char *text, char line[TABLE_TEXT])
{
    int len = (int)strcspn(text, "\n");
    snprintf(line, TABLE_TEXT, "%.*s", len, text);
    return text[len] == '\0' ? NULL : text + len + 1;
}

/* Draws lines that are laid out in columns by hand, and therefore never wraps them. Returns the
 * number of lines. */
static int draw_preformatted_lines(const struct canvas *canvas, const struct area *area,
                                   int first_row, const char *text)
{
    char line[TABLE_TEXT];
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

static bool is_heading(const char *paragraph)
{
    return strncmp(paragraph, "# ", 2) == 0;
}

/* Draws one paragraph of the full rules, beginning in row `first_row` of the area. Returns the
 * paragraph's number of rows, including the blank row after it. */
static int draw_paragraph(const struct canvas *canvas, const struct area *area, int first_row,
                          const char *paragraph)
{
    return is_heading(paragraph)
               ? draw_wrapped_text(canvas, area, STYLE_TITLE, paragraph + 2, -first_row, 0)
               : draw_wrapped_text(canvas, area, STYLE_PLAIN, paragraph, -first_row, 0) + 1;
}

/* Writes one row of a table that is laid out by hand as words: every column but the last one is
 * followed by a colon. */
static void append_row_as_words(const char *line, struct text *out)
{
    line += strspn(line, " ");
    const char *gap = strstr(line, "  ");
    text_put(out, out->len > 0 ? (gap != NULL ? "; " : " ") : "");
    for (; gap != NULL; gap = strstr(line, "  ")) {
        text_format(out, "%.*s: ", (int)(gap - line), line);
        line = gap + strspn(gap, " ");
    }
    text_put(out, line);
}

/* Appends a text that is laid out in columns by hand as one line of words. */
static void append_preformatted_as_words(const char *text, struct text *out)
{
    char line[TABLE_TEXT];
    while (text != NULL) {
        text = copy_first_line(text, line);
        append_row_as_words(line, out);
    }
}

/* Draws a text that is laid out in columns by hand as words, wrapped to the area's width. Returns
 * the number of rows. */
static int draw_preformatted_as_words(const struct canvas *canvas, const struct area *area,
                                      int first_row, const char *text)
{
    struct text words = TEXT_OF(LINES_LINE_MAX);
    append_preformatted_as_words(text, &words);
    return draw_wrapped_text(canvas, area, STYLE_PLAIN, words.at, -first_row, WRAP_INDENT);
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

/* True if a row of the translated texts is wider than `width`; texts may be NULL. */
static bool has_row_wider_than(const char *const *texts, int width)
{
    char line[TABLE_TEXT];
    bool is_wider = false;
    for (; texts != NULL && *texts != NULL; texts++) {
        for (const char *text = (*texts)[0] != '\0' ? _(*texts) : NULL; text != NULL;) {
            text = copy_first_line(text, line);
            is_wider |= draw_measure_text(line) > width;
        }
    }
    return is_wider;
}

/* Writes which of the game's variants the entered table plays: "This table: Scoring: neutral".
 * Writes nothing if the rules are those of another game, or if this game has no variants. */
static const char *write_options_of_table(const struct model_entered *entered, uint8_t game_index,
                                          struct text *out)
{
    const struct game_def *game = game_at(game_index);
    struct text options = TEXT_OF(LINES_LINE_MAX);
    for (uint8_t i = 0; entered != NULL && entered->row.game == game && i < game->option_count;
         i++) {
        const struct option_def *option = &game->options[i];
        if (game_option_applies(game, &entered->config, option)) {
            text_put(&options, options.len > 0 ? " · " : "");
            text_format(&options, "%s: ", _(option->title));
            option_write_value(option, entered->config.options[i], &options);
        }
    }
    if (options.len > 0) {
        text_format(out, _("This table: %s"), options.at);
    }
    return out->at;
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

static void rules_draw(struct ui *ui, void *opaque, const struct canvas *canvas)
{
    struct rules_state *state = opaque;
    const struct area *body = &canvas->body;
    draw_header(canvas, write_page_title(state->page, state->game, &TEXT_OF(TABLE_TEXT)), "");
    struct area area = {body->row + 2, body->column + 1, body->height - 2, body->width - 2};
    area.width = area.width > 90 ? 90 : area.width;
    const char *const *texts = game_at(state->game)->face->pages[state->page];
    const char *const *more = state->page == TABLE_SIGNS ? common_signs : NULL;
    /* Texts that are laid out in columns by hand keep this layout where it fits. */
    bool is_wide = has_row_wider_than(texts, area.width) || has_row_wider_than(more, area.width);
    draw_lines *draw = state->page == ALL_RULES ? draw_paragraph
                       : is_wide                ? draw_preformatted_as_words
                                                : draw_preformatted_lines;
    struct text options = TEXT_OF(LINES_LINE_MAX);
    int at = -state->scroll.selected;
    if (state->page == RULES_IN_BRIEF &&
        write_options_of_table(screen_model(ui)->entered, state->game, &options)[0] != '\0') {
        at += 1 + draw_wrapped_text(canvas, &area, STYLE_STRONG, options.at, -at, WRAP_INDENT);
    }
    at = draw_text_block(canvas, &area, at, texts, draw);
    at = draw_text_block(canvas, &area, at, more, draw);
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

/* Prints each text as one line, however many rows the screen has for it. */
static void print_text_block(enum rules_page page, const char *const *texts, struct lines *lines)
{
    for (; texts != NULL && *texts != NULL; texts++) {
        struct text line = TEXT_OF(LINES_LINE_MAX);
        if ((*texts)[0] == '\0') {
            continue;
        }
        if (page == ALL_RULES) {
            text_put(&line, _(*texts) + (is_heading(_(*texts)) ? 2 : 0));
        } else {
            append_preformatted_as_words(_(*texts), &line);
        }
        lines_put(lines, line.at);
    }
}

static bool rules_print(struct ui *ui, void *opaque, struct lines *lines)
{
    const struct rules_state *state = opaque;
    const char *const *const *pages = game_at(state->game)->face->pages;
    struct text options = TEXT_OF(LINES_LINE_MAX);
    lines_put(lines, write_page_title(state->page, state->game, &TEXT_OF(TABLE_TEXT)));
    if (state->page == ALL_RULES) {
        print_text_block(ALL_RULES, pages[ALL_RULES], lines);
        return true;
    }
    write_options_of_table(screen_model(ui)->entered, state->game, &options);
    if (options.len > 0) {
        lines_put(lines, options.at);
    }
    print_text_block(RULES_IN_BRIEF, pages[RULES_IN_BRIEF], lines);
    print_text_block(TABLE_SIGNS, pages[TABLE_SIGNS], lines);
    lines_put(lines, _("/rules full prints all rules."));
    return true;
}

static void rules_add_hints(UNUSED struct ui *ui, void *opaque, struct hints *hints)
{
    const struct rules_state *state = opaque;
    hints_add(hints, "Enter", state->page == ALL_RULES ? _("in brief") : _("all rules"));
    hints_add(hints, "s", state->page == TABLE_SIGNS ? _("in brief") : _("signs"));
    if (state->scroll.count > 1) {
        hints_add(hints, "↑ ↓", _("scroll"));
    }
    hints_add(hints, "?", _("keys"));
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
