#include "storage/accounts/accounts.h"

#include "tests/storage/fixture.h"
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

static struct storage_guest make_guest(int number, const char *net, int64_t seen_ms)
{
    struct storage_guest guest = {.seen_ms = seen_ms};
    (void)snprintf(guest.name, sizeof guest.name, "guest-%d", number);
    (void)snprintf(guest.net, sizeof guest.net, "%s", net);
    (void)snprintf(guest.address, sizeof guest.address, "%s", net);
    (void)snprintf(guest.transport, sizeof guest.transport, "ssh");
    return guest;
}

static bool count_guest(void *context, const struct storage_guest *guest)
{
    (void)guest;
    ++*(size_t *)context;
    return true;
}

static void reading_a_guest_by_name_gives_the_newest_values(void **state)
{
    struct fixture *fixture = *state;
    struct storage_guest guest = make_guest(1, "192.0.2.7", 1000);
    struct storage_guest read;

    assert_ok(storage_guest_save(fixture->storage, &guest, 0));
    guest.seen_ms = 2000;
    assert_ok(storage_guest_save(fixture->storage, &guest, 0));
    fixture_commit(fixture);
    fixture_reopen(fixture);
    assert_ok(storage_guest_read(fixture->storage, "guest-1", &read));
    assert_string_equal(read.address, "192.0.2.7");
    assert_int_equal(read.seen_ms, 2000);
    assert_result(storage_guest_read(fixture->storage, "guest-2", &read), STORAGE_NOT_FOUND);
}

static void guests_seen_too_long_ago_are_forgotten(void **state)
{
    struct fixture *fixture = *state;
    struct storage_guest guest = make_guest(1, "192.0.2.7", 1000);
    struct storage_guest read;

    assert_ok(storage_guest_save(fixture->storage, &guest, 0));
    guest = make_guest(2, "192.0.2.8", 2000);
    assert_ok(storage_guest_save(fixture->storage, &guest, 1001));
    assert_result(storage_guest_read(fixture->storage, "guest-1", &read), STORAGE_NOT_FOUND);
    assert_ok(storage_guest_read(fixture->storage, "guest-2", &read));
}

static void the_number_of_guests_kept_per_network_is_limited(void **state)
{
    struct fixture *fixture = *state;
    struct storage_guest read;
    size_t count = 0;

    struct storage_guest guest = make_guest(1000, "192.0.2.8", 1);
    assert_ok(storage_guest_save(fixture->storage, &guest, 0));
    for (int i = 0; i < 3 * STORAGE_GUESTS_EACH_MAX; i++) {
        guest = make_guest(i, "192.0.2.7", 1000 + i);
        assert_ok(storage_guest_save(fixture->storage, &guest, 0));
    }
    assert_ok(storage_guests_each(fixture->storage, "192.0.2.7", count_guest, &count));
    assert_int_equal(count, STORAGE_GUESTS_EACH_MAX);
    assert_ok(storage_guest_read(fixture->storage, "guest-1000", &read));
    assert_ok(storage_guest_read(fixture->storage, guest.name, &read));
}

static void beyond_the_limit_the_guests_seen_longest_ago_are_forgotten(void **state)
{
    struct fixture *fixture = *state;
    struct storage_guest read;
    char net[32];

    for (int i = 0; i < STORAGE_GUESTS_MAX + 10; i++) {
        (void)snprintf(net, sizeof net, "10.0.%d.%d", i / 256, i % 256);
        const struct storage_guest guest = make_guest(i, net, 1000 + i);
        assert_ok(storage_guest_save(fixture->storage, &guest, 0));
    }
    assert_result(storage_guest_read(fixture->storage, "guest-9", &read), STORAGE_NOT_FOUND);
    assert_ok(storage_guest_read(fixture->storage, "guest-10", &read));
}

static bool collect_guest(void *context, const struct storage_guest *guest)
{
    return fixture_add_word(context, "%s", guest->name);
}

static void guests_of_a_network_are_listed_newest_first(void **state)
{
    static const char *const nets[] = {"192.0.2.7", "192.0.2.7", "192.0.2.8", "192.0.2.7"};
    static const int64_t seen_ms[] = {20, 30, 40, 10};
    struct fixture *fixture = *state;
    struct fixture_words words = {.count = 0};

    for (int i = 0; i < 4; i++) {
        const struct storage_guest guest = make_guest(i, nets[i], seen_ms[i]);
        assert_ok(storage_guest_save(fixture->storage, &guest, 0));
    }
    assert_ok(storage_guests_each(fixture->storage, "192.0.2.7", collect_guest, &words));
    assert_words(&words, "guest-1 guest-0 guest-3 ");
    words.stop_after = 1;
    assert_ok(storage_guests_each(fixture->storage, "192.0.2.7", collect_guest, &words));
    assert_words(&words, "guest-1 ");
}

TEST_GROUP(guests)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(reading_a_guest_by_name_gives_the_newest_values),
        FIXTURE_TEST(guests_seen_too_long_ago_are_forgotten),
        FIXTURE_TEST(the_number_of_guests_kept_per_network_is_limited),
        FIXTURE_TEST(beyond_the_limit_the_guests_seen_longest_ago_are_forgotten),
        FIXTURE_TEST(guests_of_a_network_are_listed_newest_first),
    };
    return cmocka_run_group_tests_name("guests", tests, NULL, NULL);
}
