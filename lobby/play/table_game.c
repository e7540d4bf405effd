#include "lobby/play/play.h"

#include "lobby/chat/chat.h"
#include "lobby/house/parts.h"
#include "lobby/house/say.h"
#include "lobby/persons/persons.h"
#include "lobby/protocol/protocol.h"
#include "lobby/sanctions/sanctions.h"
#include "lobby/tables/tables.h"
#include "storage/archive/archive.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

#define SCORE_TEXT_MAX 4096

static void note_trick_or_round_end(void *context, const struct fields *event)
{
    struct table *table = context;
    table->is_trick_over = table->is_trick_over || strcmp(event_kind(event), "trick") == 0;
    table->is_round_new = table->is_round_new || strcmp(event_kind(event), "round") == 0;
}

/* Adds a finished round to the table's score sheet, and counts it in the players' statistics. */
static void record_round_score(void *context, const struct score_row *row,
                               const struct fields *event)
{
    struct table *table = context;
    char buffer[SCORE_TEXT_MAX];
    struct text text = text_init(buffer, sizeof(buffer));
    fields_write(event, &text);
    json_t *line = memory_check_allocated(json_loads(buffer, 0, NULL));
    json_t *bids = json_array();
    json_t *tricks = json_array();
    json_t *parts = json_array();
    uint8_t seats = game_seats(table->game, &table->config);
    for (uint8_t seat = 0; seat < seats; seat++) {
        if (row->has_bids) {
            (void)json_array_append_new(bids, json_integer(row->bids[seat]));
        }
        (void)json_array_append_new(tricks, json_integer(row->tricks[seat]));
    }
    for (uint8_t part = 0; part < row->part_count; part++) {
        json_t *of_seats = json_array();
        for (uint8_t seat = 0; seat < seats; seat++) {
            (void)json_array_append_new(of_seats, json_integer(row->parts[part][seat]));
        }
        (void)json_array_append_new(parts, of_seats);
    }
    (void)json_object_set_new(line, "n", json_integer(row->round));
    (void)json_object_set_new(line, "bids", bids);
    (void)json_object_set_new(line, "tricks", tricks);
    (void)json_object_set_new(line, "parts", parts);
    (void)json_array_append_new(table->sheet, line);
    for (uint8_t seat = 0; seat < table->config.players; seat++) {
        struct seat_play *play = &table->plays[seat];
        if (!play->has_left) {
            table->game->stat.count(row, seat, &play->stat_hits, &play->stat_chances);
        }
    }
}

/* Called when the seats on turn may have changed. Stops the clock of the player who moved, starts
 * the clocks of seats that are newly on turn, and forgets which bot processes were asked for a
 * move. The clock of a seat that was on turn before and still is runs on. */
static void update_turns_and_clocks(struct table *table, uint8_t seats_on_turn_before, int mover,
                                    int64_t at_ms)
{
    uint8_t turn = game_seats_to_act(&table->state);
    if (mover >= 0) {
        table_clock_end_turn(&table->clock, mover, at_ms);
    }
    for (int seat = 0; seat < table->config.players; seat++) {
        struct seat_play *play = &table->plays[seat];
        bool was_waiting = seat != mover && (seats_on_turn_before >> seat & 1) != 0;
        if ((turn >> seat & 1) != 0 && !was_waiting) {
            table_clock_begin_turn(&table->clock, seat, &play->time, at_ms);
            play->since_step = table->move_count;
            play->is_out_of_time = false;
        }
        play->asked_ms = 0;
        play->asked_conn = 0;
        play->answer = MOVE_NONE;
    }
    table->moved_ms = at_ms;
}

/* Forgets the score sheet and result of the previous game. */
static void forget_sheet_and_result(struct table *table)
{
    (void)json_array_clear(table->sheet);
    table->sheet_told = 0;
    payload_release(table->result);
    table->result = NULL;
}

void table_game_deal(struct table *table, int64_t at_ms)
{
    for (int seat = 0; seat < SEATS_MAX; seat++) {
        struct seat_play *play = &table->plays[seat];
        play->stat_hits = 0;
        play->stat_chances = 0;
        play->has_left = false;
        play->misses = 0;
        play->is_grace_spent = false;
        play->seen_step = 0;
        play->starter = table->row.seats[seat];
    }
    table->move_count = 0;
    table->is_trick_over = false;
    table->claim = (struct table_claim){.count = 0};
    struct clock_rule rule = table_clock_rule(table);
    table_clock_init(&table->clock, &rule);
    forget_sheet_and_result(table);
    (void)crypto_hash_sha256(table->commitment, table->seed, sizeof(table->seed));
    struct game_log log = {table, note_trick_or_round_end, record_round_score};
    /* this cannot fail: the configuration was checked when the table was set up */
    table->has_game =
        game_start(table->game, &table->config, table->seed, &table->state, &log) == GAME_OK;
    table_watch_begin_game(table);
    update_turns_and_clocks(table, 0, -1, at_ms);
}

enum game_result table_game_apply_move(struct table *table, uint8_t seat, uint8_t move,
                                       int64_t at_ms)
{
    struct game_log log = {table, note_trick_or_round_end, record_round_score};
    uint8_t seats_on_turn_before = game_seats_to_act(&table->state);
    bool was_trick_over = table->is_trick_over;
    table->is_trick_over = false;
    table->is_round_new = false;
    enum game_result result = game_apply(table->game, &table->state, seat, move, &log);
    if (result != GAME_OK) {
        table->is_trick_over = was_trick_over;
        return result;
    }
    table->moves =
        memory_grow(table->moves, table->move_count, &table->move_cap, sizeof(*table->moves));
    table->moves[table->move_count++] = (struct history_move){seat, move};
    table_watch_note_move(table, at_ms, table->is_round_new);
    update_turns_and_clocks(table, seats_on_turn_before, seat, at_ms);
    return GAME_OK;
}

static void store_new_game(struct house *house, struct table *table)
{
    struct storage_game game = {
        .table = table->row.id,
        .players = table->config.players,
        .format = GAME_FORMAT,
        .is_rated = table->is_rated,
        .started_ms = house->now_ms,
    };
    struct text options = text_init(game.options, sizeof(game.options));
    game_config_write(table->game, &table->config, &options);
    (void)snprintf(game.game, sizeof(game.game), "%s", table->game->id);
    memcpy(game.seed, table->seed, sizeof(game.seed));
    memcpy(game.commitment, table->commitment, sizeof(game.commitment));
    memcpy(game.seats, table->row.seats, sizeof(game.seats));
    table_check_storage_result(house, table,
                               storage_game_start(house->storage, &game, &table->row.game_id));
}

static void announce_game_begun(struct house *house, struct table *table)
{
    char buffer[WORDS_MAX / 2];
    struct text names = text_init(buffer, sizeof(buffer));
    for (int seat = 0; seat < table->row.players; seat++) {
        text_put(&names, seat == 0 ? "" : ", ");
        text_put(&names, table->row.seats[seat].name);
    }
    if (!table_is_lesson(table)) {
        table_news_tell(house, TABLE_NEWS_BEGUN,
                        say(_("%p has begun: %s"), table_title(table), buffer));
    }
    chat_announce_at_table(house, table, say("%s", table_rating_game_start_sentence(house, table)));
}

void table_game_draw_seed(struct house *house, struct table *table)
{
    house->config.random(house->config.random_context, table->seed, sizeof(table->seed));
}

void table_game_begin_from_seed(struct house *house, struct table *table)
{
    table->is_rated = table_may_be_rated(house, table);
    for (int seat = 0; seat < table->row.players; seat++) {
        table->row.seats[seat].is_absent = false;
    }
    table->row.halt = STORAGE_HALT_NONE;
    table->row.halt_ms = 0;
    table->row.halt_by[0] = '\0';
    table->row.resume_asked = 0;
    table->row.resume_due_ms = 0;
    table->row.rematch = 0;
    table_times_read_time_off(house, table);
    table_game_deal(table, house->now_ms);
    store_new_game(house, table);
    table->row.state = STORAGE_TABLE_PLAYING;
    absences_note_players_at_start(house, table);
    table_people_remove_barred_spectators(house, table);
    announce_game_begun(house, table);
    metrics_count(house, HOUSE_METRIC_games_begun, table->game->id, NULL, 1);
    TABLE_LISTENERS_CALL(game_begun, house, table);
}

/* Draws the seats of a rated game by lot, so that nobody chooses whom to play after. The lot comes
 * before the seed, so it does not depend on any cards. */
static void draw_seats_by_lot(struct house *house, struct table *table)
{
    uint8_t lot[SEED_BYTES], from[SEATS_MAX] = {0, 1, 2, 3, 4, 5, 6};
    struct deal_stream stream;
    struct storage_seat seats[SEATS_MAX];
    int64_t gone_ms[SEATS_MAX];
    house->config.random(house->config.random_context, lot, sizeof(lot));
    deal_stream_init(&stream, lot);
    deal_stream_shuffle(&stream, from, table->row.players);
    memcpy(seats, table->row.seats, sizeof(seats));
    memcpy(gone_ms, table->gone_ms, sizeof(gone_ms));
    for (uint8_t seat = 0; seat < table->row.players; seat++) {
        table->row.seats[seat] = seats[from[seat]];
        table->gone_ms[seat] = gone_ms[from[seat]];
    }
    chat_announce_at_table(house, table, say(_("The seats have been drawn by lot.")));
}

void table_game_begin(struct house *house, struct table *table)
{
    if (house->config.play_lots && table_may_be_rated(house, table)) {
        draw_seats_by_lot(house, table);
    }
    table_game_draw_seed(house, table);
    table_game_begin_from_seed(house, table);
}

void table_game_reopen_table(struct table *table)
{
    if (table->row.state != STORAGE_TABLE_FINISHED) {
        return;
    }
    table->row.state = STORAGE_TABLE_OPEN;
    table->has_game = false;
    table->row.rematch = 0;
    forget_sheet_and_result(table);
    table->watch.rows = 0;
    table->watch.rows_told = 0;
}

enum game_result table_game_make_move(struct house *house, struct table *table, uint8_t seat,
                                      uint8_t move, const struct storage_move *origin)
{
    uint32_t step = (uint32_t)table->move_count;
    size_t rounds = json_array_size(table->sheet);
    enum game_result result = table_game_apply_move(table, seat, move, house->now_ms);
    if (result != GAME_OK) {
        return result;
    }
    if (!table->claim.is_accepted) {
        table->claim.count = 0;
    }
    char buffer[MOVE_TEXT_MAX];
    struct text text = text_init(buffer, sizeof(buffer));
    game_move_write(table->game, move, &text);
    struct storage_move row = {
        .game = table->row.game_id,
        .step = step,
        .seat = seat,
        .text = buffer,
        .at_ms = house->now_ms,
        .conn = origin == NULL ? 0 : origin->conn,
        .request = origin == NULL ? 0 : origin->request,
    };
    table_check_storage_result(house, table, storage_moves_append(house->storage, &row, 1));
    metrics_count(house, HOUSE_METRIC_moves, table->game->id, origin == NULL ? "house" : "player",
                  1);
    if (origin != NULL) {
        table_times_note_move_by_player(house, table, seat);
    }
    if (json_array_size(table->sheet) > rounds && game_seats_to_act(&table->state) != 0) {
        table_halt_begin_round_stop(house, table);
    }
    if (!table_watch_is_delayed(table)) {
        table_watch_update_visible_state(house, table);
    }
    if (game_seats_to_act(&table->state) == 0) {
        table_finish_game(house, table);
    }
    return GAME_OK;
}

void table_game_leave_for_good(struct house *house, struct table *table, int seat)
{
    struct storage_seat left = table->row.seats[seat];
    if (table->claim.seat == seat) {
        table->claim.count = 0;
    }
    /* This cannot fail: there are more bots of medium level than a table has seats. */
    if (!bot_seat_fill(house, table, seat, BOT_LEVEL_MEDIUM)) {
        table->row.seats[seat] = left;
        return;
    }
    struct storage_seat_change change = {
        .step = (uint32_t)table->move_count,
        .seat = (uint8_t)seat,
        .who = table->row.seats[seat],
    };
    table_check_storage_result(
        house, table, storage_seat_change_add(house->storage, table->row.game_id, &change));
    struct seat_play *play = &table->plays[seat];
    play->has_left = true;
    play->left_step = change.step;
    play->asked_ms = 0;
    play->answer = MOVE_NONE;
    if (strcmp(left.name, table->row.host_name) == 0) {
        table_choose_new_host(house, table);
    }
    chat_announce_at_table(
        house, table,
        say(_("%s left the game for good; %s, a bot, plays on."), left.name, change.who.name));
    table_people_remove_barred_spectators(house, table);
    table_people_note_presence(house, table);
    table_halt_note_player_gone(house, table, seat);
}

/* True when this move was already carried out. Then the client has repeated the move, because its
 * answer was lost. */
static bool move_was_carried_out(const struct table *table, int64_t step, int seat, uint8_t move)
{
    return (size_t)step < table->move_count && table->moves[step].seat == seat &&
           table->moves[step].move == move;
}

/* True when the player had seen all moves that matter for this move. Moves that others made in the
 * same simultaneous turn do not matter. */
static bool mover_saw_current_state(const struct table *table, int64_t step, int seat)
{
    return (size_t)step == table->move_count ||
           ((size_t)step < table->move_count && (table_seats_on_turn(table) >> seat & 1) != 0 &&
            (size_t)step >= table->plays[seat].since_step);
}

static void refuse_move(const struct request *request, enum game_result result)
{
    if (result == GAME_NOT_YOUR_TURN) {
        answer_no(request, "not_your_turn",
                  _("It is not your turn: wait until the others have played."));
    } else if (result == GAME_OVER) {
        answer_no(request, "stale", _("That game is over: ask for a rematch to play again."));
    } else {
        answer_no(request, "illegal",
                  _("The rules do not allow that now: choose one of the moves offered."));
    }
}

/* Puts a player who acts at the table back on their seat: a bot that played for them stops. */
static void return_to_seat_if_absent(struct house *house, struct table *table, int seat)
{
    if (table->row.seats[seat].is_absent) {
        table_return_to_seat(house, table, seat);
    }
}

void message_move(const struct request *request)
{
    struct house *house = request->house;
    const json_t *body = request->body;
    int64_t step = 0;
    struct table *table = request_find_named_table(request);
    int seat = table == NULL ? -1 : table_seat_of(table, request->conn->person);
    if (seat < 0) {
        answer_no(request, "not_your_turn",
                  _("You have no seat at that table: take one before its next game."));
        return;
    }
    const char *text = json_read_text(body, "move", MOVE_TEXT_MAX);
    uint8_t move = text == NULL ? MOVE_NONE : game_move_parse(table->game, text);
    return_to_seat_if_absent(house, table, seat);
    if (!table->has_game || !json_read_number(body, "step", 0, UINT16_MAX, &step)) {
        answer_no(request, "stale",
                  _("No game at this table has that step: look at the table again."));
    } else if (move_was_carried_out(table, step, seat, move)) {
        answer_ok(request, NULL);
    } else if (!table_is_playing(table)) {
        refuse_move(request, GAME_OVER);
    } else if (!mover_saw_current_state(table, step, seat)) {
        answer_no(request, "stale", _("The table has moved on since: look again and choose anew."));
    } else if (table->row.halt == STORAGE_HALT_ROUND) {
        answer_no(request, "halted",
                  _("The round has just ended: go on with any key or /resume, then make your "
                    "move."));
    } else if (table->row.halt != STORAGE_HALT_NONE) {
        answer_no(request, "halted", _("The game stands still: /resume to go on with it."));
    } else {
        struct storage_move origin = {.conn = request->conn->id, .request = request->id};
        enum game_result result =
            move == MOVE_NONE ? GAME_ILLEGAL
                              : table_game_make_move(house, table, (uint8_t)seat, move, &origin);
        if (result == GAME_OK) {
            answer_ok(request, NULL);
        } else {
            refuse_move(request, result);
        }
    }
}

void message_seat_back(const struct request *request)
{
    int seat = table_seat_of(request->table, request->conn->person);
    if (seat >= 0) {
        return_to_seat_if_absent(request->house, request->table, seat);
    }
    answer_ok(request, NULL);
}

void message_rematch(const struct request *request)
{
    struct house *house = request->house;
    struct table *table = request->table;
    int seat = table_seat_of(table, request->conn->person);
    if (seat < 0 || table->row.state != STORAGE_TABLE_FINISHED) {
        answer_no(request, "not_seated",
                  _("A rematch is for those who sit at a finished game: take a free seat first."));
        return;
    }
    if (!disabled_allows_new_game(request, table->game->id)) {
        return;
    }
    table->row.rematch = (uint8_t)(table->row.rematch | 1U << seat);
    answer_ok(request, NULL);
    if (!table_rematch_is_agreed(table)) {
        return;
    }
    if (table_first_free_seat(table) < 0) {
        table_game_begin(house, table);
    } else {
        /* somebody has left, and their seat has to be filled before a rematch */
        table_game_reopen_table(table);
    }
}
