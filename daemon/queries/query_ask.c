#include "daemon/queries/queries.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/model/model.h"
#include "lobby/protocol/protocol.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sends the requests of queries and receives the answers. */

static void store_answer(void *context, bool is_ok, const json_t *answer)
{
    struct query_run *run = context;
    bool is_seen_to = !is_ok && run->query->refused != NULL &&
                      run->query->refused(run, query_get_text(answer, "code"));
    if (!is_ok && !is_seen_to) {
        char why[sizeof run->why];
        core_text_translate(answer, "why", why, sizeof why);
        query_fail(run, QUERY_REFUSED,
                   why[0] == '\0' ? _("The house refuses that and does not say why.") : why);
        return;
    }
    run->answers[run->answered++] = json_deep_copy(answer);
}

void query_send_request(struct query_run *run, const char *type, json_t *fields)
{
    run->asked++;
    if (!client_send_request(run->client, type, fields, store_answer, run)) {
        abort(); /* The client accepts 64 requests at once, and a query sends at most three. */
    }
}

/* Sends the request after whose answer all that the core sends after `welcome` has arrived. */
static void await_rest(struct query_run *run)
{
    if (run->awaits_state) {
        run->awaits_state = false;
        query_send_request(run, "ping", NULL);
    }
}

static void apply_pushed_message(void *context, const char *type, const json_t *message)
{
    struct query_run *run = context;
    model_apply_pushed_message(run->model, type, message, run->now_ms);
    if (strcmp(type, "mine") == 0) {
        await_rest(run);
    }
}

/* Writes a name or a number of a row, by which an object of rows has it. */
static void write_row_key(const json_t *value, char out[ROW_NAME_SIZE])
{
    if (json_is_integer(value)) {
        snprintf(out, ROW_NAME_SIZE, "%lld", (long long)json_integer_value(value));
    } else {
        model_read_text(value, out, ROW_NAME_SIZE);
    }
}

static void add_rows(json_t *object, const json_t *rows, const char *key)
{
    for (size_t i = 0; i < json_array_size(rows); i++) {
        char name[ROW_NAME_SIZE];
        json_t *row = json_array_get(rows, i);
        write_row_key(json_object_get(row, key), name);
        if (json_object_set(object, name, row) != 0) {
            abort();
        }
    }
}

static void delete_rows(json_t *object, const json_t *names)
{
    for (size_t i = 0; i < json_array_size(names); i++) {
        char name[ROW_NAME_SIZE];
        write_row_key(json_array_get(names, i), name);
        (void)json_object_del(object, name); /* the row may not have been sent yet */
    }
}

static void add_lobby_message(void *context, const char *type, const json_t *message)
{
    struct query_run *run = context;
    if (strcmp(type, "lobby") == 0) {
        if (json_is_true(json_object_get(message, "reset"))) {
            json_object_clear(run->people);
            json_object_clear(run->tables);
        }
        delete_rows(run->people, json_object_get(message, "gone_people"));
        delete_rows(run->tables, json_object_get(message, "gone_tables"));
        add_rows(run->people, json_object_get(message, "people"), "name");
        add_rows(run->tables, json_object_get(message, "tables"), "id");
        await_rest(run);
    }
}

static void send_hello(struct query_run *run, client_push *push)
{
    client_set_push_receiver(run->client, push, run);
    run->awaits_state = true;
    client_send_hello(run->client, "trickhouse " TRICKHOUSE_VERSION);
}

void query_request_own_state(struct query_run *run)
{
    run->model = model_new();
    if (run->model == NULL) {
        abort();
    }
    send_hello(run, apply_pushed_message);
}

void query_request_lobby(struct query_run *run)
{
    run->people = json_object();
    run->tables = json_object();
    client_follow_lobby(run->client);
    send_hello(run, add_lobby_message);
}
