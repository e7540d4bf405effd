#include "games/heckin_hounds/heckin_hounds.h"

#include "games/hidden.h"

#include <string.h>

#define BIT(n) (UINT64_C(1) << (n))

/* The slots that a clue names: all slots with this suit or value, or the one slot. */
static uint8_t slots_of_clue(const struct hounds *state, uint8_t seat, uint8_t clue_subject)
{
    if (clue_subject >= HOUNDS_SUBJECT_SLOT) {
        return (uint8_t)(1U << (clue_subject - HOUNDS_SUBJECT_SLOT));
    }
    uint8_t slots = 0;
    for (uint8_t i = 0; i < HOUNDS_SLOTS; i++) {
        uint8_t card = state->table.slots[seat][i];
        bool is_named = hounds_clue_subject_for_suit(card) == clue_subject ||
                        hounds_clue_subject_for_value(card) == clue_subject;
        slots = (uint8_t)(slots | is_named << i);
    }
    return slots;
}

/* The things that legal clues can name, one bit each. A suit or value must be in the hand at least
 * twice and must not have been told for all of these cards. A slot must not have been told
 * completely. */
static void find_legal_clues_for_seat(struct hounds *state, uint8_t seat)
{
    uint64_t once = 0;
    uint64_t twice = 0;
    uint64_t untold = 0;
    uint64_t told_suit = state->told_suit[seat];
    uint64_t told_value = state->told_value[seat];
    for (uint8_t i = 0; i < HOUNDS_SLOTS; i++) {
        uint8_t card = state->table.slots[seat][i];
        uint64_t suit = BIT(card / HOUNDS_VALUES);
        uint64_t value = BIT(HOUNDS_SUBJECT_VALUE + card % HOUNDS_VALUES);
        twice |= once & (suit | value);
        once |= suit | value;
        untold |= suit * (~told_suit >> i & 1) | value * (~told_value >> i & 1);
    }
    uint64_t whole = told_suit & told_value;
    uint64_t legal = (twice & untold) | (~whole & (BIT(HOUNDS_SLOTS) - 1)) << HOUNDS_SUBJECT_SLOT;
    legal = state->clues_left[seat] > 0 ? legal : 0;

    unsigned at = seat * (unsigned)HOUNDS_SUBJECTS;
    uint64_t mask = BIT(HOUNDS_SUBJECTS) - 1;
    uint64_t *words = state->clue_moves;
    if (at < 64) {
        words[0] = (words[0] & ~(mask << at)) | legal << at;
    }
    if (at >= 64) {
        words[1] = (words[1] & ~(mask << (at - 64))) | legal << (at - 64);
    } else if (at + HOUNDS_SUBJECTS > 64) {
        words[1] = (words[1] & ~(mask >> (64 - at))) | legal >> (64 - at);
    }
}

void hounds_give_clue(struct hounds *state, uint8_t to, uint8_t clue_subject)
{
    uint8_t slots = slots_of_clue(state, to, clue_subject);
    bool is_suit = clue_subject < HOUNDS_SUBJECT_VALUE;
    bool is_slot = clue_subject >= HOUNDS_SUBJECT_SLOT;
    state->told_suit[to] = (uint8_t)(state->told_suit[to] | (is_suit || is_slot ? slots : 0));
    state->told_value[to] = (uint8_t)(state->told_value[to] | (is_suit ? 0 : slots));
    state->clues[state->clue_count++] = (struct hounds_clue){
        .to = to,
        .clue_subject = clue_subject,
        .slots = slots,
        .card = is_slot ? state->table.slots[to][clue_subject - HOUNDS_SUBJECT_SLOT] : CARD_NONE,
    };
    state->clues_left[to]--;
    find_legal_clues_for_seat(state, to);
}

bool hounds_clues_tell_dealt_card(const struct hounds *state, uint8_t seat, uint8_t slot)
{
    bool is_suit_told = false;
    bool is_value_told = false;
    for (uint8_t i = 0; i < state->clue_count; i++) {
        const struct hounds_clue *clue = &state->clues[i];
        bool is_slot = clue->clue_subject >= HOUNDS_SUBJECT_SLOT;
        bool is_suit = clue->clue_subject < HOUNDS_SUBJECT_VALUE;
        bool is_named = clue->to == seat && (clue->slots >> slot & 1) != 0;
        is_suit_told |= is_named && (is_suit || is_slot);
        is_value_told |= is_named && !is_suit;
    }
    return is_suit_told && is_value_told;
}

void hounds_find_legal_clues(struct hounds *state)
{
    state->clue_moves[0] = 0;
    state->clue_moves[1] = 0;
    for (uint8_t seat = 0; seat < state->table.seats; seat++) {
        find_legal_clues_for_seat(state, seat);
    }
}

void hounds_write_clue_subject(uint8_t clue_subject, struct text *out)
{
    if (clue_subject < HOUNDS_SUBJECT_VALUE) {
        text_put(out, "suit:");
        text_put(out, hounds_deck.suits[clue_subject].id);
    } else if (clue_subject < HOUNDS_SUBJECT_SLOT) {
        text_put(out, "value:");
        text_put_number(out, clue_subject - HOUNDS_SUBJECT_VALUE + 1);
    } else {
        text_put(out, "slot:");
        text_put_number(out, clue_subject - HOUNDS_SUBJECT_SLOT);
    }
}

static bool hounds_text_equals(const char *a, const char *b)
{
    size_t size = strlen(b) + 1;
    return strlen(a) + 1 == size && memcmp(a, b, size) == 0;
}

/* The digit that follows the prefix and ends the text, as a number from 0. UINT8_MAX when the text
 * has another form. */
static uint8_t read_digit(const char *text, const char *prefix)
{
    size_t len = strlen(prefix);
    if (strlen(text) != len + 1 || memcmp(text, prefix, len) != 0 || text[len] < '0') {
        return UINT8_MAX;
    }
    return (uint8_t)(text[len] - '0');
}

static uint8_t hounds_parse_clue_subject(const char *text)
{
    uint8_t value = read_digit(text, "value:");
    uint8_t slot = read_digit(text, "slot:");
    if (value >= 1 && value <= HOUNDS_VALUES) {
        return (uint8_t)(HOUNDS_SUBJECT_VALUE + value - 1);
    }
    if (slot < HOUNDS_SLOTS) {
        return (uint8_t)(HOUNDS_SUBJECT_SLOT + slot);
    }
    if (strlen(text) < 5 || memcmp(text, "suit:", 5) != 0) {
        return HOUNDS_SUBJECTS;
    }
    uint8_t suit = 0;
    while (suit < HOUNDS_DEALT_SUITS && !hounds_text_equals(text + 5, hounds_deck.suits[suit].id)) {
        suit++;
    }
    return suit < HOUNDS_DEALT_SUITS ? suit : HOUNDS_SUBJECTS;
}

#define SLOTS_ALL ((1U << HOUNDS_SLOTS) - 1)

/* Sets of cards: all cards of a suit, and all cards of a value. */
#define SUIT_CARDS(suit) (UINT64_C(0xFF) << (HOUNDS_VALUES * (suit)))
#define VALUE_CARDS(value) (UINT64_C(0x010101010101) << ((value)-1))

/* The cards of the strongest `suit_count` suits in a game with `seat_count` seats. */
static uint64_t cards_of_strongest_suits(uint8_t seat_count, uint8_t suit_count)
{
    uint64_t cards = 0;
    for (uint8_t suit = 0; suit < suit_count; suit++) {
        cards |= (BIT(seat_count + 1) - 1) << (HOUNDS_VALUES * suit);
    }
    return cards;
}

static bool field_text_is(const struct field *field, const char *text)
{
    size_t size = strlen(text) + 1;
    return field->type == FIELD_TEXT && strlen(field->text) + 1 == size &&
           memcmp(field->text, text, size) == 0;
}

/* The number in the field, from 0 to `end` - 1; `end` when the field is absent or holds anything
 * else. */
static uint8_t read_number_below(const struct field *field, uint8_t end)
{
    bool is_number = field != NULL && field->type == FIELD_NUMBER;
    return is_number && field->number >= 0 && field->number < end ? (uint8_t)field->number : end;
}

/* The member with that key; NULL when absent. */
static const struct field *find_member(const struct field *object, const char *key)
{
    size_t size = strlen(key) + 1;
    const struct field *member = object->type == FIELD_OBJECT ? field_first_member(object) : NULL;
    while (member != NULL && memcmp(member->key, key, size) != 0) {
        member = field_next_member(object, member);
    }
    return member;
}

/* The list with that key in info; NULL when absent or when it does not have exactly `count`
 * members. */
static const struct field *find_info_list(const struct game_view *view, const char *key,
                                          uint8_t count)
{
    const struct field *list = fields_find(&view->info, key);
    if (list == NULL || list->type != FIELD_LIST) {
        return NULL;
    }
    uint8_t members = 0;
    for (const struct field *m = field_first_member(list); m != NULL && members <= count;
         m = field_next_member(list, m)) {
        members++;
    }
    return members == count ? list : NULL;
}

static bool read_leader_and_badness(const struct game_view *view, struct hounds_known *known)
{
    const struct field *bad = fields_find(&view->info, "bad_dog");
    const struct field *badness = find_info_list(view, "badness", view->seats);
    known->leader = read_number_below(fields_find(&view->info, "leader"), view->seats);
    if (known->leader == view->seats || bad == NULL || badness == NULL) {
        return false;
    }
    known->bad_dog = SUIT_NONE;
    for (uint8_t suit = 0; suit < HOUNDS_SUITS; suit++) {
        if (field_text_is(bad, hounds_deck.suits[suit].id)) {
            known->bad_dog = suit;
        }
    }
    const struct field *member = field_first_member(badness);
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        known->badness[seat] = read_number_below(member, UINT8_MAX);
        member = field_next_member(badness, member);
    }
    return (known->bad_dog == SUIT_NONE) == (view->phase == HOUNDS_BAD) &&
           (known->bad_dog != SUIT_NONE || bad->type == FIELD_NULL);
}

/* Reads the card that a clue about a single slot names. */
static bool read_clue_card(const struct field *object, struct hounds_clue *clue)
{
    const struct field *card = find_member(object, "card");
    clue->card = CARD_NONE;
    if (clue->clue_subject < HOUNDS_SUBJECT_SLOT) {
        return card == NULL;
    }
    if (card == NULL || card->type != FIELD_TEXT ||
        clue->slots != 1U << (clue->clue_subject - HOUNDS_SUBJECT_SLOT)) {
        return false;
    }
    clue->card = card_parse(&hounds_deck, card->text);
    return clue->card < HOUNDS_CERBERUS_CARD;
}

static bool read_clue(const struct game_view *view, const struct field *object,
                      struct hounds_known *known)
{
    const struct field *name = find_member(object, "clue");
    const struct field *slots = find_member(object, "slots");
    struct hounds_clue clue = {.to = read_number_below(find_member(object, "to"), view->seats)};
    if (name == NULL || name->type != FIELD_TEXT || slots == NULL || slots->type != FIELD_LIST ||
        clue.to == view->seats || known->clues_left[clue.to] == 0) {
        return false;
    }
    clue.clue_subject = hounds_parse_clue_subject(name->text);
    for (const struct field *m = field_first_member(slots); m != NULL;
         m = field_next_member(slots, m)) {
        uint8_t slot = read_number_below(m, HOUNDS_SLOTS);
        clue.slots = (uint8_t)(clue.slots | (1U << slot));
    }
    if (clue.clue_subject == HOUNDS_SUBJECTS || clue.slots == 0 || clue.slots > SLOTS_ALL ||
        !read_clue_card(object, &clue)) {
        return false;
    }
    known->clues_left[clue.to]--;
    known->clues[known->clue_count++] = clue;
    return true;
}

/* Reads the clues given so far: none before the clue phase, all of them after it. */
static bool read_clues(const struct game_view *view, struct hounds_known *known)
{
    const struct field *clues = fields_find(&view->info, "clues");
    if (clues == NULL || clues->type != FIELD_LIST) {
        return false;
    }
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        known->clues_left[seat] = seat == known->leader ? 0 : HOUNDS_CLUES_EACH;
    }
    for (const struct field *m = field_first_member(clues); m != NULL;
         m = field_next_member(clues, m)) {
        if (!read_clue(view, m, known)) {
            return false;
        }
    }
    uint8_t all = (uint8_t)(HOUNDS_CLUES_EACH * (view->seats - 1));
    return view->phase == HOUNDS_BAD    ? known->clue_count == 0
           : view->phase == HOUNDS_CLUE ? known->clue_count < all
                                        : known->clue_count == all;
}

static bool read_discard(const struct game_view *view, struct hounds_known *known)
{
    const struct field *discard = fields_find(&view->info, "discard");
    known->cerberus_seat = HOUNDS_SEAT_NONE;
    known->discarded = CARD_NONE;
    if (discard == NULL || (discard->type == FIELD_NULL) != (view->phase <= HOUNDS_DISCARD)) {
        return false;
    }
    if (discard->type == FIELD_NULL) {
        return true;
    }
    const struct field *card = find_member(discard, "card");
    known->cerberus_seat = read_number_below(find_member(discard, "seat"), view->seats);
    known->cerberus_slot = read_number_below(find_member(discard, "slot"), HOUNDS_SLOTS);
    if (card != NULL) {
        known->discarded = card_parse(&hounds_deck, card->text);
    }
    return known->cerberus_seat < view->seats && known->cerberus_slot < HOUNDS_SLOTS &&
           (card == NULL || known->discarded != CARD_NONE);
}

/* Reads the trades. Each seat trades or passes once, one after the other, starting with the
 * leader. */
static bool read_trades(const struct game_view *view, struct hounds_known *known)
{
    const struct field *trades = find_info_list(view, "trades", view->seats);
    if (trades == NULL) {
        return false;
    }
    const struct field *member = field_first_member(trades);
    for (uint8_t seat = 0; seat < view->seats; seat++, member = field_next_member(trades, member)) {
        uint8_t slot = read_number_below(member, HOUNDS_SLOTS);
        known->trades[seat] = slot < HOUNDS_SLOTS             ? slot
                              : field_text_is(member, "pass") ? HOUNDS_TRADE_PASS
                                                              : HOUNDS_TRADE_OPEN;
        bool is_cerberus = seat == known->cerberus_seat && slot == known->cerberus_slot;
        if (is_cerberus || (slot == HOUNDS_SLOTS && member->type != FIELD_NULL &&
                            known->trades[seat] == HOUNDS_TRADE_OPEN)) {
            return false;
        }
        known->trade_count =
            (uint8_t)(known->trade_count + (known->trades[seat] != HOUNDS_TRADE_OPEN));
    }
    for (uint8_t i = 0; i < view->seats; i++) {
        uint8_t choice = known->trades[(known->leader + i) % view->seats];
        if ((choice == HOUNDS_TRADE_OPEN) != (i >= known->trade_count)) {
            return false;
        }
    }
    return view->phase < HOUNDS_TRADE    ? known->trade_count == 0
           : view->phase == HOUNDS_TRADE ? known->trade_count < view->seats
                                         : known->trade_count == view->seats;
}

/* Reads the cards given in trades, as far as the viewer knows them. */
static bool read_given_cards(const struct game_view *view, struct hounds_known *known)
{
    memset(known->given, CARD_NONE, sizeof(known->given));
    const struct field *given = find_info_list(view, "given", view->seats);
    if (given == NULL) {
        return false;
    }
    const struct field *member = field_first_member(given);
    for (uint8_t seat = 0; seat < view->seats; seat++, member = field_next_member(given, member)) {
        if (member->type == FIELD_NULL) {
            continue;
        }
        uint8_t slot = known->trades[seat];
        known->given[seat] =
            member->type == FIELD_TEXT ? card_parse(&hounds_deck, member->text) : CARD_NONE;
        if (slot >= HOUNDS_SLOTS || known->given[seat] >= HOUNDS_CERBERUS_CARD ||
            (hounds_possible_dealt_cards(view, known, seat, slot) >> known->given[seat] & 1) == 0) {
            return false;
        }
    }
    return true;
}

bool hounds_read_view(const struct game_view *view, struct hounds_known *known)
{
    memset(known, 0, sizeof(*known));
    if (view->seats < 2 || view->seats > SEATS_MAX ||
        (view->phase > HOUNDS_PLAY && view->phase != PHASE_OVER)) {
        return false;
    }
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        if (view->slot_count[seat] != HOUNDS_SLOTS) {
            return false;
        }
    }
    return read_leader_and_badness(view, known) && read_clues(view, known) &&
           read_discard(view, known) && read_trades(view, known) && read_given_cards(view, known);
}

uint64_t hounds_possible_dealt_cards(const struct game_view *view, const struct hounds_known *known,
                                     uint8_t seat, uint8_t slot)
{
    uint64_t cards = cards_of_strongest_suits(view->seats, HOUNDS_DEALT_SUITS);
    for (uint8_t i = 0; i < known->clue_count; i++) {
        const struct hounds_clue *clue = &known->clues[i];
        bool is_slot = clue->clue_subject >= HOUNDS_SUBJECT_SLOT;
        if (clue->to != seat || (is_slot && clue->card == CARD_NONE)) {
            continue; /* a clue about a single slot marks the slot with its card's suit and value,
                         so the marks tell the card */
        }
        uint64_t named = is_slot ? BIT(clue->card)
                         : clue->clue_subject < HOUNDS_SUBJECT_VALUE
                             ? SUIT_CARDS(clue->clue_subject)
                             : VALUE_CARDS(clue->clue_subject - HOUNDS_SUBJECT_VALUE + 1);
        cards &= (clue->slots >> slot & 1) != 0 ? named : ~named;
    }
    return cards;
}

/* Removes a card whose place is known from places->pool, the cards whose place is unknown. */
static bool remove_card_from_pool(struct hounds_places *places, uint8_t card)
{
    bool is_there = card < HOUNDS_CARDS && (places->pool >> card & 1) != 0;
    places->pool &= is_there ? ~BIT(card) : ~UINT64_C(0);
    return is_there;
}

static bool remove_trick_cards_from_pool(struct hounds_places *places,
                                         const struct view_trick *trick)
{
    for (uint8_t i = 0; i < trick->count; i++) {
        if (!remove_card_from_pool(places, trick->plays[i].card)) {
            return false;
        }
    }
    return true;
}

/* Removes the visible cards of a hand from places->pool, the cards whose place is unknown. */
static bool remove_visible_cards_from_pool(struct hounds_places *places,
                                           const struct view_slot *hand)
{
    for (uint8_t i = 0; i < HOUNDS_SLOTS; i++) {
        if (hand[i].card != CARD_NONE && !remove_card_from_pool(places, hand[i].card)) {
            return false;
        }
    }
    return true;
}

/* Removes from places->pool, the cards whose place is unknown: the cards on the table, visible
 * cards, and the discarded card if the viewer knows it. */
static bool remove_known_cards_from_pool(const struct game_view *view,
                                         const struct hounds_known *known,
                                         struct hounds_places *places)
{
    for (uint8_t i = 0; i < view->past_count; i++) {
        if (!remove_trick_cards_from_pool(places, &view->past[i])) {
            return false;
        }
    }
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        if (!remove_visible_cards_from_pool(places, view->hands[seat])) {
            return false;
        }
    }
    return remove_trick_cards_from_pool(places, &view->trick) &&
           (known->discarded == CARD_NONE || remove_card_from_pool(places, known->discarded));
}

/* The cards that may lie in a slot, whether the viewer sees it or not. */
static uint64_t cards_allowed_in_slot(const struct game_view *view,
                                      const struct hounds_known *known, uint8_t seat, uint8_t slot)
{
    const struct view_slot *marks = &view->hands[seat][slot];
    if (seat == known->cerberus_seat && slot == known->cerberus_slot) {
        return BIT(HOUNDS_CERBERUS_CARD);
    }
    uint64_t cards = known->trades[seat] == slot
                         ? cards_of_strongest_suits(view->seats, HOUNDS_SUITS)
                         : hounds_possible_dealt_cards(view, known, seat, slot);
    if (marks->suit != SUIT_NONE) {
        cards &= marks->suit < HOUNDS_SUITS ? SUIT_CARDS(marks->suit) : 0;
    }
    if (marks->value != 0) {
        cards &= marks->value <= HOUNDS_VALUES ? VALUE_CARDS(marks->value) : 0;
    }
    return cards;
}

/* The cards known to have been given in trades that a place cannot hold: all of them, except in a
 * slot whose own trade came later, which may have taken one of them. */
static uint64_t cards_given_elsewhere(const struct game_view *view,
                                      const struct hounds_known *known, uint8_t seat, uint8_t slot)
{
    bool is_traded = known->trades[seat] == slot;
    unsigned turn = is_traded ? ((unsigned)seat + view->seats - known->leader) % view->seats : 0;
    uint64_t cards = 0;
    for (unsigned i = turn; i < view->seats; i++) {
        uint8_t card = known->given[(known->leader + i) % view->seats];
        cards |= card == CARD_NONE ? 0 : BIT(card);
    }
    return cards;
}

/* Finds all cards known to have been given in trades. False when a card was given twice, or was
 * played from a slot that cannot have taken it. */
static bool find_given_cards(const struct game_view *view, const struct hounds_known *known,
                             struct hounds_places *places)
{
    struct view_play play;
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        uint64_t card = known->given[seat] == CARD_NONE ? 0 : BIT(known->given[seat]);
        if ((places->given & card) != 0 || (card != 0 && known->given[seat] == known->discarded)) {
            return false;
        }
        places->given |= card;
    }
    for (uint8_t i = 0; places->given != 0 && sample_read_play(view, i, &play); i++) {
        if ((cards_given_elsewhere(view, known, play.seat, play.slot) >> play.card & 1) != 0) {
            return false;
        }
    }
    return true;
}

static bool find_possible_cards_of_hand(const struct game_view *view,
                                        const struct hounds_known *known, uint8_t seat,
                                        struct hounds_places *places)
{
    for (uint8_t i = 0; i < HOUNDS_SLOTS; i++) {
        const struct view_slot *slot = &view->hands[seat][i];
        uint64_t seen = slot->card == CARD_NONE ? places->pool : BIT(slot->card);
        if (slot->is_empty) {
            continue;
        }
        places->slots[seat][i] = seen & cards_allowed_in_slot(view, known, seat, i) &
                                 ~cards_given_elsewhere(view, known, seat, i);
        if (places->slots[seat][i] == 0 || slot->is_traded != (known->trades[seat] == i)) {
            return false;
        }
    }
    return true;
}

bool hounds_find_possible_cards(const struct game_view *view, const struct hounds_known *known,
                                struct hounds_places *places)
{
    bool has_cerberus = known->cerberus_seat != HOUNDS_SEAT_NONE;
    memset(places, 0, sizeof(*places));
    places->pool = cards_of_strongest_suits(view->seats, HOUNDS_SUITS);
    places->pool |= has_cerberus ? BIT(HOUNDS_CERBERUS_CARD) : 0;
    if (!remove_known_cards_from_pool(view, known, places) ||
        !find_given_cards(view, known, places)) {
        return false;
    }
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        if (!find_possible_cards_of_hand(view, known, seat, places)) {
            return false;
        }
    }
    if (known->discarded != CARD_NONE) {
        places->discarded = BIT(known->discarded);
    } else if (has_cerberus) {
        places->discarded =
            places->pool & ~places->given &
            hounds_possible_dealt_cards(view, known, known->cerberus_seat, known->cerberus_slot);
    }
    /* Everybody sees where Cerberus is or was. */
    return (places->pool & BIT(HOUNDS_CERBERUS_CARD)) == 0 &&
           (places->discarded != 0) == has_cerberus;
}
