#include "games/game.h"
#include "tests/e2e/house.h"
#include "tests/e2e/play.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A stranger's first minutes: from the connection to the first card on the table. */

#define KEYS_MAX 4
#define KEY_MS 20000
#define PAUSE_MS 20
#define STILL_MS 1000

/* Presses the key of the game in the offer, which stands before its title. */
static void choose_game(struct terminal *guest, const struct game_def *game)
{
    char wanted[80];
    for (char key = '1'; key <= '9'; key++) {
        snprintf(wanted, sizeof(wanted), "%c  %s", key, game->title);
        if (terminal_shows(guest, wanted)) {
            terminal_type(guest, (const char[]){key, '\0'});
            return;
        }
    }
    fail_msg("%s is not offered", game->title);
}

/* A bot leads first, so a card lies on the table when the guest has to play one. */
static bool has_to_play_a_card(struct terminal *guest)
{
    static const char *const prompts[] = {"◄ Follow ", "◄ No ", "◄ Play ", "◄ Lead", NULL};
    for (size_t i = 0; prompts[i] != NULL; i++) {
        if (terminal_shows(guest, prompts[i])) {
            return true;
        }
    }
    return false;
}

/* Waits for a question on a screen that stands still: a person reads it first, and the house drops
 * keys that come too early for a new screen. */
static void wait_for_question(struct terminal *guest, char *question, size_t size)
{
    long begin = terminal_now_ms(), still_since = begin;
    char *text = strdup("");
    while (terminal_now_ms() < still_since + STILL_MS || !play_read_prompt(guest, question, size)) {
        if (terminal_now_ms() > begin + KEY_MS || !terminal_read(guest, PAUSE_MS)) {
            terminal_print(guest, "nothing to decide");
            fail_msg("no question");
        }
        if (strcmp(terminal_read_text(guest), text) != 0) {
            free(text);
            text = strdup(terminal_read_text(guest));
            assert_non_null(text);
            still_since = terminal_now_ms();
        }
    }
    free(text);
}

static int count_keys_to_first_card(const struct house_fixture *house, const struct game_def *game)
{
    static const struct connect_setup as_guest = {.user = "guest"};
    struct terminal *guest = house_connect_by_ssh(house, &as_guest);
    char question[200];
    terminal_expect(guest, game->title); /* the keys are shown before the house has answered */
    terminal_print(guest, game->title);
    choose_game(guest, game);
    int keys = 1;
    for (;;) {
        wait_for_question(guest, question, sizeof(question));
        if (has_to_play_a_card(guest)) {
            break;
        }
        terminal_print(guest, question);
        assert_true(play_move(guest));
        keys++;
    }
    terminal_print(guest, "the first card");
    terminal_free(guest);
    return keys;
}

static void a_guest_sees_the_first_card_of_any_game_after_at_most_four_keys(void **state)
{
    for (uint8_t i = 0; i < game_count(); i++) {
        int keys = count_keys_to_first_card(*state, game_at(i));
        printf("%s: %d keys\n", game_at(i)->title, keys);
        assert_in_range(keys, 1, KEYS_MAX);
    }
}

static int set_up(void **state)
{
    static struct house_fixture house;
    house_open(&house);
    *state = &house;
    return 0;
}

static int tear_down(void **state)
{
    house_close(*state);
    return 0;
}

TEST_GROUP(first_minutes)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_guest_sees_the_first_card_of_any_game_after_at_most_four_keys),
    };
    return cmocka_run_group_tests_name("first_minutes", tests, set_up, tear_down);
}
