#include "lobby/archive/archive.h"

#include "lobby/chat/chat.h"
#include "lobby/house/parts.h"
#include "lobby/house/say.h"
#include "lobby/persons/persons.h"
#include "lobby/protocol/protocol.h"
#include "lobby/tables/tables.h"
#include "storage/tables/tables.h"

/* at most this many people in one replay, because every step is sent to all of them */
#define REPLAY_PEOPLE_MAX 100

/* The state of a connection in a shared replay. */
struct participant {
    int64_t replay; /* the number of the replay that the connection is in; 0: none */
    int64_t place;  /* place in the order of joining; the connection with the lowest place leads */
};

CONN_STATE(participant_of_conn, struct participant, shared_replays);

/* Lists the connections in the replay in the order of their places; the first one leads. Returns
 * their number. */
static size_t list_participants(const struct house *house, int64_t replay,
                                struct conn *list[REPLAY_PEOPLE_MAX])
{
    size_t count = 0;
    CONNS_EACH(conn, house) {
        const struct participant *own = participant_of_conn(conn);
        if (replay == 0 || own->replay != replay || count == REPLAY_PEOPLE_MAX) {
            continue;
        }
        size_t at = count++;
        for (; at > 0 && participant_of_conn(list[at - 1])->place > own->place; at--) {
            list[at] = list[at - 1];
        }
        list[at] = conn;
    }
    return count;
}

static bool conn_leads_replay(const struct house *house, const struct conn *conn)
{
    struct conn *list[REPLAY_PEOPLE_MAX];
    return list_participants(house, participant_of_conn(conn)->replay, list) > 0 && list[0] == conn;
}

/* Sends `review`, the state of the replay (0: none), to everybody in it, or only to one connection
 * (NULL: to all). */
static void send_replay(struct house *house, int64_t replay, const struct conn *only)
{
    struct conn *list[REPLAY_PEOPLE_MAX];
    struct storage_shared_replay row;
    size_t count = list_participants(house, replay, list);
    if (count == 0 || !stored(house, storage_shared_replay_read(house->storage, replay, &row))) {
        return;
    }
    json_t *people = json_array();
    for (size_t i = 0; i < count; i++) {
        (void)json_array_append_new(people, json_string(list[i]->person->name));
    }
    for (size_t i = 0; i < count; i++) {
        if (list[i]->awaits_hello || (only != NULL && list[i] != only)) {
            continue;
        }
        conn_send(house, list[i],
                  json_pack("{s:s,s:I,s:s,s:b,s:I,s:o,s:O}", "t", "review", "game_id",
                            (json_int_t)row.game, "leader", list[0]->person->name, "is_led", i == 0,
                            "step", (json_int_t)row.step, "seat",
                            row.seat == SPECTATOR ? json_null() : json_integer(row.seat), "people",
                            people));
    }
    json_decref(people);
}

static void send_replay_to_conn(struct house *house, struct conn *conn)
{
    send_replay(house, participant_of_conn(conn)->replay, conn);
}

/* Adds the connection as the last participant, and stores its place. */
static void join_replay(struct house *house, struct conn *conn, int64_t replay)
{
    struct conn *list[REPLAY_PEOPLE_MAX];
    size_t count = list_participants(house, replay, list);
    *participant_of_conn(conn) = (struct participant){
        .replay = replay,
        .place = count == 0 ? 0 : participant_of_conn(list[count - 1])->place + 1,
    };
    conn_save(house, conn);
}

/* Puts a connection that survived a restart of the core back at its place in its replay, if it was
 * in one. */
static bool return_connection_to_replay(struct house *house, struct conn *conn,
                                        const struct storage_connection *stored_conn)
{
    *participant_of_conn(conn) =
        (struct participant){stored_conn->review, stored_conn->review_place};
    send_replay(house, stored_conn->review, NULL);
    return true;
}

static void delete_abandoned_replays(struct house *house, UNUSED bool conns_survived)
{
    stored_or_fail(house, storage_shared_replays_delete_empty(house->storage));
}

/* Removes the connection from its replay, if any, and tells the remaining participants. */
static void leave_replay(struct house *house, struct conn *conn)
{
    const int64_t replay = participant_of_conn(conn)->replay;
    if (replay == 0) {
        return;
    }
    participant_of_conn(conn)->replay = 0;
    conn_save(house, conn);
    send_replay(house, replay, NULL);
    if (!house->is_read_only) { /* abandoned replays are deleted once the disk has room */
        delete_abandoned_replays(house, false);
    }
}

void shared_replays_resend_replay_of(struct house *house, const struct person *person)
{
    LINKED_CONNS_EACH(conn, &person->conns) {
        send_replay(house, participant_of_conn(conn)->replay, NULL);
    }
}

/* True when this game may be replayed; otherwise the request is refused. */
static bool game_may_be_replayed(const struct request *request, int64_t game)
{
    struct storage_game row;
    if (game == 0 ||
        !stored(request->house, storage_game_read(request->house->storage, game, &row))) {
        return answer_no(request, "unknown",
                         _("There is no such game: choose one from a player's history."));
    }
    if (row.state != STORAGE_GAME_FINISHED && row.state != STORAGE_GAME_VOID) {
        return answer_no(request, "unfinished",
                         _("Only finished games can be replayed: wait until this game ends."));
    }
    return true;
}

void message_review_open(const struct request *request)
{
    struct house *house = request->house;
    struct conn *conn = request->conn;
    int64_t game = 0;
    if (!json_read_number(request->body, "game_id", 1, INT64_MAX, &game)) {
        game = 0;
    }
    struct storage_shared_replay row;
    if (conn_leads_replay(house, conn) &&
        stored(house, storage_shared_replay_read(house->storage, participant_of_conn(conn)->replay,
                                                 &row)) &&
        row.game == game) {
        answer_ok(request, NULL);
        return;
    }
    if (!game_may_be_replayed(request, game) || !request_is_within_rate_limit(request)) {
        return;
    }
    leave_replay(house, conn);
    row = (struct storage_shared_replay){.game = game, .seat = SPECTATOR};
    stored_or_fail(house, storage_shared_replay_add(house->storage, &row, &row.id));
    join_replay(house, conn, row.id);
    answer_ok(request, NULL);
    send_replay(house, row.id, NULL);
    if (chat_may_announce_actions_of(house, conn->person)) {
        chat_announce_in_lobby(house,
                               say(_("%s replays game %lld step by step: join with /follow %s."),
                                   conn->person->name, (long long)game, conn->person->name));
    }
}

/* Returns the number of the replay that the person of this name is in, on any of their connections;
 * 0 when there is none. */
static int64_t replay_of_named_person(struct house *house, const char *name)
{
    const struct person *person = name == NULL ? NULL : person_find(house, name);
    if (person == NULL) {
        return 0;
    }
    LINKED_CONNS_EACH(conn, &person->conns) {
        if (participant_of_conn(conn)->replay != 0) {
            return participant_of_conn(conn)->replay;
        }
    }
    return 0;
}

void message_review_follow(const struct request *request)
{
    struct house *house = request->house;
    struct conn *conn = request->conn;
    struct conn *list[REPLAY_PEOPLE_MAX];
    struct storage_shared_replay row;
    int64_t replay = replay_of_named_person(house, json_read_name(request->body, "name"));
    bool is_in = replay == participant_of_conn(conn)->replay;
    if (replay == 0 || !stored(house, storage_shared_replay_read(house->storage, replay, &row))) {
        answer_no(request, "absent",
                  _("That person is in no shared replay now: begin one with /review and a game's "
                    "number."));
        return;
    }
    if (!is_in && list_participants(house, replay, list) == REPLAY_PEOPLE_MAX) {
        answer_no(request, "full",
                  _("That shared replay is full: /replay shows the game to you alone."));
        return;
    }
    if (!is_in) {
        if (!request_is_within_rate_limit(request)) {
            return;
        }
        leave_replay(house, conn);
        join_replay(house, conn, replay);
    }
    answer_ok(request, json_pack("{s:I}", "game_id", (json_int_t)row.game));
    send_replay(house, replay, NULL);
}

bool need_replay_lead(struct request *request)
{
    if (conn_leads_replay(request->house, request->conn)) {
        return true;
    }
    return answer_no(
        request, "not_leader",
        _("Only the leader of the shared replay can do that: ask them to hand over the lead."));
}

void message_review_go(const struct request *request)
{
    struct house *house = request->house;
    const json_t *body = request->body;
    struct storage_shared_replay row = {.id = participant_of_conn(request->conn)->replay,
                                        .seat = SPECTATOR};
    if (!json_read_number(body, "step", 0, UINT16_MAX, &row.step) ||
        !json_read_optional_number(body, "seat", 0, SEATS_MAX - 1, &row.seat)) {
        answer_no(request, "bad", _("There is no such step or seat."));
        return;
    }
    stored_or_fail(house, storage_shared_replay_set_step(house->storage, &row));
    answer_ok(request, NULL);
    send_replay(house, row.id, NULL);
}

void message_review_hand(const struct request *request)
{
    struct house *house = request->house;
    const int64_t replay = participant_of_conn(request->conn)->replay;
    const char *name = json_read_name(request->body, "name");
    const struct person *person = name == NULL ? NULL : person_find(house, name);
    struct conn *list[REPLAY_PEOPLE_MAX];
    struct conn *next = NULL;
    for (size_t i = list_participants(house, replay, list); i-- > 1;) {
        next = list[i]->person == person ? list[i] : next;
    }
    if (next == NULL) {
        answer_no(request, "absent",
                  _("That person does not follow you: only a follower can take the lead."));
        return;
    }
    participant_of_conn(next)->place = participant_of_conn(request->conn)->place - 1;
    conn_save(house, next);
    answer_ok(request, NULL);
    send_replay(house, replay, NULL);
}

void message_review_leave(const struct request *request)
{
    leave_replay(request->house, request->conn);
    answer_ok(request, NULL);
}

static void fill_connection_row(const struct conn *conn, struct storage_connection *row)
{
    row->review = participant_of_conn(conn)->replay;
    row->review_place = participant_of_conn(conn)->place;
}

const struct part shared_replays_part = {
    .name = "shared-replays",
    .conn_size = sizeof(struct participant),
    .hello = send_replay_to_conn,
    .conn_row = fill_connection_row,
    .conn_return = return_connection_to_replay,
    .conn_gone = leave_replay,
    .settled = delete_abandoned_replays,
};
