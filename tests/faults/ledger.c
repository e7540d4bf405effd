#include "tests/faults/ledger.h"

#include "games/game.h"
#include "lobby/house/parts.h"
#include "lobby/protocol/protocol.h"

#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t ledger_hash(const void *bytes, size_t len)
{
    uint8_t digest[crypto_generichash_BYTES_MIN];
    uint64_t hash = 0;
    (void)crypto_generichash(digest, sizeof(digest), bytes, len, NULL, 0);
    memcpy(&hash, digest, sizeof(hash));
    return hash | 1; /* never 0, because 0 means that there is no hash */
}

const char *ledger_read_text(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text == NULL ? "" : text;
}

int64_t ledger_read_number(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_integer(value) ? json_integer_value(value) : -1;
}

void ledger_clear(struct ledger *ledger)
{
    for (size_t i = 0; i < ledger->game_cap; i++) {
        json_decref(ledger->games[i].result);
    }
    free(ledger->lines);
    free(ledger->games);
    free(ledger->moves);
    free(ledger->asks);
    free(ledger->accounts);
    free(ledger->tables);
    free(ledger->orders);
    *ledger = (struct ledger){0};
}

/* Grows the array until it includes the index, and zeroes the new entries. */
static void *ledger_grow_array(void *items, size_t index, size_t *cap, size_t size)
{
    if (index < *cap) {
        return items;
    }
    const size_t larger = 2 * index + 64;
    char *grown = memory_check_allocated(reallocarray(items, larger, size));
    memset(grown + *cap * size, 0, (larger - *cap) * size);
    *cap = larger;
    return grown;
}

static void ledger_note_contradiction(struct ledger *ledger, const char *description, int64_t id)
{
    if (ledger->contradictions++ == 0) {
        (void)snprintf(ledger->contradiction, sizeof(ledger->contradiction), "%s %" PRId64,
                       description, id);
    }
}

uint64_t ledger_hash_line(const struct ledger_line *line)
{
    char buffer[2048];
    const int len = snprintf(buffer, sizeof(buffer), "%s\n%s\n%s\n%" PRId64, line->channel,
                             line->kind, line->text, line->at_ms);
    return ledger_hash(buffer, (size_t)len);
}

static bool ledger_name_may_have_changed(const struct ledger *ledger, const char *name)
{
    return ledger_has_order(ledger, "rename", name) || ledger_has_order(ledger, "delete", name);
}

/* Whether both names may belong to the same player, whom staff may have renamed. A slow reader may
 * learn an older name after a newer one. */
static bool ledger_is_same_player(const struct ledger *ledger, const char *old_name,
                                  const char *name)
{
    return old_name[0] == '\0' || strcmp(old_name, name) == 0 ||
           ledger_name_may_have_changed(ledger, old_name) ||
           ledger_name_may_have_changed(ledger, name);
}

static void ledger_record_chat_line(struct ledger *ledger, struct ledger_told_line *recorded,
                                    const struct ledger_told_line *told)
{
    if (recorded->words != 0 && (recorded->words != told->words ||
                                 !ledger_is_same_player(ledger, recorded->from, told->from) ||
                                 !ledger_is_same_player(ledger, recorded->to, told->to))) {
        ledger_note_contradiction(ledger, "shown in two different ways: line",
                                  recorded - ledger->lines);
    }
    *recorded = *told;
    ledger->told_lines++;
}

void ledger_record_chat(struct ledger *ledger, const json_t *message)
{
    const struct ledger_line line = {
        .channel = ledger_read_text(message, "channel"),
        .kind = ledger_read_text(message, "kind"),
        .text = ledger_read_text(message, "text"),
        .at_ms = ledger_read_number(message, "at"),
    };
    struct ledger_told_line told = {.words = ledger_hash_line(&line)};
    (void)snprintf(told.from, sizeof(told.from), "%s", ledger_read_text(message, "from"));
    (void)snprintf(told.to, sizeof(told.to), "%s", ledger_read_text(message, "to"));
    const int64_t number = ledger_read_number(message, "n");
    if (number < 1) {
        ledger_note_contradiction(ledger, "a chat line has the number", number);
        return;
    }
    ledger->lines =
        ledger_grow_array(ledger->lines, (size_t)number, &ledger->line_cap, sizeof(*ledger->lines));
    ledger_record_chat_line(ledger, &ledger->lines[number], &told);
}

static struct ledger_game *ledger_find_game(struct ledger *ledger, int64_t id)
{
    ledger->games =
        ledger_grow_array(ledger->games, (size_t)id, &ledger->game_cap, sizeof(*ledger->games));
    ledger->games[id].id = id;
    return &ledger->games[id];
}

void ledger_record_view(struct ledger *ledger, int64_t id, const json_t *message)
{
    struct game_view view;
    char buffer[VIEW_TEXT_MAX];
    struct text text = text_init(buffer, sizeof(buffer));
    if (id < 1 || !view_read(json_object_get(message, "view"), &view)) {
        ledger_note_contradiction(ledger, "a view without a game at table",
                                  ledger_read_number(message, "table"));
        return;
    }
    view_write(&view, &text);
    struct ledger_game *game = ledger_find_game(ledger, id);
    game->table = ledger_read_number(message, "table");
    const uint64_t hash = ledger_hash(buffer, text.len);
    struct ledger_view *recorded = &game->views[view.seat < 0 ? LEDGER_VIEWERS - 1 : view.seat];
    if (recorded->is_there && view.step == recorded->step && hash != recorded->hash) {
        ledger_note_contradiction(ledger, "shown in two different ways: a step of game", id);
    }
    if (recorded->is_there && view.seat >= 0 && view.step < recorded->step) {
        ledger_note_contradiction(ledger, "a player's view has gone back in game", id);
    }
    if (!recorded->is_there || view.step >= recorded->step) {
        *recorded = (struct ledger_view){true, view.step, hash};
    }
    ledger->told_views++;
    for (uint8_t i = 0; i < game_count(); i++) {
        ledger->games_seen |= (uint32_t)(game_at(i) == view.game) << i;
    }
}

/* Whether a game's result, shown again, is the same as before. Staff may change the names and the
 * effect on ratings; nothing else may change. */
static bool ledger_is_same_result(const struct ledger *ledger, const json_t *before,
                                  const json_t *message)
{
    static const char *const stays[] = {"table", "game_id", "scores", "ranks", "winners", "seed"};
    bool is_same = true;
    for (size_t i = 0; i < sizeof(stays) / sizeof(stays[0]); i++) {
        is_same = is_same &&
                  json_equal(json_object_get(before, stays[i]), json_object_get(message, stays[i]));
    }
    return json_equal(before, message) || (is_same && ledger->order_count > 0);
}

void ledger_record_result(struct ledger *ledger, const json_t *message)
{
    struct ledger_game *game = ledger_find_game(ledger, ledger_read_number(message, "game_id"));
    if (game->result != NULL && !ledger_is_same_result(ledger, game->result, message)) {
        ledger_note_contradiction(ledger, "shown in two different ways: the result of game",
                                  game->id);
    }
    json_decref(game->result);
    game->result = json_deep_copy(message);
    game->result_ms = ledger->now_ms;
    ledger->told_results++;
}

void ledger_record_account(struct ledger *ledger, const char *name)
{
    ledger->accounts = memory_grow(ledger->accounts, ledger->account_count, &ledger->account_cap,
                                   sizeof(*ledger->accounts));
    (void)snprintf(ledger->accounts[ledger->account_count++], sizeof(*ledger->accounts), "%s",
                   name);
}

void ledger_record_table(struct ledger *ledger, int64_t table)
{
    ledger->tables = memory_grow(ledger->tables, ledger->table_count, &ledger->table_cap,
                                 sizeof(*ledger->tables));
    ledger->tables[ledger->table_count++] = table;
}

void ledger_record_move(struct ledger *ledger, const struct ledger_move *move)
{
    ledger->moves =
        memory_grow(ledger->moves, ledger->move_count, &ledger->move_cap, sizeof(*ledger->moves));
    ledger->moves[ledger->move_count++] = *move;
}

/* Finds the requests of a player, or adds an empty entry for a new name. */
static struct ledger_requests *ledger_find_requests_of(struct ledger *ledger, const char *name)
{
    for (size_t i = 0; i < ledger->ask_count; i++) {
        if (strcmp(ledger->asks[i].name, name) == 0) {
            return &ledger->asks[i];
        }
    }
    ledger->asks =
        memory_grow(ledger->asks, ledger->ask_count, &ledger->ask_cap, sizeof(*ledger->asks));
    struct ledger_requests *ask = &ledger->asks[ledger->ask_count++];
    *ask = (struct ledger_requests){0};
    (void)snprintf(ask->name, sizeof(ask->name), "%s", name);
    return ask;
}

static bool ledger_seats_include(const json_t *seats, const json_t *seat)
{
    size_t i = 0;
    const json_t *one = NULL;
    json_array_foreach(seats, i, one)
    {
        if (json_is_integer(seat) && json_equal(one, seat)) {
            return true;
        }
    }
    return false;
}

void ledger_record_requests(struct ledger *ledger, const char *name, const json_t *table)
{
    struct ledger_requests *ask = ledger_find_requests_of(ledger, name);
    if (table == NULL) {
        ask->is_pause = false;
        return;
    }
    const json_t *asks = json_object_get(table, "asks");
    const json_t *seat = json_object_get(table, "you");
    ask->game = ledger_read_number(table, "game_id");
    ask->is_pause = ledger_seats_include(json_object_get(asks, "pause"), seat);
    ask->is_rematch = ledger_seats_include(json_object_get(table, "rematch"), seat);
    ledger->told_asks += ask->is_pause + ask->is_rematch;
}

void ledger_move_requests_to_name(struct ledger *ledger, const char *old_name, const char *new_name)
{
    const struct ledger_requests asked = *ledger_find_requests_of(ledger, old_name);
    struct ledger_requests *ask = ledger_find_requests_of(ledger, new_name);
    *ask = asked;
    (void)snprintf(ask->name, sizeof(ask->name), "%s", new_name);
    ledger_find_requests_of(ledger, old_name)->is_pause = false;
    ledger_find_requests_of(ledger, old_name)->is_rematch = false;
}

void ledger_record_resumed_game(struct ledger *ledger, int64_t game)
{
    if (game > 0) {
        ledger_find_game(ledger, game)->is_resumed = true;
    }
}

bool ledger_update_tables(json_t *tables, const json_t *message, int64_t table)
{
    char key[24];
    size_t index = 0;
    json_t *row = NULL;
    bool is_gone = false;
    if (json_is_true(json_object_get(message, "reset"))) {
        (void)json_object_clear(tables);
    }
    json_array_foreach(json_object_get(message, "tables"), index, row)
    {
        (void)snprintf(key, sizeof(key), "%" PRId64, ledger_read_number(row, "id"));
        (void)json_object_set_new(tables, key, json_deep_copy(row));
    }
    json_array_foreach(json_object_get(message, "gone_tables"), index, row)
    {
        (void)snprintf(key, sizeof(key), "%" PRId64, (int64_t)json_integer_value(row));
        (void)json_object_del(tables, key);
        is_gone = is_gone || json_integer_value(row) == table;
    }
    return is_gone;
}
