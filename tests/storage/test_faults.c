#include "tests/storage/fixture.h"

#include "storage/archive/archive.h"
#include "storage/house/house.h"
#include "tests/storage/faulty_disk.h"
#include "tests/unit.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define ROOM_BYTES 400000 /* room in bytes for several hundred more commits */

static enum storage_result append_move(struct storage *storage, int64_t game, uint32_t step)
{
    const struct storage_move move = {.game = game, .step = step, .text = "play:AS"};

    return storage_moves_append(storage, &move, 1);
}

struct steps {
    uint32_t next;
};

static bool count_step(void *context, const struct storage_move *move)
{
    struct steps *steps = context;

    assert_int_equal(move->step, steps->next);
    assert_string_equal(move->text, "play:AS");
    steps->next++;
    return true;
}

/* Counts the game's moves; asserts that they are in order, without a gap. */
static uint32_t count_moves(struct storage *storage, int64_t game)
{
    struct steps steps = {0};

    assert_ok(storage_moves_each(storage, game, 0, count_step, &steps));
    return steps.next;
}

/* Runs in the child process: commits one move after another and writes each move's number to the
 * pipe once the move is durable. */
static void commit_moves_until_killed(const char *path, int64_t game, int pipe_fd)
{
    struct storage *storage = NULL;
    char why[STORAGE_WHY_SIZE];

    if (storage_open(path, &storage, why) != STORAGE_OK) {
        _exit(1);
    }
    for (uint32_t step = count_moves(storage, game);; step++) {
        if (append_move(storage, game, step) != STORAGE_OK ||
            storage_commit(storage) != STORAGE_OK ||
            write(pipe_fd, &step, sizeof step) != (ssize_t)sizeof step) {
            _exit(2);
        }
    }
}

/* Kills the child process after it has reported `reports` moves; returns the number of the last
 * move it reported. */
static uint32_t kill_child_after(pid_t child, int pipe_fd, unsigned reports)
{
    uint32_t step = 0;
    unsigned report_count = 0;
    int status = 0;

    while (read(pipe_fd, &step, sizeof step) == (ssize_t)sizeof step) {
        report_count++;
        if (report_count == reports) {
            assert_int_equal(kill(child, SIGKILL), 0);
        }
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGKILL);
    return step;
}

static void acknowledged_commits_survive_a_kill(void **state)
{
    struct fixture *fixture = *state;
    const int64_t game = fixture_add_game(fixture->storage, fixture_add_table(fixture->storage));
    uint32_t durable = 0;

    fixture_commit(fixture);
    for (unsigned round = 0; round < 10; round++) {
        int ends[2];

        storage_close(fixture->storage);
        fixture->storage = NULL;
        assert_int_equal(pipe(ends), 0);
        const pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            (void)close(ends[0]);
            commit_moves_until_killed(fixture->path, game, ends[1]);
        }
        (void)close(ends[1]);
        const uint32_t last = kill_child_after(child, ends[0], 20 + 7 * round);
        (void)close(ends[0]);
        fixture_reopen(fixture);
        const uint32_t found = count_moves(fixture->storage, game);
        assert_in_range(last, durable, found - 1);
        assert_in_range(found, last + 1,
                        last + 2); /* one more move may be durable than was reported */
        durable = found;
    }
}

/* Commits until the disk is full; returns the number of acknowledged commits. */
static uint32_t fill_disk(struct storage *storage, int64_t game)
{
    for (uint32_t step = 0; step < 1000000; step++) {
        enum storage_result result = append_move(storage, game, step);
        const enum storage_result committed = storage_commit(storage);
        result = result != STORAGE_OK ? result : committed;
        if (result != STORAGE_OK) {
            assert_int_equal(result, STORAGE_FULL);
            assert_int_equal(committed, STORAGE_FULL);
            return step;
        }
    }
    fail();
    return 0;
}

/* Limits the size of files to `limit` bytes and ignores the signal SIGXFSZ, so that writes fail as
 * on a full disk. */
static void limit_file_size(rlim_t limit)
{
    struct rlimit files;

    assert_true(signal(SIGXFSZ, SIG_IGN) != SIG_ERR);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &files), 0);
    files.rlim_cur = limit < files.rlim_max ? limit : files.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &files), 0);
}

/* Returns the size of the write-ahead log, which still has the pages from creating the database
 * tables. */
static rlim_t read_write_ahead_log_size(const struct fixture *fixture)
{
    char path[sizeof fixture->path + 8];
    struct stat status;

    (void)snprintf(path, sizeof path, "%s-wal", fixture->path);
    assert_int_equal(stat(path, &status), 0);
    return (rlim_t)status.st_size;
}

static void a_full_disk_is_reported_and_no_data_is_lost(void **state)
{
    struct fixture *fixture = *state;
    const int64_t game = fixture_add_game(fixture->storage, fixture_add_table(fixture->storage));

    fixture_commit(fixture);
    limit_file_size(read_write_ahead_log_size(fixture) + ROOM_BYTES);
    const uint32_t durable = fill_disk(fixture->storage, game);
    const uint32_t readable = count_moves(fixture->storage, game);
    limit_file_size(RLIM_INFINITY);
    assert_true(durable > 10);
    assert_int_equal(readable, durable);
    assert_ok(append_move(fixture->storage, game, durable));
    fixture_commit(fixture);
    fixture_reopen(fixture);
    assert_int_equal(count_moves(fixture->storage, game), durable + 1);
}

static void a_row_that_fails_on_a_full_disk_rolls_back_its_whole_transaction(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const int64_t game = fixture_add_game(storage, fixture_add_table(storage));
    char big[STORAGE_META_SIZE];
    char value[STORAGE_META_SIZE];
    char name[STORAGE_WORD_SIZE];
    enum storage_result result = STORAGE_OK;

    fixture_commit(fixture);
    memset(big, 'b', sizeof big - 1);
    big[sizeof big - 1] = '\0';
    assert_ok(append_move(storage, game, 0));
    faulty_disk_set_fault(FAULT_ROOM);
    /* Writes more than the page cache holds, so some pages reach the disk before the commit. */
    for (int i = 0; i < 20000 && result == STORAGE_OK; i++) {
        (void)snprintf(name, sizeof name, "%d", i);
        result = storage_meta_set(storage, name, big);
    }
    faulty_disk_set_fault(FAULT_NONE);
    assert_int_equal(result, STORAGE_FULL);
    assert_result(append_move(storage, game, 1), STORAGE_FULL);
    assert_true(storage_is_dirty(storage));
    assert_result(storage_commit(storage), STORAGE_FULL);
    assert_false(storage_is_dirty(storage));
    assert_int_equal(count_moves(storage, game), 0);
    assert_result(storage_meta_get(storage, "0", value), STORAGE_NOT_FOUND);
    assert_ok(append_move(storage, game, 0));
    fixture_commit(fixture);
}

static void after_a_failed_sync_nothing_is_committed_until_the_file_is_reopened(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const int64_t game = fixture_add_game(storage, fixture_add_table(storage));

    fixture_commit(fixture);
    assert_ok(append_move(storage, game, 0));
    fixture_commit(fixture);
    assert_ok(append_move(storage, game, 1));
    faulty_disk_set_fault(FAULT_SYNC);
    assert_result(storage_commit(storage), STORAGE_IO);
    faulty_disk_set_fault(FAULT_NONE);
    assert_string_not_equal(storage_last_failure(storage), "");
    assert_result(append_move(storage, game, 2), STORAGE_IO);
    assert_result(storage_commit(storage), STORAGE_IO);
    storage_rollback(storage);
    assert_result(storage_commit(storage), STORAGE_IO);
    fixture_reopen(fixture);
    assert_in_range(count_moves(fixture->storage, game), 1, 2);
}

static void after_a_failed_write_nothing_more_is_committed(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const int64_t game = fixture_add_game(storage, fixture_add_table(storage));

    fixture_commit(fixture);
    assert_ok(append_move(storage, game, 0));
    faulty_disk_set_fault(FAULT_WRITE);
    errno = EIO;
    assert_result(storage_commit(storage), STORAGE_IO);
    faulty_disk_set_fault(FAULT_NONE);
    assert_result(append_move(storage, game, 0), STORAGE_IO);
    fixture_reopen(fixture);
    assert_int_equal(count_moves(fixture->storage, game), 0);
}

static void every_commit_is_synced_except_an_empty_one(void **state)
{
    struct fixture *fixture = *state;
    const int64_t game = fixture_add_game(fixture->storage, fixture_add_table(fixture->storage));

    fixture_commit(fixture);
    unsigned syncs = faulty_disk_count_syncs();
    for (uint32_t step = 0; step < 5; step++) {
        assert_ok(append_move(fixture->storage, game, step));
        fixture_commit(fixture);
        assert_int_equal(faulty_disk_count_syncs(), syncs + 1);
        syncs++;
    }
    fixture_commit(fixture);
    assert_int_equal(faulty_disk_count_syncs(), syncs);
}

TEST_GROUP(faults)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(acknowledged_commits_survive_a_kill),
        FIXTURE_TEST(a_full_disk_is_reported_and_no_data_is_lost),
        FIXTURE_TEST(a_row_that_fails_on_a_full_disk_rolls_back_its_whole_transaction),
        FIXTURE_TEST(after_a_failed_sync_nothing_is_committed_until_the_file_is_reopened),
        FIXTURE_TEST(after_a_failed_write_nothing_more_is_committed),
        FIXTURE_TEST(every_commit_is_synced_except_an_empty_one),
    };

    faulty_disk_install();
    return cmocka_run_group_tests_name("faults", tests, NULL, NULL);
}
