#include "games/hund/hund.h"

#include "games/card.h"
#include "games/face.h"
#include "games/hidden.h"
#include "games/history.h"

#include <stddef.h>

static void tell_deal(const struct game_view *now, struct story *story)
{
    uint8_t number = hund_known(now)->designator;
    story_add(story,
              PHRASE_OWN(number == INFO_NONE ? N_("{0} deals")
                                             : N_("{0} deals; the cards with a {1} give the roles"),
                         number == INFO_NONE ? N_("You deal")
                                             : N_("You deal; the cards with a {1} give the roles"),
                         arg_of_seat(hund_known(now)->dealer), arg_of_number(number)));
    for (uint8_t seat = 0; now->phase == HUND_START && seat < now->seats; seat++) {
        if ((now->to_act >> seat & 1) != 0) {
            story_add(
                story,
                PHRASE_OWN(
                    N_("{0} wins lead and chooses who leads: most lead cards, if tied the highest"),
                    N_("You win lead and choose who leads: most lead cards, if tied the highest"),
                    arg_of_seat(seat)));
        }
    }
}

static void tell_choice_of_first_player(uint8_t first, int8_t chooser, struct story *story)
{
    struct phrase words =
        PHRASE_OWN(N_("{0} leads this round"), N_("You lead this round"), arg_of_seat(first));
    if (chooser == (int8_t)first) {
        words.format = N_("{0} chooses to lead this round");
        words.own = N_("You choose to lead this round");
    } else if (chooser >= 0) {
        words.format = N_("{0} chooses {1}, who leads this round");
        words.own = N_("You choose {1}, who leads this round");
        words.own_other = N_("{0} chooses you: you lead this round");
        words.args[0] = arg_of_seat((uint8_t)chooser);
        words.args[1] = arg_of_seat(first);
    }
    story_add(story, words);
}

static void tell_choices(const struct game_view *before, const struct game_view *now,
                         struct story *story)
{
    const uint8_t *sets = hund_known(now)->sets;
    uint8_t first = hund_known(now)->first;
    int8_t mover = story_find_mover(before, now);
    if (first != HUND_SEAT_NONE && hund_known(before)->first == HUND_SEAT_NONE) {
        tell_choice_of_first_player(first, mover, story);
    }
    for (uint8_t i = 0; sets[i] != CARD_NONE; i++) {
        struct phrase words =
            PHRASE(N_("{0} is one of the cards that give roles"), arg_of_card(sets[i]));
        if (hund_known(before)->sets[i] != CARD_NONE) {
            continue;
        }
        if (mover >= 0) {
            words.format = N_("{0} names {1}: it will give a role");
            words.own = N_("You name {1}: it will give a role");
            words.args[0] = arg_of_seat((uint8_t)mover);
            words.args[1] = arg_of_card(sets[i]);
        }
        story_add(story, words);
    }
}

static void give_roles_of_trick(struct hund_board *board, const struct view_trick *trick)
{
    for (uint8_t i = 0; i < trick->count; i++) {
        (void)hund_board_give_roles(board, trick->plays[i].card);
    }
}

/* The board just after a play of the trick. */
static void make_board_after_play(const struct story_trick *trick, uint8_t play,
                                  struct hund_board *board, uint8_t *given)
{
    hund_board_begin(trick->view, board);
    for (uint8_t i = 0; i < trick->number; i++) {
        give_roles_of_trick(board, &trick->view->past[i]);
    }
    for (uint8_t j = 0; j <= play; j++) {
        *given = hund_board_give_roles(board, trick->trick->plays[j].card);
    }
}

static struct phrase tell_designation(const struct story_trick *trick, uint8_t play)
{
    static const char *const formats[] = {
        [HUND_TRUMP] = N_("{0} is TRUMP now"),
        [HUND_PLUS] = N_("{0} is PLUS now"),
        [HUND_HUND] = N_("{0} is HUND now"),
        [HUND_MINUS] = N_("{0} is MINUS now, {1} LEAD"),
    };
    struct hund_board board;
    uint8_t given = 0;
    make_board_after_play(trick, play, &board, &given);
    if (given == 0) {
        return phrase_absent();
    }
    uint8_t role = (uint8_t)(board.count - given);
    struct phrase words = PHRASE(formats[role], arg_of_suit(board.roles[role]));
    if (given == 2) {
        words.args[1] = arg_of_suit(board.roles[HUND_LEAD]);
    }
    return words;
}

static int count_cards_of_suit(const struct view_trick *trick, uint8_t seat, uint8_t suit)
{
    int count = 0;
    for (uint8_t i = 0; trick->winner == seat && i < trick->count; i++) {
        count += hund_suit(trick->plays[i].card) == suit;
    }
    return count;
}

/* Counts the cards of the suits that score which the winner of the trick has taken in this round.
 */
static struct phrase count_cards_taken(const struct story_trick *trick)
{
    /* by the number of roles given; the fourth role also gives the fifth */
    static const char *const formats[HUND_ROLES + 1] = {
        [HUND_PLUS + 1] = N_("plus {0} so far"),
        [HUND_HUND + 1] = N_("plus {0}, hund {1} so far"),
        [HUND_LEAD + 1] = N_("plus {0}, hund {1}, minus {2}, lead {3} so far"),
    };
    struct hund_board board;
    uint8_t given = 0;
    uint8_t winner = trick->trick->winner;
    make_board_after_play(trick, (uint8_t)(trick->trick->count - 1), &board, &given);
    struct phrase words = phrase_without_args(formats[board.count]);
    for (uint8_t role = HUND_PLUS; role < board.count; role++) {
        int count = count_cards_of_suit(trick->trick, winner, board.roles[role]);
        for (uint8_t i = 0; i < trick->number; i++) {
            count += count_cards_of_suit(&trick->view->past[i], winner, board.roles[role]);
        }
        words.args[role - HUND_PLUS] = arg_of_number(count);
    }
    return words;
}

/* Tells the cards that the virtual player has turned up. No other card of somebody else is shown
 * before it is played. */
static void tell_cards_turned_up(const struct game_view *before, const struct game_view *now,
                                 struct story *story)
{
    for (int i = 0; i < now->seats * SLOTS_MAX; i++) {
        uint8_t seat = (uint8_t)(i / SLOTS_MAX);
        uint8_t place = (uint8_t)(i % SLOTS_MAX);
        const struct view_slot *slot = &now->hands[seat][place];
        bool is_known = place < now->slot_count[seat] && !slot->is_empty && slot->card != CARD_NONE;
        if (is_known && before->hands[seat][place].card == CARD_NONE) {
            story_add(story,
                      PHRASE(N_("{0} turns up {1}"), arg_of_seat(seat), arg_of_card(slot->card)));
        }
    }
}

static const struct game_story hund_story = {
    .begin = tell_deal,
    .prepare = tell_choices,
    .remark = tell_designation,
    .after = tell_cards_turned_up,
    .count = count_cards_taken,
};

/* With selected cards, a game ends early when somebody's total reaches a limit. */
static void hund_explain_result(const struct game_view *view, const struct game_config *config,
                                uint8_t winners, struct story *story)
{
    story_add_highest_total(view, config, winners, story);
    for (uint8_t seat = 0; config->options[HUND_SELECTING] != 0 && seat < view->seats; seat++) {
        bool is_high = view->scores[seat] >= HUND_TOTAL_HIGH;
        if (is_high || view->scores[seat] <= HUND_TOTAL_LOW) {
            story_add(story,
                      PHRASE_OWN(is_high ? N_("The game ends: {0} has {1}, and {2} is enough")
                                         : N_("The game ends: {0} has {1}, and {2} is too few"),
                                 is_high ? N_("The game ends: you have {1}, and {2} is enough")
                                         : N_("The game ends: you have {1}, and {2} is too few"),
                                 arg_of_seat(seat), arg_of_number(view->scores[seat]),
                                 arg_of_number(is_high ? HUND_TOTAL_HIGH : HUND_TOTAL_LOW)));
        }
    }
}

static const char *const hund_brief[] = {
    N_("Five suits, five roles. You learn what a suit is worth only as you play."),
    "",
    N_("Roles   One number is open each round. The first card of it that is played\n"
       "        makes its suit TRUMP, the next makes PLUS, then HUND, then MINUS;\n"
       "        the last suit left is LEAD. Each holds at once and for the round."),
    N_("Play    Follow the suit led if you can, else play anything. Highest trump\n"
       "        wins, without trumps the highest card of the suit led. The winner\n"
       "        leads the next trick."),
    N_("Score   plus    1 for each card in your tricks\n"
       "        minus   1 lost for each card\n"
       "        hund    3 unless you have the most or the fewest of all, ties too\n"
       "        lead    who has most chooses who leads the next round"),
    N_("Select  With this option you name the designating cards: in turn, a number\n"
       "        with a suit, until each suit has one. The game ends early once\n"
       "        somebody stands at 20 or more, or at -15 or less."),
    N_("Winner  The highest total after the last round."),
    NULL,
};

static const char *const hund_rules[] = {
    N_("# What it is about"),
    N_("Two to five players and five suits: grey, purple, pink, green and yellow. In every round "
       "each suit gets one of five roles, and the cards themselves decide which. Until then nobody "
       "knows what a trick is worth."),
    N_("# The cards"),
    N_("All cards are dealt. Three players use the values 1 to 6 of each suit, four 1 to 8 and "
       "five 1 to 10; everybody has ten. With more cards these become 1 to 9, 12 and 15, and "
       "everybody has fifteen. Two players use the cards for three."),
    N_("# Roles"),
    N_("One number from 1 to 5 lies open in each round, every number once in the game; which come "
       "later stays secret. The first card of this number that is played makes its suit trump. The "
       "second makes its suit plus, the third hund, the fourth minus. The suit that is left is "
       "lead at once; the fifth card of the number does nothing. A role holds from the moment its "
       "card lies on the table, for the trick in progress too: a card played a moment earlier may "
       "turn out to be a trump."),
    N_("# Playing"),
    N_("Whoever is first leads any card. Clockwise, everyone plays one card: of the suit led if "
       "they have one, otherwise any, trump or not. The highest trump takes the trick; if there is "
       "none in it, the highest card of the suit led does. Whoever takes a trick leads the next."),
    N_("# Scoring"),
    N_("Each plus card in your tricks is a point, each minus card a point lost. The hund suit "
       "gives 3 points to everybody who has neither the most nor the fewest hund cards; players "
       "who tie for most or for fewest get nothing, and no hund card at all can be the fewest. "
       "Trumps and lead cards are worth no points."),
    N_("The player with the most lead cards chooses who leads the next round, after looking at the "
       "new hand. If players tie, the one with the highest lead card chooses. The first leader of "
       "the game is drawn by lot, and so is the first dealer; the deal passes to the left."),
    N_("After five rounds the highest total wins. Players with the same total share their rank."),
    N_("# Selecting the designating cards"),
    N_("With this option no number lies open. Before each round, from the left of the first "
       "player, everyone in turn names a card, that is a suit not yet named with a number not yet "
       "named, until all five suits have theirs. These five cards designate, in the order in which "
       "they are played. The game has five to ten rounds, but ends after any round in which "
       "somebody stands at 20 points or more, or at -15 or less."),
    N_("# Two players"),
    N_("A virtual third player sits left of the dealer and plays by fixed rules. Its open cards "
       "form five columns; each lies on top of one face-down card, or of two with the option for "
       "more cards. It follows suit with the leftmost open card of that suit. Without such a card, "
       "and when it leads, it plays the leftmost open card. The card below is turned up when the "
       "trick is over. The virtual player counts for the hund suit like anybody else, and its "
       "total may end a game with selected cards, but it cannot win. When it has most lead cards, "
       "the one of the two people with more lead cards chooses; the virtual player may be chosen "
       "to lead."),
    NULL,
};

#define CARDS_PER_FACT 4 /* maximum number of designating cards in one fact */

static const char *const hund_signs[] = {
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
    return PHRASE(giver != HUND_SEAT_NONE ? N_("{0} by {1}") : "{0}",
                  arg_of_suit(board->roles[role]), arg_of_seat(giver));
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
    const struct hund_known *known = hund_known(view);
    unsigned later = (1U << (HUND_SUITS + 1)) - 2;
    if (known->designator == INFO_NONE) {
        return 0;
    }
    for (uint8_t i = 0; i + 1 < view->round && i < HUND_SUITS; i++) {
        later &= ~(1U << known->past_designators[i]);
    }
    return later & ~(1U << known->designator);
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

static uint8_t fill_board(const struct game_view *view, const struct game_config *config,
                          struct face_fact out[FACE_BOARD_MAX])
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
    count = (uint8_t)(count + fill_later_numbers_fact(view, out + count));
    if (config != NULL && config->options[HUND_SELECTING] != 0) {
        out[count].label = N_("ends at");
        out[count++].value =
            PHRASE(N_("{0} or {1}"), arg_of_number(HUND_TOTAL_HIGH), arg_of_number(HUND_TOTAL_LOW));
    }
    return count;
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

static uint8_t fill_badges(const struct game_view *view, uint8_t seat,
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
        out[count++] =
            PHRASE(formats[role], arg_of_number(count_taken_cards(view, seat, board.roles[role])));
    }
    if (hund_known(view)->dealer == seat) {
        out[count++] = phrase_without_args(N_("dealer"));
    }
    return count;
}

static uint8_t fill_headline(const struct game_view *view, struct phrase out[FACE_HEADLINE_MAX])
{
    struct hund_board board;
    uint8_t count = 0;
    hund_board_read_view(view, &board);
    uint8_t number = hund_known(view)->designator;
    if (number != INFO_NONE) {
        out[count++] = PHRASE(N_("the {0}s give roles"), arg_of_number(number));
    }
    if (board.count > HUND_TRUMP) {
        out[count++] = PHRASE(N_("trump {0}"), arg_of_suit(board.roles[HUND_TRUMP]));
    }
    return count;
}

static struct phrase prompt_for_viewer(const struct game_view *view)
{
    if (view->phase == HUND_START) {
        return phrase_without_args(N_("You won lead: who leads this round?"));
    }
    if (view->phase == HUND_SELECT) {
        uint8_t sets = 0;
        while (hund_known(view)->sets[sets] != CARD_NONE) {
            sets++;
        }
        return PHRASE(N_("Name card {0} of {1} that will give a suit its role"),
                      arg_of_number(sets + 1), arg_of_number(HUND_SUITS));
    }
    struct hund_board board;
    hund_board_read_view(view, &board);
    return face_prompt_to_follow_suit(view, board.roles[HUND_TRUMP]);
}

/* The number of values in each suit of this game. */
static uint8_t count_values_in_suit(const struct game_view *view)
{
    return (uint8_t)(view->slot_count[0] * view->seats / HUND_SUITS);
}

/* A designating card that is taken stays in the list, so that the other cards keep their
 * positions. */
static bool is_move_listed(const struct game_view *view, uint8_t move)
{
    return view->phase == HUND_SELECT && move >= HUND_SELECT_FIRST && move < HUND_START_FIRST &&
           move - HUND_SELECT_FIRST < HUND_SUITS * HUND_VALUES &&
           card_value(&hund_deck, (uint8_t)(move - HUND_SELECT_FIRST)) <=
               count_values_in_suit(view);
}

static struct phrase explain_refused_role_designating_card(const struct game_view *view,
                                                           uint8_t card)
{
    uint8_t number = card_value(&hund_deck, card);
    uint8_t values = count_values_in_suit(view);
    for (const uint8_t *set = hund_known(view)->sets; *set != CARD_NONE; set++) {
        uint8_t other = *set;
        if (hund_suit(other) == hund_suit(card)) {
            return PHRASE(N_("{0} has its card: {1}"), arg_of_suit(hund_suit(card)),
                          arg_of_card(other));
        }
        if (card_value(&hund_deck, other) == number) {
            return PHRASE(N_("the number {0} is taken: {1}"), arg_of_number(number),
                          arg_of_card(other));
        }
    }
    return PHRASE(N_("there is no {0}: values go up to {1}"), arg_of_card(card),
                  arg_of_number(values));
}

static struct phrase explain_refusal(const struct game_view *view, uint8_t move)
{
    switch ((enum hund_phase)view->phase) {
    case HUND_START:
        return phrase_without_args(N_("choose a player of this table first"));
    case HUND_SELECT:
        return move < HUND_SELECT_FIRST || move >= HUND_START_FIRST
                   ? phrase_without_args(N_("name a designating card first"))
                   : explain_refused_role_designating_card(view,
                                                           (uint8_t)(move - HUND_SELECT_FIRST));
    case HUND_PLAY:
        break;
    }
    return move < HUND_SELECT_FIRST ? face_explain_illegal_card(view, move)
                                    : phrase_without_args(N_("the round has begun: play a card"));
}

static bool seat_has_known_card(const struct game_view *view, uint8_t seat)
{
    for (uint8_t i = 0; i < view->slot_count[seat]; i++) {
        if (view->hands[seat][i].card != CARD_NONE) {
            return true;
        }
    }
    return false;
}

static bool seat_has_unknown_card(const struct game_view *view, uint8_t seat)
{
    for (uint8_t i = 0; i < view->slot_count[seat]; i++) {
        if (!view->hands[seat][i].is_empty && view->hands[seat][i].card == CARD_NONE) {
            return true;
        }
    }
    return false;
}

/* Of the hands that a player does not hold, only the virtual player's, at the last of three seats,
 * has cards that lie open. Replays show all hands: there it is the one with face-down cards. */
static uint8_t count_columns(const struct game_view *view, uint8_t seat)
{
    unsigned open_seats = 0;
    for (uint8_t other = 0; other < view->seats; other++) {
        open_seats |= (unsigned)((int)other != view->seat && seat_has_known_card(view, other))
                      << other;
    }
    bool is_last_of_three = seat == 2 && view->seats == 3;
    bool is_open = (open_seats >> seat & 1) != 0;
    bool is_only_open = open_seats == 1U << seat;
    return is_last_of_three && is_open && (is_only_open || seat_has_unknown_card(view, seat))
               ? HUND_COLUMNS
               : 0;
}

static uint8_t move_for_slot(const struct game_view *view, uint8_t slot)
{
    return view->phase == HUND_PLAY ? face_card_in_slot(view, slot) : MOVE_NONE;
}

static struct phrase explain_points(const struct score_row *row, uint8_t seat)
{
    if (row->part_count != HUND_PARTS) {
        return PHRASE("{0}", arg_of_number(row->points[seat]));
    }
    static const char *const formats[2][2] = {
        {N_("plus cards {0}: {1}, most or fewest hund cards: 0, minus cards {2}: {3}"),
         N_("plus cards {0}: {1}, most or fewest hund cards: 0, minus cards {2}: {3}; lead cards: "
            "chooses who leads next")},
        {N_("plus cards {0}: {1}, neither most nor fewest hund cards: {4}, minus cards {2}: {3}"),
         N_("plus cards {0}: {1}, neither most nor fewest hund cards: {4}, minus cards {2}: {3}; "
            "lead cards: chooses who leads next")},
    };
    int plus = row->parts[HUND_PART_PLUS][seat];
    int hund = row->parts[HUND_PART_HUND][seat];
    int minus = row->parts[HUND_PART_MINUS][seat];
    bool is_chooser = (row->choosers >> seat & 1) != 0;
    return PHRASE(formats[hund > 0][is_chooser], arg_of_number(plus), arg_of_points(plus),
                  arg_of_number(-minus), arg_of_points(minus), arg_of_points(hund));
}

/* The trump suit when the trick was taken. SUIT_NONE if there was none yet, or if the trick belongs
 * to the round before, whose trump the view does not contain. */
static uint8_t find_trump_of_trick(const struct game_view *view, const struct view_trick *trick)
{
    struct hund_board board;
    bool is_found = false;
    if (!face_trick_is_of_round(view, trick)) {
        return SUIT_NONE;
    }
    hund_board_begin(view, &board);
    for (uint8_t i = 0; i < view->past_count && !is_found; i++) {
        give_roles_of_trick(&board, &view->past[i]);
        is_found = view->past[i].plays[0].card == trick->plays[0].card;
    }
    if (!is_found) {
        give_roles_of_trick(&board, trick);
    }
    return board.roles[HUND_TRUMP];
}

static struct phrase explain_trick_winner(const struct game_view *view,
                                          const struct view_trick *trick)
{
    return face_explain_trick_winner(view, trick, find_trump_of_trick(view, trick));
}

/* Spells the suits, with the letters of their short names as capitals. There is no room for more
 * beside the other facts. */
static struct phrase explain_signs(UNUSED const struct game_view *view)
{
    return phrase_without_args(N_("GRey PUrple PInk GreeN YEllow"));
}

/* With two players, the virtual player plays after the round's dealer. */
static uint8_t next_seat(const struct game_view *view, uint8_t seat)
{
    const uint8_t *order = hund_known(view)->order;
    uint8_t at = 0;
    while (at + 1 < view->seats && order[at] != seat) {
        at++;
    }
    return order[(at + 1) % view->seats];
}

/*
 * The lesson of HUND: the player's own cards make purple trump and green minus, and a trump kept to
 * the end takes the last trick.
 */

static const struct lesson_move moves[] = {
    {2, "play:purple-5", NULL},
    {0, "play:purple-1", N_("you hold three purple cards, so purple is a good trump for you")},
    {1, "play:purple-4", NULL},
    {2, "play:pink-6", NULL},
    {0, "play:pink-2", N_("the 6 wins anyway, so play your lowest pink")},
    {1, "play:pink-1", NULL},
    {2, "play:yellow-3", NULL},
    {0, "play:yellow-2", N_("it is your only yellow card, so you have no choice")},
    {1, "play:yellow-1", NULL},
    {2, "play:purple-6", NULL},
    {0, "play:purple-2", N_("nothing beats the purple 6, so keep your higher trump")},
    {1, "play:grey-2", NULL},
    {2, "play:green-2", NULL},
    {0, "play:green-1", N_("it is your only green card, and as the fourth 1 it makes green minus")},
    {1, "play:grey-1", NULL},
    {2, "play:green-3", NULL},
    {0, "play:grey-4", N_("your trump would win a minus card, and grey cards are worth no points")},
    {1, "play:grey-3", NULL},
    {2, "play:green-4", NULL},
    {0, "play:grey-5",
     N_("again your trump would win a minus card, so throw the other grey card away too")},
    {1, "play:grey-6", NULL},
    {2, "play:green-5", NULL},
    {0, "play:pink-4",
     N_("you give a plus card away, but your only trump is for a trick without minus")},
    {1, "play:yellow-4", NULL},
    {2, "play:green-6", NULL},
    {0, "play:pink-5",
     N_("you give a plus card away again, but your trump wins the last trick, without minus")},
    {1, "play:yellow-5", NULL},
    {2, "play:yellow-6", NULL},
    {0, "play:purple-3",
     N_("your trump wins, and one hund card is neither the most nor the fewest")},
    {1, "play:pink-3", NULL},
};

/* Whether at least `count` suits have got a role in this round. */
static bool knows_roles(const struct game_view *view, unsigned count)
{
    struct hund_board board;
    hund_board_read_view(view, &board);
    return view->phase == HUND_PLAY && board.count >= count;
}

static bool is_before_designations(const struct game_view *view)
{
    return view->round == 1 && !knows_roles(view, 1);
}

static bool knows_trump(const struct game_view *view)
{
    return knows_roles(view, HUND_TRUMP + 1);
}

static bool knows_plus(const struct game_view *view)
{
    return knows_roles(view, HUND_PLUS + 1);
}

static bool knows_hund(const struct game_view *view)
{
    return knows_roles(view, HUND_HUND + 1);
}

static bool knows_minus(const struct game_view *view)
{
    return knows_roles(view, HUND_MINUS + 1);
}

/* Whether the viewer cannot follow suit but holds a trump. */
static bool may_trump(const struct game_view *view)
{
    struct hund_board board;
    hund_board_read_view(view, &board);
    return lesson_viewer_cannot_follow(view) && board.count > HUND_TRUMP &&
           face_count_suit_cards(view, board.roles[HUND_TRUMP]) > 0;
}

static const struct lesson_note notes[] = {
    {N_("In this round the 1s decide: the suit of the first 1 becomes trump, the next ones plus, "
        "hund and minus; the last suit is lead."),
     .matters = is_before_designations},
    {N_("Trump is known now: it beats all other suits, but you must follow suit if you can."),
     .matters = knows_trump},
    {N_("Plus is known now: each of its cards in the tricks that you take is 1 point."),
     .matters = knows_plus},
    {N_("Hund is known now: whoever takes neither the most nor the fewest of its cards gets 3 "
        "points."),
     .matters = knows_hund},
    {N_("Minus is known now: each of its cards in the tricks that you take costs 1 point."),
     .matters = knows_minus},
    {N_("The last suit is lead: whoever takes the most of its cards chooses who begins the next "
        "round."),
     .matters = knows_minus},
    {N_("You have no card of the suit led, so you may play any card, also a trump."),
     .matters = may_trump},
    {N_("Each plus card taken was 1 point, each minus card -1; hund paid 3 for neither the most "
        "nor the fewest of its cards."),
     .matters = lesson_round_is_over, .is_about_scores = true},
    {N_("In each of the 5 rounds another number decides the roles, and the most points win; q "
        "leaves."),
     .matters = lesson_round_is_over},
};

static const struct game_lesson hund_lesson = {
    .players = 3,
    .seat = 0,
    .seed = {4},
    .moves = moves,
    .move_count = ARRAY_LEN(moves),
    .notes = notes,
    .note_count = ARRAY_LEN(notes),
};

const struct game_face hund_face = {
    .lesson = &hund_lesson,
    .pitch = N_("You learn in play which suits help you and which ones hurt."),
    .pages = {hund_brief, hund_rules, hund_signs},
    .headline = fill_headline,
    .badges = fill_badges,
    .prompt = prompt_for_viewer,
    .refusal = explain_refusal,
    .lists = is_move_listed,
    .point = move_for_slot,
    .explain = explain_points,
    .why_won = explain_trick_winner,
    .explain_result = hund_explain_result,
    .story = &hund_story,
    .board = fill_board,
    .card_signs = explain_signs,
    .columns = count_columns,
    .next = next_seat,
};
