#include "games/card.h"
#include "games/suppose/suppose.h"
#include "tests/bench/opponents/rules.h"

/*
 * How a hand is arranged and predicted in Suppose: the order of the colours is random, and the
 * prediction is the median of the tricks that the left neighbour takes in imagined rounds, which
 * are played at random.
 */

#define DEALS 200

/* How often the left neighbour took each number of tricks. */
struct listener {
    uint8_t neighbour;
    unsigned times[SUPPOSE_SLOTS + 1];
};

static void count_tricks(void *context, const struct game_event *event)
{
    struct listener *listener = context;
    if (event->is_score) {
        listener->times[event->row.tricks[listener->neighbour]]++;
    }
}

static void play_round_to_end(const struct game_def *game, struct game_state *state,
                              struct quick_random *random, const struct game_log *log)
{
    const struct table_state *table = (const void *)state->bytes;
    uint8_t round = table->round;
    uint8_t seats;
    while (table->round == round && (seats = table->to_act) != 0) {
        uint8_t seat = bits_index_of_lowest(seats);
        struct move_set legal = move_set_empty();
        game->legal(state->bytes, seat, &legal);
        game_make_legal_move(game, (void *)state->bytes, seat,
                             tree_rules_random_move(&legal, random), log);
    }
}

static uint8_t predict(const struct game_view *view, const struct game_config *config,
                       struct quick_random *random)
{
    struct listener listener = {.neighbour = (uint8_t)((view->seat + 1) % view->seats)};
    const struct game_log log = {.context = &listener, .event = count_tricks};
    for (unsigned i = 0; i < DEALS; i++) {
        struct game_state state;
        if (game_sample_state(view, config, random, &state) == GAME_OK) {
            play_round_to_end(view->game, &state, random, &log);
        }
    }
    uint8_t median = 0;
    unsigned rounds = listener.times[0];
    while (rounds * 2 < DEALS && median < SUPPOSE_SLOTS) {
        rounds += listener.times[++median];
    }
    return (uint8_t)(SUPPOSE_PREDICT_FIRST + median);
}

uint8_t tree_choose_suppose(const struct game_view *view, const struct game_config *config,
                            struct quick_random *random)
{
    bool has_arranged = suppose_known(view)->arranged != SUPPOSE_NONE;
    return has_arranged ? predict(view, config, random)
                        : tree_rules_random_move(&view->legal, random);
}
