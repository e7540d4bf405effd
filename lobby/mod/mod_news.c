#include "lobby/mod/mod.h"

#include "lobby/chat/chat.h"
#include "lobby/house/parts.h"
#include "lobby/house/say.h"
#include "lobby/house/words.h"
#include "lobby/persons/persons.h"
#include "lobby/sanctions/sanctions.h"
#include "storage/chat/chat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The news of the house, which everybody reads and admins write. */

#define NEWS_SHOWN_MAX 20

static bool add_news_line(void *context, const struct storage_news *news)
{
    struct order *order = context;
    const struct person *person = order->conn->person;
    bool is_new = person != NULL && news->id > news_last_read_entry(person);
    order_add_line(order, is_new ? _("new, %p: %s (%lld)") : "%p: %s (%lld)",
                   say_date_argument(news->at_ms), news->text, (long long)news->id);
    if (order->number < news->id) {
        order->number = news->id;
    }
    return true;
}

static void list_news(struct order *order)
{
    struct house *house = order->house;
    order->flags |= MOD_READS | MOD_OWN;
    order->number = 0;
    stored_or_fail(house,
                   storage_news_read_last(house->storage, NEWS_SHOWN_MAX, add_news_line, order));
    if (order->number == 0) {
        order_add_line(order, _("There is no news."));
    } else if (order->conn->person != NULL) {
        news_set_last_read(house, order->conn->person, order->number);
    }
}

void mod_run_news(struct order *order)
{
    struct house *house = order->house;
    const char *rest = order->reason + strcspn(order->reason, " ");
    bool is_add = strncmp(order->reason, "add ", 4) == 0;
    bool is_remove = strncmp(order->reason, "remove ", 7) == 0;
    if (order->reason[0] == '\0') {
        list_news(order);
        return;
    }
    if (!mod_require_rank(order, RANK_ADMIN)) {
        return;
    }
    if (is_add) {
        if (!voice_allows_order(order, MUTE_LOBBY)) {
            return;
        }
        struct storage_news news = {.at_ms = house->now_ms};
        (void)snprintf(news.text, sizeof(news.text), "%s", rest + 1);
        stored_or_fail(house, storage_news_add(house->storage, &news, &news.id));
        order_add_line(order, _("News entry %lld is added: everybody reads it when they come in."),
                       (long long)news.id);
    } else if (is_remove &&
               stored(house, storage_news_remove(house->storage, strtoll(rest, NULL, 10)))) {
        order_add_line(order, _("That entry is gone."));
    } else if (is_remove) {
        order_refuse(order, "unknown", _("No entry has that number: /news lists them."));
    } else {
        order_refuse(order, "bad", _("Say add and a text, or remove and an entry's number."));
    }
}
