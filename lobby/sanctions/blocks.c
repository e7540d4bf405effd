#include "lobby/sanctions/sanctions.h"

#include "storage/people/people.h"

#include <stdlib.h>

struct blocks {
    int64_t ignored[BLOCKS_MAX]; /* the accounts that the person ignores, ascending */
    size_t ignored_count;
    int64_t *apart; /* accounts that may not share a table with the person, because one of the two
                       refuses to play with the other; ascending */
    size_t apart_count, apart_cap;
};

PERSON_STATE(blocks_get_state, struct blocks, blocks);

static bool append_account_to_keep_apart(void *context, int64_t account)
{
    struct blocks *blocks = context;
    blocks->apart =
        memory_grow(blocks->apart, blocks->apart_count, &blocks->apart_cap, sizeof(*blocks->apart));
    blocks->apart[blocks->apart_count++] = account;
    return true;
}

void blocks_load(struct house *house, struct person *person)
{
    struct blocks *blocks = blocks_get_state(person);
    blocks->apart_count = 0;
    stored_or_fail(house, storage_blocks_read(house->storage, person->account, STORAGE_BLOCK_IGNORE,
                                              blocks->ignored, BLOCKS_MAX, &blocks->ignored_count));
    stored_or_fail(house, storage_blocks_each_both_ways(house->storage, person->account,
                                                        STORAGE_BLOCK_NOPLAY,
                                                        append_account_to_keep_apart, blocks));
}

static void free_blocks(struct person *person)
{
    free(blocks_get_state(person)->apart);
}

static int compare_accounts(const void *left, const void *right)
{
    const int64_t a = *(const int64_t *)left;
    const int64_t b = *(const int64_t *)right;
    return a < b ? -1 : a > b;
}

static bool list_has_account(const int64_t *accounts, size_t count, int64_t account)
{
    return count > 0 &&
           bsearch(&account, accounts, count, sizeof(account), compare_accounts) != NULL;
}

bool blocks_allow_messages_from(const struct person *person, int64_t account)
{
    const struct blocks *blocks = blocks_get_state(person);
    return account == 0 || !list_has_account(blocks->ignored, blocks->ignored_count, account);
}

static bool must_not_share_table(const struct person *person, int64_t account)
{
    const struct blocks *blocks = blocks_get_state(person);
    return list_has_account(blocks->apart, blocks->apart_count, account);
}

bool blocks_exist_with_someone_at_table(const struct person *person,
                                        const struct storage_table *table)
{
    for (int seat = 0; seat < table->players; seat++) {
        const struct storage_seat *holder = &table->seats[seat];
        if (holder->holder == STORAGE_SEAT_PLAYER &&
            must_not_share_table(person, holder->account)) {
            return true;
        }
    }
    return false;
}

/* Reloads the blocks of both people: the one who set the block and the one who is blocked. */
static void reload_blocks_of_both_people(struct order *order)
{
    blocks_load(order->house, order->conn->person);
    if (order->target.person != NULL) {
        blocks_load(order->house, order->target.person);
    }
    person_mark_changed(order->house, order->conn->person);
}

static bool block_is_allowed(struct order *order)
{
    if (order->by_account == 0) {
        order_refuse(order, "guest", _("You need an account for that: make one first."));
    } else if (order->target.id == order->by_account) {
        order_refuse(order, "self", _("You cannot name yourself here."));
    }
    return order->code == NULL;
}

void mod_run_add_block(struct order *order)
{
    struct house *house = order->house;
    const enum storage_block kind = order->command->kind;
    int64_t others[BLOCKS_MAX];
    size_t count = 0;
    if (!block_is_allowed(order)) {
        return;
    }
    int64_t account = order->by_account;
    stored_or_fail(house,
                   storage_blocks_read(house->storage, account, kind, others, BLOCKS_MAX, &count));
    if (count == BLOCKS_MAX) {
        order_refuse(order, "too_many", _("The list is full: it has %d names."), BLOCKS_MAX);
        return;
    }
    enum storage_result result = storage_block_add(house->storage, account, order->target.id, kind);
    if (!stored(house, result) && result != STORAGE_TAKEN) { /* the block already exists */
        return;
    }
    order->is_unchanged = result == STORAGE_TAKEN;
    reload_blocks_of_both_people(order);
    order_add_line(order, "%s: %p", order->target.name, say_word_argument(order->command->said));
}

void mod_run_remove_block(struct order *order)
{
    struct house *house = order->house;
    if (!block_is_allowed(order)) {
        return;
    }
    enum storage_result result = storage_block_remove(house->storage, order->by_account,
                                                      order->target.id, order->command->kind);
    if (!stored(house, result)) {
        order_refuse(order, "unknown", _("%s was not on that list."), order->target.name);
        return;
    }
    reload_blocks_of_both_people(order);
    order_add_line(order, "%s: %p", order->target.name, say_word_argument(order->command->said));
}

void blocks_read_ahead(struct house *house, const struct storage_connection *row)
{
    int64_t ignored[BLOCKS_MAX];
    size_t count = 0;
    stored_ahead(house, storage_blocks_read(house->storage, row->account, STORAGE_BLOCK_IGNORE,
                                            ignored, BLOCKS_MAX, &count));
    stored_ahead(house,
                 storage_blocks_each_both_ways(house->storage, row->account, STORAGE_BLOCK_NOPLAY,
                                               append_account_to_keep_apart, NULL));
}

const struct person_listener blocks_person_listener = {
    .person_size = sizeof(struct blocks),
    .begin = blocks_load,
    .end = free_blocks,
};
