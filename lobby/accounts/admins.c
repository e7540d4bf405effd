#include "lobby/accounts/accounts.h"

#include "lobby/house/parts.h"
#include "lobby/sanctions/sanctions.h"

#include <string.h>

bool admins_is_first_admin_key(const struct house *house, const char *fingerprint)
{
    return fingerprint[0] != '\0' && strcmp(fingerprint, house->config.house_first_admin) == 0;
}

void admins_promote_first_admin(struct house *house)
{
    struct storage_account account;
    if (house->config.house_first_admin[0] == '\0' ||
        !stored(house, storage_account_by_key(house->storage, house->config.house_first_admin,
                                              &account)) ||
        account.role == STORAGE_ROLE_ADMIN) {
        return;
    }
    staff_set_role(house, &account, STORAGE_ROLE_ADMIN);
}

const struct part admins_part = {
    .name = "admins",
    .load_writes = true,
    .load = admins_promote_first_admin,
};
