#include "lobby/house/say.h"
#include "lobby/protocol/protocol.h"
#include "storage/mod/mod.h"
#include "tests/lobby/order_driver.h"
#include "tests/unit.h"

#include <string.h>

/* Tests the whole table of moderation commands. Each command is carried out once and adds its row
 * to the audit log. Each command is also refused to people of lower roles, which adds a row too. */

#define KEEPER LATER

/* Every command, in the order in which the test gives the commands, and the audit row that the
 * command adds. NULL: the command adds none, because it concerns only its giver. */
static const struct deed {
    const char *command;
    int64_t conn;
    const char *line;
    const char *row;
} deeds[] = {
    {"sanctions", EVE, "sanctions", NULL},
    {"ignore", EVE, "ignore bob", "eve ignore bob ok"},
    {"unignore", EVE, "unignore bob", "eve unignore bob ok"},
    {"noplay", EVE, "noplay max", "eve noplay max ok"},
    {"unnoplay", EVE, "unnoplay max", "eve unnoplay max ok"},
    {"report", EVE, "report bob spam cards", "eve report bob ok"},
    {"reports", EVE, "reports mine", NULL},
    {"take", MAX, "take 1", "max take bob ok"},
    {"comment", MAX, "comment 1 looks like it", "max comment bob ok"},
    {"resolve", MAX, "resolve 1 told him", "max resolve bob ok"},
    {"report", EVE, "report bob other again", "eve report bob ok"},
    {"dismiss", MAX, "dismiss 2 no", "max dismiss bob ok"},
    {"desk", MAX, "desk", NULL},
    {"invite", BOB, "invite eve", "bob invite eve ok"},
    {"host", BOB, "host ada", "bob host ada ok"},
    {"mute", MAX, "mute eve 15m why", "max mute eve ok"},
    {"appeal", EVE, "appeal it was my cat", "eve appeal  ok"},
    {"unmute", MAX, "unmute eve", "max unmute eve ok"},
    {"hold", MAX, "hold eve why", "max hold eve ok"},
    {"release", MAX, "release eve", "max release eve ok"},
    {"hide", MAX, "hide bob why", "max hide bob ok"},
    {"unhide", MAX, "unhide bob why", "max unhide bob ok"},
    {"slow", MAX, "slow #tea 5", "max slow #tea ok"},
    {"freeze", MAX, "freeze #tea on", "max freeze #tea ok"},
    {"whois", MAX, "whois eve", "max whois eve ok"},
    {"sessions", MAX, "sessions eve", "max sessions eve ok"},
    {"alts", MAX, "alts eve", "max alts eve ok"},
    {"log", MAX, "log #tea", "max log #tea ok"},
    {"note", MAX, "note eve polite", "max note eve ok"},
    {"notes", MAX, "notes eve", "max notes eve ok"},
    {"observe", MAX, "yes observe #1 why", "max observe #1 ok"},
    {"adjudicate", MAX, "yes adjudicate #1 void why", "max adjudicate #1 ok"},
    {"suspend", MAX, "suspend eve 1d why", "max suspend eve ok"},
    {"unsuspend", MAX, "unsuspend eve", "max unsuspend eve ok"},
    {"warn", MAX, "warn eve why", "max warn eve ok"},
    {"rename", MAX, "rename eve eva why", "max rename eve ok"},
    {"registration", MAX, "registration", "max registration  ok"},
    {"guests", ADA, "guests play-only", "ada guests  ok"},
    {"rankban", ADA, "rankban bob 1d why", "ada rankban bob ok"},
    {"unrankban", ADA, "unrankban bob", "ada unrankban bob ok"},
    {"role", ADA, "role bob mod why", "ada role bob ok"},
    {"role", ADA, "role bob player why", "ada role bob ok"},
    {"program", ADA, "program bob on why", "ada program bob ok"},
    {"account", ADA, "account add gil", "ada account gil ok"},
    {"recover", ADA, "recover bob", "ada recover bob ok"},
    {"allowlist", ADA, "allowlist add ip=198.51.100.0/24", "ada allowlist  ok"},
    {"motd", ADA, "motd hello", "ada motd  ok"},
    {"news", ADA, "news add hello", "ada news  ok"},
    {"wall", ADA, "wall hello", "ada wall  ok"},
    {"drain", ADA, "drain on", "ada drain  ok"},
    {"shutdown", ADA, "shutdown 9 why", "ada shutdown  ok"},
    {"reload", ADA, "reload", "ada reload  ok"},
    {"disable", ADA, "disable tell why", "ada disable tell ok"},
    {"enable", ADA, "enable tell", "ada enable tell ok"},
    {"stats", ADA, "stats", "ada stats  ok"},
    {"audit", ADA, "audit verify", "ada audit  ok"},
    {"ban", MAX, "ban eva 7d why", "max ban eva ok"},
    {"banlist", MAX, "banlist", "max banlist  ok"},
    {"banedit", MAX, "banedit 6 8d why", "max banedit eva ok"},
    {"unban", MAX, "unban eva why", "max unban eva ok"},
    {"kick", MAX, "kick bob why", "max kick bob ok"},
    {"merge", ADA, "yes merge eva bob why", "ada merge eva ok"},
    {"delete", ADA, "yes delete bob why", "ada delete bob ok"},
};

/* Returns whether another file (test_mod_rated.c, test_mod_house.c) tests the command's audit
 * row. */
static bool is_tested_elsewhere(const char *command)
{
    static const char *const elsewhere[] = {"void", "refund", "backup"};
    for (size_t i = 0; i < ARRAY_LEN(elsewhere); i++) {
        if (strcmp(elsewhere[i], command) == 0) {
            return true;
        }
    }
    return false;
}

/* Makes a chat line and a channel to moderate, and a table at which bob and ada sit. */
static void prepare_chat_and_table(struct driver *driver)
{
    driver_ok(driver, BOB, "{'t':'say','to':'lobby','kind':'say','text':'BUY MY CARDS'}");
    driver_ok(driver, BOB, "{'t':'join','channel':'#tea'}");
    driver_connect(driver, KEEPER, PEER_KEEPER);
    driver_send(driver, KEEPER, "{'t':'hello','protocol':3}");
    assert_int_equal(driver_open_table(driver, BOB, 3, 60), 1);
    driver_ok(driver, ADA, "{'t':'table_enter','table':1}");
    driver_ok(driver, ADA, "{'t':'seat_take'}");
}

static void every_moderation_command_is_carried_out_and_has_an_audit_row(void **state)
{
    struct driver *driver = *state;
    const struct mod_command_info *words = NULL;
    prepare_chat_and_table(driver);
    for (size_t i = 0; i < ARRAY_LEN(deeds); i++) {
        const struct deed *deed = &deeds[i];
        driver_pass_time(driver, 2000);
        if (strcmp(deed->command, "observe") == 0) {
            driver_ok(driver, ADA, "{'t':'bot_add','policy':'easy'}");
            driver_ok(driver, ADA, "{'t':'table_start'}");
        }
        order_ok(driver, deed->conn, deed->line);
        if (deed->row != NULL) {
            order_expect_audit_row(driver, deed->row);
        }
    }
    for (size_t i = 0; (words = mod_command_info_at(i)) != NULL; i++) {
        bool is_shown = is_tested_elsewhere(words->name);
        for (size_t k = 0; k < ARRAY_LEN(deeds); k++) {
            is_shown = is_shown || strcmp(deeds[k].command, words->name) == 0;
        }
        if (!is_shown) {
            fail_msg("%s is never carried out", words->name);
        }
    }
}

/* Replaces the last word of the line by one that makes the line as long as allowed: first
 * `one_byte_letters` letters of one byte, then letters of three bytes. Wherever the house cuts the
 * text, one of these lines is cut inside a letter. */
static void write_longest_line(const char *line, size_t one_byte_letters,
                               char out[TEXT_CLEAN_BYTES_MAX + 1])
{
    static const char letter[] = "\xe2\x82\xac";
    size_t len = strlen(line) - strlen(strrchr(line, ' ') + 1);
    memcpy(out, line, len);
    memset(out + len, 'x', one_byte_letters);
    len += one_byte_letters;
    while (len + strlen(letter) <= TEXT_CLEAN_BYTES_MAX) {
        memcpy(out + len, letter, strlen(letter));
        len += strlen(letter);
    }
    out[len] = '\0';
}

/* Returns whether the line ends in free text, such as a reason. Only such a line may get a very
 * long last word. */
static bool ends_in_free_text(const char *line)
{
    static const char *const words[] = {"why", "cards", "it",     "him",  "again",
                                        "no",  "cat",   "polite", "hello"};
    for (size_t i = 0; i < ARRAY_LEN(words) && strchr(line, ' ') != NULL; i++) {
        if (strcmp(strrchr(line, ' ') + 1, words[i]) == 0) {
            return true;
        }
    }
    return false;
}

static void try_all_commands_with_long_words(struct driver *driver, size_t one_byte_letters)
{
    char line[TEXT_CLEAN_BYTES_MAX + 1];
    size_t count = 0;
    prepare_chat_and_table(driver);
    for (size_t i = 0; i < ARRAY_LEN(deeds); i++) {
        const struct deed *deed = &deeds[i];
        driver_pass_time(driver, 2000);
        if (strcmp(deed->command, "observe") == 0) {
            driver_ok(driver, ADA, "{'t':'bot_add','policy':'easy'}");
            driver_ok(driver, ADA, "{'t':'table_start'}");
        }
        (void)snprintf(line, sizeof line, "%s", deed->line);
        if (ends_in_free_text(deed->line)) {
            write_longest_line(deed->line, one_byte_letters, line);
            count++;
        }
        order_ok(driver, deed->conn, line);
        assert_int_equal(driver->result, HOUSE_OK);
        driver_pass_time(driver, 1000);
    }
    assert_true(count > 25);
}

static void every_moderation_command_accepts_long_words_in_any_script(void **state)
{
    (void)state;
    for (size_t one_byte_letters = 0; one_byte_letters < 3; one_byte_letters++) {
        void *driver = NULL;
        assert_int_equal(order_setup(&driver), 0);
        try_all_commands_with_long_words(driver, one_byte_letters);
        assert_int_equal(driver_teardown(&driver), 0);
    }
}

static void every_role_is_refused_commands_of_higher_roles(void **state)
{
    struct driver *driver = *state;
    const struct mod_command_info *words = NULL;
    char row[80];
    for (size_t i = 0; (words = mod_command_info_at(i)) != NULL; i++) {
        driver_pass_time(driver, 2000);
        if (words->rank == RANK_MOD || words->rank == RANK_ADMIN) {
            order_no(driver, BOB, "role", words->name);
            snprintf(row, sizeof row, "bob %s  denied", words->name);
            order_expect_audit_row(driver, row);
        }
        if (words->rank == RANK_ADMIN) {
            order_no(driver, MAX, "role", words->name);
            snprintf(row, sizeof row, "max %s  denied", words->name);
            order_expect_audit_row(driver, row);
        }
    }
}

TEST_GROUP(mod_commands)
{
    const struct CMUnitTest tests[] = {
        ORDER_TEST(every_moderation_command_is_carried_out_and_has_an_audit_row),
        ORDER_TEST(every_role_is_refused_commands_of_higher_roles),
        cmocka_unit_test(every_moderation_command_accepts_long_words_in_any_script),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
