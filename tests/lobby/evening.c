#include "tests/lobby/evening.h"

#include "games/game.h"
#include "tests/lobby/house_data.h"
#include "tests/lobby/seen_by_all.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SAVED "evening.db"
#define ENOUGH 100000
#define GONE_MS 300000

static const int64_t viewers[] = {ADA, MAX,   BOB,     EVE, CYD,     DAN, UMA,
                                  JON, GUEST, BOB_TOO, HAL, VISITOR, GUS};

int64_t evening_viewer_conn_at(size_t index)
{
    return index < ARRAY_LEN(viewers) ? viewers[index] : index == ARRAY_LEN(viewers) ? NEWCOMER : 0;
}

/* the driver's state when the evening's data were saved: the same requests then have the same
 * effects on each copy */
static struct saved {
    int64_t now_ms, next_id;
    uint8_t random;
} saved;
static char changed[128]; /* path of the file that evening_copy_database_file writes */

static void write_path_of_saved_data(const struct driver *driver, char path[128])
{
    (void)snprintf(path, 128, "%s/" SAVED, driver->folder);
}

static void go_back_to_saved_state(struct driver *driver)
{
    driver->now_ms = saved.now_ms;
    driver->next_id = saved.next_id;
    driver->random = saved.random;
}

static void set_generous_limits(struct driver *driver)
{
    driver->config.webhook_enabled = true;
    driver->config.play_table_kept_s = 86400;
    driver->config.play_seat_kept_s = 86400;
    driver->config.play_absent_grace_s = 86400;
    driver->config.limits_input_burst = ENOUGH;
    driver->config.limits_input_per_s = ENOUGH;
    driver->config.chat_burst = ENOUGH;
    driver->config.limits_changes_burst = ENOUGH;
    driver->config.limits_tables_each = 10;
}

/* Connects the house's own processes: the keeper, the webhook sender, the operator and the bots. */
static void connect_helper_processes(struct driver *driver)
{
    static const struct {
        int64_t conn;
        enum peer peer;
    } helpers[] = {
        {KEEPER, PEER_KEEPER}, {HOOK, PEER_HOOK}, {OWNER, PEER_OPERATOR}, {DRIVER_BOT, PEER_BOT}};
    driver->has_bots = true;
    for (size_t i = 0; i < ARRAY_LEN(helpers); i++) {
        driver_clear_inbox(driver, helpers[i].conn);
        driver_connect(driver, helpers[i].conn, helpers[i].peer);
        assert_int_equal(
            driver_send(driver, helpers[i].conn, "{'t':'hello','protocol':3,'software':'test'}"),
            HOUSE_OK);
    }
}

static void reconnect_helpers_and_people(struct driver *driver, const int64_t *conns, size_t count)
{
    connect_helper_processes(driver);
    driver_reconnect_conns(driver, conns, count);
    for (size_t i = 0; i < count; i++) {
        if (conns[i] == ADA || conns[i] == MAX) {
            driver_ok(driver, conns[i], "{'t':'step_up','password':'password of %s'}",
                      conns[i] == ADA ? "ada" : "max");
        }
    }
}

void evening_restart_core(struct driver *driver, const int64_t *conns, size_t count)
{
    driver_restart_core(driver);
    reconnect_helpers_and_people(driver, conns, count);
}

const char *evening_copy_database_file(struct driver *driver)
{
    char path[128];
    (void)snprintf(changed, sizeof(changed), "%s/changed.db", driver->folder);
    write_path_of_saved_data(driver, path);
    house_data_copy_file(path, changed);
    return changed;
}

static void connect_process(struct driver *driver, int64_t conn, enum peer peer)
{
    driver_clear_inbox(driver, conn);
    driver->result = house_connect(driver->house, driver->now_ms, conn, peer, "127.0.0.1", "ssh");
    driver_commit(driver);
}

static void make_legal_move(struct driver *driver, int64_t conn)
{
    const json_t *message = driver_newest_message(driver, conn, "view");
    const json_t *view = json_object_get(message, "view");
    const char *move = json_string_value(json_array_get(json_object_get(view, "legal"), 0));
    if (move != NULL) {
        (void)driver_request(
            driver, conn, "{'t':'move','table':%" PRId64 ",'step':%" PRId64 ",'move':'%s'}",
            driver_read_number(message, "table"), driver_read_number(view, "step"), move);
    }
}

/* Has every connection return, send requests and play; any answer is accepted. */
static void let_everybody_act(struct driver *driver)
{
    static const enum peer helpers[] = {PEER_KEEPER, PEER_HOOK};
    for (size_t i = 0; i < ARRAY_LEN(helpers); i++) {
        connect_process(driver, KEEPER + (int64_t)i, helpers[i]);
        (void)driver_send(driver, KEEPER + (int64_t)i, "{'t':'hello','protocol':3}");
    }
    connect_process(driver, DRIVER_BOT, PEER_BOT);
    (void)driver_send(driver, DRIVER_BOT, "{'t':'hello','protocol':3}");
    for (size_t i = 0; i < ARRAY_LEN(viewers); i++) {
        connect_process(driver, viewers[i], PEER_SESSION);
    }
    connect_process(driver, DRIVER_GATE, PEER_GATE);
    (void)driver_send(driver, DRIVER_GATE, "{'t':'hello','protocol':3}");
    (void)driver_send(driver, DRIVER_GATE, "{'t':'connections_end'}");
    for (size_t i = 0; i < ARRAY_LEN(viewers); i++) {
        (void)driver_send_hello(driver, viewers[i]);
    }
    driver_pass_time(driver, 1000);
    seen_send_all_requests(driver);
    for (size_t i = 0; i < ARRAY_LEN(viewers); i++) {
        make_legal_move(driver, viewers[i]);
        driver_pass_time(driver, 1000);
    }
}

static void disconnect_everybody(struct driver *driver)
{
    for (size_t i = 0; i < ARRAY_LEN(viewers); i++) {
        driver->result = house_disconnect(driver->house, driver->now_ms, viewers[i]);
        driver_commit(driver);
    }
    driver_pass_time(driver, GONE_MS);
}

static bool house_still_runs(const struct driver *driver)
{
    return driver->house != NULL && driver->result != HOUSE_STORAGE_FAILED;
}

bool evening_house_survives_changed_file(struct driver *driver)
{
    go_back_to_saved_state(driver);
    driver->result = HOUSE_OK;
    driver_try_start_house_on_copy(driver, changed);
    if (driver->storage == NULL) {
        return true;
    }
    if (house_still_runs(driver)) {
        let_everybody_act(driver);
    }
    if (house_still_runs(driver)) {
        disconnect_everybody(driver);
    }
    return house_still_runs(driver);
}

/* Opens a table for the connection `conn`, with the first game of the registry. */
static void open_table(struct driver *driver, int64_t conn, const char *clock_fields,
                       const char *other_fields)
{
    driver_ok(driver, conn,
              "{'t':'table_open','game':'%s','players':%d,'options':{},'clock':{%s}%s}",
              game_at(0)->id, other_fields[0] == '\0' ? 3 : 4, clock_fields, other_fields);
}

static void add_bot(struct driver *driver, int64_t conn)
{
    driver_ok(driver, conn, "{'t':'bot_add','policy':'easy'}");
}

static void take_seat(struct driver *driver, int64_t conn, const char *table)
{
    driver_ok(driver, conn, "{'t':'table_enter','table':%s}", table);
    driver_ok(driver, conn, "{'t':'seat_take'}");
}

static void start_game_and_play_moves(struct driver *driver, const int64_t *conns, size_t count,
                                      size_t max_moves)
{
    for (size_t i = 0; i < count; i++) {
        driver_clear_inbox(driver, conns[i]);
    }
    driver_ok(driver, conns[0], "{'t':'table_start'}");
    (void)driver_play_moves(driver, conns, count, max_moves);
    assert_int_equal(driver_newest_message(driver, conns[0], "result") != NULL,
                     max_moves == SIZE_MAX);
}

#define MOVE_CLOCK "'kind':'move','move_s':3600"
#define NO_CLOCK "'kind':'none'"
#define DAYS_CLOCK "'kind':'days','days':3"

static void play_two_games_to_the_end(struct driver *driver)
{
    static const int64_t rated[] = {UMA, JON};
    static const int64_t casual[] = {EVE};
    open_table(driver, UMA, MOVE_CLOCK, "");
    take_seat(driver, JON, EVENING_RATED);
    add_bot(driver, UMA);
    driver_ok(driver, DAN, "{'t':'table_enter','table':" EVENING_RATED "}");
    start_game_and_play_moves(driver, rated, 2, SIZE_MAX);
    driver_ok(driver, UMA, "{'t':'table_leave'}");
    driver_ok(driver, JON, "{'t':'table_leave'}");
    driver_ok(driver, UMA, "{'t':'table_enter','table':" EVENING_RATED "}");
    open_table(driver, EVE, NO_CLOCK, "");
    add_bot(driver, EVE);
    add_bot(driver, EVE);
    start_game_and_play_moves(driver, casual, 1, SIZE_MAX);
    driver_ok(driver, EVE, "{'t':'table_leave'}");
}

static void begin_games_and_leave_them_in_play(struct driver *driver)
{
    static const int64_t run[] = {BOB, CYD};
    static const int64_t guests[] = {GUEST};
    static const int64_t days[] = {JON, DAN};
    static const int64_t held_up[] = {HAL};
    open_table(driver, BOB, MOVE_CLOCK, "");
    take_seat(driver, CYD, EVENING_RUN);
    add_bot(driver, BOB);
    start_game_and_play_moves(driver, run, 2, 25);
    driver_ok(driver, MAX, "{'t':'table_enter','table':" EVENING_RUN "}");
    open_table(driver, GUEST, NO_CLOCK, "");
    add_bot(driver, GUEST);
    add_bot(driver, GUEST);
    start_game_and_play_moves(driver, guests, 1, 5);
    open_table(driver, JON, DAYS_CLOCK, "");
    take_seat(driver, DAN, EVENING_DAYS);
    add_bot(driver, JON);
    start_game_and_play_moves(driver, days, 2, 7);
    driver_ok(driver, JON, "{'t':'table_leave'}");
    driver_ok(driver, DAN, "{'t':'table_leave'}");
    open_table(driver, EVE, MOVE_CLOCK, ",'password':'sesame'");
    add_bot(driver, EVE);
    driver_ok(driver, EVE, "{'t':'mod','line':'invite cyd'}");
    driver_ok(driver, GUS, "{'t':'table_enter','table':" EVENING_OPEN ",'password':'sesame'}");
    driver_ok(driver, GUS, "{'t':'seat_take'}");
    open_table(driver, HAL, NO_CLOCK, "");
    add_bot(driver, HAL);
    add_bot(driver, HAL);
    start_game_and_play_moves(driver, held_up, 1, 3);
    driver_ok(driver, HAL, "{'t':'pause'}");
    driver_ok(driver, DAN, "{'t':'table_enter','table':" EVENING_RATED "}");
}

static void connect_people(struct driver *driver)
{
    static const struct {
        int64_t conn;
        const char *name;
    } people[] = {{CYD, "cyd"}, {DAN, "dan"}, {UMA, "uma"},
                  {JON, "jon"}, {HAL, "hal"}, {NEWCOMER, "kim"}};
    for (size_t i = 0; i < ARRAY_LEN(people); i++) {
        driver_sign_up(driver, people[i].conn, people[i].name);
    }
    driver_disconnect(driver, NEWCOMER);
    driver_sign_up_from(
        driver, NEWCOMER, "zed",
        "203.0.113.9"); /* staff ban zed later, so no other player may have this address */
    driver_disconnect(driver, NEWCOMER);
    driver_enter_as_guest_from(driver, GUEST, "203.0.113.7");
    driver_enter_as_guest_from(driver, GUS, "203.0.113.8");
    driver_sign_in(driver, BOB_TOO, "bob");
    driver_connect_session(driver, VISITOR);
    driver_ok(driver, VISITOR, "{'t':'sign_in','method':'password','name':'','password':''}");
}

static void send_chat_and_messages(struct driver *driver)
{
    driver_ok(driver, BOB, "{'t':'say','to':'lobby','kind':'say','text':'good evening'}");
    driver_ok(driver, UMA, "{'t':'say','to':'lobby','kind':'me','text':'waves'}");
    driver_ok(driver, EVE, "{'t':'tell','to':'bob','text':'psst'}");
    driver_ok(driver, EVE, "{'t':'tell','to':'kim','text':'call me'}");
    driver_ok(driver, UMA, "{'t':'friend_add','name':'bob'}");
    driver_ok(driver, BOB, "{'t':'friend_add','name':'uma'}");
    driver_ok(driver, UMA, "{'t':'join','channel':'#tea'}");
    driver_ok(driver, BOB, "{'t':'join','channel':'#tea'}");
    driver_ok(driver, UMA, "{'t':'say','to':'#tea','kind':'say','text':'milk first'}");
    driver_ok(driver, CYD, "{'t':'say','to':'table','kind':'say','text':'well played'}");
    driver_ok(driver, UMA, "{'t':'presence','kind':'dnd','text':'reading'}");
    driver_ok(driver, UMA, "{'t':'hook_set','url':'https://example.org/uma'}");
    driver_ok(driver, JON, "{'t':'hook_set','url':'https://example.org/jon'}");
    driver_ok(driver, UMA, "{'t':'settings_set','settings':{'theme':'mono'}}");
    driver_ok(driver, GUS, "{'t':'review_open','game_id':1}");
    driver_ok(driver, UMA, "{'t':'review_follow','name':'guest-2'}");
}

static void give_moderation_commands(struct driver *driver)
{
    order_ok(driver, EVE, "report bob spam cards");
    order_ok(driver, UMA, "report jon stall slow");
    order_ok(driver, JON, "ignore uma");
    order_ok(driver, CYD, "noplay uma");
    order_ok(driver, MAX, "note uma polite");
    order_ok(driver, MAX, "hold hal new");
    order_ok(driver, MAX, "mute dan 1d scope=table loud");
    order_ok(driver, MAX, "warn jon slow");
    order_ok(driver, MAX, "suspend kim 1d rude");
    order_ok(driver, MAX, "ban zed 7d rude"); /* this is sanction number 5 */
    order_ok(driver, MAX, "slow #tea 5");
    order_ok(driver, MAX, "hide uma 1 why");
    order_ok(driver, ADA, "rankban cyd 1d why");
    order_ok(driver, ADA, "motd hello");
    order_ok(driver, ADA, "news add chairs");
    order_ok(driver, ADA, "allowlist add ip=198.51.100.0/24");
    order_ok(driver, ADA, "disable vacation why");
}

void evening_make(struct driver *driver)
{
    order_connect_people(driver);
    set_generous_limits(driver);
    driver_restart_core(driver);
    connect_helper_processes(driver);
    for (int64_t conn = ADA; conn <= EVE; conn++) {
        static const char *const names[] = {"ada", "max", "bob", "eve"};
        driver_clear_inbox(driver, conn);
        driver_sign_in(driver, conn, names[conn - ADA]);
    }
    driver_ok(driver, ADA, "{'t':'step_up','password':'password of ada'}");
    driver_ok(driver, MAX, "{'t':'step_up','password':'password of max'}");
    connect_people(driver);
    play_two_games_to_the_end(driver);
    begin_games_and_leave_them_in_play(driver);
    send_chat_and_messages(driver);
    give_moderation_commands(driver);
    driver_restart_core(driver); /* all data are now in the file itself, none in SQLite's log */
}

int evening_setup(void **state)
{
    char path[128];
    if (driver_setup(state) != 0) {
        return -1;
    }
    struct driver *driver = *state;
    evening_make(driver);
    write_path_of_saved_data(driver, path);
    house_data_copy_file(driver->path, path);
    saved = (struct saved){driver->now_ms, driver->next_id, driver->random};
    return 0;
}

int evening_teardown(void **state)
{
    char path[128];
    struct driver *driver = *state;
    write_path_of_saved_data(driver, path);
    (void)unlink(path);
    (void)unlink(changed);
    return driver_teardown(state);
}

void evening_restore_house(struct driver *driver)
{
    char path[128];
    write_path_of_saved_data(driver, path);
    go_back_to_saved_state(driver);
    driver_clear_inbox(driver, NEWCOMER);
    driver_start_house_on_copy(driver, path);
    reconnect_helpers_and_people(driver, viewers, ARRAY_LEN(viewers));
}
