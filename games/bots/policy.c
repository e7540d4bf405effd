#include "games/bots/bots.h"

#include "games/card.h"

#include <string.h>

/* The easy policy makes worse moves too, as people do: a move that is worth EASY_HEAT less than the
 * best one is half as likely, and one that is worth EASY_LOSS_MAX less is never made. */
#define EASY_HEAT (NET_WORTH_ONE / 16)
#define EASY_LOSS_MAX (NET_WORTH_ONE / 6)

struct policy {
    const char *name;
    uint32_t playouts; /* of a search; 0: it does not search */
    bool has_net;
    bool is_easy; /* does not always make the move that the net prefers */
};

static const struct policy policies[] = {
    {.name = "random"},
    {.name = "easy", .has_net = true, .is_easy = true},
    {.name = "medium", .has_net = true},
    {.name = "strong", .has_net = true, .playouts = SEARCH_PLAYOUTS},
};

/* How often the easy policy makes a move that is worth so much less than the best one. */
static uint32_t easy_chance(int32_t loss)
{
    return loss > EASY_LOSS_MAX ? 0 : net_soften(loss, EASY_HEAT);
}

static uint8_t choose_easily(const struct move_set *legal, const int32_t worths[MOVES_MAX],
                             struct quick_random *random)
{
    int32_t most = worths[net_find_best(legal, worths)];
    uint32_t sum = 0;
    for (uint8_t move = move_set_next(legal, 0); move != MOVE_NONE;
         move = move_set_next(legal, move + 1U)) {
        sum += easy_chance(most - worths[move]);
    }
    uint8_t move = move_set_next(legal, 0);
    uint32_t drawn = quick_random_draw_below(random, sum);
    uint32_t chance;
    while (drawn >= (chance = easy_chance(most - worths[move]))) {
        drawn -= chance;
        move = move_set_next(legal, move + 1U);
    }
    return move;
}

const char *policy_name(const struct policy *policy)
{
    return policy->name;
}

uint32_t policy_playouts(const struct policy *policy)
{
    return policy->playouts;
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
                           struct quick_random *random, uint32_t playouts)
{
    bool is_less = playouts != 0 && playouts < policy->playouts;
    uint8_t found = MOVE_NONE;
    struct net net;
    int32_t worths[MOVES_MAX] FILLED_LATER;
    if (policy->playouts > 0 && search != NULL) {
        found =
            search_choose_move(search, view, config, random, is_less ? playouts : policy->playouts);
    }
    if (found != MOVE_NONE) {
        return found;
    }
    if (!policy->has_net || !net_rate_view(view, config, random, &net, worths)) {
        return policy_random_move(view, config, random);
    }
    return policy->is_easy ? choose_easily(&view->legal, worths, random)
                           : net_find_best(&view->legal, worths);
}

#define BELOW_ZERO 2 /* how much worse a point below 0 is than one above, where 0 is wanted */

/* What a total is worth, in points. */
static int rate_total(const struct worth_goal *goal, int total)
{
    if (!goal->is_zero_wanted) {
        return total;
    }
    return total < 0 ? BELOW_ZERO * total : -total;
}

float worth_of_round(const struct game_def *game, const int16_t before[SEATS_MAX],
                     const struct table_state *after, uint8_t seat)
{
    const struct worth_goal *goal = &game->encode->goal;
    int own = 0;
    int others = 0;
    for (uint8_t other = 0; other < after->players; other++) {
        int gain = rate_total(goal, after->scores[other]) - rate_total(goal, before[other]);
        own += other == seat ? gain : 0;
        others += other == seat ? 0 : gain;
    }
    float mean = (float)others / (float)(after->players - 1);
    return ((float)own - mean) / goal->points_unit;
}

float worth_of_end(const struct game_def *game, const struct game_state *state, uint8_t seat)
{
    struct game_outcome outcome;
    game_fill_outcome(game, state, &outcome);
    bool has_won = (outcome.winners >> seat & 1) != 0;
    return has_won ? game->encode->goal.win_worth / (float)bits_count(outcome.winners) : 0;
}
