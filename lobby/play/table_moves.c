#include "lobby/house/parts.h"
#include "lobby/house/words.h"
#include "lobby/play/play.h"
#include "lobby/protocol/protocol.h"
#include "lobby/sanctions/sanctions.h"
#include "lobby/tables/tables.h"
#include "storage/archive/archive.h"

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

static void message_move(const struct request *request)
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

const struct message_handler handler_move = {message_move};

static void message_seat_back(const struct request *request)
{
    int seat = table_seat_of(request->table, request->conn->person);
    if (seat >= 0) {
        return_to_seat_if_absent(request->house, request->table, seat);
    }
    answer_ok(request, NULL);
}

const struct message_handler handler_seat_back = {message_seat_back};

static void message_rematch(const struct request *request)
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
    table_store_rematch_request(house, table, seat);
    answer_ok(request, NULL);
    if (!table_rematch_is_agreed(table)) {
        return;
    }
    if (table_first_free_seat(table) < 0) {
        table_game_begin(house, table);
    } else {
        /* somebody has left, and their seat has to be filled before a rematch */
        table_game_reopen_table(house, table);
    }
}

const struct message_handler handler_rematch = {message_rematch};
