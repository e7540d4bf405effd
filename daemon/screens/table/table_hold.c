#include "daemon/screens/table/table_hold.h"

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

bool table_still_shows_finished_trick(const struct table_state *state)
{
    return state->hold_end_ms != 0;
}

void table_make_view_of_finished_trick(struct game_view *held, const struct game_view *now)
{
    held->last_trick = now->last_trick;
    held->has_last_trick = true;
    held->to_act = 0;
    held->legal = move_set_empty();
    held->tricks[now->last_trick.winner]++;
    for (uint8_t seat = 0; seat < held->seats; seat++) {
        for (uint8_t i = 0; i < held->slot_count[seat]; i++) {
            held->hands[seat][i].is_empty = true;
        }
    }
}
