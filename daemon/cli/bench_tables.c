#include "daemon/cli/bench_tables.h"

#include "daemon/base/clock.h"
#include "daemon/base/packet.h"
#include "games/game.h"
#include "storage/meta.h"
#include "storage/tables.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PLAYERS 4

struct table {
    int64_t id;
    struct game_config config;
    struct game_state state;
    int64_t game; /* its number in the storage */
    uint32_t step;
    char text[MOVE_TEXT_MAX];
    int ends[PLAYERS][2]; /* the core's end and the session's */
};

struct bench_tables {
    struct storage *storage;
    const struct game_def *game;
    struct quick_random random;
    size_t count;
    char packet[PACKET_MAX];
    struct table at[BENCH_TABLES_MAX];
};

static bool note(const struct bench_tables *tables, enum storage_result result,
                 char why[STORAGE_WHY_SIZE])
{
    if (result != STORAGE_OK) {
        (void)snprintf(why, STORAGE_WHY_SIZE, "%s", storage_why(tables->storage));
    }
    return result == STORAGE_OK;
}

static bool note_errno(char why[STORAGE_WHY_SIZE])
{
    (void)snprintf(why, STORAGE_WHY_SIZE, "%s", strerror(errno));
    return false;
}

static void name_game(const struct bench_tables *tables, char name[STORAGE_WORD_SIZE])
{
    (void)snprintf(name, STORAGE_WORD_SIZE, "%s", tables->game->id);
}

static void write_options(const struct bench_tables *tables, const struct table *table,
                          char options[STORAGE_OPTIONS_SIZE])
{
    struct text text = text_init(options, STORAGE_OPTIONS_SIZE);

    game_config_write(tables->game, &table->config, &text);
}

static bool begin_game(struct bench_tables *tables, struct table *table, char why[STORAGE_WHY_SIZE])
{
    struct storage_game game = {
        .table = table->id, .players = table->config.players, .started_ms = clock_unix_ms()};
    const uint64_t word = quick_random_next(&tables->random);

    name_game(tables, game.game);
    write_options(tables, table, game.options);
    memcpy(game.seed, &word, sizeof word);
    table->step = 0;
    if (game_start(tables->game, &table->config, game.seed, &table->state, NULL) != GAME_OK) {
        (void)snprintf(why, STORAGE_WHY_SIZE, "the game did not start");
        return false;
    }
    return note(tables, storage_game_start(tables->storage, &game, &table->game), why);
}

static bool open_table(struct bench_tables *tables, struct table *table, char why[STORAGE_WHY_SIZE])
{
    struct storage_table row = {.players = PLAYERS};

    table->config = game_config_default(tables->game, PLAYERS);
    name_game(tables, row.game);
    write_options(tables, table, row.options);
    for (size_t seat = 0; seat < PLAYERS; seat++) {
        table->ends[seat][0] = table->ends[seat][1] = -1;
    }
    for (size_t seat = 0; seat < PLAYERS; seat++) {
        if (packet_pair(table->ends[seat]) != 0) {
            return note_errno(why);
        }
    }
    return note(tables, storage_table_add(tables->storage, &row, &table->id), why) &&
           begin_game(tables, table, why);
}

/* A game for four, whichever comes first. */
static const struct game_def *find_game(void)
{
    uint8_t index = 0;

    while (game_at(index) != NULL &&
           (game_at(index)->seats_min > PLAYERS || game_at(index)->seats_max < PLAYERS)) {
        index++;
    }
    return game_at(index);
}

/* Writes enough for the log to be moved into the file, and moves it. */
static bool grow_log(struct bench_tables *tables, char why[STORAGE_WHY_SIZE])
{
    char text[STORAGE_META_SIZE];
    char name[STORAGE_WORD_SIZE];

    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    for (int i = 0; i < 4500; i++) {
        (void)snprintf(name, sizeof name, "%d", i);
        if (!note(tables, storage_meta_set(tables->storage, name, text), why)) {
            return false;
        }
    }
    const enum storage_result result = storage_commit(tables->storage);
    storage_idle(tables->storage);
    return note(tables, result, why);
}

struct bench_tables *bench_tables_new(const char *path, size_t count, char why[STORAGE_WHY_SIZE])
{
    struct bench_tables *tables = calloc(1, sizeof *tables);

    if (tables == NULL) {
        (void)note_errno(why);
        return NULL;
    }
    quick_random_init(&tables->random, count);
    tables->game = find_game();
    bool is_open = tables->game != NULL && storage_open(path, &tables->storage, why) == STORAGE_OK;
    while (is_open && tables->count < count) {
        tables->count++;
        is_open = open_table(tables, &tables->at[tables->count - 1], why);
    }
    if (!is_open || !grow_log(tables, why)) {
        bench_tables_free(tables);
        return NULL;
    }
    return tables;
}

void bench_tables_free(struct bench_tables *tables)
{
    if (tables == NULL) {
        return;
    }
    for (size_t i = 0; i < tables->count * PLAYERS; i++) {
        const int *ends = tables->at[i / PLAYERS].ends[i % PLAYERS];
        if (ends[0] >= 0) {
            (void)close(ends[0]);
            (void)close(ends[1]);
        }
    }
    storage_close(tables->storage);
    free(tables);
}

/* What a player sends, and the engine's answer to it. */
static void play(struct bench_tables *tables, struct table *table, struct storage_move *move)
{
    struct move_set legal = move_set_empty();
    const uint8_t seat = (uint8_t)__builtin_ctz(game_turn(tables->game, &table->state));

    game_legal(tables->game, &table->state, seat, &legal);
    const uint8_t choice =
        move_set_nth(&legal, (uint8_t)quick_random_below(&tables->random, move_set_count(&legal)));
    struct text text = text_init(table->text, sizeof table->text);
    game_move_write(tables->game, choice, &text);
    if (game_apply(tables->game, &table->state, seat, choice, NULL) != GAME_OK) {
        abort(); /* it was among the legal ones */
    }
    *move = (struct storage_move){.game = table->game,
                                  .step = table->step++,
                                  .seat = seat,
                                  .text = table->text,
                                  .at_ms = clock_unix_ms(),
                                  .conn = table->id * PLAYERS + seat,
                                  .request = table->step};
}

static bool tell(struct bench_tables *tables, const struct table *table, char why[STORAGE_WHY_SIZE])
{
    for (int8_t seat = 0; seat < PLAYERS; seat++) {
        struct game_view view;
        struct text text = text_init(tables->packet, sizeof tables->packet);

        game_view_of(tables->game, &table->state, seat, &view);
        view_write(&view, &text);
        if (packet_send(table->ends[seat][0], text.at, text.len, -1) != PACKET_OK) {
            return note_errno(why);
        }
    }
    return true;
}

bool bench_tables_commit(struct bench_tables *tables, struct storage_move *moves,
                         char why[STORAGE_WHY_SIZE])
{
    for (size_t i = 0; i < tables->count; i++) {
        play(tables, &tables->at[i], &moves[i]);
    }
    if (!note(tables, storage_moves_append(tables->storage, moves, tables->count), why) ||
        !note(tables, storage_commit(tables->storage), why)) {
        return false;
    }
    storage_idle(tables->storage);
    return true;
}

bool bench_tables_tell(struct bench_tables *tables, char why[STORAGE_WHY_SIZE])
{
    bool is_told = true;

    for (size_t i = 0; is_told && i < tables->count; i++) {
        is_told = tell(tables, &tables->at[i], why);
    }
    return is_told;
}

/* Takes what was told to the table's seats off their sockets. */
static bool read_told(struct bench_tables *tables, const struct table *table,
                      char why[STORAGE_WHY_SIZE])
{
    for (size_t seat = 0; seat < PLAYERS; seat++) {
        size_t len = 0;
        if (packet_receive(table->ends[seat][1], tables->packet, &len, NULL) != PACKET_OK) {
            return note_errno(why);
        }
    }
    return true;
}

bool bench_tables_rest(struct bench_tables *tables, char why[STORAGE_WHY_SIZE])
{
    for (size_t i = 0; i < tables->count; i++) {
        struct table *table = &tables->at[i];
        if (!read_told(tables, table, why)) {
            return false;
        }
        if (game_turn(tables->game, &table->state) == 0 && !begin_game(tables, table, why)) {
            return false;
        }
    }
    return note(tables, storage_commit(tables->storage), why);
}
