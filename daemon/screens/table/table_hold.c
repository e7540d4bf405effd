#include "daemon/screens/table/table_hold.h"

#include "daemon/screens/table/table_state.h"

void table_hold_round(struct game_view *held, const struct game_view *now)
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
