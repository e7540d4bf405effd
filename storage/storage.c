#include "storage/storage.h"

#include "storage/sql/postgres.h"
#include "storage/sql/sql.h"
#include "storage/upkeep/upkeep.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LOG_IDLE_MIB 4
#define LOG_MOST_MIB 64

/* Creates a file that only its owner may read. An existing file keeps its permissions. An existing
 * file is not opened, because closing it would drop the locks that this process may hold on it. */
static enum storage_result create_private_file(const char *path, char why[STORAGE_WHY_SIZE])
{
    if (strcmp(path, STORAGE_IN_MEMORY) == 0 || database_url_is(path)) {
        return STORAGE_OK;
    }
    const int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd >= 0) {
        (void)close(fd); /* nothing was written, so a failure does not matter */
        return STORAGE_OK;
    }
    if (errno == EEXIST) {
        return STORAGE_OK;
    }
    return storage_fail(why, STORAGE_IO, "cannot make %.150s: %s", path, strerror(errno));
}

/* Whether the file's log, if there is one, can be read and written. */
static bool can_use_log_file(const char *path)
{
    char log[4096];

    (void)snprintf(log, sizeof log, "%s-wal", path);
    return access(log, R_OK | W_OK) == 0 || errno == ENOENT;
}

enum storage_result storage_try(const char *path, char why[STORAGE_WHY_SIZE])
{
    uint8_t header[100] = {0}; /* https://www.sqlite.org/fileformat.html, "The Database Header" */
    const uint8_t *user_version = header + 60;
    const int fd = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
    const bool is_usable =
        fd >= 0 && pread(fd, header, sizeof header, 0) >= 0 && can_use_log_file(path);

    if (!is_usable) {
        (void)snprintf(why, STORAGE_WHY_SIZE, "cannot use %.150s: %s", path, strerror(errno));
    }
    if (fd >= 0) {
        (void)close(fd);
    }
    if (!is_usable) {
        return STORAGE_IO;
    }
    const uint32_t version = (uint32_t)user_version[0] << 24 | (uint32_t)user_version[1] << 16 |
                             (uint32_t)user_version[2] << 8 | user_version[3];
    return migrate_refuse_newer_data(version, storage_schema_version(), why);
}

/* SQLite calls this function after each commit with the number of pages in the log. */
static int note_log_size(void *context, UNUSED sqlite3 *db, UNUSED const char *name, int pages)
{
    struct storage *storage = context;

    storage->log_pages = pages;
    return SQLITE_OK;
}

static enum storage_result configure_connection(struct storage *storage)
{
    (void)sqlite3_extended_result_codes(storage->db, 1);
    if (sqlite3_db_config(storage->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL) != SQLITE_OK ||
        sqlite3_db_config(storage->db, SQLITE_DBCONFIG_DQS_DML, 0, NULL) != SQLITE_OK ||
        sqlite3_db_config(storage->db, SQLITE_DBCONFIG_DQS_DDL, 0, NULL) != SQLITE_OK) {
        return storage_fail(storage->why, STORAGE_IO,
                            "the database library lacks a setting that is needed");
    }
    if (sqlite3_db_readonly(storage->db, "main") == 1) {
        return storage_fail(storage->why, STORAGE_IO, "the file or its disk is read-only");
    }
    (void)sqlite3_wal_hook(storage->db, note_log_size, storage);
    return sql_run_script(storage, sql_sqlite_settings());
}

static enum storage_result copy_source_database(struct storage *storage)
{
    sqlite3_backup *copy =
        storage->filled_from == NULL
            ? NULL
            : sqlite3_backup_init(storage->db, "main", storage->filled_from, "main");

    if (storage->filled_from == NULL) {
        return STORAGE_OK;
    }
    (void)sqlite3_backup_step(copy, -1); /* sqlite3_backup_finish reports its failure */
    const int code = copy == NULL ? SQLITE_NOMEM : sqlite3_backup_finish(copy);
    return code == SQLITE_OK ? STORAGE_OK : sql_sqlite_handle_failure(storage, code);
}

size_t storage_schema_version(void)
{
    size_t count = 0;

    (void)migrate_list_steps(&count);
    return count;
}

/* Prepares an open file for use: repairs it and migrates it. */
static enum storage_result prepare_database(struct storage *storage)
{
    int64_t version = 0;
    size_t count = 0;
    const struct migration *list = migrate_list_steps(&count);

    RETURN_FAILURE(copy_source_database(storage));
    RETURN_FAILURE(configure_connection(storage));
    /* Reading anything from the file loads its log. */
    RETURN_FAILURE(sql_read_number(storage, "PRAGMA user_version", &version));
    const int repaired = failed_sync_repair(storage);
    if (repaired != SQLITE_OK) {
        return sql_sqlite_handle_failure(storage, repaired);
    }
    return migrate_run_steps(storage, list, count);
}

static enum storage_result open_postgres(struct storage *storage, const char *url)
{
    size_t count = 0;
    const struct migration *list = migrate_postgres_list_steps(&count);

    RETURN_FAILURE(sql_postgres_connect(storage, url));
    return migrate_postgres_run_steps(storage, list, count);
}

static enum storage_result open_database(struct storage *storage, const char *path)
{
    if (database_url_is(path)) {
        return open_postgres(storage, path);
    }
    const int code = sqlite3_open_v2(path, &storage->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
                                     storage->disk);

    if (storage->db == NULL) {
        return storage_fail(storage->why, STORAGE_IO, "out of memory");
    }
    const enum storage_result result =
        code == SQLITE_OK ? prepare_database(storage) : sql_sqlite_handle_failure(storage, code);
    if (result == STORAGE_LOCKED) {
        (void)snprintf(storage->why, sizeof storage->why, "another process has the file open");
    }
    return result;
}

void storage_set_log_limits(struct storage *storage, uint32_t idle_mib, uint32_t most_mib)
{
    const uint32_t pages_of_mib = (1 << 20) / STORAGE_PAGE_BYTES;
    storage->log_idle_pages = (int)(idle_mib * pages_of_mib);
    storage->log_most_pages = (int)(most_mib * pages_of_mib);
}

enum storage_result storage_open(const char *path, struct storage **storage,
                                 char why[STORAGE_WHY_SIZE])
{
    *storage = NULL;
    why[0] = '\0';
    RETURN_FAILURE(create_private_file(path, why));
    return storage_open_on_simulated_disk(NULL, path, storage, why);
}

static enum storage_result open_storage(const struct storage *options, const char *path,
                                        struct storage **storage, char why[STORAGE_WHY_SIZE])
{
    *storage = NULL;
    why[0] = '\0';
    struct storage *opened = calloc(1, sizeof *opened);
    if (opened == NULL) {
        return storage_fail(why, STORAGE_IO, "out of memory");
    }
    opened->engine = &sql_sqlite;
    opened->turn = 1;
    opened->disk = options->disk;
    opened->filled_from = options->filled_from;
    storage_set_log_limits(opened, LOG_IDLE_MIB, LOG_MOST_MIB);
    const enum storage_result result = open_database(opened, path);
    if (result != STORAGE_OK) {
        /* a URL may contain a password */
        (void)snprintf(why, STORAGE_WHY_SIZE, "cannot use %.100s: %.140s",
                       database_url_is(path) ? "the PostgreSQL database" : path, opened->why);
        storage_close(opened);
        return result;
    }
    *storage = opened;
    return STORAGE_OK;
}

enum storage_result storage_open_on_simulated_disk(const char *disk, const char *path,
                                                   struct storage **storage,
                                                   char why[STORAGE_WHY_SIZE])
{
    const struct storage options = {.disk = disk};

    return open_storage(&options, path, storage, why);
}

enum storage_result storage_open_copy_of(const struct storage *from, struct storage **storage,
                                         char why[STORAGE_WHY_SIZE])
{
    const struct storage options = {.filled_from = from->db};

    if (from->db == NULL) {
        *storage = NULL;
        return storage_fail(why, STORAGE_REFUSED, "only the data of a file can be copied");
    }
    return open_storage(&options, "", storage, why);
}

void storage_close(struct storage *storage)
{
    if (storage == NULL) {
        return;
    }
    storage_rollback(storage);
    sql_finalize_all(storage);
    sql_postgres_disconnect(storage);
    (void)sqlite3_close(storage->db); /* committed data is in the file or in the log anyway */
    free(storage);
}

/* Because there is one connection and no reader inside a commit, a passive checkpoint is complete:
 * the next write starts the log from its beginning. A truncating one also empties the log. On a
 * full disk the log stays as it is, and a later checkpoint tries again. PostgreSQL looks after its
 * log itself. */
static enum storage_result checkpoint_log(struct storage *storage)
{
    if (storage->db == NULL) {
        return STORAGE_OK;
    }
    const int mode =
        storage->empty_log_when_idle ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_PASSIVE;
    const int code = sqlite3_wal_checkpoint_v2(storage->db, NULL, mode, NULL, NULL);

    if (code == SQLITE_OK) {
        storage->log_pages = 0;
        storage->empty_log_when_idle = false;
        return STORAGE_OK;
    }
    const enum storage_result result = sql_sqlite_handle_failure(storage, code);
    if (result == STORAGE_FULL) {
        storage->failed = STORAGE_OK;
    }
    return result;
}

static bool is_in_transaction(const struct storage *storage)
{
    return storage->engine->is_in_transaction(storage);
}

enum storage_result storage_commit(struct storage *storage)
{
    enum storage_result result = storage->failed;

    if (result == STORAGE_OK) {
        if (!is_in_transaction(storage)) {
            return STORAGE_OK;
        }
    }
    if (result == STORAGE_OK && storage->engine->before_commit != NULL) {
        result = storage->engine->before_commit(storage);
    }
    if (result == STORAGE_OK) {
        struct sql q = sql_read(storage, "COMMIT");
        result = sql_run(&q);
    }
    if (result != STORAGE_OK) {
        storage_rollback(storage);
        return result;
    }
    storage->turn++;
    if (storage->log_pages >= storage->log_most_pages) {
        (void)checkpoint_log(storage); /* the next commit reports a failure */
    }
    return STORAGE_OK;
}

uint64_t storage_last_turn(const struct storage *storage)
{
    return storage->turn;
}

void storage_end_turn(struct storage *storage)
{
    storage->turn += storage->engine->settle != NULL;
}

enum storage_result storage_settle(struct storage *storage, uint64_t *durable)
{
    if (storage->engine->settle != NULL) {
        return storage->engine->settle(storage, durable);
    }
    *durable = storage->turn;
    return STORAGE_OK;
}

size_t storage_sockets(const struct storage *storage, int sockets[STORAGE_SOCKETS_MAX])
{
    return storage->engine->sockets == NULL ? 0 : storage->engine->sockets(storage, sockets);
}

bool storage_read_ahead_begin(struct storage *storage)
{
    const bool needs_round_trips = storage->engine->read_ahead_begin != NULL;

    if (needs_round_trips) {
        storage->engine->read_ahead_begin(storage);
    }
    return needs_round_trips;
}

enum storage_result storage_read_ahead_end(struct storage *storage)
{
    return storage->engine->read_ahead_end(storage);
}

void storage_rollback(struct storage *storage)
{
    const bool is_open = storage->db != NULL || storage->postgres != NULL;

    if (is_open && is_in_transaction(storage)) {
        storage->engine->roll_back(storage);
        if (is_in_transaction(storage)) {
            storage->failed = STORAGE_IO; /* rolled-back writes must never be committed */
        }
    }
    memset(storage->next_steps, 0, sizeof storage->next_steps);
    if (storage->failed == STORAGE_FULL) {
        storage->failed = STORAGE_OK;
    }
}

bool storage_is_dirty(const struct storage *storage)
{
    return is_in_transaction(storage) || storage->failed != STORAGE_OK;
}

void storage_do_idle_work(struct storage *storage)
{
    if (!storage_is_dirty(storage) &&
        (storage->log_pages >= storage->log_idle_pages || storage->empty_log_when_idle)) {
        (void)checkpoint_log(storage); /* the next commit reports a failure */
    }
}

void storage_empty_log_when_idle(struct storage *storage)
{
    storage->empty_log_when_idle = true;
}

static enum storage_result write_and_commit(struct storage *storage, const char *statement)
{
    struct sql q = sql_write(storage, statement);
    const enum storage_result result = sql_run(&q);

    if (result != STORAGE_OK) {
        storage_rollback(storage);
        return result;
    }
    return storage_commit(storage);
}

enum storage_result storage_test_disk_space(struct storage *storage)
{
    /* After the checkpoint the next write starts the log from its beginning and reuses its
     * space. */

    RETURN_FAILURE(checkpoint_log(storage));
    RETURN_FAILURE(write_and_commit(storage, storage->engine->take_room));
    RETURN_FAILURE(checkpoint_log(storage));
    return write_and_commit(storage, "DELETE FROM meta WHERE name = 'room'");
}

const char *storage_last_failure(const struct storage *storage)
{
    return storage->why;
}
