#include "lobby/sanctions/sanctions.h"

#include <sodium.h>
#include <string.h>

#define PREFIX "SHA256:"
#define LETTERS 43 /* 32 bytes in base64 without padding */

bool fingerprint_is_well_formed(const char *text)
{
    const char *letters = text + strlen(PREFIX);
    unsigned char hash[crypto_hash_sha256_BYTES];
    size_t len = 0;
    return strncmp(text, PREFIX, strlen(PREFIX)) == 0 && strlen(letters) == LETTERS &&
           sodium_base642bin(hash, sizeof(hash), letters, LETTERS, NULL, &len, NULL,
                             sodium_base64_VARIANT_ORIGINAL_NO_PADDING) == 0 &&
           len == sizeof(hash);
}
