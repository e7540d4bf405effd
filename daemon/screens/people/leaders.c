#include "daemon/screens/table/table.h"

#include "daemon/base/i18n.h"

#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define WORD_MAX 64

/* Chooses which leaderboard is shown: of which game, for which time, and of which people. */

enum leader_span {
    LEADER_ALL,
    LEADER_MONTH,
    LEADER_WEEK,
    LEADER_SEASON,
    LEADER_SPANS,
};

/* The argument with which the screen is opened has the bytes of the filter, so that 0 filters
 * nothing. */
struct leader_filter {
    uint8_t game;    /* the game's index in the registry */
    uint8_t players; /* number of players in the games that count; 0: any */
    uint8_t span;    /* span of time of the games that count: one of enum leader_span */
    bool is_friends; /* the list shows only the person and the person's friends */
    bool is_bots;    /* the list shows bots instead of people */
};

static const struct {
    const char *word, *also; /* two words for the span of time, which people may type; requests
                                contain the first */
    const char *words;
} spans[LEADER_SPANS] = {
    [LEADER_ALL] = {"all", "ever", NULL},
    [LEADER_MONTH] = {"month", "30d", N_("last 30 days")},
    [LEADER_WEEK] = {"week", "7d", N_("last 7 days")},
    [LEADER_SEASON] = {"season", "quarter", N_("this season")},
};

static bool parse_span_word(const char *word, uint8_t *span)
{
    for (int i = 0; i < LEADER_SPANS; i++) {
        if (strcasecmp(word, spans[i].word) == 0 || strcasecmp(word, spans[i].also) == 0) {
            *span = (uint8_t)i;
            return true;
        }
    }
    return false;
}

/* "4p", "4". */
static bool parse_player_count(const char *word, uint8_t *players)
{
    bool is_good = word[0] >= '2' && word[0] <= '0' + SEATS_MAX &&
                   (word[1] == '\0' || strcasecmp(word + 1, "p") == 0);
    *players = is_good ? (uint8_t)(word[0] - '0') : *players;
    return is_good;
}

/* Reads the arguments of /leaders: a game's name and filters in any order, such as "hearts 4p
 * season". If a word is invalid, returns false and copies that word into `unknown`. */
static bool leader_filter_parse(const char *text, struct leader_filter *filter, char *unknown,
                                size_t cap)
{
    char word[WORD_MAX], name[2 * WORD_MAX] = "";
    struct text game = text_init(name, sizeof name);
    while (*text != '\0') {
        text = command_read_word(text, word, sizeof word);
        if (strcasecmp(word, "bots") == 0) {
            filter->is_bots = true;
        } else if (strcasecmp(word, "friends") == 0) {
            filter->is_friends = true;
        } else if (!parse_span_word(word, &filter->span) &&
                   !parse_player_count(word, &filter->players)) {
            /* A game's name may have several words. */
            text_put(&game, game.len > 0 ? " " : "");
            text_put(&game, word);
        }
    }
    int found = game.len > 0 ? option_find_game(name) : filter->game;
    if (found < 0) {
        snprintf(unknown, cap, "%s", name);
        return false;
    }
    filter->game = (uint8_t)found;
    return true;
}

void command_leaders(struct ui *ui, const char *args)
{
    struct leader_filter filter = {0};
    int64_t argument = 0;
    char unknown[64];
    if (!leader_filter_parse(args, &filter, unknown, sizeof unknown)) {
        screen_warn(ui, _("There is no game \"%s\" here."), unknown);
        return;
    }
    static_assert(sizeof filter <= sizeof argument, "a screen's argument holds the filter");
    memcpy(&argument, &filter, sizeof filter);
    screen_open(ui, "leaders", argument);
}

/* Adds the filter to the fields of a request. */
static void leader_filter_add_to_request(const struct leader_filter *filter, json_t *fields)
{
    json_object_set_new(fields, "game", json_string(game_at(filter->game)->id));
    json_object_set_new(fields, "span", json_string(spans[filter->span].word));
    json_object_set_new(fields, "players", json_integer(filter->players));
    json_object_set_new(fields, "among", json_string(filter->is_friends ? "friends" : "all"));
    json_object_set_new(fields, "bots", json_boolean(filter->is_bots));
}

/* Describes the filter: "4 at the table, this season"; writes nothing without a filter. */
static void leader_filter_describe(const struct leader_filter *filter, struct text *out)
{
    if (filter->players > 0) {
        text_format_list_item(out, _("%d at the table"), filter->players);
    }
    if (spans[filter->span].words != NULL) {
        text_format_list_item(out, "%s", _(spans[filter->span].words));
    }
    if (filter->is_friends) {
        text_format_list_item(out, "%s", _("friends"));
    }
    if (filter->is_bots) {
        text_format_list_item(out, "%s", _("bots"));
    }
}

/* Selects the next number of players that the game allows; after the largest, any number. */
static void leader_filter_select_next_player_count(struct leader_filter *filter)
{
    const struct game_def *game = game_at(filter->game);
    if (filter->players < game->seats_min) {
        filter->players = game->seats_min;
    } else if (filter->players < game->seats_max) {
        filter->players++;
    } else {
        filter->players = 0;
    }
}

/* Each column is as wide as its heading and its content need. Extra columns are shown on screens
 * wider than 80 columns. */
static const struct {
    int width;
    bool is_right;
    bool is_extra;
} columns[LEADER_COLUMNS] = {
    [LEADER_RANK] = {5, true, false},    [LEADER_CHANGE] = {5, true, false},
    [LEADER_NAME] = {16, false, false},  [LEADER_RATING] = {11, false, false},
    [LEADER_GAMES] = {6, true, false},   [LEADER_WINS] = {5, true, false},
    [LEADER_PLACE] = {6, true, false},   [LEADER_STAT] = {11, true, false},
    [LEADER_FINISHED] = {9, true, true}, [LEADER_STREAK] = {7, true, true},
    [LEADER_BEST] = {5, true, true},     [LEADER_BEST_DAY] = {11, true, true},
    [LEADER_SEEN] = {5, true, false},
};

/* Returns which of the extra columns (is_extra) or of the basic ones still fit into `width`, a bit
 * for each. Adds their widths to *used_width. */
static uint32_t select_columns_that_fit(int width, bool is_extra, int *used_width)
{
    uint32_t fit = 0;
    for (int i = 0; i < LEADER_COLUMNS; i++) {
        if (columns[i].is_extra == is_extra && *used_width + columns[i].width < width) {
            fit |= 1U << i;
            *used_width += columns[i].width + 1;
        }
    }
    return fit;
}

/* Returns the heading for the game's own statistic: the translated `title`, or "Stat" if that is
 * too long. */
static const char *get_stat_heading(const char *title)
{
    return draw_measure_text(_(title)) <= columns[LEADER_STAT].width ? _(title) : _("Stat");
}

/* Draws one person's row, or the headings if `row` is NULL. `first` and `stat` are the headings of
 * the column of names and of the game's statistic. Columns that do not fit are left out, the least
 * important ones first. */
static void draw_row_or_headings(const struct canvas *canvas, int screen_row, enum style style,
                                 const struct leader_row *row, const char *first, const char *stat)
{
    int used = 1, column = 1;
    uint32_t fit = select_columns_that_fit(canvas->body.width, false, &used);
    fit |= select_columns_that_fit(canvas->body.width, true, &used);
    for (int i = 0; i < LEADER_COLUMNS; i++) {
        struct text out = TEXT_OF(96);
        const char *heading = leader_column_heading((enum leader_column)i, false);
        if ((fit >> i & 1) == 0) {
            continue;
        }
        if (row != NULL) {
            leader_write_cell(canvas->theme, row, (enum leader_column)i, clock_unix_ms(), &out);
        } else {
            text_put(&out, i == LEADER_NAME     ? first
                           : i == LEADER_STAT   ? stat
                           : heading[0] != '\0' ? _(heading)
                                                : "");
        }
        bool is_left = !columns[i].is_right;
        (is_left ? draw_text : draw_text_right_aligned)(canvas, screen_row, column + is_left,
                                                        columns[i].width - is_left, style, out.at);
        column += columns[i].width + 1;
    }
}

/* The screen of a game's leaderboard. The person's own row and its neighbours stay visible. */

#define CHUNK 50  /* rows requested at once, which is the protocol's limit */
#define AROUND 11 /* the player's row and five neighbours above and below it */
#define TOP_MIN 3 /* minimum number of rows above the player's row and its neighbours */

struct leaders {
    struct leader_filter filter;
    struct list list;
    int offset, loaded; /* index of rows[0] in the whole list, and number of rows in rows[] */
    struct leader_row rows[CHUNK];
    bool has_me, is_young, is_asked, is_there;
    struct leader_row me;
    int around_count;
    struct leader_row around[AROUND];
    int64_t asked_tag; /* number of the last request; answers to older ones are dropped */
};

static const struct game_def *get_shown_game(const struct leaders *leaders)
{
    return game_at(leaders->filter.game);
}

static void handle_leaders_answer(struct ui *ui, const struct ui_answer *answer)
{
    struct leaders *leaders = answer->state;
    if (answer->tag != leaders->asked_tag) {
        return;
    }
    leaders->is_asked = false;
    if (!answer->is_ok) {
        screen_warn_of_refusal(ui, answer);
        return;
    }
    leaders->is_there = true;
    leaders->is_young = json_is_true(json_object_get(answer->json, "is_young"));
    leaders->loaded = (int)row_list_read(&leader_row_def, json_object_get(answer->json, "rows"),
                                         leaders->rows, CHUNK);
    const json_t *me = json_object_get(answer->json, "me");
    leaders->has_me = json_is_object(me) && leader_row_read(me, &leaders->me);
    if (leaders->offset == 0) {
        leaders->around_count = (int)row_list_read(
            &leader_row_def, json_object_get(answer->json, "around"), leaders->around, AROUND);
    }
    int64_t total = model_read_number(json_object_get(answer->json, "total"), 0);
    list_set_size(&leaders->list, total > 0 && total < INT32_MAX ? (int)total : 0,
                  leaders->list.visible);
}

static void request_leader_rows(struct ui *ui, struct leaders *leaders, int offset)
{
    leaders->offset = offset;
    leaders->is_asked = true;
    leaders->asked_tag++;
    json_t *fields = json_pack("{s:i, s:i}", "offset", offset, "count", CHUNK);
    leader_filter_add_to_request(&leaders->filter, fields);
    screen_send_request(ui, "leaders", fields, handle_leaders_answer, leaders->asked_tag);
}

/* If some rows that the screen shows are missing, requests them with some rows before and after. */
static void request_missing_rows(struct ui *ui, struct leaders *leaders)
{
    const struct list *list = &leaders->list;
    int end = list->top + list->visible < list->count ? list->top + list->visible : list->count;
    bool is_inside = list->top >= leaders->offset && end <= leaders->offset + leaders->loaded;
    if (!is_inside && !leaders->is_asked) {
        request_leader_rows(ui, leaders, list->top > CHUNK / 4 ? list->top - CHUNK / 4 : 0);
    }
}

/* Forgets the rows and requests the list that the filter chooses, from its top. */
static void reload_list_from_top(struct ui *ui, struct leaders *leaders)
{
    leaders->list = (struct list){.visible = leaders->list.visible};
    leaders->loaded = 0;
    leaders->around_count = 0;
    leaders->has_me = false;
    leaders->is_there = false;
    request_leader_rows(ui, leaders, 0);
}

static void change_shown_game(struct ui *ui, struct leaders *leaders, int direction)
{
    int count = game_count();
    leaders->filter.game = (uint8_t)((leaders->filter.game + direction + count) % count);
    leaders->filter.players = 0;
    reload_list_from_top(ui, leaders);
}

static void enter_leaders(struct ui *ui, void *state, int64_t argument)
{
    struct leaders *leaders = state;
    memcpy(&leaders->filter, &argument, sizeof leaders->filter);
    leaders->list.visible = 1;
    reload_list_from_top(ui, leaders);
}

static void draw_leader_row(struct ui *ui, const struct canvas *canvas, int screen_row,
                            const struct leader_row *row, bool is_selected)
{
    bool is_you = strcmp(row->name, screen_model(ui)->you.name) == 0;
    enum style style = is_selected ? STYLE_SELECTED : is_you ? STYLE_YOU : STYLE_PLAIN;
    if (is_selected) {
        struct area line = {screen_row, 0, 1, canvas->body.width};
        draw_filled_area(canvas, &line, style);
    }
    if (is_you) {
        draw_text(canvas, screen_row, 0, 1, style, ">");
    }
    draw_row_or_headings(canvas, screen_row, style, row, NULL, NULL);
}

static bool has_any_filter(const struct leader_filter *filter)
{
    return filter->players != 0 || filter->span != 0 || filter->is_friends;
}

static const char *choose_text_for_empty_list(const struct leaders *leaders)
{
    if (!leaders->is_there) {
        return _("Asking the house…");
    }
    if (leaders->list.count == 0 && has_any_filter(&leaders->filter)) {
        return _("Nobody is on this list: fewer filters show more. p changes the number of "
                 "players, t the time, f shows all or your friends.");
    }
    return leaders->list.count == 0
               ? _("Nobody is on this list yet. A rated game has a clock and at least two people.")
               : NULL;
}

/* Draws the explanation of the columns at the bottom. Returns the explanation's number of rows. */
static int draw_column_explanation(const struct leaders *leaders, const struct canvas *canvas)
{
    const char *stat = get_shown_game(leaders)->stat.title;
    bool is_long = strcmp(get_stat_heading(stat), _(stat)) != 0;
    struct text out = TEXT_OF(400);
    if (leaders->is_young) {
        text_put(
            &out,
            _("Nobody has played enough rated games for this list yet, so it shows everybody."));
        text_put(&out, " ");
    }
    /* xgettext:no-c-format */
    text_put(&out, _("? : the rating is still unsure. Won: shared wins count in part. Place: 100% "
                     "is always first, 0% always last."));
    if (is_long) {
        text_put(&out, " ");
        text_format(&out, _("Stat: %s."), _(stat));
    }
    struct area area = {0, 2, 4, canvas->body.width - 4};
    int rows = draw_wrapped_text(NULL, &area, STYLE_SYSTEM, out.at, 0, 0);
    area.row = canvas->body.row + canvas->body.height - rows;
    draw_wrapped_text(canvas, &area, STYLE_SYSTEM, out.at, 0, 0);
    return rows;
}

/* Counts the rows needed at the bottom for the player's own row, its neighbours and a separating
 * line; 0 if the list shows the player's row already. `row_count` is the number of rows below the
 * headings. */
static int count_pinned_rows(const struct leaders *leaders, int row_count)
{
    int at = leaders->me.rank - 1;
    int top = leaders->list.top;
    if (!leaders->has_me || leaders->filter.is_friends) {
        return 0; /* the list of friends contains the player's row anyway, with another rank */
    }
    if (leaders->me.rank > 0 && at >= top && at < top + row_count) {
        return 0;
    }
    bool has_room = row_count >= leaders->around_count + 1 + TOP_MIN;
    return has_room && leaders->around_count > 0 ? leaders->around_count + 1 : 2;
}

static void draw_pinned_rows(struct ui *ui, const struct leaders *leaders,
                             const struct canvas *canvas, int screen_row, int row_count)
{
    draw_horizontal_line(canvas, screen_row, 1, canvas->body.width - 2);
    if (row_count <= 2) {
        draw_leader_row(ui, canvas, screen_row + 1, &leaders->me, false);
        return;
    }
    for (int i = 0; i < leaders->around_count && i + 1 < row_count; i++) {
        draw_leader_row(ui, canvas, screen_row + 1 + i, &leaders->around[i], false);
    }
}

static void draw_leaders_header(const struct leaders *leaders, const struct canvas *canvas)
{
    char title[200], facts[64] = "";
    struct text filters = TEXT_OF(96);
    leader_filter_describe(&leaders->filter, &filters);
    snprintf(title, sizeof title, _("The best at %s"), _(get_shown_game(leaders)->title));
    if (filters.len > 0) {
        snprintf(title, sizeof title, _("The best at %s: %s"), _(get_shown_game(leaders)->title),
                 filters.at);
    }
    if (leaders->list.count > 0) {
        snprintf(facts, sizeof facts,
                 ngettext("%d player", "%d players", (unsigned long)leaders->list.count),
                 leaders->list.count);
    }
    draw_header(canvas, title, facts);
}

static void draw_leaders(struct ui *ui, void *state, const struct canvas *canvas)
{
    struct leaders *leaders = state;
    draw_leaders_header(leaders, canvas);
    int top = canvas->body.row + 3;
    int rows = canvas->body.height - 3;
    const char *words = choose_text_for_empty_list(leaders);
    if (words != NULL) {
        struct area area = {top, 2, 3, canvas->body.width - 4};
        draw_wrapped_text(canvas, &area, STYLE_PLAIN, words, 0, 0);
        return;
    }
    rows -= draw_column_explanation(leaders, canvas);
    int pinned = count_pinned_rows(leaders, rows);
    rows -= pinned;
    list_set_size(&leaders->list, leaders->list.count, rows);
    draw_row_or_headings(canvas, top - 1, STYLE_DIM, NULL, _("Player"),
                         get_stat_heading(get_shown_game(leaders)->stat.title));
    for (int i = 0; i < rows; i++) {
        int at = list_row_at_offset(&leaders->list, i);
        if (at >= leaders->offset && at < leaders->offset + leaders->loaded) {
            draw_leader_row(ui, canvas, top + i, &leaders->rows[at - leaders->offset],
                            at == leaders->list.selected);
        }
    }
    if (pinned > 0) {
        draw_pinned_rows(ui, leaders, canvas, top + rows, pinned);
    }
}

/* Changes the filter if the key belongs to one of its fields; false for other keys. */
static bool handle_filter_key(struct leader_filter *filter, uint32_t code)
{
    switch (code) {
    case 'p':
        leader_filter_select_next_player_count(filter);
        return true;
    case 't':
        filter->span = (uint8_t)((filter->span + 1) % LEADER_SPANS);
        return true;
    case 'f':
        filter->is_friends = !filter->is_friends;
        return true;
    case 'b':
        filter->is_bots = !filter->is_bots;
        return true;
    default:
        return false;
    }
}

/* Returns the row of the selected person; NULL if it has not arrived. */
static const struct leader_row *find_selected_leader(const struct leaders *leaders)
{
    int at = leaders->list.selected - leaders->offset;
    bool is_loaded = leaders->list.count > 0 && at >= 0 && at < leaders->loaded;
    return is_loaded ? &leaders->rows[at] : NULL;
}

static bool handle_leaders_key(struct ui *ui, void *state, const struct press *press)
{
    struct leaders *leaders = state;
    if (press->kind == PRESS_ENTER && find_selected_leader(leaders) != NULL) {
        screen_open_about_person(ui, "profile", find_selected_leader(leaders)->name);
        return true;
    }
    if (game_count() > 1 && (press->kind == PRESS_TAB || press->kind == PRESS_RIGHT)) {
        change_shown_game(ui, leaders, 1);
        return true;
    }
    if (game_count() > 1 && (press->kind == PRESS_BACKTAB || press->kind == PRESS_LEFT)) {
        change_shown_game(ui, leaders, -1);
        return true;
    }
    if (press->kind == PRESS_CHAR && handle_filter_key(&leaders->filter, press->code)) {
        reload_list_from_top(ui, leaders);
        return true;
    }
    if (list_handle_key(&leaders->list, press)) {
        request_missing_rows(ui, leaders);
        return true;
    }
    return false;
}

static bool person_row_is_loaded(const struct leaders *leaders, const char *name)
{
    for (int i = 0; i < leaders->loaded; i++) {
        if (strcmp(leaders->rows[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static bool print_leaders(UNUSED struct ui *ui, void *state, struct lines *lines)
{
    const struct leaders *leaders = state;
    const char *words = choose_text_for_empty_list(leaders);
    const char *stat = get_shown_game(leaders)->stat.title;
    struct text filters = TEXT_OF(96);
    int64_t now_ms = clock_unix_ms();
    if (!leaders->is_there) {
        return false;
    }
    lines_format(lines, _("The best at %s. Other games: /leaders and a game's name."),
                 _(get_shown_game(leaders)->title));
    leader_filter_describe(&leaders->filter, &filters);
    if (filters.len > 0) {
        lines_format(lines, _("Only: %s."), filters.at);
    }
    lines_put(lines, _("Filters, in any order: 4p, all, month, week, season, friends, bots."));
    if (words != NULL) {
        lines_put(lines, words);
    }
    for (int i = 0; i < leaders->loaded; i++) {
        leader_put_row_line(&leaders->rows[i], stat, now_ms, lines);
    }
    if (leaders->has_me && !person_row_is_loaded(leaders, leaders->me.name)) {
        lines_put(lines, _("You and your neighbours on the list:"));
        if (leaders->around_count == 0) {
            leader_put_row_line(&leaders->me, stat, now_ms, lines);
        }
        for (int i = 0; i < leaders->around_count; i++) {
            leader_put_row_line(&leaders->around[i], stat, now_ms, lines);
        }
    }
    return true;
}

static void add_leaders_hints(UNUSED struct ui *ui, void *state, struct hints *hints)
{
    const struct leaders *leaders = state;
    if (find_selected_leader(leaders) != NULL) {
        hints_add(hints, "Enter", _("profile"));
    }
    if (leaders->list.count > 1) {
        hints_add(hints, "↑ ↓", _("scroll"));
    }
}

static const struct screen_key leaders_keys[] = {
    {"Enter", N_("the player's profile: ratings over time, last games"), "/finger", NULL},
    {"Tab", N_("the next game (also with the arrows left and right)"), "/leaders", N_("next game")},
    {"p", N_("games with a certain number of players, or all games"), "/leaders", N_("players")},
    {"t", N_("all time, the last 30 days, the last 7, this season"), "/leaders", N_("time")},
    {"f", N_("only yourself and your friends, or everybody"), "/leaders", N_("friends")},
    {"b", N_("the bots' list, or the people's"), "/leaders", N_("bots")},
    {NULL, NULL, NULL, NULL},
};

const struct screen leaders_screen = {
    .name = "leaders",
    .title = N_("Leaderboard"),
    .state_size = sizeof(struct leaders),
    .keys = leaders_keys,
    .enter = enter_leaders,
    .draw = draw_leaders,
    .key = handle_leaders_key,
    .hints = add_leaders_hints,
    .print = print_leaders,
};

/* Lists of finished games. */

/* The area in which a screen draws a column. If the width is 0, the column ends at the right edge
 * of the screen. */
struct played_column_area {
    enum played_column column;
    int left, width;
};

/* Draws the columns of one game; if `played` is NULL, draws the headings. */
static void draw_game_row_or_headings(const struct canvas *canvas, int row, enum style style,
                                      const struct played_column_area *column_areas,
                                      size_t column_count, const struct played *played)
{
    for (size_t i = 0; i < column_count; i++) {
        const struct played_column_area *place = &column_areas[i];
        struct text out = TEXT_OF(PLAYED_OPPONENTS_SIZE);
        bool is_victory = played != NULL && place->column == PLAYED_PLACE && played->rank == 1;
        if (played == NULL) {
            text_put(&out, _(played_headings[place->column].title));
        } else {
            played_write_cell(played, place->column, &out);
        }
        (played_headings[place->column].is_right_aligned ? draw_text_right_aligned : draw_text)(
            canvas, row, place->left,
            place->width > 0 ? place->width : canvas->body.width - place->left - 1,
            is_victory && style == STYLE_PLAIN ? STYLE_GOOD : style, out.at);
    }
}

/* Draws the headings in screen row `row`, and below them the visible games of the list. */
static void draw_finished_games(const struct canvas *canvas, int row, const struct list *list,
                                const struct played *games,
                                const struct played_column_area *column_areas, size_t column_count)
{
    draw_game_row_or_headings(canvas, row, STYLE_DIM, column_areas, column_count, NULL);
    for (int i = 0; i < list->visible && list_row_at_offset(list, i) >= 0; i++) {
        int index = list_row_at_offset(list, i);
        enum style style = index == list->selected ? STYLE_SELECTED : STYLE_PLAIN;
        if (index == list->selected) {
            struct area line = {row + 1 + i, 0, 1, canvas->body.width};
            draw_filled_area(canvas, &line, style);
            draw_text(canvas, row + 1 + i, column_areas[0].left - 2, 1, style, ">");
        }
        draw_game_row_or_headings(canvas, row + 1 + i, style, column_areas, column_count,
                                  &games[index]);
    }
}

/* Adds a line for plain mode: "12: 2026-11-20, (title), place 1 of 4, score 31, rating +12, with
 * ada and bob." */
static void print_finished_game(const struct played *played, struct lines *lines)
{
    struct text line = TEXT_OF(LINES_LINE_MAX);
    int32_t change = played->change_tenths / 10;
    text_format(&line, _("%lld: %s, %s, place %s"), (long long)played->game_id,
                words_write_day(played->ended_ms, &TEXT_OF(64)), _(played->game->title),
                played_write_cell(played, PLAYED_PLACE, &TEXT_OF(64)));
    if (played->score == ROW_NONE) {
        text_format_list_item(&line, "%s", _("left for good"));
    } else {
        text_format_list_item(&line, _("score %d"), played->score);
    }
    if (played->change_tenths != ROW_NONE) {
        text_format_list_item(&line, change == 0 ? _("rating unchanged") : _("rating %+d"), change);
    }
    text_format_list_item(&line, _("with %s"), played->opponents);
    lines_format(lines, "%s.", line.at);
}

static void add_hints_of_games(struct hints *hints, int count)
{
    if (count > 0) {
        hints_add(hints, "Enter", _("replay"));
        hints_add(hints, "↑ ↓", _("choose"));
    }
}

/* The screen of a player's profile: statistics of each game, the rating over time, and recent
 * games, which Enter replays. */

#define GAMES_MAX 8
#define RECENT_MAX 10
#define CHART_ROWS 5

struct profile_game {
    struct leader_row row;
    struct standing_row standing;
};

struct profile {
    struct profile_row who;
    bool is_there;
    struct profile_game games[GAMES_MAX];
    int game_count;
    int shown; /* index of the game whose chart is shown */
    struct played recent[RECENT_MAX];
    int recent_count;
    struct list list;  /* the list of recent games */
    int64_t asked_tag; /* number of the last request; answers to older ones are dropped */
};

static void handle_profile_answer(struct ui *ui, const struct ui_answer *answer)
{
    struct profile *profile = answer->state;
    if (answer->tag != profile->asked_tag) {
        return;
    }
    if (!answer->is_ok) {
        screen_warn_of_refusal(ui, answer);
        screen_close(ui);
        return;
    }
    (void)profile_row_read(answer->json, &profile->who);
    profile->game_count = 0;
    for (size_t i = 0; i < json_array_size(json_object_get(answer->json, "games")); i++) {
        const json_t *game = json_array_get(json_object_get(answer->json, "games"), i);
        if (profile->game_count < GAMES_MAX) {
            struct profile_game *at = &profile->games[profile->game_count];
            profile->game_count += leader_read_standing(game, &at->row, &at->standing);
        }
    }
    profile->is_there = true;
}

static void handle_recent_games_answer(UNUSED struct ui *ui, const struct ui_answer *answer)
{
    struct profile *profile = answer->state;
    /* if the request for recent games was refused, the answer to `profile` shows why */
    const json_t *rows = answer->tag == profile->asked_tag && answer->is_ok
                             ? json_object_get(answer->json, "rows")
                             : NULL;
    for (size_t i = 0; i < json_array_size(rows) && profile->recent_count < RECENT_MAX; i++) {
        profile->recent_count += played_read_game(json_array_get(rows, i), profile->who.name,
                                                  INT_MAX, &profile->recent[profile->recent_count]);
    }
}

static void enter_profile(struct ui *ui, void *state, UNUSED int64_t argument)
{
    struct profile *profile = state;
    const char *about = ui->about;
    int64_t tag = profile->asked_tag + 1;
    *profile = (struct profile){.asked_tag = tag};
    snprintf(profile->who.name, sizeof profile->who.name, "%s",
             about[0] != '\0' ? about : screen_model(ui)->you.name);
    screen_send_request(ui, "profile", json_pack("{s:s}", "name", profile->who.name),
                        handle_profile_answer, tag);
    screen_send_request(ui, "games",
                        json_pack("{s:s, s:i}", "name", profile->who.name, "count", RECENT_MAX),
                        handle_recent_games_answer, tag);
}

static void write_joined_and_last_seen(const struct profile *profile, struct text *out)
{
    const char *since = words_write_day(profile->who.created_ms, &TEXT_OF(32));
    const char *seen = words_write_day(profile->who.seen_ms, &TEXT_OF(32));
    if (profile->who.is_here) {
        text_format(out, _("Here since %s. In the house now."), since);
    } else if (profile->who.seen_ms > 0) {
        text_format(out, _("Here since %s. Last seen %s."), since, seen);
    } else {
        text_format(out, _("Here since %s."), since);
    }
}

static const char *describe_kind_of_player(const struct profile *profile)
{
    return person_label(profile->who.kind, profile->who.level, profile->who.role);
}

static int draw_game_statistics(const struct profile *profile, const struct canvas *canvas,
                                int screen_row)
{
    draw_row_or_headings(canvas, screen_row++, STYLE_DIM, NULL, _("Game"), _("Stat"));
    for (int i = 0; i < profile->game_count; i++) {
        const struct profile_game *game = &profile->games[i];
        draw_row_or_headings(canvas, screen_row++, i == profile->shown ? STYLE_STRONG : STYLE_PLAIN,
                             &game->row, NULL, NULL);
    }
    return screen_row;
}

#define LABEL_WIDTH 6
#define EIGHTHS 8
/* The chart's scale covers a difference of at least this many points, so that small changes do not
 * look like cliffs. */
#define LEAST_SPAN 40

struct scale {
    int32_t low, high;
};

static struct scale find_range(const int32_t *values, int count)
{
    struct scale scale = {values[0], values[0]};
    for (int i = 1; i < count; i++) {
        scale.low = values[i] < scale.low ? values[i] : scale.low;
        scale.high = values[i] > scale.high ? values[i] : scale.high;
    }
    return scale;
}

static struct scale choose_chart_scale(const int32_t *values, int count)
{
    struct scale scale = find_range(values, count);
    if (scale.high - scale.low < LEAST_SPAN) {
        scale.low = (scale.low + scale.high - LEAST_SPAN) / 2;
        scale.high = scale.low + LEAST_SPAN;
    }
    return scale;
}

static void put_bar_block(const struct canvas *canvas, int height_eighths, struct text *out)
{
    static const char *const blocks[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    static const char *const ascii[] = {" ", ".", ".", ".", "#", "#", "#", "#", "#"};
    int at = height_eighths < 0 ? 0 : height_eighths > EIGHTHS ? EIGHTHS : height_eighths;
    text_put(out, (canvas->theme->is_ascii ? ascii : blocks)[at]);
}

/* Draws a small chart of numbers over time: one bar per number, one column wide. If the area is too
 * narrow, only the newest numbers are shown. Bars consist of block characters that fill eighths of
 * a row, or of # and . in ASCII mode. The highest and the lowest number are written at the left
 * edge. */
static void draw_chart(const struct canvas *canvas, const struct area *area, const int32_t *values,
                       int value_count)
{
    int width = area->width - LABEL_WIDTH;
    if (value_count <= 0 || width <= 0 || area->height <= 0) {
        return;
    }
    if (value_count > width) {
        values += value_count - width;
        value_count = width;
    }
    const struct scale scale = choose_chart_scale(values, value_count);
    /* The lowest value is drawn too, as one eighth of a row. */
    const int levels = area->height * EIGHTHS - 1;
    for (int row = 0; row < area->height; row++) {
        struct text out = TEXT_OF(1024);
        int below = (area->height - 1 - row) * EIGHTHS;
        for (int i = 0; i < value_count; i++) {
            int level = 1 + (values[i] - scale.low) * levels / (scale.high - scale.low);
            put_bar_block(canvas, level - below, &out);
        }
        draw_text(canvas, area->row + row, area->column + LABEL_WIDTH, width, STYLE_GOOD, out.at);
    }
    draw_formatted_text(canvas, area->row, area->column, LABEL_WIDTH - 1, STYLE_DIM, "%d",
                        scale.high);
    draw_formatted_text(canvas, area->row + area->height - 1, area->column, LABEL_WIDTH - 1,
                        STYLE_DIM, "%d", scale.low);
}

static int draw_rating_chart(const struct profile *profile, const struct canvas *canvas,
                             int screen_row)
{
    const struct profile_game *game = &profile->games[profile->shown];
    struct area area = {screen_row + 1, 2, CHART_ROWS, canvas->body.width - 4};
    draw_formatted_text(canvas, screen_row, 2, canvas->body.width - 4, STYLE_DIM,
                        _("%s: the rating, game by game. Stat: %s."), _(game->standing.game->title),
                        _(game->standing.game->stat.title));
    draw_chart(canvas, &area, game->standing.chart.values, game->standing.chart.count);
    return screen_row + 1 + CHART_ROWS;
}

static void draw_recent_games(struct profile *profile, const struct canvas *canvas, int screen_row,
                              int row_count)
{
    static const struct played_column_area places[] = {
        {PLAYED_DAY, 4, 11},       {PLAYED_GAME, 16, 17},  {PLAYED_PLACE, 34, 8},
        {PLAYED_SCORE, 42, 6},     {PLAYED_CHANGE, 49, 7}, {PLAYED_NUMBER, 58, 8},
        {PLAYED_OPPONENTS, 68, 0},
    };
    list_set_size(&profile->list, row_count < 2 ? 0 : profile->recent_count, row_count - 1);
    if (profile->list.count > 0) {
        draw_finished_games(canvas, screen_row, &profile->list, profile->recent, places,
                            ARRAY_LEN(places));
    }
}

static void draw_profile(UNUSED struct ui *ui, void *state, const struct canvas *canvas)
{
    struct profile *profile = state;
    struct text facts = TEXT_OF(256);
    int at = canvas->body.row + 2;
    int end = canvas->body.row + canvas->body.height;
    draw_header(canvas, profile->who.name,
                profile->is_there ? describe_kind_of_player(profile) : "");
    if (!profile->is_there) {
        draw_text(canvas, at, 2, canvas->body.width - 4, STYLE_PLAIN, _("Asking the house…"));
        return;
    }
    write_joined_and_last_seen(profile, &facts);
    draw_text(canvas, at, 2, canvas->body.width - 4, STYLE_PLAIN, facts.at);
    at += 2;
    if (profile->game_count == 0) {
        draw_text(canvas, at, 2, canvas->body.width - 4, STYLE_PLAIN, _("No rated game yet."));
        at += 2;
    } else {
        at = draw_game_statistics(profile, canvas, at) + 1;
        at = draw_rating_chart(profile, canvas, at) + 1;
    }
    draw_recent_games(profile, canvas, at, end - at);
}

static void print_rating_history(const struct profile_game *game, struct lines *lines)
{
    const struct row_chart *chart = &game->standing.chart;
    if (chart->count > 1) {
        struct scale range = find_range(chart->values, chart->count);
        lines_format(lines, _("%s: the rating went from %d to %d, between %d and %d."),
                     _(game->standing.game->title), chart->values[0],
                     chart->values[chart->count - 1], range.low, range.high);
    }
}

static bool print_profile(UNUSED struct ui *ui, void *state, struct lines *lines)
{
    const struct profile *profile = state;
    struct text facts = TEXT_OF(256);
    if (!profile->is_there) {
        return false;
    }
    write_joined_and_last_seen(profile, &facts);
    lines_format(lines, "%s%s%s. %s", profile->who.name,
                 describe_kind_of_player(profile)[0] != '\0' ? ", " : "",
                 describe_kind_of_player(profile), facts.at);
    if (profile->game_count == 0) {
        lines_put(lines, _("No rated game yet."));
    }
    for (int i = 0; i < profile->game_count; i++) {
        const struct profile_game *game = &profile->games[i];
        leader_put_row_line(&game->row, game->standing.game->stat.title, clock_unix_ms(), lines);
        print_rating_history(game, lines);
    }
    for (int i = 0; i < profile->recent_count; i++) {
        print_finished_game(&profile->recent[i], lines);
    }
    return true;
}

static bool handle_profile_key(struct ui *ui, void *state, const struct press *press)
{
    struct profile *profile = state;
    if (press->kind == PRESS_TAB && profile->game_count > 1) {
        profile->shown = (profile->shown + 1) % profile->game_count;
        return true;
    }
    if (press->kind == PRESS_ENTER && profile->list.count > 0) {
        screen_open(ui, "replay", profile->recent[profile->list.selected].game_id);
        return true;
    }
    return list_handle_key(&profile->list, press);
}

static void add_profile_hints(UNUSED struct ui *ui, void *state, struct hints *hints)
{
    const struct profile *profile = state;
    add_hints_of_games(hints, profile->list.count);
    if (profile->game_count > 1) {
        hints_add(hints, "Tab", _("next game's chart"));
    }
}

static const struct screen_key profile_keys[] = {
    {"Enter", N_("go through the game step by step"), "/replay", NULL},
    {"Tab", N_("the chart of the next game"), NULL, NULL},
    {NULL, NULL, NULL, NULL},
};

const struct screen profile_screen = {
    .name = "profile",
    .title = N_("Profile"),
    .state_size = sizeof(struct profile),
    .keys = profile_keys,
    .enter = enter_profile,
    .draw = draw_profile,
    .key = handle_profile_key,
    .hints = add_profile_hints,
    .print = print_profile,
};

/* The screen that lists the person's finished games, newest first. Enter replays the selected
 * game. */

#define ROWS_MAX 1000
struct history {
    struct list list;
    struct played *rows;
    int count;
    bool is_asked, is_loaded, is_complete;
};

static void receive_games(struct ui *ui, const struct ui_answer *answer)
{
    struct history *history = answer->state;
    history->is_asked = false;
    if (!answer->is_ok) {
        screen_warn_of_refusal(ui, answer);
        return;
    }
    history->is_loaded = true;
    json_t *list = json_object_get(answer->json, "rows");
    size_t size = json_array_size(list);
    history->rows = must_not_be_null(
        realloc(history->rows, ((size_t)history->count + size + 1) * sizeof *history->rows));
    for (size_t i = 0; i < size && history->count < ROWS_MAX; i++) {
        history->count += played_read_game(json_array_get(list, i), screen_model(ui)->you.name,
                                           INT_MAX, &history->rows[history->count]);
    }
    history->is_complete = size < CHUNK || history->count >= ROWS_MAX;
    list_set_size(&history->list, history->count, history->list.visible);
}

static void request_more_games(struct ui *ui, struct history *history)
{
    if (history->is_asked || history->is_complete) {
        return;
    }
    json_t *fields = json_pack("{s:i}", "count", CHUNK);
    if (history->count > 0) {
        json_object_set_new(fields, "before",
                            json_integer((json_int_t)history->rows[history->count - 1].game_id));
    }
    history->is_asked = true;
    screen_send_request(ui, "games", fields, receive_games, 0);
}

static void history_enter(struct ui *ui, void *state, UNUSED int64_t argument)
{
    struct history *history = state;
    history->list.visible = 1;
    if (history->count == 0) {
        request_more_games(ui, history);
    }
}

static void history_leave(UNUSED struct ui *ui, void *state)
{
    struct history *history = state;
    free(history->rows);
}

static void history_draw(UNUSED struct ui *ui, void *state, const struct canvas *canvas)
{
    static const struct played_column_area places[] = {
        {PLAYED_DAY_AND_TIME, 2, 16}, {PLAYED_GAME, 20, 15},  {PLAYED_PLACE, 36, 8},
        {PLAYED_SCORE, 43, 6},        {PLAYED_CHANGE, 50, 7}, {PLAYED_OPPONENTS, 60, 0},
    };
    struct history *history = state;
    struct text facts = TEXT_OF(64);
    int top = canvas->body.row + 3, rows = canvas->body.height - 4;
    list_set_size(&history->list, history->count, rows);
    if (history->count > 0) {
        text_format(&facts,
                    history->is_complete
                        ? ngettext("%d game", "%d games", (unsigned long)history->count)
                        : _("%d and more"),
                    history->count);
    }
    draw_header(canvas, _("Your games"), facts.at);
    if (history->count == 0) {
        draw_text(canvas, top, 2, canvas->body.width - 4, STYLE_PLAIN,
                  history->is_loaded
                      ? _("No finished game yet. In the lobby, b starts a game against bots.")
                      : _("Asking the house…"));
        return;
    }
    draw_finished_games(canvas, top - 1, &history->list, history->rows, places, ARRAY_LEN(places));
}

static bool history_handle_key(struct ui *ui, void *state, const struct press *press)
{
    struct history *history = state;
    if (press->kind == PRESS_CLICK) {
        int row = list_row_at_offset(&history->list, press->row - 3);
        history->list.selected = row >= 0 ? row : history->list.selected;
        return true;
    }
    if (press->kind == PRESS_ENTER && history->count > 0) {
        screen_open(ui, "replay", history->rows[history->list.selected].game_id);
        return true;
    }
    bool is_used = list_handle_key(&history->list, press);
    if (is_used && history->list.selected >= history->count - history->list.visible) {
        request_more_games(ui, history);
    }
    return is_used;
}

static bool history_print(UNUSED struct ui *ui, void *state, struct lines *lines)
{
    const struct history *history = state;
    if (!history->is_loaded) {
        return false;
    }
    if (history->count == 0) {
        lines_put(lines, _("No finished game yet. /quick starts a game against bots."));
        return true;
    }
    lines_put(lines, _("Your games, newest first. /replay and its number replays a game."));
    for (int i = 0; i < history->count; i++) {
        print_finished_game(&history->rows[i], lines);
    }
    return true;
}

static void history_add_hints(UNUSED struct ui *ui, void *state, struct hints *hints)
{
    add_hints_of_games(hints, ((const struct history *)state)->count);
}

static const struct screen_key history_keys[] = {
    {"Enter", N_("look at the game again, move by move"), "/replay", NULL},
    {NULL, NULL, NULL, NULL},
};

const struct screen history_screen = {
    .name = "history",
    .title = N_("Your games"),
    .state_size = sizeof(struct history),
    .keys = history_keys,
    .enter = history_enter,
    .leave = history_leave,
    .draw = history_draw,
    .key = history_handle_key,
    .hints = history_add_hints,
    .print = history_print,
};
