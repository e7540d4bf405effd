#include "lobby/play/play.h"

#include "games/claim.h"
#include "lobby/chat/chat.h"
#include "lobby/house/parts.h"
#include "lobby/house/say.h"
#include "lobby/protocol/protocol.h"
#include "lobby/tables/tables.h"

#include <string.h>

static bool seat_can_answer(const struct house *house, const struct table *table, int seat)
{
    const struct person *person = table_connected_holder(house, table, seat);
    return person != NULL && table_is_entered_by(table, person) &&
           !table->row.seats[seat].is_absent;
}

/* The seats that are asked and whose players can still answer. */
static uint8_t seats_to_wait_for(const struct house *house, const struct table *table)
{
    uint8_t seats = 0;
    for (int seat = 0; seat < table->row.players; seat++) {
        bool is_asked = (table->claim.asked >> seat & 1) != 0;
        if (is_asked && seat_can_answer(house, table, seat)) {
            seats = (uint8_t)(seats | 1U << seat);
        }
    }
    return seats;
}

/* Plays the round to its end: the claimant in the order of the proof, the others their first legal
 * cards. Each trick is sent, so that people can read it. */
static void play_out_claim(struct house *house, struct table *table)
{
    const struct table_claim claim = table->claim;
    enum game_result result = GAME_OK;
    uint8_t played = 0;
    table->claim.is_accepted = true;
    table->claim.asked = 0;
    chat_announce_at_table(house, table,
                           say(_("The claim stands: %s takes all remaining tricks (%u)."),
                               table->row.seats[claim.seat].name, (unsigned)claim.count));
    do {
        uint8_t seat = (uint8_t)__builtin_ctz(table_seats_on_turn(table));
        struct move_set legal;
        game_find_legal_moves(table->game, &table->state, seat, &legal);
        bool is_claimant = seat == claim.seat && played < claim.count;
        uint8_t move = is_claimant ? claim.cards[played++] : move_set_next(&legal, 0);
        result = table_game_make_move(house, table, seat, move, NULL);
        if (table->is_trick_over) {
            table_push_send_changes(house);
        }
    } while (result == GAME_OK && table_is_playing(table) && !table->is_round_new);
    table->claim.count = 0;
}

/* Returns when players who have not answered count as accepting: at the latest when the claimant's
 * turn would pass to a bot, so that asking costs the claimant no time. INT64_MAX: no claim is
 * open. */
static int64_t claim_due_ms(const struct house *house, const struct table *table)
{
    if (table->claim.count == 0) {
        return INT64_MAX;
    }
    if (seats_to_wait_for(house, table) == 0) {
        return house->now_ms;
    }
    int64_t turn_ms = table_times_timeout_at_ms(house, table, table->claim.seat);
    return turn_ms < table->claim.due_ms ? turn_ms : table->claim.due_ms;
}

/* Plays the round out once everybody has accepted the claim. */
static void settle_claim(struct house *house, struct table *table)
{
    if (claim_due_ms(house, table) <= house->now_ms) {
        play_out_claim(house, table);
    }
}

/* Checks whether the seat may claim now; refuses the request if not. */
static bool may_claim(const struct request *request)
{
    const struct table *table = request->table;
    int64_t step = 0;
    if (!json_read_number(request->body, "step", 0, UINT16_MAX, &step) ||
        (size_t)step != table->move_count) {
        answer_no(request, "stale", _("The table has moved on since: look again and choose anew."));
    } else if (table->row.halt != STORAGE_HALT_NONE) {
        answer_no(request, "halted", _("The game stands still: /resume to go on with it."));
    } else if ((table_seats_on_turn(table) >> request->seat & 1) == 0) {
        answer_no(request, "not_your_turn",
                  _("It is not your turn: claim when you are to play a card."));
    } else if (table->claim.is_refused && table->claim.refused_step == table->move_count) {
        answer_no(request, "refused",
                  _("Somebody wants to play on: play a card, and claim in the next trick."));
    } else {
        return true;
    }
    return false;
}

static void open_claim(struct house *house, struct table *table, int seat,
                       const struct claim_proof *proof)
{
    struct table_claim *claim = &table->claim;
    *claim = (struct table_claim){
        .due_ms = house->now_ms + CLAIMS_ANSWER_MS,
        .count = proof->count,
        .seat = (uint8_t)seat,
        .asked = (uint8_t)(((1U << table->row.players) - 1) & ~(1U << seat)),
    };
    memcpy(claim->cards, proof->cards, sizeof(claim->cards));
    claim->asked = seats_to_wait_for(house, table);
}

void message_claim(const struct request *request)
{
    struct house *house = request->house;
    struct table *table = request->table;
    struct game_view view;
    struct claim_proof proof;
    if (table->row.seats[request->seat].is_absent) {
        table_return_to_seat(house, table, request->seat);
    }
    if (!may_claim(request)) {
        return;
    }
    if (table->claim.count > 0) { /* the claim is the requester's: it is their turn */
        answer_ok(request, NULL);
        return;
    }
    game_fill_view(table->game, &table->state, (int8_t)request->seat, &view);
    const char *objection = claim_prove(&view, &table->config, &proof);
    if (objection != NULL) {
        answer_no_with_sentence(request, "unproven", say("%s", objection));
        return;
    }
    open_claim(house, table, request->seat, &proof);
    answer_ok(request, NULL);
    settle_claim(house, table);
}

void message_claim_answer(const struct request *request)
{
    struct house *house = request->house;
    struct table *table = request->table;
    struct table_claim *claim = &table->claim;
    const json_t *accepts = json_object_get(request->body, "accept");
    if (!json_is_boolean(accepts)) {
        answer_no(request, "bad", _("Say whether you accept the claim: true or false."));
        return;
    }
    if (claim->count == 0 || (claim->asked >> request->seat & 1) == 0) {
        answer_no(request, "stale", _("There is no claim to answer any more: the game goes on."));
        return;
    }
    answer_ok(request, NULL);
    claim->asked = (uint8_t)(claim->asked & ~(1U << request->seat));
    if (json_is_true(accepts)) {
        settle_claim(house, table);
        return;
    }
    claim->is_refused = true;
    claim->refused_step = table->move_count;
    table->claim.count = 0;
    chat_announce_at_table(
        house, table,
        say(_("%s plays on: the claim does not stand."), table->row.seats[request->seat].name));
}

TABLE_TIMER(claims, claim_due_ms, play_out_claim)

const struct part claims_part = {
    .name = "claims",
    .tick = claims_tick,
    .next_ms = claims_next_ms,
    .is_prompt = true,
};
