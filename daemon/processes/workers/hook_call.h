#pragma once

#include "daemon/processes/workers/hook_curl.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* One webhook: a POST request with a signature, and its result. */
struct hook_call;

struct hook_rules {
    const struct hook_curl *curl; /* borrowed; set by hook_run */
    bool is_http_allowed;         /* web addresses may begin with http:// */
    bool is_private_allowed;      /* web addresses may lead to private networks (hook_address.h) */
    uint32_t timeout_ms;          /* time limit of a call; half of it may be spent on connecting */
    struct curl_blob
        authorities; /* additional trusted certificates (PEM), not copied; `data` NULL: none */
};

/* longest body of an answer, in bytes; the body is read and discarded, and a longer one ends the
 * call */
#define HOOK_CALL_ANSWER_MAX 4096

/* Makes a call from the core's message `post` (PROTOCOL.md); the rules are borrowed. Returns NULL
 * if the message is malformed. The body is signed with HMAC-SHA256 (RFC 2104); the key is the text
 * of the secret. The call follows no redirection, uses no proxy and reuses no connection. */
struct hook_call *hook_call_new(const json_t *message, const struct hook_rules *rules);
void hook_call_free(struct hook_call *call);

/* Returns the call's transfer, for curl_multi_add_handle. CURLOPT_PRIVATE of the transfer points to
 * the call. */
CURL *hook_call_get_transfer(const struct hook_call *call);

/* Makes the message `posted` for a transfer that ended with this code; the caller owns the
 * message. */
json_t *hook_call_make_result(const struct hook_call *call, CURLcode code);
