#include "lobby/sanctions/blocks.h"

#include "lobby/house/memory.h"
#include "lobby/house/parts.h"
#include "lobby/house/say.h"
#include "lobby/house/stored.h"
#include "lobby/persons/listeners.h"
#include "lobby/persons/persons.h"
#include "lobby/sanctions/mod_command.h"
#include "storage/people/blocks.h"

#include <stdlib.h>

struct blocks {
    int64_t ignored[BLOCKS_MAX]; /* accounts they ignore, ascending */
    size_t ignored_count;
    int64_t *apart; /* accounts kept apart from them, by their own wish or the other's; ascending */
    size_t apart_count, apart_cap;
};

static struct blocks *blocks_of(const struct person *person)
{
    return PERSON_STATE(person, blocks);
}

static bool apart_add(void *context, int64_t other)
{
    struct blocks *blocks = context;
    blocks->apart =
        memory_grow(blocks->apart, blocks->apart_count, &blocks->apart_cap, sizeof(*blocks->apart));
    blocks->apart[blocks->apart_count++] = other;
    return true;
}

void blocks_read(struct house *house, struct person *person)
{
    struct blocks *blocks = blocks_of(person);
    blocks->apart_count = 0;
    stored_or_fail(house, storage_blocks_read(house->storage, person->account, STORAGE_BLOCK_IGNORE,
                                              blocks->ignored, BLOCKS_MAX, &blocks->ignored_count));
    stored_or_fail(house, storage_blocks_both_ways(house->storage, person->account,
                                                   STORAGE_BLOCK_NOPLAY, apart_add, blocks));
}

static void blocks_clear(struct person *person)
{
    free(blocks_of(person)->apart);
}

static int compare_accounts(const void *left, const void *right)
{
    const int64_t a = *(const int64_t *)left;
    const int64_t b = *(const int64_t *)right;
    return a < b ? -1 : a > b;
}

static bool has_account(const int64_t *accounts, size_t count, int64_t account)
{
    return count > 0 &&
           bsearch(&account, accounts, count, sizeof(account), compare_accounts) != NULL;
}

bool blocks_hears(const struct person *person, int64_t account)
{
    const struct blocks *blocks = blocks_of(person);
    return account == 0 || !has_account(blocks->ignored, blocks->ignored_count, account);
}

static bool is_apart(const struct person *person, int64_t account)
{
    const struct blocks *blocks = blocks_of(person);
    return has_account(blocks->apart, blocks->apart_count, account);
}

bool blocks_keep_apart(const struct person *person, const struct storage_table *table)
{
    for (int seat = 0; seat < table->players; seat++) {
        const struct storage_seat *holder = &table->seats[seat];
        if (holder->holder == STORAGE_SEAT_PLAYER && is_apart(person, holder->account)) {
            return true;
        }
    }
    return false;
}

const char *blocks_why(void)
{
    return _("That table has no seat for you: choose another, or open your own.");
}

bool blocks_concern(const struct house *house, int64_t account)
{
    const struct person *person = NULL;
    struct index_at next;
    if (account == 0) {
        return false;
    }
    INDEX_EACH(&persons_of(house)->by_name, person, next)
    {
        if (is_apart(person, account)) {
            return true;
        }
    }
    return false;
}

/* Updates both persons, whichever of them set the block. */
static void blocks_changed(struct order *order)
{
    blocks_read(order->house, order->conn->person);
    if (order->target.person != NULL) {
        blocks_read(order->house, order->target.person);
    }
    person_apart_changed(order->house, order->conn->person);
}

static bool block_may(struct order *order)
{
    if (order_actor_account(order) == 0) {
        order_no(order, "guest", "%s", _("For accounts only: a guest is forgotten anyway."));
    } else if (order->target.id == order_actor_account(order)) {
        order_no(order, "self", "%s", _("That is you."));
    }
    return order->code == NULL;
}

static void block_add(struct order *order, enum storage_block kind, const char *done)
{
    struct house *house = order->house;
    int64_t others[BLOCKS_MAX];
    size_t count = 0;
    if (!block_may(order)) {
        return;
    }
    int64_t account = order_actor_account(order);
    stored_or_fail(house,
                   storage_blocks_read(house->storage, account, kind, others, BLOCKS_MAX, &count));
    if (count == BLOCKS_MAX) {
        order_no(order, "too_many", _("That is as many as the house remembers: %d."), BLOCKS_MAX);
        return;
    }
    enum storage_result result = storage_block_add(house->storage, account, order->target.id, kind);
    if (!stored(house, result) && result != STORAGE_TAKEN) { /* a block that is set already */
        return;
    }
    order->is_unchanged = result == STORAGE_TAKEN;
    blocks_changed(order);
    order_say(order, "%s: %p", order->target.name, say_word(done));
}

static void block_remove(struct order *order, enum storage_block kind, const char *done)
{
    struct house *house = order->house;
    if (!block_may(order)) {
        return;
    }
    enum storage_result result =
        storage_block_remove(house->storage, order_actor_account(order), order->target.id, kind);
    if (!stored(house, result)) {
        order_no(order, "unknown", _("%s was not on that list."), order->target.name);
        return;
    }
    blocks_changed(order);
    order_say(order, "%s: %p", order->target.name, say_word(done));
}

static void ignore_run(struct order *order)
{
    block_add(order, STORAGE_BLOCK_IGNORE, _("you hear nothing of them any more."));
}

static void unignore_run(struct order *order)
{
    block_remove(order, STORAGE_BLOCK_IGNORE, _("you hear them again."));
}

static void noplay_run(struct order *order)
{
    block_add(order, STORAGE_BLOCK_NOPLAY, _("you will not sit at one table."));
}

static void unnoplay_run(struct order *order)
{
    block_remove(order, STORAGE_BLOCK_NOPLAY, _("you may sit at one table again."));
}

const struct mod_command mod_command_ignore = {
    .parts = {PART_TARGET},
    .targets = TARGET_USER,
    .run = ignore_run,
};

const struct mod_command mod_command_unignore = {
    .parts = {PART_TARGET},
    .targets = TARGET_USER,
    .run = unignore_run,
};

const struct mod_command mod_command_noplay = {
    .parts = {PART_TARGET},
    .targets = TARGET_USER,
    .run = noplay_run,
};

const struct mod_command mod_command_unnoplay = {
    .parts = {PART_TARGET},
    .targets = TARGET_USER,
    .run = unnoplay_run,
};

const struct person_listener blocks_person_listener = {
    .person_size = sizeof(struct blocks),
    .begin = blocks_read,
    .end = blocks_clear,
};
