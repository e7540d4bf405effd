#include "daemon/processes/workers/workers.h"

#include "daemon/base/base.h"
#include "lobby/protocol/protocol.h"

#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define URL_MAX 1024
#define SECRET_MAX 128
#define BODY_MAX 8192
#define HEADER_MAX 128
#define STATUS_FINAL 200

struct hook_call {
    int64_t job;
    const struct hook_rules *rules;
    CURL *transfer;
    struct curl_slist *headers;
    char body[BODY_MAX + 1];
    size_t received;
    bool is_refused; /* the name resolved to an address that is not allowed */
};

/* Discards the answer to the webhook: only its status matters. Ends the call if the answer is too
 * long. */
static size_t discard_answer(UNUSED char *bytes, size_t size, size_t count, void *context)
{
    struct hook_call *call = context;
    call->received += size * count;
    return call->received > HOOK_CALL_ANSWER_MAX ? 0 : size * count;
}

static curl_socket_t open_allowed_socket(void *context, UNUSED curlsocktype purpose,
                                         struct curl_sockaddr *address)
{
    struct hook_call *call = context;
    bool is_private_allowed = call->rules->is_private_allowed;
    if (!hook_address_is_allowed(&address->addr, address->addrlen, is_private_allowed) ||
        (!is_private_allowed &&
         hook_address_is_of_this_machine(&address->addr, address->addrlen))) {
        call->is_refused = true;
        return CURL_SOCKET_BAD;
    }
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

static bool add_header(struct hook_call *call, const char *header)
{
    struct curl_slist *longer = call->rules->curl->slist_append(call->headers, header);
    if (longer != NULL) {
        call->headers = longer;
    }
    return longer != NULL;
}

static bool add_signature(struct hook_call *call, const char *secret)
{
    static const char name[] = "X-Trickhouse-Signature: sha256=";
    uint8_t signature[crypto_auth_hmacsha256_BYTES];
    char hex[2 * sizeof signature + 1];
    char header[HEADER_MAX];
    crypto_auth_hmacsha256_state state;
    crypto_auth_hmacsha256_init(&state, (const uint8_t *)secret, strlen(secret));
    crypto_auth_hmacsha256_update(&state, (const uint8_t *)call->body, strlen(call->body));
    crypto_auth_hmacsha256_final(&state, signature);
    sodium_memzero(&state, sizeof state);
    sodium_bin2hex(hex, sizeof hex, signature, sizeof signature);
    snprintf(header, sizeof header, "%s%s", name, hex);
    return add_header(call, header);
}

static bool add_headers(struct hook_call *call, const char *secret, int64_t at_s)
{
    char at[HEADER_MAX];
    char delivery[HEADER_MAX];
    snprintf(at, sizeof at, "X-Trickhouse-Timestamp: %" PRId64, at_s);
    snprintf(delivery, sizeof delivery, "X-Trickhouse-Delivery: %" PRId64, call->job);
    return add_header(call, "Content-Type: application/json") && add_header(call, "Expect:") &&
           add_header(call, at) && add_header(call, delivery) && add_signature(call, secret);
}

static bool set_curl_options(struct hook_call *call, const char *url)
{
    const struct hook_curl *curl = call->rules->curl;
    CURL *easy = call->transfer;
    const char *schemes = call->rules->is_http_allowed ? "http,https" : "https";
    long total_ms = (long)call->rules->timeout_ms;
    const struct {
        CURLoption option;
        long value;
    } numbers[] = {
        {CURLOPT_POST, 1},
        {CURLOPT_NOSIGNAL, 1},
        {CURLOPT_FOLLOWLOCATION, 0},
        {CURLOPT_FORBID_REUSE, 1},
        {CURLOPT_FRESH_CONNECT, 1},
        {CURLOPT_HTTP09_ALLOWED, 0},
        {CURLOPT_SSL_VERIFYPEER, 1},
        {CURLOPT_SSL_VERIFYHOST, 2},
        {CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2},
        {CURLOPT_TIMEOUT_MS, total_ms},
        {CURLOPT_CONNECTTIMEOUT_MS, total_ms / 2},
    };
    bool is_good = true;
    for (size_t i = 0; i < ARRAY_LEN(numbers); i++) {
        is_good =
            is_good && curl->easy_setopt(easy, numbers[i].option, numbers[i].value) == CURLE_OK;
    }
    return is_good && curl->easy_setopt(easy, CURLOPT_URL, url) == CURLE_OK &&
           curl->easy_setopt(easy, CURLOPT_PROTOCOLS_STR, schemes) == CURLE_OK &&
           curl->easy_setopt(easy, CURLOPT_PROXY, "") == CURLE_OK &&
           curl->easy_setopt(easy, CURLOPT_USERAGENT, "Trickhouse/" TRICKHOUSE_VERSION) ==
               CURLE_OK &&
           curl->easy_setopt(easy, CURLOPT_POSTFIELDS, call->body) == CURLE_OK &&
           curl->easy_setopt(easy, CURLOPT_HTTPHEADER, call->headers) == CURLE_OK &&
           curl->easy_setopt(easy, CURLOPT_WRITEFUNCTION, discard_answer) == CURLE_OK &&
           curl->easy_setopt(easy, CURLOPT_WRITEDATA, call) == CURLE_OK &&
           curl->easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open_allowed_socket) == CURLE_OK &&
           curl->easy_setopt(easy, CURLOPT_OPENSOCKETDATA, call) == CURLE_OK &&
           curl->easy_setopt(easy, CURLOPT_PRIVATE, call) == CURLE_OK;
}

static bool add_trusted_certificates(const struct hook_call *call)
{
    const struct curl_blob *blob = &call->rules->authorities;
    return blob->data == NULL ||
           call->rules->curl->easy_setopt(call->transfer, CURLOPT_CAINFO_BLOB, blob) == CURLE_OK;
}

struct hook_call *hook_call_new(const json_t *message, const struct hook_rules *rules)
{
    int64_t job, at_s;
    const char *url = json_read_text(message, "url", URL_MAX);
    const char *secret = json_read_text(message, "secret", SECRET_MAX);
    const char *body = json_read_text(message, "body", BODY_MAX);
    if (url == NULL || secret == NULL || body == NULL ||
        !json_read_number(message, "job", 1, INT64_MAX, &job) ||
        !json_read_number(message, "at_s", 0, INT64_MAX, &at_s)) {
        return NULL;
    }
    struct hook_call *call = must_allocate(sizeof(*call));
    call->job = job;
    call->rules = rules;
    snprintf(call->body, sizeof call->body, "%s", body);
    call->transfer = call->rules->curl->easy_init();
    if (call->transfer == NULL || !add_headers(call, secret, at_s) ||
        !set_curl_options(call, url) || !add_trusted_certificates(call)) {
        abort(); /* easy_init and the functions above fail only if memory runs out */
    }
    return call;
}

void hook_call_free(struct hook_call *call)
{
    if (call != NULL) {
        call->rules->curl->easy_cleanup(call->transfer);
        call->rules->curl->slist_free_all(call->headers);
        free(call);
    }
}

CURL *hook_call_get_transfer(const struct hook_call *call)
{
    return call->transfer;
}

/* Returns the word that PROTOCOL.md defines for a failure. */
static const char *choose_failure_word(const struct hook_call *call, CURLcode code)
{
    switch ((int)code) {
    case CURLE_URL_MALFORMAT:
    case CURLE_UNSUPPORTED_PROTOCOL:
        return "url";
    case CURLE_COULDNT_RESOLVE_HOST:
        return "name";
    case CURLE_COULDNT_CONNECT:
        return call->is_refused ? "address" : "connect";
    case CURLE_OPERATION_TIMEDOUT:
        return "slow";
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CERTPROBLEM:
        return "tls";
    case CURLE_SSL_CACERT_BADFILE:
        return "store";
    default:
        return "failed";
    }
}

json_t *hook_call_make_result(const struct hook_call *call, CURLcode code)
{
    long status = 0;
    (void)call->rules->curl->easy_getinfo(call->transfer, CURLINFO_RESPONSE_CODE, &status);
    if (status >= STATUS_FINAL) {
        return json_pack("{s:s, s:I, s:I}", "t", "posted", "job", (json_int_t)call->job, "status",
                         (json_int_t)status);
    }
    return json_pack("{s:s, s:I, s:s}", "t", "posted", "job", (json_int_t)call->job, "why",
                     choose_failure_word(call, code));
}
