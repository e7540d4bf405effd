#include "lobby/chat/chat.h"
#include "lobby/house/parts.h"
#include "lobby/house/say.h"
#include "lobby/house/words.h"
#include "lobby/persons/persons.h"
#include "lobby/play/play.h"
#include "lobby/protocol/protocol.h"
#include "lobby/sanctions/sanctions.h"
#include "lobby/seats/seats.h"
#include "lobby/tables/tables.h"

/* True when the game begins as soon as the last free seat is taken, because the host of a
 * turn-by-turn table is away. */
static bool taking_last_seat_begins_game(struct house *house, const struct table *table)
{
    const struct person *host = person_find(house, table->row.host_name);
    bool is_host_here = host != NULL && table_is_entered_by(table, host);
    return table_is_turn_by_turn(table) && table->row.state == STORAGE_TABLE_OPEN &&
           !is_host_here && table_count_seated_people(table) > 0 &&
           table_count_taken_seats(table) + 1 == table->row.players;
}

/* True when the requester has no seat at the table yet. */
static bool requester_has_no_seat(const struct request *request)
{
    if (table_seat_of(request->table, request->conn->person) < 0) {
        return true;
    }
    answer_no(request, "seated", _("You sit here already: stand up first to change seats."));
    return false;
}

const struct need need_no_seat = {.holds = requester_has_no_seat};

/* True when the requester can return on another day, as a turn-by-turn game requires. */
static bool requester_can_return(const struct request *request)
{
    struct clock_rule rule = table_clock_rule(request->table);
    if (request->conn->person->kind != PERSON_GUEST || clock_rule_is_for_one_sitting(&rule)) {
        return true;
    }
    answer_no(request, "guest",
              _("This game is played over days, and a guest cannot come back: make an account "
                "to sit here."));
    return false;
}

const struct need need_can_return = {.holds = requester_can_return};

static bool requester_is_eligible(const struct request *request)
{
    json_t *why = NULL;
    if (table_eligibility_admits(request->house, request->table, request->conn->person, &why)) {
        return true;
    }
    answer_no_with_sentence(request, "fit", why);
    return false;
}

const struct need need_eligibility = {.holds = requester_is_eligible};

static bool requester_has_no_block_at_table(const struct request *request)
{
    if (!blocks_exist_with_someone_at_table(request->conn->person, &request->table->row)) {
        return true;
    }
    answer_no(request, "full", "%s", blocks_refusal_text());
    return false;
}

const struct need need_no_block = {.holds = requester_has_no_block_at_table};

static void message_seat_take(const struct request *request)
{
    struct house *house = request->house;
    struct table *table = request->table;
    bool is_beginning = taking_last_seat_begins_game(house, table);
    if (is_beginning && !disabled_allows_new_game(request, table->game->id)) {
        return;
    }
    table_take_seat(house, table, request->seat, request->conn->person);
    answer_ok(request, NULL);
    if (is_beginning) {
        table_game_begin(house, table);
    }
}

const struct message_handler handler_seat_take = {message_seat_take};

static void message_seat_leave(const struct request *request)
{
    struct table *table = request->table;
    int seat = table_seat_of(table, request->conn->person);
    if (seat < 0) {
        answer_no(request, "not_seated", _("You have no seat here: take one, or go on watching."));
    } else if (!table_is_playing(table)) {
        table_vacate_seat(request->house, table, seat);
        answer_ok(request, NULL);
    } else if (!json_read_bool(request->body, "for_good", false)) {
        answer_no(
            request, "started",
            _("A game is on: if you leave for good, a bot takes your seat and the game counts as "
              "one that you left. Confirm that you leave for good, or just go back to the lobby."));
    } else {
        table_game_leave_for_good(request->house, table, seat);
        answer_ok(request, NULL);
    }
}

const struct message_handler handler_seat_leave = {message_seat_leave};

void table_kick_from_seat(struct house *house, struct table *table, int seat, const char *kicked_by)
{
    const struct person *person = table_connected_holder(house, table, seat);
    table_vacate_seat(house, table, seat);
    if (person != NULL) {
        person_send_notice(
            house, person, "warn",
            say(_("%s freed your seat at %p: find another table."), kicked_by, table_title(table)));
    }
}

static void message_bot_add(const struct request *request)
{
    struct house *house = request->house;
    struct table *table = request->table;
    int seat = request->seat;
    const char *policy = json_read_text(request->body, "policy", STORAGE_WORD_SIZE - 1);
    enum bot_level level = policy != NULL ? bot_level_from_policy(policy)
                           : json_read_key_is_absent(request->body, "policy")
                               ? bot_level_for_person(house, request->conn->person)
                               : BOT_LEVEL_NONE;
    if (level == BOT_LEVEL_NONE) {
        answer_no(request, "policy", _("There is no such bot: choose easy, medium or strong."));
        return;
    }
    if (!bot_seat_fill(house, table, seat, level)) {
        answer_no(request, "policy",
                  _("All bots of that level sit here already: choose another level."));
        return;
    }
    chat_announce_at_table(house, table,
                           say(ARRIVAL_BOT_SAT_DOWN, table->row.seats[seat].name,
                               say_word_argument(row_word_of_value(&bot_level_words, level))));
    table_save(house, table);
    table_mark_changed(house, table);
    answer_ok(request, NULL);
}

const struct message_handler handler_bot_add = {message_bot_add};

static void message_bot_remove(const struct request *request)
{
    if (request->table->row.seats[request->seat].holder != STORAGE_SEAT_BOT) {
        answer_no(request, "bad_seat", _("No bot sits there: choose a bot's seat."));
        return;
    }
    table_vacate_seat(request->house, request->table, request->seat);
    answer_ok(request, NULL);
}

const struct message_handler handler_bot_remove = {message_bot_remove};
