#include "lobby/house/roles.h"

#include "lobby/protocol/rows.h"

#include <assert.h>

static_assert((int)ROLE_PLAYER == (int)STORAGE_ROLE_PLAYER &&
                  (int)ROLE_MOD == (int)STORAGE_ROLE_MOD &&
                  (int)ROLE_ADMIN == (int)STORAGE_ROLE_ADMIN,
              "a role has the same number in the data and in rows");

const char *role_name(enum storage_role role)
{
    return row_text(&person_role_words, role);
}

enum person_kind person_kind_of(enum storage_kind kind)
{
    return kind == STORAGE_BOT ? PERSON_BOT : PERSON_PLAYER;
}
