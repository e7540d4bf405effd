#include "lobby/house/parts.h"
#include "storage/accounts/accounts.h"
#include "storage/mod/mod.h"
#include "tests/lobby/house_driver.h"
#include "tests/unit.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#define ADA DRIVER_FIRST
#define BOB (DRIVER_FIRST + 1)
#define EVE (DRIVER_FIRST + 2)

static const int64_t both[] = {ADA, BOB};

/* Lets this process write its files, or makes each write fail as on a full disk. */
static void set_writes_allowed(bool is_allowed)
{
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = is_allowed ? limit.rlim_max : 1;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static void say_hello_again(struct driver *driver, int64_t conn)
{
    assert_non_null(driver_newest_message(driver, conn, "resync"));
    driver_clear_inbox(driver, conn);
    assert_int_equal(driver_send(driver, conn, "{'t':'hello','protocol':3,'software':'test'}"),
                     HOUSE_OK);
}

static void fill_the_disk(struct driver *driver, int64_t conn)
{
    set_writes_allowed(false);
    assert_null(driver_request(driver, conn, "{'t':'say','to':'lobby','text':'is there room?'}"));
    assert_int_equal(driver->result, HOUSE_OK);
}

static void make_room_on_disk(struct driver *driver)
{
    set_writes_allowed(true);
    driver_pass_time(driver, READ_ONLY_RETRY_MS);
}

static int make_room_on_disk_and_tear_down(void **state)
{
    set_writes_allowed(true);
    return driver_teardown(state);
}

static json_t *read_newest_clock(const struct driver *driver, int64_t conn)
{
    return json_object_get(driver_newest_message(driver, conn, "view"), "clock");
}

/* Ada and Bob begin a game with a clock; Eve is in the lobby. */
static int64_t begin_game_with_clock(struct driver *driver)
{
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, BOB, "bob");
    driver_sign_up(driver, EVE, "eve");
    int64_t table = driver_open_table(driver, ADA, 3, 30);
    driver_ok(driver, BOB, "{'t':'table_enter','table':%" PRId64 "}", table);
    driver_ok(driver, BOB, "{'t':'seat_take'}");
    driver_ok(driver, ADA, "{'t':'bot_add','policy':'medium'}");
    driver_ok(driver, ADA, "{'t':'table_start'}");
    assert_int_equal(driver_play_moves(driver, both, 2, 8), 8);
    for (int i = 0; i < 100 && !json_is_object(read_newest_clock(driver, ADA)); i++) {
        driver_pass_time(driver, 100); /* it may be the bot's turn, whatever the bot plays */
    }
    return table;
}

static void when_the_disk_fills_nothing_is_sent_but_a_request_to_resync(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    driver_sign_up(driver, BOB, "bob");
    driver_clear_inbox(driver, BOB);
    fill_the_disk(driver, ADA);
    assert_int_equal(driver_count_messages(driver, BOB, "chat"), 0);
    say_hello_again(driver, ADA);
    say_hello_again(driver, BOB);
    assert_int_equal(driver_count_messages(driver, BOB, "chat"), 0);
    const json_t *welcome = driver_newest_message(driver, BOB, "welcome");
    assert_string_equal(driver_read_text(welcome, "phase"), "in");
    assert_string_equal(driver_read_text(driver_newest_message(driver, BOB, "notice"), "kind"),
                        "warn");
}

static void while_the_disk_is_full_nothing_can_be_changed(void **state)
{
    struct driver *driver = *state;
    int64_t table = begin_game_with_clock(driver);
    fill_the_disk(driver, ADA);
    say_hello_again(driver, ADA);
    say_hello_again(driver, BOB);
    driver_no(driver, ADA, "read_only", "{'t':'say','to':'lobby','text':'and now?'}");
    driver_no(driver, ADA, "read_only", "{'t':'table_open'}");
    driver_no(driver, ADA, "read_only", "{'t':'settings_set','settings':{'bell':true}}");
    driver_no(driver, ADA, "read_only",
              "{'t':'move','table':%" PRId64 ",'step':8,'move':'whatever'}", table);
    assert_int_equal(driver->result, HOUSE_OK);
    assert_int_equal(driver_count_messages(driver, ADA, "resync"), 0);
}

static void while_the_disk_is_full_everything_can_be_read(void **state)
{
    struct driver *driver = *state;
    int64_t table = begin_game_with_clock(driver);
    json_t *before = json_deep_copy(driver_newest_message(driver, ADA, "view"));
    fill_the_disk(driver, EVE);
    say_hello_again(driver, ADA);
    say_hello_again(driver, EVE);
    assert_true(json_equal(json_object_get(before, "view"),
                           json_object_get(driver_newest_message(driver, ADA, "view"), "view")));
    driver_ok(driver, EVE, "{'t':'leaders','game':'%s','offset':0,'count':5}",
              driver_read_text(json_object_get(before, "view"), "game"));
    driver_ok(driver, EVE, "{'t':'games','count':5}");
    driver_ok(driver, EVE, "{'t':'table_enter','table':%" PRId64 "}", table);
    assert_non_null(driver_newest_message(driver, EVE, "view"));
    driver_ok(driver, EVE, "{'t':'table_leave'}");
    driver_ok(driver, EVE, "{'t':'ping'}");
    assert_int_equal(driver_count_messages(driver, EVE, "resync"), 0);
    json_decref(before);
}

static void clocks_stand_still_while_the_disk_is_full(void **state)
{
    struct driver *driver = *state;
    (void)begin_game_with_clock(driver);
    int64_t left_ms = driver_read_number(read_newest_clock(driver, ADA), "left_ms");
    assert_true(left_ms > 0);
    fill_the_disk(driver, EVE);
    say_hello_again(driver, ADA);
    assert_true(json_is_true(json_object_get(read_newest_clock(driver, ADA), "is_stopped")));
    driver_pass_time(driver, 600000);
    make_room_on_disk(driver);
    say_hello_again(driver, BOB);
    say_hello_again(driver, ADA);
    json_t *clock = read_newest_clock(driver, ADA);
    assert_false(json_is_true(json_object_get(clock, "is_stopped")));
    assert_in_range(driver_read_number(clock, "left_ms"), left_ms - 2000, left_ms + 1000);
}

static void when_the_disk_has_room_again_everything_continues(void **state)
{
    struct driver *driver = *state;
    int64_t table = begin_game_with_clock(driver);
    fill_the_disk(driver, EVE);
    for (int64_t conn = ADA; conn <= EVE; conn++) {
        say_hello_again(driver, conn);
    }
    driver_ok(driver, EVE, "{'t':'table_enter','table':%" PRId64 "}", table);
    make_room_on_disk(driver);
    for (int64_t conn = ADA; conn <= EVE; conn++) {
        say_hello_again(driver, conn);
        assert_string_equal(driver_read_text(driver_newest_message(driver, conn, "notice"), "kind"),
                            "info");
        assert_string_equal(driver_read_text(driver_newest_message(driver, conn, "chat"), "kind"),
                            "system");
    }
    assert_int_equal(driver_read_number(driver_newest_message(driver, EVE, "table"), "id"), table);
    driver_ok(driver, EVE, "{'t':'say','to':'lobby','text':'room!'}");
    assert_true(driver_play_moves(driver, both, 2, 20) == 20);
    driver_restart_core(driver);
}

static void it_is_stored_later_that_somebody_left_while_the_disk_was_full(void **state)
{
    struct driver *driver = *state;
    (void)begin_game_with_clock(driver);
    fill_the_disk(driver, EVE);
    say_hello_again(driver, ADA);
    driver_disconnect(driver, EVE);
    assert_int_equal(driver->result, HOUSE_OK);
    make_room_on_disk(driver);
    driver_restart_core(driver);
    driver_connect(driver, EVE, PEER_SESSION);
    (void)driver_send(driver, EVE, "{'t':'hello','protocol':3}");
    assert_string_equal(driver_read_text(driver_newest_message(driver, EVE, "welcome"), "phase"),
                        "door");
}

static void the_house_can_start_on_a_full_disk(void **state)
{
    struct driver *driver = *state;
    (void)begin_game_with_clock(driver);
    set_writes_allowed(false);
    driver_restart_core(driver);
    driver_connect(driver, ADA, PEER_SESSION);
    (void)driver_send(driver, ADA, "{'t':'hello','protocol':3}");
    assert_non_null(driver_newest_message(driver, ADA, "view"));
    driver_no(driver, ADA, "read_only", "{'t':'say','to':'lobby','text':'and now?'}");
    make_room_on_disk(driver);
    driver_clear_inbox(driver, ADA);
    (void)driver_send(driver, ADA, "{'t':'hello','protocol':3}");
    driver_ok(driver, ADA, "{'t':'say','to':'lobby','text':'and now!'}");
}

#define KEY "'key':{'type':'ssh-ed25519','fingerprint':'SHA256:abc'}"
#define NEWCOMER (EVE + 1)

/* Connects a newcomer, not yet signed in, to a house that knows its disk is full; Eve is in the
 * house. */
static void connect_newcomer_on_full_disk(struct driver *driver)
{
    driver_sign_up(driver, EVE, "eve");
    fill_the_disk(driver, EVE);
    say_hello_again(driver, EVE);
    driver_connect(driver, NEWCOMER, PEER_SESSION);
    (void)driver_send(driver, NEWCOMER, "{'t':'hello','protocol':3}");
}

/* Checks that the house did not try to write: a failed write would make the house tell everybody to
 * resync. */
static void check_nothing_was_written(const struct driver *driver)
{
    assert_int_equal(driver->result, HOUSE_OK);
    assert_int_equal(driver_count_messages(driver, EVE, "resync"), 0);
}

/* Tries to sign in and returns the answer; NULL for a wrong password, whose answer is delayed. */
static const json_t *try_to_sign_in(struct driver *driver, int64_t conn, const char *name,
                                    const char *password)
{
    return driver_request(driver, conn,
                          "{'t':'sign_in','method':'password','name':'%s','password':'%s'}", name,
                          password);
}

static void expect_sign_in_refused(struct driver *driver, int64_t conn, const char *name,
                                   const char *password)
{
    assert_null(try_to_sign_in(driver, conn, name, password));
    driver_pass_time(driver, driver->config.door_denial_ms);
    assert_string_equal(driver_read_text(driver_newest_message(driver, conn, "no"), "code"),
                        "denied");
}

static void expect_sign_in_delayed(struct driver *driver, int64_t conn, const char *name,
                                   int64_t min_delay_s)
{
    const json_t *answer = try_to_sign_in(driver, conn, name, "any password at all");
    assert_string_equal(driver_read_text(answer, "code"), "wait");
    assert_true(driver_read_number(answer, "wait_s") >= min_delay_s);
}

static bool note_sign_in_from_expected_address(void *context, const struct storage_sign_in *row)
{
    bool *is_noted = context;
    *is_noted = *is_noted || strcmp(row->address, "192.0.2.9") == 0;
    return true;
}

static void accounts_can_sign_in_while_the_disk_is_full(void **state)
{
    struct driver *driver = *state;
    int64_t table = begin_game_with_clock(driver);
    driver_disconnect(driver, BOB);
    fill_the_disk(driver, EVE);
    say_hello_again(driver, EVE);
    driver_sign_in(driver, BOB, "bob");
    assert_string_equal(driver_read_text(driver_newest_message(driver, BOB, "notice"), "kind"),
                        "warn");
    driver_ok(driver, BOB, "{'t':'table_enter','table':%" PRId64 "}", table);
    driver_ok(driver, BOB, "{'t':'leaders','game':'oh-hell','offset':0,'count':5}");
    driver_ok(driver, BOB, "{'t':'profile','name':'ada'}");
    driver_no(driver, BOB, "read_only", "{'t':'say','to':'lobby','text':'and now?'}");
    check_nothing_was_written(driver);
    make_room_on_disk(driver);
    for (int64_t conn = ADA; conn <= EVE; conn++) {
        say_hello_again(driver, conn);
    }
    assert_int_equal(driver_read_number(driver_newest_message(driver, BOB, "table"), "id"), table);
    driver_ok(driver, BOB, "{'t':'say','to':'lobby','text':'room!'}");
    assert_int_equal(driver_play_moves(driver, both, 2, 8), 8);
    driver_restart_core(driver);
    driver_connect(driver, BOB, PEER_SESSION);
    (void)driver_send(driver, BOB, "{'t':'hello','protocol':3}");
    assert_string_equal(driver_read_text(driver_newest_message(driver, BOB, "welcome"), "phase"),
                        "in");
}

static void a_sign_in_with_a_key_works_on_a_full_disk_and_its_address_is_stored_later(void **state)
{
    struct driver *driver = *state;
    driver_connect(driver, ADA, PEER_SESSION);
    (void)driver_send(driver, ADA, "{'t':'hello','protocol':3}");
    driver_ok(driver, ADA, "{'t':'sign_in','method':'key','name':'ada'," KEY "}");
    driver_ok(driver, ADA, "{'t':'sign_up','name':'ada'}");
    driver_disconnect(driver, ADA);
    connect_newcomer_on_full_disk(driver);
    driver_connect_from(driver, ADA, "192.0.2.9", "ssh");
    (void)driver_send(driver, ADA, "{'t':'hello','protocol':3}");
    driver_ok(driver, ADA, "{'t':'sign_in','method':'key','name':'ada'," KEY "}");
    check_nothing_was_written(driver);
    struct storage_account ada;
    bool is_noted = false;
    assert_int_equal(storage_account_by_name(driver->storage, "ada", &ada), STORAGE_OK);
    assert_int_equal(storage_sign_ins_by_account(driver->storage, ada.id,
                                                 note_sign_in_from_expected_address, &is_noted),
                     STORAGE_OK);
    assert_false(is_noted);
    make_room_on_disk(driver);
    assert_int_equal(storage_sign_ins_by_account(driver->storage, ada.id,
                                                 note_sign_in_from_expected_address, &is_noted),
                     STORAGE_OK);
    assert_true(is_noted);
}

static void guests_get_unique_names_while_the_disk_is_full(void **state)
{
    struct driver *driver = *state;
    driver_enter_as_guest(driver, ADA);
    connect_newcomer_on_full_disk(driver);
    driver_ok(driver, NEWCOMER, "{'t':'sign_in','method':'guest','asks':true}");
    assert_int_equal(driver_count_messages(driver, NEWCOMER, "notice"), 0);
    driver_ok(driver, NEWCOMER, "{'t':'come_in'}");
    assert_string_equal(driver_read_text(driver_newest_message(driver, NEWCOMER, "notice"), "kind"),
                        "warn");
    driver_enter_as_guest(driver, BOB);
    check_nothing_was_written(driver);
    make_room_on_disk(driver);
    driver_enter_as_guest(driver, NEWCOMER + 1);
    static const int64_t guests[] = {ADA, NEWCOMER, BOB, NEWCOMER + 1};
    static const char *const names[] = {"guest-1", "guest-2", "guest-3", "guest-4"};
    for (size_t i = 0; i < ARRAY_LEN(guests); i++) {
        (void)driver_send(driver, guests[i], "{'t':'hello','protocol':3}");
        const json_t *welcome = driver_newest_message(driver, guests[i], "welcome");
        assert_string_equal(driver_read_text(json_object_get(welcome, "you"), "name"), names[i]);
    }
}

static void people_who_signed_in_on_a_full_disk_stay_signed_in_while_it_is_still_full(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    driver_disconnect(driver, ADA);
    connect_newcomer_on_full_disk(driver);
    assert_non_null(try_to_sign_in(driver, NEWCOMER, "ada", "password of ada"));
    assert_true(read_only_begin(driver->house)); /* the disk has some room again, but too little */
    driver_commit(driver);
    say_hello_again(driver, NEWCOMER);
    assert_string_equal(
        driver_read_text(driver_newest_message(driver, NEWCOMER, "welcome"), "phase"), "in");
}

static void people_who_signed_in_on_a_full_disk_must_sign_in_again_after_a_crash(void **state)
{
    struct driver *driver = *state;
    static const char adopted[] =
        "{'t':'connection','conn':%d,'address':'::1','transport':'ssh'%s}";
    connect_newcomer_on_full_disk(driver);
    driver_ok(driver, NEWCOMER, "{'t':'sign_in','method':'guest'}");
    driver_restart_core(driver);
    driver_connect(driver, 5, PEER_GATE);
    (void)driver_send(driver, 5, "{'t':'hello','protocol':3}");
    for (int64_t conn = EVE; conn <= NEWCOMER + 1; conn++) {
        driver_connect(driver, conn, PEER_SESSION);
    }
    (void)driver_send(driver, 5, adopted, (int)EVE, ",'signed_in':true");
    (void)driver_send(driver, 5, adopted, (int)NEWCOMER, ",'signed_in':true");
    (void)driver_send(driver, 5, adopted, (int)NEWCOMER + 1, "");
    for (int64_t conn = EVE; conn <= NEWCOMER + 1; conn++) {
        (void)driver_send(driver, conn, "{'t':'hello','protocol':3}");
    }
    assert_int_equal(driver_count_messages(driver, EVE, "bye"), 0);
    assert_int_equal(driver_count_messages(driver, NEWCOMER, "bye"), 1);
    assert_int_equal(driver_count_messages(driver, NEWCOMER + 1, "bye"), 0);
}

static void wrong_passwords_cause_delays_during_and_after_a_full_disk(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    connect_newcomer_on_full_disk(driver);
    for (int64_t wait_s = 1; wait_s <= 64; wait_s *= 2) {
        expect_sign_in_refused(driver, NEWCOMER, "ada", "not her password");
        expect_sign_in_delayed(driver, NEWCOMER, "ada", wait_s - 1);
        driver_pass_time(driver, 1000 * wait_s);
    }
    expect_sign_in_refused(driver, NEWCOMER, "ada", "not her password");
    check_nothing_was_written(driver);
    make_room_on_disk(driver);
    (void)driver_send(driver, NEWCOMER, "{'t':'hello','protocol':3}");
    expect_sign_in_delayed(driver, NEWCOMER, "ada", 100);
    driver_restart_core(driver);
    driver_connect(driver, NEWCOMER, PEER_SESSION);
    (void)driver_send(driver, NEWCOMER, "{'t':'hello','protocol':3}");
    expect_sign_in_delayed(driver, NEWCOMER, "ada", 100);
}

static void the_right_password_also_ends_delays_imposed_while_the_disk_was_full(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    driver_connect(driver, BOB, PEER_SESSION);
    (void)driver_send(driver, BOB, "{'t':'hello','protocol':3}");
    expect_sign_in_refused(driver, BOB, "ada", "not her password");
    connect_newcomer_on_full_disk(driver);
    driver_pass_time(driver, 1000);
    expect_sign_in_refused(driver, NEWCOMER, "ada", "not her password");
    driver_pass_time(driver, 2000);
    assert_string_equal(
        driver_read_text(try_to_sign_in(driver, NEWCOMER, "ada", "password of ada"), "result"),
        "in");
    make_room_on_disk(driver);
    (void)driver_send(driver, BOB, "{'t':'hello','protocol':3}");
    expect_sign_in_refused(driver, BOB, "ada", "not her password");
    expect_sign_in_delayed(driver, BOB, "ada", 0);
    driver_pass_time(driver, 1000); /* Bob's wrong guess counts as the first one in a row, so it
                                       delays him for only a second */
    assert_non_null(try_to_sign_in(driver, BOB, "ada", "password of ada"));
}

static void a_core_started_on_a_full_disk_delays_sign_ins_to_every_account(void **state)
{
    struct driver *driver = *state;
    driver_sign_up(driver, ADA, "ada");
    set_writes_allowed(false);
    driver_restart_core(driver);
    driver_connect(driver, NEWCOMER, PEER_SESSION);
    (void)driver_send(driver, NEWCOMER, "{'t':'hello','protocol':3}");
    assert_null(driver_request(driver, NEWCOMER, "{'t':'sign_in','method':'guest'}"));
    (void)driver_send(
        driver, NEWCOMER,
        "{'t':'hello','protocol':3}"); /* the newcomer's session learns that the disk is full */
    int64_t longest_s = driver->config.door_backoff_max_s;
    expect_sign_in_delayed(driver, NEWCOMER, "ada", longest_s);
    driver_pass_time(driver, 1000 * longest_s);
    expect_sign_in_refused(driver, NEWCOMER, "ada", "not her password");
    expect_sign_in_delayed(driver, NEWCOMER, "ada", longest_s - 1);
    driver_pass_time(driver, 1000 * longest_s);
    assert_string_equal(
        driver_read_text(try_to_sign_in(driver, NEWCOMER, "ada", "password of ada"), "result"),
        "in");
    assert_int_equal(driver->result, HOUSE_OK);
}

static void an_authenticator_code_refused_on_a_full_disk_is_accepted_once_afterwards(void **state)
{
    struct driver *driver = *state;
    char secret[64], code[DRIVER_CODE_SIZE];
    driver_sign_up(driver, ADA, "ada");
    driver_ok(driver, ADA, "{'t':'step_up','password':'password of ada'}");
    (void)snprintf(secret, sizeof(secret), "%s",
                   driver_read_text(driver_ok(driver, ADA, "{'t':'totp_begin'}"), "secret"));
    driver_ok(driver, ADA, "{'t':'totp_confirm','totp':'%s'}",
              driver_make_authenticator_code(driver, secret, 0, code));
    (void)driver_make_authenticator_code(driver, secret, 1, code);
    connect_newcomer_on_full_disk(driver);
    say_hello_again(driver, ADA);
    driver_no(driver, ADA, "read_only", "{'t':'step_up','totp':'%s'}", code);
    check_nothing_was_written(driver);
    make_room_on_disk(driver);
    say_hello_again(driver, ADA);
    driver_ok(driver, ADA, "{'t':'step_up','totp':'%s'}", code);
    driver_no(driver, ADA, "denied", "{'t':'step_up','totp':'%s'}", code);
}

static void a_recovery_code_refused_on_a_full_disk_works_afterwards(void **state)
{
    struct driver *driver = *state;
    char code[64];
    driver_connect(driver, ADA, PEER_SESSION);
    (void)driver_send(driver, ADA, "{'t':'hello','protocol':3}");
    driver_ok(driver, ADA, "{'t':'sign_in','method':'key','name':'ada'," KEY "}");
    const json_t *answer = driver_ok(driver, ADA, "{'t':'sign_up','name':'ada'}");
    (void)snprintf(code, sizeof(code), "%s",
                   driver_read_text(json_object_get(answer, "you"), "recovery"));
    connect_newcomer_on_full_disk(driver);
    assert_string_equal(driver_read_text(try_to_sign_in(driver, NEWCOMER, "ada", code), "code"),
                        "read_only");
    check_nothing_was_written(driver);
    make_room_on_disk(driver);
    (void)driver_send(driver, NEWCOMER, "{'t':'hello','protocol':3}");
    assert_string_equal(driver_read_text(try_to_sign_in(driver, NEWCOMER, "ada", code), "result"),
                        "in");
}

static void on_a_full_disk_newcomers_are_told_that_no_account_can_be_created(void **state)
{
    struct driver *driver = *state;
    connect_newcomer_on_full_disk(driver);
    driver_ok(driver, NEWCOMER, "{'t':'sign_in','method':'key','name':'bob'," KEY "}");
    assert_string_equal(driver_read_text(driver_newest_message(driver, NEWCOMER, "notice"), "kind"),
                        "warn");
    driver_ok(driver, NEWCOMER, "{'t':'name_check','name':'bob'}");
    driver_no(driver, NEWCOMER, "read_only", "{'t':'sign_up','name':'bob'}");
    driver_no(driver, NEWCOMER, "read_only", "{'t':'code_use','code':'BCDF-GHJK'}");
    check_nothing_was_written(driver);
    make_room_on_disk(driver);
    (void)driver_send(driver, NEWCOMER, "{'t':'hello','protocol':3}");
    driver_ok(driver, NEWCOMER, "{'t':'sign_up','name':'bob'}");
}

static void somebody_banned_can_appeal_once_the_disk_has_room(void **state)
{
    struct driver *driver = *state;
    struct storage_account ada;
    int64_t id = 0;
    driver_sign_up(driver, ADA, "ada");
    driver_disconnect(driver, ADA);
    assert_int_equal(storage_account_by_name(driver->storage, "ada", &ada), STORAGE_OK);
    const struct storage_sanction ban = {.kind = STORAGE_SANCTION_BAN,
                                         .account = ada.id,
                                         .name = "ada",
                                         .reason = "cheating",
                                         .by_name = "max",
                                         .until_ms = STORAGE_SANCTION_FOR_GOOD};
    assert_int_equal(storage_sanction_add(driver->storage, &ban, &id), STORAGE_OK);
    driver_commit(driver);
    driver_restart_core(driver);
    connect_newcomer_on_full_disk(driver);
    assert_string_equal(
        driver_read_text(try_to_sign_in(driver, NEWCOMER, "ada", "password of ada"), "code"),
        "banned");
    assert_string_equal(
        driver_read_text(try_to_sign_in(driver, NEWCOMER, "ada", "appeal why?"), "code"),
        "read_only");
    check_nothing_was_written(driver);
}

#define FULL_TEST(test)                                                                            \
    cmocka_unit_test_setup_teardown(test, driver_setup, make_room_on_disk_and_tear_down)

TEST_GROUP(read_only)
{
    /* Makes a write beyond the limit fail instead of ending the process. */
    (void)signal(SIGXFSZ, SIG_IGN);
    const struct CMUnitTest tests[] = {
        FULL_TEST(when_the_disk_fills_nothing_is_sent_but_a_request_to_resync),
        FULL_TEST(while_the_disk_is_full_nothing_can_be_changed),
        FULL_TEST(while_the_disk_is_full_everything_can_be_read),
        FULL_TEST(clocks_stand_still_while_the_disk_is_full),
        FULL_TEST(when_the_disk_has_room_again_everything_continues),
        FULL_TEST(it_is_stored_later_that_somebody_left_while_the_disk_was_full),
        FULL_TEST(the_house_can_start_on_a_full_disk),
        FULL_TEST(accounts_can_sign_in_while_the_disk_is_full),
        FULL_TEST(a_sign_in_with_a_key_works_on_a_full_disk_and_its_address_is_stored_later),
        FULL_TEST(guests_get_unique_names_while_the_disk_is_full),
        FULL_TEST(people_who_signed_in_on_a_full_disk_stay_signed_in_while_it_is_still_full),
        FULL_TEST(people_who_signed_in_on_a_full_disk_must_sign_in_again_after_a_crash),
        FULL_TEST(wrong_passwords_cause_delays_during_and_after_a_full_disk),
        FULL_TEST(the_right_password_also_ends_delays_imposed_while_the_disk_was_full),
        FULL_TEST(a_core_started_on_a_full_disk_delays_sign_ins_to_every_account),
        FULL_TEST(an_authenticator_code_refused_on_a_full_disk_is_accepted_once_afterwards),
        FULL_TEST(a_recovery_code_refused_on_a_full_disk_works_afterwards),
        FULL_TEST(on_a_full_disk_newcomers_are_told_that_no_account_can_be_created),
        FULL_TEST(somebody_banned_can_appeal_once_the_disk_has_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
