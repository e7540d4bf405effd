#include "tests/lobby/driver_password_job.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DRIVER_HASH_SIZE 256

/* In tests, an authenticator's code is the first letter of the secret and the number of the time
 * step. Returns the time step; 0 when the code does not belong to the secret. */
static int64_t driver_find_time_step_of_code(const char *secret, const char *code)
{
    char *end = NULL;
    int64_t step = code[0] == secret[0] && code[0] != '\0' ? strtoll(code + 1, &end, 10) : 0;
    return end != NULL && *end == '\0' ? step : 0;
}

static void driver_check_authenticator_code(struct driver *driver, const json_t *message)
{
    int64_t now = driver_read_number(message, "at_s") / 30;
    int64_t step = driver_find_time_step_of_code(driver_read_text(message, "secret"),
                                                 driver_read_text(message, "code"));
    bool is_right = step >= now - 1 && step <= now + 1;
    (void)driver_send(driver, DRIVER_AUTH,
                      "{'t':'checked','job':%" PRId64 ",'is_right':%s,'step':%" PRId64 "}",
                      driver_read_number(message, "job"), is_right ? "true" : "false", step);
}

const char *driver_make_authenticator_code(const struct driver *driver, const char *secret,
                                           int64_t steps_from_now, char code[DRIVER_CODE_SIZE])
{
    (void)snprintf(code, DRIVER_CODE_SIZE, "%c%" PRId64, secret[0],
                   driver->now_ms / 30000 + steps_from_now);
    return code;
}

static void driver_write_hash(const char *password, char hash[DRIVER_HASH_SIZE])
{
    (void)snprintf(hash, DRIVER_HASH_SIZE, "hash of %s", password);
}

void driver_password_job_do(struct driver *driver, const json_t *message)
{
    const char *type = driver_read_text(message, "t");
    int64_t job = driver_read_number(message, "job");
    char hash[DRIVER_HASH_SIZE];
    if (strcmp(type, "totp") == 0) {
        driver_check_authenticator_code(driver, message);
        return;
    }
    driver_write_hash(driver_read_text(message, "password"), hash);
    if (strcmp(type, "hash") == 0) {
        (void)driver_send(driver, DRIVER_AUTH, "{'t':'hashed','job':%" PRId64 ",'hash':'%s'}", job,
                          hash);
    } else if (strcmp(type, "check") == 0) {
        bool is_right = strcmp(driver_read_text(message, "hash"), hash) == 0;
        (void)driver_send(driver, DRIVER_AUTH, "{'t':'checked','job':%" PRId64 ",'is_right':%s}",
                          job, is_right ? "true" : "false");
    }
}
