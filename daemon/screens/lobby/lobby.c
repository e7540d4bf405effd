#include "daemon/screens/lobby/lobby.h"

#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/drawing/words.h"
#include "daemon/screens/model/model.h"
#include "daemon/screens/table/table.h"
#include "games/game.h"

#include <stdio.h>
#include <string.h>

enum pane {
    PANE_TABLES,
    PANE_PEOPLE,
    PANE_CHAT,
    PANE_COUNT,
};

struct lobby {
    uint8_t pane; /* the pane with the keyboard focus (enum pane) */
    struct lobby_tables tables;
    struct lobby_list people;
    struct {
        struct house_lists lists;
        bool is_asked, is_waiting; /* the rows have been requested; they have not all arrived */
    } printed;                     /* plain mode: what the lobby prints */
    int chat_scroll, chat_rows;
    bool has_asked_best;
    bool has_seen_tables; /* the person's own tables have arrived, and with them the entered one */
    struct lobby_best best;
    int64_t drawn_ms;
    bool was_told;                 /* plain mode: the person has been told what can be typed */
    struct area areas[PANE_COUNT]; /* where the panes were drawn last, for clicks */
};

static void lobby_request_best_game_if_alone(struct ui *ui, struct lobby *lobby, bool is_alone);

#define AWAY_S 180 /* seconds; a person who is idle for longer counts as away */

static struct row_key read_row_key(enum pane pane, const struct model_window *rows, int position)
{
    struct row_key key = {0};
    int at = position - rows->first;
    if (at >= 0 && at < rows->count && pane == PANE_PEOPLE) {
        snprintf(key.person, sizeof key.person, "%s", rows->people[at].name);
    } else if (at >= 0 && at < rows->count) {
        key.table = rows->tables[at].id;
    }
    return key;
}

/* Returns the row's position in the whole list; -1 if it is not in the window. */
static int find_row(enum pane pane, const struct model_window *rows, const struct row_key *row)
{
    for (int at = rows->first; at < rows->first + rows->count; at++) {
        struct row_key key = read_row_key(pane, rows, at);
        if (key.table == row->table && strcmp(key.person, row->person) == 0) {
            return at;
        }
    }
    return -1;
}

/* Keeps the same row selected while the list changes. Called before the list is drawn. */
static void update_list(struct lobby_list *rows, enum pane pane, const struct model_window *window)
{
    int position = find_row(pane, window, &rows->selected);
    if (!rows->is_chosen) {
        rows->list.selected = 0;
    } else if (position >= 0) {
        rows->list.selected = position;
    }
    list_set_size(&rows->list, window->total, rows->list.visible);
    rows->selected = read_row_key(pane, window, rows->list.selected);
}

static void write_whereabouts(const struct theme *theme, const struct person_row *person,
                              struct text *out)
{
    bool is_here = person->presence == PRESENCE_HERE;
    bool has_words = !is_here && person->presence_text[0] != '\0';
    if (!is_here) {
        text_put(out, person->presence == PRESENCE_DND ? _("busy") : _("away"));
        text_put(out, has_words ? ": " : "");
        text_put(out, person->presence_text);
    } else if (person->kind != PERSON_BOT && person->idle_s >= AWAY_S) {
        text_format(out, "%s ", _("away"));
        words_write_duration(theme, person->idle_s, out);
    } else if (person->table == 0) {
        text_put(out, _("lobby"));
    }
    if (person->table > 0 && !has_words) {
        text_put(out, out->len > 0 ? " " : "");
        text_format(out, person->is_seated ? _("at #%lld") : _("watching #%lld"),
                    (long long)person->table);
    }
}

/* True if the person has a friend of that name. */
static bool is_friend(const struct model *model, const char *name)
{
    for (int i = 0; i < model->friend_count; i++) {
        if (strcmp(model->friends[i], name) == 0) {
            return true;
        }
    }
    return false;
}

static void draw_person_row(const struct canvas *canvas, const struct area *area,
                            const struct model *model, const struct person_row *person,
                            bool is_selected)
{
    bool is_you = strcmp(person->name, model->you.name) == 0;
    enum style style = is_selected ? STYLE_SELECTED
                       : is_you    ? STYLE_YOU
                       : person->idle_s > AWAY_S || person->presence != PRESENCE_HERE ? STYLE_DIM
                                                                                      : STYLE_PLAIN;
    struct text where = TEXT_OF(ROW_PRESENCE_SIZE + 96);
    if (is_selected) {
        draw_filled_area(canvas, area, style);
        draw_text(canvas, area->row, area->column, 1, style, ">");
    } else if (is_friend(model, person->name)) {
        draw_text(canvas, area->row, area->column, 1, STYLE_STRONG, "+");
    }
    bool is_wide = area->width >= 40;
    int name_width = is_wide ? 17 : 10;
    draw_text(canvas, area->row, area->column + 1, name_width, style, person->name);
    int at = area->column + 1 + name_width + 1;
    draw_text(canvas, area->row, at, 6, style,
              person->kind == PERSON_BOT
                  ? person_brief_bot_label(person->level)
                  : words_write_rating(canvas->theme, &person->rating, &TEXT_OF(32)));
    at += 7;
    write_whereabouts(canvas->theme, person, &where);
    if (person->role != ROLE_PLAYER && is_wide) {
        text_format(&where, " (%s)", person_label(person->kind, person->level, person->role));
    }
    draw_text(canvas, area->row, at, area->column + area->width - at, style, where.at);
}

static void draw_people(struct lobby_list *people, const struct canvas *canvas,
                        const struct area *area, const struct model *model, bool is_active)
{
    list_set_size(&people->list, people->list.count, area->height);
    const struct model_window *window = &model->lists.people;
    for (int i = 0; i < window->count; i++) {
        int offset = window->first + i - people->list.top;
        if (list_row_at_offset(&people->list, offset) >= 0) {
            struct area row = {area->row + offset, area->column, 1, area->width};
            draw_person_row(canvas, &row, model, &window->people[i],
                            is_active && window->first + i == people->list.selected);
        }
    }
}

/* Positions and counts are multiples of this, so that many sessions ask for the same rows. */
#define ROWS_STEP 4

/* True if the window that has arrived has all rows that are on the screen. */
static bool window_covers_list(const struct model_window *window, const struct list *list)
{
    int end = list->top + list->visible;
    return list->top >= window->first &&
           (end < list->count ? end : list->count) <= window->first + window->count;
}

/* Returns how many rows to ask for: those in sight, because the core answers faster than anybody
 * scrolls. If a row was chosen, the core sends the rows around it, wherever it is on the screen. */
static int count_wanted_rows(const struct list *list, bool is_chosen)
{
    int needed = is_chosen ? 2 * list->visible + 1 : list->visible + ROWS_STEP - 1;
    int count = (needed + ROWS_STEP - 1) / ROWS_STEP * ROWS_STEP;
    return count > MODEL_WINDOW_MAX ? MODEL_WINDOW_MAX : count;
}

/* Returns the fields of the list for the message lobby_watch, which the caller releases. Asks for
 * another window only if the list has become another one, or the last window does not fit any
 * more. */
static json_t *query_window(struct lobby_list *rows, bool is_same_list,
                            const struct model_window *window)
{
    int count = count_wanted_rows(&rows->list, rows->is_chosen);
    if (!is_same_list || rows->asked.count != count || rows->asked.is_at_row != rows->is_chosen ||
        !window_covers_list(window, &rows->list)) {
        rows->asked.first = rows->list.top / ROWS_STEP * ROWS_STEP;
        rows->asked.count = count;
        rows->asked.is_at_row = rows->is_chosen;
        rows->asked.at = rows->is_chosen ? rows->selected : (struct row_key){0};
    }
    json_t *fields = json_pack("{s:i, s:i}", "first", rows->asked.first, "count", count);
    if (rows->asked.at.person[0] != '\0') {
        json_object_set_new(fields, "at", json_string(rows->asked.at.person));
    } else if (rows->asked.at.table != 0) {
        json_object_set_new(fields, "at", json_integer(rows->asked.at.table));
    }
    return fields;
}

/* Adds the filter. The core knows the games' English names, so the query names the games whose
 * translated names contain the filter's text. */
static void add_filter(json_t *fields, const char *filter)
{
    json_t *games = json_array();
    for (uint8_t i = 0; i < game_count(); i++) {
        if (strcasestr(_(game_at(i)->title), filter) != NULL) {
            json_array_append_new(games, json_string(game_at(i)->id));
        }
    }
    json_object_set_new(fields, "filter", json_string(filter));
    json_object_set_new(fields, "games", games);
}

static json_t *query_tables(struct lobby_tables *tables, const struct model_window *window)
{
    const struct table_choice *choice = &tables->choice;
    bool is_same_list = tables->asked.show == choice->show && tables->asked.sort == choice->sort &&
                        strcmp(tables->asked.filter, choice->filter) == 0;
    json_t *fields = query_window(&tables->rows, is_same_list, window);
    tables->asked = *choice;
    if (choice->show != SHOW_ALL) {
        json_object_set_new(fields, "show", json_string(lobby_tables_show_words[choice->show]));
    }
    if (choice->sort != SORT_USEFUL) {
        json_object_set_new(fields, "sort", json_string(lobby_tables_sort_words[choice->sort]));
    }
    if (choice->filter[0] != '\0') {
        add_filter(fields, choice->filter);
    }
    return fields;
}

#define LINE_BYTES 400

static void print_person(const struct model *model, const struct person_row *person,
                         struct lines *lines)
{
    struct text line = TEXT_OF(LINE_BYTES), where = TEXT_OF(LINE_BYTES);
    const char *mark = person_label(person->kind, person->level, person->role);
    text_put(&line, person->name);
    if (person->rating.value != ROW_NONE) {
        text_put_char(&line, ' ');
        words_write_rating(&theme_plain, &person->rating, &line);
    }
    if (mark[0] != '\0') {
        text_format_list_item(&line, "%s", mark);
    }
    if (is_friend(model, person->name)) {
        text_format_list_item(&line, "%s", _("a friend"));
    }
    person_write_location(person->table, person->is_seated, &where);
    text_format_list_item(&line, "%s", where.at);
    person_write_presence(person->presence, person->presence_text, person->idle_s, &line);
    lines_format(lines, "%s.", line.at);
}

void house_print_unlisted_people(const struct model_window *people, struct lines *lines)
{
    int more = people->total - people->count;
    if (more > 0) {
        lines_format(lines,
                     _("And %d more. Letters after /who list the names that begin so: /who ad"),
                     more);
    }
}

void house_print_people(const struct model *model, const struct house_lists *lists,
                        struct lines *lines)
{
    lines_format(lines,
                 ngettext("%d person is in.", "%d people are in.", (unsigned long)lists->here),
                 lists->here);
    for (int i = 0; i < lists->people.count; i++) {
        if (lists->people.people[i].kind != PERSON_BOT) {
            print_person(model, &lists->people.people[i], lines);
        }
    }
    house_print_unlisted_people(&lists->people, lines);
}

static void write_table_state(const struct model *model, const struct table_row *table,
                              struct text *out)
{
    const struct mine_row *mine = model_find_own_table(model, table->id);
    struct text state = TEXT_OF(LINE_BYTES);
    bool is_full = table->phase == TABLE_OPEN && table->seated == table->players;
    if (mine != NULL) {
        text_format_list_item(out, "%s",
                              mine->is_turn ? _("your seat, your turn") : _("your seat"));
    }
    table_write_state(table->phase, table->halt, table->round, table->rounds, &state);
    text_format_list_item(out, "%s", is_full ? _("about to begin") : state.at);
    if (table->is_locked) {
        text_format_list_item(out, "%s", _("with a password"));
    }
    if (eligibility_has_conditions(&table->fit)) {
        text_format_list_item(out, _("for %s"),
                              option_write_eligibility(&table->fit, &TEXT_OF(LINE_BYTES)));
    }
    if (table->watch.policy != WATCH_PUBLIC) {
        text_format_list_item(out, _("watched by %s"),
                              option_write_watch_rule(&table->watch, &TEXT_OF(LINE_BYTES)));
    }
    if (table->watchers > 0) {
        text_format_list_item(out, ngettext("%d watching", "%d watching", table->watchers),
                              (int)table->watchers);
    }
}

static void print_table(const struct model *model, const struct table_row *table,
                        struct lines *lines)
{
    struct text state = TEXT_OF(LINE_BYTES);
    write_table_state(model, table, &state);
    lines_format(lines, _("#%lld %s, host %s: %u of %u seats taken, clock %s, %s."),
                 (long long)table->id, _(table->game->title), table->host, table->seated,
                 table->players, option_write_clock(&table->clock, &TEXT_OF(LINE_BYTES)), state.at);
}

void house_print_tables(const struct model *model, const struct house_lists *lists,
                        struct lines *lines)
{
    const struct model_window *tables = &lists->tables;
    if (tables->total == 0) {
        lines_put(lines, _("No table is open."));
    }
    for (int i = 0; i < tables->count; i++) {
        print_table(model, &tables->tables[i], lines);
    }
    int more = tables->total - tables->count;
    if (more > 0) {
        lines_format(lines,
                     ngettext("And %d more table.", "And %d more tables.", (unsigned long)more),
                     more);
    }
}

/* The lobby in plain mode: lines that list people and tables. */

#define PRINTED_PEOPLE 20 /* how many people the lobby lists by name */

/* Receives the people, then the tables. */
static void receive_rows_to_print(UNUSED struct ui *ui, const struct ui_answer *answer)
{
    struct lobby *lobby = answer->state;
    lobby->printed.is_waiting = lobby->printed.is_waiting && answer->tag != PANE_TABLES;
    house_lists_read(&lobby->printed.lists, answer->json);
}

/* Requests the rows that are printed. True once they have arrived. */
static bool has_rows_to_print(struct ui *ui, struct lobby *lobby)
{
    if (!lobby->printed.is_asked) {
        lobby->printed.is_asked = true;
        lobby->printed.is_waiting = true;
        screen_send_request(ui, "people", json_pack("{s:i}", "count", PRINTED_PEOPLE),
                            receive_rows_to_print, PANE_PEOPLE);
        screen_send_request(ui, "tables", json_object(), receive_rows_to_print, PANE_TABLES);
    }
    return !lobby->printed.is_waiting;
}

/* Plain mode: `print` and `line` of the lobby's screen. */
static bool lobby_plain_print(struct ui *ui, void *state, struct lines *lines)
{
    const struct model *model = screen_model(ui);
    struct lobby *lobby = state;
    if (!has_rows_to_print(ui, lobby)) {
        return false;
    }
    const struct house_lists *lists = &lobby->printed.lists;
    bool is_alone = lists->here == 1;
    lines_format(lines, _("The lobby of %s. You are %s."), model->house, model->you.name);
    house_print_people(model, lists, lines);
    house_print_tables(model, lists, lines);
    lines_put(lines,
              is_alone
                  ? _("You are alone: /quick plays against bots at once, /learn teaches a game, "
                      "/leaders shows the best players.")
                  : _("/quick plays against bots at once, /learn teaches a game."));
    if (is_alone && lobby->best.id != 0) {
        lines_format(lines, _("/replay %lld shows yesterday's best game: %s, %s."),
                     (long long)lobby->best.id, _(lobby->best.game->title), lobby->best.players);
    }
    if (!lobby->was_told) {
        lines_put(lines, _("/new opens a table, /sit 3 sits down at table 3, /watch 3 watches it, "
                           "/help lists the commands. Any other line goes to the lobby as chat."));
    }
    lobby->was_told = true;
    lobby->printed.is_asked = false;
    house_lists_clear(&lobby->printed.lists);
    lobby_request_best_game_if_alone(ui, lobby, is_alone);
    return true;
}

static void print_tables(struct ui *ui, const struct ui_answer *answer)
{
    struct house_lists lists = {0};
    house_lists_read(&lists, answer->json);
    house_print_tables(screen_model(ui), &lists, screen_get_plain_lines(ui));
    house_lists_clear(&lists);
}

/* Enter without text lists the tables again. A number alone is the number of a table, or was meant
 * for a game that is over: it is not said to everybody. */
static bool lobby_plain_handle_line(struct ui *ui, UNUSED void *state, const char *line)
{
    bool is_number = line[strspn(line, "0123456789")] == '\0';
    if (line[0] == '\0') {
        screen_send_and_handle_success(ui, "tables", json_object(), print_tables, 0);
    } else if (is_number) {
        screen_inform(ui,
                      _("\"%s\" was not said. /sit %s sits down at that table, /chat %s says it."),
                      line, line, line);
    }
    return is_number;
}

/* The lobby: tables, people, chat. */

#define SPLIT_COLUMNS 76 /* narrower screens show one of the two lists at a time */
#define CHAT_TITLE_MAX 300
/* milliseconds after which the lobby is drawn again: invitations end */
#define REFRESH_MS 30000

static const char *const sort_titles[] = {
    [SORT_USEFUL] = N_("open ones first"),
    [SORT_NEWEST] = N_("newest first"),
    [SORT_GAME] = N_("by game"),
    [SORT_WATCHED] = N_("most watched first"),
};

static void choose_kind_of_tables(struct ui *ui, struct table_choice *choice, int show)
{
    choice->show = (uint8_t)show;
    screen_inform(ui, _("Tables shown: %s"), _(lobby_tables_show_titles[show]));
}

static void sort_tables(struct ui *ui, struct table_choice *choice, int order)
{
    choice->sort = (uint8_t)order;
    screen_inform(ui, _("Tables: %s"), _(sort_titles[order]));
}

void command_filter(struct ui *ui, const char *args)
{
    struct lobby *lobby = screen_find_state(ui, "lobby");
    int shown = args[0] == '\0' ? SHOW_ALL : text_find_word(lobby_tables_show_words, args);
    if (lobby == NULL) {
        return; /* before sign-up there is no lobby */
    }
    char *filter = lobby->tables.choice.filter;
    snprintf(filter, LOBBY_FILTER_MAX, "%.32s", shown >= 0 ? "" : args);
    if (shown >= 0) {
        choose_kind_of_tables(ui, &lobby->tables.choice, shown);
    } else {
        screen_inform(ui, _("Tables shown: those that contain \"%s\"; /filter shows all."), filter);
    }
}

void command_sort(struct ui *ui, const char *args)
{
    struct lobby *lobby = screen_find_state(ui, "lobby");
    int order = text_find_word(lobby_tables_sort_words, args);
    if (order < 0) {
        screen_warn(ui, "%s", _("Say how: /sort useful, newest, game or watched"));
    } else if (lobby != NULL) {
        sort_tables(ui, &lobby->tables.choice, order);
    }
}

static void draw_lobby_header(struct ui *ui, const struct canvas *canvas)
{
    const struct model *model = screen_model(ui);
    const char *dot = theme_glyph_text(canvas->theme, GLYPH_DOT);
    struct text line = TEXT_OF(256), turn = TEXT_OF(128);
    text_format(&line, _("%d here"), model->lists.here);
    text_format(&line, " %s ", dot);
    text_format(&line, ngettext("%d table", "%d tables", (unsigned long)model->lists.tables_all),
                model->lists.tables_all);
    int turns = model_count_tables_with_own_turn(model);
    if (turns > 0) {
        text_format(&turn, ngettext("your turn", "%d wait for you", (unsigned long)turns), turns);
        text_format(&line, " %s ", dot);
        draw_put_styled(&line, STYLE_TURN, turn.at);
    }
    text_format(&line, " %s ", dot);
    draw_put_styled(&line, STYLE_YOU, model->you.name);
    if (model->you.rating.value != ROW_NONE) {
        text_put(&line, " ");
        words_write_rating(canvas->theme, &model->you.rating, &line);
    }
    draw_header(canvas, model->house, line.at);
}

static void write_tables_pane_title(const struct table_choice *choice, struct text *out)
{
    const char *shown = _(lobby_tables_show_titles[choice->show]);
    const char *sorted = _(sort_titles[choice->sort]);
    if (choice->filter[0] != '\0') {
        text_format(out, _("Tables with \"%s\""), choice->filter);
    } else if (choice->show != SHOW_ALL && choice->sort != SORT_USEFUL) {
        text_format(out, _("Tables: %s, %s"), shown, sorted);
    } else if (choice->show != SHOW_ALL) {
        text_format(out, _("Tables: %s"), shown);
    } else if (choice->sort != SORT_USEFUL) {
        text_format(out, _("Tables, %s"), sorted);
    } else {
        text_put(out, _("Tables"));
    }
}

/* The positions of the lines between the lobby's panes, for one size of the screen. */
struct layout {
    int split;  /* column of the line between tables and people; -1: only one list is shown, and Tab
                   switches */
    int divide; /* row of the line between the lists and the chat */
};

static struct layout compute_layout(const struct area *body)
{
    int people_width = body->width >= 140 ? 52 : body->width >= 110 ? 41 : 30;
    int rows = body->height - 3; /* the rows that the lists and the chat share: not the header, the
                                    frame's top and the divider */
    int lists = body->height >= 30 ? rows * 11 / 20 : (rows + 1) / 2;
    return (struct layout){
        .split = body->width >= SPLIT_COLUMNS ? body->width - people_width - 2 : -1,
        .divide = body->row + 2 + lists,
    };
}

static void set_pane_areas(struct lobby *lobby, const struct area *body,
                           const struct layout *layout)
{
    int top = body->row + 2;
    int lists = layout->divide - top;
    bool is_split = layout->split >= 0;
    struct area left = {top, 1, lists, is_split ? layout->split - 1 : body->width - 2};
    struct area right = {top, layout->split + 1, lists, body->width - layout->split - 2};
    bool is_people = lobby->pane == PANE_PEOPLE;
    lobby->areas[PANE_TABLES] = is_split || !is_people ? left : (struct area){0};
    lobby->areas[PANE_PEOPLE] = is_split ? right : is_people ? left : (struct area){0};
    lobby->areas[PANE_CHAT] = (struct area){
        layout->divide + 1, 2, body->row + body->height - layout->divide - 1, body->width - 4};
}

/* Writes the name of the open channel, then other channels, as many as fit. Marks channels with
 * unread lines. */
static void write_chat_pane_title(const struct ui *ui, const struct lobby *lobby, int width,
                                  struct text *out)
{
    const struct model *model = screen_model(ui);
    int shown = screen_current_channel(ui);
    text_format(out, lobby->chat_scroll > 0 ? _("%s: earlier lines") : "%s",
                model_channel_name(model, shown));
    for (int i = 0; i < CHAT_CHANNELS; i++) {
        const char *name = i == CHAT_TABLE ? "" : model_channel_name(model, i);
        bool fits = out->len + strlen(name) + 3 <= (size_t)width;
        if (i != shown && name[0] != '\0' && fits) {
            text_format(out, "  %s%s", name, (ui->room_news >> i & 1) != 0 ? "*" : "");
        }
    }
}

/* Draws the frame around the panes, and the lines between them: the lists stand side by side above
 * the chat. */
static void draw_frame_around_panes(const struct ui *ui, const struct lobby *lobby,
                                    const struct canvas *canvas, const struct layout *layout)
{
    const struct area *body = &canvas->body;
    bool is_people = lobby->pane == PANE_PEOPLE;
    bool is_split = layout->split >= 0;
    struct text title = TEXT_OF(96), chat = TEXT_OF(CHAT_TITLE_MAX);
    write_tables_pane_title(&lobby->tables.choice, &title);
    /* The frame's bottom line falls on the line with notices, which is drawn over it. */
    struct area whole = {body->row + 1, 0, body->height, body->width};
    draw_box(canvas, &whole, is_split || !is_people ? title.at : _("People"),
             lobby->pane != PANE_CHAT && (!is_split || !is_people));
    if (is_split) {
        int width = body->width - layout->split;
        draw_title(canvas, whole.row, layout->split, width, _("People"), is_people);
        for (int row = whole.row; row < layout->divide; row++) {
            draw_glyph(canvas, row, layout->split, STYLE_BORDER, GLYPH_VERTICAL);
        }
        draw_glyph(canvas, whole.row, layout->split, STYLE_BORDER, GLYPH_TEE_TOP);
    } else {
        struct text other = TEXT_OF(96);
        text_format(&other, " %s ", is_people ? _("Tab: tables") : _("Tab: people"));
        draw_text_right_aligned(canvas, whole.row, 2, body->width - 5, STYLE_PLAIN, other.at);
    }
    write_chat_pane_title(ui, lobby, body->width - 8, &chat);
    draw_horizontal_line(canvas, layout->divide, 0, body->width);
    draw_glyph(canvas, layout->divide, 0, STYLE_BORDER, GLYPH_TEE_LEFT);
    draw_glyph(canvas, layout->divide, body->width - 1, STYLE_BORDER, GLYPH_TEE_RIGHT);
    draw_title(canvas, layout->divide, 0, body->width, chat.at, lobby->pane == PANE_CHAT);
    if (is_split) {
        draw_glyph(canvas, layout->divide, layout->split, STYLE_BORDER, GLYPH_TEE_BOTTOM);
    }
}

static void receive_game_to_replay(UNUSED struct ui *ui, const struct ui_answer *answer)
{
    struct lobby_best *best = &((struct lobby *)answer->state)->best;
    const json_t *players = json_object_get(answer->json, "players");
    char game[MODEL_NAME_MAX], names[SEATS_MAX][MODEL_NAME_MAX];
    const char *items[SEATS_MAX];
    size_t count = 0;
    if (!answer->is_ok) {
        return; /* if the request fails, the lobby offers no replay */
    }
    model_get_text(answer->json, "game", game, sizeof game);
    best->game = game_find(game);
    best->id =
        best->game != NULL ? model_read_number(json_object_get(answer->json, "game_id"), 0) : 0;
    for (; count < SEATS_MAX && count < json_array_size(players); count++) {
        drawable_copy_text(json_array_get(players, count), names[count], sizeof names[count]);
        items[count] = names[count];
    }
    struct text text = text_init(best->players, sizeof best->players);
    text_put_list(&text, items, count);
}

/* Returns to the table where the person lost the connection. */
static void return_to_table_after_disconnect(struct ui *ui, UNUSED void *state,
                                             const json_t *message)
{
    visit_return_to_table(ui, model_read_number(json_object_get(message, "table"), 0));
}

/* Offers a guest, who is new here, the games against bots, once it is known that the guest does not
 * return to a table. */
static void offer_games_to_newcomer(struct ui *ui, void *state, UNUSED const json_t *message)
{
    struct lobby *lobby = state;
    bool is_first = !lobby->has_seen_tables;
    lobby->has_seen_tables = true;
    if (is_first && !ui->plain.is_on && screen_model(ui)->you.kind == PERSON_GUEST &&
        screen_model(ui)->entered == NULL && screen_name_below_top(ui)[0] == '\0') {
        screen_open(ui, "offer", 0);
    }
}

/* Requests yesterday's best game, once, if the person is alone in the house. */
static void lobby_request_best_game_if_alone(struct ui *ui, struct lobby *lobby, bool is_alone)
{
    if (is_alone && !lobby->has_asked_best) {
        lobby->has_asked_best = true;
        screen_send_request(ui, "best", json_object(), receive_game_to_replay, 0);
    }
}

static void handle_lobby_push(struct ui *ui, void *state, UNUSED const json_t *message)
{
    lobby_request_best_game_if_alone(ui, state, screen_model(ui)->lists.here == 1);
}

/* True if the lobby offers the replay of yesterday's best game: the person is alone in the house.
 */
static bool lobby_offers_replay(const struct ui *ui, const struct lobby *lobby)
{
    return lobby->best.id != 0 && screen_model(ui)->lists.here == 1;
}

static void lobby_draw(struct ui *ui, void *state, const struct canvas *canvas)
{
    struct lobby *lobby = state;
    const struct model *model = screen_model(ui);
    struct layout layout = compute_layout(&canvas->body);
    bool is_people = lobby->pane == PANE_PEOPLE;
    lobby->drawn_ms = ui->now_ms;
    set_pane_areas(lobby, &canvas->body, &layout);
    update_list(&lobby->tables.rows, PANE_TABLES, &model->lists.tables);
    update_list(&lobby->people, PANE_PEOPLE, &model->lists.people);
    draw_lobby_header(ui, canvas);
    draw_frame_around_panes(ui, lobby, canvas, &layout);
    if (layout.split >= 0 || !is_people) {
        lobby->tables.best = lobby_offers_replay(ui, lobby) ? &lobby->best : NULL;
        lobby_tables_draw(&lobby->tables, canvas, &lobby->areas[PANE_TABLES], model,
                          lobby->pane == PANE_TABLES);
    }
    const struct area *people = &lobby->areas[PANE_PEOPLE];
    if (layout.split >= 0 || is_people) {
        draw_people(&lobby->people, canvas, people, model, is_people);
    }
    if (layout.split >= 0 && model->lists.here == 1 && model->lists.tables_all > 0) {
        draw_text(canvas, layout.divide - 1, people->column + 1, people->width - 2, STYLE_SYSTEM,
                  _("Alone? b plays against bots."));
    }
    lobby->chat_rows = chat_draw(canvas, &lobby->areas[PANE_CHAT], model,
                                 screen_current_channel(ui), lobby->chat_scroll);
}

static json_t *lobby_query(struct ui *ui, void *state)
{
    struct lobby *lobby = state;
    const struct model *model = screen_model(ui);
    struct area body = screen_body(ui);
    struct layout layout = compute_layout(&body);
    set_pane_areas(lobby, &body, &layout);
    int table_rows = lobby->areas[PANE_TABLES].height - 1; /* below the headings */
    int people_rows = lobby->areas[PANE_PEOPLE].height;
    json_t *fields = json_object();
    if (table_rows > 0) {
        struct list *list = &lobby->tables.rows.list;
        list_set_size(list, list->count, table_rows);
        json_object_set_new(fields, "tables", query_tables(&lobby->tables, &model->lists.tables));
    }
    if (people_rows > 0) {
        list_set_size(&lobby->people.list, lobby->people.list.count, people_rows);
        json_object_set_new(fields, "people",
                            query_window(&lobby->people, true, &model->lists.people));
    }
    return fields;
}

static void set_table_filter(UNUSED struct ui *ui, void *state, const char *text)
{
    struct lobby *lobby = state;
    if (text != NULL) {
        snprintf(lobby->tables.choice.filter, sizeof lobby->tables.choice.filter, "%.32s", text);
    }
}

/* Returns the selected table; NULL if there is none. */
static const struct table_row *find_selected_table(const struct lobby *lobby,
                                                   const struct model *model)
{
    return model_find_table(model, lobby->tables.rows.selected.table);
}

/* Does what Enter means for the selected row: enters the table, or begins a message to the
 * person. */
static bool act_on_selected_row(struct ui *ui, struct lobby *lobby)
{
    const struct model *model = screen_model(ui);
    const struct table_row *table = find_selected_table(lobby, model);
    const struct row_key *person = &lobby->people.selected;
    if (lobby->pane == PANE_TABLES && table != NULL) {
        visit_table(ui, table->id, table->phase == TABLE_OPEN && table->seated < table->players);
        return true;
    }
    if (lobby->pane == PANE_PEOPLE && find_row(PANE_PEOPLE, &model->lists.people, person) >= 0) {
        struct text line = TEXT_OF(MODEL_NAME_MAX + 8);
        text_format(&line, "/tell %s ", person->person);
        screen_begin_typing(ui, line.at);
        return true;
    }
    return false;
}

static bool scroll_chat(struct lobby *lobby, const struct press *press)
{
    int height = lobby->areas[PANE_CHAT].height;
    int most = lobby->chat_rows > height ? lobby->chat_rows - height : 0;
    /* The selected row of this list is the chat's last visible line. The list counts rows from the
     * top, but chat_scroll counts lines from the bottom. */
    struct list list = {.count = most + 1,
                        .visible = height > 1 ? height - 1 : 1,
                        .selected = most - lobby->chat_scroll};
    if (!list_handle_key(&list, press)) {
        return false;
    }
    lobby->chat_scroll = most - list.selected;
    return true;
}

/* Returns the list in the pane that has the keyboard focus. */
static struct lobby_list *find_list_with_focus(struct lobby *lobby)
{
    return lobby->pane == PANE_TABLES ? &lobby->tables.rows : &lobby->people;
}

/* Remembers which row the person has selected there. */
static void remember_selected_row(struct ui *ui, struct lobby *lobby)
{
    const struct house_lists *lists = &screen_model(ui)->lists;
    struct lobby_list *rows = find_list_with_focus(lobby);
    bool is_tables = lobby->pane == PANE_TABLES;
    rows->is_chosen = true;
    rows->selected =
        read_row_key(lobby->pane, is_tables ? &lists->tables : &lists->people, rows->list.selected);
}

static bool handle_pane_key(struct ui *ui, struct lobby *lobby, const struct press *press)
{
    if (lobby->pane == PANE_CHAT) {
        return scroll_chat(lobby, press);
    }
    if (!list_handle_key(&find_list_with_focus(lobby)->list, press)) {
        return false;
    }
    remember_selected_row(ui, lobby);
    return true;
}

static bool area_contains_pointer(const struct area *area, const struct press *press)
{
    return press->row >= area->row && press->row < area->row + area->height &&
           press->column >= area->column && press->column < area->column + area->width;
}

/* A click selects; a click on the selected row acts like Enter; the wheel scrolls the pane under
 * the pointer. */
static bool handle_mouse(struct ui *ui, struct lobby *lobby, const struct press *press)
{
    int over = 0;
    while (over < PANE_COUNT && !area_contains_pointer(&lobby->areas[over], press)) {
        over++;
    }
    if (over == PANE_COUNT) {
        return false;
    }
    int was = lobby->pane;
    lobby->pane = (uint8_t)over;
    if (press->kind != PRESS_CLICK) {
        return handle_pane_key(ui, lobby, press);
    }
    struct list *list = &find_list_with_focus(lobby)->list;
    int offset = press->row - lobby->areas[over].row - (over == PANE_TABLES ? 1 : 0);
    int row = over == PANE_CHAT ? -1 : list_row_at_offset(list, offset);
    if (row < 0) {
        return true;
    }
    bool is_again = row == list->selected && was == over;
    list->selected = row;
    remember_selected_row(ui, lobby);
    return !is_again || act_on_selected_row(ui, lobby);
}

/* Opens the next channel (direction: 1) or the previous one (direction: -1). */
static void switch_channel(struct ui *ui, int direction)
{
    int room = screen_current_channel(ui);
    do {
        room = (room + direction + CHAT_CHANNELS) % CHAT_CHANNELS;
    } while (room != CHAT_LOBBY &&
             (room < CHAT_ROOM || ui->model->rooms[room - CHAT_ROOM][0] == '\0'));
    screen_show_channel(ui, room);
}

static bool handle_letter_key(struct ui *ui, struct lobby *lobby, uint32_t letter)
{
    static const struct {
        char letter;
        const char *screen;
    } screens[] = {
        {'n', "set_up"}, {'l', "leaders"}, {'h', "history"}, {'o', "settings"}, {'b', "offer"}};
    struct table_choice *choice = &lobby->tables.choice;
    for (size_t i = 0; i < ARRAY_LEN(screens); i++) {
        if (letter == (uint32_t)screens[i].letter) {
            return screen_open(ui, screens[i].screen, 0);
        }
    }
    switch (letter) {
    case 'f':
        choose_kind_of_tables(ui, choice, (choice->show + 1) % SHOW_COUNT);
        return true;
    case 'F':
        screen_ask(ui, ASK_WORDS, _("Show tables that contain this text (empty: all):"),
                   choice->filter, set_table_filter);
        return true;
    case 's':
        sort_tables(ui, choice, (choice->sort + 1) % SORT_COUNT);
        return true;
    case 'y':
        return lobby_offers_replay(ui, lobby) && screen_open(ui, "replay", lobby->best.id);
    case 'a':
        if (!model_is_invited(screen_model(ui), ui->now_ms)) {
            return false;
        }
        visit_table(ui, screen_model(ui)->invite.table, true);
        return true;
    case ']':
    case '[':
        lobby->chat_scroll = 0;
        switch_channel(ui, letter == ']' ? 1 : -1);
        return true;
    case 'N':
        visit_next_table_with_own_turn(ui);
        return true;
    default:
        return false;
    }
}

/* While the chat has the focus, every typed character begins a chat line. */
static bool lobby_takes_talk(UNUSED const struct ui *ui, const void *state)
{
    return ((const struct lobby *)state)->pane == PANE_CHAT;
}

static bool lobby_handle_key(struct ui *ui, void *state, const struct press *press)
{
    struct lobby *lobby = state;
    switch ((int)press->kind) {
    case PRESS_TAB:
    case PRESS_RIGHT:
        lobby->pane = (uint8_t)((lobby->pane + 1) % PANE_COUNT);
        return true;
    case PRESS_BACKTAB:
    case PRESS_LEFT:
        lobby->pane = (uint8_t)((lobby->pane + PANE_COUNT - 1) % PANE_COUNT);
        return true;
    case PRESS_ENTER:
        return act_on_selected_row(ui, lobby);
    case PRESS_CLICK:
    case PRESS_WHEEL_UP:
    case PRESS_WHEEL_DOWN:
        return handle_mouse(ui, lobby, press);
    case PRESS_CHAR:
        return handle_letter_key(ui, lobby, press->code) || handle_pane_key(ui, lobby, press);
    default:
        return handle_pane_key(ui, lobby, press);
    }
}

/* Returns what Enter does in the pane that has the focus; NULL: nothing. */
static const char *describe_enter_key(const struct lobby *lobby, const struct model *model)
{
    const struct table_row *table = find_selected_table(lobby, model);
    if (lobby->pane == PANE_PEOPLE) {
        return _("tell");
    }
    if (table == NULL) {
        return NULL;
    }
    if (model_find_own_table(model, table->id) != NULL) {
        return _("back to your seat");
    }
    return table->phase == TABLE_OPEN && table->seated < table->players ? _("sit down")
                                                                        : _("watch");
}

static bool has_joined_channels(const struct model *model)
{
    for (int i = 0; i < MODEL_ROOMS_MAX; i++) {
        if (model->rooms[i][0] != '\0') {
            return true;
        }
    }
    return false;
}

static void lobby_add_hints(struct ui *ui, void *state, struct hints *hints)
{
    const struct lobby *lobby = state;
    if (lobby->pane == PANE_CHAT) {
        hints_add(hints, N_("letters"), _("talk"));
        hints_add(hints, "↑ ↓", _("scroll"));
        hints_add(hints, "Tab", _("back to the tables"));
        hints_add(hints, "Ctrl-C", _("quit"));
        return;
    }
    const char *enter = describe_enter_key(lobby, screen_model(ui));
    if (enter != NULL) {
        hints_add(hints, "Enter", enter);
    }
    if (model_is_invited(screen_model(ui), ui->now_ms)) {
        hints_add(hints, "a", _("accept"));
    }
    if (model_count_tables_with_own_turn(screen_model(ui)) > 0) {
        hints_add(hints, "N", _("next turn"));
    }
    if (has_joined_channels(screen_model(ui))) {
        hints_add(hints, "]", _("channel"));
    }
}

static int64_t lobby_next_redraw_at_ms(UNUSED const struct ui *ui, const void *state)
{
    const struct lobby *lobby = state;
    return lobby->drawn_ms + REFRESH_MS;
}

static void lobby_leave(UNUSED struct ui *ui, void *state)
{
    house_lists_clear(&((struct lobby *)state)->printed.lists);
}

static const struct screen_key lobby_keys[] = {
    {"Enter", N_("on a table: sit down or watch; on a person: write a message"), "/sit /watch",
     NULL},
    {"b", N_("play against bots at once, or learn a game"), "/quick", N_("play")},
    {"n", N_("open a table: choose the game and its options"), "/new", N_("new")},
    {"l", N_("the best players of each game"), "/leaders", N_("leaders")},
    {"h", N_("your finished games, to replay them"), "/history", N_("history")},
    {"a", N_("sit down where you are invited"), "/accept", NULL},
    {"y", N_("alone in the house: replay yesterday's best game"), "/replay", NULL},
    {"N", N_("go to the next game that waits for your move"), "/next", NULL},
    {"[ ]", N_("the previous or next chat channel"), "/join", NULL},
    {"Tab", N_("go to the next pane: tables, people, chat; what you type in the chat is talk"),
     NULL, N_("pane")},
    {"f", N_("choose tables: all, open, in play, yours, waiting for you"), "/filter", N_("filter")},
    {"F", N_("show only tables that contain a text"), "/filter", NULL},
    {"s", N_("sort the tables in another order"), "/sort", N_("sort")},
    {"o", N_("settings: colours, card signs, bell, password"), "/settings", N_("settings")},
    {"c", NULL, NULL, N_("chat")},
    {"q", N_("leave the house"), "/quit", NULL},
    {NULL, NULL, NULL, NULL},
};

static const struct screen_push lobby_pushes[] = {
    {"back", return_to_table_after_disconnect},
    {"lobby", handle_lobby_push},
    {"mine", offer_games_to_newcomer},
    {NULL, NULL},
};

const struct screen lobby_screen = {
    .name = "lobby",
    .title = N_("Lobby"),
    .state_size = sizeof(struct lobby),
    .is_framed = true,
    .shows_chat = true,
    .keys = lobby_keys,
    .draw = lobby_draw,
    .lobby_query = lobby_query,
    .pushes = lobby_pushes,
    .key = lobby_handle_key,
    .takes_talk = lobby_takes_talk,
    .hints = lobby_add_hints,
    .print = lobby_plain_print,
    .leave = lobby_leave,
    .line = lobby_plain_handle_line,
    .next_ms = lobby_next_redraw_at_ms,
};
