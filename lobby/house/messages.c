#include "lobby/house/messages.h"

#include "lobby/house/answers.h"
#include "lobby/house/conns.h"
#include "lobby/house/journal.h"
#include "lobby/house/parts.h"
#include "lobby/house/read_only.h"
#include "lobby/house/words.h"
#include "lobby/protocol/json_read.h"

#include <string.h>

#define TYPE_MAX 32

static const struct message_def messages[] = {
#define MESSAGE(type, peers, phases, role, flags, commands)                                        \
    {#type, peers, phases, STORAGE_ROLE_##role, flags, commands, &handler_##type},
#include "lobby/protocol/messages.def"
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

/* True when the list, separated by blanks, contains the word. */
static bool words_have(const char *list, const char *word)
{
    const size_t len = strlen(word);
    while (len > 0 && *list != '\0') {
        const size_t next = strcspn(list, " ");
        if (next == len && memcmp(list, word, len) == 0) {
            return true;
        }
        list += list[next] == ' ' ? next + 1 : next;
    }
    return false;
}

const char *message_of_command(const char *command)
{
    for (size_t i = 0; i < ARRAY_LEN(messages); i++) {
        if (words_have(messages[i].commands, command)) {
            return messages[i].type;
        }
    }
    return NULL;
}

/* True for a peer whose messages are requests with an id. */
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

/* The cost of a message's length beyond one message. */
static uint32_t message_length_cost(const struct message *message)
{
    return (uint32_t)(message->len / LIMIT_MESSAGE_BYTES);
}

/* The cost of a message, in messages. */
static double message_cost(const struct message *message)
{
    double cost = message->def->handler == &handler_hello    ? LIMIT_HELLO_COST
                  : (message->def->flags & COSTLY) == COSTLY ? LIMIT_LEADERS_COST
                                                             : 1;
    return cost + message_length_cost(message);
}

/* True when the message is within the rate limit. Messages beyond it are refused; too many of those
 * end the connection. */
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

/* Handles a session's request and the id to answer it by. Returns false when it has no id. */
static bool message_request(struct house *house, struct conn *conn, const struct message *message)
{
    const struct message_def *def = message->def;
    struct request request = {house, conn, 0, message->body};
    if (!json_read_number(message->body, "id", 1, INT64_MAX, &request.id)) {
        return false;
    }
    bool is_in_pace = message_is_in_pace(house, conn, message);
    if (conn->is_ending || answer_begin(&request, (def->flags & LOOKS) != 0) == ANSWER_DONE) {
        return true;
    }
    if (!is_in_pace) {
        answer_no(&request, "too_fast", _("That was too fast: wait a second, try again."));
        return true;
    }
    if ((def->flags & IDLE) == 0) {
        parts_conn_active(house, conn);
    }
    if (house->is_read_only && (def->flags & (LOOKS | WHILE_FULL)) == 0) {
        read_only_answer(&request);
        return true;
    }
    if (parts_admit(&request, def)) {
        house->doing.request = request.id;
        def->handler->run(&request);
    }
    return true;
}

/* Answers a repeated request whose phase has passed: after a resync it gets the same answer again.
 * A session that signed in while nothing could be stored is answered according to the phase it
 * reached. Returns false for any other message. */
static bool message_is_repeated(struct house *house, struct conn *conn,
                                const struct message_def *def, json_t *body)
{
    struct request request = {house, conn, 0, body};
    if (!message_is_asker(conn) || !json_read_number(body, "id", 1, INT64_MAX, &request.id)) {
        return false;
    }
    if (answer_again(&request)) {
        return true;
    }
    if ((def->flags & LOOKS) != 0 && request.id < conn->answers.newest) {
        answer_old(&request);
        return true;
    }
    if (!conn->is_returned || (def->flags & ENTERS) == 0 ||
        answer_begin(&request, false) == ANSWER_DONE) {
        return false;
    }
    json_t *answer =
        json_pack("{s:s,s:s}", "result", conn->phase == PHASE_IN ? "in" : "visitor", "name", "");
    parts_conn_describe(house, conn, answer);
    answer_ok(&request, answer);
    return true;
}

static bool message_run(struct house *house, struct conn *conn, json_t *body, size_t len)
{
    const struct message_def *def = message_find(body);
    const struct message message = {def, body, len};
    if (def == NULL || (def->peers & conn->peer) == 0) {
        return false;
    }
    bool is_hello = def->handler == &handler_hello;
    if (conn->is_ending) {
        return true; /* it has already been sent `bye` */
    }
    if (conn->awaits_hello && !is_hello) {
        return true; /* sent before it saw our resync; the peer repeats it */
    }
    if ((def->phases & conn->phase) == 0) {
        return message_is_repeated(house, conn, def, body);
    }
    if (message_is_asker(conn) && !is_hello) {
        return message_request(house, conn, &message);
    }
    bool is_wanted = is_hello && conn->awaits_hello;
    /* A connection that was told to say hello waits for the answer: its hello counts for the limit,
     * but is never refused. */
    if (message_is_in_pace(house, conn, &message) || (is_wanted && !conn->is_ending)) {
        def->handler->run(&(struct request){house, conn, 0, body});
    }
    return true;
}

bool message_receive(struct house *house, struct conn *conn, const char *bytes, size_t len)
{
    bool is_too_long = conn->peer == PEER_SESSION && len > REQUEST_BYTES_MAX;
    json_t *body = is_too_long ? NULL : json_read_request(bytes, len);
    house->doing = (struct doing){.conn = conn->id, .part = part_of_peer(conn->peer)};
    bool is_good = body != NULL && message_run(house, conn, body, len);
    json_decref(body);
    return is_good;
}
