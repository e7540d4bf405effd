#include "daemon/screens/table/table_state.h"

#include "lobby/protocol/protocol.h"

#include <stddef.h>
#include <string.h>

void table_copy_view(struct game_view *to, const struct game_view *from)
{
    memcpy(to, from, offsetof(struct game_view, info));
    to->info.count = from->info.count;
    to->info.depth = from->info.depth;
    to->info.is_cut = from->info.is_cut;
    memcpy(to->info.at, from->info.at, from->info.count * sizeof(from->info.at[0]));
}

int64_t table_hold_ms(const struct model *model)
{
    return pace_trick_ms((enum pace)model->you.pace);
}

bool table_still_shows_finished_trick(const struct table_screen_state *state)
{
    return state->hold_end_ms != 0;
}

bool table_shows_old_round(const struct table_screen_state *state, const struct game_view *now)
{
    return state->has_shown && state->shown.game == now->game && state->shown.round != now->round;
}

/* Takes over from the later view what the game counts through all rounds. */
static void take_over_running_count(struct game_view *held, const struct game_view *now)
{
    const char *key = held->game->face->running_count;
    const struct field *from = key == NULL ? NULL : fields_find(&now->info, key);
    const struct field *old = key == NULL ? NULL : fields_find(&held->info, key);
    if (from == NULL || old == NULL || from->type != old->type || from->span != old->span) {
        return;
    }
    memcpy(&held->info.at[old - held->info.at], from, (size_t)(1 + from->span) * sizeof(*from));
}

void table_make_view_of_finished_trick(struct game_view *held, const struct game_view *now)
{
    held->last_trick = now->last_trick;
    held->has_last_trick = true;
    if (held->past_count < TRICKS_MAX) {
        held->past[held->past_count++] = now->last_trick; /* the games count from these tricks */
    }
    held->trick.count = 0;
    take_over_running_count(held, now);
    held->to_act = 0;
    held->legal = move_set_empty();
    held->tricks[now->last_trick.winner]++;
    memcpy(held->scores, now->scores, sizeof(held->scores));
    for (uint8_t seat = 0; seat < held->seats; seat++) {
        for (uint8_t i = 0; i < held->slot_count[seat]; i++) {
            held->hands[seat][i].is_empty = true;
        }
    }
}
