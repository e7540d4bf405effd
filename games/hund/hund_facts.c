#include "games/hund/hund.h"

#include "games/card.h"
#include "games/hidden.h"

#include <stddef.h>

#define CARDS_PER_FACT 4 /* maximum number of designating cards in one fact */

const char *const hund_facts_signs[] = {
    N_("the 3s        the first 3 that is played makes its suit trump, the next ones\n"
       "              give plus, hund and minus; cards taken before count too"),
    N_("Gr            grey; the other suits are Pu purple, Pi pink, Gn green and Ye\n"
       "              yellow"),
    N_("by ada        ada played the card that gave this suit its role"),
    N_("next role by  the first of these cards that is played makes its suit the\n"
       "              next role: the first one still marked ?"),
    N_("later rounds  these numbers give roles in the rounds to come; their order is\n"
       "              secret"),
    N_("plus 2        so many plus cards lie in the tricks of this player; so too\n"
       "              hund, minus and lead: all of them count cards, not points"),
    N_("6 Pi+1        only with two players: an open card of the virtual player,\n"
       "              and a hidden one below it"),
    N_("dealer        dealt the cards of this round"),
    NULL,
};

/* Finds who played the card that gave the suit its role. Returns HUND_SEAT_NONE if nobody did: the
 * last role is given by no card. */
static uint8_t find_giver_of_role(const struct game_view *view, const struct hund_board *board,
                                  enum hund_role role)
{
    struct view_play play;
    for (uint8_t i = 0; role != HUND_LEAD && sample_read_play(view, i, &play); i++) {
        if (play.card == board->keys[board->roles[role]]) {
            return play.seat;
        }
    }
    return HUND_SEAT_NONE;
}

static struct phrase describe_role(const struct game_view *view, const struct hund_board *board,
                                   enum hund_role role)
{
    if (role >= board->count) {
        return phrase_without_args("?");
    }
    uint8_t giver = find_giver_of_role(view, board, role);
    return (struct phrase){
        .format = giver != HUND_SEAT_NONE ? N_("{0} by {1}") : "{0}",
        .args = {arg_of_suit(board->roles[role]), arg_of_seat(giver)},
    };
}

static bool suit_has_role(const struct hund_board *board, uint8_t suit)
{
    for (uint8_t role = 0; role < board->count; role++) {
        if (board->roles[role] == suit) {
            return true;
        }
    }
    return false;
}

/* Fills in facts that list the designating cards that have not given a role yet, up to four cards
 * in one fact. Returns the number of facts. */
static uint8_t fill_coming_card_facts(const struct hund_board *board, struct face_fact *out)
{
    static const char *const formats[CARDS_PER_FACT] = {
        "{0}",
        "{0}, {1}",
        "{0}, {1}, {2}",
        "{0}, {1}, {2}, {3}",
    };
    uint8_t shown = 0;
    for (uint8_t suit = 0; suit < HUND_SUITS; suit++) {
        if (board->keys[suit] == CARD_NONE || suit_has_role(board, suit)) {
            continue;
        }
        struct face_fact *fact = &out[shown / CARDS_PER_FACT];
        if (shown % CARDS_PER_FACT == 0) {
            *fact = (struct face_fact){.label = N_("next role by")};
        }
        fact->value.format = formats[shown % CARDS_PER_FACT];
        fact->value.args[shown % CARDS_PER_FACT] = arg_of_card(board->keys[suit]);
        shown++;
    }
    return (uint8_t)((shown + CARDS_PER_FACT - 1) / CARDS_PER_FACT);
}

/* Finds the numbers that will give roles in later rounds: bit n for number n. None when players
 * select the designating cards. */
static unsigned find_later_numbers(const struct game_view *view)
{
    const struct field *earlier = fields_find(&view->info, "past_designators");
    int32_t now = fields_find_number(&view->info, "designator", 0);
    unsigned later = (1U << (HUND_SUITS + 1)) - 2;
    if (earlier == NULL || earlier->type != FIELD_LIST || now < 1 || now > HUND_SUITS) {
        return 0;
    }
    later &= ~(1U << now);
    for (const struct field *at = field_first_member(earlier); at != NULL;
         at = field_next_member(earlier, at)) {
        later &= ~(at->number >= 1 && at->number <= HUND_SUITS ? 1U << at->number : 0);
    }
    return later;
}

/* Fills in the fact that lists the numbers of later rounds. Returns the number of facts: 0 in the
 * last round. */
static uint8_t fill_later_numbers_fact(const struct game_view *view, struct face_fact *out)
{
    static const char *const formats[HUND_SUITS] = {
        NULL, "{0}", "{0}, {1}", "{0}, {1}, {2}", "{0}, {1}, {2}, {3}",
    };
    struct face_fact fact = {.label = N_("later rounds")};
    uint8_t count = 0;
    for (unsigned rest = find_later_numbers(view); rest != 0; rest &= rest - 1) {
        fact.value.args[count++] = arg_of_number(bits_index_of_lowest(rest));
    }
    if (count == 0) {
        return 0;
    }
    fact.value.format = formats[count];
    *out = fact;
    return 1;
}

uint8_t hund_facts_fill_board(const struct game_view *view, struct face_fact out[FACE_BOARD_MAX])
{
    static const char *const labels[HUND_ROLES] = {N_("trump"), N_("plus"), N_("hund"), N_("minus"),
                                                   N_("lead")};
    struct hund_board board;
    hund_board_read_view(view, &board);
    for (uint8_t role = 0; role < HUND_ROLES; role++) {
        out[role].label = labels[role];
        out[role].value = describe_role(view, &board, (enum hund_role)role);
    }
    uint8_t count = HUND_ROLES;
    count = (uint8_t)(count + fill_coming_card_facts(&board, out + count));
    return (uint8_t)(count + fill_later_numbers_fact(view, out + count));
}

/* The number of cards of a suit in a seat's tricks. */
static uint8_t count_taken_cards(const struct game_view *view, uint8_t seat, uint8_t suit)
{
    uint8_t taken = 0;
    for (uint8_t i = 0; i < view->past_count; i++) {
        for (uint8_t j = 0; view->past[i].winner == seat && j < view->past[i].count; j++) {
            taken = (uint8_t)(taken + (hund_suit(view->past[i].plays[j].card) == suit));
        }
    }
    return taken;
}

uint8_t hund_facts_fill_badges(const struct game_view *view, uint8_t seat,
                               struct phrase out[FACE_BADGES_MAX])
{
    static const char *const formats[HUND_ROLES] = {
        [HUND_PLUS] = N_("plus {0}"),
        [HUND_HUND] = N_("hund {0}"),
        [HUND_MINUS] = N_("minus {0}"),
        [HUND_LEAD] = N_("lead {0}"),
    };
    struct hund_board board;
    uint8_t count = 0;
    hund_board_read_view(view, &board);
    for (uint8_t role = HUND_PLUS; role < board.count; role++) {
        out[count++] = (struct phrase){
            .format = formats[role],
            .args = {arg_of_number(count_taken_cards(view, seat, board.roles[role]))},
        };
    }
    if (fields_find_number(&view->info, "dealer", -1) == seat) {
        out[count++] = phrase_without_args(N_("dealer"));
    }
    return count;
}

uint8_t hund_facts_fill_terms(const struct game_config *config,
                              struct face_fact out[FACE_TERMS_MAX])
{
    if (config->options[HUND_SELECTING] == 0) {
        return 0;
    }
    out[0].label = N_("ends at");
    out[0].value = (struct phrase){
        .format = N_("{0} or {1}"),
        .args = {arg_of_number(HUND_TOTAL_HIGH), arg_of_number(HUND_TOTAL_LOW)},
    };
    return 1;
}
