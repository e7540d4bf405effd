#include "games/oh_hell/oh_hell.h"

#include "games/claim.h"

/* The points depend on the number of tricks alone. */
const char *oh_hell_claim(const struct game_view *view, UNUSED const struct game_config *config,
                          struct claim_facts *facts)
{
    uint8_t turnup = oh_hell_turned_up_card(view);
    if (view->phase != OH_HELL_PLAY) {
        return N_("No tricks can be claimed before everybody has bid.");
    }
    facts->trump = card_suit(&standard_deck, turnup);
    facts->cards.bits[0] = (UINT64_C(1) << card_count(&standard_deck)) - 1;
    if (turnup != CARD_NONE) {
        facts->cards.bits[0] &= ~(UINT64_C(1) << turnup);
    }
    return NULL;
}
