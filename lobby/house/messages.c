#include "lobby/house/messages.h"

#include "lobby/house/answers.h"
#include "lobby/house/closing.h"
#include "lobby/house/conns.h"
#include "lobby/house/journal.h"
#include "lobby/house/read_only.h"
#include "lobby/house/words.h"
#include "lobby/house/works.h"
#include "lobby/mod/staff.h"
#include "lobby/people/persons.h"
#include "lobby/protocol/json_read.h"
#include "lobby/sanctions/audit_pace.h"

#include <string.h>

#define TYPE_MAX 32

struct message_def {
    const char *type;
    unsigned peers;
    unsigned phases;
    message_handler *run;
    enum storage_role role; /* who may: above STORAGE_ROLE_PLAYER staff.h admits it */
    bool is_look;           /* a request that changes nothing */
};

static const struct message_def messages[] = {
#define ROW(type, peers, phases, role, is_look)                                                    \
    {#type, peers, phases, message_##type, STORAGE_ROLE_##role, is_look},
#define MESSAGE(type, peers, phases) ROW(type, peers, phases, PLAYER, false)
#define LOOK(type, peers, phases) ROW(type, peers, phases, PLAYER, true)
#define STAFF(type, role) ROW(type, PEER_SESSION | PEER_OPERATOR, PHASE_IN, role, false)
#define STAFF_LOOK(type, role) ROW(type, PEER_SESSION | PEER_OPERATOR, PHASE_IN, role, true)
#include "lobby/protocol/messages.def"
#undef STAFF
#undef MESSAGE
#undef ROW
};

static const struct message_def *message_find(const json_t *body)
{
    const char *type = json_read_text(body, "t", TYPE_MAX);
    for (size_t i = 0; type != NULL && i < ARRAY_LEN(messages); i++) {
        if (strcmp(messages[i].type, type) == 0) {
            return &messages[i];
        }
    }
    return NULL;
}

/* Those whose messages are requests, with an id to be answered by. */
static bool message_is_asker(const struct conn *conn)
{
    return conn->peer == PEER_SESSION || conn->peer == PEER_OPERATOR;
}

/* A message as it came. */
struct message {
    const struct message_def *def;
    json_t *body;
    size_t len; /* bytes */
};

/* What the length of a message counts for beyond one message. */
static uint32_t message_length_cost(const struct message *message)
{
    return (uint32_t)(message->len / LIMIT_MESSAGE_BYTES);
}

/* How many messages this one counts for. */
static double message_cost(const struct message *message)
{
    message_handler *run = message->def->run;
    double cost = run == message_hello                            ? LIMIT_HELLO_COST
                  : run == message_leaders || run == message_past ? LIMIT_LEADERS_COST
                                                                  : 1;
    return cost + message_length_cost(message);
}

/* True when the message may be carried out; too many are refused, far too many end it. */
static bool message_is_in_pace(struct house *house, struct conn *conn,
                               const struct message *message)
{
    const struct house_config *config = &house->config;
    const struct bucket_rule rule = {config->limits_input_burst, config->limits_input_per_s};
    if (conn->peer != PEER_SESSION ||
        bucket_take(&conn->input, &rule, message_cost(message), house->now_ms)) {
        return true;
    }
    conn->input_excess += 1 + message_length_cost(message);
    if (conn->input_excess > config->limits_input_excess) {
        journal_write(house, conn, "flood", JOURNAL_PAIRS("address", conn->address));
        conn_bye(house, conn, _("Far too many messages at once: connect again, more slowly."));
    }
    return false;
}

/* A session's request, with the id it is answered by. False when it has none. */
static bool message_request(struct house *house, struct conn *conn, const struct message *message)
{
    const struct message_def *def = message->def;
    int64_t id = 0;
    if (!json_read_number(message->body, "id", 1, INT64_MAX, &id)) {
        return false;
    }
    bool is_in_pace = message_is_in_pace(house, conn, message);
    if (conn->is_ending || answer_begin(house, conn, id, def->is_look) == ANSWER_DONE) {
        return true;
    }
    if (!is_in_pace) {
        answer_no(house, conn, id, "too_fast", _("That was too fast: wait a second, try again."));
        return true;
    }
    if (conn->person != NULL && def->run != message_ping) {
        person_is_active(house, conn->person);
    }
    if (read_only_refuses(house, conn, id, def->run)) {
        return true;
    }
    if (!closing_is_on(house, conn, id, def->type)) {
        return true;
    }
    if (def->role == STORAGE_ROLE_PLAYER ||
        (staff_admits(house, conn, id, def->role) && audit_pace_admits(house, conn, id))) {
        house->doing.request = id;
        def->run(house, conn, id, message->body);
    }
    return true;
}

/* A request whose phase has passed: sent again after a resync, it is answered as it was. Who signed
 * in while nothing could be stored is answered by where it brought the connection. False for
 * anything else. */
static bool message_is_repeated(struct house *house, struct conn *conn,
                                const struct message_def *def, const json_t *body)
{
    int64_t id = 0;
    if (!message_is_asker(conn) || !json_read_number(body, "id", 1, INT64_MAX, &id)) {
        return false;
    }
    if (answer_again(house, conn, id)) {
        return true;
    }
    if (def->is_look && id < conn->answers.newest) {
        answer_old(house, conn, id);
        return true;
    }
    bool is_way_in =
        def->run == message_sign_in || def->run == message_sign_up || def->run == message_code_use;
    if (!conn->is_returned || !is_way_in || answer_begin(house, conn, id, false) == ANSWER_DONE) {
        return false;
    }
    json_t *you = conn->person == NULL ? json_null() : person_you(conn->person);
    answer_ok(house, conn, id,
              json_pack("{s:s,s:s,s:o}", "result", conn->person == NULL ? "visitor" : "in", "name",
                        "", "you", you));
    return true;
}

static bool message_run(struct house *house, struct conn *conn, json_t *body, size_t len)
{
    const struct message_def *def = message_find(body);
    const struct message message = {def, body, len};
    if (def == NULL || (def->peers & conn->peer) == 0) {
        return false;
    }
    bool is_hello = def->run == message_hello;
    if (conn->is_ending) {
        return true; /* it has been told `bye` */
    }
    if (conn->awaits_hello && !is_hello) {
        return true; /* sent before it saw our resync; it will be repeated */
    }
    if ((def->phases & conn->phase) == 0) {
        return message_is_repeated(house, conn, def, body);
    }
    if (message_is_asker(conn) && !is_hello) {
        return message_request(house, conn, &message);
    }
    bool is_wanted = is_hello && conn->awaits_hello;
    /* Who was told to say hello waits for its answer: theirs counts, but is not refused. */
    if (message_is_in_pace(house, conn, &message) || (is_wanted && !conn->is_ending)) {
        def->run(house, conn, 0, body);
    }
    return true;
}

bool message_receive(struct house *house, struct conn *conn, const char *bytes, size_t len)
{
    bool is_too_long = conn->peer == PEER_SESSION && len > REQUEST_BYTES_MAX;
    json_t *body = is_too_long ? NULL : json_read_request(bytes, len);
    house->doing = (struct doing){.conn = conn->id, .work = works_of(conn->peer)};
    bool is_good = body != NULL && message_run(house, conn, body, len);
    json_decref(body);
    return is_good;
}
