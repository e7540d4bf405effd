#include "games/suppose/suppose.h"

#include "games/bots/lookahead.h"
#include "games/bots/playout.h"

/*
 * The careful policy imagines the rest of the round. It predicts a single number: the median of the
 * tricks that its neighbour takes. The imagined rounds are played at random, where whoever leads
 * keeps winning, so that all or none of the tricks are taken far more often than in real rounds;
 * the median hardly depends on that. A pair of numbers would have to be right two and a half times
 * as often, but the second number is never likelier than the first. It chooses slots by looking
 * ahead, where the prediction counts too. The order of the colours hardly matters, so it is random.
 */

#define PREDICTION_DEALS 200
#define PLAY_DEALS 16

/* Counts how often the left neighbour took each number of tricks. */
struct listener {
    uint8_t neighbour;
    unsigned times[SUPPOSE_SLOTS + 1];
};

static void record_neighbour_tricks(void *context, const struct score_row *row)
{
    struct listener *listener = context;
    listener->times[row->tricks[listener->neighbour]]++;
}

static unsigned count_moves_left_in_round(const struct game_view *view)
{
    unsigned round = suppose_count_moves_in_round(view->seats);
    return round - view->step % round;
}

static uint8_t choose_prediction(const struct game_view *view, const struct game_config *config,
                                 struct quick_random *random)
{
    struct listener listener = {.neighbour = (uint8_t)((view->seat + 1) % view->seats)};
    const struct game_log log = {.context = &listener, .score = record_neighbour_tricks};
    for (unsigned i = 0; i < PREDICTION_DEALS; i++) {
        struct game_state state;
        if (game_sample_state(view, config, random, &state) == GAME_OK) {
            /* Only the last move of the round sends a score. */
            (void)playout_make_moves(view->game, &state, random,
                                     count_moves_left_in_round(view) - 1, NULL);
            (void)playout_make_moves(view->game, &state, random, 1, &log);
        }
    }
    uint8_t median = 0;
    unsigned rounds = listener.times[0];
    while (rounds * 2 < PREDICTION_DEALS && median < SUPPOSE_SLOTS) {
        rounds += listener.times[++median];
    }
    return (uint8_t)(SUPPOSE_PREDICT_FIRST + suppose_make_prediction(&median, 1));
}

uint8_t suppose_careful_move(const struct game_view *view, const struct game_config *config,
                             struct quick_random *random)
{
    if (view->phase == SUPPOSE_PLAY) {
        return lookahead_choose_move(view, config, random, PLAY_DEALS,
                                     count_moves_left_in_round(view));
    }
    bool has_arranged =
        suppose_read_colour_order(fields_find(&view->info, "arranged")) != SUPPOSE_NONE;
    return has_arranged ? choose_prediction(view, config, random)
                        : policy_random_move(view, config, random);
}
