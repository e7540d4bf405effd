#include "games/game.h"
#include "lobby/house/parts.h"
#include "tests/environment.h"
#include "tests/lobby/data_dump.h"
#include "tests/lobby/evening.h"
#include "tests/lobby/table_driver.h"
#include "tests/unit.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Each request of messages.def is made twice in a house full of people. In the first run the client
 * gets the answer. In the second run the core dies after the commit, before it sends the answer,
 * and the client repeats the request to the next core. Both runs must give the same answer and the
 * same data, to the byte. Add each new message here.
 */

#define FIELDS_SIZE 512

struct request_case {
    const char *type;
    int64_t conn;
    const char *fields; /* the request's fields as JSON, with ' for " and without the braces; NULL:
                           `prepare` writes them */
    void (*prepare)(struct driver *driver, char request_fields[FIELDS_SIZE]);
};

static void connect_newcomer(struct driver *driver, char request_fields[FIELDS_SIZE])
{
    (void)request_fields;
    driver_clear_inbox(driver, NEWCOMER);
    driver_connect_session(driver, NEWCOMER);
}

static void enter_unregistered_with_key(struct driver *driver, char request_fields[FIELDS_SIZE])
{
    connect_newcomer(driver, request_fields);
    driver_ok(driver, NEWCOMER,
              "{'t':'sign_in','method':'key','name':'newbie',"
              "'key':{'type':'ssh-ed25519','fingerprint':'SHA256:newbie'}}");
}

static void confirm_umas_identity(struct driver *driver, char request_fields[FIELDS_SIZE])
{
    (void)request_fields;
    driver_ok(driver, UMA, "{'t':'step_up','password':'password of uma'}");
}

static void enter_unregistered_with_code(struct driver *driver, char request_fields[FIELDS_SIZE])
{
    confirm_umas_identity(driver, request_fields);
    const json_t *code = driver_ok(driver, UMA, "{'t':'key_add'}");
    (void)snprintf(request_fields, FIELDS_SIZE, "'code':'%s'", driver_read_text(code, "code"));
    enter_unregistered_with_key(driver, request_fields);
}

static void sign_up_with_key(struct driver *driver, char request_fields[FIELDS_SIZE])
{
    enter_unregistered_with_key(driver, request_fields);
    driver_ok(driver, NEWCOMER, "{'t':'sign_up','name':'newbie','password':'of the newbie'}");
    driver_ok(driver, NEWCOMER, "{'t':'step_up','password':'of the newbie'}");
}

/* Has staff make a recovery code for Uma and writes the fields of a sign-in with this code. In the
 * answer's text the code has the only dash, after its first four letters. */
static void make_recovery_code_for_uma(struct driver *driver, char request_fields[FIELDS_SIZE])
{
    const json_t *answer = driver_ok(driver, ADA, "{'t':'mod','line':'recover uma'}");
    const char *dash =
        strchr(json_string_value(json_array_get(json_object_get(answer, "lines"), 0)), '-');
    assert_non_null(dash);
    (void)snprintf(request_fields, FIELDS_SIZE,
                   "'method':'password','name':'uma','password':'%.19s'", dash - 4);
    connect_newcomer(driver, request_fields);
}

static void sign_in_query_only(struct driver *driver, char request_fields[FIELDS_SIZE])
{
    connect_newcomer(driver, request_fields);
    driver_ok(driver, NEWCOMER,
              "{'t':'sign_in','method':'password','name':'kim','password':'password of kim',"
              "'asks':true}");
}

static void free_seat_at_locked_table(struct driver *driver, char request_fields[FIELDS_SIZE])
{
    (void)request_fields;
    driver_ok(driver, UMA, "{'t':'table_leave'}");
    driver_ok(driver, UMA, "{'t':'table_enter','table':" EVENING_OPEN ",'password':'sesame'}");
}

static void fill_locked_table(struct driver *driver, char request_fields[FIELDS_SIZE])
{
    (void)request_fields;
    driver_ok(driver, EVE, "{'t':'bot_add','policy':'medium'}");
}

static void write_fields_of_legal_move(struct driver *driver, char request_fields[FIELDS_SIZE])
{
    for (int i = 0; i < 100; i++) {
        const json_t *message = driver_newest_message(driver, BOB, "view");
        const json_t *view = json_object_get(message, "view");
        const char *move = json_string_value(json_array_get(json_object_get(view, "legal"), 0));
        if (move != NULL) {
            (void)snprintf(request_fields, FIELDS_SIZE,
                           "'table':" EVENING_RUN ",'step':%" PRId64 ",'move':'%s'",
                           driver_read_number(view, "step"), move);
            return;
        }
        (void)driver_play_moves(driver, (const int64_t[]){CYD}, 1, 1);
    }
    fail_msg("it was never bob's turn");
}

static void write_fields_of_claim(struct driver *driver, char request_fields[FIELDS_SIZE])
{
    (void)snprintf(request_fields, FIELDS_SIZE, "'step':%" PRId64,
                   table_play_until_claim(driver, (const int64_t[]){BOB, CYD}, 2));
}

static void claim_as_bob(struct driver *driver, char request_fields[FIELDS_SIZE])
{
    char claim[FIELDS_SIZE];
    (void)request_fields;
    write_fields_of_claim(driver, claim);
    driver_ok(driver, BOB, "{'t':'claim',%s}", claim);
}

static void let_bot_play_for_bob(struct driver *driver, char request_fields[FIELDS_SIZE])
{
    (void)request_fields;
    for (int i = 0; i < 100; i++) {
        const json_t *seats = json_object_get(driver_newest_message(driver, BOB, "table"), "seats");
        const json_t *you = json_object_get(driver_newest_message(driver, BOB, "table"), "you");
        const json_t *seat = json_array_get(seats, (size_t)json_integer_value(you));
        if (json_is_true(json_object_get(seat, "played_by_bot"))) {
            return;
        }
        (void)driver_play_moves(driver, (const int64_t[]){CYD}, 1, 1);
        driver_pass_time(driver, 1800000);
    }
    fail_msg("no bot plays for bob");
}

static void wait_until_slow_mode_permits_chat(struct driver *driver,
                                              char request_fields[FIELDS_SIZE])
{
    (void)request_fields;
    driver_pass_time(driver, 5000);
}

static void allow_vacations(struct driver *driver, char request_fields[FIELDS_SIZE])
{
    (void)request_fields;
    driver_ok(driver, ADA, "{'t':'mod','line':'enable vacation'}");
}

static void sit_at_the_finished_table(struct driver *driver, char request_fields[FIELDS_SIZE])
{
    (void)request_fields;
    driver_ok(driver, UMA, "{'t':'seat_take'}");
}

static void hand_over_replay_lead(struct driver *driver, char request_fields[FIELDS_SIZE])
{
    (void)request_fields;
    driver_ok(driver, EVE, "{'t':'review_follow','name':'guest-2'}");
}

static void begin_set_up_of_umas_authenticator(struct driver *driver,
                                               char request_fields[FIELDS_SIZE])
{
    char code[DRIVER_CODE_SIZE];
    confirm_umas_identity(driver, request_fields);
    const json_t *begun = driver_ok(driver, UMA, "{'t':'totp_begin'}");
    (void)snprintf(
        request_fields, FIELDS_SIZE, "'totp':'%s'",
        driver_make_authenticator_code(driver, driver_read_text(begun, "secret"), 0, code));
}

static void set_up_umas_authenticator(struct driver *driver, char request_fields[FIELDS_SIZE])
{
    begin_set_up_of_umas_authenticator(driver, request_fields);
    driver_ok(driver, UMA, "{'t':'totp_confirm',%s}", request_fields);
}

static void write_authenticator_code_of_later_step(struct driver *driver,
                                                   char request_fields[FIELDS_SIZE])
{
    set_up_umas_authenticator(driver, request_fields);
    driver->now_ms += 60000;
    char *end = NULL;
    char *digits = strchr(request_fields, ':') +
                   3; /* skips the colon, the quote and the code's letter; the time step follows */
    long long step = strtoll(digits, &end, 10);
    (void)snprintf(digits, FIELDS_SIZE - (size_t)(digits - request_fields), "%lld'", step + 2);
}

static const struct request_case requests[] = {
    {"key_check", NEWCOMER,
     "'name':'uma','key':{'type':'ssh-ed25519','fingerprint':'SHA256:nobody'}", connect_newcomer},
    {"sign_in", NEWCOMER, "'method':'guest'", connect_newcomer},
    {"sign_in", NEWCOMER, "'method':'password','name':'kim','password':''", connect_newcomer},
    {"sign_in", NEWCOMER, "'method':'password','name':'kim','password':'password of kim'",
     connect_newcomer},
    {"sign_in", NEWCOMER, "'method':'password','name':'kim','password':'not that of kim'",
     connect_newcomer},
    {"sign_in", NEWCOMER, NULL, make_recovery_code_for_uma},
    {"name_check", VISITOR, "'name':'newbie'", NULL},
    {"sign_up", VISITOR, "'name':'newbie','password':'of the newbie'", NULL},
    {"sign_up", NEWCOMER, "'name':'newbie'", enter_unregistered_with_key},
    {"code_use", NEWCOMER, NULL, enter_unregistered_with_code},
    {"come_in", NEWCOMER, "'as':'person'", sign_in_query_only},
    {"say", BOB, "'to':'lobby','kind':'say','text':'once'", NULL},
    {"say", CYD, "'to':'table','kind':'me','text':'says it once'", NULL},
    {"say", UMA, "'to':'#tea','kind':'say','text':'once'", wait_until_slow_mode_permits_chat},
    {"tell", EVE, "'to':'bob','text':'once'", NULL},
    {"tell", EVE, "'to':'kim','text':'once more'", NULL},
    {"tells_read", NEWCOMER, "'x':0", sign_in_query_only},
    {"presence", BOB, "'kind':'dnd','text':'thinking'", NULL},
    {"friend_add", EVE, "'name':'bob'", NULL},
    {"friend_remove", UMA, "'name':'bob'", NULL},
    {"friends", UMA, "'x':0", NULL},
    {"join", EVE, "'channel':'#tea'", NULL},
    {"part", UMA, "'channel':'#tea'", NULL},
    {"channels", UMA, "'x':0", NULL},
    {"decline", CYD, "'x':0", NULL},
    {"why", UMA, "'table':" EVENING_OPEN, NULL},
    {"table_open", JON, NULL, NULL}, /* write_request_fields writes these fields */
    {"quick", JON, NULL, NULL},      /* write_request_fields writes these fields */
    {"learn", JON, NULL, NULL},
    {"table_enter", JON, "'table':" EVENING_RUN, NULL},
    {"table_leave", UMA, "'x':0", NULL},
    {"table_leave", GUS, "'x':0", NULL},
    {"table_set", EVE, "'clock':{'kind':'bank','bank_s':600,'increment_s':5}", NULL},
    {"table_close", EVE, "'x':0", NULL},
    {"table_pace", EVE, "'pace':'slow'", NULL},
    {"table_lock", EVE, "'password':null", NULL},
    {"table_start", EVE, "'x':0", fill_locked_table},
    {"seat_take", UMA, "'x':0", free_seat_at_locked_table},
    {"seat_leave", GUS, "'x':0", NULL},
    {"seat_leave", BOB, "'for_good':true", NULL},
    {"bot_add", EVE, "'policy':'medium'", NULL},
    {"bot_remove", EVE, "'seat':1", NULL},
    {"move", BOB, NULL, write_fields_of_legal_move},
    {"claim", BOB, NULL, write_fields_of_claim},
    {"claim_answer", CYD, "'accept':true", claim_as_bob},
    {"seat_back", BOB, "'x':0", let_bot_play_for_bob},
    {"pause", BOB, "'x':0", NULL},
    {"adjourn", BOB, "'x':0", NULL},
    {"resume", HAL, "'x':0", NULL},
    {"vacation", JON, "'days':2", allow_vacations},
    {"rematch", UMA, "'x':0", sit_at_the_finished_table},
    {"leaders", UMA, NULL, NULL}, /* write_request_fields writes these fields */
    {"profile", UMA, "'name':'bob'", NULL},
    {"assess", BOB, "'x':0", NULL},
    {"games", UMA, "'count':10", NULL},
    {"best", UMA, "'x':0", NULL},
    {"lobby_watch", UMA, "'people':{}", NULL},
    {"people", UMA, "'first':0", NULL},
    {"tables", UMA, "'first':0", NULL},
    {"record", UMA, "'game_id':1", NULL},
    {"past", MAX, "'x':0", NULL},
    {"review_open", JON, "'game_id':1", NULL},
    {"review_follow", EVE, "'name':'guest-2'", NULL},
    {"review_go", GUS, "'step':1,'seat':null", NULL},
    {"review_hand", GUS, "'name':'uma'", NULL},
    {"review_leave", GUS, "'x':0", hand_over_replay_lead},
    {"settings_set", BOB, "'settings':{'theme':'mono'}", NULL},
    {"password_set", UMA, "'old':'password of uma','password':'another for uma'", NULL},
    {"password_set", UMA, "'old':'not that of uma','password':'another for uma'", NULL},
    {"keys", NEWCOMER, "'x':0", sign_up_with_key},
    {"key_add", UMA, "'x':0", confirm_umas_identity},
    {"key_remove", NEWCOMER, "'key':'1'", sign_up_with_key},
    {"step_up", UMA, "'password':'password of uma'", NULL},
    {"step_up", UMA, "'password':'not that of uma'", NULL},
    {"step_up", UMA, NULL, write_authenticator_code_of_later_step},
    {"totp_begin", UMA, "'x':0", confirm_umas_identity},
    {"totp_confirm", UMA, NULL, begin_set_up_of_umas_authenticator},
    {"totp_end", UMA, "'x':0", set_up_umas_authenticator},
    {"bot_account", NEWCOMER, "'x':0", sign_up_with_key},
    {"hook", UMA, "'x':0", NULL},
    {"hook_set", UMA, "'url':'https://example.org/once'", NULL},
    {"hook_set", UMA, "'events':['turn']", NULL},
    {"hook_set", UMA, "'url':null", NULL},
    {"hook_test", UMA, "'x':0", NULL},
    {"registration", UMA, "'x':0", NULL},
    {"mod", EVE, "'line':'ignore bob'", NULL},
    {"mod", EVE, "'line':'report cyd spam cards'", NULL},
    {"mod", MAX, "'line':'mute bob 1d loud'", NULL},
    {"mod", MAX, "'line':'whois uma'", NULL},
    {"mod", MAX, "'line':'log lobby'", NULL},
    {"mod", ADA, "'line':'recover uma'", NULL},
    {"mod", ADA, "'line':'yes delete uma why'", NULL},
    {"mod", UMA, "'line':'motd'", NULL},
    {"ping", UMA, "'x':0", NULL},
    {"held", MAX, "'x':0", NULL},
};

/* Writes the fields of the request; for some types of requests they include the name of a game. */
static void write_request_fields(const struct request_case *request,
                                 char request_fields[FIELDS_SIZE])
{
    if (strcmp(request->type, "table_open") == 0) {
        (void)snprintf(request_fields, FIELDS_SIZE,
                       "'game':'%s','players':3,'options':{},'clock':{'kind':'none'}",
                       game_at(0)->id);
    } else if (strcmp(request->type, "quick") == 0 || strcmp(request->type, "learn") == 0) {
        (void)snprintf(request_fields, FIELDS_SIZE, "'game':'%s'", game_at(0)->id);
    } else if (strcmp(request->type, "leaders") == 0) {
        (void)snprintf(request_fields, FIELDS_SIZE, "'game':'%s','offset':0,'count':10",
                       game_at(0)->id);
    } else {
        (void)snprintf(request_fields, FIELDS_SIZE, "%s",
                       request->fields == NULL ? "" : request->fields);
    }
}

static unsigned find_message_flags(const char *type)
{
    static const struct {
        const char *type;
        unsigned flags;
    } messages[] = {
#define MESSAGE(type, peers, phases, flags, commands, ...) {#type, flags},
#include "lobby/protocol/messages.def"
    };
    for (size_t i = 0; i < ARRAY_LEN(messages); i++) {
        if (strcmp(messages[i].type, type) == 0) {
            return messages[i].flags;
        }
    }
    return 0;
}

/* Ends the core without warning; everybody who was connected returns to the next core. */
static void restart_core(struct driver *driver)
{
    int64_t conns[DRIVER_CONNS];
    size_t count = 0;
    const bool has_newcomer = driver_newest_message(driver, NEWCOMER, "welcome") != NULL;
    for (size_t i = 0; evening_viewer_conn_at(i) != 0; i++) {
        if (evening_viewer_conn_at(i) != NEWCOMER || has_newcomer) {
            conns[count++] = evening_viewer_conn_at(i);
        }
    }
    driver->dies_before_answer = 0;
    driver->has_died = false;
    evening_restart_core(driver, conns, count);
}

static void answer_backup_job(struct driver *driver)
{
    const json_t *job = driver_newest_message(driver, KEEPER, "backup");
    if (job != NULL) {
        (void)driver_send(driver, KEEPER, "{'t':'backed_up','job':%" PRId64 ",'path':'/backup'}",
                          driver_read_number(job, "job"));
        driver_clear_inbox(driver, KEEPER);
    }
}

/* Makes the request and restarts the core. With dies_before_answer, the first core dies before it
 * sends the answer, and the request is repeated to the next core. Returns the answer, and in
 * *stored_rows the text of all stored rows. */
static json_t *make_request_and_restart(struct driver *driver, const struct request_case *request,
                                        bool dies_before_answer, char **stored_rows)
{
    char request_fields[FIELDS_SIZE] = "";
    driver->random = 0;
    evening_restore_house(driver);
    driver_clear_inbox(driver, NEWCOMER);
    driver_clear_inbox(driver, KEEPER);
    write_request_fields(request, request_fields);
    if (request->prepare != NULL) {
        request->prepare(driver, request_fields);
    }
    const int64_t id = driver->next_id++;
    driver->dies_before_answer = dies_before_answer ? id : 0;
    assert_int_equal(driver_send(driver, request->conn, "{'t':'%s','id':%" PRId64 ",%s}",
                                 request->type, id, request_fields),
                     HOUSE_OK);
    if (!driver->has_died) {
        answer_backup_job(driver);
    }
    for (int i = 0; i < 20 && !driver->has_died && !driver_find_answer(driver, request->conn, id);
         i++) {
        driver_pass_time(driver, 50); /* a refusal may be delayed */
    }
    json_t *answer = json_deep_copy(driver_find_answer(driver, request->conn, id));
    assert_int_equal(answer == NULL, dies_before_answer);
    assert_int_equal(driver->has_died, dies_before_answer);
    restart_core(driver);
    if (dies_before_answer) {
        assert_int_equal(driver_send(driver, request->conn, "{'t':'%s','id':%" PRId64 ",%s}",
                                     request->type, id, request_fields),
                         HOUSE_OK);
        for (int i = 0; i < 20 && driver_find_answer(driver, request->conn, id) == NULL; i++) {
            answer_backup_job(driver);
            driver_pass_time(driver, 50);
        }
        answer = json_deep_copy(driver_find_answer(driver, request->conn, id));
    }
    driver->next_id = id + 100;
    *stored_rows = data_dump_all_rows(driver);
    return answer;
}

/* An authenticator's secret is not stored before its first code is typed, so each run draws another
 * secret. */
static bool has_random_answer(const struct request_case *request)
{
    return strcmp(request->type, "totp_begin") == 0;
}

/* Wrong guesses are refused; the refused request still has an effect, since the guess is
 * counted. */
static bool is_refused_request(const struct request_case *request)
{
    return strcmp(request->type, "key_check") == 0 ||
           (request->fields != NULL && strstr(request->fields, "not that of") != NULL);
}

static bool request_is_done_once(struct driver *driver, const struct request_case *request)
{
    char *once = NULL;
    char *twice = NULL;
    char title[FIELDS_SIZE];
    (void)snprintf(title, sizeof(title), "%s %s", request->type,
                   request->fields == NULL ? "" : request->fields);
    const int64_t first_id = driver->next_id;
    json_t *told = make_request_and_restart(driver, request, false, &once);
    assert_string_equal(driver_read_text(told, "t"), is_refused_request(request) ? "no" : "ok");
    driver->next_id = first_id;
    json_t *repeated = make_request_and_restart(driver, request, true, &twice);
    bool is_good = data_dumps_are_equal(once, twice, title);
    if (!has_random_answer(request) && !json_equal(told, repeated)) {
        char *a = json_dumps(told, 0);
        char *b = json_dumps(repeated, JSON_ENCODE_ANY);
        print_error("%s: the answers differ\n  once:  %s\n  twice: %s\n", title, a,
                    b == NULL ? "none" : b);
        free(a);
        free(b);
        is_good = false;
    }
    free(once);
    free(twice);
    json_decref(told);
    json_decref(repeated);
    return is_good;
}

static void
a_repeated_request_is_done_once_and_gets_the_same_answer_from_the_next_core(void **state)
{
    struct driver *driver = *state;
    const char *only = getenv("REPEATS_ONLY");
    unsigned wrong = 0;
    for (size_t i = 0; i < ARRAY_LEN(requests); i++) {
        if (only != NULL ? strcmp(only, requests[i].type) == 0 : environment_tries(i)) {
            wrong += !request_is_done_once(driver, &requests[i]);
        }
    }
    assert_int_equal(wrong, 0);
}

static void a_read_only_request_changes_nothing_and_is_not_stored(void **state)
{
    struct driver *driver = *state;
    for (size_t i = 0; i < ARRAY_LEN(requests); i++) {
        const struct request_case *request = &requests[i];
        char request_fields[FIELDS_SIZE] = "";
        if ((find_message_flags(request->type) & READS_ONLY) == 0) {
            continue;
        }
        evening_restore_house(driver);
        write_request_fields(request, request_fields);
        if (request->prepare != NULL) {
            request->prepare(driver, request_fields);
        }
        char *before = data_dump_all_rows(driver);
        size_t kept = conn_find(driver->house, request->conn)->answers.count;
        (void)driver_request(driver, request->conn, "{'t':'%s',%s}", request->type, request_fields);
        char *after = data_dump_all_rows(driver);
        assert_true(data_dumps_are_equal(before, after, request->type));
        assert_int_equal(conn_find(driver->house, request->conn)->answers.count, kept);
        free(before);
        free(after);
    }
}

static void the_test_covers_every_request(void **state)
{
    static const struct {
        const char *type;
        unsigned peers;
    } messages[] = {
#define MESSAGE(type, peers, phases, flags, commands, ...) {#type, peers},
#include "lobby/protocol/messages.def"
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(messages); i++) {
        bool is_request =
            (messages[i].peers & PEER_SESSION) != 0 && strcmp(messages[i].type, "hello") != 0;
        bool is_there = !is_request;
        for (size_t k = 0; k < ARRAY_LEN(requests); k++) {
            is_there = is_there || strcmp(requests[k].type, messages[i].type) == 0;
        }
        if (!is_there) {
            fail_msg("%s is not tested: add it here", messages[i].type);
        }
    }
}

TEST_GROUP(repeats)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_test_covers_every_request),
        cmocka_unit_test(a_read_only_request_changes_nothing_and_is_not_stored),
        cmocka_unit_test(
            a_repeated_request_is_done_once_and_gets_the_same_answer_from_the_next_core),
    };
    return cmocka_run_group_tests(tests, evening_setup, evening_teardown);
}
