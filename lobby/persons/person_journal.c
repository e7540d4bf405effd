#include "lobby/persons/persons.h"

#include "lobby/house/parts.h"
#include "lobby/persons/persons_state.h"

void person_journal_log_sign_in(const struct house *house, const struct conn *conn,
                                const char *method)
{
    if (conn->phase == PHASE_IN && conn->person != NULL) {
        enum storage_role role = conn->person->role;
        metrics_count(house, HOUSE_METRIC_sign_ins, method, conn->transport, 1);
        journal_write(house, conn, "sign-in",
                      JOURNAL_PAIRS("method", method, "account", conn->person->name, "role",
                                    role == STORAGE_ROLE_PLAYER ? NULL : role_name(role),
                                    "transport", conn->transport, "address", conn->address));
    }
}

void person_journal_log_event(const struct house *house, const struct conn *conn, const char *event)
{
    journal_write(house, conn, event, JOURNAL_PAIRS("account", conn->person->name));
}
