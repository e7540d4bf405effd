#include "storage/sql/sql.h"

#include "storage/house/house.h"
#include "tests/storage/faulty_disk.h"
#include "tests/storage/fixture.h"
#include "tests/unit.h"

#include <stdio.h>
#include <sys/stat.h>

/* Returns the size of the file that marks a failed sync; -1: there is no such file. */
static int64_t read_mark_file_size(const struct fixture *fixture)
{
    char path[128];
    struct stat status;

    (void)snprintf(path, sizeof path, "%s-doubt", fixture->path);
    return stat(path, &status) == 0 ? status.st_size : -1;
}

static void store_value(struct fixture *fixture, const char *value)
{
    assert_ok(storage_meta_set(fixture->storage, "value", value));
    fixture_commit(fixture);
}

static void copy_file(const char *from, const char *to)
{
    char bytes[4096];
    size_t len;
    FILE *source = fopen(from, "r");
    FILE *copy = fopen(to, "w");

    assert_true(source != NULL && copy != NULL);
    while ((len = fread(bytes, 1, sizeof bytes, source)) > 0) {
        assert_int_equal(fwrite(bytes, 1, len, copy), len);
    }
    assert_int_equal(fclose(source), 0);
    assert_int_equal(fclose(copy), 0);
}

/* Closes the storage but keeps the database files as a killed process leaves them, since closing
 * would clean them up. The fixture continues with copies of those files. */
static void end_storage_as_if_killed(struct fixture *fixture)
{
    static unsigned kills;
    static const char *const suffixes[] = {"", "-wal", "-doubt"};
    char path[96], from[128], to[128];

    (void)snprintf(path, sizeof path, "%s/left-%u.db", fixture->folder, kills++);
    for (size_t i = 0; i < ARRAY_LEN(suffixes); i++) {
        struct stat status;
        (void)snprintf(from, sizeof from, "%s%s", fixture->path, suffixes[i]);
        (void)snprintf(to, sizeof to, "%s%s", path, suffixes[i]);
        if (stat(from, &status) == 0) {
            copy_file(from, to);
        }
    }
    storage_close(fixture->storage);
    fixture->storage = NULL;
    (void)snprintf(fixture->path, sizeof fixture->path, "%s", path);
}

static void assert_storage_opens_with_value(struct fixture *fixture, const char *value)
{
    char why[STORAGE_WHY_SIZE];
    char found[STORAGE_META_SIZE];

    assert_ok(storage_open(fixture->path, &fixture->storage, why));
    assert_int_equal(read_mark_file_size(fixture), -1);
    assert_ok(storage_meta_get(fixture->storage, "value", found));
    assert_string_equal(found, value);
}

static void a_failed_sync_stores_a_mark_of_how_much_is_known_to_be_on_disk(void **state)
{
    struct fixture *fixture = *state;

    store_value(fixture, "sure");
    const int64_t pages = fixture->storage->log_pages;
    assert_int_equal(read_mark_file_size(fixture), -1);
    assert_ok(storage_meta_set(fixture->storage, "value", "doubtful"));
    faulty_disk_set_fault(FAULT_SYNC);
    assert_result(storage_commit(fixture->storage), STORAGE_IO);
    faulty_disk_set_fault(FAULT_NONE);
    assert_true(pages > 0);
    assert_int_equal(read_mark_file_size(fixture), pages + 1);
}

static void the_next_open_rewrites_the_pages_not_known_to_be_on_disk(void **state)
{
    struct fixture *fixture = *state;

    store_value(fixture, "sure");
    failed_sync_write_mark(fixture->storage);
    store_value(fixture, "doubtful");
    end_storage_as_if_killed(fixture);
    const unsigned syncs = faulty_disk_count_syncs();
    assert_storage_opens_with_value(fixture, "doubtful");
    assert_int_equal(faulty_disk_count_syncs(), syncs + 1);
}

static void without_a_mark_of_a_failed_sync_no_page_is_rewritten(void **state)
{
    struct fixture *fixture = *state;

    store_value(fixture, "sure");
    end_storage_as_if_killed(fixture);
    const unsigned syncs = faulty_disk_count_syncs();
    assert_storage_opens_with_value(fixture, "sure");
    assert_int_equal(faulty_disk_count_syncs(), syncs);
}

/* Pages that are certainly on disk are not rewritten; rewriting starts with the first uncertain
 * page. */
static void rewriting_begins_with_the_first_page_not_known_to_be_on_disk(void **state)
{
    struct fixture *fixture = *state;
    char why[STORAGE_WHY_SIZE];

    store_value(fixture, "sure");
    failed_sync_write_mark(fixture->storage); /* every page is known to be on disk */
    end_storage_as_if_killed(fixture);
    faulty_disk_set_fault(FAULT_WRITE);
    const enum storage_result opened = storage_open(fixture->path, &fixture->storage, why);
    faulty_disk_set_fault(FAULT_NONE);
    assert_ok(opened);
    store_value(fixture, "doubtful");
    fixture->storage->log_pages--;
    failed_sync_write_mark(fixture->storage);
    end_storage_as_if_killed(fixture);
    faulty_disk_set_fault(FAULT_WRITE);
    assert_result(storage_open(fixture->path, &fixture->storage, why), STORAGE_IO);
    faulty_disk_set_fault(FAULT_NONE);
    assert_storage_opens_with_value(fixture, "doubtful");
}

/* If the file opened, the next process would rely on data that a power cut can still destroy. */
static void if_the_rewrite_fails_the_mark_stays_and_the_file_does_not_open(void **state)
{
    static const enum fault faults[] = {FAULT_WRITE, FAULT_SYNC};
    struct fixture *fixture = *state;
    char why[STORAGE_WHY_SIZE];

    store_value(fixture, "sure");
    fixture->storage->log_pages = 0; /* no page of the log is known to be on disk */
    failed_sync_write_mark(fixture->storage);
    end_storage_as_if_killed(fixture);
    for (size_t i = 0; i < ARRAY_LEN(faults); i++) {
        faulty_disk_set_fault(faults[i]);
        assert_result(storage_open(fixture->path, &fixture->storage, why), STORAGE_IO);
        faulty_disk_set_fault(FAULT_NONE);
        assert_int_equal(read_mark_file_size(fixture), 1);
    }
    assert_storage_opens_with_value(fixture, "sure");
}

static void an_in_memory_database_has_no_mark_file(void **state)
{
    struct storage *storage = NULL;
    char why[STORAGE_WHY_SIZE];

    (void)state;
    assert_ok(storage_open(STORAGE_IN_MEMORY, &storage, why));
    failed_sync_write_mark(storage);
    assert_ok(failed_sync_repair(storage));
    storage_close(storage);
}

TEST_GROUP(failed_sync)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(a_failed_sync_stores_a_mark_of_how_much_is_known_to_be_on_disk),
        FIXTURE_TEST(the_next_open_rewrites_the_pages_not_known_to_be_on_disk),
        FIXTURE_TEST(without_a_mark_of_a_failed_sync_no_page_is_rewritten),
        FIXTURE_TEST(rewriting_begins_with_the_first_page_not_known_to_be_on_disk),
        FIXTURE_TEST(if_the_rewrite_fails_the_mark_stays_and_the_file_does_not_open),
        cmocka_unit_test(an_in_memory_database_has_no_mark_file),
    };

    faulty_disk_install();
    return cmocka_run_group_tests_name("doubt", tests, NULL, NULL);
}
