#include "lobby/chat/chat.h"

#include "lobby/house/say.h"
#include "lobby/persons/persons.h"

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

/* The events of one kind that have not been told yet. */
struct untold {
    int count;
    json_t *last; /* the sentence of the last one; NULL: none */
};

struct table_news_part {
    struct untold untold[TABLE_NEWS_COUNT];
    int64_t paid_ms; /* each line moves this time on by the pace, from now on if it has passed; a
                        line may be told while it is less than the burst ahead */
};

PART_STATE(news_of, struct table_news_part, table_news);

/* Returns when the next line may be told. */
static int64_t next_line_ms(const struct house *house)
{
    return news_of(house)->paid_ms - (int64_t)(TABLE_NEWS_BURST - 1) * TABLE_NEWS_PACE_MS;
}

static void tell_line(struct house *house, json_t *sentence)
{
    int64_t *paid_ms = &news_of(house)->paid_ms;
    *paid_ms = (*paid_ms > house->now_ms ? *paid_ms : house->now_ms) + TABLE_NEWS_PACE_MS;
    chat_announce_in_lobby(house, sentence);
}

static bool has_untold_events(const struct house *house)
{
    for (int kind = 0; kind < TABLE_NEWS_COUNT; kind++) {
        if (news_of(house)->untold[kind].count > 0) {
            return true;
        }
    }
    return false;
}

static void forget_events(struct untold *untold)
{
    json_decref(untold->last);
    *untold = (struct untold){0};
}

void table_news_tell(struct house *house, enum table_news kind, json_t *sentence)
{
    if (!has_untold_events(house) && next_line_ms(house) <= house->now_ms) {
        tell_line(house, sentence);
    } else {
        struct untold *untold = &news_of(house)->untold[kind];
        json_decref(untold->last);
        untold->last = sentence;
        untold->count++;
    }
}

static json_t *sum_up(enum table_news kind, int count)
{
    switch (kind) {
    case TABLE_NEWS_OPENED:
        return say_plural("%d table was opened", "%d tables were opened", count);
    case TABLE_NEWS_BEGUN:
        return say_plural("%d game has begun", "%d games have begun", count);
    case TABLE_NEWS_OVER:
    case TABLE_NEWS_COUNT:
        break;
    }
    return say_plural("%d game is over", "%d games are over", count);
}

static void tell_untold_events(struct house *house)
{
    if (!has_untold_events(house) || next_line_ms(house) > house->now_ms) {
        return;
    }
    for (int kind = 0; kind < TABLE_NEWS_COUNT; kind++) {
        struct untold *untold = &news_of(house)->untold[kind];
        if (untold->count > 0) {
            tell_line(house, untold->count == 1 ? json_incref(untold->last)
                                                : sum_up((enum table_news)kind, untold->count));
        }
        forget_events(untold);
    }
}

static int64_t next_sum_ms(const struct house *house)
{
    return has_untold_events(house) ? next_line_ms(house) : INT64_MAX;
}

static void forget_all_events(struct house *house)
{
    for (int kind = 0; kind < TABLE_NEWS_COUNT; kind++) {
        forget_events(&news_of(house)->untold[kind]);
    }
}

const struct part table_news_part = {
    .name = "table-news",
    .house_size = sizeof(struct table_news_part),
    .clear = forget_all_events,
    .flush = tell_untold_events,
    .next_ms = next_sum_ms,
};
