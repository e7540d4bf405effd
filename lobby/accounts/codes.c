#include "lobby/accounts/accounts.h"

#include "lobby/house/parts.h"
#include "storage/mod/mod.h"

#include <sodium.h>

#define CODE_GROUP 4
#define CODE_HASH_BYTES 32

static const char code_alphabet[] = "BCDFGHJKMNPQRSTVWXYZ";

#define CODE_ALPHABET_LEN (sizeof(code_alphabet) - 1)
/* Random bytes of at least this value are drawn again, so that all letters are equally likely. */
#define CODE_BYTE_END (256 / CODE_ALPHABET_LEN * CODE_ALPHABET_LEN)

static char random_code_letter(struct house *house)
{
    uint8_t byte = 0;
    do {
        house->config.random(house->config.random_context, &byte, sizeof(byte));
    } while (byte >= CODE_BYTE_END);
    return code_alphabet[byte % CODE_ALPHABET_LEN];
}

static size_t code_length(enum storage_code_purpose purpose)
{
    return purpose == STORAGE_CODE_RECOVERY ? CODE_LETTERS_MAX : CODE_LETTERS_MAX / 2;
}

static void hash_code_letters(const char *letters, size_t len, char hash[STORAGE_CODE_HASH_SIZE])
{
    uint8_t bytes[CODE_HASH_BYTES];
    (void)crypto_generichash(bytes, sizeof(bytes), (const uint8_t *)letters, len, NULL, 0);
    (void)sodium_bin2hex(hash, STORAGE_CODE_HASH_SIZE, bytes, sizeof(bytes));
}

/* Writes the letters of a code in groups, separated by dashes. */
static void write_code_in_groups(const char *letters, size_t len, char text[CODE_TEXT_SIZE])
{
    for (size_t i = 0; i < len; i++) {
        if (i > 0 && i % CODE_GROUP == 0) {
            *text++ = '-';
        }
        *text++ = letters[i];
    }
    *text = '\0';
}

static void draw_code(struct house *house, size_t len, char text[CODE_TEXT_SIZE],
                      char hash[STORAGE_CODE_HASH_SIZE])
{
    char letters[CODE_LETTERS_MAX];
    for (size_t i = 0; i < len; i++) {
        letters[i] = random_code_letter(house);
    }
    hash_code_letters(letters, len, hash);
    write_code_in_groups(letters, len, text);
}

void code_create(struct house *house, int64_t account, enum storage_code_purpose purpose,
                 char text[CODE_TEXT_SIZE])
{
    struct storage_code code = {.account = account, .purpose = purpose, .expires_ms = INT64_MAX};
    enum storage_result result = STORAGE_TAKEN;
    size_t len = code_length(purpose);
    if (purpose == STORAGE_CODE_KEY) {
        code.expires_ms = house->now_ms + 1000 * (int64_t)house->config.accounts_code_s;
    }
    while (result == STORAGE_TAKEN) {
        draw_code(house, len, text, code.hash);
        result = storage_code_put(house->storage, &code);
    }
    stored_or_fail(house, result);
}

/* Reads the letters of a typed code; false when it does not have exactly `len` letters. */
static bool read_code_letters(const char *text, size_t len, char letters[CODE_LETTERS_MAX])
{
    size_t count = 0;
    for (; *text != '\0'; text++) {
        int c = *text >= 'a' && *text <= 'z' ? *text - 'a' + 'A' : *text;
        if (c == '-' || c == ' ') {
            continue;
        }
        if (c < 'A' || c > 'Z' || count == len) {
            return false;
        }
        letters[count++] = (char)c;
    }
    return count == len;
}

void code_create_invitation(struct house *house, char text[CODE_TEXT_SIZE])
{
    char hash[STORAGE_CODE_HASH_SIZE];
    draw_code(house, CODE_LETTERS_MAX / 2, text, hash);
    stored_or_fail(house,
                   storage_rule_set(house->storage, STORAGE_RULE_INVITED, hash,
                                    house->now_ms + CODE_INVITATION_DAYS * INT64_C(86400000)));
}

bool code_invitation_is_valid(struct house *house, const char *hash)
{
    int64_t until_ms = 0;
    stored_or_fail(house, storage_rule_read(house->storage, STORAGE_RULE_INVITED, hash, &until_ms));
    return until_ms > house->now_ms;
}

bool code_find_invitation(struct house *house, const char *text, char hash[STORAGE_CODE_HASH_SIZE])
{
    char letters[CODE_LETTERS_MAX];
    if (!read_code_letters(text, CODE_LETTERS_MAX / 2, letters)) {
        return false;
    }
    hash_code_letters(letters, CODE_LETTERS_MAX / 2, hash);
    return code_invitation_is_valid(house, hash);
}

void code_use_invitation(struct house *house, const char *hash)
{
    stored_or_fail(house, storage_rule_set(house->storage, STORAGE_RULE_INVITED, hash, 0));
}

bool code_find_owner(struct house *house, const char *text, enum storage_code_purpose purpose,
                     int64_t *account)
{
    char letters[CODE_LETTERS_MAX];
    size_t len = code_length(purpose);
    char hash[STORAGE_CODE_HASH_SIZE];
    struct storage_code code;
    if (!read_code_letters(text, len, letters)) {
        return false;
    }
    hash_code_letters(letters, len, hash);
    if (!stored(house, storage_code_find(house->storage, purpose, hash, &code)) ||
        code.expires_ms <= house->now_ms) {
        return false;
    }
    *account = code.account;
    return true;
}

void code_invalidate(struct house *house, int64_t account, enum storage_code_purpose purpose)
{
    stored_or_fail(house, storage_code_remove(house->storage, account, purpose));
}
