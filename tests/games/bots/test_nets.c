#include "games/bots/bots.h"
#include "tests/games/bots/positions.h"
#include "tests/unit.h"

/* Fails if the encoding has another layout than that for which the nets were trained:
 * tests/train/README.md. */
static void every_game_with_an_encoder_has_a_net_that_fits(void **state)
{
    (void)state;
    for (uint8_t i = 0; i < game_count(); i++) {
        if (game_at(i)->encode == NULL) {
            continue; /* its bots choose random moves */
        }
        static struct game_view view;
        const struct game_def *game = game_at(i);
        struct game_config config = game_config_default(game, game->seats_max);
        struct quick_random random;
        struct net net;
        int32_t worths[MOVES_MAX];
        quick_random_init(&random, 1);
        positions_first_view(game, &config, 1, &view);
        assert_true(net_find(game, &net));
        assert_true(net_rate_view(&view, &config, &random, &net, worths));
    }
}

static void a_game_of_another_name_has_no_net(void **state)
{
    (void)state;
    static const char *const ids[] = {"", "oh-hel", "oh-hell-2", "oh-hell.net"};
    for (size_t i = 0; i < ARRAY_LEN(ids); i++) {
        struct game_def game = *game_find("oh-hell");
        struct net net;
        game.id = ids[i];
        assert_false(net_find(&game, &net));
    }
}

static void a_net_with_other_outputs_is_not_used(void **state)
{
    (void)state;
    struct game_def game = *game_find("oh-hell");
    const struct move_def fewer[] = {game.moves[0], {0}};
    struct net net;
    assert_true(net_find(&game, &net));
    game.moves = fewer;
    assert_false(net_find(&game, &net));
}

TEST_GROUP(nets)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_game_with_an_encoder_has_a_net_that_fits),
        cmocka_unit_test(a_game_of_another_name_has_no_net),
        cmocka_unit_test(a_net_with_other_outputs_is_not_used),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
