#include "daemon/processes/workers/workers.h"

#include "daemon/base/base.h"
#include "daemon/metrics/metrics.h"

#include <errno.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

/* most webhooks sent at the same time; the core asks for far fewer, even after a restart */
#define CALLS_MAX 64
/* largest file of certificates, in bytes; the system's own file has a fifth of that */
#define AUTHORITIES_MAX (1 << 20)

struct hook {
    const struct hook_setup *setup;
    struct worker worker;
    struct hook_rules rules;
    struct hook_curl curl;
    CURLM *multi;
    unsigned calls;
    char buffer[PACKET_MAX];
};

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
    struct curl_blob *blob = &hook->rules.authorities;
    blob->data = hook_read_authorities(path, &blob->len);
    blob->flags = CURL_BLOB_NOCOPY;
    return blob->data != NULL;
}

static json_t *start_webhook_call(void *context, const json_t *message)
{
    struct hook *hook = context;
    struct hook_call *call = hook->calls < CALLS_MAX ? hook_call_new(message, &hook->rules) : NULL;
    if (call == NULL) {
        log_event(LOG_LEVEL_WARN, 0, "the core sent a malformed webhook");
        return NULL; /* without a result, the core tries again later */
    }
    if (hook->curl.multi_add_handle(hook->multi, hook_call_get_transfer(call)) != CURLM_OK) {
        abort(); /* out of memory */
    }
    hook->calls++;
    return NULL; /* send_call_results reports the result once the call has ended */
}

static const struct worker_push pushes[] = {{"post", start_webhook_call}, {NULL, NULL}};

/* Receives the core's messages. Returns PACKET_AGAIN once no message is waiting, and any error at
 * once. */
static enum packet_result receive_messages(struct hook *hook)
{
    enum packet_result result = PACKET_OK;
    while (result == PACKET_OK) {
        size_t len;
        result = packet_receive(hook->setup->core_socket, hook->buffer, &len, NULL);
        if (result == PACKET_OK) {
            result = worker_handle_packet(&hook->worker, hook->buffer, len);
        }
    }
    return result;
}

static enum packet_result send_call_results(struct hook *hook)
{
    enum packet_result result = PACKET_OK;
    int left;
    const CURLMsg *ended;
    while (result == PACKET_OK &&
           (ended = hook->curl.multi_info_read(hook->multi, &left)) != NULL) {
        struct hook_call *call = NULL;
        CURL *transfer = ended->easy_handle;
        CURLcode code = ended->data.result;
        if (hook->curl.easy_getinfo(transfer, CURLINFO_PRIVATE, &call) != CURLE_OK ||
            call == NULL) {
            abort(); /* every transfer belongs to a call */
        }
        result = worker_send_message(&hook->worker, hook_call_make_result(call, code));
        hook->curl.multi_remove_handle(hook->multi, transfer);
        hook_call_free(call);
        hook->calls--;
    }
    return result;
}

static enum packet_result serve_core(struct hook *hook)
{
    enum packet_result result = worker_send_hello(&hook->worker);
    while (result == PACKET_OK) {
        struct curl_waitfd core = {.fd = hook->setup->core_socket, .events = CURL_WAIT_POLLIN};
        int running;
        life_give_sign(&hook->setup->metrics, LIFE_WORKS);
        if (hook->curl.multi_perform(hook->multi, &running) != CURLM_OK) {
            abort(); /* out of memory, or a bug in this program */
        }
        result = send_call_results(hook);
        life_give_sign(&hook->setup->metrics, LIFE_WAITS);
        if (result == PACKET_OK &&
            hook->curl.multi_poll(hook->multi, &core, 1, LIFE_EVERY_MS, NULL) != CURLM_OK) {
            abort();
        }
        if (result == PACKET_OK) {
            result = receive_messages(hook);
            result = result == PACKET_AGAIN ? PACKET_OK : result;
        }
    }
    return result;
}

static int confine_and_serve(struct hook *hook)
{
    if (!confine_process(hook->setup->user)) {
        log_failure("cannot restrict the process for webhooks");
        return 1;
    }
    if (serve_core(hook) == PACKET_CLOSED) {
        return 0; /* calls that have not finished end with the process */
    }
    log_event(LOG_LEVEL_ERROR, 0, "the core sent a malformed message");
    return 1;
}

int hook_run(const struct hook_setup *setup)
{
    struct hook hook = {.setup = setup, .rules = setup->rules};
    hook.worker = (struct worker){.socket = setup->core_socket,
                                  .pushes = pushes,
                                  .context = &hook,
                                  .metrics = &setup->metrics};
    hook.rules.curl = &hook.curl;
    if (!hook_curl_load(&hook.curl)) {
        return 1;
    }
    if (sodium_init() < 0 || hook.curl.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK ||
        (hook.multi = hook.curl.multi_init()) == NULL) {
        log_event(LOG_LEVEL_ERROR, 0, "the libraries for webhooks do not start");
        return 1;
    }
    int status = read_ca_certificates(&hook) ? confine_and_serve(&hook) : 1;
    free(hook.rules.authorities.data);
    return status;
}
