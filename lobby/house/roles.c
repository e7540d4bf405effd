#include "lobby/house/parts.h"

#include "lobby/protocol/protocol.h"

const char *role_name(enum storage_role role)
{
    return row_word_of_value(&person_role_words, role);
}

const char *role_display_name(enum storage_role role)
{
    static const char *const words[] = {N_("player"), N_("mod"), N_("admin")};
    return words[role];
}

enum person_kind person_kind_of_account(enum storage_kind kind)
{
    return kind == STORAGE_BOT ? PERSON_BOT : PERSON_PLAYER;
}
