#include "lobby/tables/tables.h"

#include "lobby/protocol/protocol.h"

void table_claim_withdraw(struct house *house, struct table *table)
{
    if (table->claim.count > 0) {
        table->claim.count = 0;
        table_mark_changed(house, table);
    }
}

struct claim_row table_claim_make_row(const struct table *table)
{
    const struct table_claim *claim = &table->claim;
    struct claim_row row = {.tricks = claim->count};
    if (claim->count == 0) {
        return row;
    }
    row.seat = claim->seat;
    row.asked = claim->asked;
    struct text cards = text_init(row.cards, sizeof(row.cards));
    for (uint8_t i = 0; i < claim->count; i++) {
        text_put(&cards, i == 0 ? "" : " ");
        card_write_name(table->game->deck, claim->cards[i], &cards);
    }
    return row;
}
