#include "storage/sql/postgres.h"

#include "games/macros.h"

#include <ctype.h>
#include <dlfcn.h>
#include <stdio.h>
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

/* Tables that are read far more often than they change. */
static const char *const kept_tables[] = {"accounts",
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
                                          "totp"};

_Static_assert(ARRAY_LEN(kept_tables) <= KEPT_TABLES_MAX, "a set of tables has a bit for each");

const char *kept_table_at(size_t i)
{
    return i < ARRAY_LEN(kept_tables) ? kept_tables[i] : NULL;
}

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
