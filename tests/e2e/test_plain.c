#include "games/game.h"
#include "tests/e2e/talker.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/*
 * The house in plain lines, over all connections of people who cannot have a screen drawn. Whole
 * games are played from the text, and no escape sequence is ever sent.
 */
#define GAME_MS 60000

static const char settings[] = "[play]\nbot_delay_ms = 0\n[telnet]\nnegotiation_ms = 500\n";

/* Plays from the text until the game is over. `enter` ends a line. */
static void play_game(struct talker *person, const char *enter)
{
    static const char *const events[] = {"The game is over.", "Type a number: ", "You can choose ",
                                         NULL};
    for (;;) {
        size_t event = talker_expect_any(person, events, GAME_MS);
        if (event == 0) {
            return;
        }
        static const char *const ends[] = {",", ".", " ", NULL};
        const char *begin = talker_rest(person);
        talker_expect_any(person, ends, TERMINAL_DEADLINE_MS);
        char line[32];
        snprintf(line, sizeof(line), "%.*s%s", (int)strspn(begin, "0123456789"), begin, enter);
        talker_type(person, line);
    }
}

/* Plays a game with bots, starting and ending in the lobby. */
static void play_short_game(struct talker *person, const char *enter)
{
    const char *const lines[] = {"/new", "players 7", "length short-up", "bots"};
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        talker_type(person, lines[i]);
        talker_type(person, enter);
    }
    talker_expect(person, "round 1 of ");
    play_game(person, enter);
    talker_expect(person, "Rank 1: ");
    talker_expect(person, "The deal was fair");
    talker_type(person, "/scores");
    talker_type(person, enter);
    talker_expect(person, "Round 1 is over.");
    talker_type(person, "/leave");
    talker_type(person, enter);
    talker_expect(person, "The lobby of ");
}

static void leave(struct talker *person, const char *enter)
{
    talker_type(person, "/quit");
    talker_type(person, enter);
    talker_expect(person, "is open whenever you are.");
    assert_int_equal(talker_wait_end(person), 0);
    talker_free(person);
}

/* Answers any question with its first choice. */
static void play_any_game(struct talker *person)
{
    static const char *const events[] = {"The game is over.",
                                         "Type a number: ",
                                         "Type a number, ",
                                         "You can choose ",
                                         "one of these:\n",
                                         "Type ",
                                         NULL};
    static const char *const ends[] = {",", ".", " ", ":", NULL};
    while (talker_expect_any(person, events, GAME_MS) != 0) {
        const char *begin = talker_rest(person);
        char line[32];
        talker_expect_any(person, ends, TERMINAL_DEADLINE_MS);
        snprintf(line, sizeof(line), "%.*s\n", (int)strspn(begin, "0123456789"), begin);
        talker_type(person, line);
    }
}

static void every_game_is_played_to_its_end_by_typing(void **state)
{
    struct talker *person = talker_by_ssh(*state, "guest", NULL, "-T", "xterm");
    assert_int_not_equal(game_count(), 0);
    for (uint8_t i = 0; i < game_count(); i++) {
        char line[80];
        talker_type(person, "/new\n");
        snprintf(line, sizeof(line), "game %s\nplayers 3\nbots\n", game_at(i)->id);
        talker_type(person, line);
        talker_expect(person, "round 1");
        long begun = terminal_now_ms();
        play_any_game(person);
        printf("%s: %ld ms\n", game_at(i)->title, terminal_now_ms() - begun);
        talker_expect(person, "Rank 1: ");
        talker_type(person, "/leave\n");
        talker_expect(person, "The lobby of ");
    }
    leave(person, "\n");
}

static void a_newcomer_plays_a_whole_game_without_a_terminal(void **state)
{
    house_make_key(*state, "tess");
    struct talker *person = talker_by_ssh(*state, "tess", "tess", "-T", "xterm-256color");
    talker_expect(person, "Choose a name: (Enter alone: tess)\n");
    talker_type(person, "\n");
    talker_expect(person, "Password (Enter alone: none): (what you type shows)\n");
    talker_type(person, "\n");
    talker_expect(person, "Write this down: ");
    talker_type(person, "lobby\n");
    talker_expect(person, "The lobby of ");
    play_short_game(person, "\n");
    talker_type(person, "/history\n/leaders\n/help\n/settings\n/rules\n");
    talker_expect(person, "Oh Hell, place ");
    talker_expect(person, "The best at ");
    talker_expect(person, "/tables: ");
    talker_expect(person, "Plain lines: on");
    talker_expect(person, "in brief");
    talker_print(person, "ssh -T");
    leave(person, "\n");
}

static void a_player_who_reconnects_is_told_once_where_they_are(void **state)
{
    struct talker *person = talker_by_ssh(*state, "tess", "tess", "-T", "xterm-256color");
    const char *const lines[] = {"/new\n", "players 3\n", "bots\n"};
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        talker_type(person, lines[i]);
    }
    talker_expect(person, "Your turn: ");
    talker_free(person);
    person = talker_by_ssh(*state, "tess", "tess", "-T", "xterm-256color");
    talker_expect(person, "have missed nothing. It is your turn.\n");
    talker_type(person, "/look\n");
    talker_expect(person, "round 1 of ");
    talker_expect(person, "Your turn: ");
    talker_print(person, "back at the table in plain lines");
    assert_false(talker_heard(person, "for your move"));
    assert_false(talker_heard(person, "It is your turn at "));
    assert_false(talker_heard(person, "The lobby of "));
    talker_type(person, "/leave\n");
    talker_expect(person, "g: leave for good");
    talker_type(person, "g\n");
    talker_expect(person, "The lobby of ");
    leave(person, "\n");
}

static void a_guest_plays_a_whole_game_on_a_dumb_terminal(void **state)
{
    struct talker *person = talker_by_ssh(*state, "guest", NULL, "-tt", "dumb");
    talker_expect(person, "\r\n> ");
    play_short_game(person, "\r");
    talker_print(person, "TERM=dumb ssh -tt");
    leave(person, "\r");
}

static void a_guest_plays_a_whole_game_by_telnet_line_by_line(void **state)
{
    struct talker *person = talker_by_socket(*state);
    talker_send(person, "\377\376\001\377\376\003\377\376\000\377\374\003", 12);
    talker_expect(person, "Telnet is not encrypted");
    talker_expect(person, "Your name (");
    talker_type(person, "guest\r\n");
    talker_expect(person, "The lobby of ");
    assert_false(talker_heard(person, "guest\r\n")); /* the client has shown the line */
    play_short_game(person, "\r\n");
    talker_print(person, "telnet in lines");
    leave(person, "\r\n");
}

static void the_choice_of_plain_lines_is_stored_with_the_account(void **state)
{
    struct talker *person = talker_by_ssh(*state, "tess", "tess", "-T", "xterm");
    talker_expect(person, "You are tess.");
    talker_type(person, "/plain on\n/settings\n");
    talker_expect(person, "Plain lines: on");
    leave(person, "\n");
    person = talker_by_ssh(*state, "tess", "tess", "-tt", "xterm-256color");
    talker_expect(person, "You are tess.");
    talker_expect(person, "\r\n> ");
    leave(person, "\r");
}

/* Waits until a row contains only the prompt; typed text will follow it. */
static void expect_prompt(struct terminal *person)
{
    long deadline_ms = terminal_now_ms() + TERMINAL_DEADLINE_MS;
    while (strstr(terminal_text(person), "\n>\n") == NULL) {
        long left_ms = deadline_ms - terminal_now_ms();
        if (left_ms <= 0 || !terminal_read(person, (int)left_ms)) {
            fail_msg("no prompt on the screen:\n%s", terminal_text(person));
        }
    }
}

static void the_house_echoes_input_to_a_dumb_terminal_over_telnet(void **state)
{
    const struct visit visit = {.term = "dumb"};
    struct terminal *person = house_enter_by_telnet(*state, &visit);
    terminal_expect(person, "Your name");
    terminal_type(person, "guest\r");
    terminal_expect(person, "Anything else is said in the lobby.");
    expect_prompt(person);
    terminal_type(person, "/tabx\177les\r");
    terminal_expect(person, "> /tables");
    terminal_type(person, "/quit\r");
    terminal_expect(person, "is open whenever you are.");
    terminal_free(person);
}

static void a_client_without_telnet_negotiation_can_enter(void **state)
{
    struct talker *person =
        talker_by_socket(*state); /* connects as nc does, without any telnet negotiation */
    talker_expect(person, "Your name (");
    talker_type(person, "guest\n");
    talker_expect(person, "The lobby of ");
    leave(person, "\n");
}

static void a_screen_reader_gets_whole_lines_and_its_own_echo(void **state)
{
    static const char types[][24] = {"\377\372\030\000MUDLET\377\360",
                                     "\377\372\030\000ANSI\377\360",
                                     "\377\372\030\000MTTS 64\377\360"};
    struct talker *person = talker_by_socket(*state);
    talker_send(person, "\377\375\001\377\375\003\377\376\000\377\373\030\377\374\037", 15);
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
        talker_expect(person, "\377\372\030\001\377\360");
        size_t name = strlen(types[i] + 4);
        talker_send(person, types[i], 4 + name);
    }
    talker_expect(person, "\377\374\001"); /* WONT ECHO: the client shows what is typed */
    talker_send(person, "\377\376\001", 3);
    talker_expect(person, "Your name (");
    talker_type(person, "guest\r\n");
    talker_expect(person, "/new opens a table, /sit 3 sits down at table 3, /watch 3 watches it, "
                          "/help lists the commands. Anything else is said in the lobby.\r\n");
    leave(person, "\r\n");
}

static void a_password_is_hidden_from_a_client_that_can_hide_it(void **state)
{
    struct talker *person = talker_by_socket(*state);
    talker_send(person, "\377\376\001\377\376\003\377\376\000\377\374\030\377\374\037", 15);
    talker_expect(person, "Your name (");
    talker_type(person, "nobody-here\r\n");
    talker_expect(person, "\377\373\001"); /* WILL ECHO: the client hides what is typed */
    talker_send(person, "\377\375\001", 3);
    talker_type(person, "a wrong password\r\n");
    talker_expect(person, "\377\374\001"); /* the client shows it again */
    talker_send(person, "\377\376\001", 3);
    talker_expect(person, "Your name (");
    talker_type(person, "nobody-here\r\n");
    talker_expect(person, "\377\373\001");
    talker_send(person, "\377\376\001", 3);
    talker_expect(person, "(What you type shows.)");
    talker_free(person);
}

static void the_commands_in_a_file_are_carried_out_and_the_session_ends(void **state)
{
    struct talker *person = talker_by_ssh(*state, "guest", NULL, "-T", "xterm");
    talker_type(person, "/tables\n/who\nhello everybody\n/rules hund\n");
    talker_end(person);
    assert_int_equal(talker_wait_end(person), 0);
    talker_expect(person, "No table is open.");
    talker_expect(person, "1 person is in.");
    talker_expect(person, "You: hello everybody");
    talker_expect(person, "HUND in brief");
    talker_expect(person, "is open whenever you are.\n");
    talker_free(person);
}

static void a_session_without_input_prints_the_lobby_and_ends(void **state)
{
    struct talker *person = talker_by_ssh(*state, "guest", NULL, "-T", "xterm");
    talker_end(person);
    assert_int_equal(talker_wait_end(person), 0);
    talker_expect(person, "1 person is in.");
    talker_expect(person, "is open whenever you are.\n");
    talker_free(person);
}

static int set_up(void **state)
{
    static struct house_fixture house;
    house_open_with(&house, settings);
    *state = &house;
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_commands_in_a_file_are_carried_out_and_the_session_ends),
        cmocka_unit_test(a_session_without_input_prints_the_lobby_and_ends),
        cmocka_unit_test(a_newcomer_plays_a_whole_game_without_a_terminal),
        cmocka_unit_test(a_player_who_reconnects_is_told_once_where_they_are),
        cmocka_unit_test(a_guest_plays_a_whole_game_on_a_dumb_terminal),
        cmocka_unit_test(a_guest_plays_a_whole_game_by_telnet_line_by_line),
        cmocka_unit_test(every_game_is_played_to_its_end_by_typing),
        cmocka_unit_test(the_choice_of_plain_lines_is_stored_with_the_account),
        cmocka_unit_test(the_house_echoes_input_to_a_dumb_terminal_over_telnet),
        cmocka_unit_test(a_client_without_telnet_negotiation_can_enter),
        cmocka_unit_test(a_screen_reader_gets_whole_lines_and_its_own_echo),
        cmocka_unit_test(a_password_is_hidden_from_a_client_that_can_hide_it),
    };
    return cmocka_run_group_tests_name("plain", tests, set_up, house_tear_down);
}
