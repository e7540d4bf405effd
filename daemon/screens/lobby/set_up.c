#include "daemon/base/i18n.h"
#include "daemon/screens/kernel/command.h"
#include "daemon/screens/kernel/screen.h"
#include "daemon/screens/lobby/set_up_choose.h"
#include "daemon/screens/lobby/set_up_state.h"
#include "daemon/screens/model/model_read.h"
#include "daemon/screens/table/table_options.h"
#include "lobby/protocol/config_json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The set-up of a new table, or the settings of the entered one: one row each, changed with left
 * and right. */

#define LINE_BYTES 400
#define LABEL_WIDTH_MIN 16
#define CLOCK_USUAL 2

static const struct clock_rule *clock_of(const struct set_up_state *state)
{
    const struct clock_rule *listed = option_clock_at(state->clock);
    return listed != NULL ? listed : &state->own_clock;
}

static bool row_is_shown(const struct set_up_state *state, int row)
{
    if (row == ROW_GAME || row == ROW_PASSWORD) {
        /* a table's game cannot change, and its lock has a key of its own */
        return state->table == 0;
    }
    const struct game_def *game = set_up_game(state);
    int option = row - ROW_OPTION;
    if (row < ROW_OPTION || row >= ROW_CLOCK) {
        return true;
    }
    return option < game->option_count &&
           game_option_applies(game, &state->config, &game->options[option]);
}

static void set_up_enter(struct ui *ui, void *opaque, int64_t argument)
{
    struct set_up_state *state = opaque;
    const struct model_entered *entered = screen_model(ui)->entered;
    memset(state, 0, sizeof(*state));
    state->clock = CLOCK_USUAL;
    set_up_choose_game(state, 0);
    if (screen_person_name(ui)[0] != '\0') {
        char why[LINE_BYTES];
        (void)set_up_choose_words(state, screen_person_name(ui), why,
                                  sizeof(why)); /* read before */
        return;
    }
    if (argument == 0 || entered == NULL || entered->row.id != argument) {
        return;
    }
    state->table = argument;
    state->row = ROW_PLAYERS;
    state->config = entered->config;
    for (uint8_t i = 0; i < game_count(); i++) {
        state->game = game_at(i) == entered->row.game ? i : state->game;
    }
    set_up_choose_clock(state, &entered->row.clock);
    state->fit = entered->row.fit;
    state->watch = entered->row.watch;
}

/* The next visible row in that direction, or the same at the end. */
static int row_step(const struct set_up_state *state, int by)
{
    for (int row = state->row + by; row >= 0 && row < ROW_COUNT; row += by) {
        if (row_is_shown(state, row)) {
            return row;
        }
    }
    return state->row;
}

static uint8_t index_step(uint8_t index, int count, int by)
{
    return (uint8_t)((index + by + count) % count);
}

static void change(struct set_up_state *state, int by)
{
    const struct game_def *game = set_up_game(state);
    if (state->row == ROW_GAME) {
        set_up_choose_game(state, index_step(state->game, game_count(), by));
    } else if (state->row == ROW_PLAYERS) {
        int players = state->config.players + by;
        if (players >= game->seats_min && players <= game->seats_max) {
            state->config.players = (uint8_t)players;
        }
    } else if (state->row == ROW_CLOCK) {
        bool has_own = option_clock_at(option_clock_index(&state->own_clock)) == NULL;
        state->clock = index_step(state->clock, (int)option_clock_count() + has_own, by);
        state->is_clock_chosen = true;
    } else if (state->row == ROW_WATCH) {
        set_up_change_watch(state, by);
    } else if (state->row >= ROW_OPTION && state->row < ROW_CLOCK) {
        int option = state->row - ROW_OPTION;
        state->config.options[option] =
            index_step(state->config.options[option], game->options[option].value_count, by);
        game_config_settle(game, &state->config);
    }
}

static void row_write(const struct set_up_state *state, int row, const char **label,
                      struct text *out)
{
    const struct game_def *game = set_up_game(state);
    char players[LINE_BYTES];
    switch (row) {
    case ROW_GAME:
        *label = _("Game");
        text_put(out, _(game->title));
        break;
    case ROW_PLAYERS:
        *label = _("Players");
        snprintf(players, sizeof(players), _("%u (from %u to %u)"), state->config.players,
                 game->seats_min, game->seats_max);
        text_put(out, players);
        break;
    case ROW_CLOCK:
        *label = _("Clock");
        option_clock_write(clock_of(state), out);
        break;
    case ROW_FIT:
        *label = _("Open to");
        option_fit_write(&state->fit, out);
        break;
    case ROW_WATCH:
        *label = _("Watched by");
        option_watch_write(&state->watch, out);
        break;
    case ROW_PASSWORD:
        *label = _("Password");
        text_put(out, state->password[0] != '\0' ? state->password : _("none: open to all"));
        break;
    default:
        *label = _(game->options[row - ROW_OPTION].title);
        option_write(&game->options[row - ROW_OPTION], state->config.options[row - ROW_OPTION],
                     out);
        break;
    }
}

/* The first value to show of a list without room for all, so that the chosen one is in the
 * middle. */
static int first_shown(int chosen, int count, int height)
{
    int first = chosen - height / 2;
    first = first > count - height ? count - height : first;
    return first < 0 ? 0 : first;
}

/* The values of the selected row, the chosen one marked. */
static void draw_values(const struct canvas *canvas, const struct area *area,
                        const struct set_up_state *state)
{
    const struct game_def *game = set_up_game(state);
    bool is_option = state->row >= ROW_OPTION && state->row < ROW_CLOCK;
    int option = is_option ? state->row - ROW_OPTION : 0;
    int count = state->row == ROW_CLOCK ? (int)option_clock_count()
                : is_option             ? game->options[option].value_count
                                        : 0;
    int chosen = is_option ? state->config.options[option] : state->clock;
    int first = first_shown(chosen, count, area->height);
    for (int i = first; i < count && i < first + area->height; i++) {
        char value[LINE_BYTES];
        struct text text = text_init(value, sizeof(value));
        if (is_option) {
            option_write(&game->options[option], (uint8_t)i, &text);
        } else {
            option_clock_write(option_clock_at((size_t)i), &text);
        }
        draw_formatted_text(canvas, area->row + i - first, area->column, area->width,
                            i == chosen ? STYLE_STRONG : STYLE_DIM, "%s %s",
                            i == chosen ? "*" : " ", value);
    }
}

/* The width of the widest label, with the blank before the values. */
static int label_width(const struct set_up_state *state)
{
    int width = LABEL_WIDTH_MIN;
    for (int row = 0; row < ROW_COUNT; row++) {
        char value[LINE_BYTES];
        const char *label;
        struct text text = text_init(value, sizeof(value));
        if (row_is_shown(state, row)) {
            row_write(state, row, &label, &text);
            int wanted = draw_text_width(label) + 2;
            width = wanted > width ? wanted : width;
        }
    }
    return width;
}

static void draw_row(const struct canvas *canvas, const struct area *line,
                     const struct set_up_state *state, int row)
{
    int labels = label_width(state);
    bool is_selected = row == state->row;
    char value[LINE_BYTES];
    const char *label;
    struct text text = text_init(value, sizeof(value));
    row_write(state, row, &label, &text);
    enum style style = is_selected ? STYLE_SELECTED : STYLE_PLAIN;
    if (is_selected) {
        draw_filled_area(canvas, line, STYLE_SELECTED);
    }
    draw_text(canvas, line->row, line->column + 1, labels - 2, is_selected ? style : STYLE_DIM,
              label);
    if (is_selected && row != ROW_PASSWORD) {
        draw_formatted_text(canvas, line->row, line->column + labels, line->width - labels, style,
                            "%s %s %s", theme_glyph(canvas->theme, GLYPH_ARROW_LEFT), value,
                            theme_glyph(canvas->theme, GLYPH_ARROW_RIGHT));
    } else {
        draw_text(canvas, line->row, line->column + labels + 2, line->width - labels - 2, style,
                  value);
    }
}

static void set_up_draw(UNUSED struct ui *ui, void *opaque, const struct canvas *canvas)
{
    struct set_up_state *state = opaque;
    const struct game_def *game = set_up_game(state);
    const struct area *body = &canvas->body;
    draw_header(canvas, state->table == 0 ? _("A new table") : _("This table's settings"), "");
    int row = body->row + 2;
    draw_text(canvas, row, body->column + 3, body->width - 4, STYLE_TITLE, _(game->title));
    struct area pitch = {row + 1, body->column + 3, 2, body->width - 6};
    row += 2 + draw_wrapped_text(canvas, &pitch, STYLE_PLAIN, _(game->face->pitch), 0, 0);
    for (int i = 0; i < ROW_COUNT && row < body->row + body->height; i++) {
        struct area line = {row, body->column + 2, 1, body->width - 4};
        if (row_is_shown(state, i)) {
            draw_row(canvas, &line, state, i);
            row++;
        }
    }
    int labels = label_width(state);
    struct area values = {row + 1, body->column + 2 + labels, body->row + body->height - row - 1,
                          body->width - labels - 4};
    draw_values(canvas, &values, state);
}

static void settings_answered(struct ui *ui, UNUSED void *opaque, UNUSED int64_t tag, bool is_ok,
                              const json_t *answer)
{
    if (!is_ok) {
        screen_warn_refused(ui, answer);
        return;
    }
    screen_close(ui);
}

/* Opening the new table also enters it and takes the first seat. */
static void table_opened(struct ui *ui, void *opaque, UNUSED int64_t tag, bool is_ok,
                         const json_t *answer)
{
    struct set_up_state *state = opaque;
    if (!is_ok) {
        screen_warn_refused(ui, answer);
        return;
    }
    if (state->is_with_bots) {
        for (uint8_t i = 1; i < state->config.players; i++) {
            screen_request(ui, "bot_add", json_pack("{s:s}", "policy", "careful"), NULL, 0);
        }
        screen_request(ui, "table_start", json_object(), NULL, 0);
    }
    int64_t table = model_read_number(json_object_get(answer, "table"), 0);
    screen_close(ui);
    screen_open(ui, "table", table);
}

static void submit(struct ui *ui, struct set_up_state *state, bool is_with_bots)
{
    const struct game_def *game = set_up_game(state);
    if (is_with_bots && !state->is_clock_chosen) {
        struct clock_rule none = clock_rule_from_seconds(0); /* bots do not wait for each other */
        set_up_choose_clock(state, &none);
    }
    json_t *fields = json_pack(
        "{s:i, s:o, s:o, s:o, s:o}", "players", (int)state->config.players, "options",
        config_to_json(game, &state->config), "clock", clock_rule_to_json(clock_of(state)), "fit",
        eligibility_to_json(&state->fit), "watch", watch_rule_to_json(&state->watch));
    if (state->table != 0) {
        screen_request(ui, "table_set", fields, settings_answered, 0);
        return;
    }
    state->is_with_bots = is_with_bots;
    json_object_set_new(fields, "game", json_string(game->id));
    if (state->password[0] != '\0') {
        json_object_set_new(fields, "password", json_string(state->password));
    }
    screen_request(ui, "table_open", fields, table_opened, 0);
}

static void password_replied(UNUSED struct ui *ui, void *opaque, const char *text)
{
    struct set_up_state *state = opaque;
    if (text != NULL && strlen(text) < sizeof(state->password)) {
        snprintf(state->password, sizeof(state->password), "%s", text);
    }
}

static void ask_password(struct ui *ui, const struct set_up_state *state)
{
    screen_ask(ui, ASK_WORDS, _("Password that lets people in (empty: none):"), state->password,
               password_replied);
}

static void fit_replied(struct ui *ui, void *opaque, const char *text)
{
    struct set_up_state *state = opaque;
    if (text != NULL && !eligibility_parse(text, &state->fit)) {
        screen_warn(ui, "%s", _("Say all, or as in: rating 1400-1700 finished 80%"));
    }
}

static void ask_fit(struct ui *ui, const struct set_up_state *state)
{
    char now[ELIGIBILITY_SIZE];
    struct text text = text_init(now, sizeof(now));
    eligibility_write(&state->fit, &text);
    screen_ask(ui, ASK_WORDS, _("Whom it takes (all; rating 1400-1700 finished 80%):"), now,
               fit_replied);
}

static bool set_up_key(struct ui *ui, void *opaque, const struct press *press)
{
    struct set_up_state *state = opaque;
    bool is_char = press->kind == PRESS_CHAR;
    if (press->kind == PRESS_UP || (is_char && press->code == 'k')) {
        state->row = row_step(state, -1);
    } else if (press->kind == PRESS_DOWN || press->kind == PRESS_TAB ||
               (is_char && press->code == 'j')) {
        state->row = row_step(state, 1);
    } else if (press->kind == PRESS_LEFT || (is_char && press->code == 'h')) {
        change(state, -1);
    } else if (press->kind == PRESS_RIGHT ||
               (is_char && (press->code == 'l' || press->code == ' '))) {
        if (state->row == ROW_PASSWORD) {
            ask_password(ui, state);
        } else if (state->row == ROW_FIT) {
            ask_fit(ui, state);
        } else {
            change(state, 1);
        }
    } else if (is_char && press->code == 'p' && state->table == 0) {
        ask_password(ui, state);
    } else if (press->kind == PRESS_ENTER) {
        submit(ui, state, false);
    } else if (is_char && press->code == 'b' && state->table == 0) {
        submit(ui, state, true);
    } else {
        return false;
    }
    return true;
}

/* What to type for a row in plain mode. */
static const char *row_word(const struct set_up_state *state, int row)
{
    switch (row) {
    case ROW_GAME:
        return "game";
    case ROW_PLAYERS:
        return "players";
    case ROW_CLOCK:
        return "clock";
    case ROW_FIT:
        return "open-to";
    case ROW_WATCH:
        return "watching";
    case ROW_PASSWORD:
        return "password";
    default:
        return set_up_game(state)->options[row - ROW_OPTION].key;
    }
}

/* The other values of a row. */
static void row_write_others(const struct set_up_state *state, int row, struct text *out)
{
    bool is_option = row >= ROW_OPTION && row < ROW_CLOCK;
    if (row == ROW_CLOCK) {
        text_put(out, _("none, 30s, 10m+5s, 2d and the like"));
    }
    if (row == ROW_FIT) {
        text_put(out, _("all, rating 1400-1700, finished 80% or both"));
    }
    if (row == ROW_WATCH) {
        text_put(out, _("public, delay (a round behind), delay 10 (moves), friends or none"));
    }
    for (uint8_t i = 0; row == ROW_GAME && i < game_count(); i++) {
        text_put(out, i > 0 ? ", " : "");
        text_put(out, _(game_at(i)->title));
    }
    if (!is_option) {
        return;
    }
    const struct option_def *option = &set_up_game(state)->options[row - ROW_OPTION];
    for (uint8_t i = 0; i < option->value_count; i++) {
        text_put(out, i > 0 ? ", " : "");
        const char *word = option->values[i].word;
        if (word == NULL) {
            option_write(option, i, out);
            continue;
        }
        text_put(out, word);
        text_put(out, " (");
        option_write(option, i, out);
        text_put(out, ")");
    }
}

static void row_tell_value(const struct set_up_state *state, int row, struct lines *lines)
{
    char value[LINE_BYTES];
    const char *label;
    struct text text = text_init(value, sizeof(value));
    row_write(state, row, &label, &text);
    lines_format(lines, "%s: %s.", row_word(state, row), value);
}

static void row_tell(const struct set_up_state *state, int row, struct lines *lines)
{
    char others[LINES_LINE_MAX];
    struct text text = text_init(others, sizeof(others));
    row_write_others(state, row, &text);
    row_tell_value(state, row, lines);
    if (others[0] != '\0') {
        lines_format(lines, _("%s can be: %s."), row_word(state, row), others);
    }
}

static bool set_up_tell(UNUSED struct ui *ui, void *opaque, struct lines *lines)
{
    const struct set_up_state *state = opaque;
    lines_format(lines, "%s. %s", state->table == 0 ? _("A new table") : _("This table's settings"),
                 _(set_up_game(state)->face->pitch));
    for (int row = 0; row < ROW_COUNT; row++) {
        if (row_is_shown(state, row)) {
            row_tell(state, row, lines);
        }
    }
    lines_put(lines, _("Type a setting and its value, as: players 3"));
    lines_put(lines, state->table == 0
                         ? _("Then open opens the table, bots opens it, fills it with bots and "
                             "begins, /back opens none.")
                         : _("Then keep keeps these settings, /back leaves them as they were."));
    return true;
}

/* The row of that name; -1 if there is none. */
static int row_find(const struct set_up_state *state, const char *word)
{
    for (int row = 0; row < ROW_COUNT; row++) {
        if (row_is_shown(state, row) && strcasecmp(row_word(state, row), word) == 0) {
            return row;
        }
    }
    return -1;
}

static bool set_up_line(struct ui *ui, void *opaque, const char *line)
{
    struct set_up_state *state = opaque;
    struct lines *lines = screen_plain_lines(ui);
    char word[LINE_BYTES];
    const char *value = command_read_word(line, word, sizeof(word));
    int row = row_find(state, word);
    bool is_new = state->table == 0;
    if (strcasecmp(line, is_new ? "open" : "keep") == 0) {
        submit(ui, state, false);
    } else if (is_new && strcasecmp(line, "bots") == 0) {
        submit(ui, state, true);
    } else if (row < 0) {
        return false;
    } else if (!set_up_row_set(state, row, value)) {
        screen_warn(ui, _("There is no such value for %s."), row_word(state, row));
        row_tell(state, row, lines);
    } else if (row == ROW_GAME) {
        screen_print_again(ui);
    } else {
        row_tell_value(state, row, lines);
    }
    return true;
}

static void set_up_hints(UNUSED struct ui *ui, void *opaque, struct hints *hints)
{
    const struct set_up_state *state = opaque;
    hints_add(hints, "Enter", state->table == 0 ? _("open the table") : _("keep these"));
    hints_add(hints, _("arrows"), _("choose"));
    if (state->table == 0) {
        hints_add(hints, "b", _("with bots"));
        hints_add(hints, "p", _("password"));
    }
    hints_add(hints, "?", _("help"));
    hints_add(hints, "q", _("back"));
}

static const struct screen_key set_up_keys[] = {
    {N_("up down"), N_("go from setting to setting"), NULL},
    {N_("left right"), N_("change it"), NULL},
    {"Enter", N_("open the table, or keep its new settings"), NULL},
    {"b", N_("open it, fill it with bots and begin at once"), "/quick"},
    {"p", N_("set a password"), "/lock"},
    {NULL, NULL, NULL},
};

const struct screen set_up_screen = {
    .name = "set_up",
    .title = N_("Table set-up"),
    .state_size = sizeof(struct set_up_state),
    .keys = set_up_keys,
    .enter = set_up_enter,
    .draw = set_up_draw,
    .key = set_up_key,
    .hints = set_up_hints,
    .tell = set_up_tell,
    .line = set_up_line,
};
