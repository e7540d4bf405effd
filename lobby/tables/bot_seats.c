#include "lobby/tables/tables.h"

#include "lobby/house/parts.h"
#include "lobby/persons/persons.h"
#include "storage/archive/archive.h"

#include <stdio.h>
#include <string.h>

/* a person who has finished fewer games is a newcomer */
#define NEWCOMER_GAMES 5

bool account_is_bot(struct house *house, int64_t account)
{
    struct storage_account row;
    return account != 0 && stored(house, storage_account_by_id(house->storage, account, &row)) &&
           row.kind == STORAGE_BOT;
}

const struct storage_seat *bot_seat_find(const struct table *table, const char *name)
{
    for (int seat = 0; seat < table->row.players; seat++) {
        const struct storage_seat *holder = &table->row.seats[seat];
        if (holder->holder == STORAGE_SEAT_BOT && strcmp(holder->name, name) == 0) {
            return holder;
        }
    }
    return NULL;
}

bool bot_seat_fill(struct house *house, struct table *table, int seat, enum bot_level level)
{
    for (size_t i = 0; bot_name_at(i) != NULL; i++) {
        const struct bot_name *bot = bot_name_at(i);
        if (bot->level != level || bot_seat_find(table, bot->name) != NULL) {
            continue;
        }
        struct storage_account account = {.id = 0};
        bool has_account =
            stored(house, storage_account_by_name(house->storage, bot->name, &account));
        if (has_account && account.kind != STORAGE_BOT) {
            continue; /* somebody had this name before there was a bot of that name */
        }
        struct storage_seat *holder = &table->row.seats[seat];
        *holder = (struct storage_seat){.holder = STORAGE_SEAT_BOT, .account = account.id};
        (void)snprintf(holder->name, sizeof(holder->name), "%s", bot->name);
        (void)snprintf(holder->policy, sizeof(holder->policy), "%s",
                       row_word_of_value(&bot_level_words, level));
        table->gone_ms[seat] = 0;
        return true;
    }
    return false;
}

static bool count_game(void *context, UNUSED const struct storage_past_game *played)
{
    unsigned *count = context;
    (*count)++;
    return true;
}

enum bot_level bot_level_for_person(struct house *house, const struct person *person)
{
    unsigned games = 0;
    if (person->account != 0) {
        stored_or_fail(house,
                       storage_past_games_by_account(house->storage, person->account, INT64_MAX,
                                                     NEWCOMER_GAMES, count_game, &games));
    }
    return games < NEWCOMER_GAMES ? BOT_LEVEL_EASY : BOT_LEVEL_MEDIUM;
}

/* Creates the missing accounts of the bots in bot_names.h. */
static void create_bot_accounts(struct house *house)
{
    for (size_t i = 0; bot_name_at(i) != NULL; i++) {
        struct storage_account account;
        enum storage_result result =
            storage_account_by_name(house->storage, bot_name_at(i)->name, &account);
        if (result != STORAGE_NOT_FOUND) {
            stored_or_fail(house, result);
            continue;
        }
        account = (struct storage_account){
            .kind = STORAGE_BOT,
            .settings = "{}",
            .created_ms = house->now_ms,
            .seen_ms = house->now_ms,
        };
        (void)snprintf(account.name, sizeof(account.name), "%s", bot_name_at(i)->name);
        name_write_skeleton(account.name, account.skeleton);
        stored_or_fail(house, storage_account_add(house->storage, &account, &account.id));
    }
}

const struct part bot_accounts_part = {
    .name = "bot-accounts",
    .load_writes = true,
    .load = create_bot_accounts,
};
