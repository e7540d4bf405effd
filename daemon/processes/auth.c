#include "daemon/processes/auth.h"

#include "daemon/base/log.h"
#include "daemon/processes/worker.h"
#include "lobby/protocol/json_read.h"

#include <errno.h>
#include <malloc.h>
#include <sodium.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define PASSES 3
#define MEMORY_BYTES (64U << 20)
#define PASSWORD_MAX 1024 /* the house allows less; this bounds the work */
#define HASH_MAX (crypto_pwhash_STRBYTES - 1)

/* Messages hold passwords: jansson's memory is wiped as it is given back. */
static void wipe_and_free(void *memory)
{
    if (memory != NULL) {
        sodium_memzero(memory, malloc_usable_size(memory));
        free(memory);
    }
}

/* Without memory for the work a wrong answer would be the only one: a new process may have more. */
static void die_of_memory(void)
{
    log_event(LOG_LEVEL_ERROR, 0, "no memory for a password's %u MiB", MEMORY_BYTES >> 20);
    exit(1);
}

static json_t *hash(json_int_t job, const char *password)
{
    char hash_text[crypto_pwhash_STRBYTES];
    if (crypto_pwhash_str(hash_text, password, strlen(password), PASSES, MEMORY_BYTES) != 0) {
        die_of_memory();
    }
    return json_pack("{s:s, s:I, s:s}", "t", "hashed", "job", job, "hash", hash_text);
}

static json_t *check(json_int_t job, const char *password, const char *hash_text)
{
    errno = 0;
    bool is_right = crypto_pwhash_str_verify(hash_text, password, strlen(password)) == 0;
    if (!is_right && errno == ENOMEM) {
        die_of_memory();
    }
    return json_pack("{s:s, s:I, s:b}", "t", "checked", "job", job, "is_right", is_right);
}

static json_t *answer(void *context, const char *type, const json_t *message)
{
    (void)context;
    int64_t job;
    const char *password = json_read_text(message, "password", PASSWORD_MAX);
    const char *hash_text = json_read_text(message, "hash", HASH_MAX);
    bool is_job = json_read_number(message, "job", 0, INT64_MAX, &job) && password != NULL;
    if (is_job && strcmp(type, "hash") == 0) {
        return hash(job, password);
    }
    if (is_job && strcmp(type, "check") == 0 && hash_text != NULL) {
        return check(job, password, hash_text);
    }
    if (strcmp(type, "welcome") != 0) {
        log_event(LOG_LEVEL_WARN, 0, "the core sent no job a password worker knows");
    }
    return NULL;
}

int auth_run(int core_socket)
{
    json_set_alloc_funcs(malloc, wipe_and_free);
    if (sodium_init() < 0) {
        log_event(LOG_LEVEL_ERROR, 0, "libsodium does not start");
        return 1;
    }
    return worker_run(core_socket, answer, NULL);
}
