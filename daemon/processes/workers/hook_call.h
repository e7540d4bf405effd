#ifndef DAEMON_PROCESSES_WORKERS_HOOK_CALL_H
#define DAEMON_PROCESSES_WORKERS_HOOK_CALL_H

#include "games/macros.h"

#include <curl/curl.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* One webhook being called: a POST, its signature, and what becomes of it. */
struct hook_call;

struct hook_rules {
    bool is_http_allowed;         /* unencrypted calls */
    bool is_private_allowed;      /* hook_address.h */
    uint32_t timeout_ms;          /* for all of it; half of it to connect */
    struct curl_blob authorities; /* certificates (PEM) trusted besides the system's, not copied;
                                   * `data` NULL: none */
};

#define HOOK_CALL_ANSWER_MAX 4096 /* bytes of an answer's body that are taken, and thrown away */

/* From the core's `post` (PROTOCOL.md); the rules are borrowed. NULL when it is none. The body is
 * signed with HMAC-SHA256 (RFC 2104) by the secret's text. No redirection is followed, no proxy
 * asked, no connection used twice. */
struct hook_call *hook_call_new(const json_t *message, const struct hook_rules *rules);
void hook_call_free(struct hook_call *call);

/* The transfer, for curl_multi_add_handle; its CURLOPT_PRIVATE is the call. */
CURL *hook_call_transfer(const struct hook_call *call);

/* The core's `posted` when the transfer has ended so; the caller's. */
json_t *hook_call_result(const struct hook_call *call, CURLcode code);

#endif
