#include "lobby/registrations.h"

#include "lobby/source.h"
#include "lobby/stored.h"
#include "storage/penalties.h"

#include <string.h>

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
    source_of(address, source);
    return !registration_read(house, source, &registration) ||
           registration.count < house->config.limits.registrations;
}

void registration_count(struct house *house, const char *address)
{
    struct storage_registration registration;
    char source[STORAGE_ADDRESS_SIZE];
    source_of(address, source);
    if (source_is_local(source)) {
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
