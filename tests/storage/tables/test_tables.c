#include "tests/storage/fixture.h"

#include "storage/archive/archive.h"
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

static struct storage_table make_table(struct storage *storage)
{
    const int64_t mira = fixture_add_account(storage, "mira", STORAGE_PLAYER);
    const int64_t bot = fixture_add_account(storage, "ella", STORAGE_BOT);
    struct storage_table table = {
        .game = "whist",
        .players = 4,
        .options = "{\"length\": \"long\"}",
        .clock_kind = 2,
        .clock_s = 86400,
        .clock_increment_s = 7,
        .watch_policy = 1,
        .watch_moves = 10,
        .watch_talk = 2,
        .password_hash = "secret",
        .host = mira,
        .host_name = "mira",
        .state = STORAGE_TABLE_OPEN,
        .created_ms = INT64_C(1790000000000),
        .rating_min = 1400,
        .rating_max = 1700,
        .finished_min = 80,
        .pace = 2,
        .rematch = 5,
        .asks = {1, 2, 4},
        .halt = STORAGE_HALT_ADJOURN,
        .halt_ms = INT64_C(1790000000007),
        .halt_by = "bob",
        .halt_why = "dinner",
        .resume_asked = 9,
        .resume_due_ms = INT64_C(1790000000008),
        .awaited = 12,
        .conn = 5,
        .request = 3,
    };

    table.seats[0] = fixture_make_seat(mira, "mira");
    table.seats[2] = (struct storage_seat){
        .holder = STORAGE_SEAT_BOT, .account = bot, .name = "ella", .policy = "medium"};
    table.seats[3] =
        (struct storage_seat){.holder = STORAGE_SEAT_GUEST, .name = "guest-12", .is_absent = true};
    return table;
}

static void assert_same_table(const struct storage_table *is, const struct storage_table *wanted)
{
    assert_int_equal(is->id, wanted->id);
    assert_string_equal(is->game, wanted->game);
    assert_int_equal(is->players, wanted->players);
    assert_string_equal(is->options, wanted->options);
    assert_int_equal(is->clock_kind, wanted->clock_kind);
    assert_int_equal(is->clock_s, wanted->clock_s);
    assert_int_equal(is->clock_increment_s, wanted->clock_increment_s);
    assert_int_equal(is->halt, wanted->halt);
    assert_true(is->halt_ms == wanted->halt_ms);
    assert_string_equal(is->halt_by, wanted->halt_by);
    assert_string_equal(is->halt_why, wanted->halt_why);
    assert_int_equal(is->resume_asked, wanted->resume_asked);
    assert_true(is->resume_due_ms == wanted->resume_due_ms);
    assert_int_equal(is->awaited, wanted->awaited);
    assert_int_equal(is->pace, wanted->pace);
    assert_int_equal(is->watch_policy, wanted->watch_policy);
    assert_int_equal(is->watch_moves, wanted->watch_moves);
    assert_int_equal(is->watch_talk, wanted->watch_talk);
    assert_string_equal(is->password_hash, wanted->password_hash);
    assert_int_equal(is->host, wanted->host);
    assert_string_equal(is->host_name, wanted->host_name);
    assert_int_equal(is->state, wanted->state);
    assert_true(is->created_ms == wanted->created_ms);
    assert_int_equal(is->game_id, wanted->game_id);
    assert_int_equal(is->rating_min, wanted->rating_min);
    assert_int_equal(is->rating_max, wanted->rating_max);
    assert_int_equal(is->finished_min, wanted->finished_min);
    assert_int_equal(is->rematch, wanted->rematch);
    assert_memory_equal(is->asks, wanted->asks, sizeof is->asks);
    assert_int_equal(is->conn, wanted->conn);
    assert_int_equal(is->request, wanted->request);
    for (size_t i = 0; i < STORAGE_SEATS_MAX; i++) {
        assert_int_equal(is->seats[i].holder, wanted->seats[i].holder);
        assert_int_equal(is->seats[i].account, wanted->seats[i].account);
        assert_string_equal(is->seats[i].name, wanted->seats[i].name);
        assert_string_equal(is->seats[i].policy, wanted->seats[i].policy);
        assert_int_equal(is->seats[i].is_absent, wanted->seats[i].is_absent);
    }
}

static void an_added_table_reads_back_as_written(void **state)
{
    struct fixture *fixture = *state;
    struct storage_table table = make_table(fixture->storage);
    struct storage_table found;

    assert_ok(storage_table_add(fixture->storage, &table, &table.id));
    fixture_commit(fixture);
    fixture_reopen(fixture);
    assert_ok(storage_table_read(fixture->storage, table.id, &found));
    assert_same_table(&found, &table);
    assert_result(storage_table_read(fixture->storage, table.id + 1, &found), STORAGE_NOT_FOUND);
}

static void saving_a_table_replaces_its_seats(void **state)
{
    struct fixture *fixture = *state;
    struct storage_table table = make_table(fixture->storage);
    struct storage_table found;

    assert_ok(storage_table_add(fixture->storage, &table, &table.id));
    table.players = 3;
    table.seats[3] = (struct storage_seat){0};
    table.seats[1] = table.seats[0];
    table.seats[0] = (struct storage_seat){0};
    table.state = STORAGE_TABLE_PLAYING;
    table.game_id = 9;
    table.rematch = 0;
    table.asks[STORAGE_ASK_PAUSE] = 6;
    table.host = 0;
    (void)snprintf(table.host_name, sizeof table.host_name, "guest-12");
    table.password_hash[0] = '\0';
    assert_ok(storage_table_save(fixture->storage, &table, NULL));
    fixture_commit(fixture);
    fixture_reopen(fixture);
    assert_ok(storage_table_read(fixture->storage, table.id, &found));
    assert_same_table(&found, &table);
    table.id++;
    assert_result(storage_table_save(fixture->storage, &table, NULL), STORAGE_NOT_FOUND);
}

static void only_seats_that_differ_from_the_stored_ones_are_written(void **state)
{
    struct fixture *fixture = *state;
    struct storage_table table = make_table(fixture->storage), stored, found;

    assert_ok(storage_table_add(fixture->storage, &table, &table.id));
    stored = table;
    table.players = 3;
    table.seats[3] = (struct storage_seat){0};
    (void)snprintf(table.seats[0].name, sizeof table.seats[0].name, "other");
    table.seats[2].is_absent = !table.seats[2].is_absent;
    /* so that writing seat 1 would show */
    (void)snprintf(table.seats[1].name, sizeof table.seats[1].name, "same");
    (void)snprintf(stored.seats[1].name, sizeof stored.seats[1].name, "same");
    assert_ok(storage_table_save(fixture->storage, &table, &stored));
    assert_ok(storage_table_read(fixture->storage, table.id, &found));
    assert_string_not_equal(found.seats[1].name, "same");
    table.seats[1] = found.seats[1];
    assert_same_table(&found, &table);
    stored = table;
    table.players = 4;
    table.seats[3] = table.seats[0];
    assert_ok(storage_table_save(fixture->storage, &table, &stored));
    assert_ok(storage_table_read(fixture->storage, table.id, &found));
    assert_same_table(&found, &table);
}

static void a_table_whose_row_has_not_changed_is_not_written(void **state)
{
    struct fixture *fixture = *state;
    struct storage_table table = make_table(fixture->storage), found;

    assert_ok(storage_table_add(fixture->storage, &table, &table.id));
    const uint8_t before = table.awaited;
    table.awaited = (uint8_t)(before ^ 1U);
    struct storage_table stored = table; /* is not what is stored, so that writing would show */
    assert_ok(storage_table_save(fixture->storage, &table, &stored));
    assert_ok(storage_table_read(fixture->storage, table.id, &found));
    assert_int_equal(found.awaited, before);
    stored.awaited = before;
    assert_ok(storage_table_save(fixture->storage, &table, &stored));
    assert_ok(storage_table_read(fixture->storage, table.id, &found));
    assert_int_equal(found.awaited, table.awaited);
}

static void a_host_that_is_no_account_is_refused_and_nothing_is_written(void **state)
{
    struct fixture *fixture = *state;
    struct storage_table table = make_table(fixture->storage), stored, found;

    assert_ok(storage_table_add(fixture->storage, &table, &table.id));
    stored = table;
    table.host = 4711;
    table.awaited = (uint8_t)(table.awaited ^ 1U);
    assert_result(storage_table_save(fixture->storage, &table, &stored), STORAGE_REFUSED);
    fixture_commit(fixture);
    assert_ok(storage_table_read(fixture->storage, table.id, &found));
    assert_same_table(&found, &stored);
}

static void a_table_with_a_seat_for_an_unknown_account_is_not_added(void **state)
{
    struct fixture *fixture = *state;
    struct storage_table table = make_table(fixture->storage);
    struct storage_table found;
    int64_t id = 0;

    table.seats[1] = fixture_make_seat(4711, "ghost");
    assert_result(storage_table_add(fixture->storage, &table, &id), STORAGE_REFUSED);
    table.seats[1] = (struct storage_seat){0};
    table.players = STORAGE_SEATS_MAX + 1;
    assert_result(storage_table_add(fixture->storage, &table, &id), STORAGE_REFUSED);
    assert_int_equal(id, 0);
    fixture_commit(fixture);
    assert_result(storage_table_read(fixture->storage, 1, &found), STORAGE_NOT_FOUND);
}

struct seen {
    struct storage *storage;
    int64_t ids[8];
    size_t count;
    size_t stop_after;
};

static bool collect_table(void *context, const struct storage_table *table)
{
    struct seen *seen = context;
    struct storage_table same;

    assert_ok(storage_table_read(seen->storage, table->id, &same));
    assert_same_table(&same, table);
    seen->ids[seen->count++] = table->id;
    return seen->count < seen->stop_after;
}

static void every_table_that_is_not_closed_is_listed(void **state)
{
    struct fixture *fixture = *state;
    struct storage_table table = make_table(fixture->storage);
    int64_t ids[4];

    for (size_t i = 0; i < 4; i++) {
        table.request++;
        assert_ok(storage_table_add(fixture->storage, &table, &ids[i]));
    }
    table.id = ids[1];
    table.state = STORAGE_TABLE_CLOSED;
    assert_ok(storage_table_save(fixture->storage, &table, NULL));
    fixture_commit(fixture);
    fixture_reopen(fixture);
    struct seen seen = {.storage = fixture->storage, .stop_after = 8};
    assert_ok(storage_tables_each(fixture->storage, collect_table, &seen));
    assert_int_equal(seen.count, 3);
    assert_int_equal(seen.ids[0], ids[0]);
    assert_int_equal(seen.ids[1], ids[2]);
    assert_int_equal(seen.ids[2], ids[3]);
    seen = (struct seen){.storage = fixture->storage, .stop_after = 2};
    assert_ok(storage_tables_each(fixture->storage, collect_table, &seen));
    assert_int_equal(seen.count, 2);
}

static void every_table_state_and_rule_reads_back_as_stored(void **state)
{
    struct fixture *fixture = *state;
    struct storage_table table = {.game = "whist", .players = 4, .options = "{}"}, found;

    table.id = fixture_add_table(fixture->storage);
    for (unsigned i = 0; i < 8; i++) {
        table.state = (enum storage_table_state)(i % (STORAGE_TABLE_STATE_LAST + 1));
        table.halt = (enum storage_halt)(i % (STORAGE_HALT_LAST + 1));
        table.clock_kind = (uint8_t)(i % (STORED_LAST(STORED_CLOCK_KINDS) + 1));
        table.watch_policy = (uint8_t)(i % (STORED_LAST(STORED_WATCH_POLICIES) + 1));
        table.watch_talk = (uint8_t)(i % (STORED_LAST(STORED_WATCH_TALKS) + 1));
        assert_ok(storage_table_save(fixture->storage, &table, NULL));
        assert_ok(storage_table_read(fixture->storage, table.id, &found));
        assert_int_equal(found.state, table.state);
        assert_int_equal(found.halt, table.halt);
        assert_int_equal(found.clock_kind, table.clock_kind);
        assert_int_equal(found.watch_policy, table.watch_policy);
        assert_int_equal(found.watch_talk, table.watch_talk);
    }
}

static enum storage_game_state read_game_state(struct storage *storage, int64_t game)
{
    struct storage_game found;

    assert_ok(storage_game_read(storage, game, &found));
    return found.state;
}

static void closing_a_table_ends_only_its_game_in_play(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct storage_table table = {.game = "whist", .players = 4, .options = "{}"}, found;
    int64_t games[3];

    table.id = fixture_add_table(storage);
    for (size_t i = 0; i < 3; i++) {
        games[i] = fixture_add_game(storage, table.id);
    }
    const struct storage_finish end = {.game = games[0], .state = STORAGE_GAME_FINISHED};
    assert_ok(storage_game_finish(storage, &end));
    for (size_t i = 0; i < 2; i++) {
        table.game_id = games[i];
        table.state = STORAGE_TABLE_PLAYING;
        assert_ok(storage_table_save(storage, &table, NULL));
        assert_ok(storage_table_close(storage, table.id));
        assert_ok(storage_table_read(storage, table.id, &found));
        assert_int_equal(found.state, STORAGE_TABLE_CLOSED);
        assert_int_equal(read_game_state(storage, games[0]), STORAGE_GAME_FINISHED);
        assert_int_equal(read_game_state(storage, games[1]),
                         i == 0 ? STORAGE_GAME_PLAYING : STORAGE_GAME_CUT);
    }
    assert_int_equal(read_game_state(storage, games[2]), STORAGE_GAME_PLAYING);
    assert_result(storage_table_close(storage, table.id + 1), STORAGE_NOT_FOUND);
}

TEST_GROUP(tables)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(an_added_table_reads_back_as_written),
        FIXTURE_TEST(saving_a_table_replaces_its_seats),
        FIXTURE_TEST(only_seats_that_differ_from_the_stored_ones_are_written),
        FIXTURE_TEST(a_table_whose_row_has_not_changed_is_not_written),
        FIXTURE_TEST(a_host_that_is_no_account_is_refused_and_nothing_is_written),
        FIXTURE_TEST(a_table_with_a_seat_for_an_unknown_account_is_not_added),
        FIXTURE_TEST(every_table_that_is_not_closed_is_listed),
        FIXTURE_TEST(every_table_state_and_rule_reads_back_as_stored),
        FIXTURE_TEST(closing_a_table_ends_only_its_game_in_play),
    };

    return cmocka_run_group_tests_name("tables", tests, NULL, NULL);
}
