#include "storage/webhooks/hooks.h"
#include "tests/storage/fixture.h"
#include "tests/unit.h"

#define TURN 0
#define TELL 2

static int64_t add_webhook(struct fixture *fixture, const char *name)
{
    const int64_t account = fixture_add_account(fixture->storage, name, STORAGE_PLAYER);
    const struct storage_hook hook = {
        .account = account, .url = "https://example.org/", .secret = "5ec4e7", .events = 3};

    assert_ok(storage_hook_save(fixture->storage, &hook));
    return account;
}

static int64_t add_event(struct fixture *fixture, int64_t account, uint8_t event, int64_t next_ms)
{
    int64_t id = 0;
    bool was_full = false;
    const struct storage_hook_event row = {.account = account,
                                           .event = event,
                                           .table = 7,
                                           .seat = 2,
                                           .game = 5,
                                           .step = 11,
                                           .body = "{}",
                                           .next_ms = next_ms};

    assert_ok(storage_hook_event_add(fixture->storage, &row, &id, &was_full));
    assert_false(was_full);
    return id;
}

/* The events and webhooks that a callback received. */
struct seen {
    size_t count;
    int64_t ids[64];
    struct storage_hook hook;
};

static bool collect_event(void *context, const struct storage_hook_event *event)
{
    struct seen *seen = context;

    seen->ids[seen->count++] = event->id;
    return true;
}

static bool collect_webhook(void *context, const struct storage_hook *hook)
{
    struct seen *seen = context;

    seen->hook = *hook;
    seen->count++;
    return true;
}

static void deleting_a_webhook_deletes_its_queue(void **state)
{
    struct fixture *fixture = *state;
    struct seen seen = {0};
    struct storage_hook_event event = {0};
    const int64_t bob = add_webhook(fixture, "bob");
    const int64_t id = add_event(fixture, bob, TURN, 100);

    fixture_commit(fixture);
    fixture_reopen(fixture);
    assert_ok(storage_hooks_each(fixture->storage, collect_webhook, &seen));
    assert_int_equal(seen.count, 1);
    assert_string_equal(seen.hook.url, "https://example.org/");
    assert_string_equal(seen.hook.secret, "5ec4e7");
    assert_ok(storage_hook_event_read(fixture->storage, id, &event));
    assert_int_equal(event.step, 11);
    assert_ok(storage_hook_remove(fixture->storage, bob));
    assert_result(storage_hook_event_read(fixture->storage, id, &event), STORAGE_NOT_FOUND);
    assert_result(storage_hook_remove(fixture->storage, bob), STORAGE_NOT_FOUND);
}

static void due_webhook_events_are_listed_longest_due_first(void **state)
{
    struct fixture *fixture = *state;
    struct seen seen = {0};
    int64_t next_ms = 0;
    const int64_t bob = add_webhook(fixture, "bob");
    const int64_t late = add_event(fixture, bob, TELL, 200);
    const int64_t soon = add_event(fixture, bob, TELL, 100);

    (void)add_event(fixture, bob, TELL, 300);
    assert_ok(storage_hook_events_each_due(fixture->storage, 200, collect_event, &seen));
    assert_int_equal(seen.count, 2);
    assert_int_equal(seen.ids[0], soon);
    assert_int_equal(seen.ids[1], late);
    assert_ok(storage_hook_events_read_next_due(fixture->storage, 200, &next_ms));
    assert_int_equal(next_ms, 300);
    assert_ok(storage_hook_events_read_next_due(fixture->storage, 300, &next_ms));
    assert_true(next_ms == INT64_MAX);
}

static void attempts_to_send_an_event_are_counted_and_a_sent_event_is_not_due(void **state)
{
    struct fixture *fixture = *state;
    struct seen seen = {0};
    struct storage_hook_event event = {0};
    const int64_t bob = add_webhook(fixture, "bob");
    const int64_t id = add_event(fixture, bob, TURN, 100);

    assert_ok(storage_hook_event_note_attempt(fixture->storage, id, 500));
    assert_ok(storage_hook_event_read(fixture->storage, id, &event));
    assert_int_equal(event.attempts, 1);
    assert_int_equal(event.next_ms, 500);
    assert_ok(storage_hook_event_mark_done(fixture->storage, id));
    assert_ok(storage_hook_events_each_due(fixture->storage, 1000, collect_event, &seen));
    assert_int_equal(seen.count, 0);
    assert_ok(storage_hook_events_each_of_kind(fixture->storage, TURN, collect_event, &seen));
    assert_int_equal(seen.count, 1);
    assert_ok(storage_hook_events_delete_at_seat(fixture->storage, TURN, 7, 1));
    assert_ok(storage_hook_event_read(fixture->storage, id, &event));
    assert_ok(storage_hook_events_delete_at_seat(fixture->storage, TURN, 7, 2));
    assert_result(storage_hook_event_note_attempt(fixture->storage, id, 500), STORAGE_NOT_FOUND);
}

static void the_oldest_webhook_event_is_dropped_when_too_many_wait(void **state)
{
    struct fixture *fixture = *state;
    struct storage_hook_event event = {.event = TELL, .body = "{}"};
    bool was_full = false;
    uint32_t waiting = 0;
    int64_t id = 0;
    const int64_t ada = add_webhook(fixture, "ada");
    const int64_t of_ada = add_event(fixture, ada, TELL, 100);

    event.account = add_webhook(fixture, "bob");
    const int64_t oldest = add_event(fixture, event.account, TELL, 100);
    for (int i = 1; i < STORAGE_HOOK_QUEUE_EACH; i++) {
        assert_ok(storage_hook_event_add(fixture->storage, &event, &id, &was_full));
        assert_false(was_full);
    }
    assert_ok(storage_hook_event_add(fixture->storage, &event, &id, &was_full));
    assert_true(was_full);
    assert_ok(storage_hook_events_count_waiting(fixture->storage, event.account, &waiting));
    assert_int_equal(waiting, STORAGE_HOOK_QUEUE_EACH);
    assert_result(storage_hook_event_read(fixture->storage, oldest, &event), STORAGE_NOT_FOUND);
    assert_ok(storage_hook_event_read(fixture->storage, of_ada, &event));
}

static void the_next_due_time_is_that_of_the_first_event_still_waiting(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const int64_t account = add_webhook(fixture, "bob");
    int64_t next_ms = 0;

    assert_ok(storage_hook_events_read_next_due(storage, 0, &next_ms));
    assert_true(next_ms == INT64_MAX);
    const int64_t told = add_event(fixture, account, TURN, 20);
    (void)add_event(fixture, account, TURN, 40);
    (void)add_event(fixture, account, TELL, 30);
    (void)add_event(fixture, account, TELL, 10);
    assert_ok(storage_hook_event_mark_done(storage, told));
    assert_ok(storage_hook_events_read_next_due(storage, 10, &next_ms));
    assert_int_equal(next_ms, 30);
    assert_ok(storage_hook_events_read_next_due(storage, 9, &next_ms));
    assert_int_equal(next_ms, 10);
    assert_ok(storage_hook_events_read_next_due(storage, 40, &next_ms));
    assert_true(next_ms == INT64_MAX);
}

TEST_GROUP(hooks)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(deleting_a_webhook_deletes_its_queue),
        FIXTURE_TEST(due_webhook_events_are_listed_longest_due_first),
        FIXTURE_TEST(attempts_to_send_an_event_are_counted_and_a_sent_event_is_not_due),
        FIXTURE_TEST(the_oldest_webhook_event_is_dropped_when_too_many_wait),
        FIXTURE_TEST(the_next_due_time_is_that_of_the_first_event_still_waiting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
