#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/chat.h"
#include "daemon/screens/drawing/text_format.h"
#include "daemon/screens/drawing/words.h"
#include "daemon/screens/lobby/house_tell.h"
#include "daemon/screens/lobby/lobby_panes.h"
#include "daemon/screens/lobby/lobby_people.h"
#include "daemon/screens/lobby/lobby_tables.h"
#include "daemon/screens/model/model_chat.h"
#include "daemon/screens/model/model_read.h"
#include "daemon/screens/table/visit.h"

#include <stdio.h>
#include <string.h>

/* The lobby: tables, people, chat. */

#define SPLIT_COLUMNS 76 /* narrower screens show one of the two lists at a time */
#define TALK_MAX 300
#define REFRESH_MS 30000 /* idle times change without an event */

enum pane {
    PANE_TABLES,
    PANE_PEOPLE,
    PANE_CHAT,
    PANE_COUNT,
};

struct lobby {
    uint8_t pane; /* enum pane: the one with the keyboard focus */
    struct lobby_tables tables;
    struct lobby_people people;
    int chat_scroll, chat_rows;
    bool has_asked_best;
    struct lobby_best best;
    int64_t drawn_ms;
    bool was_told;                 /* plain mode: the person has been told what can be typed */
    struct area areas[PANE_COUNT]; /* the last drawn positions, for clicks */
};

static void lobby_enter(struct ui *ui, void *state, UNUSED int64_t argument)
{
    struct lobby *lobby = state;
    lobby_tables_update(&lobby->tables, screen_model(ui));
    lobby_people_update(&lobby->people, screen_model(ui));
}

static void header_draw(struct ui *ui, const struct canvas *canvas)
{
    const struct model *model = screen_model(ui);
    const char *dot = theme_glyph(canvas->theme, GLYPH_DOT);
    char line[256];
    struct text out = text_init(line, sizeof line);
    char facts[128];
    text_format(&out, _("%d in"), model_count_people(model));
    text_format(&out, " %s ", dot);
    text_format(&out, ngettext("%d table", "%d tables", (unsigned long)model->table_count),
                model->table_count);
    int turns = model_count_own_turns(model);
    if (turns > 0) {
        snprintf(facts, sizeof facts,
                 ngettext("your turn", "%d wait for you", (unsigned long)turns), turns);
        text_put(&out, " ");
        text_put(&out, dot);
        text_put(&out, " ");
        draw_put_styled(&out, STYLE_TURN, facts);
    }
    text_put(&out, " ");
    text_put(&out, dot);
    text_put(&out, " ");
    draw_put_styled(&out, STYLE_YOU, model->you.name);
    const struct person_row *you = model_find_person(model, model->you.name);
    if (you != NULL && you->rating.value != ROW_NONE) {
        text_put(&out, " ");
        words_write_rating(canvas->theme, &you->rating, &out);
    }
    draw_header(canvas, model->house, line);
}

static void tables_title(const struct lobby *lobby, char *title, size_t cap)
{
    const struct lobby_tables *tables = &lobby->tables;
    if (tables->filter[0] != '\0') {
        snprintf(title, cap, _("Tables with \"%s\""), tables->filter);
    } else if (tables->show != SHOW_ALL && tables->sort != SORT_USEFUL) {
        snprintf(title, cap, _("Tables: %s, %s"), lobby_show_title(tables->show),
                 lobby_sort_title(tables->sort));
    } else if (tables->show != SHOW_ALL) {
        snprintf(title, cap, _("Tables: %s"), lobby_show_title(tables->show));
    } else if (tables->sort != SORT_USEFUL) {
        snprintf(title, cap, _("Tables, %s"), lobby_sort_title(tables->sort));
    } else {
        snprintf(title, cap, "%s", _("Tables"));
    }
}

/* The positions on a screen of this size. */
struct layout {
    int split;  /* column between the lists; -1: one list at a time, Tab switches */
    int divide; /* row between the lists and the chat */
};

static struct layout layout_for(const struct area *body)
{
    int people_width = body->width >= 140 ? 52 : body->width >= 110 ? 41 : 30;
    int rows = body->height - 3; /* without the header, the frame's top and the divider */
    int lists = body->height >= 30 ? rows * 11 / 20 : (rows + 1) / 2;
    return (struct layout){
        .split = body->width >= SPLIT_COLUMNS ? body->width - people_width - 2 : -1,
        .divide = body->row + 2 + lists,
    };
}

static void areas_set(struct lobby *lobby, const struct area *body, const struct layout *layout)
{
    int top = body->row + 2;
    int lists = layout->divide - top;
    bool is_split = layout->split >= 0;
    int left = is_split ? layout->split - 1 : body->width - 2;
    struct area none = {0};
    bool is_people = lobby->pane == PANE_PEOPLE;
    lobby->areas[PANE_TABLES] = (struct area){top, 1, lists, left};
    lobby->areas[PANE_PEOPLE] = lobby->areas[PANE_TABLES];
    if (is_split) {
        lobby->areas[PANE_PEOPLE] =
            (struct area){top, layout->split + 1, lists, body->width - layout->split - 2};
    } else {
        lobby->areas[is_people ? PANE_TABLES : PANE_PEOPLE] = none;
    }
    lobby->areas[PANE_CHAT] = (struct area){
        layout->divide + 1, 2, body->row + body->height - layout->divide - 1, body->width - 4};
}

/* Draws the names of the open channel and then of the others, marked if they have unread lines: as
 * many as fit. */
static void talk_title(const struct ui *ui, const struct lobby *lobby, int width,
                       char title[TALK_MAX])
{
    const struct model *model = screen_model(ui);
    int shown = screen_current_channel(ui);
    struct text out = text_init(title, TALK_MAX);
    text_format(&out, lobby->chat_scroll > 0 ? _("%s, earlier") : "%s",
                model_channel_name(model, shown));
    for (int i = 0; i < CHAT_CHANNELS; i++) {
        const char *name = i == CHAT_TABLE ? "" : model_channel_name(model, i);
        size_t more = strlen(name) + 3;
        if (i == shown || name[0] == '\0' || out.len + more > (size_t)width) {
            continue;
        }
        text_put(&out, "  ");
        text_put(&out, name);
        text_put(&out, screen_channel_has_unread(ui, i) ? "*" : "");
    }
}

/* Draws the panes in one frame: the lists side by side above the chat. */
static void frame_draw(const struct ui *ui, const struct lobby *lobby, const struct canvas *canvas,
                       const struct layout *layout)
{
    const struct area *body = &canvas->body;
    bool is_people = lobby->pane == PANE_PEOPLE;
    bool is_split = layout->split >= 0;
    char title[96];
    tables_title(lobby, title, sizeof title);
    /* Its bottom line lies under the rule, which closes the frame. */
    struct area whole = {body->row + 1, 0, body->height, body->width};
    draw_box(canvas, &whole, is_split || !is_people ? title : _("People"),
             lobby->pane != PANE_CHAT && (!is_split || !is_people));
    if (is_split) {
        int width = body->width - layout->split;
        draw_title(canvas, whole.row, layout->split, width, _("People"), is_people);
        draw_vertical_line(canvas, whole.row, layout->split, layout->divide - whole.row,
                           GLYPH_VERTICAL);
        draw_glyph(canvas, whole.row, layout->split, STYLE_BORDER, GLYPH_TEE_TOP);
    } else {
        snprintf(title, sizeof title, " %s ", is_people ? _("Tab: tables") : _("Tab: people"));
        draw_text_right_aligned(canvas, whole.row, 2, body->width - 5, STYLE_PLAIN, title);
    }
    char talk[TALK_MAX];
    talk_title(ui, lobby, body->width - 8, talk);
    draw_divider(canvas, layout->divide, 0, body->width, talk, lobby->pane == PANE_CHAT);
    if (is_split) {
        draw_glyph(canvas, layout->divide, layout->split, STYLE_BORDER, GLYPH_TEE_BOTTOM);
    }
}

static void best_answered(UNUSED struct ui *ui, void *state, UNUSED int64_t tag, bool is_ok,
                          const json_t *answer)
{
    struct lobby *lobby = state;
    size_t i;
    json_t *player;
    char game[MODEL_NAME_MAX];
    struct text names = text_init(lobby->best.players, sizeof lobby->best.players);
    if (!is_ok) {
        return; /* without it there is nothing to offer */
    }
    model_read_text(json_object_get(answer, "game"), game, sizeof game);
    lobby->best.game = game_find(game);
    lobby->best.id =
        lobby->best.game != NULL ? model_read_number(json_object_get(answer, "game_id"), 0) : 0;
    json_array_foreach(json_object_get(answer, "players"), i, player)
    {
        char name[MODEL_NAME_MAX];
        model_read_text(player, name, sizeof name);
        text_put(&names, i > 0 ? ", " : "");
        text_put(&names, name);
    }
}

/* Returns to the table where the connection was lost. */
static void on_back(struct ui *ui, UNUSED void *state, const json_t *message)
{
    visit_again(ui, model_read_number(json_object_get(message, "table"), 0));
}

/* A person alone in the house is offered a good game to look at. */
static void on_lobby(struct ui *ui, void *state, UNUSED const json_t *message)
{
    struct lobby *lobby = state;
    if (model_count_people(screen_model(ui)) == 1 && !lobby->has_asked_best) {
        lobby->has_asked_best = true;
        screen_request(ui, "best", json_object(), best_answered, 0);
    }
}

static bool is_offering_best(const struct ui *ui, const struct lobby *lobby)
{
    return lobby->best.id != 0 && model_count_people(screen_model(ui)) == 1;
}

static void lobby_draw(struct ui *ui, void *state, const struct canvas *canvas)
{
    struct lobby *lobby = state;
    const struct model *model = screen_model(ui);
    struct layout layout = layout_for(&canvas->body);
    bool is_people = lobby->pane == PANE_PEOPLE;
    lobby->drawn_ms = screen_now_ms(ui);
    areas_set(lobby, &canvas->body, &layout);
    lobby_tables_update(&lobby->tables, model);
    lobby_people_update(&lobby->people, model);
    header_draw(ui, canvas);
    frame_draw(ui, lobby, canvas, &layout);
    if (layout.split >= 0 || !is_people) {
        lobby->tables.best = is_offering_best(ui, lobby) ? &lobby->best : NULL;
        lobby_tables_draw(&lobby->tables, canvas, &lobby->areas[PANE_TABLES], model,
                          lobby->pane == PANE_TABLES);
    }
    const struct area *people = &lobby->areas[PANE_PEOPLE];
    if (layout.split >= 0 || is_people) {
        lobby_people_draw(&lobby->people, canvas, people, model, screen_now_ms(ui), is_people);
    }
    if (layout.split >= 0 && model_count_people(model) == 1 && model->table_count > 0) {
        draw_text(canvas, layout.divide - 1, people->column + 1, people->width - 2, STYLE_SYSTEM,
                  _("Alone? b plays against bots."));
    }
    lobby->chat_rows = chat_draw(canvas, &lobby->areas[PANE_CHAT], model,
                                 screen_current_channel(ui), lobby->chat_scroll);
}

static void filter_given(UNUSED struct ui *ui, void *state, const char *text)
{
    struct lobby *lobby = state;
    if (text != NULL) {
        snprintf(lobby->tables.filter, sizeof lobby->tables.filter, "%.32s", text);
    }
}

/* Enter: the usual action for the selected row. */
static bool lobby_do(struct ui *ui, struct lobby *lobby)
{
    const struct model *model = screen_model(ui);
    const struct table_row *table = lobby_tables_selected(&lobby->tables, model);
    const struct person_row *person = lobby_people_selected(&lobby->people, model);
    if (lobby->pane == PANE_TABLES && table != NULL) {
        visit_table(ui, table->id, table->phase == TABLE_OPEN && table->seated < table->players);
        return true;
    }
    if (lobby->pane == PANE_PEOPLE && person != NULL) {
        char line[MODEL_NAME_MAX + 8];
        snprintf(line, sizeof line, "/tell %s ", person->name);
        screen_begin_typing(ui, line);
        return true;
    }
    return false;
}

static bool chat_scroll(struct lobby *lobby, const struct press *press)
{
    int height = lobby->areas[PANE_CHAT].height;
    struct list list = {.count = 1, .visible = height > 1 ? height - 1 : 1};
    /* Reverses a list, so that the newest row is at the bottom. */
    int most = lobby->chat_rows > height ? lobby->chat_rows - height : 0;
    list.count = most + 1;
    list.selected = most - lobby->chat_scroll;
    if (!list_handle_key(&list, press)) {
        return false;
    }
    lobby->chat_scroll = most - list.selected;
    return true;
}

static bool pane_key(struct ui *ui, struct lobby *lobby, const struct press *press)
{
    switch ((enum pane)lobby->pane) {
    case PANE_TABLES:
        if (list_handle_key(&lobby->tables.list, press)) {
            lobby_tables_moved(&lobby->tables, screen_model(ui));
            return true;
        }
        return false;
    case PANE_PEOPLE:
        if (list_handle_key(&lobby->people.list, press)) {
            lobby_people_moved(&lobby->people, screen_model(ui));
            return true;
        }
        return false;
    case PANE_CHAT:
        return chat_scroll(lobby, press);
    case PANE_COUNT:
        break;
    }
    return false;
}

static bool area_has(const struct area *area, const struct press *press)
{
    return press->row >= area->row && press->row < area->row + area->height &&
           press->column >= area->column && press->column < area->column + area->width;
}

/* A click selects; a click on the selected row acts like Enter; the wheel scrolls the pane under
 * the pointer. */
static bool mouse_key(struct ui *ui, struct lobby *lobby, const struct press *press)
{
    int over = PANE_COUNT;
    for (int i = 0; i < PANE_COUNT; i++) {
        over = area_has(&lobby->areas[i], press) ? i : over;
    }
    if (over == PANE_COUNT) {
        return false;
    }
    int was = lobby->pane;
    lobby->pane = (uint8_t)over;
    if (press->kind != PRESS_CLICK) {
        return pane_key(ui, lobby, press);
    }
    if (over == PANE_CHAT) {
        return true;
    }
    struct list *list = over == PANE_TABLES ? &lobby->tables.list : &lobby->people.list;
    int offset = press->row - lobby->areas[over].row - (over == PANE_TABLES ? 1 : 0);
    int row = list_row_at(list, offset);
    if (row >= 0) {
        bool is_again = row == list->selected && was == over;
        list->selected = row;
        if (over == PANE_TABLES) {
            lobby_tables_moved(&lobby->tables, screen_model(ui));
        } else {
            lobby_people_moved(&lobby->people, screen_model(ui));
        }
        return !is_again || lobby_do(ui, lobby);
    }
    return true;
}

static bool letter_key(struct ui *ui, struct lobby *lobby, uint32_t letter)
{
    switch (letter) {
    case 'n':
        screen_open(ui, "set_up", 0);
        return true;
    case 'b':
        visit_quick_game(ui);
        return true;
    case 'f':
        lobby->tables.show = (uint8_t)((lobby->tables.show + 1) % SHOW_COUNT);
        screen_inform(ui, _("Tables shown: %s"), lobby_show_title(lobby->tables.show));
        return true;
    case 'F':
        screen_ask(ui, ASK_WORDS, _("Show tables with (empty: all):"), lobby->tables.filter,
                   filter_given);
        return true;
    case 's':
        lobby->tables.sort = (uint8_t)((lobby->tables.sort + 1) % SORT_COUNT);
        screen_inform(ui, _("Tables: %s"), lobby_sort_title(lobby->tables.sort));
        return true;
    case 'l':
        screen_open(ui, "leaders", 0);
        return true;
    case 'h':
        screen_open(ui, "history", 0);
        return true;
    case 'o':
        screen_open(ui, "settings", 0);
        return true;
    case 'y':
        return is_offering_best(ui, lobby) && screen_open(ui, "replay", lobby->best.id);
    case 'a':
        if (!model_is_invited(screen_model(ui), screen_now_ms(ui))) {
            return false;
        }
        visit_table(ui, screen_model(ui)->invite.table, true);
        return true;
    case ']':
    case '[':
        lobby->chat_scroll = 0;
        screen_switch_channel(ui, letter == ']' ? 1 : -1);
        return true;
    case 'N':
        visit_next_turn(ui);
        return true;
    default:
        return false;
    }
}

static bool lobby_key(struct ui *ui, void *state, const struct press *press)
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
        return lobby_do(ui, lobby);
    case PRESS_CLICK:
    case PRESS_WHEEL_UP:
    case PRESS_WHEEL_DOWN:
        return mouse_key(ui, lobby, press);
    case PRESS_CHAR:
        return letter_key(ui, lobby, press->code) || pane_key(ui, lobby, press);
    default:
        return pane_key(ui, lobby, press);
    }
}

static const char *enter_hint(const struct lobby *lobby, const struct model *model)
{
    const struct table_row *table = lobby_tables_selected(&lobby->tables, model);
    if (lobby->pane == PANE_PEOPLE) {
        return _("tell");
    }
    if (lobby->pane == PANE_CHAT || table == NULL) {
        return _("talk");
    }
    if (model_find_own_table(model, table->id) != NULL) {
        return _("back to your seat");
    }
    return table->phase == TABLE_OPEN && table->seated < table->players ? _("sit down")
                                                                        : _("watch");
}

static bool has_rooms(const struct model *model)
{
    bool has_any = false;
    for (int i = 0; i < MODEL_ROOMS_MAX; i++) {
        has_any = has_any || model->rooms[i][0] != '\0';
    }
    return has_any;
}

static void lobby_hints(struct ui *ui, void *state, struct hints *hints)
{
    const struct lobby *lobby = state;
    hints_add(hints, "Enter", enter_hint(lobby, screen_model(ui)));
    if (model_is_invited(screen_model(ui), screen_now_ms(ui))) {
        hints_add(hints, "a", _("accept"));
    }
    if (model_count_own_turns(screen_model(ui)) > 0) {
        hints_add(hints, "N", _("next turn"));
    }
    if (has_rooms(screen_model(ui))) {
        hints_add(hints, "]", _("channel"));
    }
    hints_add(hints, "n", _("new"));
    hints_add(hints, "b", _("bots"));
    hints_add(hints, "l", _("leaders"));
    hints_add(hints, "h", _("history"));
    hints_add(hints, "Tab", _("pane"));
    hints_add(hints, "f", _("filter"));
    hints_add(hints, "s", _("sort"));
    hints_add(hints, "o", _("settings"));
    hints_add(hints, "c", _("chat"));
    hints_add(hints, "?", _("help"));
    hints_add(hints, "q", _("quit"));
}

static int64_t lobby_next_ms(UNUSED const struct ui *ui, const void *state)
{
    const struct lobby *lobby = state;
    return lobby->drawn_ms + REFRESH_MS;
}

static bool lobby_tell(struct ui *ui, void *state, struct lines *lines)
{
    const struct model *model = screen_model(ui);
    struct lobby *lobby = state;
    if (model->people_count == 0) {
        return false; /* not even oneself: the core has not sent the list yet */
    }
    lines_format(lines, _("The lobby of %s. You are %s."), model->house, model->you.name);
    house_tell_people(model, screen_now_ms(ui), lines);
    house_tell_tables(model, lines);
    lines_put(lines, model_count_people(model) == 1
                         ? _("You are alone: /quick plays against bots at once, /leaders shows the "
                             "best players.")
                         : _("/quick plays against bots at once."));
    if (is_offering_best(ui, lobby)) {
        lines_format(lines, _("/replay %lld shows yesterday's best game: %s, %s."),
                     (long long)lobby->best.id, _(lobby->best.game->title), lobby->best.players);
    }
    if (!lobby->was_told) {
        lines_put(lines, _("/new opens a table, /sit 3 sits down at table 3, /watch 3 watches it, "
                           "/help lists the commands. Anything else is said in the lobby."));
    }
    lobby->was_told = true;
    return true;
}

/* Enter without text. */
static bool lobby_line(struct ui *ui, UNUSED void *state, const char *line)
{
    if (line[0] != '\0') {
        return false;
    }
    house_tell_tables(screen_model(ui), screen_plain_lines(ui));
    return true;
}

static const struct screen_key lobby_keys[] = {
    {"Enter", N_("sit down there, or watch; tell the person something"), "/sit /watch"},
    {"n", N_("open a table: choose the game and its options"), "/new"},
    {"b", N_("play against bots at once"), "/quick"},
    {"l", N_("the best players of each game"), "/leaders"},
    {"h", N_("your games, to look at again"), "/history"},
    {"a", N_("sit down where you are invited"), "/accept"},
    {"y", N_("alone in the house: replay yesterday's best game"), "/replay"},
    {"N", N_("go to the next game that waits for your move"), "/next"},
    {"[ ]", N_("the talk of the channel before, after"), "/join"},
    {"f", N_("tables: all, open ones, those in play, yours, those waiting for you"), NULL},
    {"F", N_("show only tables with these words"), NULL},
    {"s", N_("another order of the tables"), NULL},
    {"o", N_("settings: colours, signs, bell, password"), "/settings"},
    {"Tab", N_("go to the next pane: tables, people, talk"), NULL},
    {"q", N_("leave the house"), "/quit"},
    {NULL, NULL, NULL},
};

static const struct screen_push lobby_pushes[] = {
    {"back", on_back},
    {"lobby", on_lobby},
    {NULL, NULL},
};

const struct screen lobby_screen = {
    .name = "lobby",
    .title = N_("Lobby"),
    .state_size = sizeof(struct lobby),
    .is_framed = true,
    .keys = lobby_keys,
    .enter = lobby_enter,
    .draw = lobby_draw,
    .pushes = lobby_pushes,
    .key = lobby_key,
    .hints = lobby_hints,
    .tell = lobby_tell,
    .line = lobby_line,
    .next_ms = lobby_next_ms,
};
