#include "storage/mod/mod.h"

#include "storage/house/house.h"

#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD                                                                                       \
    "audit_head" /* name of the stored value that describes the newest row: "NUMBER HASH" */

#define KEY "audit_seal_key"  /* name of the stored key, in hex */
#define SEALED "audit_sealed" /* name of the number of the newest row that is sealed */
#define SEAL_MARK '#'
#define SEAL_HASH_BYTES 16
#define SEAL_SIZE (2 + 2 * SEAL_HASH_BYTES)

ROWS(audit, struct storage_audit, STORAGE_AUDIT_ALL_COLUMNS);

/* The texts that may be sealed; the last four only of some rows. */
enum {
    SEALED_ALWAYS = 2,
    SEALED_TEXTS = 6,
};

struct seals {
    uint8_t key[crypto_generichash_KEYBYTES];
    char texts[SEALED_TEXTS][SEAL_SIZE];
};

struct head {
    int64_t id;
    uint8_t hash[STORAGE_AUDIT_HASH_BYTES];
};

static void hash_number(crypto_generichash_state *state, int64_t number)
{
    uint8_t bytes[8];
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (uint8_t)((uint64_t)number >> (8 * i));
    }
    (void)crypto_generichash_update(state, bytes, sizeof bytes);
}

/* Hashes a text with its length, so that moving bytes from one text to its neighbour changes the
 * hash. */
static void hash_text(crypto_generichash_state *state, const char *text)
{
    const size_t len = text == NULL ? 0 : strlen(text);

    hash_number(state, (int64_t)len);
    if (len > 0) {
        (void)crypto_generichash_update(state, (const uint8_t *)text, len);
    }
}

/* Reads the key; zeros if there is none, since there is no row yet. */
static enum storage_result read_seal_key(struct storage *storage, struct seals *seals)
{
    char hex[STORAGE_META_SIZE] = "";
    const enum storage_result result = storage_meta_get(storage, KEY, hex);

    memset(seals->key, 0, sizeof seals->key);
    (void)sodium_hex2bin(seals->key, sizeof seals->key, hex, strlen(hex), NULL, NULL, NULL);
    return result == STORAGE_NOT_FOUND ? STORAGE_OK : result;
}

/* Makes the key before the first row. */
static enum storage_result make_seal_key(struct storage *storage, struct seals *seals)
{
    char hex[2 * sizeof seals->key + 1];

    randombytes_buf(seals->key, sizeof seals->key);
    return storage_meta_set(storage, KEY,
                            sodium_bin2hex(hex, sizeof hex, seals->key, sizeof seals->key));
}

static bool is_sealed(const char *text)
{
    return text[0] == SEAL_MARK && strlen(text) == SEAL_SIZE - 1 &&
           strspn(text + 1, "0123456789abcdef") == SEAL_SIZE - 2;
}

static const char **find_sealable_text(struct storage_audit *row, size_t index)
{
    const char **const texts[SEALED_TEXTS] = {&row->address,      &row->fingerprint,
                                              &row->arguments,    &row->target_name,
                                              &row->state_before, &row->state_after};

    return texts[index];
}

/* Puts the sealed form in the place of the first `count` texts. They are borrowed from the seals.
 */
static void seal_texts(struct seals *seals, struct storage_audit *row, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char **text = find_sealable_text(row, i);
        uint8_t hash[SEAL_HASH_BYTES];
        if (*text == NULL || (*text)[0] == '\0' || is_sealed(*text)) {
            continue;
        }
        (void)crypto_generichash(hash, sizeof hash, (const uint8_t *)*text, strlen(*text),
                                 seals->key, sizeof seals->key);
        seals->texts[i][0] = SEAL_MARK;
        (void)sodium_bin2hex(seals->texts[i] + 1, SEAL_SIZE - 1, hash, sizeof hash);
        *text = seals->texts[i];
    }
}

#define HASH(...) STORAGE_COLUMN(HASH_OF, __VA_ARGS__)
#define HASH_OF(how, type, after, last, member, column) HASH_##how(&state, row->member);
#define HASH_INTEGER hash_number
#define HASH_BORROWED hash_text

/* Hashes the row as it is once all that can be sealed in it is. */
static void hash_audit_row(struct seals *seals, const uint8_t previous[STORAGE_AUDIT_HASH_BYTES],
                           const struct storage_audit *open_row,
                           uint8_t hash[STORAGE_AUDIT_HASH_BYTES])
{
    crypto_generichash_state state;
    struct storage_audit sealed_row = *open_row;
    const struct storage_audit *row = &sealed_row;

    seal_texts(seals, &sealed_row, SEALED_TEXTS);

    (void)crypto_generichash_init(&state, NULL, 0, STORAGE_AUDIT_HASH_BYTES);
    (void)crypto_generichash_update(&state, previous, STORAGE_AUDIT_HASH_BYTES);
    STORAGE_AUDIT_ALL_COLUMNS(HASH, HASH)
    (void)crypto_generichash_final(&state, hash, STORAGE_AUDIT_HASH_BYTES);
}

/* Reads the stored head of the audit log. If none is stored, sets the number 0 and a hash of zeros.
 * If the stored text is malformed, sets a head that matches no row. */
static enum storage_result read_log_head(struct storage *storage, struct head *head)
{
    char value[STORAGE_META_SIZE];
    char *hex = NULL;
    *head = (struct head){0};
    const enum storage_result result = storage_meta_get(storage, HEAD, value);

    if (result != STORAGE_OK) {
        return result == STORAGE_NOT_FOUND ? STORAGE_OK : result;
    }
    head->id = strtoll(value, &hex, 10);
    hex += *hex == ' ';
    (void)sodium_hex2bin(head->hash, sizeof head->hash, hex, strlen(hex), NULL, NULL, NULL);
    return STORAGE_OK;
}

static enum storage_result write_log_head(struct storage *storage, const struct head *head)
{
    char hex[2 * STORAGE_AUDIT_HASH_BYTES + 1];
    char value[32 + sizeof hex];

    (void)sodium_bin2hex(hex, sizeof hex, head->hash, sizeof head->hash);
    (void)snprintf(value, sizeof value, "%" PRId64 " %s", head->id, hex);
    return storage_meta_set(storage, HEAD, value);
}

static enum storage_result insert_audit_row(struct storage *storage,
                                            const struct storage_audit *row,
                                            const struct head *previous_head,
                                            const struct head *head)
{
    struct sql q = sql_write(
        storage,
        "INSERT INTO audit (" ROW_NAMES(
            STORAGE_AUDIT_ALL_COLUMNS) ", previous, hash)"
                                       " VALUES (" ROW_PLACES(STORAGE_AUDIT_ALL_COLUMNS) ", ?, ?)");

    bind_audit(&q, row);
    sql_bind_bytes(&q, previous_head->hash, sizeof previous_head->hash);
    sql_bind_bytes(&q, head->hash, sizeof head->hash);
    return sql_run(&q);
}

enum storage_result storage_audit_add(struct storage *storage, const struct storage_audit *row,
                                      int64_t *id)
{
    struct storage_audit numbered = *row;
    struct head previous_head, head;
    struct seals seals;

    RETURN_FAILURE(read_log_head(storage, &previous_head));
    RETURN_FAILURE(previous_head.id == 0 ? make_seal_key(storage, &seals)
                                         : read_seal_key(storage, &seals));
    numbered.id = head.id = previous_head.id + 1;
    hash_audit_row(&seals, previous_head.hash, &numbered, head.hash);
    enum storage_result result = insert_audit_row(storage, &numbered, &previous_head, &head);
    if (result == STORAGE_OK) {
        result = write_log_head(storage, &head);
    }
    *id = head.id;
    return result;
}

enum storage_result storage_audit_read_next_id(struct storage *storage, int64_t *id)
{
    struct head head;
    const enum storage_result result = read_log_head(storage, &head);

    *id = head.id + 1;
    return result;
}

/* Whether the row is about an address or a key, which then are also in its other texts. */
static bool is_about_source(const struct storage_audit *row)
{
    return strcmp(row->target_type, "address") == 0 || strcmp(row->target_type, "key") == 0 ||
           strstr(row->arguments, "ip=") != NULL || strstr(row->arguments, "key=") != NULL;
}

static enum storage_result seal_row(struct storage *storage, struct seals *seals,
                                    struct storage_audit *row)
{
    seal_texts(seals, row, is_about_source(row) ? SEALED_TEXTS : SEALED_ALWAYS);
    return sql_run(SQL_WRITE(storage,
                             "UPDATE audit SET address = ?2, fingerprint = ?3, arguments = ?4,"
                             " target_name = ?5, state_before = ?6, state_after = ?7 WHERE id = ?1",
                             SQL_INT(row->id), SQL_TEXT(row->address, STORAGE_AUDIT_TEXT_SIZE),
                             SQL_TEXT(row->fingerprint, STORAGE_AUDIT_TEXT_SIZE),
                             SQL_TEXT(row->arguments, STORAGE_AUDIT_TEXT_SIZE),
                             SQL_TEXT(row->target_name, STORAGE_AUDIT_TEXT_SIZE),
                             SQL_TEXT(row->state_before, STORAGE_AUDIT_TEXT_SIZE),
                             SQL_TEXT(row->state_after, STORAGE_AUDIT_TEXT_SIZE)));
}

/* Seals a row; STORAGE_NOT_FOUND if there is none of this number that is old enough. */
static enum storage_result seal_old_row(struct storage *storage, struct seals *seals, int64_t id,
                                        int64_t before_ms)
{
    struct storage_audit row;
    enum storage_result result = STORAGE_OK;
    struct sql *q = SQL_READ(
        storage, ROW_SELECT("audit", STORAGE_AUDIT_ALL_COLUMNS) " WHERE id = ? AND at_ms < ?",
        SQL_INT(id), SQL_INT(before_ms));
    if (sql_first_row(q)) {
        take_audit(q, &row);
        result = seal_row(storage, seals, &row);
    }
    const enum storage_result read = sql_end(q);
    return read == STORAGE_OK ? result : read;
}

enum storage_result storage_audit_seal(struct storage *storage, int64_t before_ms, size_t max_rows,
                                       int64_t *count)
{
    char number[STORAGE_META_SIZE] = "0";
    struct seals seals;
    enum storage_result result = storage_meta_get(storage, SEALED, number);
    int64_t last = strtoll(number, NULL, 10);

    *count = 0;
    RETURN_FAILURE(result == STORAGE_NOT_FOUND ? STORAGE_OK : result);
    RETURN_FAILURE(read_seal_key(storage, &seals));
    while (*count < (int64_t)max_rows &&
           (result = seal_old_row(storage, &seals, last + *count + 1, before_ms)) == STORAGE_OK) {
        ++*count;
    }
    RETURN_FAILURE(result == STORAGE_NOT_FOUND ? STORAGE_OK : result);
    (void)snprintf(number, sizeof number, "%" PRId64, last + *count);
    return *count == 0 ? STORAGE_OK : storage_meta_set(storage, SEALED, number);
}

static void note_bad_row(struct storage_audit_check *check, enum storage_audit_state state,
                         int64_t id)
{
    check->state = state;
    check->bad = id;
}

/* Checks one existing row against the row before it in the log. */
static void check_audit_row(struct sql *q, struct seals *seals, int64_t wanted_id,
                            struct storage_audit_check *check)
{
    struct storage_audit row;
    uint8_t previous[STORAGE_AUDIT_HASH_BYTES], hash[STORAGE_AUDIT_HASH_BYTES];
    uint8_t real[STORAGE_AUDIT_HASH_BYTES];

    take_audit(q, &row);
    sql_read_bytes(q, previous, sizeof previous);
    sql_read_bytes(q, hash, sizeof hash);
    if (q->result != STORAGE_OK) {
        return;
    }
    hash_audit_row(seals, previous, &row, real);
    if (row.id != wanted_id) {
        note_bad_row(check, STORAGE_AUDIT_MISSING, wanted_id);
    } else if (memcmp(real, hash, sizeof real) != 0) {
        note_bad_row(check, STORAGE_AUDIT_CHANGED, wanted_id);
    } else if (memcmp(previous, check->head, sizeof previous) != 0) {
        note_bad_row(check, STORAGE_AUDIT_BROKEN, wanted_id);
    } else {
        memcpy(check->head, hash, sizeof check->head);
        check->rows++;
    }
}

static enum storage_result read_audit_row_hash(struct storage *storage, int64_t id,
                                               uint8_t hash[STORAGE_AUDIT_HASH_BYTES])
{
    struct sql *q = SQL_READ(storage, "SELECT hash FROM audit WHERE id = ?", SQL_INT(id));

    if (sql_first_row(q)) {
        sql_read_bytes(q, hash, STORAGE_AUDIT_HASH_BYTES);
    }
    return sql_end(q);
}

/* Checks that the audit log ends at the row that the stored head names. */
static enum storage_result check_log_end(struct storage *storage, int64_t last_id,
                                         struct storage_audit_check *check)
{
    struct head head;
    const enum storage_result result = read_log_head(storage, &head);

    if (result == STORAGE_OK && head.id > last_id) {
        note_bad_row(check, STORAGE_AUDIT_MISSING, last_id + 1);
    } else if (result == STORAGE_OK &&
               (head.id < last_id || memcmp(head.hash, check->head, sizeof head.hash) != 0)) {
        note_bad_row(check, STORAGE_AUDIT_BROKEN, last_id);
    }
    return result;
}

enum storage_result storage_audit_verify(struct storage *storage, int64_t from_id, int64_t max_rows,
                                         struct storage_audit_check *check)
{
    struct seals seals;

    *check = (struct storage_audit_check){0};
    RETURN_FAILURE(read_seal_key(storage, &seals));
    if (from_id > 1) {
        const enum storage_result known = read_audit_row_hash(storage, from_id - 1, check->head);
        if (known == STORAGE_NOT_FOUND) {
            note_bad_row(check, STORAGE_AUDIT_MISSING, from_id - 1);
        }
        if (known != STORAGE_OK) {
            return known == STORAGE_NOT_FOUND ? STORAGE_OK : known;
        }
    }
    struct sql *q = SQL_READ(
        storage,
        "SELECT " ROW_NAMES(STORAGE_AUDIT_ALL_COLUMNS) ", previous, hash FROM audit"
                                                       " WHERE id >= ? ORDER BY id LIMIT ?",
        SQL_INT(from_id), SQL_INT(max_rows));
    while (check->bad == 0 && sql_next_row(q)) {
        check_audit_row(q, &seals, from_id + check->rows, check);
    }
    const enum storage_result result = sql_end(q);
    if (result != STORAGE_OK || check->bad != 0) {
        return result;
    }
    if (check->rows == max_rows) {
        check->next = from_id + max_rows;
        return STORAGE_OK;
    }
    return check_log_end(storage, from_id + check->rows - 1, check);
}
