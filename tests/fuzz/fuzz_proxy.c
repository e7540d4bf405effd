#include "daemon/processes/gate/gate.h"

#include "tests/fuzz/fuzz.h"

#include <string.h>

/* A proxy sends arbitrary bytes, in pieces whose size the first byte of the input sets. The reader
 * never asks for a byte beyond the longest header, and the size of the pieces changes nothing. */

/* Reads the bytes as the gate does, at most `piece` bytes at a time. Sets *client as
 * proxy_header_parse does. */
static enum proxy_header_result read_header(const uint8_t *bytes, size_t len, size_t piece,
                                            struct proxy_header *header,
                                            struct proxy_client *client)
{
    size_t missing;
    while ((missing = proxy_header_count_missing_bytes(header)) > 0 && header->len < len) {
        size_t got = missing < len - header->len ? missing : len - header->len;
        got = got < piece ? got : piece;
        fuzz_assert(header->len + missing <= PROXY_HEADER_MAX);
        memcpy(header->bytes + header->len, bytes + header->len, got);
        header->len += got;
    }
    enum proxy_header_result result = proxy_header_parse(header, client);
    fuzz_assert((missing > 0) == (result == PROXY_HEADER_INCOMPLETE));
    return result;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    if (len == 0) {
        return 0;
    }
    struct proxy_header whole = {0}, pieces = {0};
    struct proxy_client client = {0}, other = {0};
    enum proxy_header_result result =
        read_header(bytes + 1, len - 1, PROXY_HEADER_MAX, &whole, &client);
    fuzz_assert(read_header(bytes + 1, len - 1, (size_t)bytes[0] + 1, &pieces, &other) == result);
    if (result == PROXY_HEADER_COMPLETE) {
        fuzz_assert(whole.len == pieces.len);
        fuzz_assert(client.address.ss_family == AF_INET || client.address.ss_family == AF_INET6);
        fuzz_assert(client.is_encrypted == other.is_encrypted);
        fuzz_assert(memcmp(&client.address, &other.address, sizeof(client.address)) == 0);
    }
    return 0;
}
