#include "lobby/house/parts.h"

#include <stdio.h>

void house_fail(struct house *house, const char *why)
{
    if (house->failed_why[0] == '\0') {
        (void)snprintf(house->failed_why, sizeof(house->failed_why), "%s",
                       why[0] == '\0' ? "the house could not be built from its data" : why);
    }
    house->is_failed = true;
}

bool stored(struct house *house, enum storage_result result)
{
    switch (result) {
    case STORAGE_OK:
        return true;
    case STORAGE_NOT_FOUND:
    case STORAGE_TAKEN:
        break;
    case STORAGE_FULL:
        house->is_full = true;
        break;
    case STORAGE_REFUSED:
        fault_record(house, result);
        break;
    case STORAGE_IO:
    case STORAGE_CORRUPT:
    case STORAGE_LOCKED:
    case STORAGE_OLDER:
    case STORAGE_NEWER:
    case STORAGE_FOREIGN:
        house_fail(house, storage_last_failure(house->storage));
        break;
    }
    return false;
}

void stored_or_fail(struct house *house, enum storage_result result)
{
    bool is_stored = stored(house, result);
    if (!is_stored && (result == STORAGE_NOT_FOUND || result == STORAGE_TAKEN)) {
        fault_record(house, result);
    }
}

void stored_ahead(struct house *house, enum storage_result result)
{
    if (result != STORAGE_NOT_FOUND) {
        stored_or_fail(house, result);
    }
}

void stored_or_fail_item(struct house *house, const char *item_kind, int64_t item_number,
                         enum storage_result result)
{
    const struct doing was = fault_blame_item(house, item_kind, item_number);
    stored_or_fail(house, result);
    house->doing = was;
}

bool stored_can_commit(const struct house *house)
{
    return !house->is_failed && !house->is_full && !house->fault.is_met;
}
