#include "games/bots/bots.h"
#include "games/card.h"
#include "tests/games/bots/net_head.h"
#include "tests/games/random_play.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>

#define STATES 60 /* of each game */
#define HIDDEN 48
#define MIDDLE 32

/* A net with random weights, in memory that the caller frees. */
static uint8_t *make_net(const struct encoding *encoding, struct quick_random *random, size_t *size)
{
    const struct net sizes = {.layout = encoding->layout,
                              .inputs = encoding->inputs,
                              .outputs = encode_count_outputs(encoding->game),
                              .hidden = HIDDEN,
                              .middle = MIDDLE};
    *size = NET_HEAD_BYTES + (size_t)sizes.inputs * HIDDEN +
            (size_t)MIDDLE * (HIDDEN + NET_PADDING) +
            (size_t)sizes.outputs * (MIDDLE + NET_PADDING);
    uint8_t *bytes = malloc(*size);
    assert_non_null(bytes);
    net_write_head(&sizes, "for a test", bytes);
    for (size_t i = NET_HEAD_BYTES; i < *size; i++) {
        bytes[i] = (uint8_t)(quick_random_next(random) >> 32);
    }
    return bytes;
}

/* The units of a layer by the definition of the net: sums in steps of 1/64, none below 0. */
static void fill_layer(const int8_t *weights, const int64_t *below, unsigned width, int64_t *units,
                       unsigned count)
{
    for (unsigned unit = 0; unit < count; unit++) {
        int64_t sum = 0;
        for (unsigned i = 0; i < width; i++) {
            sum += weights[unit * width + i] * below[i];
        }
        sum /= NET_ONE;
        units[unit] = sum < 0 ? 0 : sum > INT16_MAX ? INT16_MAX : sum;
    }
    units[count] = NET_ONE;
}

static int64_t rate_output(const struct net *net, const struct encoding *encoding, uint16_t output)
{
    int64_t hidden[HIDDEN + NET_PADDING] = {0};
    int64_t middle[MIDDLE + NET_PADDING] = {0};
    int64_t worth = 0;
    for (unsigned unit = 0; unit < HIDDEN; unit++) {
        for (unsigned i = 0; i < encoding->count; i++) {
            hidden[unit] += net->weights[0][encoding->active[i] * HIDDEN + unit];
        }
        hidden[unit] = hidden[unit] < 0 ? 0 : hidden[unit];
    }
    hidden[HIDDEN] = NET_ONE;
    fill_layer(net->weights[1], hidden, HIDDEN + NET_PADDING, middle, MIDDLE);
    for (unsigned i = 0; i < MIDDLE + NET_PADDING; i++) {
        worth += net->weights[2][output * (MIDDLE + NET_PADDING) + i] * middle[i];
    }
    return worth;
}

static void check_worths(const struct net *net, const struct encoding *encoding,
                         const struct move_set *legal, const int32_t worths[MOVES_MAX])
{
    const uint8_t *points = encoding->game->encode->points;
    for (uint8_t move = move_set_next(legal, 0); move != MOVE_NONE;
         move = move_set_next(legal, move + 1U)) {
        struct encode_outputs outputs;
        int64_t expected = 0;
        encode_move(encoding, move, &outputs);
        for (uint8_t i = 0; i < outputs.count; i++) {
            expected += rate_output(net, encoding, outputs.at[i]);
        }
        expected = outputs.is_pair ? expected * points[1] / points[0] : expected;
        assert_int_equal(worths[move], expected);
    }
}

static void check_game(const struct game_def *game)
{
    struct game_config config = game_config_default(game, game->seats_max);
    const uint8_t seed[SEED_BYTES] = {5};
    struct game_state state;
    struct encoding encoding;
    struct quick_random random;
    struct net net;
    size_t size;
    quick_random_init(&random, 3);
    assert_int_equal(game_start(game, &config, seed, &state, NULL), GAME_OK);
    encode_state(game, state.bytes, bits_index_of_lowest(game_seats_to_act(&state)), &encoding);
    uint8_t *bytes = make_net(&encoding, &random, &size);
    assert_true(net_read(bytes, size, &net));
    for (int i = 0; i < STATES; i++) {
        uint8_t seat = bits_index_of_lowest(game_seats_to_act(&state));
        struct move_set legal = move_set_empty();
        int32_t worths[MOVES_MAX];
        game_find_legal_moves(game, &state, seat, &legal);
        encode_state(game, state.bytes, seat, &encoding);
        assert_true(net_rate_moves(&net, game, state.bytes, seat, &legal, worths));
        check_worths(&net, &encoding, &legal, worths);
        assert_int_equal(random_play(game, &state, &random, 1, NULL), 1);
    }
    net.layout++;
    struct move_set none = move_set_empty();
    int32_t worths[MOVES_MAX];
    assert_false(net_rate_moves(&net, game, state.bytes, 0, &none, worths));
    free(bytes);
}

static void moves_are_rated_in_whole_numbers_by_the_definition(void **state)
{
    (void)state;
    for (uint8_t i = 0; i < game_count(); i++) {
        if (game_at(i)->encode == NULL) {
            continue; /* its bots choose random moves */
        }
        check_game(game_at(i));
    }
}

static void bytes_that_are_no_net_are_refused(void **state)
{
    (void)state;
    const struct encoding encoding = {.game = game_at(0), .inputs = 10};
    struct quick_random random;
    struct net net;
    size_t size;
    quick_random_init(&random, 1);
    uint8_t *bytes = make_net(&encoding, &random, &size);
    assert_true(net_read(bytes, size, &net));
    assert_false(net_read(bytes, size - 1, &net));
    assert_false(net_read(bytes, NET_HEAD_BYTES - 1, &net));
    bytes[0] ^= 1;
    assert_false(net_read(bytes, size, &net));
    free(bytes);
}

TEST_GROUP(net)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_are_rated_in_whole_numbers_by_the_definition),
        cmocka_unit_test(bytes_that_are_no_net_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
