#include "lobby/sanctions/sanctions.h"

#include "storage/house/house.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#define HASH_BYTES ((STORAGE_NAME_HASH_SIZE - 1) / 2)
#define DOUBLINGS_MAX 16

static const char backoff_key_of_storage[] = "name hash key";

static void backoff_store_key(struct house *house, const uint8_t key[BACKOFF_KEY_BYTES])
{
    char hex[STORAGE_META_SIZE];
    (void)sodium_bin2hex(hex, sizeof(hex), key, BACKOFF_KEY_BYTES);
    stored_or_fail(house, storage_meta_set(house->storage, backoff_key_of_storage, hex));
}

/* Reads the stored key with which names are hashed for the storage; false if there is none. */
static bool backoff_read_key(struct house *house, uint8_t key[BACKOFF_KEY_BYTES])
{
    char hex[STORAGE_META_SIZE];
    size_t len = 0;
    return stored(house, storage_meta_get(house->storage, backoff_key_of_storage, hex)) &&
           sodium_hex2bin(key, BACKOFF_KEY_BYTES, hex, strlen(hex), NULL, &len, NULL) == 0 &&
           len == BACKOFF_KEY_BYTES;
}

/* Reads the key, or creates it on first use. */
static void backoff_read_or_create_key(struct house *house, uint8_t key[BACKOFF_KEY_BYTES])
{
    struct backoffs *backoffs = &sanctions_house_state(house)->backoffs;
    if (backoff_read_key(house, key)) {
        return;
    }
    if (!backoffs->has_key) {
        house->config.random(house->config.random_context, backoffs->key, BACKOFF_KEY_BYTES);
    }
    memcpy(key, backoffs->key, BACKOFF_KEY_BYTES);
    backoffs->has_key = house->is_read_only;
    if (!house->is_read_only) {
        backoff_store_key(house, key);
    }
}

static void backoff_hash_name(struct house *house, const char *name,
                              char hex[STORAGE_NAME_HASH_SIZE])
{
    uint8_t key[BACKOFF_KEY_BYTES];
    uint8_t hash[HASH_BYTES];
    backoff_read_or_create_key(house, key);
    (void)crypto_generichash(hash, sizeof(hash), (const uint8_t *)name, strlen(name), key,
                             sizeof(key));
    (void)sodium_bin2hex(hex, STORAGE_NAME_HASH_SIZE, hash, sizeof(hash));
}

static struct storage_backoff *backoff_find_unsaved_wait(const struct house *house,
                                                         const char *name_hash)
{
    return index_find(&sanctions_house_state(house)->backoffs.unsaved, name_hash,
                      STORAGE_NAME_HASH_SIZE - 1);
}

/* Returns until when names without a stored wait have to wait too, since their waits may not have
 * been stored; 0: every wait is stored. */
static int64_t backoff_doubt_ms(const struct house *house)
{
    return house->full_at_start_ms == 0
               ? 0
               : house->full_at_start_ms + 1000 * (int64_t)house->config.door_backoff_max_s;
}

/* Reads the wait of a name and how many attempts with the name are known to have failed; 0 and 0
 * when nothing is stored. Returns false when both may be more than is known. */
static bool backoff_read_known_wait(struct house *house, const char *name,
                                    struct storage_backoff *backoff)
{
    *backoff = (struct storage_backoff){.failures = 0};
    backoff_hash_name(house, name, backoff->name_hash);
    const struct storage_backoff *unsaved = backoff_find_unsaved_wait(house, backoff->name_hash);
    if (unsaved != NULL) {
        *backoff = *unsaved;
        return true;
    }
    (void)!stored(house, storage_backoff_read(house->storage, backoff->name_hash, backoff));
    int64_t doubt_ms = backoff_doubt_ms(house);
    return doubt_ms == 0 || (!house->is_read_only && house->now_ms >= doubt_ms);
}

/* Like backoff_read_known_wait, but assumes many failures where not all may be known. */
static void backoff_read_wait(struct house *house, const char *name,
                              struct storage_backoff *backoff)
{
    int64_t doubt_ms = backoff_doubt_ms(house);
    if (!backoff_read_known_wait(house, name, backoff)) {
        backoff->failures = DOUBLINGS_MAX;
        backoff->until_ms = backoff->until_ms > doubt_ms ? backoff->until_ms : doubt_ms;
    }
}

static void backoff_remove_unsaved_wait(struct house *house, struct storage_backoff *unsaved)
{
    index_remove(&sanctions_house_state(house)->backoffs.unsaved, unsaved->name_hash,
                 STORAGE_NAME_HASH_SIZE - 1);
    free(unsaved);
}

/* Makes room for a wait in memory by dropping the wait that ends first. */
static void backoff_make_room_for_wait(struct house *house)
{
    const struct index *waits = &sanctions_house_state(house)->backoffs.unsaved;
    struct storage_backoff *first = NULL;
    if (index_count(waits) < house->config.door_backoff_names) {
        return;
    }
    INDEX_ITEMS_EACH(struct storage_backoff, unsaved, waits) {
        first = first == NULL || unsaved->until_ms < first->until_ms ? unsaved : first;
    }
    if (first != NULL) {
        backoff_remove_unsaved_wait(house, first);
    }
}

static void backoff_keep_unsaved_wait(struct house *house, const struct storage_backoff *backoff)
{
    struct storage_backoff *unsaved = backoff_find_unsaved_wait(house, backoff->name_hash);
    if (unsaved == NULL) {
        backoff_make_room_for_wait(house);
        unsaved = memory_new(sizeof(*unsaved));
        *unsaved = *backoff;
        index_add(&sanctions_house_state(house)->backoffs.unsaved, unsaved->name_hash,
                  STORAGE_NAME_HASH_SIZE - 1, unsaved);
    }
    unsaved->failures = backoff->failures;
    unsaved->until_ms = backoff->until_ms;
}

static void backoff_store_wait(struct house *house, const struct storage_backoff *backoff)
{
    if (house->is_read_only) {
        backoff_keep_unsaved_wait(house, backoff);
    } else if (backoff->failures == 0) {
        stored_or_fail(house, storage_backoff_remove(house->storage, backoff->name_hash));
    } else {
        stored_or_fail(
            house, storage_backoff_save(house->storage, backoff, house->config.door_backoff_names));
    }
}

void backoff_save_all_waits(struct house *house)
{
    if (sanctions_house_state(house)->backoffs.has_key) {
        backoff_store_key(house, sanctions_house_state(house)->backoffs.key);
    }
    INDEX_ITEMS_EACH(struct storage_backoff, unsaved,
                     &sanctions_house_state(house)->backoffs.unsaved) {
        backoff_store_wait(house, unsaved);
    }
}

void backoff_clear_unsaved_waits(struct house *house)
{
    INDEX_ITEMS_EACH(struct storage_backoff, unsaved,
                     &sanctions_house_state(house)->backoffs.unsaved) {
        backoff_remove_unsaved_wait(house, unsaved);
    }
    sanctions_house_state(house)->backoffs.has_key = false;
}

int64_t backoff_get_wait_s(struct house *house, const char *name)
{
    struct storage_backoff backoff;
    backoff_read_wait(house, name, &backoff);
    int64_t max_ms = 1000 * (int64_t)house->config.door_backoff_max_s;
    int64_t left_ms = backoff.until_ms - house->now_ms;
    if (left_ms > max_ms) {
        left_ms = max_ms; /* the system clock was set back, so the wait would last too long */
    }
    return left_ms <= 0 ? 0 : (left_ms + 999) / 1000;
}

void backoff_count_failure(struct house *house, const char *name)
{
    struct storage_backoff backoff;
    backoff_read_wait(house, name, &backoff);
    int64_t max_s = house->config.door_backoff_max_s;
    int64_t wait_s =
        INT64_C(1) << (backoff.failures < DOUBLINGS_MAX ? backoff.failures : DOUBLINGS_MAX);
    backoff.failures += backoff.failures < UINT32_MAX;
    backoff.until_ms = house->now_ms + 1000 * (wait_s < max_s ? wait_s : max_s);
    backoff_store_wait(house, &backoff);
}

uint32_t backoff_count_known_failures(struct house *house, const char *name)
{
    struct storage_backoff backoff;
    uint8_t key[BACKOFF_KEY_BYTES];
    if (!sanctions_house_state(house)->backoffs.has_key && !backoff_read_key(house, key)) {
        return 0; /* no attempt has failed yet */
    }
    (void)backoff_read_known_wait(house, name, &backoff);
    return backoff.failures;
}

void backoff_reset(struct house *house, const char *name)
{
    struct storage_backoff backoff;
    backoff_read_wait(house, name, &backoff);
    if (backoff.failures > 0) {
        backoff.failures = 0;
        backoff.until_ms = 0;
        backoff_store_wait(house, &backoff);
    }
}
