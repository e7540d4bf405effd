#pragma once

#include <curl/curl.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* One webhook: a POST request with a signature, and its result. */
struct hook_call;

struct hook_rules {
    bool is_http_allowed;    /* addresses may begin with http:// */
    bool is_private_allowed; /* addresses may be private (hook_address.h) */
    uint32_t timeout_ms;     /* total time; half of it may go into connecting */
    struct curl_blob
        authorities; /* additional trusted certificates (PEM), not copied; `data` NULL: none */
};

#define HOOK_CALL_ANSWER_MAX 4096 /* bytes of the answer's body that are read, and discarded */

/* Makes a call from the core's `post` (PROTOCOL.md); the rules are borrowed. Returns NULL if the
 * message is malformed. The body is signed with HMAC-SHA256 (RFC 2104), with the secret's text as
 * key. The call follows no redirection, uses no proxy and reuses no connection. */
struct hook_call *hook_call_new(const json_t *message, const struct hook_rules *rules);
void hook_call_free(struct hook_call *call);

/* Returns the call's transfer, for curl_multi_add_handle. The CURLOPT_PRIVATE of the transfer is
 * the call. */
CURL *hook_call_transfer(const struct hook_call *call);

/* Makes the `posted` message for a transfer that ended with this code; the caller owns it. */
json_t *hook_call_make_result(const struct hook_call *call, CURLcode code);
