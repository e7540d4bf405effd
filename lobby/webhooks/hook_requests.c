#include "lobby/house/parts.h"
#include "lobby/house/words.h"
#include "lobby/persons/persons.h"
#include "lobby/persons/persons_state.h"
#include "lobby/webhooks/webhooks.h"

#include <string.h>

/* The requests by which people manage their webhook. */

#define HOOK_TEST_MS 10000 /* pause between two tests of a webhook */
#define HOOK_WORD_MAX 16

/* True when the requester may have a webhook; otherwise the request is refused. */
static bool requester_may_have_webhook(const struct request *request)
{
    struct conn *conn = request->conn;
    if (!request->house->config.webhook_enabled) {
        answer_no(request, "no_hooks",
                  _("Webhooks are off in this house: its operator can switch them on."));
    } else if (conn->person->account == 0) {
        answer_no(request, "guest", _("Guests cannot have a webhook: make an account first."));
    } else if (conn_is_telnet(conn)) {
        answer_no(request, "telnet",
                  _("Telnet would show the secret to others: manage your webhook over SSH."));
    } else if (conn->person->is_held) {
        answer_no(request, "held",
                  _("New accounts can have a webhook once a moderator has released them."));
    } else {
        return true;
    }
    return false;
}

const struct need need_hooks = {.holds = requester_may_have_webhook};

static json_t *hook_events_json(uint32_t events)
{
    json_t *list = json_array();
    uint32_t bits = 0;
    for (size_t i = 0; hook_event_word_at(i, &bits) != NULL; i++) {
        const char *word = hook_event_word_at(i, &bits);
        if ((events & bits) != 0) {
            (void)json_array_append_new(list, json_string(word));
        }
    }
    return list;
}

static json_t *webhook_json(struct house *house, const struct hook *hook)
{
    uint32_t waiting = 0;
    if (hook == NULL) {
        return json_pack("{s:n}", "url");
    }
    stored_or_fail(house,
                   storage_hook_events_count_waiting(house->storage, hook->row.account, &waiting));
    return json_pack("{s:s,s:o,s:b,s:i,s:i}", "url", hook->row.url, "events",
                     hook_events_json(hook->row.events), "is_off", hook->row.is_off, "failures",
                     (int)hook->row.failures, "waiting", (int)waiting);
}

static void message_hook(const struct request *request)
{
    answer_ok(request, webhook_json(request->house,
                                    hook_find(request->house, request->conn->person->account)));
}

const struct message_handler handler_hook = {message_hook};

/* Returns the bits of the event that the word names; 0 for an unknown word. */
static uint32_t bits_of_event_word(const char *word)
{
    const char *known = NULL;
    uint32_t bits = 0;
    for (size_t i = 0; word != NULL && (known = hook_event_word_at(i, &bits)) != NULL; i++) {
        if (strcmp(word, known) == 0) {
            return bits;
        }
    }
    return 0;
}

/* Reads the chosen events; false when the list has an unknown word or no event. */
static bool read_chosen_events(const json_t *list, uint32_t *events)
{
    *events = 0;
    for (size_t i = 0; i < json_array_size(list) && i < HOOK_WORD_MAX; i++) {
        uint32_t bits = bits_of_event_word(json_string_value(json_array_get(list, i)));
        if (bits == 0) {
            return false;
        }
        *events |= bits;
    }
    return (*events & ~HOOK_LIVE) != 0;
}

/* Returns the requester's webhook. When there is none, answers the request and returns NULL. */
static struct hook *find_own_webhook(const struct request *request)
{
    struct hook *hook = hook_find(request->house, request->conn->person->account);
    if (hook == NULL) {
        answer_no(request, "hook_none",
                  _("You have no webhook: give its address first, as in /webhook "
                    "https://example.org/turn."));
    }
    return hook;
}

static void set_chosen_events(const struct request *request, const json_t *list)
{
    struct house *house = request->house;
    struct hook *hook = find_own_webhook(request);
    uint32_t events = 0;
    if (hook == NULL) {
        return;
    }
    if (!read_chosen_events(list, &events)) {
        answer_no(
            request, "bad",
            _("The events of a webhook are turn, over, tell, start and, for staff, report; add "
              "live for tables not played turn by turn: as in /webhook events turn,over."));
    } else {
        hook->row.events = events;
        hook_save(house, hook);
        hook_turns_report_again(house, hook->row.account);
        answer_ok(request, webhook_json(house, hook));
    }
}

static void set_webhook_address(const struct request *request, const char *url)
{
    struct house *house = request->house;
    if (url == NULL || !hook_url_is_valid(url, house->config.webhook_http)) {
        answer_no(request, "url_bad",
                  house->config.webhook_http ? _("That is no address to call: it must begin with "
                                                 "https:// or http:// and contain no user name.")
                                             : _("That is no address to call: it must begin with "
                                                 "https:// and contain no user name."));
        return;
    }
    const struct hook *hook = hook_set_address(house, request->conn->person->account, url);
    json_t *fields = webhook_json(house, hook);
    (void)json_object_set_new(fields, "secret", json_string(hook->row.secret));
    person_journal_log_event(house, request->conn, "webhook-set");
    answer_ok(request, fields);
}

static void message_hook_set(const struct request *request)
{
    struct house *house = request->house;
    const json_t *url = json_object_get(request->body, "url");
    if (url == NULL) {
        set_chosen_events(request, json_object_get(request->body, "events"));
        return;
    }
    if (!json_is_null(url)) {
        set_webhook_address(request, json_string_value(url));
        return;
    }
    struct hook *hook = hook_find(house, request->conn->person->account);
    if (hook != NULL) {
        hook_remove(house, hook);
        person_journal_log_event(house, request->conn, "webhook-removed");
    }
    answer_ok(request, webhook_json(house, NULL));
}

const struct message_handler handler_hook_set = {message_hook_set};

static void message_hook_test(const struct request *request)
{
    struct house *house = request->house;
    struct hook *hook = find_own_webhook(request);
    if (hook == NULL) {
        return;
    }
    int64_t wait_ms = hook->tested_ms + HOOK_TEST_MS - house->now_ms;
    if (hook->tested_ms != 0 && wait_ms > 0) {
        answer_retry_later(request, (wait_ms + 999) / 1000,
                           _("Your webhook was tested just now: wait a few seconds."));
        return;
    }
    hook->tested_ms = house->now_ms;
    hook_queue_event(house, hook, HOOK_TEST, NULL, 0,
                     json_pack("{s:s,s:s}", "player", request->conn->person->name, "text",
                               _("This is a test: your webhook works.")));
    answer_ok(request, NULL);
}

const struct message_handler handler_hook_test = {message_hook_test};
