#include "daemon/screens/lobby/lobby.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/drawing/words.h"
#include "daemon/screens/lobby/lobby_state.h"
#include "daemon/screens/model/model.h"
#include "daemon/screens/table/table.h"

#include <stdio.h>
#include <string.h>

/* The lobby: tables, people, chat. */

#define SPLIT_COLUMNS 76 /* narrower screens show one of the two lists at a time */
#define CHAT_TITLE_MAX 300
/* milliseconds after which the lobby is drawn again: invitations end */
#define REFRESH_MS 30000

struct lobby_tables *lobby_find_tables(struct ui *ui)
{
    struct lobby *lobby = screen_find_state(ui, "lobby");
    return lobby != NULL ? &lobby->tables : NULL;
}

static void draw_lobby_header(struct ui *ui, const struct canvas *canvas)
{
    const struct model *model = screen_model(ui);
    const char *dot = theme_glyph_text(canvas->theme, GLYPH_DOT);
    struct text line = TEXT_OF(256), turn = TEXT_OF(128);
    text_format(&line, _("%d here"), model->here);
    text_format(&line, " %s ", dot);
    text_format(&line, ngettext("%d table", "%d tables", (unsigned long)model->tables_all),
                model->tables_all);
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

static void write_tables_pane_title(const struct lobby_tables *tables, struct text *out)
{
    const char *shown = lobby_tables_kind_title(tables->show);
    const char *sorted = lobby_tables_sort_order_title(tables->sort);
    if (tables->filter[0] != '\0') {
        text_format(out, _("Tables with \"%s\""), tables->filter);
    } else if (tables->show != SHOW_ALL && tables->sort != SORT_USEFUL) {
        text_format(out, _("Tables: %s, %s"), shown, sorted);
    } else if (tables->show != SHOW_ALL) {
        text_format(out, _("Tables: %s"), shown);
    } else if (tables->sort != SORT_USEFUL) {
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
            text_format(out, "  %s%s", name, screen_channel_has_unread(ui, i) ? "*" : "");
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
    write_tables_pane_title(&lobby->tables, &title);
    /* The frame's bottom line falls on the line with notices, which is drawn over it. */
    struct area whole = {body->row + 1, 0, body->height, body->width};
    draw_box(canvas, &whole, is_split || !is_people ? title.at : _("People"),
             lobby->pane != PANE_CHAT && (!is_split || !is_people));
    if (is_split) {
        int width = body->width - layout->split;
        draw_title(canvas, whole.row, layout->split, width, _("People"), is_people);
        draw_vertical_line(canvas, whole.row, layout->split, layout->divide - whole.row,
                           GLYPH_VERTICAL);
        draw_glyph(canvas, whole.row, layout->split, STYLE_BORDER, GLYPH_TEE_TOP);
    } else {
        struct text other = TEXT_OF(96);
        text_format(&other, " %s ", is_people ? _("Tab: tables") : _("Tab: people"));
        draw_text_right_aligned(canvas, whole.row, 2, body->width - 5, STYLE_PLAIN, other.at);
    }
    write_chat_pane_title(ui, lobby, body->width - 8, &chat);
    draw_divider(canvas, layout->divide, 0, body->width, chat.at, lobby->pane == PANE_CHAT);
    if (is_split) {
        draw_glyph(canvas, layout->divide, layout->split, STYLE_BORDER, GLYPH_TEE_BOTTOM);
    }
}

static void receive_game_to_replay(UNUSED struct ui *ui, void *state, UNUSED int64_t tag,
                                   bool is_ok, const json_t *answer)
{
    struct lobby_best *best = &((struct lobby *)state)->best;
    const json_t *players = json_object_get(answer, "players");
    char game[MODEL_NAME_MAX], names[SEATS_MAX][MODEL_NAME_MAX];
    const char *items[SEATS_MAX];
    size_t count = 0;
    if (!is_ok) {
        return; /* if the request fails, the lobby offers no replay */
    }
    model_read_text(json_object_get(answer, "game"), game, sizeof game);
    best->game = game_find(game);
    best->id = best->game != NULL ? model_read_number(json_object_get(answer, "game_id"), 0) : 0;
    for (; count < SEATS_MAX && count < json_array_size(players); count++) {
        model_read_text(json_array_get(players, count), names[count], sizeof names[count]);
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
    if (is_first && !screen_is_plain(ui) && screen_model(ui)->you.kind == PERSON_GUEST &&
        screen_model(ui)->entered == NULL && screen_name_below_top(ui)[0] == '\0') {
        screen_open(ui, "offer", 0);
    }
}

void lobby_request_best_game_if_alone(struct ui *ui, struct lobby *lobby, bool is_alone)
{
    if (is_alone && !lobby->has_asked_best) {
        lobby->has_asked_best = true;
        screen_send_request(ui, "best", json_object(), receive_game_to_replay, 0);
    }
}

static void handle_lobby_push(struct ui *ui, void *state, UNUSED const json_t *message)
{
    lobby_request_best_game_if_alone(ui, state, screen_model(ui)->here == 1);
}

bool lobby_offers_replay(const struct ui *ui, const struct lobby *lobby)
{
    return lobby->best.id != 0 && screen_model(ui)->here == 1;
}

static void lobby_draw(struct ui *ui, void *state, const struct canvas *canvas)
{
    struct lobby *lobby = state;
    const struct model *model = screen_model(ui);
    struct layout layout = compute_layout(&canvas->body);
    bool is_people = lobby->pane == PANE_PEOPLE;
    lobby->drawn_ms = screen_now_ms(ui);
    set_pane_areas(lobby, &canvas->body, &layout);
    lobby_tables_update_rows(&lobby->tables, &model->tables);
    lobby_people_update_rows(&lobby->people, &model->people);
    draw_lobby_header(ui, canvas);
    draw_frame_around_panes(ui, lobby, canvas, &layout);
    if (layout.split >= 0 || !is_people) {
        lobby->tables.best = lobby_offers_replay(ui, lobby) ? &lobby->best : NULL;
        lobby_tables_draw(&lobby->tables, canvas, &lobby->areas[PANE_TABLES], model,
                          lobby->pane == PANE_TABLES);
    }
    const struct area *people = &lobby->areas[PANE_PEOPLE];
    if (layout.split >= 0 || is_people) {
        lobby_people_draw(&lobby->people, canvas, people, model, is_people);
    }
    if (layout.split >= 0 && model->here == 1 && model->tables_all > 0) {
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
        list_set_size(&lobby->tables.list, lobby->tables.list.count, table_rows);
        json_object_set_new(fields, "tables",
                            lobby_query_tables(&lobby->query, &lobby->tables, &model->tables));
    }
    if (people_rows > 0) {
        list_set_size(&lobby->people.list, lobby->people.list.count, people_rows);
        json_object_set_new(fields, "people",
                            lobby_query_people(&lobby->query, &lobby->people, &model->people));
    }
    return fields;
}

static void set_table_filter(UNUSED struct ui *ui, void *state, const char *text)
{
    struct lobby *lobby = state;
    if (text != NULL) {
        snprintf(lobby->tables.filter, sizeof lobby->tables.filter, "%.32s", text);
    }
}

/* Does what Enter means for the selected row: enters the table, or begins a message to the
 * person. */
static bool act_on_selected_row(struct ui *ui, struct lobby *lobby)
{
    const struct model *model = screen_model(ui);
    const struct table_row *table = lobby_tables_find_selected_table(&lobby->tables, model);
    const struct person_row *person =
        lobby_people_find_selected_person(&lobby->people, &model->people);
    if (lobby->pane == PANE_TABLES && table != NULL) {
        visit_table(ui, table->id, table->phase == TABLE_OPEN && table->seated < table->players);
        return true;
    }
    if (lobby->pane == PANE_PEOPLE && person != NULL) {
        struct text line = TEXT_OF(MODEL_NAME_MAX + 8);
        text_format(&line, "/tell %s ", person->name);
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

/* Remembers which row the person has selected, in the pane that has the keyboard focus. */
static void remember_selected_row(struct ui *ui, struct lobby *lobby)
{
    if (lobby->pane == PANE_TABLES) {
        lobby_tables_remember_selected_table(&lobby->tables, &screen_model(ui)->tables);
    } else {
        lobby_people_remember_selected_person(&lobby->people, &screen_model(ui)->people);
    }
}

static struct list *find_list_with_focus(struct lobby *lobby)
{
    return lobby->pane == PANE_TABLES ? &lobby->tables.list : &lobby->people.list;
}

static bool handle_pane_key(struct ui *ui, struct lobby *lobby, const struct press *press)
{
    if (lobby->pane == PANE_CHAT) {
        return scroll_chat(lobby, press);
    }
    if (!list_handle_key(find_list_with_focus(lobby), press)) {
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
    struct list *list = find_list_with_focus(lobby);
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

static bool handle_letter_key(struct ui *ui, struct lobby *lobby, uint32_t letter)
{
    static const struct {
        char letter;
        const char *screen;
    } screens[] = {{'n', "set_up"}, {'l', "leaders"}, {'h', "history"}, {'o', "settings"}};
    for (size_t i = 0; i < ARRAY_LEN(screens); i++) {
        if (letter == (uint32_t)screens[i].letter) {
            return screen_open(ui, screens[i].screen, 0);
        }
    }
    switch (letter) {
    case 'b':
        return screen_open(ui, "offer", 0);
    case 'f':
        lobby->tables.show = (uint8_t)((lobby->tables.show + 1) % SHOW_COUNT);
        screen_inform(ui, _("Tables shown: %s"), lobby_tables_kind_title(lobby->tables.show));
        return true;
    case 'F':
        screen_ask(ui, ASK_WORDS, _("Show tables that contain this text (empty: all):"),
                   lobby->tables.filter, set_table_filter);
        return true;
    case 's':
        lobby->tables.sort = (uint8_t)((lobby->tables.sort + 1) % SORT_COUNT);
        screen_inform(ui, _("Tables: %s"), lobby_tables_sort_order_title(lobby->tables.sort));
        return true;
    case 'y':
        return lobby_offers_replay(ui, lobby) && screen_open(ui, "replay", lobby->best.id);
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
    const struct table_row *table = lobby_tables_find_selected_table(&lobby->tables, model);
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
    if (model_is_invited(screen_model(ui), screen_now_ms(ui))) {
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
