#include "tests/storage/fixture.h"

#include "storage/archive/archive.h"
#include "storage/sql/sql.h"
#include "tests/storage/postgres_schema.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DATABASE_VARIABLE "TRICKHOUSE_TEST_DATABASE"

bool fixture_is_postgres(void)
{
    return getenv(DATABASE_VARIABLE) != NULL;
}

int fixture_setup(void **state)
{
    char why[STORAGE_WHY_SIZE];
    struct fixture *fixture = calloc(1, sizeof *fixture);

    if (fixture == NULL) {
        return -1;
    }
    *state = fixture;
    (void)snprintf(fixture->folder, sizeof fixture->folder, "/tmp/trickhouse-storage-XXXXXX");
    if (mkdtemp(fixture->folder) == NULL) {
        return -1;
    }
    (void)snprintf(fixture->path, sizeof fixture->path, "%s/house.db", fixture->folder);
    if (fixture_is_postgres() && !postgres_schema_make(getenv(DATABASE_VARIABLE), fixture->path)) {
        return -1;
    }
    return storage_open(fixture->path, &fixture->storage, why) == STORAGE_OK ? 0 : -1;
}

int fixture_teardown(void **state)
{
    struct fixture *fixture = *state;
    struct dirent *entry;
    char path[512];

    storage_close(fixture->storage);
    if (fixture_is_postgres() && !postgres_schema_drop(getenv(DATABASE_VARIABLE))) {
        return -1;
    }
    DIR *folder = opendir(fixture->folder);
    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        (void)snprintf(path, sizeof path, "%s/%s", fixture->folder, entry->d_name);
        (void)unlink(path);
    }
    if (folder != NULL) {
        (void)closedir(folder);
    }
    const int result = rmdir(fixture->folder);
    free(fixture);
    return result;
}

void fixture_reopen(struct fixture *fixture)
{
    char why[STORAGE_WHY_SIZE];

    storage_close(fixture->storage);
    assert_ok(storage_open(fixture->path, &fixture->storage, why));
    assert_string_equal(why, "");
}

void fixture_commit(struct fixture *fixture)
{
    assert_ok(storage_commit(fixture->storage));
}

int64_t fixture_add_account(struct storage *storage, const char *name, enum storage_kind kind)
{
    int64_t id = 0;
    struct storage_account account = {.kind = kind, .settings = "{}", .created_ms = 1};

    (void)snprintf(account.name, sizeof account.name, "%s", name);
    (void)snprintf(account.skeleton, sizeof account.skeleton, "%s", name);
    assert_ok(storage_account_add(storage, &account, &id));
    return id;
}

struct storage_seat fixture_make_seat(int64_t account, const char *name)
{
    struct storage_seat seat = {.holder = STORAGE_SEAT_PLAYER, .account = account};

    (void)snprintf(seat.name, sizeof seat.name, "%s", name);
    return seat;
}

int64_t fixture_add_table(struct storage *storage)
{
    int64_t id = 0;
    const struct storage_table table = {.game = "whist", .players = 4, .options = "{}"};

    assert_ok(storage_table_add(storage, &table, &id));
    return id;
}

int64_t fixture_add_game(struct storage *storage, int64_t table)
{
    int64_t id = 0;
    const struct storage_game game = {
        .table = table, .game = "whist", .players = 4, .options = "{}", .started_ms = 5};

    assert_ok(storage_game_start(storage, &game, &id));
    return id;
}

int64_t fixture_add_finished_game(struct storage *storage, const int64_t *accounts, size_t count,
                                  int64_t finished_ms)
{
    const int64_t game = fixture_add_game(storage, fixture_add_table(storage));
    struct storage_score scores[STORAGE_SCORES_MAX];
    const struct storage_finish finish = {.game = game,
                                          .state = STORAGE_GAME_FINISHED,
                                          .finished_ms = finished_ms,
                                          .is_rated = true,
                                          .scores = scores,
                                          .score_count = count};

    for (size_t i = 0; i < count; i++) {
        struct storage_account account;
        assert_ok(storage_account_by_id(storage, accounts[i], &account));
        scores[i] = (struct storage_score){.seat = (uint8_t)i,
                                           .who = fixture_make_seat(account.id, account.name),
                                           .rank = (uint8_t)(i + 1),
                                           .is_winner = i == 0};
    }
    assert_ok(storage_game_finish(storage, &finish));
    return game;
}

bool fixture_add_word(struct fixture_words *words, const char *format, ...)
{
    const size_t len = strlen(words->text);
    va_list arguments;

    va_start(arguments, format);
    (void)vsnprintf(&words->text[len], sizeof words->text - len, format, arguments);
    va_end(arguments);
    (void)snprintf(&words->text[strlen(words->text)], sizeof words->text - strlen(words->text),
                   " ");
    words->count++;
    return words->count != words->stop_after;
}

void fixture_keep_finding(void *context, const char *words)
{
    struct fixture_findings *findings = context;

    findings->count++;
    (void)snprintf(findings->words, sizeof findings->words, "%s", words);
}

int64_t fixture_read_number(struct storage *storage, const char *query)
{
    int64_t number = -1;

    assert_ok(sql_read_number(storage, query, &number));
    return number;
}
