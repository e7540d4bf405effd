#include "lobby/chat/chat.h"
#include "lobby/house/parts.h"
#include "lobby/house/say.h"
#include "lobby/house/words.h"
#include "lobby/persons/persons.h"
#include "lobby/tables/tables.h"
#include "lobby/webhooks/hooks_state.h"
#include "lobby/webhooks/webhooks.h"

/* Webhook events other than turns. They are sent to players who are absent when the event
 * happens. */

static void queue_event_of_table(struct house *house, struct table *table, enum hook_event event)
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

static void queue_game_begun_event(struct house *house, struct table *table)
{
    queue_event_of_table(house, table, HOOK_START);
}

static void queue_game_over_event(struct house *house, struct table *table)
{
    queue_event_of_table(house, table, HOOK_OVER);
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

const struct table_listener hook_events_table_listener = {
    .game_begun = queue_game_begun_event,
    .game_over = queue_game_over_event,
};

const struct chat_listener hook_events_chat_listener = {
    .direct_message = queue_direct_message_event,
};
