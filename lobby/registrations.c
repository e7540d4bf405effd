#include "lobby/registrations.h"

#include "lobby/stored.h"
#include "storage/penalties.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

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

/* False when none was made there within the hour. */
static bool registration_read(struct house *house, const char *source,
                              struct storage_registration *registration)
{
    return stored(house, storage_registration_read(house->storage, source, registration)) &&
           house->now_ms - registration->first_ms < LIMIT_REGISTRATIONS_MS;
}

bool registration_is_allowed(struct house *house, const char *address)
{
    struct storage_registration registration;
    char source[STORAGE_ADDRESS_SIZE];
    registration_source(address, source);
    return !registration_read(house, source, &registration) ||
           registration.count < house->config.limits.registrations;
}

void registration_count(struct house *house, const char *address)
{
    struct storage_registration registration;
    char source[STORAGE_ADDRESS_SIZE];
    registration_source(address, source);
    if (registration_is_local(source)) {
        return;
    }
    if (!registration_read(house, source, &registration)) {
        registration = (struct storage_registration){.first_ms = house->now_ms};
        memcpy(registration.source, source, sizeof(registration.source));
    }
    registration.count++;
    stored_or_fail(house, storage_registrations_expire(house->storage,
                                                       house->now_ms - LIMIT_REGISTRATIONS_MS));
    stored_or_fail(house, storage_registration_save(house->storage, &registration));
}
