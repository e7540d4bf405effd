#include "lobby/accounts/accounts.h"

#include "lobby/house/parts.h"
#include "lobby/house/words.h"
#include "lobby/protocol/protocol.h"

static bool telnet_is_enabled(const struct storage_account *account)
{
    json_t *settings = json_loads(account->settings, 0, NULL);
    bool is_on = json_read_bool(settings, "telnet", false);
    json_decref(settings);
    return is_on;
}

bool telnet_sign_in_is_allowed(const struct request *request, const struct storage_account *account)
{
    if (!conn_is_telnet(request->conn)) {
        return true;
    }
    if (account->role != STORAGE_ROLE_PLAYER) {
        answer_no(request, "telnet", _("Staff cannot use telnet: use ssh."));
        return false;
    }
    if (!telnet_is_enabled(account)) {
        answer_no(request, "telnet",
                  _("This account is for ssh only. To use telnet too, connect by ssh once and "
                    "switch telnet on in the settings."));
        return false;
    }
    return true;
}
