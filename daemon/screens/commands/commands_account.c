#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/kernel/ui.h"
#include "daemon/screens/model/model.h"

#include <stdio.h>
#include <string.h>

#define KEY_MAX 80 /* maximum length of a key's fingerprint in bytes */

static void show_ssh_keys(struct ui *ui, UNUSED void *state, UNUSED int64_t tag,
                          const json_t *answer)
{
    const json_t *keys = json_object_get(answer, "keys");
    size_t count = json_array_size(keys);
    if (count == 0) {
        screen_add_chat_line(ui, "%s",
                             _("Your account has no key, only a password. /key add shows a code "
                               "with which a machine can add its key."));
    }
    for (size_t i = 0; i < count; i++) {
        char fingerprint[KEY_MAX], type[KEY_MAX];
        const json_t *key = json_array_get(keys, i);
        model_read_text(json_object_get(key, "fingerprint"), fingerprint, sizeof fingerprint);
        model_read_text(json_object_get(key, "type"), type, sizeof type);
        screen_add_chat_line(ui, _("Key %zu: %s %s"), i + 1, type, fingerprint);
    }
}

static void show_code_for_new_ssh_key(struct ui *ui, UNUSED void *state, UNUSED int64_t tag,
                                      const json_t *answer)
{
    char code[KEY_MAX];
    model_read_text(json_object_get(answer, "code"), code, sizeof code);
    screen_add_chat_line(ui,
                         _("Your code is %s. It is valid for ten minutes and for one machine. From "
                           "that machine, connect as \"new\" (ssh new@ and this house), and type "
                           "the code where a name is asked for."),
                         code);
}

static void show_removed_ssh_key(struct ui *ui, UNUSED void *state, UNUSED int64_t tag,
                                 const json_t *answer)
{
    char fingerprint[KEY_MAX];
    model_read_text(json_object_get(answer, "fingerprint"), fingerprint, sizeof fingerprint);
    screen_inform(ui, _("The key %s no longer opens your account."), fingerprint);
}

static void remove_key(struct ui *ui, const char *key)
{
    screen_send_and_handle_success(ui, "key_remove", json_pack("{s:s}", "key", key),
                                   show_removed_ssh_key, 0);
}

static void remove_key_if_confirmed(struct ui *ui, UNUSED void *state, const char *answer)
{
    if (answer != NULL) {
        remove_key(ui, screen_asked_about(ui));
    }
}

static void ask_before_removing_key(struct ui *ui, const char *key)
{
    struct text question = TEXT_OF(MODEL_TEXT_MAX);
    text_format(&question, _("Remove key %.40s? It then no longer opens your account."), key);
    screen_ask_about(ui, question.at, key, remove_key_if_confirmed);
}

enum {
    KEY_LIST,
    KEY_ADD,
    KEY_REMOVE
};

static const char *const key_words[] = {
    [KEY_LIST] = "list", [KEY_ADD] = "add", [KEY_REMOVE] = "remove", NULL};

static void run_key_command(struct ui *ui, const char *args)
{
    char what[16];
    const char *key = command_read_word(args, what, sizeof what);
    switch (what[0] == '\0' ? KEY_LIST : text_find_word(key_words, what)) {
    case KEY_LIST:
        screen_send_and_handle_success(ui, "keys", NULL, show_ssh_keys, 0);
        break;
    case KEY_ADD:
        screen_send_and_handle_success(ui, "key_add", NULL, show_code_for_new_ssh_key, 0);
        break;
    case KEY_REMOVE:
        if (key[0] == '\0') {
            screen_warn(ui, "%s", _("Give the key's number from /key list: /key remove 2"));
        } else if (screen_model(ui)->you.kind == PERSON_GUEST) {
            remove_key(ui, key); /* the core explains why it does not */
        } else {
            ask_before_removing_key(ui, key);
        }
        break;
    default:
        screen_warn(ui, "%s", _("SSH keys can be listed, added and removed: /key list"));
        break;
    }
}

const struct command key_command = {
    .name = "key",
    .args = N_("list|add|remove [number]"),
    .help = N_("See, add or remove the ssh keys that open your account. /key add shows a code for "
               "your other machine; /key remove 2 removes the second key."),
    .words = key_words,
    .run = run_key_command,
};

static void make_account_a_bots(struct ui *ui, UNUSED void *state, const char *answer)
{
    if (answer != NULL) {
        screen_send_and_show_notice(
            ui, "bot_account", NULL,
            N_("This account is now a bot's: it is shown as a bot and rated among bots."));
    }
}

static void run_botaccount_command(struct ui *ui, const char *args)
{
    const struct model_you *you = &screen_model(ui)->you;
    bool is_on = command_word_is(args, N_("on"));
    if (is_on && (you->kind != PERSON_PLAYER || you->role != ROLE_PLAYER)) {
        make_account_a_bots(ui, NULL, ""); /* the core explains why it does not */
    } else if (is_on) {
        screen_ask(ui, ASK_SURE, _("A bot's account for good? This cannot be undone."), NULL,
                   make_account_a_bots);
    } else {
        screen_warn(ui, "%s",
                    _("If a program plays with this account: /botaccount on, before its first "
                      "game. This cannot be undone."));
    }
}

static const char *const botaccount_words[] = {"on", NULL};

const struct command botaccount_command = {
    .name = "botaccount",
    .args = "on",
    .help = N_("Say that a program plays with this account. Only before its first game, and for "
               "good: the account is shown as a bot and rated among bots."),
    .words = botaccount_words,
    .run = run_botaccount_command,
};
