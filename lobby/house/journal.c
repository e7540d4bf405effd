#include "lobby/house/journal.h"

void journal_write(const struct house *house, const struct conn *conn, const char *event,
                   const char *const *pairs)
{
    if (house->config.log != NULL) {
        house->config.log(house->config.log_context, conn->id, event, pairs);
    }
}

void journal_house(const struct house *house, const char *event, const char *const *pairs)
{
    const struct conn nobody = {0};
    journal_write(house, &nobody, event, pairs);
}

static const char *journal_role(enum storage_role role)
{
    switch (role) {
    case STORAGE_ROLE_PLAYER:
        break;
    case STORAGE_ROLE_MOD:
        return "mod";
    case STORAGE_ROLE_ADMIN:
        return "admin";
    }
    return NULL;
}

void journal_sign_in(const struct house *house, const struct conn *conn, const char *method)
{
    if (conn->phase == PHASE_IN && conn->person != NULL) {
        journal_write(house, conn, "sign-in",
                      JOURNAL_PAIRS("method", method, "account", conn->person->name, "role",
                                    journal_role(conn->person->role), "transport", conn->transport,
                                    "address", conn->address));
    }
}

void journal_denied(const struct house *house, const struct conn *conn, const char *method,
                    const char *account, const char *why)
{
    journal_write(
        house, conn, "denied",
        JOURNAL_PAIRS("method", method, "account", account, "why", why, "address", conn->address));
}

void journal_person(const struct house *house, const struct conn *conn, const char *event)
{
    journal_write(house, conn, event, JOURNAL_PAIRS("account", conn->person->name));
}
