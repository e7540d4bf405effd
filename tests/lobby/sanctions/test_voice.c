#include "lobby/house/parts.h"
#include "lobby/protocol/protocol.h"
#include "tests/lobby/order_driver.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

/* Checks that the text of a person who may not chat reaches nobody. The tables below list every
 * message and moderation command, and whether it carries text to others. A muted person tries each
 * one that does. */

#define WORD "xyzzy" /* the text that nobody may read */
#define ZOE (LATER + 1)

enum carries {
    NOTHING,   /* the message has no words of a person, or only their author reads them */
    WORDS,     /* the request is refused to a muted person */
    ANNOUNCED, /* the request is carried out, but the lobby is not told */
    FOR_STAFF, /* only staff read the words, whoever sends them */
};

static const struct message {
    const char *type;
    enum carries carries;
    const char
        *sent; /* the message that bob sends as host of table 1 and member of #tea; NULL: none */
} messages[] = {
    {"say", WORDS, "{'t':'say','to':'lobby','kind':'say','text':'" WORD "'}"},
    {"say", WORDS, "{'t':'say','to':'lobby','kind':'me','text':'" WORD "'}"},
    {"say", WORDS, "{'t':'say','to':'table','kind':'say','text':'" WORD "'}"},
    {"say", WORDS, "{'t':'say','to':'table','kind':'me','text':'" WORD "'}"},
    {"say", WORDS, "{'t':'say','to':'#tea','kind':'say','text':'" WORD "'}"},
    {"tell", WORDS, "{'t':'tell','to':'eve','text':'" WORD "'}"},
    {"tell", WORDS, "{'t':'tell','to':'zoe','text':'" WORD "'}"}, /* stored for zoe, who is away */
    {"presence", WORDS, "{'t':'presence','kind':'away','text':'" WORD "'}"},
    {"presence", WORDS, "{'t':'presence','kind':'dnd','text':'" WORD "'}"},
    {"join", WORDS, "{'t':'join','channel':'#" WORD "'}"},
    {"mod", WORDS, "{'t':'mod','line':'invite eve'}"}, /* the other commands are in commands[] */
    {"bot_add", NOTHING,
     "{'t':'bot_add','seat':1,'policy':'medium'}"}, /* a policy is not free text */
    {"bot_add", NOTHING, "{'t':'bot_add','seat':2,'policy':'medium'}"},
    {"table_start", NOTHING, "{'t':'table_start'}"},
    {"adjourn", WORDS,
     "{'t':'adjourn','text':'" WORD "'}"}, /* the words are the reason for adjourning */
    {"pause", WORDS, "{'t':'pause','text':'" WORD "'}"},
    {"table_open", ANNOUNCED,
     "{'t':'table_open','game':'oh-hell','players':3,'options':{},'password':'" WORD "'}"},
    {"quick", NOTHING, NULL},
    {"learn", NOTHING, NULL},
    {"review_open", ANNOUNCED, NULL},
    {"hello", NOTHING, NULL},
    {"key_check", NOTHING, NULL},
    {"sign_in", FOR_STAFF, NULL}, /* an appeal at sign-in */
    {"name_check", NOTHING, NULL},
    {"sign_up", NOTHING, NULL},
    {"code_use", NOTHING, NULL},
    {"come_in", NOTHING, NULL},
    {"tells_read", NOTHING, NULL},
    {"friend_add", NOTHING, NULL},
    {"friend_remove", NOTHING, NULL},
    {"friends", NOTHING, NULL},
    {"part", NOTHING, NULL},
    {"channels", NOTHING, NULL},
    {"decline", NOTHING, NULL},
    {"why", NOTHING, NULL},
    {"table_enter", NOTHING, NULL},
    {"table_leave", NOTHING, NULL},
    {"table_set", NOTHING, NULL},
    {"table_pace", NOTHING, NULL},
    {"table_lock", NOTHING, NULL},
    {"table_close", NOTHING, NULL},
    {"past", NOTHING, NULL},
    {"seat_take", NOTHING, NULL},
    {"seat_leave", NOTHING, NULL},
    {"bot_remove", NOTHING, NULL},
    {"move", NOTHING, NULL},
    {"claim", NOTHING, NULL},
    {"claim_answer", NOTHING, NULL},
    {"seat_back", NOTHING, NULL},
    {"resume", NOTHING, NULL},
    {"vacation", NOTHING, NULL},
    {"rematch", NOTHING, NULL},
    {"leaders", NOTHING, NULL},
    {"profile", NOTHING, NULL},
    {"assess", NOTHING, NULL},
    {"games", NOTHING, NULL},
    {"best", NOTHING, NULL},
    {"lobby_watch", NOTHING, NULL},
    {"people", NOTHING, NULL},
    {"tables", NOTHING, NULL},
    {"record", NOTHING, NULL},
    {"review_follow", NOTHING, NULL},
    {"review_go", NOTHING, NULL},
    {"review_hand", NOTHING, NULL},
    {"review_leave", NOTHING, NULL},
    {"settings_set", NOTHING, NULL},
    {"password_set", NOTHING, NULL},
    {"keys", NOTHING, NULL},
    {"key_add", NOTHING, NULL},
    {"key_remove", NOTHING, NULL},
    {"step_up", NOTHING, NULL},
    {"totp_begin", NOTHING, NULL},
    {"totp_confirm", NOTHING, NULL},
    {"totp_end", NOTHING, NULL},
    {"bot_account", NOTHING, NULL},
    {"hook", NOTHING, NULL},
    {"hook_set", NOTHING, NULL},
    {"hook_test", NOTHING, NULL},
    {"registration", NOTHING, NULL},
    {"ping", NOTHING, NULL},
    {"held", NOTHING, NULL},
    {"backed_up", NOTHING, NULL},
    {"reload_refused", NOTHING, NULL},
    {"bot_move", NOTHING, NULL},
    {"hashed", NOTHING, NULL},
    {"checked", NOTHING, NULL},
    {"posted", NOTHING, NULL},
    {"connection", NOTHING, NULL},
    {"connections_end", NOTHING, NULL},
};

static const char *const types[] = {
#define MESSAGE(type, peers, phases, flags, commands, ...) #type,
#include "lobby/protocol/messages.def"
};

/* Moderation commands whose text everybody can read. A command whose only text is the reason that
 * staff give for it is not one of them. */
static const struct command_row {
    const char *name;
    enum carries carries;
    const char *line; /* a command that bob or ada gives; NULL: none */
    bool is_admins;
} commands[] = {
    {"invite", WORDS, "invite eve", false},
    {"motd", WORDS, "motd " WORD, true},
    {"news", WORDS, "news add " WORD, true},
    {"wall", WORDS, "wall " WORD, true},
    {"report", FOR_STAFF, "report max other " WORD, false},
    {"appeal", FOR_STAFF, NULL, false},
};

static bool is_listed_command(const char *name)
{
    static const char *const others[] = {
        "sanctions", "ignore",  "unignore",   "noplay",    "unnoplay",     "host",      "desk",
        "reports",   "take",    "comment",    "resolve",   "dismiss",      "warn",      "mute",
        "unmute",    "kick",    "suspend",    "unsuspend", "ban",          "unban",     "banlist",
        "banedit",   "hold",    "release",    "hide",      "account",      "unhide",    "slow",
        "freeze",    "whois",   "sessions",   "alts",      "log",          "note",      "notes",
        "rename",    "observe", "adjudicate", "void",      "refund",       "rankban",   "role",
        "program",   "recover", "merge",      "delete",    "registration", "allowlist", "drain",
        "shutdown",  "reload",  "disable",    "enable",    "backup",       "stats",     "audit",
        "unrankban", "guests",
    };
    for (size_t i = 0; i < ARRAY_LEN(others); i++) {
        if (strcmp(others[i], name) == 0) {
            return true;
        }
    }
    for (size_t i = 0; i < ARRAY_LEN(commands); i++) {
        if (strcmp(commands[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static void every_message_and_moderation_command_is_listed_with_the_text_it_carries(void **state)
{
    const struct mod_command_info *words = NULL;
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(types); i++) {
        bool is_listed = false;
        for (size_t k = 0; k < ARRAY_LEN(messages); k++) {
            is_listed = is_listed || strcmp(messages[k].type, types[i]) == 0;
        }
        if (!is_listed) {
            fail_msg("does %s carry words of a person? List it here.", types[i]);
        }
    }
    for (size_t i = 0; (words = mod_command_info_at(i)) != NULL; i++) {
        if (!is_listed_command(words->name)) {
            fail_msg("does the command %s carry words of a person? List it here.", words->name);
        }
    }
}

/* Gathers everybody at bob's table and in #tea, where eve listens; zoe has left. */
static void gather_people_at_table_and_in_channel(struct driver *driver)
{
    driver_sign_up(driver, ZOE, "zoe");
    driver_disconnect(driver, ZOE);
    assert_int_equal(driver_open_table(driver, BOB, 3, 0), 1);
    driver_ok(driver, EVE, "{'t':'table_enter','table':1}");
    driver_ok(driver, BOB, "{'t':'join','channel':'#tea'}");
    driver_ok(driver, EVE, "{'t':'join','channel':'#tea'}");
}

/* Returns true if a message with these words is in the connection's inbox. */
static bool has_received_words(const struct driver *driver, int64_t conn, const char *words)
{
    char *all = json_dumps(driver->inbox[conn], JSON_COMPACT);
    bool has = strstr(all, words) != NULL;
    free(all);
    return has;
}

static void expect_nobody_received_words(struct driver *driver, const char *words,
                                         const char *message_type)
{
    driver_pass_time(driver, 2000);
    if (has_received_words(driver, EVE, words)) {
        fail_msg("eve read %s, message_type %s", words, message_type);
    }
}

static void try_every_message(struct driver *driver, const char *expected_code)
{
    for (size_t i = 0; i < ARRAY_LEN(messages); i++) {
        const struct message *message = &messages[i];
        driver_clear_inbox(driver, EVE);
        if (message->carries == WORDS) {
            driver_no(driver, BOB, expected_code, "%s", message->sent);
            expect_nobody_received_words(driver, WORD, message->type);
            expect_nobody_received_words(driver, "\"invite\"", message->type);
        } else if (message->carries == NOTHING && message->sent != NULL) {
            driver_ok(driver, BOB, "%s", message->sent);
        } else if (message->carries == ANNOUNCED && message->sent != NULL) {
            driver_ok(driver, BOB, "%s", message->sent);
            expect_nobody_received_words(driver, "bob opened", message->type);
            driver_ok(driver, BOB, "{'t':'table_leave'}");
            driver_ok(driver, BOB, "{'t':'table_enter','table':1}");
        }
    }
    driver_ok(driver, BOB,
              "{'t':'join','channel':'#tea'}"); /* a message without words cannot deliver any */
    driver_ok(driver, BOB, "{'t':'presence','kind':'away'}");
    driver_sign_in(driver, ZOE, "zoe");
    assert_false(has_received_words(driver, ZOE, WORD));
    driver_disconnect(driver, ZOE);
}

static void words_of_people_who_may_chat_reach_others(void **state)
{
    struct driver *driver = *state;
    gather_people_at_table_and_in_channel(driver);
    for (size_t i = 0; i < ARRAY_LEN(messages); i++) {
        if (messages[i].carries == WORDS || messages[i].sent != NULL) {
            driver_clear_inbox(driver, EVE);
            driver_ok(driver, BOB, "%s", messages[i].sent);
            driver_pass_time(driver, 5000);
        }
    }
    driver_ok(driver, EVE, "{'t':'channels'}");
    assert_true(has_received_words(driver, EVE, "#" WORD));
}

static void no_words_of_a_muted_person_reach_others(void **state)
{
    struct driver *driver = *state;
    gather_people_at_table_and_in_channel(driver);
    order_ok(driver, MAX, "mute bob 1d shouting");
    try_every_message(driver, "muted");
}

static void no_words_of_a_pending_account_reach_others(void **state)
{
    struct driver *driver = *state;
    gather_people_at_table_and_in_channel(driver);
    order_ok(driver, MAX, "hold bob who is that");
    try_every_message(driver, "held");
}

static void
no_words_of_a_warned_person_reach_others_before_the_warning_is_acknowledged(void **state)
{
    struct driver *driver = *state;
    gather_people_at_table_and_in_channel(driver);
    order_ok(driver, MAX, "warn bob shouting");
    try_every_message(driver, "warned");
}

static void moderation_commands_that_carry_words_are_refused_to_the_muted(void **state)
{
    struct driver *driver = *state;
    gather_people_at_table_and_in_channel(driver);
    order_ok(driver, OWNER, "mute bob 1d shouting");
    order_ok(driver, OWNER, "mute ada 1d shouting");
    for (size_t i = 0; i < ARRAY_LEN(commands); i++) {
        int64_t conn = commands[i].is_admins ? ADA : BOB;
        driver_clear_inbox(driver, EVE);
        driver_pass_time(driver, 5000);
        if (commands[i].carries == WORDS) {
            order_no(driver, conn, "muted", commands[i].line);
            expect_nobody_received_words(driver, WORD, commands[i].name);
        } else if (commands[i].line != NULL) {
            order_ok(driver, conn, commands[i].line);
            expect_nobody_received_words(driver, WORD, commands[i].name);
        }
    }
}

static void a_muted_persons_away_message_is_not_shown(void **state)
{
    struct driver *driver = *state;
    driver_ok(driver, BOB, "{'t':'presence','kind':'dnd','text':'" WORD "'}");
    driver_pass_time(driver, 2000);
    assert_true(has_received_words(driver, EVE, WORD));
    driver_clear_inbox(driver, EVE);
    order_ok(driver, MAX, "mute bob 10m shouting");
    driver_pass_time(driver, 2000);
    assert_true(has_received_words(driver, EVE, "\"bob\""));
    assert_false(has_received_words(driver, EVE, WORD));
    driver_ok(driver, EVE, "{'t':'tell','to':'bob','text':'hello'}");
    assert_false(has_received_words(driver, EVE, WORD));
    driver_pass_time(driver, 600000);
    driver_pass_time(driver, 2000);
    assert_true(has_received_words(driver, EVE, WORD));
}

TEST_GROUP(voice)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_message_and_moderation_command_is_listed_with_the_text_it_carries),
        ORDER_TEST(words_of_people_who_may_chat_reach_others),
        ORDER_TEST(no_words_of_a_muted_person_reach_others),
        ORDER_TEST(no_words_of_a_pending_account_reach_others),
        ORDER_TEST(no_words_of_a_warned_person_reach_others_before_the_warning_is_acknowledged),
        ORDER_TEST(moderation_commands_that_carry_words_are_refused_to_the_muted),
        ORDER_TEST(a_muted_persons_away_message_is_not_shown),
    };
    return cmocka_run_group_tests_name("voice", tests, NULL, NULL);
}
