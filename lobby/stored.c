#include "lobby/stored.h"

bool stored(struct house *house, enum storage_result result)
{
    if (result == STORAGE_FULL) {
        house->is_full = true;
    } else if (result != STORAGE_OK && result != STORAGE_NOT_FOUND && result != STORAGE_TAKEN) {
        house->is_failed = true;
    }
    return result == STORAGE_OK;
}

void stored_or_fail(struct house *house, enum storage_result result)
{
    if (!stored(house, result) && result != STORAGE_FULL) {
        house->is_failed = true;
    }
}
