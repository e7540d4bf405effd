#include "lobby/sanctions/backoff.h"

#include "lobby/house/memory.h"
#include "lobby/house/parts.h"
#include "lobby/house/stored.h"
#include "storage/house/meta.h"
#include "storage/mod/penalties.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#define HASH_BYTES ((STORAGE_NAME_HASH_SIZE - 1) / 2)
#define DOUBLINGS_MAX 16

static const char backoff_key_name[] = "name hash key";

#define BACKOFF_KEY_BYTES 32

struct backoffs {
    struct index unsaved; /* by hash: waits changed in read-only mode */
    bool has_key;         /* `key` was created in read-only mode */
    uint8_t key[BACKOFF_KEY_BYTES];
    int64_t doubt_ms; /* until then, waits of an earlier core may be missing; 0: none */
};

static struct backoffs *backoff_of(const struct house *house)
{
    return PART_STATE(house, backoff);
}

static void backoff_save_key(struct house *house, const uint8_t key[BACKOFF_KEY_BYTES])
{
    char hex[STORAGE_META_SIZE];
    (void)sodium_bin2hex(hex, sizeof(hex), key, BACKOFF_KEY_BYTES);
    stored_or_fail(house, storage_meta_set(house->storage, backoff_key_name, hex));
}

/* The key that hashes names in the storage, created on first use. */
static void backoff_key(struct house *house, uint8_t key[BACKOFF_KEY_BYTES])
{
    struct backoffs *backoffs = backoff_of(house);
    char hex[STORAGE_META_SIZE];
    size_t len = 0;
    if (stored(house, storage_meta_get(house->storage, backoff_key_name, hex)) &&
        sodium_hex2bin(key, BACKOFF_KEY_BYTES, hex, strlen(hex), NULL, &len, NULL) == 0 &&
        len == BACKOFF_KEY_BYTES) {
        return;
    }
    if (!backoffs->has_key) {
        house->config.random(house->config.random_context, backoffs->key, BACKOFF_KEY_BYTES);
    }
    memcpy(key, backoffs->key, BACKOFF_KEY_BYTES);
    backoffs->has_key = house->is_read_only;
    if (!house->is_read_only) {
        backoff_save_key(house, key);
    }
}

static void backoff_hash(struct house *house, const char *name, char hex[STORAGE_NAME_HASH_SIZE])
{
    uint8_t key[BACKOFF_KEY_BYTES];
    uint8_t hash[HASH_BYTES];
    backoff_key(house, key);
    (void)crypto_generichash(hash, sizeof(hash), (const uint8_t *)name, strlen(name), key,
                             sizeof(key));
    (void)sodium_bin2hex(hex, STORAGE_NAME_HASH_SIZE, hash, sizeof(hash));
}

static bool backoff_is_in_doubt(const struct house *house)
{
    int64_t doubt_ms = backoff_of(house)->doubt_ms;
    return doubt_ms != 0 && (house->is_read_only || house->now_ms < doubt_ms);
}

static struct storage_backoff *backoff_unsaved(const struct house *house, const char *name_hash)
{
    return index_find(&backoff_of(house)->unsaved, name_hash, STORAGE_NAME_HASH_SIZE - 1);
}

/* The name's row; one without failures when there is none. */
static void backoff_read(struct house *house, const char *name, struct storage_backoff *backoff)
{
    struct storage_backoff none = {0};
    *backoff = none;
    backoff_hash(house, name, backoff->name_hash);
    const struct storage_backoff *unsaved = backoff_unsaved(house, backoff->name_hash);
    if (unsaved != NULL) {
        *backoff = *unsaved;
        return;
    }
    (void)!stored(house, storage_backoff_read(house->storage, backoff->name_hash, backoff));
    if (backoff_is_in_doubt(house)) {
        int64_t doubt_ms = backoff_of(house)->doubt_ms;
        backoff->failures = DOUBLINGS_MAX;
        backoff->until_ms = backoff->until_ms > doubt_ms ? backoff->until_ms : doubt_ms;
    }
}

static void backoff_forget(struct house *house, struct storage_backoff *unsaved)
{
    index_remove(&backoff_of(house)->unsaved, unsaved->name_hash, STORAGE_NAME_HASH_SIZE - 1);
    free(unsaved);
}

/* When the table is full, the row that ends first is replaced. */
static void backoff_make_place(struct house *house)
{
    struct storage_backoff *unsaved = NULL;
    struct storage_backoff *first = NULL;
    struct index_at next;
    if (index_count(&backoff_of(house)->unsaved) < house->config.door_backoff_names) {
        return;
    }
    INDEX_EACH(&backoff_of(house)->unsaved, unsaved, next)
    {
        first = first == NULL || unsaved->until_ms < first->until_ms ? unsaved : first;
    }
    if (first != NULL) {
        backoff_forget(house, first);
    }
}

static void backoff_keep_unsaved(struct house *house, const struct storage_backoff *backoff)
{
    struct storage_backoff *unsaved = backoff_unsaved(house, backoff->name_hash);
    if (unsaved == NULL) {
        backoff_make_place(house);
        unsaved = memory_new(sizeof(*unsaved));
        *unsaved = *backoff;
        index_add(&backoff_of(house)->unsaved, unsaved->name_hash, STORAGE_NAME_HASH_SIZE - 1,
                  unsaved);
    }
    unsaved->failures = backoff->failures;
    unsaved->until_ms = backoff->until_ms;
}

static void backoff_write(struct house *house, const struct storage_backoff *backoff)
{
    if (house->is_read_only) {
        backoff_keep_unsaved(house, backoff);
    } else if (backoff->failures == 0) {
        stored_or_fail(house, storage_backoff_remove(house->storage, backoff->name_hash));
    } else {
        stored_or_fail(
            house, storage_backoff_save(house->storage, backoff, house->config.door_backoff_names));
    }
}

static void backoff_begin_doubt(struct house *house)
{
    backoff_of(house)->doubt_ms = house->now_ms + 1000 * (int64_t)house->config.door_backoff_max_s;
}

static void backoff_save(struct house *house)
{
    const struct storage_backoff *unsaved = NULL;
    struct index_at next;
    if (backoff_of(house)->has_key) {
        backoff_save_key(house, backoff_of(house)->key);
    }
    INDEX_EACH(&backoff_of(house)->unsaved, unsaved, next)
    {
        backoff_write(house, unsaved);
    }
}

static void backoff_saved(struct house *house)
{
    struct storage_backoff *unsaved = NULL;
    struct index_at next;
    INDEX_EACH(&backoff_of(house)->unsaved, unsaved, next)
    {
        backoff_forget(house, unsaved);
    }
    backoff_of(house)->has_key = false;
}

int64_t backoff_wait_s(struct house *house, const char *name)
{
    struct storage_backoff backoff;
    backoff_read(house, name, &backoff);
    int64_t max_ms = 1000 * (int64_t)house->config.door_backoff_max_s;
    int64_t left_ms = backoff.until_ms - house->now_ms;
    if (left_ms > max_ms) {
        left_ms = max_ms; /* the clock was set back */
    }
    return left_ms <= 0 ? 0 : (left_ms + 999) / 1000;
}

void backoff_failed(struct house *house, const char *name)
{
    struct storage_backoff backoff;
    backoff_read(house, name, &backoff);
    int64_t max_s = house->config.door_backoff_max_s;
    int64_t wait_s = INT64_C(1) << backoff.failures;
    backoff.failures += backoff.failures < DOUBLINGS_MAX;
    backoff.until_ms = house->now_ms + 1000 * (wait_s < max_s ? wait_s : max_s);
    backoff_write(house, &backoff);
}

void backoff_succeeded(struct house *house, const char *name)
{
    struct storage_backoff backoff;
    backoff_read(house, name, &backoff);
    if (backoff.failures > 0) {
        backoff.failures = 0;
        backoff.until_ms = 0;
        backoff_write(house, &backoff);
    }
}

const struct part backoff_part = {
    .name = "backoff",
    .house_size = sizeof(struct backoffs),
    .end = backoff_saved,
    .full = backoff_begin_doubt,
    .save = backoff_save,
    .saved = backoff_saved,
};
