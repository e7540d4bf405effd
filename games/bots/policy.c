#include "games/bots/policy.h"

#include <string.h>

#define STRONG_SIMULATIONS 1000 /* five times as many win hardly more games */

struct policy {
    const char *name;
    uint32_t simulations; /* of each search; 0: the policy does not search */
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

static uint8_t choose_by_search(struct search *search, const struct game_view *view,
                                const struct game_config *config, struct quick_random *random,
                                uint32_t simulations)
{
    uint8_t move =
        search == NULL ? MOVE_NONE : search_choose_move(search, view, config, random, simulations);
    return move != MOVE_NONE ? move : choose_carefully(search, view, config, random, simulations);
}

static const struct policy policies[] = {
    {"random", 0, choose_randomly},
    {"careful", 0, choose_carefully},
    {"strong", STRONG_SIMULATIONS, choose_by_search},
};

const char *policy_name(const struct policy *policy)
{
    return policy->name;
}

uint32_t policy_simulations(const struct policy *policy)
{
    return policy->simulations;
}

/* Returns the policy whose name are these bytes; NULL if there is none. */
static const struct policy *find_by_bytes(const char *name, size_t len)
{
    for (size_t i = 0; i < ARRAY_LEN(policies); i++) {
        if (strlen(policies[i].name) == len && memcmp(policies[i].name, name, len) == 0) {
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
    bool is_less = simulations != 0 && simulations < policy->simulations;
    return policy->choose(search, view, config, random,
                          is_less ? simulations : policy->simulations);
}
