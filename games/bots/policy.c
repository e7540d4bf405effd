#include "games/bots/policy.h"

#include <string.h>

#define STRONG_SIMULATIONS 1000 /* five times as many win hardly more games */

/* The easy policy makes one move in so many at random, and never bids further from the careful bid
 * than this: bids that are more wrong look broken, not easily beaten. */
#define EASY_RANDOM_ONE_IN 4
#define EASY_BID_DISTANCE_MAX 2

struct policy {
    const char *name;
    bool searches;
    uint8_t (*choose)(struct search *search, const struct game_view *view,
                      const struct game_config *config, struct quick_random *random,
                      uint32_t simulations);
};

static uint8_t choose_randomly(UNUSED struct search *search, const struct game_view *view,
                               const struct game_config *config, struct quick_random *random,
                               UNUSED uint32_t simulations)
{
    return policy_random_move(view, config, random);
}

static uint8_t choose_carefully(UNUSED struct search *search, const struct game_view *view,
                                const struct game_config *config, struct quick_random *random,
                                UNUSED uint32_t simulations)
{
    return view->game->careful(view, config, random);
}

/* Returns the numbers of tricks that a move bids: the lowest and the highest. Returns false when
 * the move is no bid. */
static bool read_bid(const struct game_view *view, uint8_t move, uint8_t numbers[2])
{
    return view->game->bid != NULL && view->game->bid(move, numbers);
}

static bool is_distant(uint8_t one, uint8_t other)
{
    return (one > other ? one - other : other - one) > EASY_BID_DISTANCE_MAX;
}

/* True when the easy policy may make a move instead of the careful one: any move, but of the bids
 * only those that are near to a careful bid. */
static bool easy_may_replace(const struct game_view *view, uint8_t careful, uint8_t move)
{
    uint8_t near[2];
    uint8_t numbers[2];
    bool is_bid = read_bid(view, careful, near);
    if (read_bid(view, move, numbers) != is_bid) {
        return false;
    }
    return !is_bid || (!is_distant(numbers[0], near[0]) && !is_distant(numbers[1], near[1]));
}

static uint8_t choose_easily(UNUSED struct search *search, const struct game_view *view,
                             const struct game_config *config, struct quick_random *random,
                             UNUSED uint32_t simulations)
{
    uint8_t careful = view->game->careful(view, config, random);
    if (quick_random_draw_below(random, EASY_RANDOM_ONE_IN) != 0) {
        return careful;
    }
    struct move_set moves = {0};
    uint8_t legal_count = move_set_count(&view->legal);
    for (uint8_t i = 0; i < legal_count; i++) {
        uint8_t move = move_set_nth(&view->legal, i);
        if (easy_may_replace(view, careful, move)) {
            move_set_add(&moves, move);
        }
    }
    uint8_t count = move_set_count(&moves);
    return count == 0 ? careful
                      : move_set_nth(&moves, (uint8_t)quick_random_draw_below(random, count));
}

static uint8_t choose_by_search(struct search *search, const struct game_view *view,
                                const struct game_config *config, struct quick_random *random,
                                uint32_t simulations)
{
    const struct game_def *game = view->game;
    if (search != NULL && game->plan != NULL &&
        game_phase_is_in(game->unsearched_phases, view->phase)) {
        search->node_count = 0; /* nothing was searched */
        return game->plan(view, config, random);
    }
    uint8_t move =
        search == NULL ? MOVE_NONE : search_choose_move(search, view, config, random, simulations);
    return move != MOVE_NONE ? move : choose_carefully(search, view, config, random, simulations);
}

static const struct policy policies[] = {
    {"random", false, choose_randomly},
    {"easy", false, choose_easily},
    {"medium", false, choose_carefully},
    {"strong", true, choose_by_search},
};

const char *policy_name(const struct policy *policy)
{
    return policy->name;
}

uint32_t policy_simulations(const struct policy *policy, const struct game_def *game)
{
    uint32_t simulations = game->simulations != 0 ? game->simulations : STRONG_SIMULATIONS;
    return policy->searches ? simulations : 0;
}

void policy_write_names(struct text *out)
{
    for (size_t i = 0; i < ARRAY_LEN(policies); i++) {
        text_put(out, i == 0 ? "" : ", ");
        text_put(out, policies[i].name);
    }
}

/* Returns the policy whose name are these bytes; NULL if there is none. */
static const struct policy *find_by_bytes(const char *bytes, size_t len)
{
    for (size_t i = 0; i < ARRAY_LEN(policies); i++) {
        if (strlen(policies[i].name) == len && memcmp(policies[i].name, bytes, len) == 0) {
            return &policies[i];
        }
    }
    return NULL;
}

const struct policy *policy_find(const char *name)
{
    return find_by_bytes(name, strlen(name));
}

bool policy_read_list(const char *list, uint8_t count, const struct policy *at[SEATS_MAX])
{
    bool is_last = false;
    for (uint8_t seat = 0; seat < count; seat++) {
        size_t left = strlen(list);
        const char *comma = memchr(list, ',', left);
        size_t len = comma == NULL ? left : (size_t)(comma - list);
        at[seat] = find_by_bytes(list, len);
        if (at[seat] == NULL) {
            return false;
        }
        is_last = list[len] == '\0';
        list += is_last ? 0 : len + 1;
    }
    return is_last;
}

uint8_t policy_choose_move(const struct policy *policy, struct search *search,
                           const struct game_view *view, const struct game_config *config,
                           struct quick_random *random, uint32_t simulations)
{
    uint32_t most = policy_simulations(policy, view->game);
    bool is_less = simulations != 0 && simulations < most;
    return policy->choose(search, view, config, random, is_less ? simulations : most);
}
