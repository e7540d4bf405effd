#include "games/oh_hell/oh_hell.h"

#include "games/face.h"

static void tell_deal(const struct game_view *now, struct story *story)
{
    uint8_t turnup = oh_hell_turned_up_card(now);
    int32_t dealer = fields_find_number(&now->info, "dealer", 0);
    if (turnup == CARD_NONE) {
        return;
    }
    story_add(story,
              (struct phrase){
                  .format = N_("{0} deals {1} {1:card|cards} each and turns up {2}: trump is {3}"),
                  .own = N_("You deal {1} {1:card|cards} each and turn up {2}: trump is {3}"),
                  .args = {arg_of_seat((uint8_t)dealer), arg_of_number(now->slot_count[0]),
                           arg_of_card(turnup), arg_of_suit(card_suit(&standard_deck, turnup))},
              });
    story_add(story, (struct phrase){
                         .format = N_("{0} bids last and may not make the bids add up to {1}"),
                         .own = N_("You bid last and may not make the bids add up to {1}"),
                         .args = {arg_of_seat((uint8_t)dealer), arg_of_number(now->slot_count[0])},
                     });
}

/* Tells which bid the dealer, who bids last, was not free to make. */
static struct phrase tell_forbidden_bid(const struct game_view *now, uint8_t seat)
{
    int size = now->slot_count[0];
    int forbidden = size;
    for (uint8_t i = 0; i < now->seats; i++) {
        forbidden -= i != seat && now->bids[i] != BID_NONE ? now->bids[i] : 0;
    }
    if (forbidden < 0 || fields_find_number(&now->info, "dealer", -1) != seat) {
        return phrase_absent();
    }
    return (struct phrase){
        .format = N_("could bid any number but {0}"),
        .args = {arg_of_number(forbidden)},
    };
}

const struct game_story oh_hell_story = {
    .begin = tell_deal,
    .bid_remark = tell_forbidden_bid,
};
