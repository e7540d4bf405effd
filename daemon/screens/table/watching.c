#include "daemon/screens/table/table.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/kernel/ui.h"

void watching_set_rule(struct ui *ui, const struct watch_rule *rule)
{
    screen_send_request(ui, "table_set", json_pack("{s:o}", "watch", watch_rule_to_json(rule)),
                        NULL, 0);
}

static const struct ask_key watching_keys[] = {
    {"p", N_("everybody")}, {"d", N_("a round behind")}, {"t", N_("ten moves behind")},
    {"f", N_("friends")},   {"n", N_("nobody")},         {NULL, NULL},
};

static void set_chosen_watch_policy(struct ui *ui, UNUSED void *state, const char *pressed_key)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    if (pressed_key == NULL || entered == NULL) {
        return;
    }
    struct watch_rule rule = {.policy = WATCH_PUBLIC, .talk = entered->row.watch.talk};
    if (pressed_key[0] == 'd' || pressed_key[0] == 't') {
        rule.policy = WATCH_DELAY;
        rule.moves = pressed_key[0] == 't' ? 10 : 0;
    } else if (pressed_key[0] == 'f' || pressed_key[0] == 'n') {
        rule.policy = pressed_key[0] == 'f' ? WATCH_FRIENDS : WATCH_NONE;
    }
    watching_set_rule(ui, &rule);
}

void watching_ask_who_may_watch(struct ui *ui)
{
    screen_ask_for_key(ui, _("Who may watch the game?"), watching_keys, set_chosen_watch_policy);
}
