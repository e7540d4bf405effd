#include "games/macros.h"
#include "tests/e2e/client.h"
#include "tests/e2e/command.h"
#include "tests/e2e/openssh.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Queries through the real ssh, without entering the house: asked by guests and by people with an
 * account, answered as text and as JSON, after the example program has played a game. */

static const char password[] = "correct horse battery";

#define ADA_KEY "-oIdentityFile=ada"
#define ADA "ada@127.0.0.1"

static int open_house(void **state)
{
    static struct house_fixture house;
    char script[1024];
    const char *folder = getenv("SOURCE_DIR");
    struct command_result result;
    assert_non_null(folder);
    house_open_with_admin(&house, "ada", "");
    snprintf(script, sizeof(script),
             "%s/deploy/examples/oh-hell-bot.py --person --fill --sign-up ada " ADA " -F none -p %d"
             " -i ada -o StrictHostKeyChecking=no -o UserKnownHostsFile=hosts -o LogLevel=ERROR",
             folder, house.port);
    command_run(&house, (const char *const[]){"sh", "-c", script, NULL}, &result);
    command_assert_result(&result, 0, "game 1 is over");
    *state = &house;
    return 0;
}

struct question {
    const char *who;
    const char *words[6];
    int status;
    const char *says;
};

static void run_query(const struct house_fixture *house, const struct question *question,
                      struct command_result *result)
{
    struct openssh line;
    openssh_begin_command_line(&line, house, "ssh");
    if (strcmp(question->who, ADA) == 0) {
        openssh_add_words(&line, (const char *const[]){ADA_KEY, NULL});
    }
    openssh_add_words(&line, (const char *const[]){question->who, NULL});
    openssh_add_words(&line, question->words);
    command_run(house, line.words, result);
    command_assert_result(result, question->status, question->says);
    for (const char *at = result->said; *at != '\0'; at++) {
        assert_true((unsigned char)*at >= ' ' || *at == '\n');
    }
}

static void check_all_queries(const struct house_fixture *house, const struct question *questions,
                              size_t count)
{
    struct command_result result;
    for (size_t i = 0; i < count; i++) {
        run_query(house, &questions[i], &result);
    }
}

static void every_query_is_answered_in_text(void **state)
{
    static const struct question questions[] = {
        {OPENSSH_GUEST, {"top", "oh-hell"}, 0, "Oh Hell: nobody is listed yet."},
        {OPENSSH_GUEST, {"top", "oh", "--bots"}, 0, "Oh Hell: nobody is listed yet."},
        {OPENSSH_GUEST, {"top", "oh", "--players", "3", "--season"}, 0, "nobody is listed yet"},
        {OPENSSH_GUEST, {"who"}, 0, "ella  -  playing at #1        medium bot"},
        {OPENSSH_GUEST, {"tables"}, 0, "Oh Hell    3/3  30s    finished  ada"},
        {OPENSSH_GUEST, {"games", "ada"}, 0, "Oh Hell"},
        {OPENSSH_GUEST, {"finger", "ada"}, 0, "ada is not online."},
        {OPENSSH_GUEST, {"replay", "1"}, 0, "Game 1: Oh Hell, "},
        {OPENSSH_GUEST, {"replay", "1", "--step", "3"}, 0, "Cards of ada:"},
        {OPENSSH_GUEST, {"verify", "1"}, 0, "Game 1 is correct"},
        {OPENSSH_GUEST, {"help"}, 0, "top GAME"},
        {ADA, {"inbox"}, 0, "No game waits for your move."},
    };
    check_all_queries(*state, questions, ARRAY_LEN(questions));
}

static void every_query_is_answered_in_json(void **state)
{
    static const struct question questions[] = {
        {OPENSSH_GUEST, {"top", "oh-hell", "--json"}, 0, "{\"game\":\"oh-hell\",\"total\":0,"},
        {OPENSSH_GUEST, {"who", "--json"}, 0, "{\"people\":["},
        {OPENSSH_GUEST, {"tables", "--json"}, 0, "{\"tables\":[{\"id\":1,"},
        {OPENSSH_GUEST, {"games", "ada", "--json"}, 0, "{\"rows\":[{\"game_id\":1,"},
        {OPENSSH_GUEST, {"finger", "ada", "--json"}, 0, "{\"name\":\"ada\",\"person\":null,"},
        {OPENSSH_GUEST, {"verify", "1", "--json"}, 0, "{\"game_id\":1,\"holds\":true,"},
        {ADA, {"inbox", "--json"}, 0, "{\"tables\":[{\"table\":1,"},
    };
    struct command_result result;
    for (size_t i = 0; i < ARRAY_LEN(questions); i++) {
        run_query(*state, &questions[i], &result);
        assert_int_equal(command_count_lines(&result), 1);
    }
}

/* The house's own program accepts the history that a query printed. */
static void the_verify_command_accepts_a_games_history(void **state)
{
    const struct house_fixture *house = *state;
    struct command_result result;
    char script[1024];
    snprintf(script, sizeof(script),
             "ssh -F none -p %d -o UserKnownHostsFile=hosts " OPENSSH_GUEST
             " replay 1 --json | %s verify -",
             house->port, getenv("TRICKHOUSE"));
    command_run(house, (const char *const[]){"sh", "-c", script, NULL}, &result);
    command_assert_result(&result, 0, "correct: oh-hell");
}

/* Checks the format of asciinema: a header, then events in order of time, one for each step. */
static void a_game_can_be_recorded_for_asciinema(void **state)
{
    static const char check[] =
        "import json, sys\n"
        "lines = [json.loads(line) for line in sys.stdin]\n"
        "assert lines[0]['version'] == 2 and lines[0]['width'] == 100, lines[0]\n"
        "times = [line[0] for line in lines[1:]]\n"
        "assert times == sorted(set(times)) and len(times) > 100, times\n"
        "assert all(line[1] == 'o' for line in lines[1:])\n"
        "print(len(lines), 'lines')\n";
    const struct house_fixture *house = *state;
    struct command_result result;
    char script[2048];
    snprintf(script, sizeof(script),
             "ssh -F none -p %d -o UserKnownHostsFile=hosts -o LogLevel=ERROR " OPENSSH_GUEST
             " replay 1 --cast --columns 100 --rows 30 | python3 -c \"%s\"",
             house->port, check);
    command_run(house, (const char *const[]){"sh", "-c", script, NULL}, &result);
    command_assert_result(&result, 0, " lines");
}

/* The recording is larger than the buffers of pipe and client; the client passes on the rest while
 * the test reads slowly. */
static void a_slow_reader_gets_the_whole_recording(void **state)
{
    const struct house_fixture *house = *state;
    struct command_result result;
    char script[1024];
    snprintf(
        script, sizeof(script),
        "ask() { ssh -F none -p %d -o UserKnownHostsFile=hosts -o LogLevel=ERROR " OPENSSH_GUEST
        " replay 1 --cast; }; "
        "all=$(ask | wc -c); slow=$(ask | (sleep 2; wc -c)); test $all -eq $slow && echo same",
        house->port);
    command_run(house, (const char *const[]){"sh", "-c", script, NULL}, &result);
    command_assert_result(&result, 0, "same");
}

static void a_refused_query_fails_with_one_line(void **state)
{
    static const struct question questions[] = {
        {OPENSSH_GUEST, {"games", "nobody"}, 1, "Nobody has that name"},
        {OPENSSH_GUEST, {"finger", "nobody"}, 1, "Nobody has that name"},
        {OPENSSH_GUEST, {"replay", "99"}, 1, "no such game"},
        {OPENSSH_GUEST, {"replay", "99", "--cast"}, 1, "no such game"},
        {OPENSSH_GUEST, {"replay", "1", "--cast", "--json"}, 2, "Usage: replay"},
        {OPENSSH_GUEST, {"verify", "99"}, 1, "no such game"},
        {OPENSSH_GUEST, {"inbox"}, 1, "account"},
        {OPENSSH_GUEST, {"mod", "held"}, 1, "account"},
        {ADA, {"mod", "banlist"}, 1, "password"},
        {OPENSSH_GUEST, {"ls", "-l"}, 1, "\"help\" lists"},
        {OPENSSH_GUEST, {"top"}, 2, "oh-hell, "},
        {OPENSSH_GUEST, {"games"}, 2, "Usage: games USER"},
    };
    struct command_result result;
    for (size_t i = 0; i < ARRAY_LEN(questions); i++) {
        run_query(*state, &questions[i], &result);
        assert_int_equal(command_count_lines(&result), 1);
    }
}

/* Ada runs a query on a pseudo-terminal, which ssh creates for a command only on request. */
static struct terminal *run_query_at_terminal(const struct house_fixture *house,
                                              const char *const *words)
{
    struct openssh line;
    char key[96];
    snprintf(key, sizeof(key), "-oIdentityFile=%s/ada", house->folder);
    openssh_begin_command_line(&line, house, "ssh");
    openssh_add_words(&line, (const char *const[]){"-t", "-oLogLevel=ERROR", key, ADA, NULL});
    openssh_add_words(&line, words);
    return client_start(house, line.words);
}

static void a_query_on_a_terminal_is_answered_too(void **state)
{
    struct terminal *ada =
        run_query_at_terminal(*state, (const char *const[]){"verify", "1", NULL});
    terminal_expect(ada, "Game 1 is correct");
    assert_int_equal(terminal_wait_for_end(ada), 0);
}

static void choose_password_of_ada(const struct house_fixture *house)
{
    const struct connect_setup setup = {.user = "ada", .key = "ada"};
    struct terminal *ada = house_connect_by_ssh(house, &setup);
    terminal_expect(ada, "is over"); /* Ada is back at the table at which she lost her connection */
    terminal_type(ada, "/password\r");
    terminal_expect(ada, "New password:");
    terminal_type_line(ada, password);
    terminal_expect(ada, "once more:");
    terminal_type_line(ada, password);
    terminal_expect(ada, "The new password is set.");
    terminal_type(ada, "q");
    terminal_expect(ada, "is over");
    terminal_type(ada, "q");
    terminal_expect(ada, "#lobby");
    client_leave(ada);
}

/* Without a terminal the house cannot ask for confirmation; at a terminal the house asks and then
 * runs the command. Then it accepts the key for a while without asking, so that scripts work. */
static void moderation_commands_are_confirmed_at_a_terminal(void **state)
{
    static const char *const banlist[] = {"mod", "banlist", NULL};
    static const struct question refused = {ADA, {"mod", "banlist"}, 1, "ssh -t HOST mod"};
    static const struct question own = {ADA, {"mod", "sanctions"}, 0, ""};
    static const struct question done = {ADA, {"mod", "banlist"}, 0, "No ban is in force."};
    struct command_result result;
    run_query(*state, &own, &result);
    choose_password_of_ada(*state);
    run_query(*state, &refused, &result);
    assert_int_equal(command_count_lines(&result), 1);

    struct terminal *ada = run_query_at_terminal(*state, banlist);
    terminal_expect(ada, "Confirm it is you.");
    terminal_type(ada, "\r");
    assert_int_equal(terminal_wait_for_end(ada), 1);

    ada = run_query_at_terminal(*state, banlist);
    terminal_expect(ada, "Confirm it is you.");
    terminal_type_line(ada, password);
    terminal_expect(ada, "No ban is in force.");
    assert_false(terminal_shows(ada, password));
    assert_int_equal(terminal_wait_for_end(ada), 0);
    run_query(*state, &done, &result);
}

static void a_refusal_at_a_terminal_has_a_failing_exit_status(void **state)
{
    static const char *const unknown[] = {"mod", "whois", "nobody", NULL};
    static const char *const own[] = {"mod", "yes", "void", "@1", "why", NULL};
    static const char *const not_meant[] = {"mod", "ban", "ip=203.0.0.0/8", "1d", "why", NULL};
    static const char *const meant[] = {"mod", "yes", "ban", "ip=203.0.0.0/8", "1d", "why", NULL};
    struct terminal *ada = run_query_at_terminal(*state, unknown);
    terminal_expect(ada, "Nobody is called nobody");
    assert_int_equal(terminal_wait_for_end(ada), 1);

    ada = run_query_at_terminal(*state, own);
    terminal_expect(ada, "You played in that game");
    assert_int_equal(terminal_wait_for_end(ada), 1);

    ada = run_query_at_terminal(*state, not_meant);
    terminal_expect(ada, "Are you sure?");
    terminal_type(ada, "n\r");
    assert_int_equal(terminal_wait_for_end(ada), 1);

    ada = run_query_at_terminal(*state, meant);
    terminal_expect(ada, "203.0.0.0/8 is banned");
    assert_int_equal(terminal_wait_for_end(ada), 0);
}

TEST_GROUP(queries)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_query_is_answered_in_text),
        cmocka_unit_test(every_query_is_answered_in_json),
        cmocka_unit_test(the_verify_command_accepts_a_games_history),
        cmocka_unit_test(a_game_can_be_recorded_for_asciinema),
        cmocka_unit_test(a_slow_reader_gets_the_whole_recording),
        cmocka_unit_test(a_refused_query_fails_with_one_line),
        cmocka_unit_test(a_query_on_a_terminal_is_answered_too),
        cmocka_unit_test(moderation_commands_are_confirmed_at_a_terminal),
        cmocka_unit_test(a_refusal_at_a_terminal_has_a_failing_exit_status),
    };
    return cmocka_run_group_tests_name("queries", tests, open_house, house_tear_down);
}
