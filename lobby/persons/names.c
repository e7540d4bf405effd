#include "lobby/persons/names.h"

#include "lobby/persons/bot_names.h"

#include <stdio.h>
#include <string.h>

/* Reserved names: they would suggest an authority, or screens use them in place of a name. */
#define GUESTS_PREFIX "guest-"

static const char *const names_reserved[] = {
    "admin",     "administrator", "anonymous",  "bot",      "bots",     "code",       "core",
    "daemon",    "dealer",        "everybody",  "everyone", "game",     "guest",      "guests",
    "help",      "host",          "house",      "info",     "lobby",    "me",         "mod",
    "moderator", "new",           "new",        "nobody",   "none",     "null",       "operator",
    "owner",     "player",        "postmaster", "root",     "security", "server",     "spectator",
    "staff",     "support",       "sysop",      "system",   "table",    "trickhouse", "virtual",
    "visitor",   "webmaster",     "you",
};

static bool is_small_letter(char c)
{
    return c >= 'a' && c <= 'z';
}

static bool is_name_character(char c)
{
    return is_small_letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

/* Returns the letter that the text at *at looks like, and moves *at past that text. */
static char name_read_lookalike(const char **at)
{
    const char *from = *at;
    bool is_pair = (from[0] == 'r' && from[1] == 'n') || (from[0] == 'v' && from[1] == 'v');
    *at += is_pair ? 2 : 1;
    if (is_pair) {
        return from[0] == 'r' ? 'm' : 'w';
    }
    switch (from[0]) {
    case '0':
        return 'o';
    case '1':
    case 'i':
        return 'l';
    case '5':
        return 's';
    default:
        return from[0];
    }
}

void name_write_skeleton(const char *name, char out[NAME_SKELETON_MAX])
{
    size_t len = 0;
    while (*name != '\0' && len < NAME_MAX_BYTES) {
        out[len++] = name_read_lookalike(&name);
    }
    out[len] = '\0';
}

static bool name_has_skeleton(const char *skeleton, const char *name)
{
    char other_skeleton[NAME_SKELETON_MAX];
    name_write_skeleton(name, other_skeleton);
    return strcmp(skeleton, other_skeleton) == 0;
}

static bool name_is_reserved(const char *name)
{
    char skeleton[NAME_SKELETON_MAX];
    name_write_skeleton(name, skeleton);
    for (size_t i = 0; i < ARRAY_LEN(names_reserved); i++) {
        if (name_has_skeleton(skeleton, names_reserved[i])) {
            return true;
        }
    }
    for (size_t i = 0; bot_name_at(i) != NULL; i++) {
        if (name_has_skeleton(skeleton, bot_name_at(i)->name)) {
            return true;
        }
    }
    char guest[NAME_SKELETON_MAX];
    name_write_skeleton(GUESTS_PREFIX, guest);
    return strncmp(skeleton, guest, strlen(guest)) == 0;
}

bool name_is_for_guests(const char *name)
{
    return strncmp(name, GUESTS_PREFIX, strlen(GUESTS_PREFIX)) == 0;
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
    return name_is_reserved(name) ? NAME_RESERVED : NAME_OK;
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
