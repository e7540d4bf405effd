#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/drawing/words.h"
#include "daemon/screens/kernel/ui.h"
#include "daemon/screens/model/model.h"

#include <stdio.h>
#include <string.h>

/* Commands for moderators. The core asks for confirmation when a command needs it. */

const struct command confirm_command = {
    .name = "confirm",
    .help = N_("Confirm who you are, before you use your staff rights."),
    .role = ROLE_MOD,
    .act = screen_ask_to_confirm_identity,
};

static void run_totp_command(struct ui *ui, const char *args)
{
    if (strcmp(args, "on") == 0) {
        screen_open(ui, "totp", 0);
    } else if (strcmp(args, "off") == 0) {
        screen_send_and_show_notice(ui, "totp_end", NULL,
                                    N_("You are no longer asked for authenticator codes."));
    } else if (screen_model(ui)->you.has_totp) {
        screen_inform(
            ui, "%s",
            _("You confirm who you are with authenticator codes. To stop that: /totp off"));
    } else {
        screen_inform(
            ui, "%s",
            _("You can confirm who you are with a phone's authenticator codes: /totp on"));
    }
}

static const char *const totp_words[] = {"on", "off", NULL};

const struct command totp_command = {
    .name = "totp",
    .args = "on|off",
    .help = N_("Confirm who you are with codes from your phone. /totp on shows a picture that the "
               "phone's authenticator app reads."),
    .role = ROLE_MOD,
    .words = totp_words,
    .run = run_totp_command,
};

/* Writes the names and ages of accounts that await approval, as many as fit: "bob (5m), eve
 * (2h)". */
static void write_pending_accounts(struct ui *ui, const json_t *accounts, struct text *out)
{
    for (size_t i = 0; i < json_array_size(accounts); i++) {
        const json_t *account = json_array_get(accounts, i);
        char name[MODEL_NAME_MAX];
        model_read_text(json_object_get(account, "name"), name, sizeof name);
        int64_t at_ms = model_read_number(json_object_get(account, "at"), screen_unix_now_ms());
        int64_t age_s = (screen_unix_now_ms() - at_ms) / 1000;
        if (out->len + MODEL_NAME_MAX + 24 > MODEL_TEXT_MAX) {
            text_put(out, ", …");
            return;
        }
        text_put(out, i > 0 ? ", " : "");
        text_put(out, name);
        text_put(out, " (");
        words_write_duration(screen_theme(ui), age_s > 0 ? age_s : 1, out);
        text_put(out, ")");
    }
}

static void show_pending_accounts(struct ui *ui, UNUSED void *state, UNUSED int64_t tag,
                                  const json_t *answer)
{
    const json_t *accounts = json_object_get(answer, "accounts");
    struct text out = TEXT_OF(MODEL_TEXT_MAX);
    if (json_array_size(accounts) == 0) {
        screen_inform(ui, "%s", _("No account awaits approval."));
        return;
    }
    write_pending_accounts(ui, accounts, &out);
    screen_add_chat_line(ui, _("Accounts that await approval by /release: %s"), out.at);
}

const struct command held_command = {
    .name = "held",
    .help = N_("List the new accounts that await approval."),
    .role = ROLE_MOD,
    .request = "held",
    .result = show_pending_accounts,
};

static void run_mod_command(struct ui *ui, const char *args)
{
    if (args[0] == '\0') {
        screen_open(ui, "mod", 0);
    } else {
        command_send_mod_command(ui, args);
    }
}

const struct command mod_command = {
    .name = "mod",
    .args = N_("[what to do]"),
    .help = N_("Open the moderators' screen. Or carry out an order: /mod kick bob shouting"),
    .role = ROLE_MOD,
    .completes = COMPLETE_COMMANDS,
    .run = run_mod_command,
};
