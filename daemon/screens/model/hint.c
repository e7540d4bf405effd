#include "daemon/screens/model/model.h"

#include "games/bots/bots.h"

/* The name of the policy (games/bots/bots.h) that gives hints. */
#define HINT_POLICY "strong"
#define STEP_BITS 16 /* a view's step has no more bits */

/* Sorts the moves after the bot's choice by their points. A search sorts them by more than the
 * points, which screens do not show. */
static void sort_other_choices(struct hint *hint)
{
    for (uint8_t i = 2; i < hint->count; i++) {
        const struct search_choice sorted = hint->choices[i];
        uint8_t place = i;
        for (; place > 1 && hint->choices[place - 1].points < sorted.points; place--) {
            hint->choices[place] = hint->choices[place - 1];
        }
        hint->choices[place] = sorted;
    }
}

void hint_make(struct hint *hint, const struct game_view *view, const struct game_config *config,
               int64_t game_id)
{
    struct search search;
    struct quick_random random;
    quick_random_init(&random, (uint64_t)game_id << STEP_BITS | view->step);
    hint->move = policy_choose_move(policy_find(HINT_POLICY), &search, view, config, &random, 0);
    hint->is_only_move = move_set_count(&view->legal) == 1;
    hint->count = search_list_choices(&search, view, hint->choices);
    if (!view->game->face->is_won_by_few_points) {
        sort_other_choices(hint);
    }
}

const struct search_choice *hint_find_choice(const struct hint *hint, uint8_t move)
{
    for (uint8_t i = 0; i < hint->count; i++) {
        if (hint->choices[i].move == move) {
            return &hint->choices[i];
        }
    }
    return NULL;
}
