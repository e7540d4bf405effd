#include "games/hund/hund.h"

#include "games/claim.h"

/* Once all roles are given, the cards that a player takes decide the points. */
const char *hund_claim(const struct game_view *view, const struct game_config *config,
                       struct claim_facts *facts)
{
    struct hund_board board;
    if (view->phase != HUND_PLAY) {
        return N_("No tricks can be claimed before the round is played.");
    }
    hund_board_read_view(view, &board);
    if (board.count < HUND_ROLES) {
        return N_("No tricks can be claimed yet: deciding cards still ahead change what the suits "
                  "are worth. Claim when all five roles are given.");
    }
    facts->trump = board.roles[HUND_TRUMP];
    uint8_t values = (uint8_t)(view->slot_count[0] * view->seats / HUND_SUITS);
    for (uint8_t suit = 0; suit < HUND_SUITS; suit++) {
        struct card_set cards = hund_cards_of_suit(suit, (UINT32_C(1) << values) - 1);
        facts->cards.bits[0] |= cards.bits[0];
        facts->cards.bits[1] |= cards.bits[1];
    }
    if (config->players < view->seats) {
        facts->open_seats = (uint8_t)(1U << config->players); /* the virtual player */
    }
    return NULL;
}
