#include "lobby/chat/chat.h"

#include "lobby/house/parts.h"
#include "lobby/house/say.h"
#include "lobby/persons/persons.h"
#include "lobby/protocol/protocol.h"
#include "storage/chat/chat.h"

#define NEWS_SETTING "news"

int64_t news_last_read_entry(const struct person *person)
{
    int64_t seen = 0;
    return json_read_number(person->settings, NEWS_SETTING, 0, INT64_MAX, &seen) ? seen : 0;
}

void news_set_last_read(struct house *house, struct person *person, int64_t entry)
{
    if (news_last_read_entry(person) != entry) {
        (void)json_object_set_new(person->settings, NEWS_SETTING, json_integer(entry));
        person_save_settings(house, person);
    }
}

/* Tells a person who has just entered how many news entries they have not read. */
static void notify_of_unread_news(struct house *house, struct conn *conn)
{
    int64_t count = 0;
    stored_or_fail(house,
                   storage_news_count(house->storage, news_last_read_entry(conn->person), &count));
    if (count > 0) {
        conn_send_notice(house, conn, "info",
                         say_plural("%d piece of news you have not read: /news",
                                    "%d pieces of news you have not read: /news", (int)count));
    }
}

const struct part news_part = {
    .name = "news",
    .greet = notify_of_unread_news,
};
