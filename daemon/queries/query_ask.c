#include "daemon/queries/query_ask.h"

#include "daemon/base/i18n.h"
#include "daemon/queries/query.h"
#include "daemon/screens/model/core_text.h"
#include "lobby/protocol/client.h"

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

static void apply_pushed_message(void *context, const char *type, const json_t *message)
{
    struct query_run *run = context;
    model_apply_pushed_message(run->model, type, message, run->now_ms);
    /* The rest of the lobby's people and tables arrives before the answer to this request. */
    if (run->awaits_lobby && strcmp(type, "lobby") == 0) {
        run->awaits_lobby = false;
        query_send_request(run, "ping", NULL);
    }
}

/* Sends `hello`, after which the core pushes the whole state of the house. */
void query_request_house_state(struct query_run *run)
{
    run->model = model_new();
    if (run->model == NULL) {
        abort();
    }
    client_set_push_receiver(run->client, apply_pushed_message, run);
    run->awaits_lobby = true;
    client_send_hello(run->client, "trickhouse " TRICKHOUSE_VERSION);
}
