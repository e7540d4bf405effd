#include "tests/lobby/house_driver.h"

#include "games/bots/bots.h"
#include "lobby/protocol/protocol.h"
#include "storage/copies.h"
#include "tests/lobby/driver_password_job.h"
#include "tests/lobby/house_data.h"
#include "tests/lobby/metric_check.h"
#include "tests/lobby/predictable_keys.h"
#include "tests/lobby/sentence_check.h"

#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MESSAGE_MAX 8192
#define START_MS INT64_C(1750000000000)

static void driver_write_predictable_bytes(void *context, void *bytes, size_t len)
{
    struct driver *driver = context;
    for (size_t i = 0; i < len; i++) {
        ((uint8_t *)bytes)[i] = (uint8_t)(driver->random++ * 31U + i);
    }
}

static void driver_try_start_house(struct driver *driver)
{
    char why[STORAGE_WHY_SIZE];
    driver->house = NULL;
    const char *data = driver->url[0] == '\0' ? driver->path : driver->url;
    if (storage_open(data, &driver->storage, why) != STORAGE_OK) {
        return;
    }
    driver->house = house_new(&driver->config, driver->storage, driver->now_ms);
    if (driver->house == NULL) {
        return;
    }
    driver->has_workers = true;
    driver_connect(driver, DRIVER_AUTH, PEER_AUTH);
    (void)driver_send(driver, DRIVER_AUTH, "{'t':'hello','protocol':3,'software':'test'}");
}

static void driver_start_house(struct driver *driver)
{
    driver_try_start_house(driver);
    assert_non_null(driver->storage);
    assert_non_null(driver->house);
}

/* Makes the driver's folder; `template`: a path for mkdtemp(). Callers prefer a file system in
 * memory, since a whole game commits hundreds of times. */
static bool driver_make_folder(struct driver *driver, const char *template)
{
    (void)snprintf(driver->folder, sizeof(driver->folder), "%s", template);
    return mkdtemp(driver->folder) != NULL;
}

int driver_setup(void **state)
{
    struct driver *driver = calloc(1, sizeof(*driver));
    predictable_keys_use();
    if (!driver_make_folder(driver, "/dev/shm/house.XXXXXX") &&
        !driver_make_folder(driver, "/tmp/house.XXXXXX")) {
        return -1;
    }
    (void)snprintf(driver->path, sizeof(driver->path), "%s/house.db", driver->folder);
    driver->now_ms = START_MS;
    driver->next_id = 1;
    driver->config = house_config_default();
    driver->config.house_name = "Test";
    driver->config.backup_every_h = 0; /* only tests that need backups switch them on */
    driver->config.play_bot_delay_ms = 100;
    driver->config.play_lots = false; /* tests know who has which seat; tables/lots has its own */
    driver->config.random_context = driver;
    driver->config.random = driver_write_predictable_bytes;
    driver->config.measure = metric_check;
    for (size_t i = 0; i < DRIVER_CONNS; i++) {
        driver->inbox[i] = json_array();
    }
    driver_start_house(driver);
    *state = driver;
    return 0;
}

void driver_stop_core(struct driver *driver)
{
    house_free(driver->house);
    storage_close(driver->storage);
    driver->house = NULL;
    driver->storage = NULL;
}

static void driver_remove_files(const struct driver *driver)
{
    static const char *const files[] = {"house.db", "house.db-wal", "house.db-shm",
                                        "house.db-journal"};
    for (size_t i = 0; i < ARRAY_LEN(files); i++) {
        char path[128];
        (void)snprintf(path, sizeof(path), "%s/%s", driver->folder, files[i]);
        (void)unlink(path);
    }
}

/* What a house writes must read back (check-data), unless the test has damaged it. */
static void driver_refuse_finding(void *context, const char *words)
{
    const bool *is_damaged = context;
    if (!*is_damaged) {
        fail_msg("check-data would say: %s", words);
    }
}

int driver_teardown(void **state)
{
    struct driver *driver = *state;
    if (driver->storage != NULL && driver->house != NULL) {
        const struct storage_findings findings = {driver_refuse_finding, &driver->is_damaged};
        char why[STORAGE_WHY_SIZE];
        assert_int_equal(row_check(driver->storage, &findings, why), STORAGE_OK);
    }
    if (driver->house != NULL) {
        house_measure(driver->house);
    }
    driver_stop_core(driver);
    driver_remove_files(driver);
    (void)rmdir(driver->folder);
    for (size_t i = 0; i < DRIVER_CONNS; i++) {
        json_decref(driver->inbox[i]);
    }
    free(driver);
    return 0;
}

void driver_restart_core(struct driver *driver)
{
    driver_stop_core(driver);
    driver_start_house(driver);
}

void driver_use_database(struct driver *driver, const char *url)
{
    driver_stop_core(driver);
    (void)snprintf(driver->url, sizeof(driver->url), "%s", url);
    if (url[0] != '\0') {
        house_data_empty_database(driver->url);
    }
}

void driver_try_start_house_on_copy(struct driver *driver, const char *path)
{
    driver_stop_core(driver);
    if (driver->url[0] == '\0') {
        driver_remove_files(driver);
        house_data_copy_file(path, driver->path);
    } else {
        house_data_empty_database(driver->url);
        house_data_fill_database(driver->url, path);
    }
    driver_try_start_house(driver);
}

void driver_start_house_on_copy(struct driver *driver, const char *path)
{
    driver_try_start_house_on_copy(driver, path);
    assert_non_null(driver->house);
}

void driver_restart_after_sql(struct driver *driver, const char *sql)
{
    sqlite3 *db = NULL;
    driver_stop_core(driver);
    assert_int_equal(sqlite3_open(driver->path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    driver_start_house(driver);
}

void driver_connect_from(struct driver *driver, int64_t conn, const char *address,
                         const char *transport)
{
    if (conn < DRIVER_CONNS) {
        (void)snprintf(driver->addresses[conn], DRIVER_ADDRESS_SIZE, "%s", address);
    }
    driver->result =
        house_connect(driver->house, driver->now_ms, conn, PEER_SESSION, address, transport);
    assert_int_equal(driver->result, HOUSE_OK);
    driver_commit(driver);
}

void driver_connect(struct driver *driver, int64_t conn, enum peer peer)
{
    if (peer == PEER_SESSION) {
        driver_connect_from(driver, conn, "127.0.0.1", "ssh");
        return;
    }
    driver->result = house_connect(driver->house, driver->now_ms, conn, peer, "127.0.0.1", "ssh");
    assert_int_equal(driver->result, HOUSE_OK);
    driver_commit(driver);
}

void driver_reconnect_conns(struct driver *driver, const int64_t *conns, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char address[DRIVER_ADDRESS_SIZE];
        (void)snprintf(address, sizeof(address), "%s", driver->addresses[conns[i]]);
        driver_clear_inbox(driver, conns[i]);
        driver_connect_from(driver, conns[i], address[0] == '\0' ? "127.0.0.1" : address, "ssh");
    }
    driver_connect(driver, DRIVER_GATE, PEER_GATE);
    assert_int_equal(driver_send(driver, DRIVER_GATE, "{'t':'hello','protocol':3}"), HOUSE_OK);
    assert_int_equal(driver_send(driver, DRIVER_GATE, "{'t':'connections_end'}"), HOUSE_OK);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(driver_send_hello(driver, conns[i]), HOUSE_OK);
    }
}

void driver_disconnect(struct driver *driver, int64_t conn)
{
    driver->result = house_disconnect(driver->house, driver->now_ms, conn);
    assert_int_equal(driver->result, HOUSE_OK);
    driver_commit(driver);
}

/* Answers a request for a bot's move with a random legal move, whatever the bot's policy is. */
static void driver_choose_bot_move(struct driver *driver, const json_t *message)
{
    const struct game_def *game = game_find(driver_read_text(message, "game"));
    struct game_view view;
    struct quick_random random;
    if (strcmp(driver_read_text(message, "t"), "think") != 0) {
        return;
    }
    assert_non_null(game);
    assert_true(view_read(json_object_get(message, "view"), &view));
    struct game_config config =
        game_config_default(game, (uint8_t)driver_read_number(message, "players"));
    quick_random_init(&random, (uint64_t)driver_read_number(message, "step"));
    assert_non_null(policy_find(driver_read_text(message, "policy")));
    char buffer[MOVE_TEXT_MAX];
    struct text text = text_init(buffer, sizeof(buffer));
    game_move_write(game, policy_random_move(&view, &config, &random), &text);
    (void)driver_send(driver, DRIVER_BOT,
                      "{'t':'bot_move','table':%" PRId64 ",'seat':%" PRId64 ",'step':%" PRId64
                      ",'move':'%s'}",
                      driver_read_number(message, "table"), driver_read_number(message, "seat"),
                      driver_read_number(message, "step"), buffer);
}

static bool driver_core_dies_before_sending(const struct driver *driver, const json_t *message)
{
    const char *type = driver_read_text(message, "t");
    return driver->dies_before_answer != 0 &&
           driver_read_number(message, "id") == driver->dies_before_answer &&
           (strcmp(type, "ok") == 0 || strcmp(type, "no") == 0);
}

static void driver_collect_output(struct driver *driver, json_t *worker_messages)
{
    struct house_output output;
    while (house_output(driver->house, &output) != 0) {
        assert_true(output.len <= 65536);
        assert_true(output.conn >= 0);
        if (output.conn >= DRIVER_CONNS) {
            continue;
        }
        json_t *message = json_loadb(output.json, output.len, 0, NULL);
        assert_non_null(message);
        if (!driver->is_damaged) {
            sentence_check_message(message);
        }
        driver->has_died = driver->has_died || driver_core_dies_before_sending(driver, message);
        if (driver->has_died) {
            json_decref(message);
            continue;
        }
        bool is_work = (output.conn == DRIVER_AUTH && driver->has_workers) ||
                       (output.conn == DRIVER_BOT && driver->has_bots);
        (void)json_array_append(is_work ? worker_messages : driver->inbox[output.conn], message);
        if (is_work) {
            (void)json_array_append_new(worker_messages, json_integer(output.conn));
        }
        json_decref(message);
    }
}

void driver_commit(struct driver *driver)
{
    json_t *worker_messages = json_array();
    driver->result = house_commit(driver->house);
    if (driver->result == HOUSE_OK) {
        driver_collect_output(driver, worker_messages);
    }
    for (size_t i = 0; !driver->has_died && i + 1 < json_array_size(worker_messages); i += 2) {
        const json_t *message = json_array_get(worker_messages, i);
        int64_t peer = json_integer_value(json_array_get(worker_messages, i + 1));
        if (strcmp(driver_read_text(message, "t"), "resync") == 0) {
            (void)driver_send(driver, peer, "{'t':'hello','protocol':3}");
        } else if (peer == DRIVER_AUTH) {
            driver_password_job_do(driver, message);
        } else {
            driver_choose_bot_move(driver, message);
        }
    }
    json_decref(worker_messages);
}

static enum house_result driver_let_house_receive(struct driver *driver, int64_t conn, char *json)
{
    for (char *at = json; *at != '\0'; at++) {
        if (*at == '\'') {
            *at = '"';
        }
    }
    enum house_result result =
        house_receive(driver->house, driver->now_ms, conn, json, strlen(json));
    driver_commit(driver);
    return result;
}

enum house_result driver_send(struct driver *driver, int64_t conn, const char *format, ...)
{
    char json[MESSAGE_MAX];
    va_list arguments;
    va_start(arguments, format);
    int len = vsnprintf(json, sizeof(json), format, arguments);
    va_end(arguments);
    assert_in_range(len, 0, MESSAGE_MAX - 1);
    return driver_let_house_receive(driver, conn, json);
}

const json_t *driver_request(struct driver *driver, int64_t conn, const char *format, ...)
{
    char json[MESSAGE_MAX];
    va_list arguments;
    va_start(arguments, format);
    int len = vsnprintf(json, sizeof(json), format, arguments);
    va_end(arguments);
    assert_in_range(len, 2, MESSAGE_MAX - 32);
    int64_t id = driver->next_id++;
    (void)snprintf(json + len - 1, sizeof(json) - (size_t)len, ",\"id\":%" PRId64 "}", id);
    driver->result = driver_let_house_receive(driver, conn, json);
    return driver_find_answer(driver, conn, id);
}

const json_t *driver_find_answer(struct driver *driver, int64_t conn, int64_t id)
{
    for (size_t i = json_array_size(driver->inbox[conn]); i > 0; i--) {
        const json_t *message = json_array_get(driver->inbox[conn], i - 1);
        if (driver_read_number(message, "id") == id && json_object_get(message, "id") != NULL) {
            const char *type = driver_read_text(message, "t");
            if (strcmp(type, "ok") == 0 || strcmp(type, "no") == 0) {
                return message;
            }
        }
    }
    return NULL;
}

const json_t *driver_expect(struct driver *driver, const json_t *answer, const char *refusal_code,
                            const char *file, int line)
{
    (void)driver;
    char *text = json_dumps(answer, JSON_COMPACT);
    bool is_ok = strcmp(driver_read_text(answer, "t"), "ok") == 0;
    bool is_good = refusal_code == NULL
                       ? is_ok
                       : !is_ok && strcmp(driver_read_text(answer, "code"), refusal_code) == 0 &&
                             driver_read_text(answer, "why")[0] != '\0';
    if (!is_good) {
        print_error("wanted %s, got %s\n", refusal_code == NULL ? "ok" : refusal_code,
                    text == NULL ? "nothing" : text);
    }
    free(text);
    _assert_true(is_good, "the answer", file, line);
    return answer;
}

void driver_pass_time(struct driver *driver, int64_t ms)
{
    int64_t until_ms = driver->now_ms + ms;
    for (;;) {
        int64_t next_ms = house_next_tick_ms(driver->house);
        if (next_ms > until_ms) {
            break;
        }
        driver->now_ms = next_ms > driver->now_ms ? next_ms : driver->now_ms;
        driver->result = house_tick(driver->house, driver->now_ms);
        driver_commit(driver);
    }
    driver->now_ms = until_ms;
    driver->result = house_tick(driver->house, driver->now_ms);
    driver_commit(driver);
}

const json_t *driver_newest_message(const struct driver *driver, int64_t conn, const char *type)
{
    for (size_t i = json_array_size(driver->inbox[conn]); i > 0; i--) {
        const json_t *message = json_array_get(driver->inbox[conn], i - 1);
        if (strcmp(driver_read_text(message, "t"), type) == 0) {
            return message;
        }
    }
    return NULL;
}

size_t driver_count_messages(const struct driver *driver, int64_t conn, const char *type)
{
    size_t count = 0;
    for (size_t i = 0; i < json_array_size(driver->inbox[conn]); i++) {
        count += strcmp(driver_read_text(json_array_get(driver->inbox[conn], i), "t"), type) == 0;
    }
    return count;
}

size_t driver_count_messages_with_words(const struct driver *driver, int64_t conn, const char *type,
                                        const char *words)
{
    size_t count = 0;
    for (size_t i = 0; i < json_array_size(driver->inbox[conn]); i++) {
        const json_t *message = json_array_get(driver->inbox[conn], i);
        bool is_type = type == NULL || strcmp(driver_read_text(message, "t"), type) == 0;
        count += is_type && strstr(driver_read_text(message, "text"), words) != NULL;
    }
    return count;
}

void driver_clear_inbox(struct driver *driver, int64_t conn)
{
    (void)json_array_clear(driver->inbox[conn]);
}

enum house_result driver_send_hello(struct driver *driver, int64_t conn)
{
    return driver_send(driver, conn, "{'t':'hello','protocol':%d,'stops':true,'lobby':%s}",
                       PROTOCOL_NUMBER, driver->shows_windows ? "false" : "true");
}

void driver_connect_session(struct driver *driver, int64_t conn)
{
    driver_connect(driver, conn, PEER_SESSION);
    assert_int_equal(driver_send_hello(driver, conn), HOUSE_OK);
}

void driver_connect_session_from(struct driver *driver, int64_t conn, const char *address,
                                 const char *transport)
{
    driver_connect_from(driver, conn, address, transport);
    assert_int_equal(driver_send_hello(driver, conn), HOUSE_OK);
}

void driver_sign_up_from(struct driver *driver, int64_t conn, const char *name, const char *address)
{
    driver_connect_from(driver, conn, address, "ssh");
    assert_int_equal(driver_send_hello(driver, conn), HOUSE_OK);
    driver_ok(driver, conn, "{'t':'sign_in','method':'password','name':'%s','password':''}", name);
    driver_ok(driver, conn, "{'t':'sign_up','name':'%s','password':'password of %s'}", name, name);
}

void driver_sign_up(struct driver *driver, int64_t conn, const char *name)
{
    driver_sign_up_from(driver, conn, name, "127.0.0.1");
}

void driver_sign_in(struct driver *driver, int64_t conn, const char *name)
{
    driver_connect_session(driver, conn);
    driver_ok(driver, conn,
              "{'t':'sign_in','method':'password','name':'%s','password':'password of %s'}", name,
              name);
}

void driver_enter_as_guest(struct driver *driver, int64_t conn)
{
    driver_connect_session(driver, conn);
    driver_ok(driver, conn, "{'t':'sign_in','method':'guest'}");
}

void driver_enter_as_guest_from(struct driver *driver, int64_t conn, const char *address)
{
    driver_connect_session_from(driver, conn, address, "ssh");
    driver_ok(driver, conn, "{'t':'sign_in','method':'guest'}");
}

int64_t driver_open_table(struct driver *driver, int64_t conn, int players, int clock_s)
{
    const json_t *answer = driver_ok(
        driver, conn, "{'t':'table_open','game':'%s','players':%d,'options':{},'clock_s':%d}",
        game_at(0)->id, players, clock_s);
    return driver_read_number(answer, "table");
}

bool driver_is_stopped(const struct driver *driver, int64_t conn)
{
    const json_t *table = driver_newest_message(driver, conn, "table");
    return strcmp(driver_read_text(table, "halt"), "round") == 0;
}

bool driver_end_stop(struct driver *driver, int64_t conn)
{
    const json_t *table = driver_newest_message(driver, conn, "table");
    const json_t *awaited = json_object_get(table, "awaited");
    bool is_awaited = false;
    for (size_t i = 0; driver_is_stopped(driver, conn) && i < json_array_size(awaited); i++) {
        is_awaited =
            is_awaited || json_equal(json_array_get(awaited, i), json_object_get(table, "you"));
    }
    if (is_awaited) {
        driver_ok(driver, conn, "{'t':'resume'}");
    }
    return is_awaited;
}

bool driver_make_first_legal_move(struct driver *driver, int64_t conn)
{
    const json_t *message = driver_newest_message(driver, conn, "view");
    const json_t *view = json_object_get(message, "view");
    const char *move = json_string_value(json_array_get(json_object_get(view, "legal"), 0));
    if (move == NULL || driver_is_stopped(driver, conn)) {
        return false;
    }
    int64_t table = driver_read_number(message, "table");
    int64_t step = driver_read_number(view, "step");
    driver_ok(driver, conn, "{'t':'move','table':%" PRId64 ",'step':%" PRId64 ",'move':'%s'}",
              table, step, move);
    return true;
}

size_t driver_play_moves(struct driver *driver, const int64_t *conns, size_t count,
                         size_t max_moves)
{
    size_t made = 0;
    unsigned idle = 0;
    while (made < max_moves && idle < 250 &&
           driver_newest_message(driver, conns[0], "result") == NULL) {
        bool has_moved = false;
        for (size_t i = 0; i < count && made < max_moves; i++) {
            (void)driver_end_stop(driver, conns[i]);
            bool is_made = driver_make_first_legal_move(driver, conns[i]);
            made += is_made;
            has_moved |= is_made;
        }
        idle = has_moved ? 0 : idle + 1;
        driver_pass_time(driver, 100);
    }
    return made;
}

const char *driver_read_text(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text == NULL ? "" : text;
}

int64_t driver_read_number(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_integer(value) ? json_integer_value(value) : -1;
}
