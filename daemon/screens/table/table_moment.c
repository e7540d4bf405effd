#include "daemon/screens/table/table.h"

#include <string.h>

#define SLOT_EMPTY 0xFE /* no card has this number */

void moment_note_view(struct moment *moment, const struct game_view *view, int64_t now_ms)
{
    struct moment now = {.since_ms = now_ms,
                         .is_known = true,
                         .phase = view->phase,
                         .round = view->round,
                         .is_own_turn = view_viewer_may_move(view),
                         .legal = view->legal};
    for (uint8_t i = 0; view->seat != SPECTATOR && i < SLOTS_MAX; i++) {
        const struct view_slot *slot = &view->hands[view->seat][i];
        bool is_empty = i >= view->slot_count[view->seat] || slot->is_empty;
        now.cards[i] = is_empty ? SLOT_EMPTY : slot->card;
    }
    bool has_same_keys = moment->is_known && moment->phase == now.phase &&
                         moment->round == now.round &&
                         memcmp(moment->cards, now.cards, sizeof(now.cards)) == 0;
    /* two turns in a row with other choices: the numbers of a list then mean other choices */
    bool is_next_decision = moment->is_own_turn && now.is_own_turn &&
                            memcmp(&moment->legal, &now.legal, sizeof(now.legal)) != 0;
    if (has_same_keys && !is_next_decision) {
        now.since_ms = moment->since_ms;
    }
    *moment = now;
}

bool moment_is_too_early(const struct moment *moment, int64_t now_ms)
{
    return moment->since_ms != 0 && now_ms - moment->since_ms < MOMENT_MS;
}
