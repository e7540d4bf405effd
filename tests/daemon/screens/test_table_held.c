#include "stage.h"

#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/table/table_state.h"
#include "tests/unit.h"

#include <string.h>

/* The view that the screen shows while a round's last trick stays on the table
 * (daemon/screens/table/table_state.h): it is made from the views before and after that trick. The
 * tests make it for every trick, because after all others the game itself tells what is right. */

#define GAMES_EACH 3
#define TEXT_BYTES 2000

static void put_phrase(const struct phrase *phrase, struct text *out)
{
    text_put(out, phrase->format == NULL ? "" : phrase->format);
    for (size_t i = 0; i < PHRASE_ARGS_MAX; i++) {
        text_format(out, " %d", phrase->args[i].type == ARG_NONE ? 0 : phrase->args[i].number);
    }
    text_put_char(out, '\n');
}

/* Writes everything that a game shows at its players: tricks and counts. */
static void write_numbers(const struct game_view *view, struct text *out)
{
    const struct game_face *face = view->game->face;
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        struct phrase badges[FACE_BADGES_MAX];
        uint8_t count = face->badges(view, seat, badges);
        text_format(out, "seat %d won %d\n", seat, view->tricks[seat]);
        for (uint8_t i = 0; i < count; i++) {
            put_phrase(&badges[i], out);
        }
        for (const struct info_def *def = view->game->info; def != NULL && def->key != NULL;
             def++) {
            if (def->running != NULL) {
                struct phrase beside =
                    PHRASE(def->running, arg_of_number(view->info[def->at + seat]));
                put_phrase(&beside, out);
            }
        }
    }
}

static void write_board(const struct game_view *view, struct text *out)
{
    const struct game_face *face = view->game->face;
    struct face_fact facts[FACE_BOARD_MAX];
    uint8_t count = face->board == NULL ? 0 : face->board(view, NULL, facts);
    for (uint8_t i = 0; i < count; i++) {
        put_phrase(&facts[i].value, out);
    }
}

static void expect_numbers_after_trick(const struct game_view *before, const struct game_view *now)
{
    static struct game_view held, after;
    struct text expected = TEXT_OF(TEXT_BYTES), shown = TEXT_OF(TEXT_BYTES);
    held = *before;
    after = *now;
    table_make_view_of_finished_trick(&held, now);
    after.phase = before->phase; /* after the game, some games tell less of the round */
    after.trick.count = 0;       /* a virtual player leads the next trick at once */
    write_numbers(&after, &expected);
    write_numbers(&held, &shown);
    if (now->phase != PHASE_OVER) { /* the end of the game may reveal more */
        write_board(&after, &expected);
        write_board(&held, &shown);
    }
    assert_string_equal(shown.at, expected.at);
}

/* The last trick of a round is shown with the scores that the round has given. */
static void expect_scores_after_round(const struct game_view *before, const struct game_view *now)
{
    static struct game_view held;
    held = *before;
    table_make_view_of_finished_trick(&held, now);
    assert_memory_equal(held.scores, now->scores, sizeof(held.scores));
}

/* Plays a game of random moves. Returns the number of tricks compared. */
static int play_and_compare(const struct game_def *game, uint8_t seats, struct quick_random *random)
{
    static struct game_view before, now;
    struct game_config config = game_config_default(game, seats);
    struct game_state state;
    uint8_t seed[SEED_BYTES];
    int compared = 0;
    int8_t viewer = (int8_t)((int)quick_random_draw_below(random, seats + 1U) - 1);
    for (size_t i = 0; i < sizeof(seed); i++) {
        seed[i] = (uint8_t)quick_random_draw_below(random, 256);
    }
    assert_int_equal(game_start(game, &config, seed, &state, NULL), GAME_OK);
    game_fill_view(game, &state, viewer, &before);
    while (before.phase != PHASE_OVER) {
        struct game_view own;
        uint8_t mover = (uint8_t)__builtin_ctz(game_seats_to_act(&state));
        game_fill_view(game, &state, (int8_t)mover, &own);
        uint8_t move = policy_random_move(&own, &config, random);
        assert_int_equal(game_apply(game, &state, mover, move, NULL), GAME_OK);
        game_fill_view(game, &state, viewer, &now);
        if (now.round == before.round && now.past_count > before.past_count) {
            expect_numbers_after_trick(&before, &now);
            compared++;
        } else if (now.round != before.round) {
            expect_scores_after_round(&before, &now);
        }
        before = now;
    }
    return compared;
}

static void a_held_trick_counts_in_every_number_of_every_game(void **state)
{
    struct quick_random random;
    (void)state;
    quick_random_init(&random, 7);
    for (uint8_t i = 0; i < game_count(); i++) {
        const struct game_def *game = game_at(i);
        int compared = 0;
        for (uint8_t seats = game->seats_min; seats <= game->seats_max; seats++) {
            for (int n = 0; n < GAMES_EACH; n++) {
                compared += play_and_compare(game, seats, &random);
            }
        }
        assert_true(compared > 0);
    }
}

/* Plays until the game has finished one trick more, which the screen then holds. */
static void play_one_trick(struct stage *stage)
{
    struct game_view view;
    stage_write_view(stage, &view);
    uint8_t finished = view.past_count;
    while (view.past_count == finished) {
        assert_true(stage_make_random_move(stage));
        stage_write_view(stage, &view);
    }
}

static void a_held_trick_says_who_is_next_and_keeps_its_number(void **state)
{
    struct stage stage = {0};
    struct driver_setup setup = {0};
    struct game_view view;
    bool has_led = false, has_waited = false;
    (void)state;
    stage_init(&stage, &setup, game_find("head-and-tail"), 4, 0);
    stage_deal(&stage, 3);
    for (int trick = 1; trick < 13; trick++) {
        struct text number = TEXT_OF(64);
        play_one_trick(&stage);
        stage_write_view(&stage, &view);
        text_format(&number, "trick %d of 13", trick);
        driver_expect(stage.driver, number.at);
        bool is_own = view.last_trick.winner == 0;
        driver_expect(stage.driver, is_own ? "you take it" : " takes it");
        driver_expect(stage.driver, is_own ? "◄ your turn" : " leads next");
        has_led |= is_own;
        has_waited |= !is_own;
        driver_wait(stage.driver, 2000);
        driver_expect_not(stage.driver, number.at);
        driver_expect_not(stage.driver, "leads next");
    }
    assert_true(has_led && has_waited);
    stage_clear(&stage);
}

static void the_middle_says_in_words_who_led_what(void **state)
{
    struct stage stage = {0};
    struct driver_setup setup = {0};
    struct game_view view;
    (void)state;
    stage_init(&stage, &setup, game_find("head-and-tail"), 4, 0);
    stage_deal(&stage, 3);
    for (int moves = 0; moves < 30; moves++) {
        assert_true(stage_make_random_move(&stage));
        stage_write_view(&stage, &view);
        if (view.trick.count > 0) {
            driver_wait(stage.driver, 2000);
            driver_expect(stage.driver, view.trick.plays[0].seat == 0 ? "you led " : " led ");
        }
    }
    stage_clear(&stage);
}

TEST_GROUP(table_held)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_held_trick_says_who_is_next_and_keeps_its_number),
        cmocka_unit_test(the_middle_says_in_words_who_led_what),
        cmocka_unit_test(a_held_trick_counts_in_every_number_of_every_game),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
