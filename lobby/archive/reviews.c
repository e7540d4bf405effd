#include "lobby/archive/reviews.h"

#include "lobby/chat/chat.h"
#include "lobby/house/answers.h"
#include "lobby/house/conns.h"
#include "lobby/house/memory.h"
#include "lobby/house/messages.h"
#include "lobby/house/parts.h"
#include "lobby/house/say.h"
#include "lobby/house/stored.h"
#include "lobby/house/words.h"
#include "lobby/persons/persons.h"
#include "lobby/protocol/json_read.h"
#include "lobby/tables/table_requests.h"
#include "storage/archive/games.h"
#include "storage/tables/reviews.h"

#include <inttypes.h>
#include <stdlib.h>

#define REVIEW_PEOPLE_MAX 100 /* each step is told to all of them */

struct review {
    struct storage_review row; /* its seat is SPECTATOR for all hands */
    struct conn_links conns;   /* by place: the first one leads */
    size_t count;
};

/* The state of a connection in a shared replay. */
struct reviewer {
    struct review *review; /* the review it leads or follows, or NULL */
    int64_t place;         /* order of joining the review: the lowest leads */
    struct conn_link link; /* in the review's list */
};

static struct reviewer *reviewer_of(const struct conn *conn)
{
    return CONN_STATE(conn, reviews);
}

/* The review that the connection leads or follows; NULL: none. */
static struct review *review_of(const struct conn *conn)
{
    return reviewer_of(conn)->review;
}

static struct conn *review_leader(const struct review *review)
{
    return TAILQ_FIRST(&review->conns)->conn;
}

/* Pushes `review` to this connection. */
static void review_tell(struct house *house, const struct conn *conn)
{
    const struct review *review = review_of(conn);
    if (review == NULL || conn->awaits_hello) {
        return;
    }
    json_t *people = json_array();
    const struct conn *other = NULL;
    CONN_LINKS_EACH(other, &review->conns)
    {
        (void)json_array_append_new(people, json_string(other->person->name));
    }
    json_t *seat = review->row.seat == SPECTATOR ? json_null() : json_integer(review->row.seat);
    const struct conn *leader = review_leader(review);
    conn_push(house, conn,
              json_pack("{s:s,s:I,s:s,s:b,s:I,s:o,s:o}", "t", "review", "game_id",
                        (json_int_t)review->row.game, "leader", leader->person->name, "is_led",
                        conn == leader, "step", (json_int_t)review->row.step, "seat", seat,
                        "people", people));
}

static void review_tell_all(struct house *house, const struct review *review)
{
    const struct conn *conn = NULL;
    CONN_LINKS_EACH(conn, &review->conns)
    {
        review_tell(house, conn);
    }
}

/* Puts the connection at that place, which must be free. */
static void review_enter(struct review *review, struct conn *conn, int64_t place)
{
    struct reviewer *reviewer = reviewer_of(conn);
    struct conn_link *next = TAILQ_FIRST(&review->conns);
    while (next != NULL && reviewer_of(next->conn)->place < place) {
        next = TAILQ_NEXT(next, in_list);
    }
    *reviewer = (struct reviewer){.review = review, .place = place, .link.conn = conn};
    if (next == NULL) {
        TAILQ_INSERT_TAIL(&review->conns, &reviewer->link, in_list);
    } else {
        TAILQ_INSERT_BEFORE(next, &reviewer->link, in_list);
    }
    review->count++;
}

/* Makes the connection the last participant, and stores it. */
static void review_join(struct house *house, struct review *review, struct conn *conn)
{
    const struct conn_link *last = TAILQ_LAST(&review->conns, conn_links);
    review_enter(review, conn, last == NULL ? 0 : reviewer_of(last->conn)->place + 1);
    conn_save(house, conn);
}

static struct review *review_new(const struct storage_review *row)
{
    struct review *review = memory_new(sizeof(*review));
    review->row = *row;
    TAILQ_INIT(&review->conns);
    return review;
}

/* Finds a replay that others have returned to already. */
static struct review *review_find(const struct house *house, int64_t id)
{
    const struct conn *conn = NULL;
    struct index_at next;
    INDEX_EACH(&house->conns, conn, next)
    {
        if (review_of(conn) != NULL && review_of(conn)->row.id == id) {
            return review_of(conn);
        }
    }
    return NULL;
}

/* Puts a connection that outlived the last core back into its replay (0: none), at its place. */
static void review_return(struct house *house, struct conn *conn, int64_t id, int64_t place)
{
    struct storage_review row;
    struct review *review = id == 0 ? NULL : review_find(house, id);
    if (review == NULL && id != 0 && stored(house, storage_review_read(house->storage, id, &row))) {
        review = review_new(&row);
    }
    if (review != NULL) {
        review_enter(review, conn, place);
        review_tell_all(house, review);
    }
}

static void reviews_forget(struct house *house)
{
    stored_or_fail(house, storage_reviews_delete_empty(house->storage));
}

/* Removes the connection from its replay; NULL when it was in none, or was the last one there. */
static struct review *review_leave(struct conn *conn)
{
    struct review *review = review_of(conn);
    if (review == NULL) {
        return NULL;
    }
    TAILQ_REMOVE(&review->conns, &reviewer_of(conn)->link, in_list);
    reviewer_of(conn)->review = NULL;
    if (--review->count > 0) {
        return review;
    }
    free(review);
    return NULL;
}

/* Removes the connection from its replay, if any. */
static void review_exit(struct house *house, struct conn *conn)
{
    if (review_of(conn) == NULL) {
        return;
    }
    const struct review *review = review_leave(conn);
    conn_save(house, conn);
    if (review != NULL) {
        review_tell_all(house, review);
    } else if (!house->is_read_only) { /* otherwise it is stored once there is room */
        reviews_forget(house);
    }
}

static void reviews_clear(struct house *house)
{
    struct conn *conn = NULL;
    struct index_at next;
    INDEX_EACH(&house->conns, conn, next)
    {
        (void)review_leave(conn);
    }
}

void reviews_tell_of(struct house *house, const struct person *person)
{
    const struct conn *conn = NULL;
    CONN_LINKS_EACH(conn, &person->conns)
    {
        if (review_of(conn) != NULL) {
            review_tell_all(house, review_of(conn));
        }
    }
}

/* True when the game may be replayed; else the request is answered. */
static bool review_is_of_finished(const struct request *request, int64_t game)
{
    struct storage_game row;
    if (game == 0 ||
        !stored(request->house, storage_game_read(request->house->storage, game, &row))) {
        answer_no(request, "unknown",
                  _("There is no such game: choose one from a player's history."));
        return false;
    }
    if (row.state != STORAGE_GAME_FINISHED && row.state != STORAGE_GAME_VOID) {
        answer_no(request, "unfinished",
                  _("Only finished games can be looked at: wait for its end."));
        return false;
    }
    return true;
}

static void message_review_open(const struct request *request)
{
    struct house *house = request->house;
    struct conn *conn = request->conn;
    int64_t game = 0;
    if (!json_read_number(request->body, "game_id", 1, INT64_MAX, &game)) {
        game = 0;
    }
    bool is_led = review_of(conn) != NULL && review_leader(review_of(conn)) == conn;
    if (is_led && review_of(conn)->row.game == game) {
        answer_ok(request, NULL);
        return;
    }
    if (!review_is_of_finished(request, game) || !request_is_calm(request)) {
        return;
    }
    review_exit(house, conn);
    struct storage_review row = {.game = game, .seat = SPECTATOR};
    stored_or_fail(house, storage_review_add(house->storage, &row, &row.id));
    struct review *review = review_new(&row);
    review_join(house, review, conn);
    answer_ok(request, NULL);
    review_tell_all(house, review);
    if (chat_may_announce(house, conn->person)) {
        chat_house_lobby(house,
                         say(_("%s goes through game %lld step by step: /follow %s goes along."),
                             conn->person->name, (long long)game, conn->person->name));
    }
}

const struct message_handler handler_review_open = {message_review_open};

/* The replay that a person of that name leads or follows with any of their connections. */
static struct review *review_of_name(struct house *house, const char *name)
{
    const struct person *person = name == NULL ? NULL : person_find(house, name);
    const struct conn *conn = NULL;
    if (person == NULL) {
        return NULL;
    }
    CONN_LINKS_EACH(conn, &person->conns)
    {
        if (review_of(conn) != NULL) {
            return review_of(conn);
        }
    }
    return NULL;
}

static void message_review_follow(const struct request *request)
{
    struct house *house = request->house;
    struct conn *conn = request->conn;
    const char *name = json_read_name(request->body, "name");
    struct review *review = review_of_name(house, name);
    if (review == NULL) {
        answer_no(request, "absent",
                  _("They go through no game now: /review and a game's number leads through one."));
        return;
    }
    if (review_of(conn) != review && review->count >= REVIEW_PEOPLE_MAX) {
        answer_no(request, "full",
                  _("As many as can already go through that game together: /replay shows it to you "
                    "alone."));
        return;
    }
    if (review_of(conn) != review) {
        if (!request_is_calm(request)) {
            return;
        }
        review_exit(house, conn);
        review_join(house, review, conn);
    }
    answer_ok(request, json_pack("{s:I}", "game_id", (json_int_t)review->row.game));
    review_tell_all(house, review);
}

const struct message_handler handler_review_follow = {message_review_follow};

static bool review_is_led(const struct request *request)
{
    const struct conn *conn = request->conn;
    if (review_of(conn) != NULL && review_leader(review_of(conn)) == conn) {
        return true;
    }
    answer_no(request, "not_leader",
              _("Only who leads does that: ask them to hand over the lead."));
    return false;
}

const struct need need_lead = {.holds = review_is_led};

static void message_review_go(const struct request *request)
{
    struct house *house = request->house;
    const json_t *body = request->body;
    struct review *review = review_of(request->conn);
    int64_t step = 0;
    int64_t seat = SPECTATOR;
    if (!json_read_number(body, "step", 0, UINT16_MAX, &step) ||
        (!json_read_is_absent(body, "seat") &&
         !json_read_number(body, "seat", 0, SEATS_MAX - 1, &seat))) {
        answer_no(request, "bad", _("There is no such step or seat."));
        return;
    }
    review->row.step = step;
    review->row.seat = seat;
    stored_or_fail(house, storage_review_set_step(house->storage, &review->row));
    answer_ok(request, NULL);
    review_tell_all(house, review);
}

const struct message_handler handler_review_go = {message_review_go};

static void message_review_hand(const struct request *request)
{
    struct house *house = request->house;
    struct review *review = review_of(request->conn);
    const char *name = json_read_name(request->body, "name");
    const struct person *person = name == NULL ? NULL : person_find(house, name);
    struct conn *next = NULL;
    CONN_LINKS_EACH(next, &review->conns)
    {
        if (next->person == person && next != request->conn) {
            break;
        }
    }
    if (next == NULL) {
        answer_no(request, "absent",
                  _("They do not follow you: only who follows can take the lead."));
        return;
    }
    TAILQ_REMOVE(&review->conns, &reviewer_of(next)->link, in_list);
    reviewer_of(next)->place = reviewer_of(request->conn)->place - 1;
    TAILQ_INSERT_HEAD(&review->conns, &reviewer_of(next)->link, in_list);
    conn_save(house, next);
    answer_ok(request, NULL);
    review_tell_all(house, review);
}

const struct message_handler handler_review_hand = {message_review_hand};

static void message_review_leave(const struct request *request)
{
    review_exit(request->house, request->conn);
    answer_ok(request, NULL);
}

const struct message_handler handler_review_leave = {message_review_leave};

static void reviews_hello(struct house *house, struct conn *conn, UNUSED int64_t heard)
{
    review_tell(house, conn);
}

static void reviews_conn_row(const struct conn *conn, struct storage_connection *row)
{
    row->review = review_of(conn) == NULL ? 0 : review_of(conn)->row.id;
    row->review_place = reviewer_of(conn)->place;
}

static bool reviews_conn_return(struct house *house, struct conn *conn,
                                const struct storage_connection *row)
{
    review_return(house, conn, row->review, row->review_place);
    return true;
}

static void reviews_settled(struct house *house, UNUSED bool has_survivors)
{
    reviews_forget(house);
}

const struct part reviews_part = {
    .name = "reviews",
    .conn_size = sizeof(struct reviewer),
    .clear = reviews_clear,
    .hello = reviews_hello,
    .conn_row = reviews_conn_row,
    .conn_return = reviews_conn_return,
    .conn_gone = review_exit,
    .settled = reviews_settled,
};
