#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/kernel/ui.h"

#include <stdio.h>
#include <string.h>

/* Stores settings with the account, if there is one. Takes over the reference to `settings`. */
static void store_settings(struct ui *ui, json_t *settings)
{
    if (ui->model->you.name[0] == '\0') {
        json_decref(settings);
        return;
    }
    ui_request(ui, "settings_set", json_pack("{s:o}", "settings", settings), NULL, 0);
}

void screen_change_settings(struct ui *ui, json_t *changes)
{
    struct settings_row *settings = &ui->model->settings;
    json_t *all = settings_row_write(settings);
    json_object_update(all, changes);
    (void)settings_row_read(all, settings);
    json_decref(all);
    if (settings->language[0] != '\0') {
        i18n_choose_language(settings->language);
    }
    ui_plain_update_mode(ui);
    ui->is_dirty = true;
    store_settings(ui, changes);
}

void screen_set_theme(struct ui *ui, enum theme_kind kind, bool is_ascii, bool has_bell)
{
    ui->theme.kind = (uint8_t)kind;
    ui->theme.is_ascii = is_ascii;
    ui->has_bell = has_bell;
    i18n_choose_letters(is_ascii);
    if (ui->display != NULL) {
        display_force_redraw(ui->display);
    }
    ui->is_dirty = true;
    store_settings(ui, json_pack("{s:s, s:b, s:b}", "theme", theme_words[kind], "ascii", is_ascii,
                                 "bell", has_bell));
}

static void apply_saved_telnet_setting(struct ui *ui, const struct ui_answer *answer)
{
    ui->model->settings.is_telnet = answer->tag != 0;
    screen_inform(ui, "%s",
                  answer->tag != 0
                      ? _("Your account can be used by telnet too: others on the network "
                          "can then read your password.")
                      : _("Your account can be used by ssh only."));
}

void screen_set_telnet_permission(struct ui *ui, bool is_on)
{
    if (ui->model->you.kind == PERSON_GUEST) {
        screen_warn(ui, "%s", _("Guests may always use telnet; this setting is for accounts."));
        return;
    }
    screen_send_and_handle_success(ui, "settings_set",
                                   json_pack("{s:{s:b}}", "settings", "telnet", is_on),
                                   apply_saved_telnet_setting, is_on);
}

void screen_set_plain_mode(struct ui *ui, bool is_on)
{
    screen_change_settings(ui, json_pack("{s:b}", "plain", is_on));
    if (!is_on && ui->plain.is_on) {
        screen_inform(
            ui, "%s",
            _("This terminal can show plain lines only; other terminals will show drawn screens."));
    }
}

void screen_set_auto_play(struct ui *ui, bool is_on)
{
    screen_change_settings(ui, json_pack("{s:b}", "auto_play", is_on));
    screen_inform(ui, "%s",
                  is_on ? _("Your last card plays itself from now on, after a moment.")
                        : _("You play your last card yourself from now on."));
}

void ui_apply_settings(struct ui *ui)
{
    const struct settings_row *settings = &ui->model->settings;
    int kind = text_find_word(theme_words, settings->theme);
    if (kind >= 0) {
        ui->theme.kind = (uint8_t)kind;
    }
    if (settings->ascii != ROW_UNSET) {
        ui->theme.is_ascii = settings->ascii || ui->setup.is_ascii;
        i18n_choose_letters(ui->theme.is_ascii);
    }
    if (settings->bell != ROW_UNSET) {
        ui->has_bell = settings->bell;
    }
    if (settings->language[0] != '\0') {
        i18n_choose_language(settings->language); /* an unknown language changes nothing */
    }
    if (settings->timezone[0] != '\0') {
        (void)zones_use(settings->timezone); /* nor does an unknown zone */
    }
    ui_plain_update_mode(ui);
    ui->is_dirty = true;
}

void screen_adopt_new_account(struct ui *ui, const json_t *you)
{
    /* Settings chosen before sign-up are stored with the new account. */
    json_t *chosen = settings_row_write(&ui->model->settings);
    model_set_own_account(ui->model, you);
    if (json_object_size(chosen) > 0) {
        screen_change_settings(ui, chosen);
    } else {
        json_decref(chosen);
    }
    ui_apply_settings(ui);
}

const struct model *screen_model(const struct ui *ui)
{
    return ui->model;
}

const struct theme *screen_theme(const struct ui *ui)
{
    return ui->plain.is_on ? &ui->plain.theme : &ui->theme;
}

int64_t screen_now_ms(const struct ui *ui)
{
    return ui->now_ms;
}

bool screen_is_plain(const struct ui *ui)
{
    return ui->plain.is_on;
}

struct lines *screen_get_plain_lines(struct ui *ui)
{
    ui->is_dirty = true;
    return &ui->plain.lines;
}

bool screen_password_length_is_valid(const struct ui *ui, const char *password)
{
    size_t len = strlen(password);
    return len >= ui->setup.password_min && len <= ui->setup.password_max;
}
