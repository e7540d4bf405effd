#include "daemon/base/i18n.h"
#include "daemon/screens/table/table_state.h"

#include <string.h>

#define CHAT_ROWS_MIN 3
#define OPTION_LABEL_WIDTH 16

/* Halts, clocks that run out, and lost connections. */

static bool bot_plays_for_viewer(const struct model_entered *entered)
{
    return entered->you >= 0 && entered->row.phase == TABLE_PLAYING &&
           entered->details.seats.at[entered->you].is_played_by_bot;
}

/* True while the game is paused, adjourned, or waits for players after a downtime; false during the
 * stop between two rounds. */
static bool table_game_is_halted(const struct model_entered *entered)
{
    return entered->row.phase == TABLE_PLAYING && entered->row.halt != HALT_NONE &&
           entered->row.halt != HALT_ROUND;
}

bool table_viewer_is_to_move(const struct model_entered *entered, enum table_halt halt)
{
    return model_viewer_is_asked_to_move(entered) && entered->row.phase == TABLE_PLAYING &&
           entered->row.halt == halt;
}

static uint8_t find_seats_that_can_resume(const struct model_entered *entered)
{
    uint8_t seats = 0;
    for (uint8_t seat = 0; seat < entered->row.players; seat++) {
        const struct seat_row *who = &entered->details.seats.at[seat];
        bool may_come = who->kind == PERSON_PLAYER || (who->kind == PERSON_GUEST && !who->is_gone);
        if (who->is_taken && may_come) {
            seats = (uint8_t)(seats | 1U << seat);
        }
    }
    return seats;
}

/* Writes that the game is paused, or which players it waits for and until when: those who have not
 * asked to resume an adjourned game, or who have not come back since the house was down. */
static void write_reason_of_halt(const struct model_entered *entered, const struct words *words,
                                 struct text *out)
{
    const struct entered_row *details = &entered->details;
    bool is_adjourned = entered->row.halt == HALT_ADJOURN, has_end = details->resume_by_ms > 0;
    if (entered->row.halt == HALT_PAUSE) {
        text_put(out, _("Paused: no clock runs. /resume goes on."));
        return;
    }
    uint8_t missing = is_adjourned
                          ? (uint8_t)(find_seats_that_can_resume(entered) & ~details->asks.resume)
                          : details->awaited;
    text_format(out,
                is_adjourned && has_end ? _("Adjourned: waiting for %s to /resume, until %s")
                : is_adjourned          ? _("Adjourned until all say /resume; not yet: %s")
                : !details->is_rated ? _("Interrupted: waiting for %s. /resume plays without them.")
                : has_end            ? _("Interrupted: waiting for %s, until %s")
                                     : _("Interrupted: waiting for %s, up to 7 days after /resume"),
                words_write_seats(words, missing, &TEXT_OF(TABLE_TEXT)),
                words_write_deadline(details->resume_by_ms, &TEXT_OF(64)));
}

/* Writes when a bot will play for a player whose turn it is and who has lost the connection.
 * Returns false if there is no such player. */
static bool write_lost_connection(const struct model_entered *entered, const struct words *words,
                                  int64_t now_ms, struct text *out)
{
    for (uint8_t seat = 0; seat < entered->row.players; seat++) {
        int64_t bot_ms = entered->times[seat].bot_ms;
        bool is_awaited = entered->has_view && (entered->view.to_act >> seat & 1) != 0 &&
                          entered->details.seats.at[seat].is_gone && bot_ms >= 0;
        if (is_awaited && clock_rule_is_for_one_sitting(&entered->row.clock)) {
            text_format(
                out, _("%s lost the connection; waiting %s, then a bot plays for them"),
                words_write_seat(words, seat, &TEXT_OF(TABLE_TEXT)),
                words_write_time_left(model_time_left(entered, bot_ms, now_ms), &TEXT_OF(40)));
            return true;
        }
    }
    return false;
}

bool table_write_why_game_waits(const struct model_entered *entered, const struct words *words,
                                int64_t now_ms, struct text *out)
{
    if (entered->row.phase != TABLE_PLAYING) {
        return false;
    }
    if (table_game_is_halted(entered)) {
        write_reason_of_halt(entered, words, out);
        return true;
    }
    if (table_claim_write_wait(entered, words, out)) {
        return true;
    }
    if (bot_plays_for_viewer(entered)) {
        text_put(out, _("A bot plays for you: type /resume to play."));
        return true;
    }
    return write_lost_connection(entered, words, now_ms, out);
}

void table_request_resume(struct ui *ui)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    bool is_bot = !table_game_is_halted(entered) && bot_plays_for_viewer(entered);
    screen_send_request(ui, is_bot ? "seat_back" : "resume", json_object(), NULL, 0);
}

/* True if Enter takes a move in a halt: the offered one, or what the player has selected. */
static bool is_enter_for_move(const struct model_entered *entered,
                              const struct table_screen_state *state)
{
    return state->premove.is_offered ||
           (table_viewer_is_to_move(entered, HALT_HOUSE) && table_has_selection(state));
}

/* Handles the Enter key if it resumes the game or takes the seat back from a bot; otherwise returns
 * false. If the halt keeps moves, an Enter that takes or has just confirmed a move does not resume
 * the game. */
static bool table_handle_key_in_halt(struct ui *ui, struct table_screen_state *state,
                                     const struct press *press)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    if (press->kind != PRESS_ENTER || entered->you < 0 ||
        (!table_game_is_halted(entered) && !bot_plays_for_viewer(entered))) {
        return false;
    }
    if (is_enter_for_move(entered, state)) {
        return false;
    }
    if (!table_viewer_is_to_move(entered, HALT_HOUSE) ||
        !table_take_enter_after_move(ui, state, press)) {
        table_request_resume(ui);
    }
    return true;
}

/* Adds the hints for the keys and commands with which the viewer continues a halted game, takes the
 * seat back, or agrees to a pause or an adjournment. */
static void table_add_halt_hints(const struct model_entered *entered,
                                 const struct table_screen_state *state, struct hints *hints)
{
    uint8_t own = (uint8_t)(entered->you < 0 ? 0 : 1U << entered->you);
    if (own == 0) {
        return;
    }
    if (table_game_is_halted(entered) && (entered->details.asks.resume & own) == 0 &&
        !is_enter_for_move(entered, state)) {
        hints_add(hints, "Enter", _("play on"));
    } else if (bot_plays_for_viewer(entered)) {
        hints_add(hints, "Enter", _("take over"));
    }
    if (entered->details.asks.pause != 0 && (entered->details.asks.pause & own) == 0) {
        hints_add(hints, "/pause", _("agree"));
    }
    if (entered->details.asks.adjourn != 0 && (entered->details.asks.adjourn & own) == 0) {
        hints_add(hints, "/adjourn", _("agree"));
    }
}

/* Rings the bell once a turn, when the player's own clock has only CLOCK_SHORT_MS left. */
static void table_ring_bell_at_low_time(struct ui *ui, struct table_screen_state *state)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    bool is_own = entered->has_view && entered->has_clock && entered->you >= 0 &&
                  entered->row.phase == TABLE_PLAYING && model_clocks_run(entered) &&
                  (entered->view.to_act >> entered->you & 1) != 0;
    bool is_short = is_own && clock_rule_is_for_one_sitting(&entered->row.clock) &&
                    entered->clock_of_ms > CLOCK_SHORT_MS &&
                    entered->clock_end_ms - ui->now_ms < CLOCK_SHORT_MS;
    if (is_short && !state->is_alarmed) {
        screen_ring_bell(ui);
    }
    state->is_alarmed = is_short;
}

int64_t table_next_second_ms(int64_t end_ms, int64_t now_ms)
{
    return end_ms <= now_ms ? INT64_MAX : now_ms + (end_ms - now_ms - 1) % 1000 + 1;
}

/* Returns the time at which the next displayed clock changes; INT64_MAX if no clock runs. */
static int64_t table_next_clock_change_ms(const struct model_entered *entered, int64_t now_ms)
{
    int64_t next_ms = INT64_MAX;
    if (!model_clocks_run(entered) || entered->row.halt != HALT_NONE) {
        return next_ms;
    }
    if (entered->has_clock) {
        next_ms = table_next_second_ms(entered->clock_end_ms, now_ms);
    }
    for (int i = 0; i < 2 * SEATS_MAX; i++) {
        const struct model_time *time = &entered->times[i / 2];
        int64_t left_ms =
            model_time_left(entered, i % 2 == 0 ? time->left_ms : time->bot_ms, now_ms);
        int64_t at_ms = table_next_second_ms(now_ms + left_ms, now_ms);
        next_ms = at_ms < next_ms ? at_ms : next_ms;
    }
    return next_ms;
}

/* The table before the game starts. */

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
              table_write_player(entered, seat, false, &TEXT_OF(TABLE_TEXT)));
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

static void table_draw_before_start(struct ui *ui, struct table_screen_state *state,
                                    const struct canvas *canvas)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    const struct area *body = &canvas->body;
    int players = entered->row.players;
    int chat_width = body->width >= 112 ? body->width / 2 : 0;
    struct area left = {body->row + 1, body->column + 2, body->height - 1,
                        body->width - chat_width - 4};
    draw_header(canvas,
                text_format(&TEXT_OF(TABLE_TEXT), _("#%lld %s, about to begin"),
                            (long long)entered->row.id, _(entered->row.game->title)),
                text_format(&TEXT_OF(TABLE_TEXT), _("host %s"), entered->row.host));
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
              table_write_missing_players(entered, false, &TEXT_OF(TABLE_TEXT)));
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

static bool table_handle_key_before_start(struct ui *ui, struct table_screen_state *state,
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

static void table_add_hints_before_start(struct ui *ui, struct hints *hints)
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

#define SLOT_EMPTY 0xFE /* no card has this number */

/* Notes the view that the screen shows from now on. */
static void moment_note_view(struct moment *moment, const struct game_view *view, int64_t now_ms)
{
    struct moment now = {.since_ms = now_ms,
                         .is_known = true,
                         .phase = view->phase,
                         .round = view->round,
                         .is_own_turn = view_viewer_may_move(view),
                         .legal = view->legal};
    for (uint8_t i = 0; view->seat != SPECTATOR && i < SLOTS_MAX; i++) {
        const struct view_slot *slot = &view->hands[view->seat][i];
        bool is_empty = i >= view->slot_count[view->seat] || slot->is_empty;
        now.cards[i] = is_empty ? SLOT_EMPTY : slot->card;
    }
    bool has_same_keys = moment->is_known && moment->phase == now.phase &&
                         moment->round == now.round &&
                         memcmp(moment->cards, now.cards, sizeof(now.cards)) == 0;
    /* two turns in a row with other choices: the numbers of a list then mean other choices */
    bool is_next_decision = moment->is_own_turn && now.is_own_turn &&
                            memcmp(&moment->legal, &now.legal, sizeof(now.legal)) != 0;
    if (has_same_keys && !is_next_decision) {
        now.since_ms = moment->since_ms;
    }
    *moment = now;
}

static bool has_new_trick(const struct game_view *before, const struct game_view *now)
{
    return now->has_last_trick &&
           (!before->has_last_trick || before->round != now->round ||
            before->past_count != now->past_count) &&
           now->step > before->step;
}

/* Moves the cursor to another player's card that one of the viewer's moves can point out. */
static void move_aim_cursor_to_valid_card(struct table_screen_state *state,
                                          const struct game_view *view)
{
    struct aims aims;
    aims_collect_pointing_moves(view, &aims);
    aims_put_cursor_on_valid_card(&aims, &state->aim);
}

/* Returns the move that the game suggests to the viewer, in a lesson the one that the lesson
 * suggests. MOVE_NONE: none. */
static uint8_t find_suggested_move(const struct table_screen_state *state,
                                   const struct game_view *view)
{
    if (view->game->face->suggest == NULL || !view_viewer_may_move(view)) {
        return MOVE_NONE;
    }
    return state->lesson.suggestion != NULL
               ? game_move_parse(view->game, state->lesson.suggestion->move)
               : view->game->face->suggest(view);
}

/* Selects what the game suggests, and nothing if it suggests nothing. */
static void reset_selection(struct table_screen_state *state, const struct game_view *view)
{
    struct choices choices;
    struct face_order order;
    uint8_t move = find_suggested_move(state, view);
    state->selected = -1;
    state->cursor = choices_make_empty_cursor();
    state->order = order_make_empty_cursor();
    if (move == MOVE_NONE) {
        return;
    }
    if (order_read_move(view, move, &order)) {
        state->order.move = move;
    }
    choices_collect(view, &choices);
    for (int i = 0; i < choices.count; i++) {
        state->cursor.selected = choices.moves[i] == move ? i : state->cursor.selected;
    }
    state->cursor.is_suggested = state->cursor.selected >= 0;
}

static void update_shown_view(struct ui *ui, struct table_screen_state *state)
{
    const struct game_view *now = &screen_model(ui)->entered->view;
    bool has_new_step = !state->has_shown || now->step != state->sent_step;
    state->is_sent = state->is_sent && !has_new_step;
    table_lesson_update(&state->lesson, screen_model(ui)->entered);
    if (memcmp(&state->asked, &now->legal, sizeof(state->asked)) != 0) {
        /* If several players act at once, moves of the others do not clear the text that the viewer
         * is typing. */
        reset_selection(state, now);
    }
    state->asked = now->legal;
    move_aim_cursor_to_valid_card(state, now);
    bool is_trick =
        state->has_shown && state->shown.game == now->game && has_new_trick(&state->shown, now);
    if (is_trick && state->shown.round != now->round) {
        table_make_view_of_finished_trick(&state->shown, now);
        state->shown.step = now->step;
        state->round_end.view = state->shown;
        state->round_end.has_view = true;
    } else if (is_trick || state->hold_end_ms == 0) {
        state->shown = *now;
    }
    state->has_shown = true;
    if (!table_shows_old_round(state, now)) {
        moment_note_view(&state->moment, now, ui->now_ms);
    }
    if (is_trick) {
        state->hold_end_ms = ui->now_ms + pace_trick_ms((enum pace)screen_model(ui)->settings.pace);
        state->again_end_ms = 0;
    }
}

static void handle_view_push(struct ui *ui, void *state, UNUSED const json_t *message)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    if (entered != NULL && entered->has_view) {
        update_shown_view(ui, state);
    }
    if (entered != NULL && ui->plain.is_on) {
        table_print_view_changes(ui, state);
    }
    premove_follow_table(ui, state);
}

static void handle_score_sheet_push(struct ui *ui, void *opaque, const json_t *message)
{
    struct table_screen_state *state = opaque;
    const struct model_entered *entered = screen_model(ui)->entered;
    if (entered != NULL) {
        round_end_note_scores(&state->round_end, entered,
                              json_is_true(json_object_get(message, "reset")), ui->now_ms);
    }
}

static void handle_table_push(struct ui *ui, void *opaque, UNUSED const json_t *message)
{
    struct table_screen_state *state = opaque;
    const struct model_entered *entered = screen_model(ui)->entered;
    if (entered == NULL) {
        return;
    }
    const struct entered_row *details = &entered->details;
    if (entered->row.phase == TABLE_OPEN) {
        state->has_shown = false;
    }
    if (!entered->has_result && details->commitment[0] != '\0' &&
        state->committed_game != details->game_id) {
        state->committed_game = details->game_id;
        memcpy(state->commitment, details->commitment, sizeof(state->commitment));
    }
    table_lesson_update(&state->lesson, entered);
    if (ui->plain.is_on) {
        table_print_table_changes(ui, state);
    }
    premove_follow_table(ui, state);
    table_claim_note_change(ui, state);
}

static void handle_result_push(struct ui *ui, void *opaque, UNUSED const json_t *message)
{
    const struct table_screen_state *state = opaque;
    if (screen_model(ui)->entered != NULL && ui->plain.is_on && state->has_told) {
        table_result_print(ui, state, screen_get_plain_lines(ui));
    }
}

static void table_enter(struct ui *ui, void *opaque, UNUSED int64_t argument)
{
    struct table_screen_state *state = opaque;
    const struct model_entered *entered = screen_model(ui)->entered;
    state->has_shown = false;
    state->has_told = false;
    state->missing_told = -1;
    state->hold_end_ms = 0;
    state->again_end_ms = 0;
    state->selected = -1;
    state->cursor = choices_make_empty_cursor();
    state->order = order_make_empty_cursor();
    state->is_sent = false;
    round_end_forget(&state->round_end, entered);
    state->told_claim.tricks = 0;
    if (entered != NULL) {
        table_claim_note_change(ui, state);
    }
    if (entered != NULL && entered->has_view) {
        update_shown_view(ui, state);
    }
    state->moment.since_ms = 0; /* a person who has just come has typed nothing for an old screen */
    state->premove = (struct premove){0};
    premove_follow_table(ui, state);
}

static void stop_holding_trick(struct ui *ui, struct table_screen_state *state)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    state->hold_end_ms = 0;
    state->held_ms = ui->now_ms;
    if (entered != NULL && entered->has_view) {
        moment_note_view(&state->moment, &entered->view, state->held_ms);
        state->shown = entered->view;
    }
}

static void end_expired_overlays(struct ui *ui, struct table_screen_state *state)
{
    int64_t now = ui->now_ms;
    if (state->hold_end_ms != 0 && now >= state->hold_end_ms) {
        stop_holding_trick(ui, state);
    }
    (void)premove_play_last_card(ui, state);
    state->again_end_ms = now >= state->again_end_ms ? 0 : state->again_end_ms;
}

static void table_draw(struct ui *ui, void *opaque, const struct canvas *canvas)
{
    struct table_screen_state *state = opaque;
    const struct model_entered *entered = screen_model(ui)->entered;
    if (entered == NULL) {
        draw_text_centred(canvas, canvas->body.row + canvas->body.height / 2, canvas->body.column,
                          canvas->body.width, STYLE_DIM, _("One moment…"));
        return;
    }
    end_expired_overlays(ui, state);
    table_ring_bell_at_low_time(ui, state);
    if (entered->row.phase == TABLE_OPEN || !entered->has_view) {
        table_draw_before_start(ui, state, canvas);
    } else {
        table_draw_game(ui, state, canvas);
    }
}

/* Any key ends an overlay. Returns true if the key has no other effect. While the screen still
 * shows the round before, or the last trick again, no key decides anything: what it would decide
 * about is not in sight. */
static bool dismiss_overlay(struct ui *ui, struct table_screen_state *state,
                            const struct press *press)
{
    if (state->hold_end_ms == 0 && state->again_end_ms == 0) {
        return false;
    }
    bool is_covered = true;
    if (state->hold_end_ms != 0) {
        is_covered = table_shows_old_round(state, &screen_model(ui)->entered->view);
        stop_holding_trick(ui, state);
    } else {
        state->again_end_ms = 0;
    }
    return (is_covered && table_may_key_decide(ui, press)) || press->kind == PRESS_ENTER ||
           press->kind == PRESS_ESCAPE ||
           (press->kind == PRESS_CHAR && (press->code == ' ' || press->code == 't'));
}

/* Handles a key while the end of a round is shown, or a trick before it. Returns true if the key
 * has no other effect. */
static bool handle_key_at_round_end(struct ui *ui, struct table_screen_state *state,
                                    const struct press *press)
{
    if (state->hold_end_ms != 0 || state->again_end_ms != 0) {
        (void)dismiss_overlay(ui, state, press);
        return true; /* a key pressed to skip the trick must not skip the scores too */
    }
    return round_end_handle_key(ui, &state->round_end, press);
}

static bool handle_key(struct ui *ui, struct table_screen_state *state, const struct press *press)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    uint32_t letter = press->kind == PRESS_CHAR ? press->code : 0;
    if (entered == NULL) {
        return false;
    }
    if (letter == 'q' && state->again_end_ms != 0) {
        state->again_end_ms = 0;
        return true;
    }
    if (letter == 'q') {
        visit_leave_table(ui);
        return true;
    }
    if (letter == 'N') {
        visit_next_table_with_own_turn(ui);
        return true;
    }
    if (letter == '?' || letter == 'r') {
        return screen_open(ui, "rules", 0);
    }
    if (entered->row.phase == TABLE_OPEN || !entered->has_view) {
        /* Esc closes a question there, and pressed once too often it must not leave the table */
        return press->kind == PRESS_ESCAPE || table_handle_key_before_start(ui, state, press);
    }
    if (round_end_is_shown(&state->round_end, entered, ui->now_ms) &&
        handle_key_at_round_end(ui, state, press)) {
        state->moment.since_ms = ui->now_ms; /* the next key may be meant for it too */
        return true;
    }
    if (table_handle_key_in_halt(ui, state, press)) {
        return true;
    }
    if (dismiss_overlay(ui, state, press)) {
        return true;
    }
    if (letter == ' ') {
        /* a space bar pressed too late to skip a trick must not begin a chat line */
        return state->held_ms != 0 && ui->now_ms - state->held_ms < TABLE_LATE_SPACE_MS;
    }
    if (press->kind == PRESS_ESCAPE) {
        const struct order_cursor order = state->order;
        (void)premove_take_back(ui, state);
        reset_selection(state, &entered->view);
        if (order_is_asked(&entered->view) && order.picked >= 0) {
            state->order = order; /* the first Esc only puts the picked suit down */
            state->order.picked = -1;
        } else if (order_is_asked(&entered->view) && order.is_chosen) {
            screen_inform(ui, "%s", _("The hand is in its first order again."));
        }
        state->aim = (struct aim_cursor){.seat = UINT8_MAX};
        move_aim_cursor_to_valid_card(state, &entered->view);
        return true;
    }
    if (press->kind == PRESS_PAGE_UP || letter == 'L') {
        return screen_open(ui, "log", 0);
    }
    return (entered->view.phase == PHASE_OVER && table_result_handle_key(ui, press)) ||
           table_play_handle_key(ui, state, press);
}

static bool table_handle_key(struct ui *ui, void *opaque, const struct press *press)
{
    struct table_screen_state *state = opaque;
    uint8_t named_move = state->cursor.named_move;
    bool is_used = handle_key(ui, state, press);
    if (state->cursor.named_move == named_move) {
        state->cursor.named_move = MOVE_NONE; /* this key has named no move */
    }
    return is_used;
}

/* Writes the allowed ones among the keys: "1-3 5". A run of neighbouring keys is written as its
 * first and its last one; on the keyboard 9, 0 and A are not neighbours. */
static const char *write_keys(char keys[][CHOICE_KEY_MAX], const bool *is_allowed, int count,
                              struct text *out)
{
    bool is_run = false;
    for (int i = 0; i < count; i++) {
        bool goes_on =
            i + 1 < count && is_allowed[i + 1] && keys[i + 1][0] != '0' && keys[i + 1][0] != 'A';
        if (is_allowed[i] && !is_run) {
            text_format(out, out->len > 0 ? " %s" : "%s", keys[i]);
        } else if (is_allowed[i] && !goes_on) {
            text_format(out, "-%s", keys[i]);
        }
        is_run = is_allowed[i] && goes_on;
    }
    return out->at;
}

/* Writes the keys of the cards that may be played now: "1-7", "2-4 9 0 A-C". */
static const char *write_card_keys(const struct game_view *view,
                                   const struct table_screen_state *state, struct text *out)
{
    uint8_t slots[SLOTS_MAX];
    char card_keys[SLOTS_MAX][CHOICE_KEY_MAX];
    bool is_allowed[SLOTS_MAX], keeps_slots = state->keeps_slots;
    uint8_t count = hand_order_slots(view, (uint8_t)view->seat, &keeps_slots, slots);
    for (int place = 0; place < count; place++) {
        struct text key = text_init(card_keys[place], CHOICE_KEY_MAX);
        text_put_char(&key, hand_keyboard_key_of_place(place));
        is_allowed[place] = !view->hands[view->seat][slots[place]].is_empty &&
                            move_set_has(&view->legal, view->game->face->point(view, slots[place]));
    }
    return write_keys(card_keys, is_allowed, count, out);
}

/* Writes the numbers that may be chosen now: "0-2 4-7". */
static const char *write_number_keys(const struct game_view *view, struct choices *choices,
                                     struct text *out)
{
    bool is_allowed[MOVES_MAX];
    for (int i = 0; i < choices->count; i++) {
        is_allowed[i] = move_set_has(&view->legal, choices->moves[i]);
    }
    return write_keys(choices->typed, is_allowed, choices->count, out);
}

/* In a halt, Enter takes only what the player has selected; otherwise it ends the halt. */
static bool does_enter_take_move(const struct model_entered *entered,
                                 const struct table_screen_state *state)
{
    return !table_game_is_halted(entered) || table_has_selection(state);
}

static void add_choice_hints(const struct words *words, const struct model_entered *entered,
                             const struct table_screen_state *state, struct choices *choices,
                             struct hints *hints)
{
    const struct game_view *view = &entered->view;
    bool has_number_keys =
        choices->keys == CHOICE_NUMBERS || (choices->keys == CHOICE_INDEX && choices->count <= 9);
    if (choices->has_pairs) {
        hints_add(hints, N_("3 or 3,4"), _("one number or two"));
        if (does_enter_take_move(entered, state)) {
            hints_add(hints, "Enter", _("confirm"));
        }
    } else if (choices->count > 0 && has_number_keys) {
        hints_add(hints, write_number_keys(view, choices, &TEXT_OF(HINT_MAX)), _("choose"));
    } else if (choices->count == 1) {
        hints_add(hints, choices->typed[0],
                  words_write_move(words, view, choices->moves[0], &TEXT_OF(HINT_MAX)));
    } else if (choices->count > 0) {
        hints_add(hints, N_("arrows Enter"), _("choose"));
    }
    const char *cards = write_card_keys(view, state, &TEXT_OF(HINT_MAX));
    if (choices->has_pointing && cards[0] != '\0') {
        hints_add(hints, cards, _(face_describe_pointing_at_card(view)));
    }
    if (!choices->has_pairs && state->cursor.typed[0] != '\0' && state->cursor.selected >= 0) {
        hints_add(hints, "Enter",
                  text_format(&TEXT_OF(HINT_MAX), _("take %s"), state->cursor.typed));
    }
}

/* Names the keys that put the suits of the hand in order, if the viewer has to. */
static void add_order_hints(const struct game_view *view, const struct table_screen_state *state,
                            struct hints *hints)
{
    struct face_order order;
    if (!order_is_asked(view) || !order_find_shown(view, &state->order, &order)) {
        return;
    }
    hints_add(hints, (const char[]){ORDER_KEY_GIVE, '\0'}, _("give"));
    /* first what nothing else tells: the suits have their numbers beside their names */
    hints_add(hints, "< >", _("move"));
    hints_add(
        hints,
        text_format(&TEXT_OF(HINT_MAX), order.suit_count > 1 ? "1-%u" : "%u", order.suit_count),
        _("pick"));
}

/* Adds the keys that do something in the game now to the hints. */
static void table_play_add_hints(struct ui *ui, const struct table_screen_state *state,
                                 struct hints *hints)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    const struct game_view *view = &entered->view;
    struct face_fact facts[FACE_BOARD_MAX];
    if (entered->you < 0) {
        hints_add(hints, "p", _("look back"));
    }
    if (view_viewer_may_move(view) && !state->is_sent &&
        (!table_game_is_halted(entered) || table_viewer_is_to_move(entered, HALT_HOUSE))) {
        struct choices choices;
        choices_collect(view, &choices);
        if (choices.aims.count > 0 && does_enter_take_move(entered, state)) {
            hints_add(hints, "Enter", _("give it"));
        }
        if (choices.aims.count > 0) {
            hints_add(hints, N_("arrows Tab"), _("choose"));
        }
        struct words words =
            words_make_for_entered_table(screen_theme(ui), screen_model(ui)->entered);
        words.is_plain = true;
        add_choice_hints(&words, entered, state, &choices, hints);
        add_order_hints(view, state, hints);
    }
    if (state->premove.is_set || state->cursor.typed[0] != '\0') {
        hints_add(hints, "Esc", _("take back"));
    }
    if (!state->is_sent && table_claim_is_worth_offering(screen_model(ui)->entered)) {
        hints_add(hints, "m", _("claim the rest"));
    }
    if (scene_has_trick_of_round(view)) {
        hints_add(hints, "t", _("last trick"));
    }
    hints_add(hints, "s", _("scores"));
    hints_add(hints, "c", _("chat"));
    hints_add(hints, "L", _("story"));
    if (state->layout.side.width == 0 && view->game->face->board != NULL &&
        view->game->face->board(view, NULL, facts) > 0) {
        hints_add(hints, "i", state->is_board_folded ? _("board") : _("fold the board"));
    }
    hints_add(hints, "w", _("watchers"));
}

static void table_add_hints(struct ui *ui, void *opaque, struct hints *hints)
{
    const struct table_screen_state *state = opaque;
    const struct model_entered *entered = screen_model(ui)->entered;
    if (entered == NULL) {
        hints_add(hints, "q", _("lobby"));
    } else if (entered->row.phase == TABLE_OPEN || !entered->has_view) {
        table_add_hints_before_start(ui, hints);
    } else if (state->again_end_ms != 0) {
        hints_add(hints, "t", _("go back"));
        hints_add(hints, "s", _("scores"));
        hints_add(hints, "c", _("chat"));
    } else if (round_end_is_shown(&state->round_end, entered, ui->now_ms)) {
        round_end_add_hints(&state->round_end, entered, hints);
    } else if (entered->view.phase == PHASE_OVER) {
        table_result_add_hints(ui, hints);
    } else {
        table_add_halt_hints(entered, state, hints);
        table_play_add_hints(ui, opaque, hints);
    }
}

/* Plain mode: does and prints what is due by now. Returns when the next such thing is due. */
static int64_t table_pass_time(struct ui *ui, void *opaque)
{
    int64_t warning_ms = table_print_clock_warning(ui, opaque);
    int64_t card_ms = premove_play_last_card(ui, opaque);
    return card_ms < warning_ms ? card_ms : warning_ms;
}

static int64_t table_next_redraw_ms(const struct ui *ui, const void *opaque)
{
    const struct table_screen_state *state = opaque;
    const struct model_entered *entered = screen_model(ui)->entered;
    int64_t now = ui->now_ms;
    int64_t hold_ms = pace_trick_ms((enum pace)screen_model(ui)->settings.pace);
    int64_t next = INT64_MAX;
    if (entered == NULL) {
        return next;
    }
    bool is_great = table_log_find_great_moment(entered, now, hold_ms) != NULL;
    bool has_clocks = entered->has_view && entered->view.to_act != 0;
    const int64_t due_ms[] = {
        has_clocks ? table_next_clock_change_ms(entered, now) : 0,
        is_great ? entered->log.great_ms + hold_ms : 0,
        state->hold_end_ms,
        state->again_end_ms,
        state->premove.auto_ms,
        round_end_next_change_ms(&state->round_end, entered, now),
    };
    for (size_t i = 0; i < ARRAY_LEN(due_ms); i++) {
        next = due_ms[i] != 0 && due_ms[i] < next ? due_ms[i] : next;
    }
    return next;
}

/* A long notice may cover what stands below the hand: the status line and the chat. */
static int table_count_free_rows(const void *opaque)
{
    const struct table_layout *layout = &((const struct table_screen_state *)opaque)->layout;
    return layout->status.height + layout->chat.height;
}

/* Keys that not every game has */
#define KEYS_FOR_CLUES N_("arrows Tab Enter")
#define KEYS_FOR_ORDER "< > 1-9"
#define KEY_GIVING_ORDER ((const char[]){ORDER_KEY_GIVE, '\0'})
#define KEY_CLAIMING "m"

/* The help leaves out the keys for which the table's game has no use. */
static bool table_lists_key(struct ui *ui, const struct screen_key *key)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    if (entered == NULL) {
        return true;
    }
    const struct game_def *game = entered->row.game;
    const struct {
        const char *keys;
        bool is_used;
    } special[] = {
        {KEYS_FOR_CLUES, game->face->aim != NULL},
        {KEYS_FOR_ORDER, game->face->order != NULL},
        {KEY_GIVING_ORDER, game->face->order != NULL},
        {KEY_CLAIMING, game->claim != NULL},
    };
    for (size_t i = 0; i < ARRAY_LEN(special); i++) {
        if (strcmp(special[i].keys, key->keys) == 0) {
            return special[i].is_used;
        }
    }
    return true;
}

static const struct screen_key table_keys[] = {
    {"1-9 0 A-E", N_("play the card with that number, or choose that number"), "/play", NULL},
    {N_("arrows Enter"), N_("select a card or another choice, then confirm"), "/play", NULL},
    {KEYS_FOR_CLUES, N_("select another player's card and a clue, then give the clue"), "/play",
     NULL},
    {KEYS_FOR_ORDER,
     N_("putting colours in order: move the picked one, or swap two by their numbers"), "/play",
     NULL},
    {KEY_GIVING_ORDER, N_("putting colours in order: give the hand as it lies"), "/play", NULL},
    {KEY_CLAIMING, N_("claim all remaining tricks of the round"), "/claim", NULL},
    {"t", N_("show the last trick again"), "/last", NULL},
    {"i", N_("hide or show the facts above the players"), "/fold", NULL},
    {"s", N_("show the score sheet and explain it"), "/scores", NULL},
    {"L PgUp", N_("show what happened in this game, from the first round on"), "/story", NULL},
    {"? r", N_("show this game's rules; ? there lists the keys"), "/rules", NULL},
    {"w", N_("show who watches"), "/watchers", NULL},
    {"c", N_("say something at the table"), "/chat", NULL},
    {"Esc", N_("take back a typed number, or the card chosen for your next turn"), "/premove off",
     NULL},
    {"N", N_("go to the next game that waits for your move"), "/next", NULL},
    {N_("any key"), N_("after a round: go on with the next one"), "/resume", NULL},
    {"Enter", N_("resume a halted game, or take your seat back from a bot"), "/resume", NULL},
    {"q", N_("leave the table; keep your seat or give it up for good"), "/leave", NULL},
    {"X", N_("leave a running game for good: a bot takes the seat"), "/resign", NULL},
    {"k", N_("host, before the start: send away the player of the chosen seat"), "/kick", NULL},
    {"Enter", N_("before the start: sit down at the chosen seat"), "/sit", NULL},
    {"u", N_("before the start: stand up"), "/stand", NULL},
    {"b B", N_("host, before the start: add or remove a bot"), "/bot", NULL},
    {"o", N_("host, before the start: change game options and clock"), "/options", NULL},
    {"w", N_("host, before the start: set who may watch, and the delay"), "/watching", NULL},
    {"l", N_("host: lock the table with a password, or unlock it"), "/lock", NULL},
    {"s", N_("host: begin the game once all seats are taken"), "/start", NULL},
    {"n R", N_("after the game: ask to play again"), "/rematch", NULL},
    {"p", N_("watching: look back at the game so far"), "/past", NULL},
    {"p", N_("after the game: replay it step by step"), "/history", NULL},
    {"c", NULL, NULL, N_("chat")},
    {"?", NULL, NULL, N_("rules, help")},
    {"q", NULL, NULL, N_("leave")},
    {NULL, NULL, NULL, NULL},
};

static const struct screen_push table_pushes[] = {
    {"result", handle_result_push},
    {"sheet", handle_score_sheet_push},
    {"table", handle_table_push},
    {"view", handle_view_push},
    {NULL, NULL},
};

const struct screen table_screen = {
    .name = "table",
    .title = N_("Table"),
    .state_size = sizeof(struct table_screen_state),
    .keys = table_keys,
    .enter = table_enter,
    .leave = premove_end_at_leaving,
    .draw = table_draw,
    .key = table_handle_key,
    .hints = table_add_hints,
    .lists_key = table_lists_key,
    .pushes = table_pushes,
    .print = table_print,
    .line = table_handle_typed_line,
    .pass = table_pass_time,
    .shows_chat = true,
    .catches_line = table_catch_line,
    .count_free_rows = table_count_free_rows,
    .next_ms = table_next_redraw_ms,
};
