#include "lobby/accounts/accounts.h"

#include "lobby/house/parts.h"
#include "storage/mod/mod.h"

#include <string.h>

/* Reads how many accounts were registered from the source within the last hour; false when there
 * was none. */
static bool registration_find_recent(struct house *house, const char *source,
                                     struct storage_registration *registration)
{
    return stored(house, storage_registration_read(house->storage, source, registration)) &&
           house->now_ms - registration->first_ms < LIMIT_REGISTRATIONS_MS;
}

static bool registration_is_below_limit(struct house *house, const char *source,
                                        uint32_t limit_factor)
{
    struct storage_registration registration;
    return !registration_find_recent(house, source, &registration) ||
           registration.count < limit_factor * house->config.limits_registrations;
}

bool registration_is_allowed(struct house *house, const char *address)
{
    char source[STORAGE_ADDRESS_SIZE];
    char net[STORAGE_ADDRESS_SIZE];
    source_write_from_address(address, source);
    return registration_is_below_limit(house, source, 1) &&
           (!source_write_ipv6_network(source, net) ||
            registration_is_below_limit(house, net, REGISTRATION_NET_SHARES));
}

/* Counts one more registration from this source or network. */
static void registration_record_at_source(struct house *house,
                                          const char source[STORAGE_ADDRESS_SIZE])
{
    struct storage_registration registration;
    if (!registration_find_recent(house, source, &registration)) {
        registration = (struct storage_registration){.first_ms = house->now_ms};
        memcpy(registration.source, source, sizeof(registration.source));
    }
    registration.count++;
    stored_or_fail(house, storage_registration_save(house->storage, &registration));
}

void registrations_forget_old(struct house *house)
{
    stored_or_fail(house, storage_registrations_delete_until(
                              house->storage, house->now_ms - LIMIT_REGISTRATIONS_MS));
}

void registration_record_new_account(struct house *house, const char *address)
{
    char source[STORAGE_ADDRESS_SIZE];
    char net[STORAGE_ADDRESS_SIZE];
    source_write_from_address(address, source);
    if (source_is_local(source)) {
        return;
    }
    registrations_forget_old(house);
    registration_record_at_source(house, source);
    if (source_write_ipv6_network(source, net)) {
        registration_record_at_source(house, net);
    }
}
