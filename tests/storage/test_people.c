#include "fixture.h"
#include "storage/channels.h"
#include "storage/friends.h"
#include "storage/kept_tells.h"
#include "storage/news.h"

#include <stdio.h>
#include <string.h>

#define AT_MS INT64_C(1790000000000)

/* Names or texts as they came, blanks between. */
struct heard {
    char text[256];
};

static void hear(struct heard *heard, const char *word)
{
    size_t len = strlen(heard->text);
    (void)snprintf(heard->text + len, sizeof heard->text - len, "%s ", word);
}

static bool hear_friend(void *context, const struct storage_friend *other)
{
    hear(context, other->name);
    return true;
}

static bool hear_channel(void *context, const char *channel, int64_t members)
{
    char words[64];
    (void)snprintf(words, sizeof words, "%s=%d", channel, (int)members);
    hear(context, words);
    return true;
}

static bool hear_line(void *context, const struct storage_chat *line)
{
    hear(context, line->text);
    return true;
}

static bool hear_news(void *context, const struct storage_news *news)
{
    hear(context, news->text);
    return true;
}

static void friends_are_one_sided_and_come_by_name(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const int64_t mira = fixture_account(storage, "mira", STORAGE_PLAYER);
    const int64_t bob = fixture_account(storage, "bob", STORAGE_PLAYER);
    const int64_t ada = fixture_account(storage, "ada", STORAGE_PLAYER);
    struct heard heard = {""};

    assert_ok(storage_friend_add(storage, mira, bob, AT_MS));
    assert_ok(storage_friend_add(storage, mira, ada, AT_MS));
    assert_result(storage_friend_add(storage, mira, ada, AT_MS), STORAGE_TAKEN);
    assert_result(storage_friend_add(storage, mira, 99, AT_MS), STORAGE_REFUSED);
    fixture_commit(fixture);
    fixture_reopen(fixture);
    storage = fixture->storage;
    assert_ok(storage_friends_each(storage, mira, hear_friend, &heard));
    assert_string_equal(heard.text, "ada bob ");
    assert_ok(storage_friend_is(storage, mira, bob));
    assert_result(storage_friend_is(storage, bob, mira), STORAGE_NOT_FOUND);
    assert_ok(storage_friend_remove(storage, mira, bob));
    assert_result(storage_friend_remove(storage, mira, bob), STORAGE_NOT_FOUND);
    assert_result(storage_friend_is(storage, mira, bob), STORAGE_NOT_FOUND);
}

static void channels_count_their_members_and_keep_their_lines_apart(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const int64_t mira = fixture_account(storage, "mira", STORAGE_PLAYER);
    const int64_t bob = fixture_account(storage, "bob", STORAGE_PLAYER);
    struct storage_chat line = {.channel = STORAGE_CHAT_CHANNEL, .from = "bob", .at_ms = AT_MS};
    struct heard all = {""}, own = {""}, lines = {""}, lobby = {""};

    assert_ok(storage_channel_join(storage, mira, "#tea", AT_MS + 1));
    assert_ok(storage_channel_join(storage, mira, "#dev", AT_MS));
    assert_ok(storage_channel_join(storage, bob, "#tea", AT_MS));
    assert_result(storage_channel_join(storage, bob, "#tea", AT_MS), STORAGE_TAKEN);
    assert_ok(storage_channels_each(storage, hear_channel, &all));
    assert_string_equal(all.text, "#dev=1 #tea=2 ");
    assert_ok(storage_channels_of(storage, mira, hear_channel, &own));
    assert_string_equal(own.text, "#dev=1 #tea=1 ");
    assert_ok(storage_channel_part(storage, bob, "#tea"));
    assert_result(storage_channel_part(storage, bob, "#tea"), STORAGE_NOT_FOUND);
    for (int i = 0; i < 3; i++) {
        (void)snprintf(line.to, sizeof line.to, "%s", i == 1 ? "#dev" : "#tea");
        (void)snprintf(line.text, sizeof line.text, "%d", i);
        assert_ok(storage_chat_add(storage, &line, &line.number));
    }
    assert_ok(storage_chat_last_in(storage, "#tea", 10, hear_line, &lines));
    assert_string_equal(lines.text, "0 2 ");
    assert_ok(storage_chat_last(storage, STORAGE_CHAT_LOBBY, 0, 10, hear_line, &lobby));
    assert_string_equal(lobby.text, "");
}

static void lines_wait_for_their_addressee_until_told_or_too_old(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const int64_t mira = fixture_account(storage, "mira", STORAGE_PLAYER);
    struct storage_chat line = {
        .channel = STORAGE_CHAT_TELL, .from = "bob", .to = "mira", .at_ms = AT_MS};
    struct heard heard = {""}, later = {""};
    int64_t count = 0, from = 0;

    for (int i = 0; i < 3; i++) {
        (void)snprintf(line.text, sizeof line.text, "%d", i);
        line.at_ms = AT_MS + i;
        (void)snprintf(line.from, sizeof line.from, "%s", i == 2 ? "ada" : "bob");
        assert_ok(storage_chat_add(storage, &line, &line.number));
        assert_ok(storage_kept_add(storage, &line, mira));
    }
    assert_ok(storage_kept_count(storage, mira, "bob", &count, &from));
    assert_int_equal(count, 3);
    assert_int_equal(from, 2);
    assert_ok(storage_kept_expire(storage, AT_MS + 1));
    assert_ok(storage_kept_each(storage, mira, hear_line, &heard));
    assert_string_equal(heard.text, "1 2 ");
    assert_ok(storage_kept_done(storage, mira));
    assert_ok(storage_kept_each(storage, mira, hear_line, &later));
    assert_string_equal(later.text, "");
}

static void news_come_newest_first_and_what_is_new_is_counted(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct storage_news news = {.at_ms = AT_MS};
    struct heard heard = {""};
    int64_t count = 0, first = 0;

    for (int i = 0; i < 3; i++) {
        (void)snprintf(news.text, sizeof news.text, "%d", i);
        assert_ok(storage_news_add(storage, &news, &news.id));
        first = i == 0 ? news.id : first;
    }
    assert_ok(storage_news_count(storage, first, &count));
    assert_int_equal(count, 2);
    assert_ok(storage_news_last(storage, 2, hear_news, &heard));
    assert_string_equal(heard.text, "2 1 ");
    assert_ok(storage_news_remove(storage, news.id));
    assert_result(storage_news_remove(storage, news.id), STORAGE_NOT_FOUND);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(friends_are_one_sided_and_come_by_name),
        FIXTURE_TEST(channels_count_their_members_and_keep_their_lines_apart),
        FIXTURE_TEST(lines_wait_for_their_addressee_until_told_or_too_old),
        FIXTURE_TEST(news_come_newest_first_and_what_is_new_is_counted),
    };
    return cmocka_run_group_tests_name("people", tests, NULL, NULL);
}
