#include "tests/train/selfplay.h"
#include "tests/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define INPUTS 20
#define OUTPUTS 3
#define GAMES 3

static void init_learner(struct learner *learner, uint64_t seed)
{
    const struct learner sizes = {
        .layout = 7, .inputs = INPUTS, .hidden = 32, .middle = 16, .outputs = OUTPUTS};
    struct quick_random random;
    quick_random_init(&random, seed);
    assert_true(learner_init(learner, &sizes, &random));
}

/* What is to be learned: whether exactly one of two inputs is on, which no sum of weights tells. */
static struct sample make_sample(struct quick_random *random)
{
    struct sample sample = {.outputs = {1, 2}, .output_count = 2, .is_sum = true};
    bool one = quick_random_draw_below(random, 2) != 0;
    bool other = quick_random_draw_below(random, 2) != 0;
    sample.active[sample.count++] = 0;
    if (one) {
        sample.active[sample.count++] = 5;
    }
    if (other) {
        sample.active[sample.count++] = 9;
    }
    sample.targets[0] = one != other ? 1.0F : -1.0F;
    return sample;
}

static void a_net_learns_what_its_samples_have_in_common(void **state)
{
    (void)state;
    struct learner learner;
    struct quick_random random;
    quick_random_init(&random, 1);
    init_learner(&learner, 2);
    for (int i = 0; i < 20000; i++) {
        struct sample sample = make_sample(&random);
        learner_learn(&learner, &sample, 32, 0.005F);
    }
    for (int i = 0; i < 20; i++) {
        float middle[NET_MIDDLE_MAX + 1];
        struct sample sample = make_sample(&random);
        learner_look(&learner, sample.active, sample.count, middle);
        float sum = learner_output(&learner, middle, 1) + learner_output(&learner, middle, 2);
        assert_true(fabsf(sum - sample.targets[0]) < 0.1F);
    }
    learner_free(&learner);
}

/* Plays some games with a new net. Returns what is saved of it, and its size. */
static char *play_and_save(uint64_t seed, const char *saved, size_t saved_size, size_t *size)
{
    static struct selfplay play;
    char *bytes = NULL;
    assert_true(selfplay_init(&play, game_find("head-and-tail"), 16, 16, seed));
    if (saved != NULL) {
        FILE *file = fmemopen((void *)(uintptr_t)saved, saved_size, "rb");
        assert_non_null(file);
        assert_true(selfplay_load(&play, file));
        fclose(file);
    }
    play.heat = 0.1F;
    play.rate = 0.001F;
    for (int i = 0; i < GAMES; i++) {
        selfplay_play(&play);
    }
    selfplay_keep_self(&play);
    FILE *file = open_memstream(&bytes, size);
    assert_non_null(file);
    assert_true(selfplay_save(&play, file));
    fclose(file);
    selfplay_free(&play);
    return bytes;
}

static void the_same_seed_makes_the_same_net(void **state)
{
    (void)state;
    size_t sizes[3];
    char *one = play_and_save(1, NULL, 0, &sizes[0]);
    char *same = play_and_save(1, NULL, 0, &sizes[1]);
    char *other = play_and_save(2, NULL, 0, &sizes[2]);
    assert_int_equal(sizes[0], sizes[1]);
    assert_memory_equal(one, same, sizes[0]);
    assert_int_equal(sizes[0], sizes[2]);
    assert_memory_not_equal(one, other, sizes[0]);
    free(one);
    free(same);
    free(other);
}

static void a_saved_training_goes_on_as_if_it_had_not_stopped(void **state)
{
    (void)state;
    size_t sizes[3];
    char *half = play_and_save(1, NULL, 0, &sizes[0]);
    char *whole = play_and_save(9, half, sizes[0], &sizes[1]);
    char *again = play_and_save(5, half, sizes[0], &sizes[2]);
    assert_int_equal(sizes[1], sizes[2]);
    assert_memory_equal(whole, again, sizes[1]);
    free(half);
    free(whole);
    free(again);
}

/* The house's net plays with rounded weights, and rates nearly the same. */
static void a_written_net_rates_moves_like_the_one_that_learned(void **state)
{
    (void)state;
    static struct selfplay play;
    char *bytes = NULL;
    size_t size;
    struct net net;
    struct game_state dealt;
    struct move_set legal = move_set_empty();
    struct encoding encoding;
    int32_t worths[MOVES_MAX];
    float middle[NET_MIDDLE_MAX + 1];
    const struct game_def *game = game_find("oh-hell");
    struct game_config config = game_config_default(game, 4);
    const uint8_t seed[SEED_BYTES] = {3};
    assert_true(selfplay_init(&play, game, 32, 16, 1));
    FILE *file = open_memstream(&bytes, &size);
    assert_non_null(file);
    assert_true(learner_write_net(&play.net, "for a test", file));
    fclose(file);
    assert_true(net_read((const uint8_t *)bytes, size, &net));
    assert_false(net_read((const uint8_t *)bytes, size - 1, &net));
    assert_true(net_read((const uint8_t *)bytes, size, &net));
    assert_int_equal(game_start(game, &config, seed, &dealt, NULL), GAME_OK);
    uint8_t seat = 0;
    while ((game_seats_to_act(&dealt) >> seat & 1) == 0) {
        seat++;
    }
    game_find_legal_moves(game, &dealt, seat, &legal);
    assert_true(net_rate_moves(&net, game, dealt.bytes, seat, &legal, worths));
    encode_state(game, dealt.bytes, seat, &encoding);
    learner_look(&play.net, encoding.active, encoding.count, middle);
    for (uint8_t move = move_set_next(&legal, 0); move != MOVE_NONE;
         move = move_set_next(&legal, move + 1U)) {
        struct encode_outputs outputs;
        float expected = 0;
        encode_move(&encoding, move, &outputs);
        for (uint8_t i = 0; i < outputs.count; i++) {
            expected += learner_output(&play.net, middle, outputs.at[i]);
        }
        assert_true(fabsf((float)worths[move] / NET_WORTH_ONE - expected) < 0.1F);
    }
    free(bytes);
    selfplay_free(&play);
}

TEST_GROUP(train)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_net_learns_what_its_samples_have_in_common),
        cmocka_unit_test(the_same_seed_makes_the_same_net),
        cmocka_unit_test(a_saved_training_goes_on_as_if_it_had_not_stopped),
        cmocka_unit_test(a_written_net_rates_moves_like_the_one_that_learned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
