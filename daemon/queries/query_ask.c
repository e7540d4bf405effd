#include "daemon/queries/query_ask.h"

#include "daemon/base/i18n.h"
#include "daemon/queries/query.h"
#include "daemon/screens/model/said.h"
#include "lobby/protocol/client.h"

#include <stdlib.h>
#include <string.h>

/* Sends the requests of queries and receives the answers. */

static void take_answer(void *context, bool is_ok, const json_t *answer)
{
    struct query_run *run = context;
    bool is_seen_to = !is_ok && run->query->refused != NULL &&
                      run->query->refused(run, query_text(answer, "code"));
    if (!is_ok && !is_seen_to) {
        char why[sizeof run->why];
        said_text(answer, "why", why, sizeof why);
        query_fail(run, QUERY_REFUSED,
                   why[0] == '\0' ? _("The house refuses that and does not say why.") : why);
        return;
    }
    run->answers[run->answered++] = json_deep_copy(answer);
}

void query_ask(struct query_run *run, const char *type, json_t *fields)
{
    run->asked++;
    if (!client_request(run->client, type, fields, take_answer, run)) {
        abort(); /* cannot fail: the client allows 64 requests at once, and a query sends two */
    }
}

/* The index of the row with that key; the number of rows if there is none. */
static size_t find_row(const json_t *rows, const char *key, const json_t *value)
{
    size_t at = 0;
    while (at < json_array_size(rows) &&
           json_equal(json_object_get(json_array_get(rows, at), key), value) == 0) {
        at++;
    }
    return at;
}

/* Replaces rows that exist and adds the others. */
static void merge(json_t *rows, const json_t *changes, const char *key)
{
    size_t i;
    json_t *change;
    json_array_foreach(changes, i, change)
    {
        size_t at = find_row(rows, key, json_object_get(change, key));
        if (at < json_array_size(rows)) {
            (void)json_array_set(rows, at, change);
        } else {
            (void)json_array_append(rows, change);
        }
    }
}

static void drop(json_t *rows, const json_t *gone, const char *key)
{
    size_t i;
    json_t *value;
    json_array_foreach(gone, i, value)
    {
        size_t at = find_row(rows, key, value);
        if (at < json_array_size(rows)) {
            (void)json_array_remove(rows, at);
        }
    }
}

static void take_lobby(struct query_run *run, const json_t *message)
{
    if (json_is_true(json_object_get(message, "reset"))) {
        (void)json_array_clear(run->people);
        (void)json_array_clear(run->tables);
    }
    merge(run->people, json_object_get(message, "people"), "name");
    merge(run->tables, json_object_get(message, "tables"), "id");
    drop(run->people, json_object_get(message, "gone_people"), "name");
    drop(run->tables, json_object_get(message, "gone_tables"), "id");
}

static void hear_lobby(struct query_run *run, const json_t *message)
{
    take_lobby(run, message);
    /* the core pushes the list when it is due; it is complete once this is answered */
    if (run->awaits_lobby) {
        run->awaits_lobby = false;
        query_ask(run, "ping", NULL);
    }
}

static void hear_mine(struct query_run *run, const json_t *message)
{
    json_decref(run->mine);
    run->mine = json_deep_copy(json_object_get(message, "tables"));
}

static void hear_chat(struct query_run *run, const json_t *message)
{
    (void)json_array_append_new(run->chat, json_deep_copy(message));
}

/* Each push contains the whole chat. */
static void hear_welcome(struct query_run *run, UNUSED const json_t *message)
{
    (void)json_array_clear(run->chat);
}

static void hear(void *context, const char *type, const json_t *message)
{
    static const struct {
        const char *type;
        void (*hear)(struct query_run *run, const json_t *message);
    } pushes[] = {
        {"chat", hear_chat},
        {"lobby", hear_lobby},
        {"mine", hear_mine},
        {"welcome", hear_welcome},
    };
    for (size_t i = 0; i < ARRAY_LEN(pushes); i++) {
        if (strcmp(pushes[i].type, type) == 0) {
            pushes[i].hear(context, message);
        }
    }
}

/* After a `hello` the core pushes its whole state; the answer to a request sent after `lobby` comes
 * last. */
void query_ask_house(struct query_run *run)
{
    run->people = json_array();
    run->tables = json_array();
    run->mine = json_array();
    run->chat = json_array();
    client_on_push(run->client, hear, run);
    run->awaits_lobby = true;
    client_hello(run->client, "trickhouse " TRICKHOUSE_VERSION);
}
