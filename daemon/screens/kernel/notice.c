#include "daemon/screens/kernel/ui.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/kernel/ui_state.h"
#include "daemon/screens/model/model.h"

#include <stdarg.h>
#include <stdio.h>

static void set_notice(struct ui *ui, enum style style, const char *text)
{
    snprintf(ui->notice, sizeof ui->notice, "%s", text);
    ui->notice_style = style;
    ui->is_notice_brief = style == STYLE_WARN;
    ui->is_notice_passing = false;
    ui->is_notice_of_house = false;
    ui->is_notice_painted = false;
    ui->notice_end_ms = ui->now_ms + UI_NOTICE_MS;
    ui->is_dirty = true;
    if (ui->plain.is_on) {
        ui->notice_end_ms = 0;
        lines_put(screen_get_plain_lines(ui), text);
    }
}

void screen_inform(struct ui *ui, const char *format, ...)
{
    char text[MODEL_TEXT_MAX];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args); /* NOLINT(clang-analyzer-valist.*) */
    va_end(args);
    set_notice(ui, STYLE_NOTICE, text);
}

void screen_warn(struct ui *ui, const char *format, ...)
{
    char text[MODEL_TEXT_MAX];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args); /* NOLINT(clang-analyzer-valist.*) */
    va_end(args);
    snprintf(ui->last_warning, sizeof ui->last_warning, "%s", text);
    set_notice(ui, STYLE_WARN, text);
}

const char *screen_get_last_warning(const struct ui *ui)
{
    return ui->last_warning;
}

void screen_drop_notice_when_table_changes(struct ui *ui)
{
    ui->is_notice_passing = true;
}

void screen_keep_notice_until_read(struct ui *ui)
{
    ui->is_notice_of_house = true;
}

int64_t ui_away_notice_at_ms(const struct ui *ui)
{
    int64_t since_ms = ui->model->away_since_ms;
    return since_ms == 0 ? INT64_MAX : since_ms + UI_AWAY_MS;
}

const char *ui_away_text(void)
{
    return _("One moment… The house is coming back, and nothing is lost.");
}

void screen_warn_of_refusal(struct ui *ui, const json_t *answer)
{
    char why[MODEL_TEXT_MAX];
    model_read_sentence(answer, "why", why, sizeof why);
    screen_warn(ui, "%s", why[0] != '\0' ? why : _("That did not work."));
}

void screen_warn_of_password_length(struct ui *ui)
{
    screen_warn(ui, _("A password has %u to %u characters: a short sentence will do."),
                ui->session.password_min, ui->session.password_max);
}

/* Shows a line that was added to the chat while a screen covers the chat. Of several lines the
 * notice only says where they are. */
static void show_covered_line(struct ui *ui, const char *text)
{
    bool is_another = ui->answered_ms == ui->now_ms;
    ui->answered_ms = ui->now_ms;
    screen_inform(ui, "%s",
                  is_another ? _("The answer is in the chat: go back with q to read it.") : text);
}

void screen_add_chat_line(struct ui *ui, const char *format, ...)
{
    char text[LINES_LINE_MAX];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args); /* NOLINT(clang-analyzer-valist.*) */
    va_end(args);
    enum chat_channel room =
        ui->model->entered != NULL ? CHAT_TABLE : (enum chat_channel)screen_current_channel(ui);
    model_add_house_line(ui->model, room, text, screen_unix_now_ms());
    ui->is_dirty = true;
    if (ui->plain.is_on) {
        lines_put(screen_get_plain_lines(ui), text);
    } else if (ui->depth > 0 && !ui_top_layer(ui)->screen->shows_chat) {
        show_covered_line(ui, text);
    }
}

void screen_ring_bell(struct ui *ui)
{
    ui->is_ringing = true;
    ui->is_dirty = true;
}
