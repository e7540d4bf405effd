#include "tests/e2e/guests.h"
#include "tests/e2e/house.h"
#include "tests/e2e/play.h"
#include "tests/unit.h"

#include <ctype.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Tests which facts about people the house writes into its log, and which facts it leaves out. */

#define PASSWORD "seven silent storks"
#define WRONG "eleven loud storks"
#define SLIP "my password by mistake"
#define LOBBY_WORDS "zanzibar in public"
#define PRIVATE_WORDS "quixotic in private"
#define PLAY_MS 20000

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "re");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    long len = ftell(file);
    rewind(file);
    char *text = calloc(1, (size_t)len + 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, (size_t)len, file), len);
    fclose(file);
    return text;
}

/* Waits for these words on the screen and copies the next word; the caller frees the copy. */
static char *copy_word_after(struct terminal *person, const char *words)
{
    terminal_expect(person, words);
    const char *at = strstr(terminal_read_text(person), words) + strlen(words);
    return strndup(at, strcspn(at, " .\n"));
}

/* Connects without a key and creates an account. Returns its recovery code, which the caller
 * frees. */
static char *sign_up(struct terminal *ada)
{
    terminal_expect(ada, "Password:");
    terminal_type(ada, "\r");
    terminal_expect(ada, "Choose a name: ada");
    terminal_type(ada, "\r");
    terminal_expect(ada, "Choose a password:");
    terminal_type(ada, PASSWORD "\r");
    terminal_expect(ada, "once more:");
    terminal_type(ada, PASSWORD "\r");
    terminal_expect(ada, "Welcome, ada.");
    char *code = copy_word_after(ada, "Write this down: ");
    terminal_type(ada, "l");
    terminal_expect(ada, "tables · ada");
    return code;
}

static void type_and_expect(struct terminal *person, const char *line, const char *words)
{
    terminal_type(person, line);
    terminal_expect(person, words);
    terminal_type(person, "\x1b");
}

static void play_some_moves(struct terminal *ada)
{
    terminal_type(ada, "n");
    terminal_expect(ada, "A new table");
    terminal_type(ada, "\r");
    terminal_expect(ada, "about to begin");
    for (int i = 0; i < 3; i++) {
        static const char *const waiting[] = {"for 2 more", "for 1 more", "Enter begins the game"};
        terminal_type(ada, "b");
        terminal_expect(ada, waiting[i]);
    }
    terminal_type(ada, "s");
    struct terminal *const players[] = {ada, NULL};
    play_until(players, "round 2 of", PLAY_MS);
}

/* Tries to sign in with a wrong password, and with a password typed in place of the name. */
static void fail_to_sign_in(const struct house_fixture *house)
{
    const struct connect_setup setup = {0};
    struct terminal *other = house_connect_by_telnet(house, &setup);
    terminal_expect(other, "Your name");
    terminal_type(other, "ada\r");
    terminal_expect(other, "Password:");
    terminal_type(other, WRONG "\r");
    terminal_expect(other, "That was not right.");
    terminal_type(other, SLIP "\r");
    terminal_type(other, WRONG "\r");
    while (strstr(strstr(terminal_read_text(other), "not right.") + 1, "not right.") == NULL) {
        assert_true(terminal_read(other, TERMINAL_DEADLINE_MS));
    }
    terminal_free(other);
}

/* Whether the documentation in `page` contains `word` in back quotes. */
static bool page_documents_word(const char *page, const char *word, size_t len)
{
    char quoted[80];
    snprintf(quoted, sizeof(quoted), "`%.*s`", (int)len, word);
    return strstr(page, quoted) != NULL;
}

/* Checks that the documentation in `page` describes the log line's event and every key in the
 * line. */
static void assert_log_line_documented(const char *page, const char *line)
{
    const char *at = strstr(line, " event=");
    assert_non_null(at);
    at += strlen(" event=");
    size_t len = strcspn(at, " ");
    if (!page_documents_word(page, at, len)) {
        fail_msg("an event that is not on the page: %s", line);
    }
    while (at[len] == ' ') {
        at += len + 1;
        size_t key_len = strcspn(at, "=");
        if (!page_documents_word(page, at, key_len)) {
            fail_msg("a key that is not on the page: %s", line);
        }
        at += key_len + 1;
        len = *at == '"' ? strcspn(at + 1, "\"") + 2 : strcspn(at, " ");
    }
    assert_int_equal(at[len], '\0');
}

static void assert_log_has_no_secrets(const struct house_fixture *house, const char *recovery)
{
    const char *const secrets[] = {PASSWORD, WRONG, SLIP, LOBBY_WORDS, PRIVATE_WORDS, recovery,
                                   "♠",      "♥",   "♦",  "♣",         "\\xe2\\x99"};
    char path[512], page_path[512];
    snprintf(path, sizeof(path), "%s/data/house.log", house->folder);
    snprintf(page_path, sizeof(page_path), "%s/daemon/processes/README.md", getenv("SOURCE_DIR"));
    char *log = read_file(path), *page = read_file(page_path), *rest = log;
    for (size_t i = 0; i < sizeof(secrets) / sizeof(secrets[0]); i++) {
        if (strstr(log, secrets[i]) != NULL) {
            fail_msg("the log holds \"%s\"", secrets[i]);
        }
    }
    for (const char *line; (line = strsep(&rest, "\n")) != NULL && *line != '\0';) {
        assert_log_line_documented(page, line);
    }
    free(page);
    free(log);
}

static void the_log_says_who_connected_but_no_secrets(void **state)
{
    const struct house_fixture *house = *state;
    const struct connect_setup as_ada = {.user = "ada"}, as_guest = {.user = "guest"};
    struct terminal *guest = house_connect_by_ssh(house, &as_guest);
    guests_close_offer(guest);
    terminal_expect(guest, "#lobby");
    struct terminal *ada = house_connect_by_ssh(house, &as_ada);
    char *recovery = sign_up(ada);
    assert_true(strlen(recovery) > 8);
    type_and_expect(ada, "c" LOBBY_WORDS "\r", LOBBY_WORDS);
    type_and_expect(ada, "c/tell guest-1 " PRIVATE_WORDS "\r", PRIVATE_WORDS);
    play_some_moves(ada);
    terminal_free(ada);
    fail_to_sign_in(house);
    terminal_free(guest);

    house_expect_log_lines(house, "event=sign-up account=ada method=password", 1);
    house_expect_log_lines(house, "event=sign-in method=guest account=guest-1", 1);
    house_expect_log_lines(house, "event=denied method=password account=ada", 1);
    house_expect_log_lines(house, "event=denied method=password why=denied", 1);
    house_expect_log_lines(house, "event=key-exchange kex=curve25519-sha256", 2);
    house_expect_log_lines(house, "event=open transport=telnet address=127.0.0.1", 1);
    assert_log_has_no_secrets(house, recovery);
    free(recovery);
}

static int run_command(const struct house_fixture *house, const char *command)
{
    char line[512];
    snprintf(line, sizeof(line), "%s %s --data %s/data >/dev/null", getenv("TRICKHOUSE"), command,
             house->folder);
    int status = system(line);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void connect_and_leave_as_guest(const struct house_fixture *house)
{
    const struct connect_setup as_guest = {.user = "guest"};
    struct terminal *guest = house_connect_by_ssh(house, &as_guest);
    guests_close_offer(guest);
    terminal_expect(guest, "#lobby");
    terminal_free(guest);
}

/* Renames the log and then reloads the house, as logrotate does. Gate, core and sessions must all
 * write into the new file. */
static void a_reload_starts_a_new_log_after_the_old_one_was_renamed(void **state)
{
    const struct house_fixture *house = *state;
    char path[256], aside[256];
    connect_and_leave_as_guest(house);
    house_expect_log_lines(house, " event=open transport=ssh", 1);
    snprintf(path, sizeof(path), "%s/data/house.log", house->folder);
    snprintf(aside, sizeof(aside), "%s/data/yesterday.log", house->folder);
    assert_int_equal(rename(path, aside), 0);
    assert_int_equal(run_command(house, "reload"), 0);
    connect_and_leave_as_guest(house);
    house_expect_log_lines(house, " gate info conn=- event=renewed ", 1);
    house_expect_log_lines(house, " event=open transport=ssh", 1);
    house_expect_log_lines(house, " event=sign-in method=guest", 1);
    house_expect_log_lines(house, " event=key-exchange ", 1);
}

static void the_log_continues_after_its_writer_was_killed(void **state)
{
    const struct house_fixture *house = *state;
    for (int i = 1; i <= 3; i++) {
        assert_int_equal(kill(house_find_process(house, "log"), SIGKILL), 0);
        connect_and_leave_as_guest(house);
        house_expect_log_lines(house, "the process that writes the log had died", i);
        house_expect_log_lines(house, " event=sign-in method=guest", i);
    }
}

#define LOG_MOST (1024 * 1024) /* the value of the setting log.most_mib */
#define LOG_LEFT 4096          /* the number of bytes left in the log when the house opens */

/* Fills the log of a closed house almost to the allowed length. */
static void fill_log(const struct house_fixture *house)
{
    static const char line[] = "an old line\n";
    char path[256];
    snprintf(path, sizeof(path), "%s/data/house.log", house->folder);
    FILE *file = fopen(path, "ae");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    for (long len = ftell(file); len < LOG_MOST - LOG_LEFT; len += (long)sizeof(line) - 1) {
        assert_true(fputs(line, file) >= 0);
    }
    assert_int_equal(fclose(file), 0);
}

/* Counts the lines with the words in house.log.1, to which a full log is renamed. Returns -1 when
 * there is no such file. */
static int count_lines_in_renamed_log(const struct house_fixture *house, const char *words)
{
    char path[256];
    int count = 0;
    snprintf(path, sizeof(path), "%s/data/house.log.1", house->folder);
    if (access(path, F_OK) != 0) {
        return -1;
    }
    char *text = read_file(path);
    for (const char *at = text; (at = strstr(at, words)) != NULL; at += strlen(words)) {
        count++;
    }
    free(text);
    return count;
}

static void a_log_that_is_too_long_is_renamed_and_every_process_writes_a_new_one(void **state)
{
    static const char *const words[] = {
        " event=open transport=ssh",   /* a line that the gate writes */
        " event=key-exchange ",        /* a line that each session writes */
        " event=sign-in method=guest", /* a line that the core writes */
    };
    struct house_fixture house;
    int guests = 0;
    (void)state;
    house_open_with_settings(&house, "[log]\nmost_mib = 1\n");
    house_stop(&house);
    fill_log(&house);
    house_start(&house, NULL);
    assert_int_equal(count_lines_in_renamed_log(&house, "event"), -1);
    for (; guests < 60 && count_lines_in_renamed_log(&house, "event") < 0; guests++) {
        connect_and_leave_as_guest(&house);
    }
    connect_and_leave_as_guest(&house);
    guests++;
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        int now = house_count_log_lines(&house, words[i]);
        int before = count_lines_in_renamed_log(&house, words[i]);
        assert_true(before >= 1 && now >= 1);
        assert_int_equal(before + now, guests); /* no line is lost during the renaming */
    }
    house_close(&house);
}

TEST_GROUP(log)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_reload_starts_a_new_log_after_the_old_one_was_renamed,
                                        house_set_up, house_tear_down),
        cmocka_unit_test_setup_teardown(the_log_continues_after_its_writer_was_killed, house_set_up,
                                        house_tear_down),
        cmocka_unit_test(a_log_that_is_too_long_is_renamed_and_every_process_writes_a_new_one),
        cmocka_unit_test_setup_teardown(the_log_says_who_connected_but_no_secrets, house_set_up,
                                        house_tear_down),
    };
    return cmocka_run_group_tests_name("log", tests, NULL, NULL);
}
