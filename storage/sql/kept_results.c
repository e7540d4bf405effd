#include "storage/sql/kept_results.h"

#include "games/macros.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define SLOTS 4096   /* a result replaces another one in the same slot */
#define KEY_SIZE 160 /* runs with longer arguments are not kept */
#define ROWS_MAX 64  /* results with more rows are not kept */

/* Small tables that are read far more often than they change. */
static const char *const kept_tables[] = {"accounts", "meta", "ratings", "rules"};

const char *kept_table_at(size_t i)
{
    return i < ARRAY_LEN(kept_tables) ? kept_tables[i] : NULL;
}

struct kept_result {
    const struct libpq *pq;
    PGresult *result;
    unsigned users; /* the slot, if it is kept, and everybody who has it */
};

struct slot {
    struct kept_result *kept; /* NULL: the slot is free */
    unsigned statement;
    uint64_t change; /* the number of changes of its table when it was read */
    size_t key_len;
    char key[KEY_SIZE]; /* the arguments, each with its NUL */
};

struct kept_results {
    const struct libpq *pq;
    uint64_t changes[ARRAY_LEN(kept_tables)]; /* how often each table has changed */
    struct slot slots[SLOTS];
};

static bool is_of_word(char letter)
{
    return isalnum((unsigned char)letter) || letter == '_';
}

/* Whether the text has the word at this place, as a whole word. */
static bool has_word_at(const char *at, const char *word)
{
    const size_t len = strlen(word);

    return strncmp(at, word, len) == 0 && !is_of_word(at[len]);
}

static bool mentions(const char *text, const char *word)
{
    for (const char *at = strstr(text, word); at != NULL; at = strstr(at + 1, word)) {
        if ((at == text || !is_of_word(at[-1])) && has_word_at(at, word)) {
            return true;
        }
    }
    return false;
}

/* A read of one table has FROM once, then the table, then WHERE. */
static struct kept_use use_of_read(const char *text)
{
    static const char from[] = " FROM ";
    struct kept_use use = {.read = -1};
    const char *at = strstr(text, from);

    if (at == NULL) {
        return use;
    }
    at += strlen(from);
    if (strstr(at, "FROM ") != NULL) {
        return use;
    }
    for (size_t i = 0; i < ARRAY_LEN(kept_tables); i++) {
        if (has_word_at(at, kept_tables[i]) &&
            strncmp(at + strlen(kept_tables[i]), " WHERE ", strlen(" WHERE ")) == 0) {
            use.read = (int8_t)i;
        }
    }
    return use;
}

static struct kept_use use_of_write(const char *text)
{
    struct kept_use use = {.read = -1};

    for (size_t i = 0; i < ARRAY_LEN(kept_tables); i++) {
        use.written |= mentions(text, kept_tables[i]) ? UINT32_C(1) << i : 0;
    }
    return use;
}

struct kept_use kept_use_of(const char *text)
{
    if (strncmp(text, "ROLLBACK", strlen("ROLLBACK")) == 0) {
        return (struct kept_use){.read = -1, .written = UINT32_MAX};
    }
    return strncmp(text, "SELECT ", strlen("SELECT ")) == 0 ? use_of_read(text)
                                                            : use_of_write(text);
}

PGresult *kept_result_of(const struct kept_result *kept)
{
    return kept->result;
}

void kept_result_release(struct kept_result *kept)
{
    if (kept != NULL && --kept->users == 0) {
        kept->pq->PQclear(kept->result);
        free(kept);
    }
}

struct kept_results *kept_results_new(const struct libpq *pq)
{
    struct kept_results *results = calloc(1, sizeof *results);

    if (results != NULL) {
        results->pq = pq;
    }
    return results;
}

void kept_results_free(struct kept_results *results)
{
    for (size_t i = 0; results != NULL && i < SLOTS; i++) {
        kept_result_release(results->slots[i].kept);
    }
    free(results);
}

/* Writes the arguments as the key of a slot. Returns its length, or 0 if they are too long. */
static size_t write_key(const struct kept_run *run, char key[KEY_SIZE])
{
    size_t len = 0;

    for (int i = 0; i < run->count; i++) {
        const char *argument = run->arguments[i];
        const size_t size = argument == NULL ? 0 : strlen(argument) + 1;
        if (len + 1 + size > KEY_SIZE) {
            return 0;
        }
        key[len++] = argument == NULL ? 'n' : 'v';
        if (argument != NULL) {
            memcpy(&key[len], argument, size);
        }
        len += size;
    }
    return len;
}

/* FNV-1a */
static struct slot *find_slot(struct kept_results *results, const struct kept_run *run,
                              const char *key, size_t len)
{
    uint64_t hash = UINT64_C(14695981039346656037) ^ run->statement;

    for (size_t i = 0; i < len; i++) {
        hash = (hash ^ (unsigned char)key[i]) * UINT64_C(1099511628211);
    }
    return &results->slots[(hash ^ hash >> 32) % SLOTS];
}

struct kept_result *kept_results_find(struct kept_results *results, const struct kept_run *run)
{
    char key[KEY_SIZE];
    const size_t len = write_key(run, key);
    struct slot *slot = find_slot(results, run, key, len);

    if (len == 0 || slot->kept == NULL || slot->statement != run->statement ||
        slot->change != results->changes[run->table] || slot->key_len != len ||
        memcmp(slot->key, key, len) != 0) {
        return NULL;
    }
    slot->kept->users++;
    return slot->kept;
}

struct kept_result *kept_results_keep(struct kept_results *results, const struct kept_run *run,
                                      PGresult *result)
{
    char key[KEY_SIZE];
    const size_t len = write_key(run, key);
    struct kept_result *kept = calloc(1, sizeof *kept);

    if (kept == NULL) {
        return NULL;
    }
    *kept = (struct kept_result){.pq = results->pq, .result = result, .users = 1};
    if (len > 0 && results->pq->PQntuples(result) <= ROWS_MAX) {
        struct slot *slot = find_slot(results, run, key, len);
        kept_result_release(slot->kept);
        slot->kept = kept;
        slot->statement = run->statement;
        slot->change = results->changes[run->table];
        slot->key_len = len;
        memcpy(slot->key, key, len);
        kept->users++;
    }
    return kept;
}

void kept_results_forget(struct kept_results *results, uint32_t tables)
{
    for (size_t i = 0; i < ARRAY_LEN(kept_tables); i++) {
        results->changes[i] += tables >> i & 1;
    }
}

void kept_results_forget_all(struct kept_results *results)
{
    kept_results_forget(results, UINT32_MAX);
}
