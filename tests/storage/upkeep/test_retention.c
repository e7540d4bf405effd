#include "storage/upkeep/upkeep.h"

#include "storage/accounts/accounts.h"
#include "storage/chat/chat.h"
#include "storage/mod/mod.h"
#include "tests/storage/fixture.h"
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

#define OLD_MS 1000
#define LIMIT_MS 5000
#define NEW_MS 9000
#define MARK "neverseenagain"

static int64_t add_line(struct storage *storage, enum storage_chat_channel channel, int64_t table,
                        const char *text, int64_t at_ms)
{
    struct storage_chat line = {.channel = channel, .table = table, .at_ms = at_ms};
    int64_t number = 0;

    (void)snprintf(line.from, sizeof line.from, "bob");
    (void)snprintf(line.to, sizeof line.to, "%s", channel == STORAGE_CHAT_DIRECT ? "ada" : "");
    (void)snprintf(line.text, sizeof line.text, "%s", text);
    assert_ok(storage_chat_add(storage, &line, &number));
    return number;
}

/* A line of now, so that no older line is the newest of all. */
static void add_newest_line(struct storage *storage)
{
    (void)add_line(storage, STORAGE_CHAT_LOBBY, 0, "now", NEW_MS);
}

/* Runs retention to its end with the same limit for these kinds (a set of bits). Returns the number
 * of steps, and the rows deleted of each kind in `deleted`. */
static size_t run_with_steps_of(struct storage *storage, unsigned kinds, size_t max_rows,
                                int64_t deleted[STORAGE_RETENTION_KINDS])
{
    struct storage_retention_run run = {.step = 0};
    size_t steps = 0;
    bool is_done = false;

    for (size_t i = 0; i < STORAGE_RETENTION_KINDS; i++) {
        run.before_ms[i] = (kinds >> i & 1) != 0 ? LIMIT_MS : 0;
    }
    while (!is_done) {
        assert_ok(storage_retention_continue(storage, &run, max_rows, &is_done));
        steps++;
        assert_true(steps < 1000);
    }
    if (deleted != NULL) {
        memcpy(deleted, run.deleted, sizeof run.deleted);
    }
    return steps;
}

#define ALL_KINDS ((1U << STORAGE_RETENTION_KINDS) - 1)
#define ONLY(kind) (1U << (kind))

static void run_all(struct storage *storage)
{
    (void)run_with_steps_of(storage, ALL_KINDS, 100, NULL);
}

static bool has_line(struct storage *storage, int64_t number)
{
    struct storage_chat line;
    const enum storage_result result = storage_chat_read(storage, number, &line);

    assert_true(result == STORAGE_OK || result == STORAGE_NOT_FOUND);
    return result == STORAGE_OK;
}

static void chat_and_direct_messages_are_deleted_by_their_own_limits(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const int64_t table = fixture_add_table(storage);
    int64_t deleted[STORAGE_RETENTION_KINDS];

    const int64_t lobby = add_line(storage, STORAGE_CHAT_LOBBY, 0, "a", OLD_MS);
    const int64_t at_table = add_line(storage, STORAGE_CHAT_TABLE, table, "b", OLD_MS);
    const int64_t in_channel = add_line(storage, STORAGE_CHAT_CHANNEL, 0, "c", OLD_MS);
    const int64_t direct = add_line(storage, STORAGE_CHAT_DIRECT, 0, "d", OLD_MS);
    const int64_t at_limit = add_line(storage, STORAGE_CHAT_LOBBY, 0, "e", LIMIT_MS);
    add_newest_line(storage);
    (void)run_with_steps_of(storage, ONLY(STORAGE_RETENTION_MESSAGES), 100, deleted);
    assert_int_equal(deleted[STORAGE_RETENTION_MESSAGES], 1);
    assert_int_equal(deleted[STORAGE_RETENTION_CHAT], 0);
    assert_false(has_line(storage, direct));
    assert_true(has_line(storage, lobby) && has_line(storage, at_table));
    (void)run_with_steps_of(storage, ONLY(STORAGE_RETENTION_CHAT), 100, deleted);
    assert_int_equal(deleted[STORAGE_RETENTION_CHAT], 3);
    assert_false(has_line(storage, lobby) || has_line(storage, at_table) ||
                 has_line(storage, in_channel));
    assert_true(has_line(storage, at_limit));
}

static void a_direct_message_that_still_waits_for_its_reader_is_deleted_too(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const int64_t ada = fixture_add_account(storage, "ada", STORAGE_PLAYER);
    struct storage_chat line;

    const int64_t direct = add_line(storage, STORAGE_CHAT_DIRECT, 0, "d", OLD_MS);
    assert_ok(storage_chat_read(storage, direct, &line));
    assert_ok(storage_offline_message_add(storage, &line, ada));
    add_newest_line(storage);
    run_all(storage);
    assert_false(has_line(storage, direct));
    assert_int_equal(fixture_read_number(storage, "SELECT count(*) FROM kept_tells"), 0);
}

static void a_run_with_small_steps_deletes_all_that_one_large_step_deletes(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    int64_t deleted[STORAGE_RETENTION_KINDS];

    for (int i = 0; i < 25; i++) { /* with equal times, and not in the order of their numbers */
        (void)add_line(storage, STORAGE_CHAT_LOBBY, 0, "a", OLD_MS - i / 3);
        (void)add_line(storage, STORAGE_CHAT_DIRECT, 0, "b", OLD_MS - i / 3);
    }
    add_newest_line(storage);
    assert_true(run_with_steps_of(storage, ALL_KINDS, 10, deleted) >= 6);
    assert_int_equal(deleted[STORAGE_RETENTION_CHAT], 25);
    assert_int_equal(deleted[STORAGE_RETENTION_MESSAGES], 25);
    assert_int_equal(fixture_read_number(storage, "SELECT count(*) FROM chat"), 1);
}

static void the_newest_line_is_emptied_so_that_no_number_is_used_twice(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    int64_t deleted[STORAGE_RETENTION_KINDS];
    struct storage_chat line;

    (void)add_line(storage, STORAGE_CHAT_LOBBY, 0, "a", OLD_MS);
    const int64_t newest = add_line(storage, STORAGE_CHAT_DIRECT, 0, MARK, OLD_MS);
    (void)run_with_steps_of(storage, ALL_KINDS, 100, deleted);
    assert_int_equal(deleted[STORAGE_RETENTION_MESSAGES], 1);
    assert_ok(storage_chat_read(storage, newest, &line));
    assert_string_equal(line.text, "");
    assert_string_equal(line.from, "");
    assert_string_equal(line.to, "");
    assert_true(line.is_hidden);
    assert_int_equal(add_line(storage, STORAGE_CHAT_LOBBY, 0, "b", NEW_MS), newest + 1);
    (void)run_with_steps_of(storage, ALL_KINDS, 100, deleted);
    assert_false(has_line(storage, newest));
}

static int64_t add_report(struct storage *storage, int64_t table, int64_t first, int64_t last)
{
    struct storage_report report = {
        .table = table, .line_first = first, .line_last = last, .at_ms = OLD_MS};
    int64_t id = 0;

    (void)snprintf(report.category, sizeof report.category, "abuse");
    (void)snprintf(report.about_name, sizeof report.about_name, "bob");
    (void)snprintf(report.text, sizeof report.text, "he shouts");
    assert_ok(storage_report_add(storage, &report, &id));
    return id;
}

static void close_report(struct storage *storage, int64_t id, int64_t closed_ms)
{
    struct storage_report report;

    assert_ok(storage_report_read(storage, id, &report));
    report.state = STORAGE_REPORT_RESOLVED;
    report.closed_ms = closed_ms;
    assert_ok(storage_report_save(storage, &report));
}

static void evidence_stays_while_its_report_is_open_and_for_the_limit_after_that(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const int64_t table = fixture_add_table(storage);

    const int64_t first = add_line(storage, STORAGE_CHAT_TABLE, table, "a", OLD_MS);
    const int64_t elsewhere = add_line(storage, STORAGE_CHAT_LOBBY, 0, "b", OLD_MS);
    const int64_t direct = add_line(storage, STORAGE_CHAT_DIRECT, 0, "c", OLD_MS);
    const int64_t last = add_line(storage, STORAGE_CHAT_TABLE, table, "d", OLD_MS);
    add_newest_line(storage);
    const int64_t report = add_report(storage, table, first, last);
    run_all(storage);
    assert_true(has_line(storage, first) && has_line(storage, last));
    assert_false(has_line(storage, elsewhere) || has_line(storage, direct));
    close_report(storage, report, LIMIT_MS);
    run_all(storage);
    assert_true(has_line(storage, first) && has_line(storage, last));
    close_report(storage, report, LIMIT_MS - 1);
    run_all(storage);
    assert_false(has_line(storage, first) || has_line(storage, last));
}

static void add_note(struct storage *storage, int64_t report, const char *net, int64_t at_ms)
{
    struct storage_note note = {.report = report, .at_ms = at_ms};

    (void)snprintf(note.net, sizeof note.net, "%s", net);
    (void)snprintf(note.text, sizeof note.text, "a note");
    assert_ok(storage_note_add(storage, &note));
}

static int64_t add_sanction(struct storage *storage, const char *address)
{
    struct storage_sanction sanction = {
        .kind = STORAGE_SANCTION_BAN, .since_ms = OLD_MS, .until_ms = STORAGE_SANCTION_FOR_GOOD};
    int64_t id = 0;

    (void)snprintf(sanction.address, sizeof sanction.address, "%s", address);
    assert_ok(storage_sanction_add(storage, &sanction, &id));
    return id;
}

static void closed_cases_go_with_their_notes_and_open_ones_stay(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct storage_report read;
    struct storage_sanction sanction;

    const int64_t open = add_report(storage, 0, 0, 0);
    const int64_t closed = add_report(storage, 0, 0, 0);
    add_note(storage, open, "", OLD_MS);
    add_note(storage, closed, "", OLD_MS);
    add_note(storage, 0, "", OLD_MS);
    close_report(storage, closed, LIMIT_MS - 1);
    const int64_t in_force = add_sanction(storage, "");
    const int64_t over = add_sanction(storage, "");
    assert_ok(storage_sanction_end(storage, over, LIMIT_MS - 1, "ada"));
    run_all(storage);
    assert_ok(storage_report_read(storage, open, &read));
    assert_result(storage_report_read(storage, closed, &read), STORAGE_NOT_FOUND);
    assert_ok(storage_sanction_read(storage, in_force, &sanction));
    assert_result(storage_sanction_read(storage, over, &sanction), STORAGE_NOT_FOUND);
    assert_int_equal(fixture_read_number(storage, "SELECT count(*) FROM staff_notes"), 1);
    assert_int_equal(fixture_read_number(storage, "SELECT report FROM staff_notes"), open);
}

static void a_sanction_stays_as_long_as_an_appeal_against_it_is_open(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct storage_sanction sanction;
    struct storage_report appeal = {.at_ms = OLD_MS, .sanction = add_sanction(storage, "")};
    int64_t id = 0;

    (void)snprintf(appeal.category, sizeof appeal.category, STORAGE_REPORT_APPEAL);
    assert_ok(storage_report_add(storage, &appeal, &id));
    assert_ok(storage_sanction_end(storage, appeal.sanction, OLD_MS, "ada"));
    run_all(storage);
    assert_ok(storage_sanction_read(storage, appeal.sanction, &sanction));
    close_report(storage, id, LIMIT_MS - 1);
    run_all(storage);
    assert_result(storage_sanction_read(storage, appeal.sanction, &sanction), STORAGE_NOT_FOUND);
}

static void old_addresses_go_but_not_those_of_bans_in_force(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct storage_connection from = {.account =
                                          fixture_add_account(storage, "ada", STORAGE_PLAYER)};
    struct storage_sanction sanction;
    struct storage_report appeal = {.at_ms = OLD_MS};
    int64_t id = 0;

    (void)snprintf(from.address, sizeof from.address, "192.0.2.1");
    assert_ok(storage_sign_in_add(storage, &from, OLD_MS));
    (void)snprintf(from.address, sizeof from.address, "192.0.2.2");
    assert_ok(storage_sign_in_add(storage, &from, NEW_MS));
    const int64_t in_force = add_sanction(storage, "192.0.2.0/24");
    const int64_t over = add_sanction(storage, "198.51.100.7");
    appeal.sanction = over;
    (void)snprintf(appeal.about_name, sizeof appeal.about_name, "198.51.100.7");
    (void)snprintf(appeal.category, sizeof appeal.category, STORAGE_REPORT_APPEAL);
    assert_ok(storage_report_add(storage, &appeal, &id));
    assert_ok(storage_sanction_end(storage, over, OLD_MS, "ada"));
    close_report(storage, id, OLD_MS);
    add_note(storage, 0, "192.0.2.9", OLD_MS);
    add_note(storage, 0, "192.0.2.9", NEW_MS);
    (void)run_with_steps_of(storage, ONLY(STORAGE_RETENTION_ADDRESSES), 1, NULL);
    assert_int_equal(fixture_read_number(storage, "SELECT count(*) FROM sign_ins"), 1);
    assert_int_equal(fixture_read_number(storage, "SELECT min(last_ms) FROM sign_ins"), NEW_MS);
    assert_int_equal(fixture_read_number(storage, "SELECT count(*) FROM staff_notes"), 1);
    assert_ok(storage_sanction_read(storage, in_force, &sanction));
    assert_string_equal(sanction.address, "192.0.2.0/24");
    assert_ok(storage_sanction_read(storage, over, &sanction));
    assert_string_equal(sanction.address, "");
    assert_int_equal(
        fixture_read_number(storage, "SELECT count(*) FROM reports WHERE about_name <> ''"), 0);
}

static bool is_word_in_file(const char *path, const char *word)
{
    static char bytes[4 << 20];
    FILE *file = fopen(path, "rb");
    const size_t len = strlen(word);
    bool is_found = false;

    if (file == NULL) {
        return false;
    }
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    assert_true(size < sizeof bytes);
    assert_int_equal(fclose(file), 0);
    for (size_t i = 0; i + len <= size && !is_found; i++) {
        is_found = memcmp(bytes + i, word, len) == 0;
    }
    return is_found;
}

static bool is_word_in_files_of_storage(const struct fixture *fixture, const char *word)
{
    char log[sizeof fixture->path + 8];

    (void)snprintf(log, sizeof log, "%s-wal", fixture->path);
    return is_word_in_file(fixture->path, word) || is_word_in_file(log, word);
}

static void deleted_words_and_addresses_are_in_no_file_any_more(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    SKIP_ON_POSTGRES("reads the bytes of the data file");
    struct storage_connection from = {.account =
                                          fixture_add_account(storage, "ada", STORAGE_PLAYER)};

    (void)snprintf(from.address, sizeof from.address,
                   "2001:db8::"
                   "7777");
    assert_ok(storage_sign_in_add(storage, &from, OLD_MS));
    for (int i = 0; i < 500; i++) { /* mixed with lines that stay, so that pages are rearranged */
        (void)add_line(storage, STORAGE_CHAT_LOBBY, 0, MARK, OLD_MS);
        (void)add_line(storage, STORAGE_CHAT_LOBBY, 0, "a line that stays", NEW_MS);
    }
    fixture_commit(fixture);
    assert_true(is_word_in_files_of_storage(fixture, MARK));
    assert_true(is_word_in_files_of_storage(fixture, from.address));
    run_all(storage);
    fixture_commit(fixture);
    storage_empty_log_when_idle(storage);
    storage_do_idle_work(storage);
    assert_false(is_word_in_files_of_storage(fixture, MARK));
    assert_false(is_word_in_files_of_storage(fixture, from.address));
    assert_true(is_word_in_files_of_storage(fixture, "a line that stays"));
}

TEST_GROUP(retention)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(chat_and_direct_messages_are_deleted_by_their_own_limits),
        FIXTURE_TEST(a_direct_message_that_still_waits_for_its_reader_is_deleted_too),
        FIXTURE_TEST(a_run_with_small_steps_deletes_all_that_one_large_step_deletes),
        FIXTURE_TEST(the_newest_line_is_emptied_so_that_no_number_is_used_twice),
        FIXTURE_TEST(evidence_stays_while_its_report_is_open_and_for_the_limit_after_that),
        FIXTURE_TEST(closed_cases_go_with_their_notes_and_open_ones_stay),
        FIXTURE_TEST(a_sanction_stays_as_long_as_an_appeal_against_it_is_open),
        FIXTURE_TEST(old_addresses_go_but_not_those_of_bans_in_force),
        FIXTURE_TEST(deleted_words_and_addresses_are_in_no_file_any_more),
    };
    return cmocka_run_group_tests_name("retention", tests, NULL, NULL);
}
