#include "daemon/screens/kernel/ui.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/kernel/ui_state.h"
#include "lobby/protocol/protocol.h"

#include <string.h>

void ui_deliver_answer(struct ui *ui, const struct ui_request *request, bool is_ok,
                       const json_t *answer)
{
    struct ui_layer *layer = ui_find_layer(ui, request->serial);
    bool has_receiver = layer != NULL || request->serial == 0;
    void *state = layer != NULL ? layer->state : NULL;
    uint32_t before = ui_set_running_screen(ui, request->serial);
    json_decref(request->fields);
    if (has_receiver && request->answer != NULL) {
        request->answer(ui, state, request->tag, is_ok, answer);
    } else if (!is_ok) {
        screen_warn_of_refusal(ui, answer);
    } else if (has_receiver && request->result != NULL) {
        request->result(ui, state, request->tag, answer);
    } else if (request->notice != NULL) {
        screen_inform(ui, "%s", _(request->notice));
    }
    (void)ui_set_running_screen(ui, before);
}

static void handle_arrived_answer(void *context, bool is_ok, const json_t *answer)
{
    struct ui_request request = *(struct ui_request *)context;
    struct ui *ui = request.ui;
    *(struct ui_request *)context = (struct ui_request){0};
    ui->is_dirty = true;
    ui->is_urgent = true;
    const char *code = json_string_value(json_object_get(answer, "code"));
    if (!is_ok && code != NULL && strcmp(code, "step_up") == 0) {
        ui->confirm_first(ui, &request, answer);
    } else {
        ui_deliver_answer(ui, &request, is_ok, answer);
    }
    ui->go_on(ui);
}

void ui_send_request(struct ui *ui, const struct ui_request *wanted)
{
    struct ui_request *request = NULL;
    for (int i = 0; i < UI_REQUESTS_MAX && request == NULL; i++) {
        request = ui->requests[i].ui == NULL ? &ui->requests[i] : NULL;
    }
    if (request != NULL) {
        *request = *wanted;
        request->ui = ui;
        request->sent_ms = ui->now_ms;
        if (client_send_request(ui->client, wanted->type, json_incref(wanted->fields),
                                handle_arrived_answer, request)) {
            return;
        }
        *request = (struct ui_request){0};
    }
    json_decref(wanted->fields);
    screen_warn(ui, "%s", _("The house has not answered yet: wait a moment and try again."));
}

void screen_send_request(struct ui *ui, const char *type, json_t *fields, screen_answer *answer,
                         int64_t tag)
{
    ui_send_request(ui, &(struct ui_request){.serial = ui_running_screen_serial(ui),
                                             .type = type,
                                             .fields = fields,
                                             .answer = answer,
                                             .tag = tag});
}

void screen_send_and_handle_success(struct ui *ui, const char *type, json_t *fields,
                                    screen_result *result, int64_t tag)
{
    ui_send_request(ui, &(struct ui_request){.serial = ui_running_screen_serial(ui),
                                             .type = type,
                                             .fields = fields,
                                             .result = result,
                                             .tag = tag});
}

void screen_send_and_show_notice(struct ui *ui, const char *type, json_t *fields,
                                 const char *notice)
{
    ui_send_request(ui, &(struct ui_request){.serial = ui_running_screen_serial(ui),
                                             .type = type,
                                             .fields = fields,
                                             .notice = notice});
}

void ui_request(struct ui *ui, const char *type, json_t *fields, screen_answer *answer, int64_t tag)
{
    ui_send_request(
        ui, &(struct ui_request){.type = type, .fields = fields, .answer = answer, .tag = tag});
}

bool ui_layer_awaits_answer(const struct ui *ui, const struct ui_layer *layer)
{
    for (int i = 0; i < UI_REQUESTS_MAX; i++) {
        if (ui->requests[i].ui != NULL && ui->requests[i].serial == layer->serial) {
            return true;
        }
    }
    return false;
}

int64_t ui_get_oldest_request_sent_at_ms(const struct ui *ui)
{
    int64_t since = INT64_MAX;
    for (int i = 0; i < UI_REQUESTS_MAX; i++) {
        if (ui->requests[i].ui != NULL && ui->requests[i].sent_ms < since) {
            since = ui->requests[i].sent_ms;
        }
    }
    return since;
}
