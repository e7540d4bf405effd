#include "lobby/chat/chat.h"

#include "lobby/house/parts.h"
#include "lobby/house/words.h"
#include "lobby/persons/persons_state.h"
#include "storage/mod/mod.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* how many lines of a chat are searched for a person's last line */
#define SLOW_LINES_SEARCHED 1000

void chat_write_name_of_line(const struct storage_chat *line, char out[PLACE_SIZE])
{
    if (line->channel == STORAGE_CHAT_TABLE) {
        (void)snprintf(out, PLACE_SIZE, "#%" PRId64, line->table);
    } else if (line->channel == STORAGE_CHAT_CHANNEL) {
        (void)snprintf(out, PLACE_SIZE, "%.22s", line->to);
    } else {
        (void)snprintf(out, PLACE_SIZE, "lobby");
    }
}

/* The search for a person's last line in one chat. */
struct last_line {
    const struct person *person;
    int64_t since_ms;
    int64_t said_ms; /* when the person's last line was said; 0: no such line was found */
};

static bool read_time_of_last_line(void *context, const struct storage_chat *line)
{
    struct last_line *last = context;
    const struct person *person = last->person;
    bool is_theirs = line->kind != STORAGE_CHAT_SYSTEM && line->account == person->account &&
                     (person->account != 0 || strcmp(line->from, person->name) == 0);
    if (line->at_ms <= last->since_ms) {
        return false;
    }
    last->said_ms = is_theirs ? line->at_ms : 0;
    return !is_theirs;
}

/* Returns how long the person must wait before their next line in slow mode. The wait is computed
 * from the stored lines, so that reconnecting does not shorten it. */
static int64_t slow_mode_wait_ms(struct house *house, const struct person *person,
                                 const struct storage_chat *chat, int64_t min_pause_ms)
{
    struct last_line last = {.person = person, .since_ms = house->now_ms - min_pause_ms};
    const struct storage_chat_search search = {
        .text = "", .to = chat->to, .most = SLOW_LINES_SEARCHED};
    stored_or_fail(house, storage_chat_search_channel(house->storage, chat->channel, chat->table,
                                                      &search, read_time_of_last_line, &last));
    return last.said_ms == 0 ? 0 : last.said_ms - last.since_ms;
}

bool channel_is_frozen(struct house *house, const struct person *person,
                       const struct storage_chat *line)
{
    char channel[PLACE_SIZE];
    int64_t is_frozen = 0;
    if (line->channel != STORAGE_CHAT_DIRECT && person->role == STORAGE_ROLE_PLAYER) {
        chat_write_name_of_line(line, channel);
        stored_or_fail(house,
                       storage_rule_read(house->storage, STORAGE_RULE_FROZEN, channel, &is_frozen));
    }
    return is_frozen != 0;
}

bool channel_admits_line(const struct request *request, const struct storage_chat *line)
{
    struct house *house = request->house;
    const struct person *person = request->conn->person;
    char channel[PLACE_SIZE];
    int64_t slow_s = 0;
    if (line->channel == STORAGE_CHAT_DIRECT || person->role != STORAGE_ROLE_PLAYER) {
        return true;
    }
    if (channel_is_frozen(house, person, line)) {
        answer_no(request, "frozen",
                  _("Moderators have silenced this chat for a while: nothing can be said here."));
        return false;
    }
    chat_write_name_of_line(line, channel);
    stored_or_fail(house, storage_rule_read(house->storage, STORAGE_RULE_SLOW, channel, &slow_s));
    int64_t left_ms = slow_s == 0 ? 0 : slow_mode_wait_ms(house, person, line, 1000 * slow_s);
    if (left_ms > 0) {
        answer_retry_later(
            request, (left_ms + 999) / 1000,
            _("Moderators have slowed this chat down: wait a little with the next line."));
        return false;
    }
    return true;
}
