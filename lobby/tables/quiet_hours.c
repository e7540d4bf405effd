#include "lobby/tables/tables.h"

#include "lobby/protocol/protocol.h"

#define MINUTES_MAX 1439

bool quiet_hours_from_json(const json_t *value, struct quiet_hours *quiet)
{
    int64_t from = 0;
    int64_t to = 0;
    int64_t offset = 0;
    if (json_is_null(value)) {
        *quiet = (struct quiet_hours){0};
        return true;
    }
    if (!json_read_number(value, "from_min", 0, MINUTES_MAX, &from) ||
        !json_read_number(value, "to_min", 0, MINUTES_MAX, &to) ||
        !json_read_number(value, "offset_min", QUIET_OFFSET_MIN_MIN, QUIET_OFFSET_MAX_MIN,
                          &offset)) {
        return false;
    }
    struct quiet_hours read = {(uint16_t)from, (uint16_t)to, (int16_t)offset};
    if (!quiet_hours_are_valid(&read)) {
        return false;
    }
    *quiet = read;
    return true;
}
