#include "lobby/webhooks/webhooks.h"

#include "lobby/chat/chat.h"
#include "lobby/house/parts.h"
#include "lobby/house/say.h"
#include "lobby/persons/persons.h"
#include "lobby/persons/persons_state.h"
#include "lobby/sanctions/sanctions.h"
#include "lobby/webhooks/hooks_state.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define HOOK_SECRET_BYTES 32

static const char *const hook_names[] = {
    [HOOK_TURN] = "turn",   [HOOK_OVER] = "over", [HOOK_TELL] = "tell",
    [HOOK_START] = "start", [HOOK_TEST] = "test", [HOOK_REPORT] = "report",
};

/* Returns the name of an event in messages, from "turn" to "live", and its bits; NULL when `index`
 * is too large. */
static const char *hook_event_word_at(size_t index, uint32_t *bits)
{
    size_t event = index > HOOK_TEST ? index + 1 : index; /* bit 5 is HOOK_LIVE */
    if (event != HOOK_TEST && event <= HOOK_REPORT) {
        *bits = UINT32_C(1) << event;
        return hook_names[event];
    }
    *bits = HOOK_LIVE;
    return index == HOOK_TEST ? "live" : NULL;
}

static bool add_stored_webhook(void *context, const struct storage_hook *row)
{
    struct house *house = context;
    struct hook *hook = memory_new(sizeof(*hook));
    hook->row = *row;
    index_add(&hooks_of(house)->by_account, &hook->row.account, sizeof(hook->row.account), hook);
    return true;
}

void hooks_load(struct house *house)
{
    hooks_of(house)->due_ms = 0;
    hooks_of(house)->is_queue_changed = true;
    if (house->config.webhook_enabled) {
        stored_or_fail(house, storage_hooks_each(house->storage, add_stored_webhook, house));
        hook_turns_load(house);
    }
}

void hooks_clear(struct house *house)
{
    INDEX_ITEMS_EACH(struct hook, hook, &hooks_of(house)->by_account) {
        index_remove(&hooks_of(house)->by_account, &hook->row.account, sizeof(hook->row.account));
        free(hook);
    }
    *hooks_of(house) = (struct hooks){.worker = hooks_of(house)->worker};
}

static struct hook *find_webhook_even_removed(const struct house *house, int64_t account)
{
    return index_find(&hooks_of(house)->by_account, &account, sizeof(account));
}

struct hook *hook_find(const struct house *house, int64_t account)
{
    struct hook *hook = find_webhook_even_removed(house, account);
    return hook != NULL && hook->row.url[0] != '\0' ? hook : NULL;
}

static struct hook *hook_set_address(struct house *house, int64_t account, const char *url)
{
    uint8_t bytes[HOOK_SECRET_BYTES];
    struct hook *hook = find_webhook_even_removed(house, account);
    if (hook == NULL) {
        hook = memory_new(sizeof(*hook));
        hook->row.account = account;
        hook->row.events = HOOK_EVENTS_DEFAULT;
        index_add(&hooks_of(house)->by_account, &hook->row.account, sizeof(hook->row.account),
                  hook);
    }
    house->config.random(house->config.random_context, bytes, sizeof(bytes));
    struct text secret = text_init(hook->row.secret, sizeof(hook->row.secret));
    text_put_hex(&secret, bytes, sizeof(bytes));
    (void)snprintf(hook->row.url, sizeof(hook->row.url), "%s", url);
    hook->row.failures = 0;
    hook->row.given_up = 0;
    hook->row.is_off = false;
    hook_save(house, hook);
    /* the events in the queue were meant for the old URL */
    stored_or_fail(house, storage_hook_events_delete_waiting(house->storage, account));
    hook_turns_report_again(house, account);
    return hook;
}

void hook_save(struct house *house, const struct hook *hook)
{
    stored_or_fail(house, storage_hook_save(house->storage, &hook->row));
}

static void hook_remove(struct house *house, struct hook *hook)
{
    stored_or_fail(house, storage_hook_remove(house->storage, hook->row.account));
    hook->row = (struct storage_hook){.account = hook->row.account, .events = HOOK_EVENTS_DEFAULT};
}

void hook_delete_for_account(struct house *house, int64_t account)
{
    struct hook *hook = hook_find(house, account);
    if (hook != NULL) {
        hook_remove(house, hook);
    }
}

bool hook_owner_is_sanctioned(struct house *house, int64_t account)
{
    SANCTIONS_EACH(sanction, house) {
        if ((sanction->row.kind == STORAGE_SANCTION_BAN ||
             sanction->row.kind == STORAGE_SANCTION_SUSPEND) &&
            sanction_names(&sanction->row, account, "")) {
            return true;
        }
    }
    return false;
}

void hook_notify_owner(struct house *house, const struct hook *hook, const char *kind,
                       json_t *sentence)
{
    CONNS_EACH(conn, house) {
        bool is_owner = conn->person != NULL && conn->person->account == hook->row.account;
        if (is_owner && !conn->awaits_hello) {
            conn_send_notice(house, conn, kind, json_incref(sentence));
        }
    }
    json_decref(sentence);
}

void hook_send_undelivered_count(struct house *house, struct conn *conn)
{
    struct hook *hook = hook_find(house, conn->person->account);
    if (hook == NULL) {
        return;
    }
    if (hook->row.given_up > 0) {
        conn_send_notice(house, conn, "warn",
                         say_plural("%u message did not reach your webhook.",
                                    "%u messages did not reach your webhook.",
                                    (unsigned)hook->row.given_up));
    }
    /* in read-only mode, the number cannot be cleared, and is reported again at the next sign-in */
    if (hook->row.given_up > 0 && !house->is_read_only) {
        hook->row.given_up = 0;
        hook_save(house, hook);
    }
    if (hook->row.is_off) {
        conn_send_notice(
            house, conn, "warn",
            say(_("Your webhook failed too often and is off: /webhook test tries it again.")));
    }
}

/* True when the person counts as away. A person who is not in the house (NULL) counts as away. */
static bool hook_owner_is_away(const struct house *house, const struct person *person)
{
    return person == NULL ||
           house->now_ms - person->active_ms >= 1000 * (int64_t)house->config.webhook_idle_s;
}

bool hook_wants_event(const struct hook *hook, const struct table *table, enum hook_event event)
{
    bool is_near =
        (hook->row.events & HOOK_LIVE) != 0 || !clock_rule_is_for_one_sitting(&table->clock.rule);
    return !hook->row.is_off && is_near && (hook->row.events >> event & 1) != 0;
}

json_t *hook_table_fields(const struct table *table, enum hook_event event)
{
    json_t *fields = json_pack("{s:I,s:s,s:s}", "table", (json_int_t)table->row.id, "game",
                               table->game->id, "title", table->game->title);
    (void)json_object_set_new(
        fields, "text",
        say_make_english_string(say(event == HOOK_TURN   ? _("It is your turn at %p.")
                                    : event == HOOK_OVER ? _("The game at %p is over.")
                                                         : _("The game at %p has begun."),
                                    table_title(table))));
    return fields;
}

/* Adds the fields that every event's body has. */
static void put_common_fields(const struct house *house, enum hook_event event, json_t *body)
{
    (void)json_object_set_new(body, "event", json_string(hook_names[event]));
    (void)json_object_set_new(body, "at", json_integer(house->now_ms));
    (void)json_object_set_new(body, "house", json_string(house->config.house_name));
    if (house->config.webhook_command[0] != '\0') {
        (void)json_object_set_new(body, "command", json_string(house->config.webhook_command));
    }
}

void hook_queue_event(struct house *house, struct hook *hook, enum hook_event event,
                      const struct table *table, int seat, json_t *fields)
{
    put_common_fields(house, event, fields);
    char *body = json_dumps(fields, JSON_COMPACT);
    json_decref(fields);
    struct storage_hook_event row = {
        .account = hook->row.account,
        .event = (uint8_t)event,
        .body = memory_check_allocated(body),
        .next_ms = house->now_ms,
    };
    if (table != NULL) {
        row.table = table->row.id;
        row.seat = (uint8_t)seat;
        row.game = table->row.game_id;
        row.step = (uint32_t)table->plays[seat].since_step;
    }
    int64_t id = 0;
    bool was_full = false;
    stored_or_fail(house, storage_hook_event_add(house->storage, &row, &id, &was_full));
    free(body);
    if (was_full) {
        hook->row.given_up++;
        hook_save(house, hook);
    }
    hooks_of(house)->is_queue_changed = true;
}

/* Webhook events other than turns. They are sent to players who are absent when the event
 * happens. */

void hook_queue_event_of_table(struct house *house, struct table *table, enum hook_event event)
{
    for (int seat = 0; seat < table->row.players; seat++) {
        const struct storage_seat *holder = &table->row.seats[seat];
        bool is_player = holder->holder == STORAGE_SEAT_PLAYER;
        struct hook *hook = is_player ? hook_find(house, holder->account) : NULL;
        if (hook == NULL || !hook_wants_event(hook, table, event) ||
            !hook_owner_is_away(house, table_connected_holder(house, table, seat))) {
            continue;
        }
        json_t *fields = hook_table_fields(table, event);
        (void)json_object_set_new(fields, "game_id", json_integer(table->row.game_id));
        (void)json_object_set_new(fields, "player", json_string(holder->name));
        hook_queue_event(house, hook, event, table, seat, fields);
    }
}

static void queue_direct_message_event(struct house *house, int64_t account,
                                       const struct person *person, const char *recipient,
                                       const char *sender)
{
    struct hook *hook = hook_find(house, account);
    if (hook == NULL || hook->row.is_off || (hook->row.events >> HOOK_TELL & 1) == 0 ||
        !hook_owner_is_away(house, person)) {
        return;
    }
    hook_queue_event(house, hook, HOOK_TELL, NULL, 0,
                     json_pack("{s:s,s:o,s:s}", "from", sender, "text",
                               say_make_english_string(say(_("%s has written to you."), sender)),
                               "player", recipient));
}

/* Calls the webhooks of absent staff. */
static void queue_report_events(struct house *house)
{
    struct storage_account account;
    INDEX_ITEMS_EACH(struct hook, hook, &hooks_of(house)->by_account) {
        if (hook->row.url[0] != '\0' && !hook->row.is_off &&
            (hook->row.events >> HOOK_REPORT & 1) != 0 &&
            stored(house, storage_account_by_id(house->storage, hook->row.account, &account)) &&
            account.role >= STORAGE_ROLE_MOD &&
            hook_owner_is_away(house, person_find(house, account.name))) {
            hook_queue_event(
                house, hook, HOOK_REPORT, NULL, 0,
                json_pack("{s:o,s:s}", "text",
                          say_make_english_string(say(_("A report or an appeal waits for staff."))),
                          "player", account.name));
        }
    }
}

const struct person_listener hook_events_person_listener = {
    .case_opened = queue_report_events,
};

const struct chat_listener hook_events_chat_listener = {
    .direct_message = queue_direct_message_event,
};

#define PORT_DIGITS 5

static bool url_has_scheme(const char *url, const char *scheme)
{
    return strncasecmp(url, scheme, strlen(scheme)) == 0;
}

/* True for a host with an optional port from 1 to 65535: "example.org", "192.0.2.1:8443",
 * "[2001:db8::1]:443". */
static bool host_and_port_are_valid(const char *text, size_t len)
{
    const char *end = text + len;
    const char *bracket = text[0] == '[' ? memchr(text, ']', len) : NULL;
    const char *colon = memchr(text, ':', len);
    if (text[0] == '[') {
        colon = bracket;
        if (bracket == NULL || bracket == text + 1) {
            return false;
        }
        colon++;
    }
    if (colon == NULL || colon == end) {
        return len > 0;
    }
    uint32_t port = 0;
    for (const char *digit = colon + 1; digit < end; digit++) {
        if (*digit < '0' || *digit > '9' || digit - colon > PORT_DIGITS) {
            return false;
        }
        port = port * 10 + (uint32_t)(*digit - '0');
    }
    return *colon == ':' && colon != text && port > 0 && port <= UINT16_MAX;
}

bool hook_url_is_valid(const char *url, bool is_http_allowed)
{
    static const char https[] = "https://";
    static const char http[] = "http://";
    bool is_http = is_http_allowed && url_has_scheme(url, http);
    if (!is_http && !url_has_scheme(url, https)) {
        return false;
    }
    const char *host = url + strlen(is_http ? http : https);
    size_t host_len = strcspn(host, "/?#");
    size_t len = strlen(url);
    for (size_t i = 0; i < len; i++) {
        if (url[i] < '!' || url[i] > '~') {
            return false;
        }
    }
    return len < STORAGE_HOOK_URL_SIZE && host_and_port_are_valid(host, host_len) &&
           memchr(host, '@', host_len) == NULL && memchr(host, '\\', host_len) == NULL;
}

/* The requests by which people manage their webhook. */

#define HOOK_TEST_MS 10000 /* pause between two tests of a webhook */
#define HOOK_WORD_MAX 16

/* True when the requester may have a webhook; otherwise the request is refused. */
bool need_hooks(struct request *request)
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

void message_hook(const struct request *request)
{
    answer_ok(request, webhook_json(request->house,
                                    hook_find(request->house, request->conn->person->account)));
}

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

void message_hook_set(const struct request *request)
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

void message_hook_test(const struct request *request)
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
