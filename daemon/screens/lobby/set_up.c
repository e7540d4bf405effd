#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/kernel/ui.h"
#include "daemon/screens/table/table.h"
#include "lobby/protocol/protocol.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define PLAYERS_USUAL 4
#define TITLE_BYTES 64
#define LINE_BYTES 400
#define PASSWORD_BYTES 65

enum set_up_row {
    ROW_GAME,
    ROW_PLAYERS,
    ROW_OPTION, /* the first of the rows for the game's options */
    ROW_CLOCK = ROW_OPTION + GAME_OPTIONS_MAX,
    ROW_PACE,
    ROW_FIT,
    ROW_WATCH,
    ROW_PASSWORD,
    ROW_BOTS,
    ROW_COUNT,
};

struct set_up_state {
    int64_t table; /* number of the table whose settings are changed; 0: a new table */
    uint8_t game;  /* the game's index in the registry */
    struct game_config config;
    uint8_t clock; /* index of the chosen clock among the offered ones; the index after the last
                      means own_clock */
    struct clock_rule own_clock;
    enum pace pace;
    struct eligibility fit;
    struct watch_rule watch;
    char password[PASSWORD_BYTES];
    bool is_clock_chosen; /* the person has chosen the clock */
    int row; /* the selected row (enum set_up_row); never the row of an option that the game lacks
              */
    enum bot_level bots; /* of the bots that fill a new table; BOT_LEVEL_NONE: the core chooses what
                            suits the person */
    bool is_with_bots;   /* fill the table with bots and start at once */
};

static const struct game_def *set_up_get_chosen_game(const struct set_up_state *state)
{
    return game_at(state->game);
}

/* Returns a clock of those that the screen offers; NULL if `index` is too large. People may type
 * any other clock. */
static const struct clock_rule *get_offered_clock(size_t index)
{
    for (unsigned kind = 0; kind <= CLOCK_KIND_LAST; kind++) {
        const struct clock_type *type = clock_type_of((enum clock_kind)kind);
        if (index < type->offer_count) {
            return &type->offers[index];
        }
        index -= type->offer_count;
    }
    return NULL;
}

/* Returns the clock's index among the offered ones; their number if it is not offered, or NULL. */
static uint8_t find_clock_index(const struct clock_rule *clock)
{
    uint8_t index = 0;
    const struct clock_rule *offer;
    while ((offer = get_offered_clock(index)) != NULL &&
           (clock == NULL || !clock_rule_equals(offer, clock))) {
        index++;
    }
    return index;
}

static void set_up_choose_clock(struct set_up_state *state, const struct clock_rule *clock)
{
    state->own_clock = *clock;
    state->clock = find_clock_index(clock);
}

/* Chooses the game at `index` in the registry of games, with its default options. */
static void set_up_choose_game(struct set_up_state *state, uint8_t index)
{
    uint8_t players = state->config.players != 0 ? state->config.players : PLAYERS_USUAL;
    state->game = index;
    state->config = option_make_default_config(set_up_get_chosen_game(state), players);
}

/* Sets the number of players; false if the game does not allow that number. */
static bool set_up_choose_player_count(struct set_up_state *state, int player_count)
{
    const struct game_def *game = set_up_get_chosen_game(state);
    bool is_possible = player_count >= game->seats_min && player_count <= game->seats_max;
    if (is_possible) {
        state->config.players = (uint8_t)player_count;
    }
    return is_possible;
}

/* Changes who may watch: chooses the next of the usual rules (direction 1) or the previous one
 * (direction -1). */
static void set_up_change_who_may_watch(struct set_up_state *state, int direction)
{
    static const struct watch_rule usual[] = {
        {.policy = WATCH_PUBLIC},  {.policy = WATCH_DELAY}, {.policy = WATCH_DELAY, .moves = 10},
        {.policy = WATCH_FRIENDS}, {.policy = WATCH_NONE},
    };
    int count = (int)ARRAY_LEN(usual);
    int next = 0; /* chooses the first rule if the current one is not in `usual` */
    for (int i = 0; i < count; i++) {
        bool is_current =
            usual[i].policy == state->watch.policy && usual[i].moves == state->watch.moves;
        next = is_current ? (i + direction + count) % count : next;
    }
    state->watch.policy = usual[next].policy;
    state->watch.moves = usual[next].moves;
}

/* Returns the number if the text is one whole number up to 86400; otherwise -1. */
static int parse_number(const char *text)
{
    char *end;
    long number = strtol(text, &end, 10);
    return end == text || *end != '\0' || number < 0 || number > 86400 ? -1 : (int)number;
}

/* Chooses the clock that a text names: as the command /clock takes it, or in seconds. False if the
 * text is invalid. */
static bool parse_and_choose_clock(struct set_up_state *state, const char *value)
{
    int seconds = parse_number(value);
    struct clock_rule rule = clock_rule_from_seconds(seconds < 0 ? 1 : (uint32_t)seconds);
    if (!clock_rule_parse(value, &rule) && !clock_rule_is_valid(&rule)) {
        return false;
    }
    set_up_choose_clock(state, &rule);
    state->is_clock_chosen = true;
    return true;
}

static bool parse_and_choose_option(struct set_up_state *state, int option, const char *value)
{
    const struct game_def *game = set_up_get_chosen_game(state);
    int index = option_find_value(&game->options[option], value);
    if (index >= 0) {
        state->config.options[option] = (uint8_t)index;
        game_config_reset_unused_options(game, &state->config);
    }
    return index >= 0;
}

static bool parse_and_choose_bot_level(struct set_up_state *state, const char *value)
{
    size_t level = row_value_of_word(&bot_level_words, value);
    bool is_usual = strcmp(value, "usual") == 0;
    if (!is_usual && (level == BOT_LEVEL_NONE || level >= bot_level_words.count)) {
        return false;
    }
    state->bots = is_usual ? BOT_LEVEL_NONE : (enum bot_level)level;
    return true;
}

/* Chooses a game by its id or title, optionally followed by a number of players. Returns NULL on
 * success; otherwise writes what is wrong to `why` and returns that text. */
static const char *set_up_choose_game_from_words(struct set_up_state *state, const char *words,
                                                 struct text *why)
{
    char title[TITLE_BYTES];
    snprintf(title, sizeof(title), "%s", words);
    char *last = strrchr(title, ' ');
    int players = last != NULL ? parse_number(last + 1) : -1;
    if (players >= 0) {
        *last = '\0';
    }
    int index = option_find_game(title);
    if (index < 0) {
        text_format(why, _("There is no game called %s here."), title);
        return why->at;
    }
    set_up_choose_game(state, (uint8_t)index);
    if (players >= 0 && !set_up_choose_player_count(state, players)) {
        const struct game_def *game = set_up_get_chosen_game(state);
        text_format(why, _("%s is for %u to %u players."), _(game->title), game->seats_min,
                    game->seats_max);
        return why->at;
    }
    state->config = game_config_default(set_up_get_chosen_game(state), state->config.players);
    return NULL;
}

void command_new(struct ui *ui, const char *args)
{
    struct set_up_state scratch = {0};
    const char *fault = args[0] != '\0'
                            ? set_up_choose_game_from_words(&scratch, args, &TEXT_OF(LINE_BYTES))
                            : NULL;
    if (fault != NULL) {
        screen_warn(ui, "%s", fault);
        return;
    }
    screen_open_about_person(ui, "set_up", args);
}

/* Sets a row's value from a typed text; false if the text is invalid. */
static bool set_up_set_row_value(struct set_up_state *state, int row, const char *value)
{
    int number = parse_number(value);
    switch (row) {
    case ROW_GAME:
        number = option_find_game(value);
        if (number >= 0) {
            set_up_choose_game(state, (uint8_t)number);
        }
        return number >= 0;
    case ROW_PLAYERS:
        return set_up_choose_player_count(state, number);
    case ROW_CLOCK:
        return parse_and_choose_clock(state, value);
    case ROW_PACE:
        return pace_from_word(value, &state->pace);
    case ROW_FIT:
        return eligibility_parse(value, &state->fit);
    case ROW_WATCH:
        return watch_rule_parse(value, &state->watch);
    case ROW_PASSWORD:
        snprintf(state->password, sizeof(state->password), "%s", value);
        return strlen(value) < sizeof(state->password);
    case ROW_BOTS:
        return parse_and_choose_bot_level(state, value);
    default:
        return parse_and_choose_option(state, row - ROW_OPTION, value);
    }
}

/* The set-up of a new table, or the settings of the entered one. Each setting has a row; left and
 * right change its value. */

#define LABEL_WIDTH_MIN 16
#define CLOCK_USUAL 2

/* The texts of the rows that the screen has for every game. */
static const struct {
    const char *keyword; /* the word to type for the row in plain mode */
    const char *label;
    const char *values; /* which values can be typed; NULL: the values are listed or obvious */
} set_up_rows[ROW_COUNT] = {
    [ROW_GAME] = {"game", N_("Game"), NULL},
    [ROW_PLAYERS] = {"players", N_("Players"), NULL},
    [ROW_CLOCK] = {"clock", N_("Clock"), N_("none, 30s, 10m+5s, 2d and the like")},
    [ROW_PACE] = {"pace", N_("Pace"), N_("quick, normal or slow")},
    [ROW_FIT] = {"open-to", N_("Open to"), N_("all, rating 1400-1700, finished 80% or both")},
    [ROW_WATCH] =
        {"watching", N_("Watched by"),
         N_("public, delay (a round behind), delay 10 (10 moves behind), friends or none")},
    [ROW_PASSWORD] = {"password", N_("Password"), NULL},
    [ROW_BOTS] = {"bots", N_("Bots"), N_("usual, easy, medium or strong")},
};

static const struct clock_rule *get_chosen_clock(const struct set_up_state *state)
{
    const struct clock_rule *listed = get_offered_clock(state->clock);
    return listed != NULL ? listed : &state->own_clock;
}

/* Returns the game's option that the row sets; NULL if the row exists for every game. */
static const struct option_def *find_option_of_row(const struct set_up_state *state, int row)
{
    const struct game_def *game = set_up_get_chosen_game(state);
    int option = row - ROW_OPTION;
    return option >= 0 && option < game->option_count ? &game->options[option] : NULL;
}

static const char *get_row_keyword(const struct set_up_state *state, int row)
{
    const struct option_def *option = find_option_of_row(state, row);
    return option != NULL ? option->key : set_up_rows[row].keyword;
}

static const char *get_row_label(const struct set_up_state *state, int row)
{
    const struct option_def *option = find_option_of_row(state, row);
    return option != NULL ? _(option->title) : _(set_up_rows[row].label);
}

static bool is_row_shown(const struct set_up_state *state, int row)
{
    const struct option_def *option = find_option_of_row(state, row);
    if (row == ROW_GAME || row == ROW_PASSWORD || row == ROW_BOTS) {
        return state->table == 0; /* an existing table's game cannot change, its password is changed
                                     with another key, and bots are added one by one */
    }
    return option != NULL
               ? game_option_applies(set_up_get_chosen_game(state), &state->config, option)
               : set_up_rows[row].keyword != NULL;
}

static void enter_table_set_up(struct ui *ui, void *opaque, int64_t argument)
{
    struct set_up_state *state = opaque;
    const struct model_entered *entered = screen_model(ui)->entered;
    memset(state, 0, sizeof(*state));
    state->clock = CLOCK_USUAL;
    set_up_choose_game(state, 0);
    if (ui->about[0] != '\0') {
        /* The command that opened this screen has already reported invalid arguments. */
        (void)set_up_choose_game_from_words(state, ui->about, &TEXT_OF(LINE_BYTES));
        return;
    }
    if (argument == 0 || entered == NULL || entered->row.id != argument) {
        return;
    }
    state->table = argument;
    state->row = ROW_PLAYERS;
    state->config = entered->config;
    state->game = option_find_game_index(entered->row.game);
    set_up_choose_clock(state, &entered->row.clock);
    state->pace = (enum pace)entered->details.pace;
    state->fit = entered->row.fit;
    state->watch = entered->row.watch;
}

/* Returns the next visible row in `direction` (1 or -1); the current row if there is none. */
static int find_next_visible_row(const struct set_up_state *state, int direction)
{
    for (int row = state->row + direction; row >= 0 && row < ROW_COUNT; row += direction) {
        if (is_row_shown(state, row)) {
            return row;
        }
    }
    return state->row;
}

static uint8_t compute_next_index_or_wrap(uint8_t index, int count, int direction)
{
    return (uint8_t)((index + direction + count) % count);
}

static void change_selected_value(struct set_up_state *state, int direction)
{
    const struct game_def *game = set_up_get_chosen_game(state);
    const struct option_def *option = find_option_of_row(state, state->row);
    if (state->row == ROW_GAME) {
        set_up_choose_game(state, compute_next_index_or_wrap(state->game, game_count(), direction));
    } else if (state->row == ROW_PLAYERS) {
        (void)set_up_choose_player_count(state, state->config.players + direction);
    } else if (state->row == ROW_CLOCK) {
        bool has_own = get_offered_clock(find_clock_index(&state->own_clock)) == NULL;
        state->clock =
            compute_next_index_or_wrap(state->clock, find_clock_index(NULL) + has_own, direction);
        state->is_clock_chosen = true;
    } else if (state->row == ROW_PACE) {
        state->pace = option_next_pace(state->pace, direction);
    } else if (state->row == ROW_WATCH) {
        set_up_change_who_may_watch(state, direction);
    } else if (state->row == ROW_BOTS) {
        state->bots = (enum bot_level)compute_next_index_or_wrap(
            (uint8_t)state->bots, (int)bot_level_words.count, direction);
    } else if (option != NULL) {
        uint8_t *value = &state->config.options[state->row - ROW_OPTION];
        *value = compute_next_index_or_wrap(*value, option->value_count, direction);
        game_config_reset_unused_options(game, &state->config);
    }
}

/* Returns which bots the key b seats when it opens the table. */
static const char *describe_bots(enum bot_level level)
{
    static const char *const sentences[] = {
        [BOT_LEVEL_NONE] = N_("usual: easy for newcomers, medium for others"),
        [BOT_LEVEL_EASY] = N_("easy: they often choose a weaker move"),
        [BOT_LEVEL_MEDIUM] = N_("medium: they play by what they learned"),
        [BOT_LEVEL_STRONG] = N_("strong: they search for good moves"),
    };
    return _(sentences[level]);
}

static const char *write_row_value(const struct set_up_state *state, int row, struct text *out)
{
    const struct game_def *game = set_up_get_chosen_game(state);
    switch (row) {
    case ROW_GAME:
        text_put(out, _(game->title));
        break;
    case ROW_PLAYERS:
        text_format(out, _("%u (from %u to %u)"), state->config.players, game->seats_min,
                    game->seats_max);
        break;
    case ROW_CLOCK:
        option_write_clock(get_chosen_clock(state), out);
        break;
    case ROW_PACE:
        text_put(out, option_describe_table_pace(state->pace));
        break;
    case ROW_FIT:
        option_write_eligibility(&state->fit, out);
        break;
    case ROW_WATCH:
        option_write_watch_rule(&state->watch, out);
        break;
    case ROW_PASSWORD:
        text_put(out, state->password[0] != '\0' ? state->password : _("none: open to all"));
        break;
    case ROW_BOTS:
        text_put(out, describe_bots(state->bots));
        break;
    default:
        option_write_value(find_option_of_row(state, row), state->config.options[row - ROW_OPTION],
                           out);
        break;
    }
    return out->at;
}

/* Returns the first value to show if not all values fit, so that the chosen one is in the
 * middle. */
static int compute_first_visible_value(int chosen_value, int value_count, int height)
{
    int first = chosen_value - height / 2;
    first = first > value_count - height ? value_count - height : first;
    return first < 0 ? 0 : first;
}

/* Draws the values of the selected row, the chosen one marked. */
static void draw_possible_values(const struct canvas *canvas, const struct area *area,
                                 const struct set_up_state *state)
{
    const struct option_def *option = find_option_of_row(state, state->row);
    int count = state->row == ROW_CLOCK ? find_clock_index(NULL)
                : option != NULL        ? option->value_count
                                        : 0;
    int chosen = option != NULL ? state->config.options[state->row - ROW_OPTION] : state->clock;
    int first = compute_first_visible_value(chosen, count, area->height);
    for (int i = first; i < count && i < first + area->height; i++) {
        struct text value = TEXT_OF(LINE_BYTES);
        text_put(&value, i == chosen ? "* " : "  ");
        if (option != NULL) {
            option_write_value(option, (uint8_t)i, &value);
        } else {
            option_write_clock(get_offered_clock((size_t)i), &value);
        }
        draw_text(canvas, area->row + i - first, area->column, area->width,
                  i == chosen ? STYLE_STRONG : STYLE_DIM, value.at);
    }
}

/* Returns the width of the widest label, with the blank before the values. */
static int measure_widest_label(const struct set_up_state *state)
{
    int width = LABEL_WIDTH_MIN;
    for (int row = 0; row < ROW_COUNT; row++) {
        int wanted =
            is_row_shown(state, row) ? draw_measure_text(get_row_label(state, row)) + 2 : 0;
        width = wanted > width ? wanted : width;
    }
    return width;
}

static void draw_setting_row(const struct canvas *canvas, const struct area *line,
                             const struct set_up_state *state, int row)
{
    int labels = measure_widest_label(state);
    bool is_selected = row == state->row;
    const char *value = write_row_value(state, row, &TEXT_OF(LINE_BYTES));
    if (is_selected) {
        draw_filled_area(canvas, line, STYLE_SELECTED);
    }
    draw_text(canvas, line->row, line->column + 1, labels - 2,
              is_selected ? STYLE_SELECTED : STYLE_DIM, get_row_label(state, row));
    if (is_selected && row != ROW_PASSWORD) {
        draw_formatted_text(canvas, line->row, line->column + labels, line->width - labels,
                            STYLE_SELECTED, "%s %s %s",
                            theme_glyph_text(canvas->theme, GLYPH_ARROW_LEFT), value,
                            theme_glyph_text(canvas->theme, GLYPH_ARROW_RIGHT));
    } else {
        draw_text(canvas, line->row, line->column + labels + 2, line->width - labels - 2,
                  is_selected ? STYLE_SELECTED : STYLE_PLAIN, value);
    }
}

static void draw_table_set_up(UNUSED struct ui *ui, void *opaque, const struct canvas *canvas)
{
    struct set_up_state *state = opaque;
    const struct game_def *game = set_up_get_chosen_game(state);
    const struct area *body = &canvas->body;
    draw_header(canvas, state->table == 0 ? _("A new table") : _("This table's settings"), "");
    int row = body->row + 2;
    draw_text(canvas, row, body->column + 3, body->width - 4, STYLE_TITLE, _(game->title));
    struct area pitch = {row + 1, body->column + 3, 2, body->width - 6};
    row += 2 + draw_wrapped_text(canvas, &pitch, STYLE_PLAIN, _(game->face->pitch), 0, 0);
    for (int i = 0; i < ROW_COUNT && row < body->row + body->height; i++) {
        struct area line = {row, body->column + 2, 1, body->width - 4};
        if (is_row_shown(state, i)) {
            draw_setting_row(canvas, &line, state, i);
            row++;
        }
    }
    int labels = measure_widest_label(state);
    struct area values = {row + 1, body->column + 2 + labels, body->row + body->height - row - 1,
                          body->width - labels - 4};
    draw_possible_values(canvas, &values, state);
}

static void close_saved_table_set_up(struct ui *ui, UNUSED const struct ui_answer *answer)
{
    screen_close(ui);
}

/* Shows the new table. The request that opened it has already given the person the first seat. */
static void enter_new_table(struct ui *ui, const struct ui_answer *answer)
{
    const struct set_up_state *state = answer->state;
    uint8_t bots = state->is_with_bots ? (uint8_t)(state->config.players - 1) : 0;
    enum bot_level level = state->bots;
    screen_close(ui);
    visit_new_table(ui, answer->json, bots, level);
}

static void send_table_settings(struct ui *ui, struct set_up_state *state, bool is_with_bots)
{
    const struct game_def *game = set_up_get_chosen_game(state);
    if (is_with_bots && !state->is_clock_chosen) {
        /* a game against bots needs no clock */
        struct clock_rule none = clock_rule_from_seconds(0);
        set_up_choose_clock(state, &none);
    }
    json_t *fields = json_pack(
        "{s:i, s:o, s:o, s:s, s:o, s:o}", "players", (int)state->config.players, "options",
        config_to_json(game, &state->config), "clock", clock_rule_to_json(get_chosen_clock(state)),
        "pace", row_word_of_value(&pace_words, state->pace), "fit",
        eligibility_to_json(&state->fit), "watch", watch_rule_to_json(&state->watch));
    if (state->table != 0) {
        screen_send_and_handle_success(ui, "table_set", fields, close_saved_table_set_up, 0);
        return;
    }
    state->is_with_bots = is_with_bots;
    json_object_set_new(fields, "game", json_string(game->id));
    if (state->password[0] != '\0') {
        json_object_set_new(fields, "password", json_string(state->password));
    }
    screen_send_and_handle_success(ui, "table_open", fields, enter_new_table, 0);
}

static void set_table_password(UNUSED struct ui *ui, void *opaque, const char *text)
{
    struct set_up_state *state = opaque;
    if (text != NULL && strlen(text) < sizeof(state->password)) {
        snprintf(state->password, sizeof(state->password), "%s", text);
    }
}

static void set_who_may_sit_down(struct ui *ui, void *opaque, const char *text)
{
    struct set_up_state *state = opaque;
    if (text != NULL && !eligibility_parse(text, &state->fit)) {
        screen_warn(ui, "%s", _("Say all, or for example: rating 1400-1700 finished 80%"));
    }
}

static void ask_who_may_sit_down(struct ui *ui, const struct set_up_state *state)
{
    struct text now = TEXT_OF(ELIGIBILITY_SIZE);
    eligibility_write(&state->fit, &now);
    screen_ask(ui, ASK_WORDS, _("Who may sit down (all; rating 1400-1700 finished 80%):"), now.at,
               set_who_may_sit_down);
}

static bool handle_table_set_up_key(struct ui *ui, void *opaque, const struct press *press)
{
    struct set_up_state *state = opaque;
    uint32_t letter = press->kind == PRESS_CHAR ? press->code : 0;
    bool is_right = press->kind == PRESS_RIGHT || letter == 'l' || letter == ' ';
    bool is_new = state->table == 0;
    if (press->kind == PRESS_UP || letter == 'k') {
        state->row = find_next_visible_row(state, -1);
    } else if (press->kind == PRESS_DOWN || press->kind == PRESS_TAB || letter == 'j') {
        state->row = find_next_visible_row(state, 1);
    } else if (press->kind == PRESS_LEFT || letter == 'h') {
        change_selected_value(state, -1);
    } else if ((is_right && state->row == ROW_PASSWORD) || (letter == 'p' && is_new)) {
        screen_ask(ui, ASK_WORDS, _("Password that lets people in (empty: none):"), state->password,
                   set_table_password);
    } else if (is_right && state->row == ROW_FIT) {
        ask_who_may_sit_down(ui, state);
    } else if (is_right) {
        change_selected_value(state, 1);
    } else if (press->kind == PRESS_ENTER || (letter == 'b' && is_new)) {
        send_table_settings(ui, state, letter == 'b');
    } else {
        return false;
    }
    return true;
}

/* Writes which values a row can have; writes nothing if any value is possible. */
static const char *write_possible_values(const struct set_up_state *state, int row,
                                         struct text *out)
{
    const struct option_def *option = find_option_of_row(state, row);
    for (uint8_t i = 0; row == ROW_GAME && i < game_count(); i++) {
        text_format_list_item(out, "%s", _(game_at(i)->title));
    }
    for (uint8_t i = 0; option != NULL && i < option->value_count; i++) {
        const char *title = option_write_value(option, i, &TEXT_OF(LINE_BYTES));
        if (option->values[i].word == NULL) {
            text_format_list_item(out, "%s", title);
        } else {
            text_format_list_item(out, "%s (%s)", option->values[i].word, title);
        }
    }
    text_put(out, set_up_rows[row].values != NULL ? _(set_up_rows[row].values) : "");
    return out->at;
}

static void print_row_value(const struct set_up_state *state, int row, struct lines *lines)
{
    lines_format(lines, "%s: %s.", get_row_keyword(state, row),
                 write_row_value(state, row, &TEXT_OF(LINE_BYTES)));
}

static void print_row_with_possible_values(const struct set_up_state *state, int row,
                                           struct lines *lines)
{
    const char *values = write_possible_values(state, row, &TEXT_OF(LINES_LINE_MAX));
    print_row_value(state, row, lines);
    if (values[0] != '\0') {
        lines_format(lines, _("%s can be: %s."), get_row_keyword(state, row), values);
    }
}

static bool print_table_set_up(UNUSED struct ui *ui, void *opaque, struct lines *lines)
{
    const struct set_up_state *state = opaque;
    lines_format(lines, "%s. %s", state->table == 0 ? _("A new table") : _("This table's settings"),
                 _(set_up_get_chosen_game(state)->face->pitch));
    for (int row = 0; row < ROW_COUNT; row++) {
        if (is_row_shown(state, row)) {
            print_row_with_possible_values(state, row, lines);
        }
    }
    lines_put(lines, _("Type a setting and its value, for example: players 3"));
    lines_put(
        lines,
        state->table == 0
            ? _("Then type open to open the table, bots to open it with bots and start, or /back "
                "to open none.")
            : _("Then type keep to keep these settings, or /back to leave them as they were."));
    return true;
}

/* Returns the row with that keyword; -1 if there is none. */
static int find_row_by_keyword(const struct set_up_state *state, const char *keyword)
{
    for (int row = 0; row < ROW_COUNT; row++) {
        if (is_row_shown(state, row) && strcasecmp(get_row_keyword(state, row), keyword) == 0) {
            return row;
        }
    }
    return -1;
}

static bool handle_table_set_up_line(struct ui *ui, void *opaque, const char *line)
{
    struct set_up_state *state = opaque;
    struct lines *lines = screen_get_plain_lines(ui);
    char word[LINE_BYTES];
    const char *value = command_read_word(line, word, sizeof(word));
    int row = find_row_by_keyword(state, word);
    bool is_new = state->table == 0;
    if (strcasecmp(line, is_new ? "open" : "keep") == 0) {
        send_table_settings(ui, state, false);
    } else if (is_new && strcasecmp(line, "bots") == 0) {
        send_table_settings(ui, state, true);
    } else if (row < 0) {
        return false;
    } else if (!set_up_set_row_value(state, row, value)) {
        screen_warn(ui, _("There is no such value for %s."), get_row_keyword(state, row));
        print_row_with_possible_values(state, row, lines);
    } else if (row == ROW_GAME) {
        screen_print_top_again(ui);
    } else {
        print_row_value(state, row, lines);
    }
    return true;
}

static void add_table_set_up_hints(UNUSED struct ui *ui, void *opaque, struct hints *hints)
{
    const struct set_up_state *state = opaque;
    hints_add(hints, "Enter", state->table == 0 ? _("open the table") : _("keep these"));
    hints_add(hints, _("arrows"), _("choose"));
    if (state->table == 0) {
        hints_add(hints, "b", _("with bots"));
        hints_add(hints, "p", _("password"));
    }
}

static const struct screen_key set_up_keys[] = {
    {N_("up down"), N_("go from setting to setting"), NULL, NULL},
    {N_("left right"), N_("change the value"), NULL, NULL},
    {"Enter", N_("open the table, or keep its new settings"), NULL, NULL},
    {"b", N_("open the table, fill it with bots and start at once"), "/quick", NULL},
    {"p", N_("set a password"), "/lock", NULL},
    {NULL, NULL, NULL, NULL},
};

const struct screen set_up_screen = {
    .name = "set_up",
    .title = N_("Table set-up"),
    .state_size = sizeof(struct set_up_state),
    .keys = set_up_keys,
    .enter = enter_table_set_up,
    .draw = draw_table_set_up,
    .key = handle_table_set_up_key,
    .hints = add_table_set_up_hints,
    .print = print_table_set_up,
    .line = handle_table_set_up_line,
};
