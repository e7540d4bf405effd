#include "tests/bench/bench_tables.h"

#include "daemon/base/base.h"
#include "storage/archive/archive.h"
#include "storage/house/house.h"
#include "storage/tables/tables.h"
#include "tests/bench/bench_play.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bench_table {
    int64_t id;
    struct bench_play play;
    int64_t game; /* the table's number in the storage */
    char text[MOVE_TEXT_MAX];
};

struct bench_tables {
    struct storage *storage;
    struct quick_random random;
    size_t count;
    struct bench_table at[BENCH_TABLES_MAX];
};

static bool write_error(const struct storage *storage, enum storage_result result,
                        char why[STORAGE_WHY_SIZE])
{
    if (result != STORAGE_OK) {
        (void)snprintf(why, STORAGE_WHY_SIZE, "%s", storage_last_failure(storage));
    }
    return result == STORAGE_OK;
}

static void write_options(const struct bench_play *play, char options[STORAGE_OPTIONS_SIZE])
{
    struct text text = text_init(options, STORAGE_OPTIONS_SIZE);

    game_config_write(play->game, &play->config, &text);
}

static bool begin_game(struct bench_tables *tables, struct bench_table *table,
                       char why[STORAGE_WHY_SIZE])
{
    struct storage_game game = {.table = table->id,
                                .players = BENCH_PLAYERS,
                                .format = GAME_FORMAT,
                                .started_ms = clock_unix_ms()};
    const uint64_t word = quick_random_next(&tables->random);

    (void)snprintf(game.game, sizeof game.game, "%s", table->play.game->id);
    write_options(&table->play, game.options);
    memcpy(game.seed, &word, sizeof word);
    if (!bench_play_start(&table->play, game.seed)) {
        (void)snprintf(why, STORAGE_WHY_SIZE, "the game did not start");
        return false;
    }
    return write_error(tables->storage, storage_game_start(tables->storage, &game, &table->game),
                       why);
}

static bool open_table(struct bench_tables *tables, struct bench_table *table,
                       char why[STORAGE_WHY_SIZE])
{
    struct storage_table row = {.players = BENCH_PLAYERS};

    table->play = bench_play_new();
    (void)snprintf(row.game, sizeof row.game, "%s", table->play.game->id);
    write_options(&table->play, row.options);
    return write_error(tables->storage, storage_table_add(tables->storage, &row, &table->id),
                       why) &&
           begin_game(tables, table, why);
}

bool bench_tables_grow_write_ahead_log(struct storage *storage, char why[STORAGE_WHY_SIZE])
{
    char text[STORAGE_META_SIZE];
    char name[STORAGE_WORD_SIZE];

    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    for (int i = 0; i < 4500; i++) {
        (void)snprintf(name, sizeof name, "%d", i);
        if (!write_error(storage, storage_meta_set(storage, name, text), why)) {
            return false;
        }
    }
    const enum storage_result result = storage_commit(storage);
    storage_do_idle_work(storage);
    return write_error(storage, result, why);
}

struct bench_tables *bench_tables_new(const char *path, size_t count, char why[STORAGE_WHY_SIZE])
{
    struct bench_tables *tables = calloc(1, sizeof *tables);

    if (tables == NULL) {
        (void)snprintf(why, STORAGE_WHY_SIZE, "%s", strerror(errno));
        return NULL;
    }
    quick_random_init(&tables->random, count);
    bool is_open = storage_open(path, &tables->storage, why) == STORAGE_OK;
    while (is_open && tables->count < count) {
        is_open = open_table(tables, &tables->at[tables->count++], why);
    }
    if (!is_open || !bench_tables_grow_write_ahead_log(tables->storage, why)) {
        bench_tables_free(tables);
        return NULL;
    }
    return tables;
}

void bench_tables_free(struct bench_tables *tables)
{
    if (tables != NULL) {
        storage_close(tables->storage);
        free(tables);
    }
}

bool bench_tables_run_loop_pass(struct bench_tables *tables, struct storage_move *moves,
                                char why[STORAGE_WHY_SIZE])
{
    for (size_t i = 0; i < tables->count; i++) {
        struct bench_table *table = &tables->at[i];
        moves[i] = (struct storage_move){
            .game = table->game, .step = table->play.step, .text = table->text};
        moves[i].seat = bench_play_make_move(&table->play, &tables->random, table->text);
        moves[i].at_ms = clock_unix_ms();
        moves[i].conn = table->id * BENCH_PLAYERS + moves[i].seat;
        moves[i].request = table->play.step;
    }
    if (!write_error(tables->storage, storage_moves_append(tables->storage, moves, tables->count),
                     why) ||
        !write_error(tables->storage, storage_commit(tables->storage), why)) {
        return false;
    }
    storage_do_idle_work(tables->storage);
    return true;
}

bool bench_tables_start_next_games(struct bench_tables *tables, char why[STORAGE_WHY_SIZE])
{
    for (size_t i = 0; i < tables->count; i++) {
        struct bench_table *table = &tables->at[i];
        if (bench_play_is_over(&table->play) && !begin_game(tables, table, why)) {
            return false;
        }
    }
    return write_error(tables->storage, storage_commit(tables->storage), why);
}
