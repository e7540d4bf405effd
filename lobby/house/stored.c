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

/* Records a fault: the storage returned this result for a call that must succeed. */
static void fault_record(struct house *house, enum storage_result result)
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

void journal_write(const struct house *house, const struct conn *conn, const char *event,
                   const char *const *pairs)
{
    if (house->config.log != NULL) {
        house->config.log(house->config.log_context, conn->id, event, pairs);
    }
}

void journal_write_house_event(const struct house *house, const char *event,
                               const char *const *pairs)
{
    const struct conn nobody = {0};
    journal_write(house, &nobody, event, pairs);
}

void journal_write_denied_sign_in(const struct house *house, const struct conn *conn,
                                  const char *method, const char *account, const char *why)
{
    metrics_count(house, HOUSE_METRIC_sign_ins_refused, method, why, 1);
    journal_write(
        house, conn, "denied",
        JOURNAL_PAIRS("method", method, "account", account, "why", why, "address", conn->address));
}
