#include "lobby/protocol/protocol.h"

#include "games/game.h"

#include <string.h>

static bool view_read_game_and_phase(const json_t *object, struct game_view *view)
{
    const char *id = json_read_text(object, "game", 32);
    const char *phase = json_read_text(object, "phase", 32);
    int64_t step = 0;
    int64_t round = 0;
    int64_t rounds = 0;
    int64_t format = 0;
    if (id == NULL || phase == NULL || (view->game = game_find(id)) == NULL ||
        !json_read_number(object, "step", 0, UINT16_MAX, &step) ||
        !json_read_number(object, "format", GAME_FORMAT, GAME_FORMAT, &format) ||
        !json_read_number(object, "round", 0, UINT8_MAX, &round) ||
        !json_read_optional_number(object, "rounds", 1, UINT8_MAX, &rounds)) {
        return false;
    }
    view->step = (uint16_t)step;
    view->round = (uint8_t)round;
    view->rounds = (uint8_t)rounds;
    if (strcmp(phase, "over") == 0) {
        view->phase = PHASE_OVER;
        return true;
    }
    while (view->phase < view->game->phase_count &&
           strcmp(view->game->phases[view->phase].name, phase) != 0) {
        view->phase++;
    }
    return view->phase < view->game->phase_count;
}

static bool view_read_seat(const struct game_view *view, const json_t *value, uint8_t *seat)
{
    int64_t number = 0;
    bool is_seat = json_to_number(value, 0, view->seats - 1, &number);
    *seat = (uint8_t)number;
    return is_seat;
}

static bool view_read_card(const struct game_view *view, const json_t *value, uint8_t *card)
{
    *card =
        json_is_string(value) ? card_parse(view->game->deck, json_string_value(value)) : CARD_NONE;
    return *card != CARD_NONE;
}

static bool view_read_slot(const struct game_view *view, const json_t *value,
                           struct view_slot *slot)
{
    if (json_is_null(value)) {
        slot->is_empty = true;
        return true;
    }
    if (!json_is_object(value)) {
        return false;
    }
    const json_t *card = json_object_get(value, "card");
    if (card != NULL && !view_read_card(view, card, &slot->card)) {
        return false;
    }
    const char *suit = json_read_text(value, "suit", 32);
    const struct deck_def *deck = view->game->deck;
    for (uint8_t i = 0; suit != NULL && i < deck->suit_count; i++) {
        if (strcmp(deck->suits[i].id, suit) == 0) {
            slot->suit = i;
        }
    }
    int64_t number = 0;
    if (json_read_number(value, "value", 1, UINT8_MAX, &number)) {
        slot->value = (uint8_t)number;
    }
    slot->is_traded = json_read_bool(value, "traded", false);
    return true;
}

static bool view_read_hand(const json_t *hand, uint8_t seat, struct game_view *view)
{
    if (!json_is_array(hand) || json_array_size(hand) > SLOTS_MAX) {
        return false;
    }
    view->slot_count[seat] = (uint8_t)json_array_size(hand);
    for (uint8_t i = 0; i < view->slot_count[seat]; i++) {
        if (!view_read_slot(view, json_array_get(hand, i), &view->hands[seat][i])) {
            return false;
        }
    }
    return true;
}

/* Reads the hands. They are read first, because the number of hands is the number of seats. */
static bool view_read_hands(const json_t *hands, struct game_view *view)
{
    if (json_array_size(hands) < 1 || json_array_size(hands) > SEATS_MAX) {
        return false;
    }
    view->seats = (uint8_t)json_array_size(hands);
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        if (!view_read_hand(json_array_get(hands, seat), seat, view)) {
            return false;
        }
    }
    return true;
}

static bool view_read_viewer(const json_t *object, struct game_view *view)
{
    uint8_t seat = 0;
    if (!json_read_key_is_absent(object, "seat")) {
        if (!view_read_seat(view, json_object_get(object, "seat"), &seat)) {
            return false;
        }
        view->seat = (int8_t)seat;
    }
    const json_t *to_act = json_object_get(object, "to_act");
    for (size_t i = 0; i < json_array_size(to_act); i++) {
        if (!view_read_seat(view, json_array_get(to_act, i), &seat)) {
            return false;
        }
        view->to_act = (uint8_t)(view->to_act | 1U << seat);
    }
    return json_is_array(to_act);
}

/* Reads the slot from which a card was played: present exactly if the view tells slots. */
static bool view_read_played_slot(const struct game_view *view, const json_t *value, uint8_t *slot)
{
    int64_t number = SLOT_NONE;
    bool is_good =
        view_tells_slots(view) ? json_to_number(value, 0, SLOTS_MAX - 1, &number) : value == NULL;
    *slot = (uint8_t)number;
    return is_good;
}

static bool view_read_plays(const struct game_view *view, const json_t *plays,
                            struct view_trick *trick)
{
    if (!json_is_array(plays) || json_array_size(plays) > SEATS_MAX) {
        return false;
    }
    trick->count = (uint8_t)json_array_size(plays);
    for (uint8_t i = 0; i < trick->count; i++) {
        const json_t *play = json_array_get(plays, i);
        if (!view_read_seat(view, json_object_get(play, "seat"), &trick->plays[i].seat) ||
            !view_read_card(view, json_object_get(play, "card"), &trick->plays[i].card) ||
            !view_read_played_slot(view, json_object_get(play, "slot"), &trick->plays[i].slot)) {
            return false;
        }
    }
    return true;
}

static bool view_read_trick(const struct game_view *view, const json_t *value,
                            struct view_trick *trick)
{
    return view_read_seat(view, json_object_get(value, "winner"), &trick->winner) &&
           view_read_plays(view, json_object_get(value, "cards"), trick);
}

static bool view_read_tricks(const json_t *object, struct game_view *view)
{
    if (!view_read_plays(view, json_object_get(object, "trick"), &view->trick)) {
        return false;
    }
    const json_t *past = json_object_get(object, "past");
    if (!json_is_array(past) || json_array_size(past) > TRICKS_MAX) {
        return false;
    }
    view->past_count = (uint8_t)json_array_size(past);
    for (uint8_t i = 0; i < view->past_count; i++) {
        if (!view_read_trick(view, json_array_get(past, i), &view->past[i])) {
            return false;
        }
    }
    view->has_last_trick = !json_read_key_is_absent(object, "last_trick");
    return !view->has_last_trick ||
           view_read_trick(view, json_object_get(object, "last_trick"), &view->last_trick);
}

static bool view_read_bids_tricks_and_scores(const json_t *object, struct game_view *view)
{
    const json_t *bids = json_object_get(object, "bids");
    const json_t *tricks = json_object_get(object, "tricks");
    const json_t *scores = json_object_get(object, "scores");
    view->has_bids = json_array_size(bids) > 0;
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        int64_t number = BID_NONE;
        if (view->has_bids && !json_is_null(json_array_get(bids, seat)) &&
            !json_to_number(json_array_get(bids, seat), 0, INT8_MAX, &number)) {
            return false;
        }
        view->bids[seat] = (int8_t)number;
        if (!json_to_number(json_array_get(tricks, seat), 0, UINT8_MAX, &number)) {
            return false;
        }
        view->tricks[seat] = (uint8_t)number;
        if (!json_to_number(json_array_get(scores, seat), INT16_MIN, INT16_MAX, &number)) {
            return false;
        }
        view->scores[seat] = (int16_t)number;
    }
    return true;
}

static bool view_read_legal_moves(const json_t *legal, struct game_view *view)
{
    for (size_t i = 0; i < json_array_size(legal); i++) {
        const json_t *value = json_array_get(legal, i);
        uint8_t move = json_is_string(value) ? game_move_parse(view->game, json_string_value(value))
                                             : MOVE_NONE;
        if (move == MOVE_NONE) {
            return false;
        }
        move_set_add(&view->legal, move);
    }
    return json_is_array(legal);
}

#define FACT_TEXT_MAX 80

/* Reads what view_write_fact has written: tries each value. */
static bool view_read_fact(const struct game_view *view, const struct info_def *def,
                           const json_t *found, uint8_t *value)
{
    char text[FACT_TEXT_MAX];
    size_t len = json_dumpb(found, text, sizeof(text), JSON_COMPACT | JSON_ENCODE_ANY);
    uint8_t end = def->form == INFO_SEAT   ? view->seats
                  : def->form == INFO_CARD ? card_count(view->game->deck)
                  : def->form == INFO_SUIT ? view->game->deck->suit_count
                                           : def->end;
    for (*value = 0; *value < end; (*value)++) {
        struct text tried = TEXT_OF(FACT_TEXT_MAX);
        view_write_fact(view, def, NULL, *value, &tried);
        if (tried.len == len && memcmp(tried.at, text, len) == 0) {
            return true;
        }
    }
    return false;
}

/* Reads a fact or object to `at`, where INFO_NONE stands. */
static bool view_read_fact_or_object(const struct game_view *view, const struct info_def *def,
                                     const json_t *found, uint8_t *at)
{
    if (json_is_null(found) && (def->absence == INFO_NULL || def->absence == INFO_PRIVATE)) {
        return true;
    }
    if (def->form != INFO_OBJECT) {
        return view_read_fact(view, def, found, at);
    }
    for (const struct info_def *member = def->members; member->key != NULL; member++) {
        const json_t *value = json_object_get(found, member->key);
        if (value == NULL ? member->absence != INFO_LEFT_OUT
                          : !view_read_fact(view, member, value, &at[member->at])) {
            return false;
        }
    }
    return json_is_object(found);
}

static bool view_read_list_of_facts(struct game_view *view, const struct info_def *def,
                                    const json_t *list)
{
    size_t count = json_array_size(list);
    uint8_t most = def->repeat == INFO_BY_SEAT ? view->seats : def->most;
    for (unsigned i = 0; i < count && count <= most; i++) {
        if (!view_read_fact_or_object(view, def, json_array_get(list, i),
                                      &view->info[view_find_fact(def, i)])) {
            return false;
        }
    }
    return json_is_array(list) && (def->repeat == INFO_LIST ? count <= most : count == most);
}

/* Reads the view's `info`, after all other members. */
static bool view_read_info(const json_t *info, struct game_view *view)
{
    const struct info_def *def = view->game->info;
    for (; def != NULL && def->key != NULL; def++) {
        const json_t *found = json_object_get(info, def->key);
        if (def->form == INFO_OWN && def->end == 0) {
            continue;
        }
        bool is_good = found == NULL ? view_leaves_out(view, def, INFO_NONE)
                       : def->repeat == INFO_ONCE || json_is_null(found)
                           ? view_read_fact_or_object(view, def, found, &view->info[def->at])
                           : view_read_list_of_facts(view, def, found);
        if (!is_good) {
            return false;
        }
    }
    return json_is_object(info);
}

bool view_read(const json_t *object, struct game_view *view)
{
    view_clear(view);
    return view_read_game_and_phase(object, view) &&
           view_read_hands(json_object_get(object, "hands"), view) &&
           view_read_viewer(object, view) && view_read_tricks(object, view) &&
           view_read_bids_tricks_and_scores(object, view) &&
           view_read_legal_moves(json_object_get(object, "legal"), view) &&
           view_read_info(json_object_get(object, "info"), view);
}
