#pragma once

#include "lobby/house/house_state.h"
#include "storage/accounts/codes.h"

/*
 * Codes that people carry from one machine to another or keep on paper, such as "BCDF-GHJK". They
 * use twenty letters: no vowels, so that no words appear, and no letters that look alike. A code
 * that adds a key has eight letters (34 bits) and lasts ten minutes. An invitation, which lets
 * somebody sign up once while registration is closed, has eight and lasts a week. A recovery code
 * has sixteen (69 bits) and does not expire. Only a hash is stored.
 */
#define CODE_INVITATION_DAYS 7
#define CODE_LETTERS_MAX 16
#define CODE_TEXT_SIZE 20 /* the length of the text, including dashes and the NUL */

/* Makes a new code for the account, which replaces its previous code. A code that adds a key is
 * valid for accounts_code_s seconds. */
void code_create(struct house *house, int64_t account, enum storage_code_purpose purpose,
                 char text[CODE_TEXT_SIZE]);

/* True when the text is a valid code, in any grouping and in upper or lower case; *account is then
 * its owner. The code stays valid until code_invalidate is called. */
bool code_find_owner(struct house *house, const char *text, enum storage_code_purpose purpose,
                     int64_t *account) MUST_CHECK;

/* Makes an invitation. */
void code_create_invitation(struct house *house, char text[CODE_TEXT_SIZE]);

/* True when the text is a valid invitation, which stays valid until code_use_invitation is called
 * with the hash that this writes. */
bool code_find_invitation(struct house *house, const char *text,
                          char hash[STORAGE_CODE_HASH_SIZE]) MUST_CHECK;
/* True until the invitation is used, by whoever typed it, or expires. */
bool code_invitation_is_valid(struct house *house, const char *hash) MUST_CHECK;
void code_use_invitation(struct house *house, const char *hash);

void code_invalidate(struct house *house, int64_t account, enum storage_code_purpose purpose);
