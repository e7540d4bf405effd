#include "games/hund/hund.h"

#include "games/card.h"

#include <string.h>

/* Collects the cards in each seat's tricks. */
static void collect_taken_cards(const struct table_state *table, struct card_set taken[SEATS_MAX])
{
    memset(taken, 0, SEATS_MAX * sizeof(taken[0]));
    const uint8_t *cards = table->plays;
    for (uint8_t trick = 0; trick < table->past_count; trick++, cards += table->seats) {
        uint64_t *bits = taken[table->leads[trick + 1]].bits;
        for (uint8_t i = 0; i < table->seats; i++) {
            bits[cards[i] / 64] |= UINT64_C(1) << cards[i] % 64;
        }
    }
}

/* Gives the bonus to seats with neither the most nor the fewest hund cards. When all seats have
 * equally many, each has both the most and the fewest. */
void hund_fill_bonuses(const uint8_t hund_card_counts[SEATS_MAX], uint8_t seat_count,
                       int16_t points[SEATS_MAX])
{
    uint8_t most = 0;
    uint8_t fewest = UINT8_MAX;
    for (uint8_t seat = 0; seat < seat_count; seat++) {
        most = hund_card_counts[seat] > most ? hund_card_counts[seat] : most;
        fewest = hund_card_counts[seat] < fewest ? hund_card_counts[seat] : fewest;
    }
    for (uint8_t seat = 0; seat < seat_count; seat++) {
        points[seat] =
            hund_card_counts[seat] != most && hund_card_counts[seat] != fewest ? HUND_BONUS : 0;
    }
}

/* The player with the most cards of the lead suit; of players with equally many, the one with the
 * highest card of that suit. A virtual player does not choose: then the best of the other players
 * chooses, or the dealer when no other player has a card of that suit. */
static uint8_t find_first_player_chooser(const struct hund *state, const struct card_set *taken)
{
    uint8_t chooser = state->dealer;
    uint32_t best = 0;
    for (uint8_t seat = 0; seat < state->table.players; seat++) {
        /* No card is in two sets, so of two sets compared as numbers the one with the highest card
         * is greater. */
        uint32_t values = hund_values_of_suit(taken[seat], state->board.roles[HUND_LEAD]);
        uint32_t key = (uint32_t)bits_count(values) << HUND_VALUES | values;
        chooser = key > best ? seat : chooser;
        best = key > best ? key : best;
    }
    return chooser;
}

void hund_fill_points(const struct hund_board *board, uint8_t seats,
                      uint8_t counts[SEATS_MAX + 1][FACE_SUITS_MAX], struct hund_result *result)
{
    uint8_t of_role[HUND_ROLES][SEATS_MAX] = {{0}};
    for (uint8_t i = 0; i < board->count * seats; i++) {
        uint8_t role = i / seats, seat = i % seats;
        of_role[role][seat] = counts[seat][board->roles[role]];
    }
    hund_fill_bonuses(of_role[HUND_HUND], seats, result->parts[HUND_PART_HUND]);
    for (uint8_t seat = 0; seat < seats; seat++) {
        int16_t plus = of_role[HUND_PLUS][seat], minus = of_role[HUND_MINUS][seat];
        result->parts[HUND_PART_PLUS][seat] = plus;
        result->parts[HUND_PART_MINUS][seat] = (int16_t)-minus;
        result->points[seat] = (int16_t)(plus + result->parts[HUND_PART_HUND][seat] - minus);
    }
}

void hund_compute_result(const struct hund *state, struct hund_result *result)
{
    const struct table_state *table = &state->table;
    struct card_set taken[SEATS_MAX];
    uint8_t counts[SEATS_MAX + 1][FACE_SUITS_MAX] = {{0}};
    collect_taken_cards(table, taken);
    for (uint8_t i = 0; i < table->seats * HUND_SUITS; i++) {
        uint8_t seat = i / HUND_SUITS, suit = i % HUND_SUITS;
        counts[seat][suit] = bits_count(hund_values_of_suit(taken[seat], suit));
    }
    hund_fill_points(&state->board, table->seats, counts, result);
    result->chooser = find_first_player_chooser(state, taken);
}
