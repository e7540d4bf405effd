#include "tests/lobby/evening_messages.h"

#include "games/game.h"
#include "lobby/house/parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define KEY                                                                                        \
    "{'type':'ssh-ed25519','fingerprint':'SHA256:BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB'}"

/* Each function from here on prepares the house for a message, so that the message has an
 * effect. */

static void connect_newcomer(struct driver *driver)
{
    driver_connect_session(driver, NEWCOMER);
}

static void sign_kim_in_query_only(struct driver *driver)
{
    connect_newcomer(driver);
    driver_ok(driver, NEWCOMER,
              "{'t':'sign_in','method':'password','name':'kim','password':'password of kim',"
              "'asks':true}");
}

static void sign_up_newcomer(struct driver *driver)
{
    connect_newcomer(driver);
    driver_ok(driver, NEWCOMER, "{'t':'sign_in','method':'password','name':'','password':''}");
    driver_ok(driver, NEWCOMER, "{'t':'sign_up','name':'pat','password':'password of pat'}");
}

static void confirm_bobs_identity(struct driver *driver)
{
    driver_ok(driver, BOB, "{'t':'step_up','password':'password of bob'}");
}

/* a code that Bob was given to add a key; a person with a new key types it */
static char code[64];

static void make_bobs_code_for_adding_key(struct driver *driver)
{
    confirm_bobs_identity(driver);
    const json_t *answer = driver_ok(driver, BOB, "{'t':'key_add'}");
    (void)snprintf(code, sizeof(code), "%s", driver_read_text(answer, "code"));
    connect_newcomer(driver);
    driver_ok(driver, NEWCOMER, "{'t':'sign_in','method':'key','name':'','key':" KEY "}");
}

static void add_second_key_to_bob(struct driver *driver)
{
    make_bobs_code_for_adding_key(driver);
    driver_ok(driver, NEWCOMER, "{'t':'code_use','code':'%s'}", code);
}

static void allow_vacations(struct driver *driver)
{
    driver_ok(driver, ADA, "{'t':'mod','line':'enable vacation'}");
}

static void fill_eves_table(struct driver *driver)
{
    driver_ok(driver, EVE, "{'t':'bot_add','policy':'easy'}");
}

static void enter_open_table_as_ada(struct driver *driver)
{
    driver_ok(driver, ADA, "{'t':'table_enter','table':" EVENING_OPEN ",'password':'sesame'}");
}

static void ask_for_rematch(struct driver *driver)
{
    static const int64_t both[] = {UMA, JON};
    for (size_t i = 0; i < ARRAY_LEN(both); i++) {
        driver_ok(driver, both[i], "{'t':'table_enter','table':" EVENING_RATED "}");
        driver_ok(driver, both[i], "{'t':'seat_take'}");
    }
    driver_ok(driver, JON, "{'t':'rematch'}");
}

static void let_bot_play_for_cyd(struct driver *driver)
{
    driver->config.play_absent_grace_s = 5;
    driver_pass_time(driver, 4 * 3600000); /* time passes without a move, so a bot plays for cyd */
}

static void begin_set_up_of_adas_authenticator(struct driver *driver)
{
    char digits[DRIVER_CODE_SIZE];
    const json_t *answer = driver_ok(driver, ADA, "{'t':'totp_begin'}");
    (void)snprintf(
        code, sizeof(code), "%s",
        driver_make_authenticator_code(driver, driver_read_text(answer, "secret"), 0, digits));
}

static void set_up_adas_authenticator(struct driver *driver)
{
    begin_set_up_of_adas_authenticator(driver);
    driver_ok(driver, ADA, "{'t':'totp_confirm','totp':'%s'}", code);
}

static void send_test_call_to_umas_webhook(struct driver *driver)
{
    driver_ok(driver, UMA, "{'t':'hook_test'}");
    (void)snprintf(code, sizeof(code), "%" PRId64,
                   driver_read_number(driver_newest_message(driver, HOOK, "post"), "job"));
}

static void request_backup_as_ada(struct driver *driver)
{
    (void)driver_request(driver, ADA, "{'t':'mod','line':'backup'}");
    (void)snprintf(code, sizeof(code), "%" PRId64,
                   driver_read_number(driver_newest_message(driver, KEEPER, "backup"), "job"));
}

/* Bob and Cyd play until the bot has moved; the driver chooses the bot's move. */
static void play_until_bot_moved(struct driver *driver)
{
    static const int64_t both[] = {BOB, CYD};
    assert_true(driver_play_moves(driver, both, 2, 6) > 0);
}

static const struct evening_message messages[] = {
    {"hello", BOB, "'protocol':3,'lobby':true", NULL, false},
    {"key_check", NEWCOMER, "'name':'bob','key':" KEY, connect_newcomer, true},
    {"sign_in", NEWCOMER, "'method':'password','name':'kim','password':'password of kim'",
     connect_newcomer, false},
    {"sign_in", NEWCOMER, "'method':'guest'", connect_newcomer, false},
    {"sign_in", NEWCOMER, "'method':'password','name':'bob','password':'wrong'", connect_newcomer,
     true},
    {"name_check", VISITOR, "'name':'pat'", NULL, false},
    {"sign_up", VISITOR, "'name':'pat','password':'password of pat'", NULL, false},
    {"code_use", NEWCOMER, "'code':'%s'", make_bobs_code_for_adding_key, false},
    {"come_in", NEWCOMER, "'as':null", sign_kim_in_query_only, false},
    {"come_in", NEWCOMER, "'as':'program'", sign_kim_in_query_only, false},
    {"say", BOB, "'to':'lobby','kind':'say','text':'again'", NULL, false},
    {"say", CYD, "'to':'table','kind':'me','text':'thinks'", NULL, false},
    {"say", BOB, "'to':'#tea','kind':'say','text':'no milk'", NULL, true},
    {"tell", BOB, "'to':'eve','text':'psst'", NULL, false},
    {"tell", BOB, "'to':'kim','text':'where are you'", NULL, false},
    {"tell", BOB, "'to':'uma','text':'later then'", NULL, false},
    {"tells_read", NEWCOMER, "'x':1", sign_kim_in_query_only, false},
    {"presence", BOB, "'kind':'away','text':'tea'", NULL, false},
    {"presence", UMA, "'kind':'here','text':''", NULL, false},
    {"friend_add", EVE, "'name':'bob'", NULL, false},
    {"friend_remove", UMA, "'name':'bob'", NULL, false},
    {"friends", UMA, "'x':1", NULL, false},
    {"join", EVE, "'channel':'#tea'", NULL, false},
    {"part", UMA, "'channel':'#tea'", NULL, false},
    {"channels", UMA, "'x':1", NULL, false},
    {"decline", CYD, "'x':1", NULL, false},
    {"why", CYD, "'table':6", NULL, false},
    {"table_open", ADA, "'game':'%g','players':3,'options':{},'clock':{'kind':'none'}", NULL,
     false},
    {"table_open", CYD,
     "'game':'%g','players':3,'options':{},'clock':{'kind':'days','days':2},"
     "'fit':{'rating_min':1000,'rating_max':0,'finished_min':0}",
     NULL, true},
    {"learn", ADA, "'game':'%g'", NULL, false},
    {"quick", ADA, "'game':'%g'", NULL, false},
    {"table_enter", ADA, "'table':3", NULL, false},
    {"table_leave", BOB, "'x':1", NULL, false},
    {"table_leave", EVE, "'x':1", NULL, false},
    {"table_leave", MAX, "'x':1", NULL, false},
    {"table_set", EVE, "'clock':{'kind':'bank','bank_s':300,'increment_s':5}", NULL, false},
    {"table_set", EVE, "'players':3", NULL, true},
    {"table_set", EVE, "'watch':{'policy':'none','talk':'off'}", NULL, false},
    {"table_pace", EVE, "'pace':'quick'", NULL, false},
    {"table_lock", EVE, "'password':null", NULL, false},
    {"table_start", EVE, "'x':1", fill_eves_table, false},
    {"seat_take", ADA, "'x':1", enter_open_table_as_ada, false},
    {"seat_leave", GUS, "'x':1", NULL, false},
    {"seat_leave", BOB, "'for_good':true", NULL, false},
    {"seat_leave", EVE, "'x':1", NULL, false},
    {"table_close", EVE, "'x':1", NULL, false},
    {"past", MAX, "'x':1", NULL, true},
    {"bot_add", EVE, "'policy':'medium'", NULL, false},
    {"bot_remove", EVE, "'seat':1", NULL, false},
    {"move", BOB, "'table':3,'step':0,'move':'x'", play_until_bot_moved, true},
    {"claim", BOB, "'step':0", NULL, true},
    {"claim_answer", CYD, "'accept':true", NULL, true},
    {"seat_back", CYD, "'x':1", let_bot_play_for_cyd, false},
    {"pause", BOB, "'x':1", NULL, false},
    {"adjourn", CYD, "'x':1", NULL, false},
    {"resume", HAL, "'x':1", NULL, false},
    {"vacation", JON, "'days':3", allow_vacations, false},
    {"rematch", UMA, "'x':1", ask_for_rematch, false},
    {"leaders", BOB, "'game':'%g','offset':0,'count':10", NULL, false},
    {"profile", BOB, "'name':'uma'", NULL, false},
    {"assess", BOB, "'x':1", NULL, false},
    {"games", UMA, "'count':5", NULL, false},
    {"best", BOB, "'x':1", NULL, false},
    {"lobby_watch", BOB, "'x':1", NULL, false},
    {"people", BOB, "'x':1", NULL, false},
    {"tables", BOB, "'x':1", NULL, false},
    {"record", ADA, "'game_id':1", NULL, false},
    {"review_open", ADA, "'game_id':2", NULL, false},
    {"review_follow", ADA, "'name':'guest-2'", NULL, false},
    {"review_go", GUS, "'step':3,'seat':1", NULL, false},
    {"review_hand", GUS, "'name':'uma'", NULL, false},
    {"review_leave", GUS, "'x':1", NULL, false},
    {"settings_set", EVE,
     "'settings':{'bell':true,'quiet':{'from_min':60,'to_min':300,"
     "'offset_min':0}}",
     NULL, false},
    {"settings_set", JON, "'settings':{'quiet':{'from_min':60,'to_min':700,'offset_min':0}}", NULL,
     false},
    {"password_set", BOB, "'old':'password of bob','password':'another password'", NULL, false},
    {"keys", BOB, "'x':1", add_second_key_to_bob, false},
    {"key_add", BOB, "'x':1", confirm_bobs_identity, false},
    {"key_remove", BOB, "'key':'1'", add_second_key_to_bob, false},
    {"step_up", BOB, "'password':'password of bob'", NULL, false},
    {"totp_begin", ADA, "'x':1", NULL, false},
    {"totp_confirm", ADA, "'totp':'%s'", begin_set_up_of_adas_authenticator, false},
    {"totp_end", ADA, "'x':1", set_up_adas_authenticator, false},
    {"bot_account", NEWCOMER, "'x':1", sign_up_newcomer, false},
    {"hook", UMA, "'x':1", NULL, false},
    {"hook_set", EVE, "'url':'https://example.org/eve'", NULL, false},
    {"hook_set", UMA, "'events':['turn','over','live']", NULL, false},
    {"hook_set", UMA, "'url':null", NULL, false},
    {"hook_test", UMA, "'x':1", NULL, false},
    {"registration", BOB, "'x':1", NULL, false},
    {"mod", BOB, "'line':'report eve other x'", NULL, false},
    {"ping", BOB, "'x':1", NULL, false},
    {"held", MAX, "'x':1", NULL, false},
    {"reload_refused", KEEPER, "'why':'line 3'", NULL, false},
    {"backed_up", KEEPER, "'job':%s,'path':'/somewhere'", request_backup_as_ada, false},
    {"bot_move", DRIVER_BOT, "'table':3,'seat':2,'step':0,'move':'x'", play_until_bot_moved, false},
    {"hashed", DRIVER_AUTH, "'job':0,'hash':'x'", sign_up_newcomer, false},
    {"checked", DRIVER_AUTH, "'job':0,'is_right':true", sign_kim_in_query_only, false},
    {"posted", HOOK, "'job':%s,'status':204", send_test_call_to_umas_webhook, false},
    {"posted", HOOK, "'job':%s,'status':500", send_test_call_to_umas_webhook, false},
    {"connection", DRIVER_GATE, "'conn':12,'signed_in':true", NULL, false},
    {"connections_end", DRIVER_GATE, "'x':1", NULL, false},
};

const struct evening_message *evening_message_at(size_t index)
{
    return index < ARRAY_LEN(messages) ? &messages[index] : NULL;
}

static void replace_placeholder(char *text, size_t size, const char *placeholder, const char *value)
{
    char rest[1024];
    char *at = strstr(text, placeholder);
    if (at != NULL) {
        (void)snprintf(rest, sizeof(rest), "%s", at + strlen(placeholder));
        (void)snprintf(at, size - (size_t)(at - text), "%s%s", value, rest);
    }
}

static bool is_from_person(const struct evening_message *sent)
{
    return sent->conn >= DRIVER_FIRST && sent->conn != KEEPER && sent->conn != HOOK &&
           strcmp(sent->type, "hello") != 0;
}

/* Sends the message; returns false when the answer is not the expected one. */
static bool send_and_check_answer(struct driver *driver, const struct evening_message *sent,
                                  const char *title)
{
    char text[1024];
    (void)snprintf(text, sizeof(text), "{'t':'%s',%s}", sent->type, sent->fields);
    replace_placeholder(text, sizeof(text), "%s", code);
    replace_placeholder(text, sizeof(text), "%g", game_at(0)->id);
    if (!is_from_person(sent)) {
        return driver_send(driver, sent->conn, "%s", text) == HOUSE_OK;
    }
    const json_t *answer = driver_request(driver, sent->conn, "%s", text);
    bool is_ok = strcmp(driver_read_text(answer, "t"), "ok") == 0 || sent->may_be_refused;
    if (!is_ok && title != NULL) {
        print_error("%s: %s\n", title, driver_read_text(answer, "why"));
    }
    return is_ok;
}

bool evening_message_send(struct driver *driver, const struct evening_message *message,
                          const char *title)
{
    code[0] = '\0';
    if (message->prepare != NULL) {
        message->prepare(driver);
    }
    return send_and_check_answer(driver, message, title);
}
