#include "games/game.h"

#include <string.h>

void view_clear(struct game_view *view)
{
    memset(view, 0, sizeof(*view));
    view->seat = SPECTATOR;
    for (uint8_t seat = 0; seat < SEATS_MAX; seat++) {
        view->bids[seat] = BID_NONE;
        for (uint8_t i = 0; i < SLOTS_MAX; i++) {
            view->hands[seat][i].card = CARD_NONE;
            view->hands[seat][i].suit = SUIT_NONE;
        }
    }
    memset(view->info, INFO_NONE, sizeof(view->info));
}

static void hide_copy_numbers_in_trick(const struct deck_def *deck, struct view_trick *trick)
{
    for (uint8_t i = 0; i < trick->count; i++) {
        trick->plays[i].card = card_number_without_copy(deck, trick->plays[i].card);
    }
}

void view_hide_copy_numbers(struct game_view *view)
{
    const struct deck_def *deck = view->game->deck;
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        for (uint8_t i = 0; i < view->slot_count[seat]; i++) {
            view->hands[seat][i].card = card_number_without_copy(deck, view->hands[seat][i].card);
        }
    }
    for (uint8_t i = 0; i < view->past_count; i++) {
        hide_copy_numbers_in_trick(deck, &view->past[i]);
    }
    hide_copy_numbers_in_trick(deck, &view->trick);
    hide_copy_numbers_in_trick(deck, &view->last_trick);
}

bool view_viewer_may_move(const struct game_view *view)
{
    return view->seat >= 0 && (view->to_act >> view->seat & 1) != 0;
}

bool view_tells_slots(const struct game_view *view)
{
    return view->game->tells_slots;
}

static void write_key(struct text *out, const char *key)
{
    text_put_char(out, ',');
    text_put_json(out, key);
    text_put_char(out, ':');
}

/* Writes a comma unless `index`, the member's position in its object, is 0. */
static void write_comma_unless_first(struct text *out, unsigned index)
{
    if (index > 0) {
        text_put_char(out, ',');
    }
}

static void write_card(const struct game_view *view, uint8_t card, struct text *out)
{
    text_put_char(out, '"');
    card_write_name(view->game->deck, card, out);
    text_put_char(out, '"');
}

static void write_first_view_members(const struct game_view *view, struct text *out)
{
    text_put(out, "{\"game\":");
    text_put_json(out, view->game->id);
    write_key(out, "format");
    text_put_number(out, GAME_FORMAT);
    write_key(out, "seat");
    if (view->seat == SPECTATOR) {
        text_put(out, "null");
    } else {
        text_put_number(out, view->seat);
    }
    write_key(out, "step");
    text_put_number(out, view->step);
    write_key(out, "phase");
    text_put_json(out, view->phase == PHASE_OVER ? "over" : view->game->phases[view->phase].name);
    write_key(out, "to_act");
    text_put_char(out, '[');
    bool is_first = true;
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        if ((view->to_act >> seat & 1) != 0) {
            write_comma_unless_first(out, !is_first);
            text_put_number(out, seat);
            is_first = false;
        }
    }
    text_put_char(out, ']');
    write_key(out, "round");
    text_put_number(out, view->round);
    write_key(out, "rounds");
    if (view->rounds == 0) {
        text_put(out, "null");
    } else {
        text_put_number(out, view->rounds);
    }
}

static void write_slot(const struct game_view *view, const struct view_slot *slot, struct text *out)
{
    if (slot->is_empty) {
        text_put(out, "null");
        return;
    }
    unsigned members = 0;
    text_put_char(out, '{');
    if (slot->card != CARD_NONE) {
        text_put(out, "\"card\":");
        write_card(view, slot->card, out);
        members++;
    }
    if (slot->suit != SUIT_NONE) {
        write_comma_unless_first(out, members++);
        text_put(out, "\"suit\":");
        text_put_json(out, view->game->deck->suits[slot->suit].id);
    }
    if (slot->value != 0) {
        write_comma_unless_first(out, members++);
        text_put(out, "\"value\":");
        text_put_number(out, slot->value);
    }
    if (slot->is_traded) {
        write_comma_unless_first(out, members++);
        text_put(out, "\"traded\":true");
    }
    text_put_char(out, '}');
}

static void write_hands(const struct game_view *view, struct text *out)
{
    text_put_char(out, '[');
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        write_comma_unless_first(out, seat);
        text_put_char(out, '[');
        for (uint8_t i = 0; i < view->slot_count[seat]; i++) {
            write_comma_unless_first(out, i);
            write_slot(view, &view->hands[seat][i], out);
        }
        text_put_char(out, ']');
    }
    text_put_char(out, ']');
}

static void write_plays(const struct game_view *view, const struct view_trick *trick,
                        struct text *out)
{
    text_put_char(out, '[');
    for (uint8_t i = 0; i < trick->count; i++) {
        write_comma_unless_first(out, i);
        text_put(out, "{\"seat\":");
        text_put_number(out, trick->plays[i].seat);
        write_key(out, "card");
        write_card(view, trick->plays[i].card, out);
        if (view_tells_slots(view)) {
            write_key(out, "slot");
            text_put_number(out, trick->plays[i].slot);
        }
        text_put_char(out, '}');
    }
    text_put_char(out, ']');
}

static void write_trick(const struct game_view *view, const struct view_trick *trick,
                        struct text *out)
{
    text_put(out, "{\"winner\":");
    text_put_number(out, trick->winner);
    write_key(out, "cards");
    write_plays(view, trick, out);
    text_put_char(out, '}');
}

static void write_all_tricks(const struct game_view *view, struct text *out)
{
    write_key(out, "trick");
    write_plays(view, &view->trick, out);
    write_key(out, "past");
    text_put_char(out, '[');
    for (uint8_t i = 0; i < view->past_count; i++) {
        write_comma_unless_first(out, i);
        write_trick(view, &view->past[i], out);
    }
    text_put_char(out, ']');
    write_key(out, "last_trick");
    if (view->has_last_trick) {
        write_trick(view, &view->last_trick, out);
    } else {
        text_put(out, "null");
    }
}

static void write_bids_tricks_and_scores(const struct game_view *view, struct text *out)
{
    write_key(out, "bids");
    text_put_char(out, '[');
    for (uint8_t seat = 0; view->has_bids && seat < view->seats; seat++) {
        write_comma_unless_first(out, seat);
        if (view->bids[seat] == BID_NONE) {
            text_put(out, "null");
        } else {
            text_put_number(out, view->bids[seat]);
        }
    }
    text_put_char(out, ']');
    write_key(out, "tricks");
    text_put_char(out, '[');
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        write_comma_unless_first(out, seat);
        text_put_number(out, view->tricks[seat]);
    }
    text_put_char(out, ']');
    write_key(out, "scores");
    text_put_char(out, '[');
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        write_comma_unless_first(out, seat);
        text_put_number(out, view->scores[seat]);
    }
    text_put_char(out, ']');
}

static void write_legal_moves(const struct game_view *view, struct text *out)
{
    unsigned written = 0;
    text_put_char(out, '[');
    for (uint8_t move = move_set_next(&view->legal, 0); move != MOVE_NONE;
         move = move_set_next(&view->legal, move + 1U)) {
        write_comma_unless_first(out, written++);
        text_put_char(out, '"');
        game_move_write(view->game, move, out);
        text_put_char(out, '"');
    }
    text_put_char(out, ']');
}

void view_write(const struct game_view *view, struct text *out)
{
    write_first_view_members(view, out);
    write_key(out, "hands");
    write_hands(view, out);
    write_all_tricks(view, out);
    write_bids_tricks_and_scores(view, out);
    write_key(out, "legal");
    write_legal_moves(view, out);
    struct fields info FILLED_LATER;
    fields_clear(&info);
    view_write_info(view, false, &info);
    write_key(out, "info");
    fields_write(&info, out);
    text_put_char(out, '}');
}

static bool is_left_out(const struct game_view *view, const struct info_def *def, uint8_t value)
{
    bool is_player = view->seat >= 0 && view->seat < view->seats;
    return def->absence == INFO_PRIVATE ? !is_player
                                        : def->absence == INFO_LEFT_OUT && value == INFO_NONE;
}

static void write_fact(const struct game_view *view, const struct info_def *def, const char *key,
                       uint8_t value, struct fields *out)
{
    if (value == INFO_NONE) {
        fields_add_null(out, key);
        return;
    }
    switch ((enum info_form)def->form) {
    case INFO_NUMBER:
    case INFO_SEAT:
        fields_add_number(out, key, value);
        break;
    case INFO_CARD:
        event_add_card(out, key, view->game->deck, value);
        break;
    case INFO_SUIT:
        fields_add_text(out, key, view->game->deck->suits[value].id);
        break;
    case INFO_BITS:
        fields_add_bits(out, key, value);
        break;
    case INFO_OWN:
        def->write(view, key, value, out);
        break;
    case INFO_OBJECT:
        break;
    }
}

static void write_fact_or_object(const struct game_view *view, const struct info_def *def,
                                 const char *key, const uint8_t *at, struct fields *out)
{
    if (def->form != INFO_OBJECT || at[0] == INFO_NONE) {
        write_fact(view, def, key, at[0], out);
        return;
    }
    uint16_t object = fields_open_object(out, key);
    for (const struct info_def *member = def->members; member->key != NULL; member++) {
        if (!is_left_out(view, member, at[member->at])) {
            write_fact(view, member, member->key, at[member->at], out);
        }
    }
    fields_close(out, object);
}

/* The place of a fact, or of a member of its list. */
static unsigned find_fact(const struct info_def *def, unsigned index)
{
    return def->at + index * (def->form == INFO_OBJECT ? def->size : 1U);
}

void view_write_info(const struct game_view *view, bool is_result, struct fields *out)
{
    const struct info_def *def = view->game->info;
    for (; def != NULL && def->key != NULL; def++) {
        uint8_t first = view->info[def->at];
        uint8_t count = def->repeat == INFO_BY_SEAT ? view->seats : 0;
        while (count < def->most && view->info[find_fact(def, count)] != INFO_NONE) {
            count++;
        }
        if (is_left_out(view, def, first) || (is_result && !def->is_running)) {
            continue;
        }
        if (def->repeat == INFO_ONCE || (count == 0 && def->absence == INFO_NULL)) {
            write_fact_or_object(view, def, def->key, &view->info[def->at], out);
            continue;
        }
        uint16_t list = fields_open_list(out, def->key);
        for (uint8_t i = 0; i < count; i++) {
            write_fact_or_object(view, def, NULL, &view->info[find_fact(def, i)], out);
        }
        fields_close(out, list);
    }
}

/* Whether two fields have equal values, whatever their keys. */
static bool are_equal(const struct field *a, const struct field *b)
{
    unsigned count = a->span + 1U;
    for (unsigned i = 0; i < count; i++) {
        if (a[i].span != b[i].span || a[i].type != b[i].type || a[i].number != b[i].number ||
            memcmp(a[i].text, b[i].text, strlen(a[i].text) + 1) != 0) {
            return false;
        }
    }
    return true;
}

/* Reads what write_fact has written: tries each value. */
static bool read_fact(const struct game_view *view, const struct info_def *def,
                      const struct field *field, uint8_t *value)
{
    struct fields tried FILLED_LATER;
    uint8_t end = def->form == INFO_SEAT   ? view->seats
                  : def->form == INFO_CARD ? card_count(view->game->deck)
                  : def->form == INFO_SUIT ? view->game->deck->suit_count
                                           : def->end;
    for (*value = 0; *value < end; (*value)++) {
        fields_clear(&tried);
        write_fact(view, def, NULL, *value, &tried);
        if (are_equal(tried.at, field)) {
            return true;
        }
    }
    return false;
}

/* Reads a fact or object to `at`, where INFO_NONE stands. */
static bool read_fact_or_object(const struct game_view *view, const struct info_def *def,
                                const struct field *field, uint8_t *at)
{
    if (field->type == FIELD_NULL && (def->absence == INFO_NULL || def->absence == INFO_PRIVATE)) {
        return true;
    }
    if (def->form != INFO_OBJECT) {
        return read_fact(view, def, field, at);
    }
    const struct info_def *member = def->members;
    for (; field->type == FIELD_OBJECT && member->key != NULL; member++) {
        const struct field *found = field_find_member(field, member->key);
        if (found == NULL ? member->absence != INFO_LEFT_OUT
                          : !read_fact(view, member, found, &at[member->at])) {
            return false;
        }
    }
    return field->type == FIELD_OBJECT;
}

static bool read_list(struct game_view *view, const struct info_def *def, const struct field *list)
{
    uint8_t most = def->repeat == INFO_BY_SEAT ? view->seats : def->most;
    uint8_t count = 0;
    for (const struct field *member = field_first_member(list); member != NULL;
         member = field_next_member(list, member)) {
        if (count == most ||
            !read_fact_or_object(view, def, member, &view->info[find_fact(def, count++)])) {
            return false;
        }
    }
    return list->type == FIELD_LIST && (def->repeat == INFO_LIST || count == most);
}

bool view_read_info(struct game_view *view, const struct fields *info)
{
    const struct info_def *def = view->game->info;
    for (; def != NULL && def->key != NULL; def++) {
        const struct field *field = fields_find(info, def->key);
        if (def->form == INFO_OWN && def->end == 0) {
            continue;
        }
        bool is_good = field == NULL ? is_left_out(view, def, INFO_NONE)
                       : def->repeat == INFO_ONCE || field->type == FIELD_NULL
                           ? read_fact_or_object(view, def, field, &view->info[def->at])
                           : read_list(view, def, field);
        if (!is_good) {
            return false;
        }
    }
    return true;
}
