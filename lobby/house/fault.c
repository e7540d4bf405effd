#include "lobby/house/parts.h"

#include <inttypes.h>
#include <stdio.h>

#define NUMBER_SIZE 24

static const char *fault_describe(const struct house *house, enum storage_result result)
{
    if (result == STORAGE_NOT_FOUND) {
        return "a required row is missing";
    }
    if (result == STORAGE_TAKEN) {
        return "a row exists already that must not exist";
    }
    return storage_last_failure(house->storage);
}

void fault_record(struct house *house, enum storage_result result)
{
    struct fault *fault = &house->fault;
    if (fault->is_met) {
        return; /* keep only the first fault: later ones may be its consequences */
    }
    fault->is_met = true;
    fault->at = house->doing;
    (void)snprintf(fault->why, sizeof(fault->why), "%s", fault_describe(house, result));
}

struct doing fault_blame_item(struct house *house, const char *item_kind, int64_t item_number)
{
    const struct doing was = house->doing;
    house->doing.item_kind = item_kind;
    house->doing.item = item_number;
    return was;
}

void fault_log(const struct house *house, const struct fault *fault, const char *part_name)
{
    char item[NUMBER_SIZE];
    char conn[NUMBER_SIZE];
    char request[NUMBER_SIZE];
    (void)snprintf(item, sizeof(item), "%" PRId64, fault->at.item);
    (void)snprintf(conn, sizeof(conn), "%" PRId64, fault->at.conn);
    (void)snprintf(request, sizeof(request), "%" PRId64, fault->at.request);
    journal_write_house_event(
        house, "fault",
        JOURNAL_PAIRS("why", fault->why, fault->at.item_kind == NULL ? "" : fault->at.item_kind,
                      fault->at.item == 0 ? NULL : item, "of", fault->at.conn == 0 ? NULL : conn,
                      "request", fault->at.request == 0 ? NULL : request, "part", part_name));
}

void fault_log_and_continue(struct house *house, const char *part_name)
{
    if (house->fault.is_met) {
        fault_log(house, &house->fault, part_name);
        house->fault.is_met = false;
    }
}
