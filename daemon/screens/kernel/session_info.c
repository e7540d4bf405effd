#include "daemon/screens/kernel/ui.h"

#include "daemon/screens/kernel/ui_state.h"

#include <string.h>
#include <time.h>

const struct model *screen_model(const struct ui *ui)
{
    return ui->model;
}

const struct theme *screen_theme(const struct ui *ui)
{
    return ui->plain.is_on ? &ui->plain.theme : &ui->theme;
}

const struct theme *screen_chosen_theme(const struct ui *ui)
{
    return &ui->theme;
}

int64_t screen_now_ms(const struct ui *ui)
{
    return ui->now_ms;
}

int64_t screen_unix_now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

bool screen_bell_is_on(const struct ui *ui)
{
    return ui->has_bell;
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

const struct session_info *screen_session_info(const struct ui *ui)
{
    return &ui->session;
}

bool screen_password_length_is_valid(const struct ui *ui, const char *password)
{
    size_t len = strlen(password);
    return len >= ui->session.password_min && len <= ui->session.password_max;
}
