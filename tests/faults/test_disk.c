#include "storage/house/house.h"
#include "storage/storage.h"
#include "tests/faults/disk_state.h"
#include "tests/unit.h"

#include <errno.h>
#include <string.h>

#define NAME "some.file"
#define FILL_BYTES 4096

static int set_up_disk(void **state)
{
    *state = disk_new(7);
    return 0;
}

static int tear_down_disk(void **state)
{
    disk_free(*state);
    return 0;
}

/* Returns the first byte of a sector as a reader sees it; 0 beyond the end. */
static uint8_t read_sector_byte(const struct disk *disk, int inode, size_t number)
{
    const struct disk_bytes *bytes = &disk->inodes[inode].cache;
    return number * DISK_SECTOR < bytes->len ? bytes->at[number * DISK_SECTOR] : 0;
}

static int write_repeated_byte(struct disk *disk, int inode, uint8_t byte)
{
    uint8_t bytes[FILL_BYTES];
    memset(bytes, byte, sizeof(bytes));
    return disk_write(disk, inode, bytes, sizeof(bytes), 0);
}

static void a_power_cut_loses_data_that_were_not_synced(void **state)
{
    struct disk *disk = *state;
    const int inode = disk_find_inode(disk, NAME, true);
    assert_int_equal(write_repeated_byte(disk, inode, 'a'), 0);
    assert_int_equal(disk_sync(disk, inode, true), 0);
    assert_int_equal(write_repeated_byte(disk, inode, 'b'), 0);
    assert_int_equal(read_sector_byte(disk, inode, 0), 'b');
    disk_cut_power(disk);
    assert_int_equal(write_repeated_byte(disk, inode, 'c'), EIO);
    disk_power_on(disk, DISK_LOSE_ALL);
    assert_int_equal(disk_find_inode(disk, NAME, false), inode);
    assert_int_equal(read_sector_byte(disk, inode, 0), 'a');
    assert_int_equal(read_sector_byte(disk, inode, 7), 'a');
}

static void a_power_cut_loses_a_file_name_that_was_not_synced(void **state)
{
    struct disk *disk = *state;
    const int inode = disk_find_inode(disk, NAME, true);
    assert_int_equal(write_repeated_byte(disk, inode, 'a'), 0);
    assert_int_equal(disk_sync(disk, inode, false), 0);
    disk_cut_power(disk);
    disk_power_on(disk, DISK_LOSE_ALL);
    assert_int_equal(disk_find_inode(disk, NAME, false), DISK_NONE);
}

static void a_removed_file_may_reappear_after_a_power_cut(void **state)
{
    struct disk *disk = *state;
    const int inode = disk_find_inode(disk, NAME, true);
    assert_int_equal(write_repeated_byte(disk, inode, 'a'), 0);
    assert_int_equal(disk_sync(disk, inode, true), 0);
    assert_int_equal(disk_remove(disk, NAME), 0);
    assert_int_equal(disk_find_inode(disk, NAME, false), DISK_NONE);
    disk_cut_power(disk);
    disk_power_on(disk, DISK_LOSE_ALL);
    assert_int_equal(disk_find_inode(disk, NAME, false), inode);
    assert_int_equal(read_sector_byte(disk, inode, 0), 'a');
}

static void a_power_cut_tears_a_write_at_sector_borders(void **state)
{
    struct disk *disk = *state;
    unsigned seen[256] = {0};
    const int inode = disk_find_inode(disk, NAME, true);
    for (int round = 0; round < 100; round++) {
        assert_int_equal(write_repeated_byte(disk, inode, 'a'), 0);
        assert_int_equal(disk_sync(disk, inode, true), 0);
        assert_int_equal(write_repeated_byte(disk, inode, 'b'), 0);
        disk_cut_power(disk);
        disk_power_on(disk, DISK_LOSE_SOME);
        const bool is_torn = read_sector_byte(disk, inode, 0) != read_sector_byte(disk, inode, 5);
        seen[is_torn ? 't' : read_sector_byte(disk, inode, 0)]++;
    }
    assert_true(seen['a'] > 10);
    assert_true(seen['b'] > 10);
    assert_true(seen['t'] > 10);
}

static void data_of_a_failed_sync_are_not_saved_by_the_next_sync(void **state)
{
    struct disk *disk = *state;
    const int inode = disk_find_inode(disk, NAME, true);
    unsigned gone = 0;
    for (int round = 0; round < 30; round++) {
        assert_int_equal(write_repeated_byte(disk, inode, 'a'), 0);
        assert_int_equal(disk_sync(disk, inode, true), 0);
        assert_int_equal(write_repeated_byte(disk, inode, 'b'), 0);
        disk_set_fault(disk, (struct disk_fault){DISK_SYNC, 1, 1, EIO, false});
        assert_int_equal(disk_sync(disk, inode, false), EIO);
        assert_int_equal(read_sector_byte(disk, inode, 0), 'b');
        assert_int_equal(disk_sync(disk, inode, false), 0);
        disk_cut_power(disk);
        disk_power_on(disk, DISK_KEEP_ALL);
        gone += read_sector_byte(disk, inode, 0) == 'a';
    }
    assert_in_range(gone, 5, 25);
}

static void a_nearly_full_disk_still_accepts_a_write_that_fits(void **state)
{
    struct disk *disk = *state;
    const int inode = disk_find_inode(disk, NAME, true);
    disk_set_size_limit(disk, 1000);
    assert_int_equal(write_repeated_byte(disk, inode, 'a'), ENOSPC);
    assert_int_equal(disk_size(disk), 1000);
}

static void committed_data_survive_a_power_cut(void **state)
{
    struct disk *disk = *state;
    struct storage *storage = NULL;
    char why[STORAGE_WHY_SIZE];
    char value[STORAGE_META_SIZE];
    assert_int_equal(storage_open_on_simulated_disk(DISK_NAME, NAME, &storage, why), STORAGE_OK);
    assert_int_equal(storage_meta_set(storage, "kept", "yes"), STORAGE_OK);
    assert_int_equal(storage_commit(storage), STORAGE_OK);
    assert_int_equal(storage_meta_set(storage, "lost", "yes"), STORAGE_OK);
    disk_cut_power(disk);
    storage_close(storage);
    disk_power_on(disk, DISK_LOSE_SOME);
    assert_int_equal(storage_open_on_simulated_disk(DISK_NAME, NAME, &storage, why), STORAGE_OK);
    assert_int_equal(storage_meta_get(storage, "kept", value), STORAGE_OK);
    assert_int_equal(storage_meta_get(storage, "lost", value), STORAGE_NOT_FOUND);
    storage_close(storage);
}

/* Opens the storage again and checks that the storage has a value under this name. */
static struct storage *reopen_and_assert_stored(const char *name)
{
    struct storage *storage = NULL;
    char why[STORAGE_WHY_SIZE];
    char value[STORAGE_META_SIZE];
    assert_int_equal(storage_open_on_simulated_disk(DISK_NAME, NAME, &storage, why), STORAGE_OK);
    assert_int_equal(storage_meta_get(storage, name, value), STORAGE_OK);
    return storage;
}

static enum storage_result commit_value(struct storage *storage, const char *name)
{
    assert_int_equal(storage_meta_set(storage, name, "yes"), STORAGE_OK);
    return storage_commit(storage);
}

static void changes_reported_after_a_failed_sync_survive_a_power_cut(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 40; seed++) {
        struct disk *disk = disk_new(seed);
        struct storage *storage = NULL;
        char why[STORAGE_WHY_SIZE];
        assert_int_equal(storage_open_on_simulated_disk(DISK_NAME, NAME, &storage, why),
                         STORAGE_OK);
        assert_int_equal(commit_value(storage, "first"), STORAGE_OK);
        disk_set_fault(disk, (struct disk_fault){DISK_SYNC, 1, 1, EIO, false});
        assert_int_equal(commit_value(storage, "failed"), STORAGE_IO);
        disk_end_process(disk, seed % 2 == 0);
        storage_close(storage);
        storage = reopen_and_assert_stored("first");
        assert_int_equal(commit_value(storage, "second"), STORAGE_OK);
        disk_cut_power(disk);
        storage_close(storage);
        disk_power_on(disk, DISK_LOSE_ALL);
        storage = reopen_and_assert_stored("second");
        storage_close(storage);
        disk_free(disk);
    }
    (void)disk_use_for_new_files(*state);
}

static void the_storage_keeps_trying_until_the_full_disk_has_space(void **state)
{
    struct disk *disk = *state;
    struct storage *storage = NULL;
    char why[STORAGE_WHY_SIZE];
    assert_int_equal(storage_open_on_simulated_disk(DISK_NAME, NAME, &storage, why), STORAGE_OK);
    assert_int_equal(commit_value(storage, "before"), STORAGE_OK);
    disk_set_size_limit(disk, disk_size(disk));
    assert_int_equal(commit_value(storage, "without"), STORAGE_FULL);
    assert_int_equal(storage_test_disk_space(storage), STORAGE_FULL);
    disk_set_size_limit(disk, disk_size(disk) + 100000); /* there is space, but only for a moment */
    assert_int_equal(storage_test_disk_space(storage), STORAGE_FULL);
    disk_set_size_limit(disk, SIZE_MAX);
    assert_int_equal(storage_test_disk_space(storage), STORAGE_OK);
    assert_int_equal(commit_value(storage, "with"), STORAGE_OK);
    storage_close(storage);
    storage = reopen_and_assert_stored("with");
    char value[STORAGE_META_SIZE];
    assert_int_equal(storage_meta_get(storage, "before", value), STORAGE_OK);
    assert_int_equal(storage_meta_get(storage, "without", value), STORAGE_NOT_FOUND);
    storage_close(storage);
}

static void an_error_names_the_disk_that_cannot_be_written(void **state)
{
    struct disk *disk = *state;
    struct storage *storage = NULL;
    char why[STORAGE_WHY_SIZE];
    assert_int_equal(storage_open_on_simulated_disk(DISK_NAME, NAME, &storage, why), STORAGE_OK);
    assert_int_equal(storage_meta_set(storage, "kept", "yes"), STORAGE_OK);
    assert_int_equal(storage_commit(storage), STORAGE_OK);
    disk_set_read_only(disk, true);
    assert_int_equal(storage_meta_set(storage, "kept", "no"), STORAGE_OK);
    assert_int_equal(storage_commit(storage), STORAGE_IO);
    storage_close(storage);
    assert_int_equal(storage_open_on_simulated_disk(DISK_NAME, NAME, &storage, why), STORAGE_IO);
    assert_non_null(strstr(why, NAME));
    assert_non_null(strstr(why, "read-only"));
    disk_set_read_only(disk, false);
    assert_int_equal(storage_open_on_simulated_disk(DISK_NAME, NAME, &storage, why), STORAGE_OK);
    char value[STORAGE_META_SIZE];
    assert_int_equal(storage_meta_get(storage, "kept", value), STORAGE_OK);
    assert_string_equal(value, "yes");
    storage_close(storage);
}

#define DISK_TEST(test) cmocka_unit_test_setup_teardown(test, set_up_disk, tear_down_disk)

TEST_GROUP(disk)
{
    const struct CMUnitTest tests[] = {
        DISK_TEST(a_power_cut_loses_data_that_were_not_synced),
        DISK_TEST(a_power_cut_loses_a_file_name_that_was_not_synced),
        DISK_TEST(a_removed_file_may_reappear_after_a_power_cut),
        DISK_TEST(a_power_cut_tears_a_write_at_sector_borders),
        DISK_TEST(data_of_a_failed_sync_are_not_saved_by_the_next_sync),
        DISK_TEST(a_nearly_full_disk_still_accepts_a_write_that_fits),
        DISK_TEST(committed_data_survive_a_power_cut),
        DISK_TEST(changes_reported_after_a_failed_sync_survive_a_power_cut),
        DISK_TEST(the_storage_keeps_trying_until_the_full_disk_has_space),
        DISK_TEST(an_error_names_the_disk_that_cannot_be_written),
    };
    return cmocka_run_group_tests_name("disk", tests, NULL, NULL);
}
