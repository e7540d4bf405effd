#include "lobby/persons/persons.h"

#include <stdio.h>
#include <string.h>

static const struct bot_name bot_names[BOT_NAMES_MAX] = {
    {"tilly", BOT_LEVEL_EASY},   {"pogo", BOT_LEVEL_EASY},       {"bumble", BOT_LEVEL_EASY},
    {"noodle", BOT_LEVEL_EASY},  {"waffle", BOT_LEVEL_EASY},     {"fidget", BOT_LEVEL_EASY},
    {"pickle", BOT_LEVEL_EASY},  {"ella", BOT_LEVEL_MEDIUM},     {"otto", BOT_LEVEL_MEDIUM},
    {"nora", BOT_LEVEL_MEDIUM},  {"hugo", BOT_LEVEL_MEDIUM},     {"ida", BOT_LEVEL_MEDIUM},
    {"emil", BOT_LEVEL_MEDIUM},  {"vera", BOT_LEVEL_MEDIUM},     {"ariadne", BOT_LEVEL_STRONG},
    {"circe", BOT_LEVEL_STRONG}, {"daedalus", BOT_LEVEL_STRONG}, {"hector", BOT_LEVEL_STRONG},
    {"minos", BOT_LEVEL_STRONG}, {"pallas", BOT_LEVEL_STRONG},   {"thales", BOT_LEVEL_STRONG},
};

const struct bot_name *bot_name_at(size_t index)
{
    return index < ARRAY_LEN(bot_names) ? &bot_names[index] : NULL;
}

enum bot_level bot_level_of_name(const char *name)
{
    for (size_t i = 0; i < ARRAY_LEN(bot_names); i++) {
        if (strcmp(bot_names[i].name, name) == 0) {
            return bot_names[i].level;
        }
    }
    return BOT_LEVEL_NONE;
}

#define SEPARATORS "-_"
#define DIGITS "0123456789"

/* Words for staff: with a separator beside them they are reserved, whatever the rest: "admin-ada".
 */
static const char *const words_of_staff[] = {
    "admin",     "administrator", "aufsicht", "leitung", "management", "manager",   "mod",
    "moderator", "official",      "operator", "owner",   "root",       "security",  "server",
    "staff",     "support",       "sysop",    "system",  "trickhouse", "verwalter", "webmaster"};

/* Words that suggest an authority, as those for staff do, alone, one after the other, and with the
 * words below and digits: "thehouse", "house-bot2", "moderators". */
static const char *const words_of_authority[] = {
    "alert", "announcement", "anonymous", "bot",        "core",       "daemon",     "dealer",
    "error", "everybody",    "everyone",  "haus",       "hausregeln", "help",       "host",
    "house", "info",         "lobby",     "moderation", "notice",     "postmaster", "regeln",
    "rule",  "rules",        "service",   "table",      "warning",    "warnung"};

static const char *const words_beside[] = {"chief", "our",  "real", "s",
                                           "super", "team", "the",  "your"};

/* Words that screens use in place of a name; with a digit they are names. */
static const char *const words_for_people[] = {
    "code", "game", "guest",  "guests",    "me",      "new",     "nobody",
    "none", "null", "player", "spectator", "virtual", "visitor", "you"};

static bool is_small_letter(char c)
{
    return c >= 'a' && c <= 'z';
}

static bool is_name_character(char c)
{
    return is_small_letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

/* Returns the letter that the text at *at looks like, and moves *at past that text and the
 * separators after it. */
static char name_read_lookalike(const char **at)
{
    static const char alike[][2] = {{'0', 'o'}, {'1', 'l'}, {'3', 'e'}, {'4', 'a'},
                                    {'5', 's'}, {'7', 't'}, {'8', 'b'}, {'i', 'l'}};
    char first = **at;
    *at += 1 + strspn(*at + 1, SEPARATORS);
    char second = **at;
    if ((first == 'r' && second == 'n') || (first == 'v' && second == 'v')) {
        *at += 1 + strspn(*at + 1, SEPARATORS);
        return first == 'r' ? 'm' : 'w';
    }
    for (size_t i = 0; i < ARRAY_LEN(alike); i++) {
        if (first == alike[i][0]) {
            return alike[i][1];
        }
    }
    return first;
}

void name_write_skeleton(const char *name, char out[NAME_SKELETON_MAX])
{
    size_t len = 0;
    name += strspn(name, SEPARATORS);
    while (*name != '\0' && len < NAME_MAX_BYTES) {
        out[len++] = name_read_lookalike(&name);
    }
    out[len] = '\0';
}

/* Returns what follows in the name after a text that looks like the word; NULL if the name does not
 * begin with such a text. */
static const char *name_skip_word(const char *name, const char *word)
{
    while (*word != '\0' && *name != '\0') {
        if (name_read_lookalike(&name) != name_read_lookalike(&word)) {
            return NULL;
        }
    }
    return *word == '\0' ? name : NULL;
}

/* What the beginning of a name can be read as. */
enum reading {
    READING_NONE = 0,
    READING_BESIDE,    /* words_beside and digits, or nothing */
    READING_AUTHORITY, /* also words of authority */
};

/* If the name can be read as `reading` up to `at`, notes how far the words lead from there. */
static void read_words(const char *name, const char *at, const char *const *words, size_t count,
                       enum reading then, enum reading reached[NAME_MAX_BYTES + 1])
{
    for (size_t i = 0; i < count; i++) {
        const char *rest = name_skip_word(at, words[i]);
        if (rest != NULL && reached[rest - name] < then) {
            reached[rest - name] = then;
        }
    }
}

/* True if the rest of a name is a word for people, or the name of a bot, maybe with digits. */
static bool is_word_for_people(const char *at)
{
    for (size_t i = 0; i < ARRAY_LEN(words_for_people); i++) {
        const char *rest = name_skip_word(at, words_for_people[i]);
        if (rest != NULL && *rest == '\0') {
            return true;
        }
    }
    for (size_t i = 0; bot_name_at(i) != NULL; i++) {
        const char *rest = name_skip_word(at, bot_name_at(i)->name);
        if (rest != NULL && rest[strspn(rest, DIGITS SEPARATORS)] == '\0') {
            return true;
        }
    }
    return false;
}

/* True if the text begins with the word, maybe with digits, and a separator or the end follows. */
static bool begins_with_whole_word(const char *text, const char *word)
{
    const char *rest = name_skip_word(text, word);
    const char *end = rest == NULL ? NULL : rest + strspn(rest, DIGITS);
    return end != NULL && (*end == '\0' || strchr(SEPARATORS, *end) != NULL ||
                           strchr(SEPARATORS, rest[-1]) != NULL);
}

/* True if a word for staff stands between separators or at an end of the name. */
static bool has_word_of_staff(const char *name)
{
    bool has_word = false;
    for (const char *at = name; *at != '\0'; at++) {
        bool is_begin = at == name || strchr(SEPARATORS, at[-1]) != NULL;
        for (size_t i = 0; is_begin && !has_word && i < ARRAY_LEN(words_of_staff); i++) {
            has_word = begins_with_whole_word(at, words_of_staff[i]);
        }
    }
    return has_word;
}

/* True if the name, at most NAME_MAX_BYTES long, consists of reserved words. */
static bool name_is_reserved(const char *name)
{
    enum reading reached[NAME_MAX_BYTES + 1] = {READING_BESIDE};
    const char *guest = name_skip_word(name, "guest");
    if (guest != NULL && (guest[-1] == '-' || guest[-1] == '_' || strspn(guest, DIGITS) > 0)) {
        return true;
    }
    const char *at = name;
    for (; *at != '\0'; at++) {
        enum reading reading = reached[at - name];
        if (reading == READING_NONE) {
            continue;
        }
        if (reading == READING_BESIDE && is_word_for_people(at)) {
            return true;
        }
        read_words(name, at, words_of_staff, ARRAY_LEN(words_of_staff), READING_AUTHORITY, reached);
        read_words(name, at, words_of_authority, ARRAY_LEN(words_of_authority), READING_AUTHORITY,
                   reached);
        read_words(name, at, words_beside, ARRAY_LEN(words_beside), reading, reached);
        size_t digits = strspn(at, DIGITS SEPARATORS);
        if (reached[at + digits - name] < reading) {
            reached[at + digits - name] = reading;
        }
    }
    return reached[at - name] == READING_AUTHORITY;
}

enum name_result name_check(const char *name)
{
    size_t len = strlen(name);
    if (len < NAME_MIN_BYTES || len > NAME_MAX_BYTES || !is_small_letter(name[0])) {
        return NAME_BAD;
    }
    for (size_t i = 1; i < len; i++) {
        if (!is_name_character(name[i])) {
            return NAME_BAD;
        }
    }
    return name_is_reserved(name) || has_word_of_staff(name) ? NAME_RESERVED : NAME_OK;
}

void name_make_valid(const char *wanted, char out[NAME_MAX_BYTES + 1])
{
    size_t len = 0;
    for (size_t i = 0; wanted[i] != '\0' && len < NAME_MAX_BYTES; i++) {
        char c = wanted[i];
        if (c >= 'A' && c <= 'Z') {
            c = (char)(c - 'A' + 'a');
        }
        if (len == 0 ? is_small_letter(c) : is_name_character(c)) {
            out[len++] = c;
        }
    }
    out[len < NAME_MIN_BYTES ? 0 : len] = '\0';
}

void name_append_number(const char *name, uint32_t number, char out[NAME_MAX_BYTES + 1])
{
    char digits[11];
    int width = snprintf(digits, sizeof(digits), "%u", number);
    (void)snprintf(out, NAME_MAX_BYTES + 1, "%.*s%s", NAME_MAX_BYTES - width, name, digits);
}
