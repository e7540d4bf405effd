#include "lobby/backoff.h"

#include "lobby/stored.h"
#include "storage/meta.h"
#include "storage/penalties.h"

#include <sodium.h>
#include <string.h>

#define KEY_BYTES crypto_generichash_KEYBYTES
#define HASH_BYTES ((STORAGE_NAME_HASH_SIZE - 1) / 2)
#define DOUBLINGS_MAX 16

/* The key of the data's name hashes, made when there is none yet. */
static void backoff_key(struct house *house, uint8_t key[KEY_BYTES])
{
    static const char where[] = "name hash key";
    char hex[STORAGE_META_SIZE];
    size_t len = 0;
    if (stored(house, storage_meta_get(house->storage, where, hex)) &&
        sodium_hex2bin(key, KEY_BYTES, hex, strlen(hex), NULL, &len, NULL) == 0 &&
        len == KEY_BYTES) {
        return;
    }
    house->config.random(house->config.random_context, key, KEY_BYTES);
    (void)sodium_bin2hex(hex, sizeof(hex), key, KEY_BYTES);
    stored_or_fail(house, storage_meta_set(house->storage, where, hex));
}

static void backoff_hash(struct house *house, const char *name, char hex[STORAGE_NAME_HASH_SIZE])
{
    uint8_t key[KEY_BYTES];
    uint8_t hash[HASH_BYTES];
    backoff_key(house, key);
    (void)crypto_generichash(hash, sizeof(hash), (const uint8_t *)name, strlen(name), key,
                             sizeof(key));
    (void)sodium_bin2hex(hex, STORAGE_NAME_HASH_SIZE, hash, sizeof(hash));
}

/* The name's row, one without failures when there is none. */
static void backoff_read(struct house *house, const char *name, struct storage_backoff *backoff)
{
    struct storage_backoff none = {0};
    *backoff = none;
    backoff_hash(house, name, backoff->name_hash);
    (void)!stored(house, storage_backoff_read(house->storage, backoff->name_hash, backoff));
}

int64_t backoff_wait_s(struct house *house, const char *name)
{
    struct storage_backoff backoff;
    backoff_read(house, name, &backoff);
    int64_t max_ms = 1000 * (int64_t)house->config.limits.backoff_max_s;
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
    int64_t max_s = house->config.limits.backoff_max_s;
    int64_t wait_s = INT64_C(1) << backoff.failures;
    backoff.failures += backoff.failures < DOUBLINGS_MAX;
    backoff.until_ms = house->now_ms + 1000 * (wait_s < max_s ? wait_s : max_s);
    stored_or_fail(
        house, storage_backoff_save(house->storage, &backoff, house->config.limits.backoff_names));
}

void backoff_succeeded(struct house *house, const char *name)
{
    struct storage_backoff backoff;
    backoff_read(house, name, &backoff);
    if (backoff.failures > 0) {
        stored_or_fail(house, storage_backoff_remove(house->storage, backoff.name_hash));
    }
}
