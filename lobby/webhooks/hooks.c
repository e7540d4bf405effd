#include "lobby/webhooks/webhooks.h"

#include "lobby/house/parts.h"
#include "lobby/house/say.h"
#include "lobby/house/words.h"
#include "lobby/tables/tables.h"
#include "lobby/webhooks/hooks_state.h"
#include "storage/mod/mod.h"

#include <stdio.h>
#include <stdlib.h>

#define HOOK_SECRET_BYTES 32

static const char *const hook_names[] = {
    [HOOK_TURN] = "turn",   [HOOK_OVER] = "over", [HOOK_TELL] = "tell",
    [HOOK_START] = "start", [HOOK_TEST] = "test", [HOOK_REPORT] = "report",
};

const char *hook_event_word_at(size_t index, uint32_t *bits)
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

struct hook *hook_set_address(struct house *house, int64_t account, const char *url)
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

void hook_remove(struct house *house, struct hook *hook)
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

static bool note_ban_or_suspension(void *context, const struct storage_sanction *sanction)
{
    bool *is_blocked = context;
    *is_blocked =
        sanction->kind == STORAGE_SANCTION_BAN || sanction->kind == STORAGE_SANCTION_SUSPEND;
    return !*is_blocked;
}

bool hook_owner_is_sanctioned(struct house *house, int64_t account)
{
    bool is_blocked = false;
    stored_or_fail(house, storage_sanctions_list_on_person(house->storage, account, "",
                                                           note_ban_or_suspension, &is_blocked));
    return is_blocked;
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

bool hook_owner_is_away(const struct house *house, const struct person *person)
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
