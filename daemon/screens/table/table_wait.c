#include "daemon/screens/table/table_state.h"

#include "daemon/base/i18n.h"

#include <string.h>

#define LINE_BYTES 400
#define CHAT_ROWS_MIN 3
#define OPTION_LABEL_WIDTH 16

const char *table_write_player(const struct model_entered *entered, int seat, bool is_plain,
                               struct text *out)
{
    const struct seat_row *who = &entered->details.seats.at[seat];
    bool is_bot = who->kind == PERSON_BOT;
    if (is_bot && !is_plain) {
        text_put(out, _("bot"));
        return out->at;
    }
    text_put(out, is_plain ? who->name : "");
    if (seat == entered->you) {
        text_format_list_item(out, "%s", _("you"));
    }
    if (is_plain && (is_bot || who->is_program)) {
        text_format_list_item(out, "%s",
                              person_label(PERSON_BOT, person_level_of_seat(who), ROLE_PLAYER));
    } else if (is_plain && who->rating.value != ROW_NONE) {
        text_format_list_item(out, _("rating %d"), who->rating.value);
    }
    if (!is_bot && !who->is_here) {
        text_format_list_item(out, "%s", _("away"));
    }
    if (strcmp(who->name, entered->row.host) == 0) {
        text_format_list_item(out, "%s", _("host"));
    }
    return out->at;
}

static void draw_seat(const struct canvas *canvas, const struct area *row,
                      const struct model_entered *entered, int seat, bool is_selected)
{
    const struct seat_row *who = &entered->details.seats.at[seat];
    if (is_selected) {
        draw_filled_area(canvas, row, STYLE_SELECTED);
    }
    enum style style = is_selected            ? STYLE_SELECTED
                       : !who->is_taken       ? STYLE_DIM
                       : seat == entered->you ? STYLE_YOU
                                              : STYLE_PLAIN;
    draw_formatted_text(canvas, row->row, row->column, 4, is_selected ? style : STYLE_DIM, "%s %d",
                        is_selected ? ">" : " ", seat + 1);
    if (!who->is_taken) {
        draw_text(canvas, row->row, row->column + 5, row->width - 5, style, _("free"));
        return;
    }
    draw_text(canvas, row->row, row->column + 5, 17, style, who->name);
    draw_text_right_aligned(canvas, row->row, row->column + 23, 6, style,
                            who->kind == PERSON_BOT
                                ? person_brief_bot_label(person_level_of_seat(who))
                                : words_write_rating(canvas->theme, &who->rating, &TEXT_OF(64)));
    draw_text(canvas, row->row, row->column + 31, row->width - 31, style,
              table_write_player(entered, seat, false, &TEXT_OF(LINE_BYTES)));
}

int table_count_free_seats(const struct model_entered *entered)
{
    int count = 0;
    for (int seat = 0; seat < entered->row.players; seat++) {
        count += !entered->details.seats.at[seat].is_taken;
    }
    return count;
}

const char *table_write_missing_players(const struct model_entered *entered, bool is_plain,
                                        struct text *out)
{
    int missing = table_count_free_seats(entered);
    if (missing == 0) {
        text_put(out, !entered->is_host ? _("All seats are taken: the host can begin.")
                      : is_plain        ? _("All seats are taken: type /start to begin.")
                                        : _("All seats are taken: Enter begins the game."));
        return out->at;
    }
    const char *how = is_plain && entered->you < 0
                          ? _("/sit takes a seat, /leave goes back to the lobby.")
                      : entered->is_host && is_plain ? _("/bot puts a bot on a free seat.")
                      : entered->is_host             ? _("b fills a seat with a bot.")
                      : entered->you < 0             ? _("Enter sits down.")
                                                     : _("Friends find this table in the lobby.");
    text_format(out,
                ngettext("Waiting for %d more player. %s", "Waiting for %d more players. %s",
                         (unsigned long)missing),
                missing, how);
    return out->at;
}

/* Draws the table's settings: labels in one column, values in another, aligned in every language.
 * Returns the number of rows drawn. */
static int draw_table_settings(const struct canvas *canvas, const struct area *area,
                               const struct model_entered *entered)
{
    struct option_settings settings;
    option_list_settings(entered, &settings);
    int rows = area->height < 0 ? 0 : settings.count < area->height ? settings.count : area->height;
    for (int i = 0; i < rows; i++) {
        draw_text(canvas, area->row + i, area->column, OPTION_LABEL_WIDTH - 1, STYLE_DIM,
                  settings.at[i].label);
        draw_text(canvas, area->row + i, area->column + OPTION_LABEL_WIDTH,
                  area->width - OPTION_LABEL_WIDTH, STYLE_PLAIN, settings.at[i].value.at);
    }
    return rows;
}

static void draw_chat(struct ui *ui, const struct canvas *canvas, int first_row, int box_width)
{
    const struct area *body = &canvas->body;
    struct area chat = {first_row, body->column + 1, body->row + body->height - first_row,
                        body->width - 2};
    if (box_width > 0) {
        struct area box = {body->row + 1, body->column + body->width - box_width, body->height - 1,
                           box_width};
        draw_box(canvas, &box, _("Chat"), false);
        chat = (struct area){box.row + 1, box.column + 2, box.height - 2, box.width - 4};
    }
    if (chat.height > 0) {
        chat_draw(canvas, &chat, screen_model(ui), CHAT_TABLE, 0);
    }
}

void table_draw_before_start(struct ui *ui, struct table_screen_state *state,
                             const struct canvas *canvas)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    const struct area *body = &canvas->body;
    int players = entered->row.players;
    int chat_width = body->width >= 112 ? body->width / 2 : 0;
    struct area left = {body->row + 1, body->column + 2, body->height - 1,
                        body->width - chat_width - 4};
    draw_header(canvas,
                text_format(&TEXT_OF(LINE_BYTES), _("#%lld %s, about to begin"),
                            (long long)entered->row.id, _(entered->row.game->title)),
                text_format(&TEXT_OF(LINE_BYTES), _("host %s"), entered->row.host));
    int gap = body->height < 18 ? 0 : 1;
    int row = left.row;
    if (gap > 0) {
        struct area pitch = {row, left.column, 2, left.width};
        row += 1 + draw_wrapped_text(canvas, &pitch, STYLE_DIM, _(entered->row.game->face->pitch),
                                     0, 0);
    }
    state->row = state->row < players ? state->row : players > 0 ? players - 1 : 0;
    for (int seat = 0; seat < players; seat++) {
        struct area line = {row++, left.column, 1, left.width};
        draw_seat(canvas, &line, entered, seat, seat == state->row);
    }
    row += gap;
    draw_text(canvas, row++, left.column, left.width, STYLE_TURN,
              table_write_missing_players(entered, false, &TEXT_OF(LINE_BYTES)));
    row += gap;
    int chat_rows = chat_width > 0 ? 0 : CHAT_ROWS_MIN;
    struct area options = {row, left.column, left.row + left.height - chat_rows - row, left.width};
    row += draw_table_settings(canvas, &options, entered) + gap;
    draw_chat(ui, canvas, row, chat_width);
}

static void send_seat_request(struct ui *ui, const char *request_type, int seat)
{
    screen_send_request(ui, request_type, json_pack("{s:i}", "seat", seat), NULL, 0);
}

/* Returns a seat with a bot (is_bot_wanted) or a free seat; the selected seat if it is such a seat.
 * Returns -1 if there is none. */
static int find_bot_or_free_seat(const struct model_entered *entered, int selected_seat,
                                 bool is_bot_wanted)
{
    int found = -1;
    for (int seat = entered->row.players - 1; seat >= 0; seat--) {
        const struct seat_row *who = &entered->details.seats.at[seat];
        bool fits = is_bot_wanted ? who->is_taken && who->kind == PERSON_BOT : !who->is_taken;
        if (fits && (seat == selected_seat || !is_bot_wanted || found < 0) &&
            found != selected_seat) {
            found = seat;
        }
    }
    return found;
}

static void lock_table_with_password(struct ui *ui, UNUSED void *opaque, const char *password)
{
    if (password != NULL && password[0] != '\0') {
        screen_send_request(ui, "table_lock", json_pack("{s:s}", "password", password), NULL, 0);
    }
}

static void take_seat_or_begin_game(struct ui *ui, const struct model_entered *entered, int seat)
{
    if (!entered->details.seats.at[seat].is_taken) {
        send_seat_request(ui, "seat_take", seat);
    } else if (entered->you < 0) {
        screen_send_request(ui, "seat_take", json_object(), NULL, 0);
    } else if (entered->is_host && table_count_free_seats(entered) == 0) {
        screen_send_request(ui, "table_start", json_object(), NULL, 0);
    } else {
        screen_inform(ui, "%s", _("That seat is taken."));
        screen_drop_notice_when_table_changes(ui);
    }
}

/* The request names a seat only if the player selected it. Otherwise the core picks a free seat, so
 * a second quick press adds another bot. */
static void add_bot(struct ui *ui, int seat, int selected_seat)
{
    if (seat < 0) {
        screen_inform(ui, "%s", _("All seats are taken: Enter begins the game."));
        screen_drop_notice_when_table_changes(ui);
        return;
    }
    json_t *fields = json_object(); /* without a level: the core chooses one that suits the host */
    if (seat == selected_seat) {
        (void)json_object_set_new(fields, "seat", json_integer(seat));
    }
    screen_send_request(ui, "bot_add", fields, NULL, 0);
}

static void kick_player(struct ui *ui, const struct seat_row *who)
{
    if (!who->is_taken || who->kind == PERSON_BOT) {
        screen_inform(ui, "%s", _("Nobody else sits there: choose the seat of another person."));
        return;
    }
    command_send_mod_command(ui, text_format(&TEXT_OF(MODEL_NAME_MAX + 8), "kick %s", who->name));
}

static bool handle_host_key(struct ui *ui, struct table_screen_state *state, uint32_t key)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    if (key == 0 || strchr("bBkoslw", (int)key) == NULL) {
        return false;
    }
    if (!entered->is_host) {
        screen_inform(ui, _("Only the host, %s, can do that."), entered->row.host);
        return true;
    }
    int seat = find_bot_or_free_seat(entered, state->row, key == 'B');
    switch (key) {
    case 'b':
        add_bot(ui, seat, state->row);
        return true;
    case 'B':
        if (seat >= 0) {
            send_seat_request(ui, "bot_remove", seat);
        }
        return true;
    case 'k':
        kick_player(ui, &entered->details.seats.at[state->row]);
        return true;
    case 'o':
        screen_open(ui, "set_up", entered->row.id);
        return true;
    case 'w':
        watching_ask_who_may_watch(ui);
        return true;
    case 's':
        screen_send_request(ui, "table_start", json_object(), NULL, 0);
        return true;
    default:
        break;
    }
    if (entered->row.is_locked) {
        screen_send_request(ui, "table_lock", json_pack("{s:n}", "password"), NULL, 0);
    } else {
        screen_ask(ui, ASK_WORDS, _("Password that lets people in:"), NULL,
                   lock_table_with_password);
    }
    return true;
}

bool table_handle_key_before_start(struct ui *ui, struct table_screen_state *state,
                                   const struct press *press)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    int last = entered->row.players - 1;
    if (press->kind == PRESS_UP || press->kind == PRESS_DOWN) {
        state->row += press->kind == PRESS_UP ? -1 : 1;
        state->row = state->row < 0 ? 0 : state->row > last ? last : state->row;
        return true;
    }
    if (press->kind == PRESS_ENTER) {
        take_seat_or_begin_game(ui, entered, state->row);
        return true;
    }
    if (press->kind != PRESS_CHAR || press->code >= 128) {
        return false;
    }
    if (press->code == 'u' && entered->you >= 0) {
        screen_send_request(ui, "seat_leave", json_object(), NULL, 0);
        return true;
    }
    return handle_host_key(ui, state, press->code);
}

void table_add_hints_before_start(struct ui *ui, struct hints *hints)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    bool is_full = table_count_free_seats(entered) == 0;
    if (entered->is_host && is_full) {
        hints_add(hints, "Enter", _("begin"));
    }
    if (entered->you < 0 && !is_full) {
        hints_add(hints, "Enter", _("sit"));
    }
    if (entered->is_host) {
        if (!is_full) {
            hints_add(hints, "b", _("add a bot"));
        }
        hints_add(hints, "B", _("remove bot"));
        hints_add(hints, "o", _("options"));
        hints_add(hints, "w", _("watching"));
        hints_add(hints, "l", entered->row.is_locked ? _("unlock") : _("lock"));
    }
    if (entered->you >= 0) {
        hints_add(hints, "u", _("stand up"));
    }
}
