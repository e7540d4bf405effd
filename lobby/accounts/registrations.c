#include "lobby/accounts/registrations.h"

#include "lobby/house/source.h"
#include "lobby/house/stored.h"
#include "storage/mod/penalties.h"

#include <string.h>

/* False when no account was registered from there within the hour. */
static bool registration_read(struct house *house, const char *source,
                              struct storage_registration *registration)
{
    return stored(house, storage_registration_read(house->storage, source, registration)) &&
           house->now_ms - registration->first_ms < LIMIT_REGISTRATIONS_MS;
}

static bool registration_has_room(struct house *house, const char *source, uint32_t shares)
{
    struct storage_registration registration;
    return !registration_read(house, source, &registration) ||
           registration.count < shares * house->config.limits_registrations;
}

bool registration_is_allowed(struct house *house, const char *address)
{
    char source[STORAGE_ADDRESS_SIZE];
    char net[STORAGE_ADDRESS_SIZE];
    source_of(address, source);
    return registration_has_room(house, source, 1) &&
           (!source_net(source, net) || registration_has_room(house, net, REGISTRATION_NET_SHARES));
}

/* Counts one more registration from this source or net. */
static void registration_add(struct house *house, const char source[STORAGE_ADDRESS_SIZE])
{
    struct storage_registration registration;
    if (!registration_read(house, source, &registration)) {
        registration = (struct storage_registration){.first_ms = house->now_ms};
        memcpy(registration.source, source, sizeof(registration.source));
    }
    registration.count++;
    stored_or_fail(house, storage_registration_save(house->storage, &registration));
}

void registration_count(struct house *house, const char *address)
{
    char source[STORAGE_ADDRESS_SIZE];
    char net[STORAGE_ADDRESS_SIZE];
    source_of(address, source);
    if (source_is_local(source)) {
        return;
    }
    stored_or_fail(house, storage_registrations_expire(house->storage,
                                                       house->now_ms - LIMIT_REGISTRATIONS_MS));
    registration_add(house, source);
    if (source_net(source, net)) {
        registration_add(house, net);
    }
}
