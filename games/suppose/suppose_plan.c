#include "games/suppose/suppose.h"

#include "games/bots/playout.h"

/*
 * How the strong policy arranges a hand and predicts. It plays imagined rounds to their end by the
 * light policy, and counts how often the left neighbour takes each number of tricks. It predicts
 * the most frequent number: two numbers together would have to be right two and a half times as
 * often, but the second is never more frequent than the first. Of the orders of the colours, it
 * takes the one after which the numbers of tricks differ least.
 */

#define PREDICTION_ROUNDS 400
#define ARRANGEMENT_ROUNDS 60 /* for each order */

/* How often the left neighbour took each number of tricks. */
struct tricks_count {
    uint8_t neighbour;
    uint32_t times[SUPPOSE_SLOTS + 1];
};

static void count_tricks_of_neighbour(void *context, const struct score_row *row)
{
    struct tricks_count *count = context;
    count->times[row->tricks[count->neighbour]]++;
}

/* Plays imagined rounds to their end, from the view on, in which the seat's next move is `first`
 * (MOVE_NONE: the light policy's). */
static struct tricks_count play_imagined_rounds(const struct game_view *view,
                                                const struct game_config *config, uint8_t first,
                                                unsigned rounds, struct quick_random *random)
{
    struct tricks_count count = {.neighbour = (uint8_t)((view->seat + 1) % view->seats)};
    const struct game_log log = {.context = &count, .score = count_tricks_of_neighbour};
    for (unsigned i = 0; i < rounds; i++) {
        struct game_state state;
        if (game_sample_state(view, config, random, &state) != GAME_OK) {
            continue;
        }
        table_make_round_last(state.bytes);
        if (first == MOVE_NONE ||
            suppose_apply_move(state.bytes, (uint8_t)view->seat, first, NULL) == GAME_OK) {
            playout_finish_round(view->game, &state, view->round, random, &log);
        }
    }
    return count;
}

/* The more the rounds agree on the number of tricks, the greater is the sum of the squares. */
static uint32_t sum_squares(const struct tricks_count *count)
{
    uint32_t sum = 0;
    for (uint8_t tricks = 0; tricks <= SUPPOSE_SLOTS; tricks++) {
        sum += count->times[tricks] * count->times[tricks];
    }
    return sum;
}

static uint8_t plan_arrangement(const struct game_view *view, const struct game_config *config,
                                struct quick_random *random)
{
    uint8_t best = move_set_next(&view->legal, 0);
    uint32_t greatest = 0;
    for (uint8_t move = best; move != MOVE_NONE; move = move_set_next(&view->legal, move + 1U)) {
        struct tricks_count count =
            play_imagined_rounds(view, config, move, ARRANGEMENT_ROUNDS, random);
        uint32_t sum = sum_squares(&count);
        best = sum > greatest ? move : best;
        greatest = sum > greatest ? sum : greatest;
    }
    return best;
}

static uint8_t plan_prediction(const struct game_view *view, const struct game_config *config,
                               struct quick_random *random)
{
    struct tricks_count count =
        play_imagined_rounds(view, config, MOVE_NONE, PREDICTION_ROUNDS, random);
    uint8_t best = 0;
    for (uint8_t tricks = 1; tricks <= SUPPOSE_SLOTS; tricks++) {
        best = count.times[tricks] > count.times[best] ? tricks : best;
    }
    return (uint8_t)(SUPPOSE_PREDICT_FIRST + suppose_make_prediction(&best, 1));
}

uint8_t suppose_plan_move(const struct game_view *view, const struct game_config *config,
                          struct quick_random *random)
{
    bool has_arranged =
        suppose_read_colour_order(fields_find(&view->info, "arranged")) != SUPPOSE_NONE;
    return has_arranged ? plan_prediction(view, config, random)
                        : plan_arrangement(view, config, random);
}
