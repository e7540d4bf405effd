#include "games/game.h"
#include "tests/lobby/order_driver.h"
#include "tests/unit.h"

#include <string.h>

/* Tests the moderation commands about chat, tables and the house itself. */

#define SAY(text) "{'t':'say','to':'lobby','kind':'say','text':'" text "'}"
#define OPEN "{'t':'table_open','game':'oh-hell','players':3,'options':{}}"

static void only_staff_see_a_hidden_chat_line(void **state)
{
    struct driver *driver = *state;
    driver_ok(driver, EVE, SAY("one"));
    driver_ok(driver, EVE, SAY("two"));
    driver_ok(driver, EVE, SAY("three"));
    order_ok(driver, MAX, "hide eve 2 insults");
    order_expect_audit_row(driver, "max hide eve ok");
    assert_int_equal(
        json_array_size(json_object_get(driver_newest_message(driver, BOB, "hidden"), "lines")), 2);
    order_expect_message(driver, EVE, "notice", "insults");
    driver_disconnect(driver, BOB);
    driver_clear_inbox(driver, BOB);
    driver_sign_in(driver, BOB, "bob");
    assert_int_equal(driver_count_messages(driver, BOB, "chat"), 1);
    const char *said = order_ok(driver, MAX, "log eve");
    assert_non_null(strstr(said, "three (hidden)"));
    order_expect_audit_row(driver, "max log eve ok");
    assert_non_null(strstr(order_ok(driver, MAX, "log lobby text=TWO"), "two"));
    order_no(driver, MAX, "unknown", "hide 999 insults");
    driver_ok(driver, ADA, SAY("be kind"));
    order_no(driver, MAX, "role", "hide ada orders");
    order_no(driver, MAX, "unknown", "log nobody");
}

static void staff_cannot_read_direct_messages(void **state)
{
    struct driver *driver = *state;
    driver_ok(driver, EVE, "{'t':'tell','to':'bob','text':'psst'}");
    assert_null(strstr(order_ok(driver, MAX, "log eve"), "psst"));
    const json_t *answer = driver_request(driver, MAX, "{'t':'mod','line':'log eve scope=pm'}");
    char *text = json_dumps(answer, 0);
    assert_null(strstr(text, "psst"));
    free(text);
}

static void slow_mode_limits_how_often_a_person_may_chat(void **state)
{
    struct driver *driver = *state;
    order_ok(driver, MAX, "slow lobby 30");
    order_expect_audit_row(driver, "max slow lobby ok");
    driver_ok(driver, EVE, SAY("one"));
    driver_no(driver, EVE, "wait", SAY("two"));
    driver_ok(driver, MAX, SAY("staff"));
    driver_ok(driver, MAX, SAY("staff again"));
    driver_pass_time(driver, 30000);
    driver_ok(driver, EVE, SAY("two"));
    order_ok(driver, MAX, "slow lobby 0");
    driver_ok(driver, EVE, SAY("three"));
}

static void only_staff_may_chat_in_a_frozen_channel(void **state)
{
    struct driver *driver = *state;
    order_ok(driver, MAX, "freeze lobby on");
    order_expect_audit_row(driver, "max freeze lobby ok");
    driver_no(driver, EVE, "frozen", SAY("one"));
    driver_ok(driver, MAX, SAY("calm down"));
    order_ok(driver, MAX, "freeze lobby off");
    driver_ok(driver, EVE, SAY("one"));
    driver_ok(driver, EVE, "{'t':'join','channel':'#tea'}");
    order_ok(driver, MAX, "freeze #tea on");
    driver_no(driver, EVE, "frozen", "{'t':'say','to':'#tea','kind':'say','text':'milk?'}");
    driver_ok(driver, EVE, SAY("two"));
    order_ok(driver, MAX, "freeze #tea off");
    driver_ok(driver, EVE, "{'t':'say','to':'#tea','kind':'say','text':'milk?'}");
    assert_non_null(strstr(order_ok(driver, MAX, "log #tea"), "milk?"));
    assert_null(strstr(order_ok(driver, MAX, "log lobby"), "milk?"));
    order_no(driver, MAX, "unknown", "freeze #99 on");
    order_no(driver, MAX, "bad", "freeze lobby maybe");
}

static void a_table_learns_afterwards_that_a_moderator_watched_it_unseen(void **state)
{
    struct driver *driver = *state;
    int64_t table = driver_open_table(driver, BOB, 3, 0);
    char line[64];
    driver_ok(driver, BOB, "{'t':'table_lock','password':'secret'}");
    snprintf(line, sizeof line, "observe #%d collusion", (int)table);
    order_no(driver, MAX, "confirm", line);
    snprintf(line, sizeof line, "yes observe #%d collusion", (int)table);
    order_ok(driver, MAX, line);
    snprintf(line, sizeof line, "max observe #%d ok", (int)table);
    order_expect_audit_row(driver, line);
    driver_pass_time(driver, 200);
    assert_int_equal(driver_read_number(driver_newest_message(driver, BOB, "table"), "watchers"),
                     0);
    driver_clear_inbox(driver, BOB);
    driver_ok(driver, MAX, "{'t':'table_leave'}");
    assert_non_null(
        strstr(driver_read_text(driver_newest_message(driver, BOB, "chat"), "text"), "collusion"));
}

static void a_moderator_can_forfeit_a_players_game_or_declare_it_void(void **state)
{
    struct driver *driver = *state;
    int64_t table = driver_open_table(driver, BOB, 3, 0);
    char line[80];
    driver_ok(driver, EVE, "{'t':'table_enter','table':%d}", (int)table);
    driver_ok(driver, EVE, "{'t':'seat_take'}");
    driver_ok(driver, BOB, "{'t':'bot_add','policy':'easy'}");
    snprintf(line, sizeof line, "adjudicate #%d void stuck", (int)table);
    order_no(driver, MAX, "no_game", line);
    driver_ok(driver, BOB, "{'t':'table_start'}");
    snprintf(line, sizeof line, "adjudicate #%d forfeit=zoe stalling", (int)table);
    order_no(driver, MAX, "unknown", line);
    snprintf(line, sizeof line, "adjudicate #%d forfeit= stalling", (int)table);
    order_no(driver, MAX, "bad", line);
    snprintf(line, sizeof line, "adjudicate #%d win= stalling", (int)table);
    order_no(driver, MAX, "bad", line);
    snprintf(line, sizeof line, "adjudicate #%d forfeit=Eve stalling", (int)table);
    order_no(driver, MAX, "confirm", line);
    snprintf(line, sizeof line, "yes adjudicate #%d forfeit=Eve stalling", (int)table);
    order_ok(driver, MAX, line);
    snprintf(line, sizeof line, "max adjudicate #%d ok", (int)table);
    order_expect_audit_row(driver, line);
    driver_no(driver, EVE, "not_seated", "{'t':'seat_leave'}");
    snprintf(line, sizeof line, "adjudicate #%d void stuck", (int)table);
    order_no(driver, MAX, "confirm", line);
    snprintf(line, sizeof line, "yes adjudicate #%d void stuck", (int)table);
    order_ok(driver, MAX, line);
    order_expect_message(driver, BOB, "notice", "stuck");
    driver_no(driver, BOB, "no_table", "{'t':'seat_take'}");
}

static void nobody_may_adjudicate_a_game_they_play_in(void **state)
{
    static const char *const lines[] = {"yes adjudicate #1 win=max well played",
                                        "yes adjudicate #1 forfeit=bob stalling",
                                        "yes adjudicate #1 void I was losing"};
    struct driver *driver = *state;
    assert_int_equal(driver_open_table(driver, BOB, 3, 60), 1);
    driver_ok(driver, MAX, "{'t':'table_enter','table':1}");
    driver_ok(driver, MAX, "{'t':'seat_take'}");
    driver_ok(driver, BOB, "{'t':'bot_add','policy':'easy'}");
    driver_ok(driver, BOB, "{'t':'table_start'}");
    for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
        order_no(driver, MAX, "self", lines[i]);
        order_expect_audit_row(driver, "max adjudicate #1 denied");
    }
    driver_ok(driver, MAX, "{'t':'seat_leave','for_good':true}");
    order_no(driver, MAX, "self", lines[2]);
    assert_string_equal(driver_read_text(driver_newest_message(driver, BOB, "table"), "state"),
                        "playing");
    order_ok(driver, ADA, lines[2]);
}

static void a_moderator_can_declare_a_winner_of_a_game(void **state)
{
    struct driver *driver = *state;
    int64_t table = driver_open_table(driver, BOB, 3, 60);
    char line[80];
    driver_ok(driver, EVE, "{'t':'table_enter','table':%d}", (int)table);
    driver_ok(driver, EVE, "{'t':'seat_take'}");
    driver_ok(driver, ADA, "{'t':'table_enter','table':%d}", (int)table);
    driver_ok(driver, ADA, "{'t':'seat_take'}");
    driver_ok(driver, BOB, "{'t':'table_start'}");
    snprintf(line, sizeof line, "adjudicate #%d win=zoe stalling", (int)table);
    order_no(driver, MAX, "unknown", line);
    snprintf(line, sizeof line, "adjudicate #%d forfeit=eve,zoe stalling", (int)table);
    order_no(driver, MAX, "unknown", line);
    snprintf(line, sizeof line, "adjudicate #%d draw stalling", (int)table);
    order_no(driver, MAX, "bad", line);
    snprintf(line, sizeof line, "adjudicate #%d win=bob stalling", (int)table);
    order_no(driver, MAX, "confirm", line);
    snprintf(line, sizeof line, "yes adjudicate #%d win=bob stalling", (int)table);
    order_ok(driver, MAX, line);
    snprintf(line, sizeof line, "max adjudicate #%d ok", (int)table);
    order_expect_audit_row(driver, line);
    order_expect_message(driver, EVE, "notice", "eve, ada lose this game: stalling");
    driver_no(driver, EVE, "not_seated", "{'t':'seat_leave'}");
    driver_no(driver, ADA, "not_seated", "{'t':'seat_leave'}");
    driver_no(driver, BOB, "started", "{'t':'seat_leave'}");
    snprintf(line, sizeof line, "adjudicate #%d win=bob stalling", (int)table);
    order_no(driver, MAX, "bad", line);
}

static void a_host_can_invite_players_and_hand_over_the_table(void **state)
{
    struct driver *driver = *state;
    int64_t table = driver_open_table(driver, BOB, 3, 0);
    driver_ok(driver, BOB, "{'t':'table_lock','password':'secret'}");
    order_expect_audit_row(driver, "bob lock  ok");
    driver_no(driver, EVE, "locked", "{'t':'table_enter','table':%d}", (int)table);
    order_no(driver, EVE, "not_host", "invite bob");
    order_ok(driver, BOB, "invite eve");
    order_expect_audit_row(driver, "bob invite eve ok");
    assert_int_equal(driver_read_number(driver_newest_message(driver, EVE, "invite"), "table"),
                     table);
    driver_ok(driver, EVE, "{'t':'table_enter','table':%d}", (int)table);
    order_no(driver, BOB, "not_seated", "host eve");
    driver_ok(driver, EVE, "{'t':'seat_take'}");
    order_ok(driver, BOB, "host eve");
    order_expect_audit_row(driver, "bob host eve ok");
    order_ok(driver, EVE, "kick bob");
}

static void a_player_banned_from_rated_games_plays_unrated(void **state)
{
    struct driver *driver = *state;
    order_no(driver, MAX, "role", "rankban bob 7d collusion");
    order_ok(driver, ADA, "rankban bob 7d collusion");
    order_expect_audit_row(driver, "ada rankban bob ok");
    int64_t table = driver_open_table(driver, BOB, 3, 60);
    driver_ok(driver, EVE, "{'t':'table_enter','table':%d}", (int)table);
    driver_ok(driver, EVE, "{'t':'seat_take'}");
    driver_ok(driver, BOB, "{'t':'bot_add','policy':'easy'}");
    driver_ok(driver, BOB, "{'t':'table_start'}");
    assert_true(
        json_is_false(json_object_get(driver_newest_message(driver, BOB, "table"), "is_rated")));
}

/* Bob leaves the house and keeps his seat at a turn-by-turn table with one free seat. */
static int64_t let_bob_leave_turn_by_turn_table(struct driver *driver)
{
    const json_t *answer = driver_ok(driver, BOB,
                                     "{'t':'table_open','game':'%s','players':3,'options':{},"
                                     "'clock':{'kind':'days','days':2}}",
                                     game_at(0)->id);
    int64_t table = driver_read_number(answer, "table");
    driver_ok(driver, BOB, "{'t':'bot_add','policy':'easy'}");
    driver_disconnect(driver, BOB);
    driver_ok(driver, EVE, "{'t':'table_enter','table':%d}", (int)table);
    return table;
}

static void banning_an_absent_player_from_rated_games_makes_their_game_unrated(void **state)
{
    struct driver *driver = *state;
    (void)let_bob_leave_turn_by_turn_table(driver);
    order_ok(driver, ADA, "rankban bob 7d collusion");
    driver_ok(driver, EVE, "{'t':'seat_take'}");
    const json_t *table = driver_newest_message(driver, EVE, "table");
    assert_string_equal(driver_read_text(table, "state"), "playing");
    assert_true(json_is_false(json_object_get(table, "is_rated")));
}

static void moderators_see_the_registration_setting_and_admins_change_it(void **state)
{
    struct driver *driver = *state;
    assert_non_null(strstr(order_ok(driver, MAX, "registration"), "open"));
    order_no(driver, MAX, "role", "registration closed");
    order_ok(driver, ADA, "registration closed");
    order_expect_audit_row(driver, "ada registration  ok");
    driver_connect_from(driver, LATER, "198.51.100.7", "ssh");
    driver_send(driver, LATER, "{'t':'hello','protocol':3}");
    driver_ok(driver, LATER, "{'t':'sign_in','method':'password','name':'zoe','password':''}");
    driver_no(driver, LATER, "closed", "{'t':'sign_up','name':'zoe','password':'a good password'}");
    order_ok(driver, ADA, "allowlist add ip=198.51.100.0/24");
    order_expect_audit_row(driver, "ada allowlist  ok");
    driver_ok(driver, LATER, "{'t':'sign_up','name':'zoe','password':'a good password'}");
    assert_non_null(strstr(order_ok(driver, ADA, "allowlist"), "198.51.100.0/24"));
    order_ok(driver, ADA, "allowlist remove ip=198.51.100.0/24");
    assert_non_null(strstr(order_ok(driver, ADA, "allowlist"), "Nothing"));
    order_no(driver, ADA, "bad", "allowlist add somebody");
}

static void an_announcement_reaches_everybody(void **state)
{
    struct driver *driver = *state;
    order_no(driver, MAX, "role", "wall hello");
    order_ok(driver, ADA, "wall tournament at eight");
    order_expect_audit_row(driver, "ada wall  ok");
    order_expect_message(driver, BOB, "notice", "tournament at eight");
    order_ok(driver, ADA, "motd welcome to the cup");
    order_expect_audit_row(driver, "ada motd  ok");
    driver_disconnect(driver, BOB);
    driver_clear_inbox(driver, BOB);
    driver_sign_in(driver, BOB, "bob");
    order_expect_message(driver, BOB, "notice", "welcome to the cup");
    order_ok(driver, ADA, "motd @");
    driver_disconnect(driver, BOB);
    driver_clear_inbox(driver, BOB);
    driver_sign_in(driver, BOB, "bob");
    assert_int_equal(driver_count_messages(driver, BOB, "notice"), 0);
}

static void
people_who_enter_are_shown_motd_news_sanctions_and_answers_to_reports_in_this_order(void **state)
{
    static const char *const expected[] = {"welcome to the cup", "/news", "warned", "report", NULL};
    struct driver *driver = *state;
    const char *const *next = expected;
    size_t i = 0;
    const json_t *message = NULL;
    order_ok(driver, ADA, "motd welcome to the cup");
    order_ok(driver, ADA, "news add a sixth game");
    order_ok(driver, BOB, "report eve cheat she sees my cards");
    driver_disconnect(driver, BOB);
    order_ok(driver, ADA, "warn bob shouting");
    order_ok(driver, ADA, "dismiss 1 she may");
    driver_clear_inbox(driver, BOB);
    driver_sign_in(driver, BOB, "bob");
    json_array_foreach(driver->inbox[BOB], i, message)
    {
        if (*next != NULL && strstr(driver_read_text(message, "text"), *next) != NULL) {
            next++;
        }
    }
    if (*next != NULL) {
        fail_msg("missing, or shown too early: %s", *next);
    }
}

static void no_game_begins_while_the_house_is_draining(void **state)
{
    struct driver *driver = *state;
    driver_open_table(driver, BOB, 3, 0);
    driver_ok(driver, BOB, "{'t':'bot_add','policy':'easy'}");
    driver_ok(driver, BOB, "{'t':'bot_add','policy':'easy'}");
    assert_non_null(strstr(order_ok(driver, ADA, "drain"), "New games may begin"));
    order_ok(driver, ADA, "drain on");
    order_expect_audit_row(driver, "ada drain  ok");
    assert_non_null(strstr(order_ok(driver, ADA, "drain"), "No new games"));
    driver_no(driver, BOB, "draining", "{'t':'table_start'}");
    order_ok(driver, ADA, "drain off");
    driver_ok(driver, BOB, "{'t':'table_start'}");
}

/* Bob, eve and a bot play a game to its end. */
static void play_game_to_end(struct driver *driver)
{
    static const int64_t both[] = {BOB, EVE};
    int64_t table = driver_open_table(driver, BOB, 3, 60);
    driver_connect(driver, DRIVER_BOT, PEER_BOT);
    driver_send(driver, DRIVER_BOT, "{'t':'hello','protocol':3}");
    driver->has_bots = true;
    driver_ok(driver, EVE, "{'t':'table_enter','table':%d}", (int)table);
    driver_ok(driver, EVE, "{'t':'seat_take'}");
    driver_ok(driver, BOB, "{'t':'bot_add','policy':'easy'}");
    driver_ok(driver, BOB, "{'t':'table_start'}");
    (void)driver_play_moves(driver, both, ARRAY_LEN(both), SIZE_MAX);
    driver_ok(driver, ADA, "{'t':'step_up','password':'password of ada'}");
}

static void a_shared_replay_is_not_announced_in_a_frozen_lobby(void **state)
{
    struct driver *driver = *state;
    play_game_to_end(driver);
    int64_t game = driver_read_number(driver_newest_message(driver, BOB, "result"), "game_id");
    order_ok(driver, ADA, "freeze lobby on");
    driver_ok(driver, BOB, "{'t':'review_open','game_id':%d}", (int)game);
    assert_int_equal(driver_count_messages_with_words(driver, EVE, "chat", "step by step"), 0);
    driver_ok(driver, BOB, "{'t':'review_leave'}");
    order_ok(driver, ADA, "freeze lobby off");
    driver_ok(driver, BOB, "{'t':'review_open','game_id':%d}", (int)game);
    assert_int_equal(driver_count_messages_with_words(driver, EVE, "chat", "step by step"), 1);
}

static void expect_no_rematch_begins(struct driver *driver, const char *refusal_code)
{
    driver_no(driver, BOB, refusal_code, "{'t':'rematch'}");
    driver_no(driver, EVE, refusal_code, "{'t':'rematch'}");
    assert_string_equal(driver_read_text(driver_newest_message(driver, EVE, "table"), "state"),
                        "finished");
}

static void no_rematch_begins_while_games_are_disabled(void **state)
{
    struct driver *driver = *state;
    play_game_to_end(driver);
    order_ok(driver, ADA, "drain on");
    expect_no_rematch_begins(driver, "draining");
    order_ok(driver, ADA, "drain off");
    order_ok(driver, ADA, "disable oh-hell a fault in it");
    expect_no_rematch_begins(driver, "off");
    order_ok(driver, ADA, "enable oh-hell");
    driver_ok(driver, BOB, "{'t':'rematch'}");
    driver_ok(driver, EVE, "{'t':'rematch'}");
    assert_string_equal(driver_read_text(driver_newest_message(driver, EVE, "table"), "state"),
                        "playing");
}

static void filling_the_last_seat_begins_no_turn_by_turn_game_while_games_are_disabled(void **state)
{
    struct driver *driver = *state;
    (void)let_bob_leave_turn_by_turn_table(driver);
    order_ok(driver, ADA, "drain on");
    driver_no(driver, EVE, "draining", "{'t':'seat_take'}");
    order_ok(driver, ADA, "drain off");
    order_ok(driver, ADA, "disable oh-hell a fault in it");
    driver_no(driver, EVE, "off", "{'t':'seat_take'}");
    assert_string_equal(driver_read_text(driver_newest_message(driver, EVE, "table"), "state"),
                        "open");
    order_ok(driver, ADA, "enable oh-hell");
    driver_ok(driver, EVE, "{'t':'seat_take'}");
    assert_string_equal(driver_read_text(driver_newest_message(driver, EVE, "table"), "state"),
                        "playing");
}

static void the_closing_of_the_house_is_announced_in_advance(void **state)
{
    struct driver *driver = *state;
    driver_connect(driver, LATER, PEER_KEEPER);
    driver_send(driver, LATER, "{'t':'hello','protocol':3}");
    order_no(driver, ADA, "reason", "shutdown 10");
    order_no(driver, ADA, "bad", "shutdown soon why");
    order_no(driver, ADA, "unknown", "shutdown cancel");
    order_ok(driver, ADA, "shutdown 10 new cables");
    order_expect_audit_row(driver, "ada shutdown  ok");
    order_expect_message(driver, BOB, "notice", "10 min: new cables");
    driver_pass_time(driver, 300000);
    order_expect_message(driver, BOB, "notice", "5 min: new cables");
    order_ok(driver, OWNER, "shutdown cancel");
    order_expect_message(driver, BOB, "notice", "stays open");
    driver_pass_time(driver, 600000);
    assert_int_equal(driver_count_messages(driver, LATER, "close"), 0);
    order_ok(driver, OWNER, "shutdown 1 new cables");
    driver_pass_time(driver, 60000);
    assert_int_equal(driver_count_messages(driver, LATER, "close"), 1);
}

static void commands_and_games_can_be_disabled_for_players(void **state)
{
    struct driver *driver = *state;
    order_ok(driver, ADA, "disable tell a flood of spam");
    order_expect_audit_row(driver, "ada disable tell ok");
    driver_no(driver, BOB, "off", "{'t':'tell','to':'eve','text':'hi'}");
    driver_ok(driver, MAX, "{'t':'tell','to':'eve','text':'hi'}");
    order_ok(driver, ADA, "enable tell");
    order_expect_audit_row(driver, "ada enable tell ok");
    driver_ok(driver, BOB, "{'t':'tell','to':'eve','text':'hi'}");
    order_ok(driver, ADA, "disable oh-hell a mistake in it");
    driver_no(driver, BOB, "off", OPEN);
    order_ok(driver, ADA, "enable oh-hell");
    driver_ok(driver, BOB, OPEN);
    order_ok(driver, ADA, "disable seek");
    driver_no(driver, BOB, "off", OPEN);
    order_ok(driver, ADA, "disable join");
    driver_no(driver, BOB, "off", "{'t':'join','channel':'#tea'}");
    order_ok(driver, ADA, "enable join");
    driver_ok(driver, BOB, "{'t':'join','channel':'#tea'}");
    order_ok(driver, ADA, "disable report");
    order_no(driver, BOB, "off", "report eve spam hm");
    static const char *const commands[] = {"me",     "away",    "friend", "who",    "channels",
                                           "why",    "past",    "claim",  "pause",  "adjourn",
                                           "finger", "profile", "assess", "review", "webhook"};
    for (size_t i = 0; i < ARRAY_LEN(commands); i++) {
        char line[64];
        (void)snprintf(line, sizeof(line), "disable %s", commands[i]);
        order_ok(driver, ADA, line);
    }
    order_no(driver, ADA, "unknown", "disable ban");
}

static void admins_can_back_up_data_show_statistics_and_reload_the_configuration(void **state)
{
    struct driver *driver = *state;
    assert_non_null(strstr(order_ok(driver, ADA, "stats"), "People in the house: 4"));
    order_expect_audit_row(driver, "ada stats  ok");
    order_no(driver, ADA, "failed", "reload");
    driver_connect(driver, LATER, PEER_KEEPER);
    driver_send(driver, LATER, "{'t':'hello','protocol':3}");
    order_ok(driver, ADA, "reload");
    order_expect_audit_row(driver, "ada reload  ok");
    assert_int_equal(driver_count_messages(driver, LATER, "reload"), 1);
    assert_null(driver_request(driver, ADA, "{'t':'mod','line':'backup'}"));
    int64_t job = driver_read_number(driver_newest_message(driver, LATER, "backup"), "job");
    driver_send(driver, LATER, "{'t':'backed_up','job':%d,'path':'/a/b'}", (int)job);
    order_expect_audit_row(driver, "ada backup  ok");
    assert_string_equal(driver_read_text(driver_newest_message(driver, ADA, "ok"), "path"), "/a/b");
}

static void only_admins_may_use_commands_of_admins(void **state)
{
    struct driver *driver = *state;
    static const char *const lines[] = {
        "rankban eve 1d why",
        "role eve mod why",
        "recover eve",
        "merge eve bob why",
        "delete eve why",
        "allowlist",
        "motd hello",
        "wall hello",
        "drain",
        "shutdown 5 why",
        "reload",
        "disable tell",
        "enable tell",
        "backup",
        "stats",
        "audit",
        "registration closed",
    };
    for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
        driver_pass_time(driver, 2000);
        order_no(driver, MAX, "role", lines[i]);
        order_no(driver, BOB, "role", lines[i]);
    }
}

static void players_may_not_use_commands_of_moderators(void **state)
{
    struct driver *driver = *state;
    static const char *const lines[] = {
        "take 1",
        "comment 1 why",
        "resolve 1 why",
        "dismiss 1 why",
        "hold eve why",
        "release eve",
        "hide eve why",
        "slow lobby 5",
        "freeze lobby on",
        "whois eve",
        "sessions eve",
        "alts eve",
        "log eve",
        "note eve text",
        "notes eve",
        "rename eve x why",
        "observe #1 why",
        "adjudicate #1 void why",
        "desk",
        "registration",
    };
    for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
        driver_pass_time(driver, 2000);
        order_no(driver, BOB, "role", lines[i]);
    }
}

TEST_GROUP(mod_house)
{
    const struct CMUnitTest tests[] = {
        ORDER_TEST(only_staff_see_a_hidden_chat_line),
        ORDER_TEST(staff_cannot_read_direct_messages),
        ORDER_TEST(slow_mode_limits_how_often_a_person_may_chat),
        ORDER_TEST(only_staff_may_chat_in_a_frozen_channel),
        ORDER_TEST(a_table_learns_afterwards_that_a_moderator_watched_it_unseen),
        ORDER_TEST(a_moderator_can_forfeit_a_players_game_or_declare_it_void),
        ORDER_TEST(nobody_may_adjudicate_a_game_they_play_in),
        ORDER_TEST(a_moderator_can_declare_a_winner_of_a_game),
        ORDER_TEST(a_host_can_invite_players_and_hand_over_the_table),
        ORDER_TEST(a_player_banned_from_rated_games_plays_unrated),
        ORDER_TEST(banning_an_absent_player_from_rated_games_makes_their_game_unrated),
        ORDER_TEST(moderators_see_the_registration_setting_and_admins_change_it),
        ORDER_TEST(an_announcement_reaches_everybody),
        ORDER_TEST(
            people_who_enter_are_shown_motd_news_sanctions_and_answers_to_reports_in_this_order),
        ORDER_TEST(no_game_begins_while_the_house_is_draining),
        ORDER_TEST(a_shared_replay_is_not_announced_in_a_frozen_lobby),
        ORDER_TEST(no_rematch_begins_while_games_are_disabled),
        ORDER_TEST(filling_the_last_seat_begins_no_turn_by_turn_game_while_games_are_disabled),
        ORDER_TEST(the_closing_of_the_house_is_announced_in_advance),
        ORDER_TEST(commands_and_games_can_be_disabled_for_players),
        ORDER_TEST(admins_can_back_up_data_show_statistics_and_reload_the_configuration),
        ORDER_TEST(only_admins_may_use_commands_of_admins),
        ORDER_TEST(players_may_not_use_commands_of_moderators),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
