#include "lobby/persons/person_journal.h"

#include "lobby/house/journal.h"
#include "lobby/persons/persons_state.h"

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

void person_journal_sign_in(const struct house *house, const struct conn *conn, const char *method)
{
    if (conn->phase == PHASE_IN && conn->person != NULL) {
        journal_write(house, conn, "sign-in",
                      JOURNAL_PAIRS("method", method, "account", conn->person->name, "role",
                                    journal_role(conn->person->role), "transport", conn->transport,
                                    "address", conn->address));
    }
}

void person_journal(const struct house *house, const struct conn *conn, const char *event)
{
    journal_write(house, conn, event, JOURNAL_PAIRS("account", conn->person->name));
}
