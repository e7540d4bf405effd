#include "lobby/chat/chat.h"
#include "lobby/house/say.h"
#include "lobby/persons/persons.h"
#include "lobby/sanctions/sanctions.h"
#include "storage/people/people.h"

#include <stdio.h>

/* Direct messages. A person who is not in the house, or is set to do-not-disturb, gets them later
 * as offline messages. */

/* Sends a message to a connected person, who gets it at once. */
static void send_message_now(const struct request *request, const struct person *recipient)
{
    struct house *house = request->house;
    struct storage_chat line = {.channel = STORAGE_CHAT_DIRECT, .kind = STORAGE_CHAT_SAY};
    (void)snprintf(line.to, sizeof(line.to), "%s", recipient->name);
    if (!chat_read_line(request, &line)) {
        return;
    }
    if (chat_store_line(house, &line)) {
        chat_send_line(house, &line, NULL);
        hook_events_chat_listener.direct_message(house, recipient->account, recipient,
                                                 recipient->name, line.from);
    }
    json_t *fields = json_object();
    if (recipient->presence == PRESENCE_AWAY) {
        say_set_field(fields, "word", presence_sentence(house, recipient));
    }
    answer_ok(request, fields);
}

void direct_messages_expire(struct house *house)
{
    int64_t before_ms = house->now_ms - LIMIT_OFFLINE_MESSAGE_DAYS * DAY_MS;
    if (!house->is_read_only) {
        stored_or_fail(house, storage_offline_messages_expire(house->storage, before_ms));
    }
}

/* True when one more offline message may wait for the account; otherwise the request is refused. */
static bool recipient_has_room_for_message(const struct request *request, int64_t account)
{
    struct house *house = request->house;
    int64_t count = 0;
    int64_t count_from = 0;
    direct_messages_expire(house);
    stored_or_fail(house, storage_offline_messages_count(house->storage, account,
                                                         request->conn->person->name, &count,
                                                         &count_from));
    if (count_from >= LIMIT_OFFLINE_MESSAGES_PER_SENDER) {
        return answer_no(
            request, "full",
            _("Too many of your messages wait for this person, who must read them first."));
    }
    if (count >= LIMIT_OFFLINE_MESSAGES) {
        return answer_no(
            request, "full",
            _("Too many messages wait for this person: try again when they have been here."));
    }
    return true;
}

/* False when the recipient ignores the sender. The sender is not told: the message is accepted,
 * then dropped. */
static bool recipient_hears_sender(struct house *house, int64_t recipient, int64_t sender)
{
    int64_t ignored[BLOCKS_MAX];
    size_t count = 0;
    stored_or_fail(house, storage_blocks_read(house->storage, recipient, STORAGE_BLOCK_IGNORE,
                                              ignored, BLOCKS_MAX, &count));
    for (size_t i = 0; i < count; i++) {
        if (ignored[i] == sender) {
            return false;
        }
    }
    return true;
}

static void keep_message_for_later(const struct request *request,
                                   const struct storage_account *recipient)
{
    struct house *house = request->house;
    struct conn *conn = request->conn;
    const struct person *found = person_find(house, recipient->name);
    const struct person *person = person_is_in_house(found) ? found : NULL;
    struct storage_chat line = {.channel = STORAGE_CHAT_DIRECT, .kind = STORAGE_CHAT_SAY};
    if (conn->person->kind == PERSON_GUEST) {
        answer_no(request, "absent",
                  _("That person cannot get messages now, and guests cannot leave messages for "
                    "later: make an account for that."));
        return;
    }
    if (!recipient_has_room_for_message(request, recipient->id)) {
        return;
    }
    (void)snprintf(line.to, sizeof(line.to), "%s", recipient->name);
    if (!chat_read_line(request, &line)) {
        return;
    }
    if (chat_store_line(house, &line)) {
        if (recipient_hears_sender(house, recipient->id, conn->person->account)) {
            stored_or_fail(house,
                           storage_offline_message_add(house->storage, &line, recipient->id));
        }
        chat_send_line_to(house, &line, conn->person, false);
        hook_events_chat_listener.direct_message(house, recipient->id, person, recipient->name,
                                                 line.from);
    }
    json_t *fields = json_pack("{s:b}", "kept", 1);
    say_set_field(fields, "word",
                  person == NULL ? say(_("%s is not in the house: your message waits for them."),
                                       recipient->name)
                                 : presence_sentence(house, person));
    answer_ok(request, fields);
}

static void message_tell(const struct request *request)
{
    struct house *house = request->house;
    const char *to = json_read_name(request->body, "to");
    const struct person *found = to == NULL ? NULL : person_find(house, to);
    const struct person *person = person_is_in_house(found) ? found : NULL;
    struct storage_account account;
    if (found == request->conn->person) {
        answer_no(request, "self", _("That is you: talk to somebody else, /who lists them."));
    } else if (person != NULL && (person->presence != PRESENCE_DND || person->account == 0)) {
        send_message_now(request, person);
    } else if (to != NULL && stored(house, storage_account_by_name(house->storage, to, &account)) &&
               account.kind == STORAGE_PLAYER && !account.is_closed) {
        keep_message_for_later(request, &account);
    } else {
        answer_no(request, "unknown", _("Nobody has that name: /who lists those who are here."));
    }
}

const struct message_handler handler_tell = {message_tell};

static void message_tells_read(const struct request *request)
{
    struct house *house = request->house;
    /* on a full disk the messages stay unread */
    if (request->conn->person->account != 0 && !house->is_read_only) {
        stored_or_fail(
            house, storage_offline_messages_delete(house->storage, request->conn->person->account));
    }
    answer_ok(request, NULL);
}

const struct message_handler handler_tells_read = {message_tells_read};

struct delivery {
    struct house *house;
    const struct person *person;
};

static bool deliver_line(void *context, const struct storage_chat *line)
{
    const struct delivery *delivery = context;
    chat_send_line_to(delivery->house, line, delivery->person, true);
    return true;
}

void direct_messages_deliver_offline(struct house *house, struct person *person)
{
    struct delivery delivery = {house, person};
    if (person->account == 0) {
        return;
    }
    stored_or_fail(house, storage_chat_offline_messages_each(house->storage, person->account,
                                                             deliver_line, &delivery));
    stored_or_fail(house, storage_offline_messages_delete(house->storage, person->account));
}
