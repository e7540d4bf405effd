#include "tests/bench/bench_play.h"

#include <stdlib.h>

struct bench_play bench_play_new(void)
{
    struct bench_play play = {0};
    uint8_t index = 0;

    while (game_at(index) != NULL && (game_at(index)->seats_min > BENCH_PLAYERS ||
                                      game_at(index)->seats_max < BENCH_PLAYERS)) {
        index++;
    }
    play.game = game_at(index);
    if (play.game == NULL) {
        abort(); /* the first game of games.def allows four players */
    }
    play.config = game_config_default(play.game, BENCH_PLAYERS);
    return play;
}

bool bench_play_start(struct bench_play *play, const uint8_t seed[SEED_BYTES])
{
    play->step = 0;
    return game_start(play->game, &play->config, seed, &play->state, NULL) == GAME_OK;
}

bool bench_play_is_over(const struct bench_play *play)
{
    return game_seats_to_act(&play->state) == 0;
}

uint8_t bench_play_make_move(struct bench_play *play, struct quick_random *random,
                             char text[MOVE_TEXT_MAX])
{
    struct move_set legal = move_set_empty();
    struct text out = text_init(text, MOVE_TEXT_MAX);
    const uint8_t seat = (uint8_t)__builtin_ctz(game_seats_to_act(&play->state));

    game_find_legal_moves(play->game, &play->state, seat, &legal);
    const uint8_t move =
        move_set_nth(&legal, (uint8_t)quick_random_draw_below(random, move_set_count(&legal)));
    game_move_write(play->game, move, &out);
    if (game_apply(play->game, &play->state, seat, move, NULL) != GAME_OK) {
        abort(); /* the move was legal */
    }
    play->step++;
    return seat;
}
