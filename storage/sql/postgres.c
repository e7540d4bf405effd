#include "storage/sql/postgres.h"

#include "games/macros.h"

#include <assert.h>
#include <ctype.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIBRARY "libpq.so.5"

/* Finds a function of the library. POSIX makes a pointer to data of it, which C cannot convert. */
static bool find_function(void *library, const char *name, void *function, size_t size)
{
    void *found = dlsym(library, name);

    memcpy(function, &found, size);
    return found != NULL;
}

#define FIND(name) &&find_function(library, #name, &functions->name, sizeof functions->name)

static bool find_functions(void *library, struct libpq *functions)
{
    return true LIBPQ_FUNCTIONS(FIND);
}

const struct libpq *libpq_load(char *why, size_t size)
{
    static struct libpq functions;
    static bool is_loaded;

    if (!is_loaded) {
        void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
        is_loaded = library != NULL && find_functions(library, &functions);
        if (!is_loaded) {
            (void)snprintf(why, size, "PostgreSQL's library cannot be loaded: %s", dlerror());
        }
    }
    return is_loaded ? &functions : NULL;
}

#define SLOTS 16384 /* an even number; a result replaces another one if it finds no free slot */
#define ROWS_MAX 64 /* results with more rows are not kept */
#define BYTES_MAX ((size_t)32 << 20)

/* Tables that are read far more often than they change. */
static const char *const kept_tables[] = {
    "accounts",
    "channel_members",
    "chat",
    "connections",
    "friends",
    "game_seats",
    "games",
    "invitations",
    "kept_tells",
    "keys",
    "meta",
    "moves",
    "news",
    "player_times",
    "ratings",
    "regards",
    "reports",
    "rules",
    "sanctions",
    "seat_changes",
    "sanction_sources",
    "table_clocks",
    "table_seats",
    "totp",
};

_Static_assert(ARRAY_LEN(kept_tables) <= 32, "a set of tables has 32 bits");

const char *kept_table_at(size_t i)
{
    return i < ARRAY_LEN(kept_tables) ? kept_tables[i] : NULL;
}

struct slot {
    struct kept_result *kept; /* NULL: the slot is free */
    struct kept_name name;
};

struct kept_results {
    const struct libpq *pq;
    uint64_t writes;                             /* number of writes so far */
    uint64_t written_at[ARRAY_LEN(kept_tables)]; /* the number of the last write to each table */
    size_t bytes;                                /* of all that is kept */
    size_t next_emptied;                         /* the slot to be emptied next */
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

static size_t find_word_end(const char *at)
{
    size_t len = 0;

    while (is_of_word(at[len])) {
        len++;
    }
    return len;
}

/* Whether another table follows the one at this place, after a comma; the first may have another
 * name for the query. */
static bool is_in_list(const char *at)
{
    at += find_word_end(at);
    at += strspn(at, " ");
    at += find_word_end(at);
    return at[strspn(at, " ")] == ',';
}

/* Adds the table at this place, after FROM or JOIN, to the set. Returns false unless it is one
 * whose reads are kept. A query in brackets has a FROM of its own. */
static bool add_table(const char *at, uint32_t *tables)
{
    if (*at == '(') {
        return true;
    }
    for (size_t i = 0; i < ARRAY_LEN(kept_tables); i++) {
        if (has_word_at(at, kept_tables[i])) {
            *tables |= UINT32_C(1) << i;
            return !is_in_list(at);
        }
    }
    return false;
}

/* Whether the FROM at this place is that of "IS DISTINCT FROM". */
static bool is_comparison(const char *text, const char *at)
{
    static const char distinct[] = "DISTINCT ";
    const size_t len = strlen(distinct);

    return (size_t)(at - text) >= len && strncmp(at - len, distinct, len) == 0;
}

static struct kept_use use_of_read(const char *text)
{
    static const char *const words[] = {"FROM ", "JOIN "};
    struct kept_use use = {0};
    bool is_kept = true;

    for (size_t i = 0; i < ARRAY_LEN(words); i++) {
        const char *at = text;
        while (is_kept && (at = strstr(at, words[i])) != NULL) {
            is_kept = is_comparison(text, at) || add_table(at + strlen(words[i]), &use.read);
            at += strlen(words[i]);
        }
    }
    return is_kept ? use : (struct kept_use){0};
}

static struct kept_use use_of_write(const char *text)
{
    struct kept_use use = {0};

    for (size_t i = 0; i < ARRAY_LEN(kept_tables); i++) {
        use.written |= mentions(text, kept_tables[i]) ? UINT32_C(1) << i : 0;
    }
    return use;
}

struct kept_use kept_use_of(const char *text)
{
    if (strncmp(text, "ROLLBACK", strlen("ROLLBACK")) == 0) {
        return (struct kept_use){.written = UINT32_MAX};
    }
    return strncmp(text, "SELECT ", strlen("SELECT ")) == 0 ? use_of_read(text)
                                                            : use_of_write(text);
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

/* Writes the arguments as the key of a slot, each with its NUL. Returns the key's length, or 0 if
 * they are too long. */
static size_t write_key(const char *const *arguments, int count, char key[KEPT_KEY_SIZE])
{
    size_t len = 0;

    for (int i = 0; i < count; i++) {
        const char *argument = arguments[i];
        const size_t size = argument == NULL ? 0 : strlen(argument) + 1;
        if (len + 1 + size > KEPT_KEY_SIZE) {
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

bool kept_results_name(const struct kept_results *results, const char *const *arguments, int count,
                       struct kept_name *name)
{
    name->writes = results->writes;
    name->key_len = write_key(arguments, count, name->key);
    return name->key_len > 0 || count == 0;
}

/* FNV-1a. A result is kept in this slot or in its neighbour. */
static struct slot *find_slot(struct kept_results *results, const struct kept_name *name)
{
    uint64_t hash = UINT64_C(14695981039346656037) ^ name->statement;

    for (size_t i = 0; i < name->key_len; i++) {
        hash = (hash ^ (unsigned char)name->key[i]) * UINT64_C(1099511628211);
    }
    return &results->slots[(hash ^ hash >> 32) % SLOTS];
}

static bool is_unchanged(const struct kept_results *results, uint32_t tables, uint64_t since)
{
    for (size_t i = 0; i < ARRAY_LEN(kept_tables); i++) {
        if ((tables >> i & 1) != 0 && results->written_at[i] > since) {
            return false;
        }
    }
    return true;
}

static void empty_slot(struct kept_results *results, struct slot *slot)
{
    if (slot->kept != NULL) {
        results->bytes -= slot->kept->bytes;
        kept_result_release(slot->kept);
        slot->kept = NULL;
    }
}

/* Empties one slot after the other until there is room for that many bytes more. */
static void make_room(struct kept_results *results, size_t bytes)
{
    while (results->bytes > 0 && results->bytes + bytes > BYTES_MAX) {
        empty_slot(results, &results->slots[results->next_emptied]);
        results->next_emptied = (results->next_emptied + 1) % SLOTS;
    }
}

static struct slot *neighbour(struct kept_results *results, const struct slot *slot)
{
    return &results->slots[(size_t)(slot - results->slots) ^ 1];
}

/* Whether the slot has a result that is still right. */
static bool is_in_use(const struct kept_results *results, const struct slot *slot)
{
    return slot->kept != NULL && is_unchanged(results, slot->name.tables, slot->name.writes);
}

static bool has_result_of(const struct kept_results *results, const struct slot *slot,
                          const struct kept_name *name)
{
    return is_in_use(results, slot) && slot->name.statement == name->statement &&
           slot->name.key_len == name->key_len &&
           memcmp(slot->name.key, name->key, name->key_len) == 0;
}

struct kept_result *kept_results_find(struct kept_results *results, const struct kept_name *name)
{
    struct slot *slot = find_slot(results, name);

    if (!has_result_of(results, slot, name)) {
        slot = neighbour(results, slot);
    }
    if (!has_result_of(results, slot, name)) {
        return NULL;
    }
    slot->kept->users++;
    return slot->kept;
}

struct kept_result *kept_results_keep(struct kept_results *results, const struct kept_name *name,
                                      PGresult *result)
{
    struct kept_result *kept = calloc(1, sizeof *kept);

    if (kept == NULL) {
        return NULL;
    }
    *kept = (struct kept_result){.pq = results->pq,
                                 .result = result,
                                 .bytes = results->pq->PQresultMemorySize(result),
                                 .users = 1};
    if (results->pq->PQntuples(result) <= ROWS_MAX) {
        struct slot *slot = find_slot(results, name);
        slot = is_in_use(results, slot) ? neighbour(results, slot) : slot;
        empty_slot(results, slot);
        make_room(results, kept->bytes);
        results->bytes += kept->bytes;
        slot->kept = kept;
        slot->name = *name;
        kept->users++;
    }
    return kept;
}

void kept_results_forget(struct kept_results *results, uint32_t tables)
{
    results->writes += tables != 0;
    for (size_t i = 0; i < ARRAY_LEN(kept_tables); i++) {
        if ((tables >> i & 1) != 0) {
            results->written_at[i] = results->writes;
        }
    }
}

PGresult **read_ahead_add(struct read_ahead *ahead, struct kept_results *results,
                          const struct kept_name *name)
{
    assert(!read_ahead_is_full(ahead));
    struct kept_result *kept = kept_results_find(results, name);
    kept_result_release(kept);
    if (kept != NULL) {
        return NULL;
    }
    ahead->reads[ahead->count].name = *name;
    ahead->reads[ahead->count].answer = NULL;
    return &ahead->reads[ahead->count++].answer;
}

void read_ahead_keep(struct read_ahead *ahead, struct kept_results *results, const struct libpq *pq)
{
    for (size_t i = 0; i < ahead->count; i++) {
        PGresult *answer = ahead->reads[i].answer;
        struct kept_result *kept =
            answer == NULL ? NULL : kept_results_keep(results, &ahead->reads[i].name, answer);
        if (kept != NULL) {
            kept_result_release(kept);
        } else {
            pq->PQclear(answer);
        }
    }
    ahead->count = 0;
}
