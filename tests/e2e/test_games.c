#include "games/game.h"
#include "tests/e2e/house.h"
#include "tests/e2e/people.h"
#include "tests/e2e/play.h"
#include "tests/environment.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Plays a whole game of every kind that the house offers, or with TEST_PART of some of them, over
 * the real ssh at 80×24: two people, who see only the screen, and a bot. */
#define PLAYERS 3
#define GAME_MS 120000
#define PROMPTS_MAX 12
#define PROMPT_MAX 12 /* number of bytes at the beginning of a prompt that identify its kind */
#define RIGHT "\x1b[C"
#define LEFT "\x1b[D"
#define DOWN "\x1b[B"

/* Counts the moves of a game that is played at random. */
static uint32_t count_random_moves(const struct game_def *game, const struct game_config *config)
{
    const uint8_t seed[SEED_BYTES] = {1};
    struct quick_random random;
    struct game_state state;
    struct game_view view;
    uint32_t moves = 0;
    quick_random_init(&random, 1);
    assert_int_equal(game_start(game, config, seed, &state, NULL), GAME_OK);
    for (uint8_t turn; (turn = game_seats_to_act(&state)) != 0; moves++) {
        uint8_t seat = (uint8_t)__builtin_ctz(turn);
        game_fill_view(game, &state, (int8_t)seat, &view);
        uint8_t move = policy_random_move(&view, config, &random);
        assert_int_equal(game_apply(game, &state, seat, move, NULL), GAME_OK);
    }
    return moves;
}

/* Finds the combination of options with the shortest game. */
static struct game_config find_options_of_shortest_game(const struct game_def *game)
{
    struct game_config best = game_config_default(game, PLAYERS);
    struct game_config config = best;
    uint32_t least = count_random_moves(game, &best);
    uint8_t option = 0;
    while (option < game->option_count) {
        /* tries all combinations of options, like an odometer */
        config.options[option]++;
        if (config.options[option] == game->options[option].value_count) {
            config.options[option++] = 0;
            continue;
        }
        option = 0;
        uint32_t moves = game_config_check(game, &config) == GAME_OK
                             ? count_random_moves(game, &config)
                             : UINT32_MAX;
        if (moves < least) {
            least = moves;
            best = config;
        }
    }
    return best;
}

/* Chooses game, players and options on the set-up screen, row by row. */
static void set_up_table(struct terminal *host, uint8_t game_index)
{
    const struct game_def *game = game_at(game_index);
    struct game_config config = find_options_of_shortest_game(game);
    terminal_type(host, "n");
    terminal_expect(host, "A new table");
    for (uint8_t i = 0; i < game_index; i++) {
        terminal_type(host, RIGHT);
    }
    terminal_expect(host, game->face->pitch);
    terminal_type(host, DOWN);
    for (int players = 4; players > PLAYERS; players--) {
        terminal_type(host, LEFT);
    }
    for (uint8_t i = 0; i < game->option_count; i++) {
        if (!game_option_applies(game, &config, &game->options[i])) {
            continue;
        }
        terminal_type(host, DOWN);
        for (uint8_t value = 0; value < config.options[i]; value++) {
            terminal_type(host, RIGHT);
        }
    }
    terminal_expect(host, "3 (from");
    terminal_print(host, "set-up");
    terminal_type(host, "\r");
    terminal_expect(host, "about to begin");
}

static void begin_game(struct terminal *host, struct terminal *guest, uint8_t game_index)
{
    char sit[40];
    char row[40];
    set_up_table(host, game_index);
    const char *number = strstr(terminal_read_text(host), "#");
    assert_non_null(number);
    long table = strtol(number + 1, NULL, 10);
    /* Waits for the table's row in the lobby, because the chat announces a new table a moment
     * earlier. */
    snprintf(row, sizeof(row), "#%ld  ", table);
    terminal_expect(guest, row);
    snprintf(sit, sizeof(sit), "/sit %ld\r", table);
    terminal_type(guest, sit);
    terminal_expect(guest, "about to begin");
    terminal_expect(host, "Waiting for 1 more player");
    terminal_type(host, "b");
    terminal_expect(host, "Enter begins the game");
    terminal_type(host, "s");
    terminal_expect(host, "round 1");
    terminal_expect(guest, "round 1");
}

/* The kinds of prompts seen so far, identified by the beginning of their text. */
struct album {
    const char *game;
    int count;
    char prompts[PROMPTS_MAX][PROMPT_MAX];
};

/* Prints the first screen that shows each kind of prompt. */
static void print_screen_with_new_prompt(void *context, struct terminal *player)
{
    struct album *album = context;
    char prompt[PROMPT_MAX];
    if (!play_read_prompt(player, prompt, sizeof(prompt)) || album->count == PROMPTS_MAX) {
        return;
    }
    for (int i = 0; i < album->count; i++) {
        if (strcmp(album->prompts[i], prompt) == 0) {
            return;
        }
    }
    memcpy(album->prompts[album->count++], prompt, sizeof(prompt));
    terminal_print(player, album->game);
}

static void two_people_and_a_bot_play_every_game_to_its_end(void **unused)
{
    (void)unused;
    static struct house_fixture house;
    house_open(&house);
    struct terminal *ada = people_connect(&house, "ada", 80, 24);
    struct terminal *bob = people_connect(&house, "bob", 80, 24);
    struct terminal *const players[] = {ada, bob, NULL};
    assert_int_not_equal(game_count(), 0);
    for (uint8_t i = 0; i < game_count(); i++) {
        if (!environment_tries(i)) {
            continue;
        }
        struct album album = {.game = game_at(i)->title};
        long begun = terminal_now_ms();
        begin_game(ada, bob, i);
        play_until_observed(players, "deal ✓", GAME_MS, print_screen_with_new_prompt, &album);
        terminal_expect(bob, "deal ✓");
        terminal_print(ada, "the end");
        terminal_type(ada, "s");
        terminal_expect(ada, ": scores");
        terminal_print(ada, "scores");
        printf("%s: %ld ms\n", game_at(i)->title, terminal_now_ms() - begun);
        terminal_type(ada, "qq");
        terminal_expect(ada, "#lobby");
        terminal_type(bob, "q");
        terminal_expect(bob, "#lobby");
    }
    terminal_free(ada);
    terminal_free(bob);
    house_close(&house);
}

TEST_GROUP(games)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_people_and_a_bot_play_every_game_to_its_end),
    };
    return cmocka_run_group_tests_name("games", tests, NULL, NULL);
}
