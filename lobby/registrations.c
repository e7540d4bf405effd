#include "lobby/registrations.h"

#include "lobby/memory.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct registration {
    char source[STORAGE_ADDRESS_SIZE];
    uint32_t count;
    int64_t first_ms;
};

/* The part of an address that one household has to itself. */
static void registration_source(const char *address, char source[STORAGE_ADDRESS_SIZE])
{
    static const uint8_t mapped[12] = {[10] = 0xFF, [11] = 0xFF};
    uint8_t bytes[16];
    (void)snprintf(source, STORAGE_ADDRESS_SIZE, "%s", address);
    if (inet_pton(AF_INET6, address, bytes) != 1) {
        return;
    }
    if (memcmp(bytes, mapped, sizeof(mapped)) == 0) {
        (void)inet_ntop(AF_INET, bytes + sizeof(mapped), source, STORAGE_ADDRESS_SIZE);
        return;
    }
    bool is_loopback = strcmp(address, "::1") == 0;
    memset(bytes + 8, 0, is_loopback ? 0 : 8);
    (void)inet_ntop(AF_INET6, bytes, source, STORAGE_ADDRESS_SIZE);
}

static bool registration_is_local(const char *source)
{
    return strncmp(source, "127.", 4) == 0 || strcmp(source, "::1") == 0;
}

static void registration_forget(struct house *house, struct registration *registration)
{
    index_remove(&house->registrations, registration->source, strlen(registration->source));
    free(registration);
}

static void registrations_expire(struct house *house)
{
    struct registration *registration = NULL;
    struct index_at next;
    INDEX_EACH(&house->registrations, registration, next)
    {
        if (house->now_ms - registration->first_ms >= LIMIT_REGISTRATIONS_MS) {
            registration_forget(house, registration);
        }
    }
}

static struct registration *registration_find(const struct house *house, const char *source)
{
    return index_find(&house->registrations, source, strlen(source));
}

bool registration_is_allowed(struct house *house, const char *address)
{
    char source[STORAGE_ADDRESS_SIZE];
    registrations_expire(house);
    registration_source(address, source);
    const struct registration *registration = registration_find(house, source);
    return registration == NULL || registration->count < house->config.limits.registrations;
}

void registration_count(struct house *house, const char *address)
{
    char source[STORAGE_ADDRESS_SIZE];
    registration_source(address, source);
    if (registration_is_local(source)) {
        return;
    }
    struct registration *registration = registration_find(house, source);
    if (registration == NULL) {
        registration = memory_new(sizeof(*registration));
        memcpy(registration->source, source, sizeof(registration->source));
        registration->first_ms = house->now_ms;
        index_add(&house->registrations, registration->source, strlen(registration->source),
                  registration);
    }
    registration->count++;
}

void registrations_clear(struct house *house)
{
    struct registration *registration = NULL;
    struct index_at next;
    INDEX_EACH(&house->registrations, registration, next)
    {
        registration_forget(house, registration);
    }
}
