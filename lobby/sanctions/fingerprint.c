#include "lobby/sanctions/fingerprint.h"

#include <sodium.h>
#include <string.h>

#define PREFIX "SHA256:"
#define LETTERS 43 /* base64 of 32 bytes, without its padding */

bool fingerprint_is_possible(const char *text)
{
    const char *letters = text + strlen(PREFIX);
    unsigned char hash[crypto_hash_sha256_BYTES];
    size_t len = 0;
    return strncmp(text, PREFIX, strlen(PREFIX)) == 0 && strlen(letters) == LETTERS &&
           sodium_base642bin(hash, sizeof(hash), letters, LETTERS, NULL, &len, NULL,
                             sodium_base64_VARIANT_ORIGINAL_NO_PADDING) == 0 &&
           len == sizeof(hash);
}
