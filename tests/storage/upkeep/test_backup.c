#include "tests/storage/fixture.h"

#include "storage/archive/archive.h"
#include "storage/copies.h"
#include "storage/house/house.h"
#include "storage/upkeep/upkeep.h"
#include "tests/unit.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATH_MAX_HERE 200

struct paths {
    char copy[PATH_MAX_HERE];
    char kept[PATH_MAX_HERE];
    char why[STORAGE_WHY_SIZE];
};

static struct paths make_backup_paths(const struct fixture *fixture)
{
    struct paths paths;
    (void)snprintf(paths.copy, sizeof paths.copy, "%s/a b?c.partial", fixture->folder);
    (void)snprintf(paths.kept, sizeof paths.kept, "%s/kept.db", fixture->folder);
    paths.why[0] = '\0';
    return paths;
}

static void remove_files(const struct paths *paths)
{
    (void)unlink(paths->copy);
    (void)unlink(paths->kept);
}

/* Writes enough pages for a backup in several steps. */
static void write_many_pages(struct fixture *fixture)
{
    char name[32];
    char value[1000];
    memset(value, 'x', sizeof value - 1);
    value[sizeof value - 1] = '\0';
    for (int i = 0; i < 200; i++) {
        (void)snprintf(name, sizeof name, "fill-%d", i);
        assert_ok(storage_meta_set(fixture->storage, name, value));
    }
    fixture_commit(fixture);
}

static void a_backup_includes_what_is_committed_while_it_runs(void **state)
{
    struct fixture *fixture = *state;
    struct paths paths = make_backup_paths(fixture);
    struct storage_backup *backup;
    struct storage_summary summary;
    struct storage *copy;
    char value[STORAGE_META_SIZE];
    char name[32];
    bool is_done = false;
    int steps = 0;

    write_many_pages(fixture);
    (void)fixture_add_account(fixture->storage, "ada", STORAGE_PLAYER);
    fixture_commit(fixture);
    assert_ok(storage_backup_begin(fixture->storage, paths.copy, &backup, paths.why));
    while (!is_done) {
        assert_ok(storage_backup_step(backup, 4, &is_done, paths.why));
        if (!is_done) {
            (void)snprintf(name, sizeof name, "step-%d", steps++);
            assert_ok(storage_meta_set(fixture->storage, name, "here"));
            fixture_commit(fixture);
        }
    }
    assert_in_range(steps, 5, 1000);
    assert_ok(storage_backup_end(backup, paths.why));
    assert_ok(storage_check_file(paths.copy, &summary, paths.why));
    assert_int_equal(summary.accounts, 1);
    assert_int_equal(summary.games, 0);
    assert_ok(storage_backup_rename(paths.copy, paths.kept, paths.why));
    assert_ok(storage_open_read_only(paths.kept, &copy, paths.why));
    for (int i = 0; i < steps; i++) {
        (void)snprintf(name, sizeof name, "step-%d", i);
        assert_ok(storage_meta_get(copy, name, value));
    }
    storage_close(copy);
    remove_files(&paths);
}

static void only_the_owner_can_read_a_backup_and_no_other_file_remains(void **state)
{
    struct fixture *fixture = *state;
    struct paths paths = make_backup_paths(fixture);
    struct storage_backup *backup;
    struct storage_summary summary;
    struct stat status;
    char beside[PATH_MAX_HERE + 8];
    bool is_done;

    assert_ok(storage_backup_begin(fixture->storage, paths.copy, &backup, paths.why));
    assert_ok(storage_backup_step(backup, -1, &is_done, paths.why));
    assert_true(is_done);
    assert_ok(storage_backup_end(backup, paths.why));
    assert_ok(storage_check_file(paths.copy, &summary, paths.why));
    assert_int_equal(stat(paths.copy, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0600);
    static const char *const suffixes[] = {"-wal", "-shm", "-journal"};
    for (size_t i = 0; i < ARRAY_LEN(suffixes); i++) {
        (void)snprintf(beside, sizeof beside, "%s%s", paths.copy, suffixes[i]);
        assert_int_not_equal(access(beside, F_OK), 0);
    }
    remove_files(&paths);
}

static void an_abandoned_backup_is_removed(void **state)
{
    struct fixture *fixture = *state;
    struct paths paths = make_backup_paths(fixture);
    struct storage_backup *backup;
    bool is_done;

    write_many_pages(fixture);
    assert_ok(storage_backup_begin(fixture->storage, paths.copy, &backup, paths.why));
    assert_ok(storage_backup_step(backup, 1, &is_done, paths.why));
    assert_false(is_done);
    assert_ok(storage_backup_end(backup, paths.why));
    assert_int_not_equal(access(paths.copy, F_OK), 0);
    assert_ok(storage_backup_end(NULL, paths.why));
}

static void a_backup_step_inside_a_transaction_fails_only_the_backup(void **state)
{
    struct fixture *fixture = *state;
    struct paths paths = make_backup_paths(fixture);
    struct storage_backup *backup;
    bool is_done;

    assert_ok(storage_backup_begin(fixture->storage, paths.copy, &backup, paths.why));
    assert_ok(storage_meta_set(fixture->storage, "x", "1"));
    assert_int_not_equal(storage_backup_step(backup, -1, &is_done, paths.why), STORAGE_OK);
    assert_false(is_done);
    assert_int_not_equal(storage_backup_end(backup, paths.why), STORAGE_OK);
    assert_int_not_equal(access(paths.copy, F_OK), 0);
    fixture_commit(fixture);
}

static void a_backup_to_an_unwritable_place_fails_with_a_reason(void **state)
{
    struct fixture *fixture = *state;
    struct storage_backup *backup;
    char why[STORAGE_WHY_SIZE] = "";

    assert_result(storage_backup_begin(fixture->storage, "/nonexistent/x", &backup, why),
                  STORAGE_IO);
    assert_null(backup);
    assert_non_null(strstr(why, "No such file"));
    assert_ok(storage_meta_set(fixture->storage, "x", "1"));
    fixture_commit(fixture);
}

static void damage_file(const char *path, off_t at)
{
    char bytes[64];
    const int file = open(path, O_WRONLY);
    memset(bytes, 0x5A, sizeof bytes);
    assert_true(file >= 0);
    assert_int_equal(pwrite(file, bytes, sizeof bytes, at), sizeof bytes);
    assert_int_equal(close(file), 0);
}

static void damage_in_any_page_is_detected(void **state)
{
    struct fixture *fixture = *state;
    struct paths paths = make_backup_paths(fixture);
    struct storage_backup *backup;
    struct storage_summary summary;
    struct stat status;
    bool is_done;

    write_many_pages(fixture);
    for (int part = 1; part < 8; part++) {
        assert_ok(storage_backup_begin(fixture->storage, paths.copy, &backup, paths.why));
        assert_ok(storage_backup_step(backup, -1, &is_done, paths.why));
        assert_ok(storage_backup_end(backup, paths.why));
        assert_ok(storage_check_file(paths.copy, &summary, paths.why));
        assert_int_equal(stat(paths.copy, &status), 0);
        damage_file(paths.copy, status.st_size / 4096 * part / 8 * 4096); /* the header of a page */
        assert_result(storage_check_file(paths.copy, &summary, paths.why), STORAGE_CORRUPT);
    }
    remove_files(&paths);
}

static void each_kind_of_invalid_backup_file_has_its_own_result(void **state)
{
    struct fixture *fixture = *state;
    struct paths paths = make_backup_paths(fixture);
    struct storage_summary summary;
    struct storage *copy;

    assert_result(storage_check_file(paths.copy, &summary, paths.why), STORAGE_NOT_FOUND);
    assert_ok(storage_meta_set(fixture->storage, "x", "1"));
    fixture_commit(fixture); /* the commit is in the write-ahead log only, not in the data file */
    assert_result(storage_check_file(fixture->path, &summary, paths.why), STORAGE_LOCKED);
    FILE *file = fopen(paths.copy, "w");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
    assert_result(storage_check_file(paths.copy, &summary, paths.why), STORAGE_FOREIGN);
    assert_result(storage_open_read_only(paths.copy, &copy, paths.why), STORAGE_FOREIGN);
    assert_null(copy);
    damage_file(paths.copy, 0);
    assert_result(storage_check_file(paths.copy, &summary, paths.why), STORAGE_CORRUPT);
    remove_files(&paths);
}

static void a_copy_opened_for_reading_refuses_writes(void **state)
{
    struct fixture *fixture = *state;
    struct paths paths = make_backup_paths(fixture);
    struct storage_backup *backup;
    struct storage *copy;
    bool is_done;

    assert_ok(storage_backup_begin(fixture->storage, paths.copy, &backup, paths.why));
    assert_ok(storage_backup_step(backup, -1, &is_done, paths.why));
    assert_ok(storage_backup_end(backup, paths.why));
    assert_ok(storage_open_read_only(paths.copy, &copy, paths.why));
    assert_int_not_equal(storage_meta_set(copy, "x", "1"), STORAGE_OK);
    storage_close(copy);
    remove_files(&paths);
}

TEST_GROUP(backup)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(a_backup_includes_what_is_committed_while_it_runs),
        FIXTURE_TEST(only_the_owner_can_read_a_backup_and_no_other_file_remains),
        FIXTURE_TEST(an_abandoned_backup_is_removed),
        FIXTURE_TEST(a_backup_step_inside_a_transaction_fails_only_the_backup),
        FIXTURE_TEST(a_backup_to_an_unwritable_place_fails_with_a_reason),
        FIXTURE_TEST(damage_in_any_page_is_detected),
        FIXTURE_TEST(each_kind_of_invalid_backup_file_has_its_own_result),
        FIXTURE_TEST(a_copy_opened_for_reading_refuses_writes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
