#pragma once

#include "lobby/house/house_state.h"
#include "storage/accounts/codes.h"

/*
 * Codes that people carry from one machine to another or keep on paper, as "BCDF-GHJK". They use
 * twenty letters: no vowels, so that no words appear, and none that look alike. A code for adding a
 * key has eight letters (34 bits) and lasts ten minutes; a recovery code has sixteen (69 bits) and
 * does not expire. Only a hash is stored.
 */
#define CODE_LETTERS_MAX 16
#define CODE_TEXT_SIZE 20 /* with dashes and the NUL */

/* Makes a new code for the account, replacing the one before. A code for a key is valid for
 * code_s. */
void code_make(struct house *house, int64_t account, enum storage_code_purpose purpose,
               char text[CODE_TEXT_SIZE]);

/* True when the text, however its letters are grouped and written, is a valid code; *account is its
 * owner. It stays valid until code_end. */
bool code_find(struct house *house, const char *text, enum storage_code_purpose purpose,
               int64_t *account) MUST_CHECK;

void code_end(struct house *house, int64_t account, enum storage_code_purpose purpose);
