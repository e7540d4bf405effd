#include "lobby/archive/archive.h"

#include "lobby/chat/chat.h"
#include "lobby/house/parts.h"
#include "lobby/house/say.h"
#include "lobby/persons/persons.h"
#include "lobby/protocol/protocol.h"
#include "lobby/tables/tables.h"
#include "storage/tables/tables.h"

#include <stdlib.h>

/* at most this many people in one replay, because every step is sent to all of them */
#define REPLAY_PEOPLE_MAX 100

struct replay {
    struct storage_shared_replay
        row;                 /* row.seat is SPECTATOR while the hands of all seats are shown */
    struct conn_links conns; /* the participants' connections by place; the first one leads */
    size_t count;
};

/* The state of a connection in a shared replay. */
struct participant {
    struct replay *replay; /* the replay that the connection is in; NULL: none */
    int64_t place; /* place in the order of joining; the connection with the lowest place leads */
    struct conn_link link; /* link in the replay's list `conns` */
};

CONN_STATE(participant_of_conn, struct participant, shared_replays);

static struct replay *replay_of_conn(const struct conn *conn)
{
    return participant_of_conn(conn)->replay;
}

static struct conn *leader_of_replay(const struct replay *replay)
{
    return TAILQ_FIRST(&replay->conns)->conn;
}

/* Sends `review`, the state of the replay, to this connection. */
static void send_replay(struct house *house, struct conn *conn)
{
    const struct replay *replay = replay_of_conn(conn);
    if (replay == NULL || conn->awaits_hello) {
        return;
    }
    json_t *people = json_array();
    LINKED_CONNS_EACH(other, &replay->conns) {
        (void)json_array_append_new(people, json_string(other->person->name));
    }
    json_t *seat = replay->row.seat == SPECTATOR ? json_null() : json_integer(replay->row.seat);
    const struct conn *leader = leader_of_replay(replay);
    conn_send(house, conn,
              json_pack("{s:s,s:I,s:s,s:b,s:I,s:o,s:o}", "t", "review", "game_id",
                        (json_int_t)replay->row.game, "leader", leader->person->name, "is_led",
                        conn == leader, "step", (json_int_t)replay->row.step, "seat", seat,
                        "people", people));
}

static void send_replay_to_all(struct house *house, const struct replay *replay)
{
    LINKED_CONNS_EACH(conn, &replay->conns) {
        send_replay(house, conn);
    }
}

/* Inserts the connection among the participants at this place, which must be free. */
static void insert_participant(struct replay *replay, struct conn *conn, int64_t place)
{
    struct participant *participant = participant_of_conn(conn);
    struct conn_link *next = TAILQ_FIRST(&replay->conns);
    while (next != NULL && participant_of_conn(next->conn)->place < place) {
        next = TAILQ_NEXT(next, in_list);
    }
    *participant = (struct participant){.replay = replay, .place = place, .link.conn = conn};
    if (next == NULL) {
        TAILQ_INSERT_TAIL(&replay->conns, &participant->link, in_list);
    } else {
        TAILQ_INSERT_BEFORE(next, &participant->link, in_list);
    }
    replay->count++;
}

/* Adds the connection as the last participant, and stores its place. */
static void append_participant(struct house *house, struct replay *replay, struct conn *conn)
{
    const struct conn_link *last = TAILQ_LAST(&replay->conns, conn_links);
    insert_participant(replay, conn, last == NULL ? 0 : participant_of_conn(last->conn)->place + 1);
    conn_save(house, conn);
}

static struct replay *create_replay(const struct storage_shared_replay *row)
{
    struct replay *replay = memory_new(sizeof(*replay));
    replay->row = *row;
    TAILQ_INIT(&replay->conns);
    return replay;
}

/* Finds the replay with this number; NULL when no connection is in it yet. */
static struct replay *find_replay(const struct house *house, int64_t id)
{
    CONNS_EACH(conn, house) {
        if (replay_of_conn(conn) != NULL && replay_of_conn(conn)->row.id == id) {
            return replay_of_conn(conn);
        }
    }
    return NULL;
}

/* Puts a connection that survived a restart of the core back at its place in its replay, if it was
 * in one. */
static bool return_connection_to_replay(struct house *house, struct conn *conn,
                                        const struct storage_connection *stored_conn)
{
    struct storage_shared_replay row;
    int64_t id = stored_conn->review;
    struct replay *replay = id == 0 ? NULL : find_replay(house, id);
    if (replay == NULL && id != 0 &&
        stored(house, storage_shared_replay_read(house->storage, id, &row))) {
        replay = create_replay(&row);
    }
    if (replay != NULL) {
        insert_participant(replay, conn, stored_conn->review_place);
        send_replay_to_all(house, replay);
    }
    return true;
}

static void delete_abandoned_replays(struct house *house, UNUSED bool conns_survived)
{
    stored_or_fail(house, storage_shared_replays_delete_empty(house->storage));
}

/* Removes the connection from its replay. Returns the replay while it has other participants,
 * otherwise NULL. */
static struct replay *remove_from_replay(struct conn *conn)
{
    struct replay *replay = replay_of_conn(conn);
    if (replay == NULL) {
        return NULL;
    }
    TAILQ_REMOVE(&replay->conns, &participant_of_conn(conn)->link, in_list);
    participant_of_conn(conn)->replay = NULL;
    if (--replay->count > 0) {
        return replay;
    }
    free(replay);
    return NULL;
}

/* Removes the connection from its replay, if any, and tells the remaining participants. */
static void leave_replay(struct house *house, struct conn *conn)
{
    if (replay_of_conn(conn) == NULL) {
        return;
    }
    const struct replay *replay = remove_from_replay(conn);
    conn_save(house, conn);
    if (replay != NULL) {
        send_replay_to_all(house, replay);
    } else if (!house->is_read_only) { /* abandoned replays are deleted once the disk has room */
        delete_abandoned_replays(house, false);
    }
}

static void clear_replays(struct house *house)
{
    CONNS_EACH(conn, house) {
        (void)remove_from_replay(conn);
    }
}

void shared_replays_resend_replay_of(struct house *house, const struct person *person)
{
    LINKED_CONNS_EACH(conn, &person->conns) {
        if (replay_of_conn(conn) != NULL) {
            send_replay_to_all(house, replay_of_conn(conn));
        }
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
    bool is_led = replay_of_conn(conn) != NULL && leader_of_replay(replay_of_conn(conn)) == conn;
    if (is_led && replay_of_conn(conn)->row.game == game) {
        answer_ok(request, NULL);
        return;
    }
    if (!game_may_be_replayed(request, game) || !request_is_within_rate_limit(request)) {
        return;
    }
    leave_replay(house, conn);
    struct storage_shared_replay row = {.game = game, .seat = SPECTATOR};
    stored_or_fail(house, storage_shared_replay_add(house->storage, &row, &row.id));
    struct replay *replay = create_replay(&row);
    append_participant(house, replay, conn);
    answer_ok(request, NULL);
    send_replay_to_all(house, replay);
    if (chat_may_announce_actions_of(house, conn->person)) {
        chat_announce_in_lobby(house,
                               say(_("%s replays game %lld step by step: join with /follow %s."),
                                   conn->person->name, (long long)game, conn->person->name));
    }
}

/* Returns the replay that the person of this name is in, on any of their connections; NULL when
 * there is none. */
static struct replay *replay_of_named_person(struct house *house, const char *name)
{
    const struct person *person = name == NULL ? NULL : person_find(house, name);
    if (person == NULL) {
        return NULL;
    }
    LINKED_CONNS_EACH(conn, &person->conns) {
        if (replay_of_conn(conn) != NULL) {
            return replay_of_conn(conn);
        }
    }
    return NULL;
}

void message_review_follow(const struct request *request)
{
    struct house *house = request->house;
    struct conn *conn = request->conn;
    const char *name = json_read_name(request->body, "name");
    struct replay *replay = replay_of_named_person(house, name);
    if (replay == NULL) {
        answer_no(request, "absent",
                  _("That person is in no shared replay now: begin one with /review and a game's "
                    "number."));
        return;
    }
    if (replay_of_conn(conn) != replay && replay->count >= REPLAY_PEOPLE_MAX) {
        answer_no(request, "full",
                  _("That shared replay is full: /replay shows the game to you alone."));
        return;
    }
    if (replay_of_conn(conn) != replay) {
        if (!request_is_within_rate_limit(request)) {
            return;
        }
        leave_replay(house, conn);
        append_participant(house, replay, conn);
    }
    answer_ok(request, json_pack("{s:I}", "game_id", (json_int_t)replay->row.game));
    send_replay_to_all(house, replay);
}

bool need_replay_lead(struct request *request)
{
    const struct conn *conn = request->conn;
    if (replay_of_conn(conn) != NULL && leader_of_replay(replay_of_conn(conn)) == conn) {
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
    struct replay *replay = replay_of_conn(request->conn);
    int64_t step = 0;
    int64_t seat = SPECTATOR;
    if (!json_read_number(body, "step", 0, UINT16_MAX, &step) ||
        !json_read_optional_number(body, "seat", 0, SEATS_MAX - 1, &seat)) {
        answer_no(request, "bad", _("There is no such step or seat."));
        return;
    }
    replay->row.step = step;
    replay->row.seat = seat;
    stored_or_fail(house, storage_shared_replay_set_step(house->storage, &replay->row));
    answer_ok(request, NULL);
    send_replay_to_all(house, replay);
}

void message_review_hand(const struct request *request)
{
    struct house *house = request->house;
    struct replay *replay = replay_of_conn(request->conn);
    const char *name = json_read_name(request->body, "name");
    const struct person *person = name == NULL ? NULL : person_find(house, name);
    struct conn *next = NULL;
    LINKED_CONNS_EACH(conn, &replay->conns) {
        if (next == NULL && conn->person == person && conn != request->conn) {
            next = conn;
        }
    }
    if (next == NULL) {
        answer_no(request, "absent",
                  _("That person does not follow you: only a follower can take the lead."));
        return;
    }
    TAILQ_REMOVE(&replay->conns, &participant_of_conn(next)->link, in_list);
    participant_of_conn(next)->place = participant_of_conn(request->conn)->place - 1;
    TAILQ_INSERT_HEAD(&replay->conns, &participant_of_conn(next)->link, in_list);
    conn_save(house, next);
    answer_ok(request, NULL);
    send_replay_to_all(house, replay);
}

void message_review_leave(const struct request *request)
{
    leave_replay(request->house, request->conn);
    answer_ok(request, NULL);
}

static void fill_connection_row(const struct conn *conn, struct storage_connection *row)
{
    row->review = replay_of_conn(conn) == NULL ? 0 : replay_of_conn(conn)->row.id;
    row->review_place = participant_of_conn(conn)->place;
}

const struct part shared_replays_part = {
    .name = "shared-replays",
    .conn_size = sizeof(struct participant),
    .clear = clear_replays,
    .hello = send_replay,
    .conn_row = fill_connection_row,
    .conn_return = return_connection_to_replay,
    .conn_gone = leave_replay,
    .settled = delete_abandoned_replays,
};
