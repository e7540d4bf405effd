#include "games/bots/policy.h"

#include <string.h>

#define STRONG_SIMULATIONS 1000 /* five times as many win hardly more games */

struct policy {
    const char *name;
    uint8_t (*choose)(struct search *search, const struct game_view *view,
                      const struct game_config *config, struct quick_random *random);
};

static uint8_t choose_randomly(UNUSED struct search *search, const struct game_view *view,
                               const struct game_config *config, struct quick_random *random)
{
    return policy_random_move(view, config, random);
}

static uint8_t choose_carefully(UNUSED struct search *search, const struct game_view *view,
                                const struct game_config *config, struct quick_random *random)
{
    return view->game->careful(view, config, random);
}

static uint8_t choose_by_search(struct search *search, const struct game_view *view,
                                const struct game_config *config, struct quick_random *random)
{
    uint8_t move = search == NULL
                       ? MOVE_NONE
                       : search_choose_move(search, view, config, random, STRONG_SIMULATIONS);
    return move != MOVE_NONE ? move : choose_carefully(search, view, config, random);
}

static const struct policy policies[] = {
    {"random", choose_randomly},
    {"careful", choose_carefully},
    {"strong", choose_by_search},
};

const struct policy *policy_find(const char *name)
{
    for (size_t i = 0; i < ARRAY_LEN(policies); i++) {
        if (strcmp(policies[i].name, name) == 0) {
            return &policies[i];
        }
    }
    return NULL;
}

uint8_t policy_choose_move(const struct policy *policy, struct search *search,
                           const struct game_view *view, const struct game_config *config,
                           struct quick_random *random)
{
    return policy->choose(search, view, config, random);
}
