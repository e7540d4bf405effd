#include "lobby/accounts/accounts.h"

#include "lobby/house/parts.h"
#include "lobby/persons/persons.h"
#include "storage/accounts/accounts.h"

#include <stdio.h>

#define DAY_MS INT64_C(86400000)

bool former_name_is_reserved(struct house *house, const char *name, int64_t excepted_account)
{
    char skeleton[NAME_SKELETON_MAX];
    bool is_kept = false;
    name_write_skeleton(name, skeleton);
    stored_or_fail(house, storage_former_name_is_taken(house->storage, skeleton, excepted_account,
                                                       house->now_ms - FORMER_NAME_DAYS * DAY_MS,
                                                       &is_kept));
    return is_kept;
}

void former_name_reserve(struct house *house, int64_t account, const char *name)
{
    struct storage_former_name former = {.account = account, .until_ms = house->now_ms};
    (void)snprintf(former.name, sizeof(former.name), "%s", name);
    name_write_skeleton(name, former.skeleton);
    stored_or_fail(house, storage_former_name_add(house->storage, &former));
}
