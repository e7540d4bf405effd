#include "storage/mod/mod.h"

#include "tests/storage/fixture.h"
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

#define AT_MS INT64_C(1790000000000)

/* The texts in the order they arrived, separated by blanks. */
struct collected {
    char text[256];
};

static void collect_text(struct collected *collected, const char *text)
{
    size_t len = strlen(collected->text);
    (void)snprintf(collected->text + len, sizeof collected->text - len, "%s ", text);
}

static bool collect_report(void *context, const struct storage_report *report)
{
    collect_text(context, report->text);
    return true;
}

static bool collect_first_report_only(void *context, const struct storage_report *report)
{
    collect_text(context, report->text);
    return false;
}

static bool collect_staff_note(void *context, const struct storage_note *note)
{
    collect_text(context, note->text);
    return true;
}

static int64_t add_report(struct storage *storage, int64_t by, int64_t about, const char *text)
{
    struct storage_report row = {
        .by_account = by,
        .by_name = "mira",
        .about_account = about,
        .about_name = "bob",
        .category = "spam",
        .table = 7,
        .line_first = 3,
        .line_last = 9,
        .at_ms = AT_MS,
    };
    int64_t id = 0;
    (void)snprintf(row.text, sizeof row.text, "%s", text);
    assert_ok(storage_report_add(storage, &row, &id));
    return id;
}

static void a_report_keeps_its_evidence_and_can_be_closed(void **state)
{
    struct fixture *fixture = *state;
    struct storage_report row;
    const int64_t mira = fixture_add_account(fixture->storage, "mira", STORAGE_PLAYER);
    const int64_t bob = fixture_add_account(fixture->storage, "bob", STORAGE_PLAYER);
    const int64_t id = add_report(fixture->storage, mira, bob, "he sells cards");

    fixture_commit(fixture);
    fixture_reopen(fixture);
    assert_ok(storage_report_read(fixture->storage, id, &row));
    assert_int_equal(row.by_account, mira);
    assert_int_equal(row.about_account, bob);
    assert_string_equal(row.category, "spam");
    assert_int_equal(row.table, 7);
    assert_int_equal(row.line_first, 3);
    assert_int_equal(row.line_last, 9);
    assert_int_equal(row.state, STORAGE_REPORT_OPEN);
    row.state = STORAGE_REPORT_RESOLVED;
    row.closed_ms = AT_MS + 1;
    (void)snprintf(row.answer, sizeof row.answer, "he stopped");
    assert_ok(storage_report_save(fixture->storage, &row));
    assert_ok(storage_report_read(fixture->storage, id, &row));
    assert_int_equal(row.state, STORAGE_REPORT_RESOLVED);
    assert_string_equal(row.answer, "he stopped");
    row.id = id + 1;
    assert_result(storage_report_save(fixture->storage, &row), STORAGE_NOT_FOUND);
    assert_result(storage_report_read(fixture->storage, id + 1, &row), STORAGE_NOT_FOUND);
}

static void open_reports_are_listed_oldest_first_and_all_reports_newest_first(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct storage_report row;
    struct collected collected = {""};
    const int64_t mira = fixture_add_account(storage, "mira", STORAGE_PLAYER);
    const int64_t bob = fixture_add_account(storage, "bob", STORAGE_PLAYER);
    const int64_t one = add_report(storage, mira, bob, "one");

    (void)add_report(storage, mira, 0, "two");
    (void)add_report(storage, bob, mira, "three");
    assert_ok(storage_report_read(storage, one, &row));
    row.state = STORAGE_REPORT_DISMISSED;
    assert_ok(storage_report_save(storage, &row));
    assert_ok(storage_reports_each(storage, STORAGE_REPORTS_OPEN, 0, collect_report, &collected));
    assert_string_equal(collected.text, "two three ");
    collected.text[0] = '\0';
    assert_ok(storage_reports_each(storage, STORAGE_REPORTS_ALL, 0, collect_report, &collected));
    assert_string_equal(collected.text, "three two one ");
    collected.text[0] = '\0';
    assert_ok(storage_reports_each(storage, STORAGE_REPORTS_OF_REPORTER, mira, collect_report,
                                   &collected));
    assert_string_equal(collected.text, "two one ");
    collected.text[0] = '\0';
    assert_ok(storage_reports_each(storage, STORAGE_REPORTS_ALL, 0, collect_first_report_only,
                                   &collected));
    assert_string_equal(collected.text, "three ");
}

static void reports_are_counted_by_reporter_and_time(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    uint32_t count = 9;
    const int64_t mira = fixture_add_account(storage, "mira", STORAGE_PLAYER);
    const int64_t bob = fixture_add_account(storage, "bob", STORAGE_PLAYER);

    (void)add_report(storage, mira, bob, "one");
    (void)add_report(storage, mira, bob, "two");
    assert_ok(storage_reports_count(storage, mira, AT_MS, &count));
    assert_int_equal(count, 2);
    assert_ok(storage_reports_count(storage, mira, AT_MS + 1, &count));
    assert_int_equal(count, 0);
    assert_ok(storage_reports_count(storage, bob, 0, &count));
    assert_int_equal(count, 0);
}

static void notes_about_accounts_and_notes_about_reports_are_separate(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct storage_note note = {.by_name = "max", .text = "shouts", .at_ms = AT_MS};
    struct collected collected = {""};
    const int64_t bob = fixture_add_account(storage, "bob", STORAGE_PLAYER);
    const int64_t id = add_report(storage, bob, 0, "one");

    note.account = bob;
    assert_ok(storage_note_add(storage, &note));
    (void)snprintf(note.text, sizeof note.text, "again");
    assert_ok(storage_note_add(storage, &note));
    note.account = 0;
    note.report = id;
    (void)snprintf(note.text, sizeof note.text, "looked");
    assert_ok(storage_note_add(storage, &note));
    assert_ok(storage_notes_each(storage, &(struct storage_note){.account = bob},
                                 collect_staff_note, &collected));
    assert_string_equal(collected.text, "shouts again ");
    collected.text[0] = '\0';
    assert_ok(storage_notes_each(storage, &(struct storage_note){.report = id}, collect_staff_note,
                                 &collected));
    assert_string_equal(collected.text, "looked ");
}

static void close_report(struct storage *storage, int64_t id, enum storage_report_state ending)
{
    struct storage_report row;

    assert_ok(storage_report_read(storage, id, &row));
    row.state = ending;
    assert_ok(storage_report_save(storage, &row));
}

static void a_report_that_staff_have_taken_is_still_open(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct collected collected = {""};
    const int64_t mira = fixture_add_account(storage, "mira", STORAGE_PLAYER);

    close_report(storage, add_report(storage, mira, 0, "taken"), STORAGE_REPORT_TAKEN);
    close_report(storage, add_report(storage, mira, 0, "resolved"), STORAGE_REPORT_RESOLVED);
    close_report(storage, add_report(storage, mira, 0, "dismissed"), STORAGE_REPORT_DISMISSED);
    assert_ok(storage_reports_each(storage, STORAGE_REPORTS_OPEN, 0, collect_report, &collected));
    assert_string_equal(collected.text, "taken ");
}

static void an_answer_to_a_report_is_unread_until_the_reporter_has_read_it(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct storage_report row;
    struct collected collected = {""};
    const int64_t mira = fixture_add_account(storage, "mira", STORAGE_PLAYER);
    const int64_t bob = fixture_add_account(storage, "bob", STORAGE_PLAYER);
    const int64_t one = add_report(storage, mira, 0, "one");

    (void)add_report(storage, mira, 0, "open");
    close_report(storage, one, STORAGE_REPORT_RESOLVED);
    close_report(storage, add_report(storage, mira, 0, "two"), STORAGE_REPORT_DISMISSED);
    close_report(storage, add_report(storage, bob, 0, "bobs"), STORAGE_REPORT_DISMISSED);
    assert_ok(
        storage_reports_each(storage, STORAGE_REPORTS_UNREAD, mira, collect_report, &collected));
    assert_string_equal(collected.text, "one two ");
    assert_ok(storage_report_read(storage, one, &row));
    row.read_ms = AT_MS;
    assert_ok(storage_report_save(storage, &row));
    collected.text[0] = '\0';
    assert_ok(
        storage_reports_each(storage, STORAGE_REPORTS_UNREAD, mira, collect_report, &collected));
    assert_string_equal(collected.text, "two ");
}

static void every_report_state_reads_back_as_stored(void **state)
{
    struct fixture *fixture = *state;
    struct storage_report row;
    const int64_t mira = fixture_add_account(fixture->storage, "mira", STORAGE_PLAYER);
    const int64_t id = add_report(fixture->storage, mira, 0, "one");

    for (unsigned at = 0; at <= STORAGE_REPORT_STATE_LAST; at++) {
        close_report(fixture->storage, id, (enum storage_report_state)at);
        assert_ok(storage_report_read(fixture->storage, id, &row));
        assert_int_equal(row.state, at);
    }
}

static int64_t add_appeal(struct storage *storage, int64_t by, int64_t sanction)
{
    const struct storage_report row = {.by_account = by,
                                       .by_name = "mira",
                                       .category = STORAGE_REPORT_APPEAL,
                                       .text = "please",
                                       .at_ms = AT_MS,
                                       .sanction = sanction};
    int64_t id = 0;

    assert_ok(storage_report_add(storage, &row, &id));
    return id;
}

static int64_t find_newest_appeal(struct storage *storage, int64_t sanction, int64_t account)
{
    struct storage_report found = {.id = 0};
    const enum storage_result result =
        storage_appeal_find_newest(storage, sanction, account, &found);

    assert_true(result == STORAGE_OK || (result == STORAGE_NOT_FOUND && found.id == 0));
    return found.id;
}

static void the_newest_appeal_is_found_by_its_sanction_or_its_pending_account(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct storage_sanction sanction = {.kind = STORAGE_SANCTION_BAN, .until_ms = 100};
    int64_t bans[2];
    uint32_t count = 9;
    const int64_t mira = fixture_add_account(storage, "mira", STORAGE_PLAYER);
    const int64_t bob = fixture_add_account(storage, "bob", STORAGE_PLAYER);

    for (size_t i = 0; i < 2; i++) {
        assert_ok(storage_sanction_add(storage, &sanction, &bans[i]));
    }
    assert_int_equal(find_newest_appeal(storage, bans[0], mira), 0);
    assert_int_equal(find_newest_appeal(storage, 0, mira), 0);
    (void)add_appeal(storage, mira, bans[0]);
    (void)add_appeal(storage, mira, 0);
    /* an appeal by a guest whom the ban affects */
    const int64_t against_ban = add_appeal(storage, 0, bans[0]);
    const int64_t against_hold = add_appeal(storage, mira, 0);
    (void)add_appeal(storage, mira, bans[1]);
    (void)add_appeal(storage, bob, 0);
    (void)add_report(storage, mira, bob, "no appeal");
    assert_int_equal(find_newest_appeal(storage, bans[0], mira), against_ban);
    assert_int_equal(find_newest_appeal(storage, 0, mira), against_hold);
    /* appeals are not counted as reports */
    assert_ok(storage_reports_count(storage, mira, 0, &count));
    assert_int_equal(count, 1);
}

static void notes_are_listed_in_the_order_they_were_written(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct collected collected = {""};
    const int64_t id = add_report(storage, 0, 0, "one");
    static const char *const nets[] = {"192.0.2.7", "", "192.0.2.8", "192.0.2.7", ""};

    for (size_t i = 0; i < ARRAY_LEN(nets); i++) {
        struct storage_note note = {.report = nets[i][0] == '\0' ? id : 0, .at_ms = AT_MS};
        (void)snprintf(note.net, sizeof note.net, "%s", nets[i]);
        (void)snprintf(note.text, sizeof note.text, "%zu", i);
        assert_ok(storage_note_add(storage, &note));
    }
    assert_ok(storage_notes_each(storage, &(struct storage_note){.net = "192.0.2.7"},
                                 collect_staff_note, &collected));
    assert_string_equal(collected.text, "0 3 ");
    collected.text[0] = '\0';
    assert_ok(storage_notes_each(storage, &(struct storage_note){.net = ""}, collect_staff_note,
                                 &collected));
    assert_string_equal(collected.text, "");
    assert_ok(storage_notes_each(storage, &(struct storage_note){.report = id}, collect_staff_note,
                                 &collected));
    assert_string_equal(collected.text, "1 4 ");
}

TEST_GROUP(reports)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(a_report_keeps_its_evidence_and_can_be_closed),
        FIXTURE_TEST(open_reports_are_listed_oldest_first_and_all_reports_newest_first),
        FIXTURE_TEST(reports_are_counted_by_reporter_and_time),
        FIXTURE_TEST(notes_about_accounts_and_notes_about_reports_are_separate),
        FIXTURE_TEST(a_report_that_staff_have_taken_is_still_open),
        FIXTURE_TEST(an_answer_to_a_report_is_unread_until_the_reporter_has_read_it),
        FIXTURE_TEST(every_report_state_reads_back_as_stored),
        FIXTURE_TEST(the_newest_appeal_is_found_by_its_sanction_or_its_pending_account),
        FIXTURE_TEST(notes_are_listed_in_the_order_they_were_written),
    };
    return cmocka_run_group_tests_name("reports", tests, NULL, NULL);
}
