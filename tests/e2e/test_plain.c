#include "games/game.h"
#include "tests/e2e/line_client.h"
#include "tests/environment.h"
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

/*
 * Plain mode, over all connections of people for whom no screen can be drawn. Whole games are
 * played from the text, and no escape sequence is ever sent.
 */
#define GAME_MS 60000

static const char settings[] = "[play]\nbot_delay_ms = 0\n[telnet]\nnegotiation_ms = 5000\n";

/* places in the lists of events below */
#define STOP_EVENT 3  /* the end of a round */
#define LIST_EVENT 5  /* choices with their numbers, one in a line */
#define ORDER_EVENT 6 /* an order of colours */

/* Answers the house's questions with the first number each offers, and goes on after each round,
 * until the game is over. A typed line ends with `line_end`. */
static void play_game(struct line_client *person, const char *line_end)
{
    static const char *const events[] = {
        "The game is over.",     "Type a number: ",     "You can choose ",
        "Press Enter to go on.", "Type a number from ", NULL};
    for (;;) {
        size_t event = line_client_expect_any(person, events, GAME_MS);
        if (event == 0) {
            return;
        }
        if (event == STOP_EVENT) {
            line_client_type(person, line_end);
            continue;
        }
        static const char *const ends[] = {",", ".", " ", NULL};
        const char *begin = line_client_unmatched_output(person);
        line_client_expect_any(person, ends, TERMINAL_DEADLINE_MS);
        char line[32];
        snprintf(line, sizeof(line), "%.*s%s", (int)strspn(begin, "0123456789"), begin, line_end);
        line_client_type(person, line);
    }
}

/* Plays a game with bots, starting and ending in the lobby. */
static void play_short_game(struct line_client *person, const char *line_end)
{
    const char *const lines[] = {"/new", "players 7", "length short-up", "bots"};
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        line_client_type(person, lines[i]);
        line_client_type(person, line_end);
    }
    line_client_expect(person, "round 1 of ");
    play_game(person, line_end);
    line_client_expect(person, "Rank 1: ");
    line_client_expect(person, "The deal was fair");
    line_client_type(person, "/scores");
    line_client_type(person, line_end);
    line_client_expect(person, "Round 1 is over.");
    line_client_type(person, "/leave");
    line_client_type(person, line_end);
    line_client_expect(person, "The lobby of ");
}

static void leave_house(struct line_client *person, const char *line_end)
{
    line_client_type(person, "/quit");
    line_client_type(person, line_end);
    line_client_expect(person, "is open whenever you are.");
    assert_int_equal(line_client_wait_for_end(person), 0);
    line_client_free(person);
}

/* Answers any question with its first choice. */
static void play_any_game(struct line_client *person)
{
    static const char *const events[] = {"The game is over.",
                                         "Type a number: ",
                                         "Type a number, ",
                                         "Press Enter to go on.",
                                         "You can choose ",
                                         "one of these:",
                                         "Type the colours ",
                                         "Type a number from ",
                                         "Type ",
                                         NULL};
    static const char *const ends[] = {",", ".", " ", ":", NULL};
    size_t event;
    while ((event = line_client_expect_any(person, events, GAME_MS)) != 0) {
        if (event == STOP_EVENT) {
            line_client_type(person, "\n");
            continue;
        }
        if (event == ORDER_EVENT) {
            line_client_type(person, "order\n");
            continue;
        }
        if (event == LIST_EVENT) {
            line_client_expect(person, "\n");
        }
        const char *begin = line_client_unmatched_output(person);
        char line[32];
        line_client_expect_any(person, ends, TERMINAL_DEADLINE_MS);
        snprintf(line, sizeof(line), "%.*s\n", (int)strspn(begin, "0123456789"), begin);
        line_client_type(person, line);
    }
}

/* Plays every game to its end, or leaves out those that TEST_PART leaves out (may_skip). */
static void play_games(struct line_client *person, bool may_skip)
{
    assert_int_not_equal(game_count(), 0);
    for (uint8_t i = 0; i < game_count(); i++) {
        if (may_skip && !environment_tries(i)) {
            continue;
        }
        char line[80];
        line_client_type(person, "/new\n");
        snprintf(line, sizeof(line), "game %s\nplayers 3\nbots\n", game_at(i)->id);
        line_client_type(person, line);
        line_client_expect(person, "round 1");
        long begun = terminal_now_ms();
        play_any_game(person);
        printf("%s: %ld ms\n", game_at(i)->title, terminal_now_ms() - begun);
        line_client_expect(person, "Rank 1: ");
        line_client_type(person, "/leave\n");
        line_client_expect(person, "The lobby of ");
    }
}

static void every_game_is_played_to_its_end_by_typing(void **state)
{
    struct line_client *person = line_client_open_ssh(*state, "guest", NULL, "-T", "xterm");
    play_games(person, false);
    leave_house(person, "\n");
}

static void a_line_waits_until_what_the_line_before_has_opened_is_printed(void **state)
{
    struct line_client *person = line_client_open_ssh(*state, "guest", NULL, "-T", "xterm");
    line_client_type(person, "/quick oh-hell\n/leave\n");
    line_client_expect(person, "Leave?");
    assert_false(line_client_has_read(person, "/leave works at a table"));
    line_client_free(person);
}

static void a_newcomer_plays_a_whole_game_without_a_terminal(void **state)
{
    struct line_client *person =
        line_client_open_ssh(*state, "tess", "tess", "-T", "xterm-256color");
    line_client_expect(person, "Choose a name: (Enter alone: tess)\n");
    line_client_type(person, "\n");
    line_client_expect(person, "Password (Enter alone: none): (what you type is visible)\n");
    line_client_type(person, "\n");
    line_client_expect(person, "Write this down: ");
    line_client_type(person, "lobby\n");
    line_client_expect(person, "The lobby of ");
    play_short_game(person, "\n");
    line_client_type(person, "/history\n/leaders\n/help\n/settings\n/rules\n");
    line_client_expect(person, "Oh Hell, place ");
    line_client_expect(person, "The best at ");
    line_client_expect(person, "/tables: ");
    line_client_expect(person, "Plain lines: on");
    line_client_expect(person, "in brief");
    line_client_print(person, "ssh -T");
    leave_house(person, "\n");
}

static void a_player_who_reconnects_is_told_once_where_they_are(void **state)
{
    struct line_client *person =
        line_client_open_ssh(*state, "tess", "tess", "-T", "xterm-256color");
    const char *const lines[] = {"/new\n", "players 3\n", "bots\n"};
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        line_client_type(person, lines[i]);
    }
    line_client_expect(person, "Your turn: ");
    line_client_free(person);
    person = line_client_open_ssh(*state, "tess", "tess", "-T", "xterm-256color");
    line_client_expect(person, "have missed nothing. It is your turn.\n");
    line_client_type(person, "/look\n");
    line_client_expect(person, "round 1 of ");
    line_client_expect(person, "Your turn: ");
    line_client_print(person, "a player returns to the table in plain mode");
    assert_false(line_client_has_read(person, "for your move"));
    assert_false(line_client_has_read(person, "It is your turn at "));
    assert_false(line_client_has_read(person, "The lobby of "));
    line_client_type(person, "/leave\n");
    line_client_expect(person, "g: leave for good");
    line_client_type(person, "g\n");
    line_client_expect(person, "Leave for good?");
    line_client_type(person, "y\n");
    line_client_expect(person, "The lobby of ");
    leave_house(person, "\n");
}

static void a_guest_plays_a_whole_game_on_a_dumb_terminal(void **state)
{
    struct line_client *person = line_client_open_ssh(*state, "guest", NULL, "-tt", "dumb");
    line_client_expect(person, "\r\n> ");
    play_short_game(person, "\r");
    line_client_print(person, "TERM=dumb ssh -tt");
    leave_house(person, "\r");
}

/* Signs a guest in over telnet with a client that sends whole lines and echoes them itself. */
static struct line_client *enter_by_telnet_line_by_line(const struct house_fixture *house)
{
    struct line_client *person = line_client_open_socket(house);
    line_client_send(person, "\377\376\001\377\376\003\377\376\000\377\374\003", 12);
    line_client_expect(person, "Telnet is not encrypted");
    line_client_expect(person, "Your name (");
    line_client_type(person, "guest\r\n");
    line_client_expect(person, "The lobby of ");
    assert_false(line_client_has_read(person, "guest\r\n")); /* the client has echoed the line */
    return person;
}

static void a_guest_plays_a_whole_game_by_telnet_line_by_line(void **state)
{
    struct line_client *person = enter_by_telnet_line_by_line(*state);
    play_short_game(person, "\r\n");
    line_client_print(person, "telnet in lines");
    leave_house(person, "\r\n");
}

static void every_game_is_played_to_its_end_by_telnet(void **state)
{
    struct line_client *person = enter_by_telnet_line_by_line(*state);
    play_games(person, true);
    leave_house(person, "\r\n");
}

static void the_choice_of_plain_mode_is_stored_with_the_account(void **state)
{
    struct line_client *person = line_client_open_ssh(*state, "tess", "tess", "-T", "xterm");
    line_client_expect(person, "You are tess.");
    line_client_type(person, "/plain on\n/settings\n");
    line_client_expect(person, "Plain lines: on");
    leave_house(person, "\n");
    person = line_client_open_ssh(*state, "tess", "tess", "-tt", "xterm-256color");
    line_client_expect(person, "You are tess.");
    line_client_expect(person, "\r\n> ");
    leave_house(person, "\r");
}

/* Waits until a row contains only the prompt, after which typed text will appear. */
static void expect_prompt(struct terminal *person)
{
    long deadline_ms = terminal_now_ms() + TERMINAL_DEADLINE_MS;
    while (strstr(terminal_read_text(person), "\n>\n") == NULL) {
        long left_ms = deadline_ms - terminal_now_ms();
        if (left_ms <= 0 || !terminal_read(person, (int)left_ms)) {
            fail_msg("no prompt on the screen:\n%s", terminal_read_text(person));
        }
    }
}

static void the_house_echoes_input_to_a_dumb_terminal_over_telnet(void **state)
{
    const struct connect_setup setup = {.term = "dumb"};
    struct terminal *person = house_connect_by_telnet(*state, &setup);
    terminal_expect(person, "Your name");
    terminal_type(person, "guest\r");
    terminal_expect(person, "Any other line goes to the lobby as chat.");
    expect_prompt(person);
    terminal_type(person, "/tabx\177les\r");
    terminal_expect(person, "> /tables");
    terminal_type(person, "/quit\r");
    terminal_expect(person, "is open whenever you are.");
    terminal_free(person);
}

static void a_client_without_telnet_negotiation_can_enter(void **state)
{
    /* connects as nc does, without any telnet negotiation */
    struct line_client *person = line_client_open_socket(*state);
    line_client_expect(person, "Your name (");
    line_client_type(person, "guest\n");
    line_client_expect(person, "The lobby of ");
    leave_house(person, "\n");
}

static void a_screen_reader_gets_whole_lines_and_echoes_input_itself(void **state)
{
    static const char types[][24] = {"\377\372\030\000MUDLET\377\360",
                                     "\377\372\030\000ANSI\377\360",
                                     "\377\372\030\000MTTS 64\377\360"};
    struct line_client *person = line_client_open_socket(*state);
    line_client_send(person, "\377\375\001\377\375\003\377\376\000\377\373\030\377\374\037", 15);
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
        line_client_expect(person, "\377\372\030\001\377\360");
        size_t name = strlen(types[i] + 4);
        line_client_send(person, types[i], 4 + name);
    }
    line_client_expect(person, "\377\374\001"); /* WONT ECHO: the client shows what is typed */
    line_client_send(person, "\377\376\001", 3);
    line_client_expect(person, "Your name (");
    line_client_type(person, "guest\r\n");
    line_client_expect(person,
                       "/new opens a table, /sit 3 sits down at table 3, /watch 3 watches it, "
                       "/help lists the commands. Any other line goes to the lobby as chat.\r\n");
    leave_house(person, "\r\n");
}

static void a_client_that_can_hide_typing_hides_the_password(void **state)
{
    struct line_client *person = line_client_open_socket(*state);
    line_client_send(person, "\377\376\001\377\376\003\377\376\000\377\374\030\377\374\037", 15);
    line_client_expect(person, "Your name (");
    line_client_type(person, "nobody-here\r\n");
    line_client_expect(person, "\377\373\001"); /* WILL ECHO: the client hides what is typed */
    line_client_send(person, "\377\375\001", 3);
    line_client_type(person, "a wrong password\r\n");
    line_client_expect(person, "\377\374\001"); /* the client shows again what is typed */
    line_client_send(person, "\377\376\001", 3);
    line_client_expect(person, "Your name (");
    line_client_type(person, "nobody-here\r\n");
    line_client_expect(person, "\377\373\001");
    line_client_send(person, "\377\376\001", 3);
    line_client_expect(person, "(What you type is visible.)");
    line_client_free(person);
}

static void the_commands_in_a_file_are_carried_out_and_the_session_ends(void **state)
{
    struct line_client *person = line_client_open_ssh(*state, "guest", NULL, "-T", "xterm");
    line_client_type(person, "/tables\n/who\nhello everybody\n/rules hund\n");
    line_client_end_input(person);
    assert_int_equal(line_client_wait_for_end(person), 0);
    line_client_expect(person, "No table is open.");
    line_client_expect(person, "1 person is in.");
    line_client_expect(person, "You: hello everybody");
    line_client_expect(person, "HUND in brief");
    line_client_expect(person, "is open whenever you are.\n");
    line_client_free(person);
}

static void a_session_without_input_prints_the_lobby_and_ends(void **state)
{
    struct line_client *person = line_client_open_ssh(*state, "guest", NULL, "-T", "xterm");
    line_client_end_input(person);
    assert_int_equal(line_client_wait_for_end(person), 0);
    line_client_expect(person, "1 person is in.");
    line_client_expect(person, "is open whenever you are.\n");
    line_client_free(person);
}

static int set_up(void **state)
{
    static struct house_fixture house;
    house_open_with_settings(&house, settings);
    *state = &house;
    return 0;
}

TEST_GROUP(plain)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_commands_in_a_file_are_carried_out_and_the_session_ends),
        cmocka_unit_test(a_session_without_input_prints_the_lobby_and_ends),
        cmocka_unit_test(a_line_waits_until_what_the_line_before_has_opened_is_printed),
        cmocka_unit_test(a_newcomer_plays_a_whole_game_without_a_terminal),
        cmocka_unit_test(a_player_who_reconnects_is_told_once_where_they_are),
        cmocka_unit_test(a_guest_plays_a_whole_game_on_a_dumb_terminal),
        cmocka_unit_test(a_guest_plays_a_whole_game_by_telnet_line_by_line),
        cmocka_unit_test(every_game_is_played_to_its_end_by_typing),
        cmocka_unit_test(every_game_is_played_to_its_end_by_telnet),
        cmocka_unit_test(the_choice_of_plain_mode_is_stored_with_the_account),
        cmocka_unit_test(the_house_echoes_input_to_a_dumb_terminal_over_telnet),
        cmocka_unit_test(a_client_without_telnet_negotiation_can_enter),
        cmocka_unit_test(a_screen_reader_gets_whole_lines_and_echoes_input_itself),
        cmocka_unit_test(a_client_that_can_hide_typing_hides_the_password),
    };
    return cmocka_run_group_tests_name("plain", tests, set_up, house_tear_down);
}
