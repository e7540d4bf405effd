#include "daemon/processes/workers/workers.h"

#include "daemon/processes/common/common.h"
#include "lobby/protocol/protocol.h"

#include <curl/curl.h>
#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <sodium.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#define PORT_HTTP 80
#define PORT_HTTPS 443
#define PORT_UNPRIVILEGED 1024

#define IPV4(a, b, c, d, bits)                                                                     \
    {                                                                                              \
        {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, (a), (b), (c), (d)}, IP_NET_IPV4_BITS + (bits)  \
    }

/* Networks in the ranges of `public_nets` that are not part of the public internet. The IPv6
 * networks listed here are in 2000::/3 or contain IPv4 addresses. */
static const struct ip_net special[] = {
    IPV4(0, 0, 0, 0, 8),                  /* addresses that mean this machine or its network */
    IPV4(10, 0, 0, 0, 8),                 /* private network */
    IPV4(100, 64, 0, 0, 10),              /* shared by the customers of a carrier */
    IPV4(127, 0, 0, 0, 8),                /* loopback */
    IPV4(169, 254, 0, 0, 16),             /* link-local */
    IPV4(172, 16, 0, 0, 12),              /* private network */
    IPV4(192, 0, 0, 0, 24),               /* assigned to IETF protocols */
    IPV4(192, 0, 2, 0, 24),               /* reserved for documentation */
    IPV4(192, 88, 99, 0, 24),             /* 6to4 relays */
    IPV4(192, 168, 0, 0, 16),             /* private network */
    IPV4(198, 18, 0, 0, 15),              /* reserved for benchmarks */
    IPV4(198, 51, 100, 0, 24),            /* reserved for documentation */
    IPV4(203, 0, 113, 0, 24),             /* reserved for documentation */
    IPV4(224, 0, 0, 0, 3),                /* multicast, reserved, broadcast */
    {{0x20, 0x01, 0x00}, 23},             /* IETF protocols, Teredo */
    {{0x20, 0x01, 0x0d, 0xb8}, 32},       /* reserved for documentation */
    {{0x20, 0x02}, 16},                   /* 6to4 */
    {{0x26, 0x20, 0x00, 0x4f, 0x80}, 48}, /* AS112 */
    {{0x3f, 0xff}, 20},                   /* reserved for documentation */
};

/* Networks that are refused even where private addresses are allowed: multicast and link-local. */
static const struct ip_net always_refused[] = {
    IPV4(224, 0, 0, 0, 3), IPV4(169, 254, 0, 0, 16), {{0xff}, 8}, {{0xfe, 0x80}, 10}};

/* The address ranges of the public internet. The networks in `special` are exceptions. */
static const struct ip_net public_nets[] = {IPV4(0, 0, 0, 0, 0), {{0x20}, 3}};

/* IPv4 and IPv6 socket addresses have the port in the same place. */
static bool is_port_allowed(const struct sockaddr *address)
{
    struct sockaddr_in any;
    memcpy(&any, address, sizeof any);
    uint16_t port = ntohs(any.sin_port);
    return port == PORT_HTTP || port == PORT_HTTPS || port >= PORT_UNPRIVILEGED;
}

bool hook_address_is_allowed(const struct sockaddr *address, socklen_t len, bool is_private_allowed)
{
    uint8_t bytes[16];
    if (!ip_net_read_address(address, len, bytes)) {
        return false;
    }
    if (is_private_allowed) {
        return find_ip_net(always_refused, ARRAY_LEN(always_refused), bytes) < 0;
    }
    return is_port_allowed(address) &&
           find_ip_net(public_nets, ARRAY_LEN(public_nets), bytes) >= 0 &&
           find_ip_net(special, ARRAY_LEN(special), bytes) < 0;
}

/* Asks the kernel which address of this machine packets to `address` would come from. If the answer
 * is `address` itself, then `address` belongs to this machine. getifaddrs would need a kind of
 * socket that this process may not have. */
bool hook_address_is_of_this_machine(const struct sockaddr *address, socklen_t len)
{
    struct sockaddr_storage from = {0};
    socklen_t from_len = sizeof from;
    uint8_t to_bytes[16], from_bytes[16];
    if (!ip_net_read_address(address, len, to_bytes)) {
        return false;
    }
    int probe = socket(address->sa_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    bool is_own = probe >= 0 && connect(probe, address, len) == 0 &&
                  getsockname(probe, (struct sockaddr *)&from, &from_len) == 0 &&
                  ip_net_read_address((struct sockaddr *)&from, from_len, from_bytes) &&
                  memcmp(to_bytes, from_bytes, sizeof to_bytes) == 0;
    fd_close(probe);
    return is_own;
}

#define URL_MAX 1024
#define SECRET_MAX 128
#define BODY_MAX 8192
#define HEADER_MAX 128
#define STATUS_FINAL 200

/*
 * The functions of libcurl. It is loaded when the hook starts: it needs twenty other libraries, and
 * if the program were linked with it, each session would have their mappings, which made fork and
 * exit of a session a fifth slower.
 */
/* clang-format off */
#define CURL_FUNCTIONS(F) \
    F(global_init) F(easy_init) F(easy_setopt) F(easy_getinfo) F(easy_cleanup) F(multi_init) \
    F(multi_add_handle) F(multi_remove_handle) F(multi_perform) F(multi_poll) F(multi_info_read) \
    F(slist_append) F(slist_free_all)
/* clang-format on */

struct hook_curl {
/* NOLINTNEXTLINE(bugprone-macro-parentheses): a member has no parentheses */
#define MEMBER(name) __typeof__(curl_##name) *name;
    CURL_FUNCTIONS(MEMBER)
};

struct hook {
    const struct hook_setup *setup;
    struct hook_curl curl;
    struct curl_blob authorities; /* additional trusted certificates (PEM); `data` NULL: none */
    CURLM *multi;
    unsigned calls;
};

/* One webhook: a POST request with a signature, and its result. */
struct hook_call {
    int64_t job;
    const struct hook *hook;
    CURL *transfer; /* its CURLOPT_PRIVATE points to this call */
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
    bool is_private_allowed = call->hook->setup->rules.is_private_allowed;
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
    struct curl_slist *longer = call->hook->curl.slist_append(call->headers, header);
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
    const struct hook_curl *curl = &call->hook->curl;
    CURL *easy = call->transfer;
    const struct hook_rules *rules = &call->hook->setup->rules;
    const char *schemes = rules->is_http_allowed ? "http,https" : "https";
    long total_ms = (long)rules->timeout_ms;
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
    const struct curl_blob *blob = &call->hook->authorities;
    return blob->data == NULL ||
           call->hook->curl.easy_setopt(call->transfer, CURLOPT_CAINFO_BLOB, blob) == CURLE_OK;
}

/* Makes a call from the core's message `post` (PROTOCOL.md); the hook is borrowed. Returns NULL
 * if the message is malformed. The body is signed with HMAC-SHA256 (RFC 2104); the key is the text
 * of the secret. The call follows no redirection, uses no proxy and reuses no connection. */
static struct hook_call *hook_call_new(const struct hook *hook, const json_t *message)
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
    call->hook = hook;
    snprintf(call->body, sizeof call->body, "%s", body);
    call->transfer = call->hook->curl.easy_init();
    if (call->transfer == NULL || !add_headers(call, secret, at_s) ||
        !set_curl_options(call, url) || !add_trusted_certificates(call)) {
        abort(); /* easy_init and the functions above fail only if memory runs out */
    }
    return call;
}

static void hook_call_free(struct hook_call *call)
{
    if (call != NULL) {
        call->hook->curl.easy_cleanup(call->transfer);
        call->hook->curl.slist_free_all(call->headers);
        free(call);
    }
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

/* Makes the message `posted` for a transfer that ended with this code; the caller owns the
 * message. */
static json_t *hook_call_make_result(const struct hook_call *call, CURLcode code)
{
    long status = 0;
    (void)call->hook->curl.easy_getinfo(call->transfer, CURLINFO_RESPONSE_CODE, &status);
    if (status >= STATUS_FINAL) {
        return json_pack("{s:s, s:I, s:I}", "t", "posted", "job", (json_int_t)call->job, "status",
                         (json_int_t)status);
    }
    return json_pack("{s:s, s:I, s:s}", "t", "posted", "job", (json_int_t)call->job, "why",
                     choose_failure_word(call, code));
}

/* the library's name as the dynamic linker knows it; it changes with incompatible versions */
#define LIBRARY "libcurl.so.4"

/* Loads libcurl. Returns false, with a line on the log, if it is missing or too old. */
static bool load_curl(struct hook_curl *curl)
{
    static const struct {
        const char *name;
        size_t offset;
    } functions[] = {
#define ROW(name) {"curl_" #name, offsetof(struct hook_curl, name)},
        CURL_FUNCTIONS(ROW)};
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    bool is_whole = library != NULL;
    for (size_t i = 0; is_whole && i < ARRAY_LEN(functions); i++) {
        void *function = dlsym(library, functions[i].name);
        /* POSIX: a function pointer from dlsym has the representation of a void pointer */
        memcpy((char *)curl + functions[i].offset, &function, sizeof(function));
        is_whole = function != NULL;
    }
    if (!is_whole) {
        log_event(LOG_LEVEL_ERROR, 0, "cannot load libcurl: %s", dlerror());
    }
    return is_whole;
}

/* most webhooks sent at the same time; the core asks for far fewer, even after a restart */
#define CALLS_MAX 64
/* largest file of certificates, in bytes; the system's own file has a fifth of that */
#define AUTHORITIES_MAX (1 << 20)

/* folders that must stay readable, to resolve host names and to check certificates */
static const char *const readable[] = {"/etc",
                                       "/lib",
                                       "/lib64",
                                       "/usr/lib",
                                       "/usr/lib64",
                                       "/usr/share/ca-certificates",
                                       "/usr/local/share/ca-certificates",
                                       "/run/systemd/resolve",
                                       "/run/resolvconf",
                                       "/run/NetworkManager",
                                       NULL};

static bool change_user(const char *name)
{
    struct rights rights;
    if (geteuid() != 0) {
        return true;
    }
    if (!rights_find_user(name, &rights)) {
        errno = errno != 0 ? errno : EINVAL;
        return false;
    }
    return rights_change_user(&rights);
}

/* Gives up the rights to write files, to read files of the house, and to act as root. */
static bool confine_process(const char *user)
{
    const struct rlimit no_files = {0};
    if (IS_SANITIZED) {
        return true;
    }
    int rules = files_make_access_rules(readable);
    bool is_done = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && change_user(user) &&
                   setrlimit(RLIMIT_FSIZE, &no_files) == 0 &&
                   (rules < 0 || files_apply_access_rules(rules));
    fd_close(rules);
    return is_done;
}

char *hook_read_authorities(const char *path, size_t *len)
{
    char *text = files_read(path, AUTHORITIES_MAX, len);
    if (text == NULL || strstr(text, "-----BEGIN CERTIFICATE-----") == NULL) {
        log_event(LOG_LEVEL_ERROR, 0, "[webhook] ca_file: %s contains no certificates", path);
        free(text);
        return NULL;
    }
    return text;
}

/* Reads the file of certificates before this process is restricted and can no longer read it. */
static bool read_ca_certificates(struct hook *hook)
{
    const char *path = hook->setup->ca_file;
    if (path == NULL || path[0] == '\0') {
        return true;
    }
    struct curl_blob *blob = &hook->authorities;
    blob->data = hook_read_authorities(path, &blob->len);
    blob->flags = CURL_BLOB_NOCOPY;
    return blob->data != NULL;
}

static json_t *start_webhook_call(void *context, const json_t *message)
{
    struct hook *hook = context;
    struct hook_call *call = hook->calls < CALLS_MAX ? hook_call_new(hook, message) : NULL;
    if (call == NULL) {
        log_event(LOG_LEVEL_WARN, 0, "the core sent a malformed webhook");
        return NULL; /* without a result, the core tries again later */
    }
    if (hook->curl.multi_add_handle(hook->multi, call->transfer) != CURLM_OK) {
        abort(); /* out of memory */
    }
    hook->calls++;
    return NULL; /* send_webhooks returns the result once the call has ended */
}

static const struct worker_push pushes[] = {{"post", start_webhook_call}, {NULL, NULL}};

/* Goes on with all calls, and returns the result of one that has ended; NULL: none has. */
static json_t *send_webhooks(void *context)
{
    struct hook *hook = context;
    struct hook_call *call = NULL;
    int count;
    if (hook->curl.multi_perform(hook->multi, &count) != CURLM_OK) {
        abort(); /* out of memory, or a bug in this program */
    }
    const CURLMsg *ended = hook->curl.multi_info_read(hook->multi, &count);
    if (ended == NULL) {
        return NULL;
    }
    CURL *transfer = ended->easy_handle;
    CURLcode code = ended->data.result;
    if (hook->curl.easy_getinfo(transfer, CURLINFO_PRIVATE, &call) != CURLE_OK || call == NULL) {
        abort(); /* every transfer belongs to a call */
    }
    json_t *result = hook_call_make_result(call, code);
    hook->curl.multi_remove_handle(hook->multi, transfer);
    hook_call_free(call);
    hook->calls--;
    return result;
}

static void wait_for_core_or_webhooks(void *context)
{
    struct hook *hook = context;
    struct curl_waitfd core = {.fd = hook->setup->core_socket, .events = CURL_WAIT_POLLIN};
    if (hook->curl.multi_poll(hook->multi, &core, 1, LIFE_EVERY_MS, NULL) != CURLM_OK) {
        abort();
    }
}

static int confine_and_serve(struct hook *hook)
{
    if (!confine_process(hook->setup->user)) {
        log_failure("cannot restrict the process for webhooks");
        return 1;
    }
    /* calls that have not finished end with the process */
    return worker_run(&(struct worker){.socket = hook->setup->core_socket,
                                       .pushes = pushes,
                                       .context = hook,
                                       .metrics = &hook->setup->metrics,
                                       .work = send_webhooks,
                                       .wait = wait_for_core_or_webhooks});
}

int hook_run(const struct hook_setup *setup)
{
    struct hook hook = {.setup = setup};
    if (!load_curl(&hook.curl)) {
        return 1;
    }
    if (sodium_init() < 0 || hook.curl.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK ||
        (hook.multi = hook.curl.multi_init()) == NULL) {
        log_event(LOG_LEVEL_ERROR, 0, "the libraries for webhooks do not start");
        return 1;
    }
    int status = read_ca_certificates(&hook) ? confine_and_serve(&hook) : 1;
    free(hook.authorities.data);
    return status;
}
