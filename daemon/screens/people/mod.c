#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/drawing/words.h"
#include "daemon/screens/kernel/ui.h"
#include "daemon/screens/model/model.h"

#include <stdio.h>
#include <string.h>

/*
 * The moderators' screen: waiting reports above, people and recent actions below. Enter opens a
 * report with the chat before it. The person types moderation commands; some keys type the
 * beginning of a command.
 */

#define FEWEST_BELOW 6 /* minimum number of rows for people and recent actions */
#define LINE_BYTES 500
#define STATE_COLUMN 9
/* the columns from STATE_COLUMN to this one hold a report's state: "with" and a moderator's name */
#define ABOUT_COLUMN 26
#define AGE_WIDTH 4

struct desk {
    struct list list;
    json_t *data;  /* the overview's data, from the answer to the command `desk`; NULL: not arrived
                      yet */
    json_t *lines; /* the overview as lines for plain mode, from the answer to the command `desk` */
    json_t *shown; /* lines of the open report; NULL: none is open */
    int scroll;
    bool is_asked;
};

static const json_t *get_overview_list(const struct desk *desk, const char *json_key)
{
    return json_object_get(desk->data, json_key);
}

static int64_t get_selected_report_number(const struct desk *desk)
{
    const json_t *report =
        json_array_get(get_overview_list(desk, "reports"), (size_t)desk->list.selected);
    return model_read_number(json_object_get(report, "id"), 0);
}

static void replace_with_copy(json_t **place, const json_t *value)
{
    json_decref(*place);
    *place = json_deep_copy(value);
}

static void handle_overview_answer(struct ui *ui, const struct ui_answer *answer)
{
    struct desk *desk = answer->state;
    desk->is_asked = false;
    if (!answer->is_ok) {
        screen_warn_of_refusal(ui, answer);
        return;
    }
    replace_with_copy(&desk->data, json_object_get(answer->json, "data"));
    json_decref(desk->lines);
    desk->lines = core_text_translate_lines(answer->json);
    list_set_size(&desk->list, (int)json_array_size(get_overview_list(desk, "reports")),
                  desk->list.visible);
}

static void request_overview(struct ui *ui, struct desk *desk)
{
    if (!desk->is_asked) {
        desk->is_asked = true;
        screen_send_request(ui, "mod", json_pack("{s:s}", "line", "desk"), handle_overview_answer,
                            0);
    }
}

static void handle_report_answer(UNUSED struct ui *ui, const struct ui_answer *answer)
{
    struct desk *desk = answer->state;
    json_decref(desk->shown);
    desk->shown = core_text_translate_lines(answer->json);
    desk->scroll = 0;
}

static void enter_moderators_screen(struct ui *ui, void *state, UNUSED int64_t argument)
{
    struct desk *desk = state;
    desk->list.visible = 1;
    request_overview(ui, desk);
}

static void leave_moderators_screen(UNUSED struct ui *ui, void *state)
{
    struct desk *desk = state;
    json_decref(desk->data);
    json_decref(desk->lines);
    json_decref(desk->shown);
}

/* A notice has arrived: requests the overview again. Staff are notified of every moderation action,
 * so the screen may be outdated. */
static void refresh_after_notice(struct ui *ui, void *state, UNUSED const json_t *message)
{
    request_overview(ui, state);
}

static const struct screen_push desk_pushes[] = {{"notice", refresh_after_notice}, {NULL, NULL}};

/* Copies the text of a key, made safe to draw, and returns the copy. */
static const char *read_text(const json_t *object, const char *key, char out[LINE_BYTES])
{
    model_get_text(object, key, out, LINE_BYTES);
    return out;
}

/* Draws a report, and which moderator handles it. */
static void draw_report_row(const struct canvas *canvas, int row, const json_t *report,
                            bool is_selected)
{
    char staff[LINE_BYTES], about[LINE_BYTES], category[LINE_BYTES], text[LINE_BYTES];
    int width = canvas->body.width;
    enum style style = is_selected ? STYLE_SELECTED : STYLE_PLAIN;
    if (is_selected) {
        draw_filled_area(canvas, &(struct area){row, 0, 1, width}, style);
    }
    draw_formatted_text(canvas, row, 1, 8, style, "%s%5lld", is_selected ? ">" : " ",
                        (long long)model_read_number(json_object_get(report, "id"), 0));
    read_text(report, "staff", staff);
    draw_formatted_text(canvas, row, STATE_COLUMN, ABOUT_COLUMN - STATE_COLUMN - 1, style,
                        staff[0] != '\0' ? _("with %.10s") : _("open"), staff);
    draw_formatted_text(canvas, row, ABOUT_COLUMN, width - ABOUT_COLUMN - 1, style, "%s (%s): %s",
                        read_text(report, "about", about), read_text(report, "category", category),
                        read_text(report, "text", text));
}

static void draw_reports(struct desk *desk, const struct canvas *canvas, int row, int height)
{
    const json_t *reports = get_overview_list(desk, "reports");
    list_set_size(&desk->list, (int)json_array_size(reports), height);
    if (json_array_size(reports) == 0) {
        draw_text(
            canvas, row, 2, canvas->body.width - 3, STYLE_DIM,
            desk->data != NULL ? _("No report and no appeal waits.")
            : desk->is_asked
                ? _("One moment…")
                : _("Only moderators who have confirmed who they are see reports: u asks again."));
    }
    for (int i = 0; i < height && desk->list.top + i < desk->list.count; i++) {
        draw_report_row(canvas, row + i,
                        json_array_get(reports, (size_t)desk->list.top + (size_t)i),
                        desk->list.top + i == desk->list.selected);
    }
}

/* Draws the people who have flags, such as "guest" or "muted", or those who have none, from a row
 * on. Returns the row after them. */
static int draw_people_with_flags(const struct desk *desk, bool has_flags, int row,
                                  const struct canvas *canvas, const struct area *area)
{
    const json_t *people = get_overview_list(desk, "people");
    for (size_t i = 0; i < json_array_size(people) && row < area->height; i++) {
        const json_t *person = json_array_get(people, i);
        char name[LINE_BYTES], flags[LINE_BYTES];
        model_read_sentence(person, "flags", flags, sizeof flags);
        if ((flags[0] != '\0') == has_flags) {
            draw_formatted_text(canvas, area->row + row++, area->column, area->width, STYLE_PLAIN,
                                "%s%s%s", read_text(person, "name", name), has_flags ? ": " : "",
                                flags);
        }
    }
    return row;
}

/* Draws the people in the house: first those with flags, because staff look for them. */
static void draw_people(const struct desk *desk, const struct canvas *canvas,
                        const struct area *area)
{
    int row = draw_people_with_flags(desk, true, 0, canvas, area);
    (void)draw_people_with_flags(desk, false, row, canvas, area);
}

/* Draws a recent action. An actor whose name contains a blank is the owner or the house, not an
 * account, and the name is translated. */
static void draw_recent_action(struct ui *ui, const json_t *deed, const struct canvas *canvas,
                               const struct area *row)
{
    char actor[LINE_BYTES], verb[LINE_BYTES], target[LINE_BYTES], reason[LINE_BYTES];
    char result[LINE_BYTES];
    struct text age = TEXT_OF(24), done = TEXT_OF((size_t)2 * LINE_BYTES);
    int64_t at_ms = model_read_number(json_object_get(deed, "at"), 0);
    int64_t age_s = (clock_unix_ms() - at_ms) / 1000;
    bool is_done = strcmp(read_text(deed, "result", result), "ok") == 0;
    text_format(&done,
                is_done                         ? "%s"
                : strcmp(result, "denied") == 0 ? _("%s (refused)")
                                                : _("%s (failed)"),
                read_text(deed, "verb", verb));
    read_text(deed, "actor", actor);
    read_text(deed, "target", target);
    read_text(deed, "reason", reason);
    draw_text_right_aligned(canvas, row->row, row->column, AGE_WIDTH, STYLE_DIM,
                            words_write_duration(screen_theme(ui), age_s > 0 ? age_s : 1, &age));
    draw_formatted_text(canvas, row->row, row->column + AGE_WIDTH + 1, row->width - AGE_WIDTH - 1,
                        is_done ? STYLE_PLAIN : STYLE_DIM, "%s: %s%s%s%s%s",
                        strchr(actor, ' ') != NULL ? _(actor) : actor, done.at,
                        target[0] != '\0' ? " " : "", target, reason[0] != '\0' ? ", " : "",
                        reason);
}

static void draw_open_report(const struct desk *desk, const struct canvas *canvas)
{
    const struct area *body = &canvas->body;
    int row = 2 - desk->scroll;
    for (size_t i = 0; i < json_array_size(desk->shown); i++) {
        const json_t *text = json_array_get(desk->shown, i);
        char line[LINE_BYTES];
        struct area area = {body->row + row, 1, body->height - row, body->width - 2};
        drawable_copy_text(text, line, sizeof line);
        int height = draw_wrapped_text(NULL, &area, STYLE_PLAIN, line, 0, 2);
        if (row >= 1 && row < body->height) {
            draw_wrapped_text(canvas, &area, STYLE_PLAIN, line, 0, 2);
        }
        row += height;
    }
}

static void draw_overview_header(const struct desk *desk, const struct canvas *canvas)
{
    char reports[64], facts[128];
    size_t waiting = json_array_size(get_overview_list(desk, "reports"));
    size_t people = json_array_size(get_overview_list(desk, "people"));
    snprintf(reports, sizeof reports,
             ngettext("%zu report or appeal waits", "%zu reports and appeals wait", waiting),
             waiting);
    snprintf(facts, sizeof facts, _("%s · %zu here"), reports, people);
    draw_header(canvas, _("Moderators"), desk->data != NULL ? facts : "");
}

static void draw_moderators_screen(struct ui *ui, void *state, const struct canvas *canvas)
{
    struct desk *desk = state;
    const struct area *body = &canvas->body;
    if (desk->shown != NULL) {
        draw_header(canvas, _("Moderators"), _("a report or an appeal"));
        draw_open_report(desk, canvas);
        return;
    }
    draw_overview_header(desk, canvas);
    int below = body->height / 2 > FEWEST_BELOW ? body->height / 2 : FEWEST_BELOW;
    int middle = body->row + body->height - below;
    int half = body->width / 3;
    draw_text(canvas, body->row + 2, 1, body->width - 2, STYLE_TITLE,
              _("Open reports and appeals"));
    draw_reports(desk, canvas, body->row + 3, middle - body->row - 4);
    draw_text(canvas, middle, 1, half - 2, STYLE_TITLE, _("Here now"));
    draw_text(canvas, middle, half, body->width - half, STYLE_TITLE, _("Recent actions"));
    struct area people = {middle + 1, 2, below - 1, half - 3};
    struct area deeds = {middle + 1, half, below - 1, body->width - half - 1};
    draw_people(desk, canvas, &people);
    for (int i = 0; i < deeds.height; i++) {
        const json_t *deed = json_array_get(get_overview_list(desk, "deeds"), (size_t)i);
        if (deed != NULL) {
            struct area row = {deeds.row + i, deeds.column, 1, deeds.width};
            draw_recent_action(ui, deed, canvas, &row);
        }
    }
}

static void request_selected_report(struct ui *ui, const struct desk *desk)
{
    char line[64];
    snprintf(line, sizeof line, "reports %lld", (long long)get_selected_report_number(desk));
    screen_send_and_handle_success(ui, "mod", json_pack("{s:s}", "line", line),
                                   handle_report_answer, 0);
}

static void begin_typing_command(struct ui *ui, const struct desk *desk, const char *command)
{
    char line[64];
    snprintf(line, sizeof line, "/%s %lld ", command, (long long)get_selected_report_number(desk));
    screen_begin_typing(ui, line);
}

static bool handle_open_report_key(struct desk *desk, const struct press *press)
{
    bool is_back = press->kind == PRESS_ESCAPE || press->kind == PRESS_ENTER ||
                   (press->kind == PRESS_CHAR && press->code == 'q');
    if (is_back) {
        json_decref(desk->shown);
        desk->shown = NULL;
    } else if (press->kind == PRESS_DOWN || press->kind == PRESS_WHEEL_DOWN) {
        desk->scroll++;
    } else if ((press->kind == PRESS_UP || press->kind == PRESS_WHEEL_UP) && desk->scroll > 0) {
        desk->scroll--;
    } else {
        return false;
    }
    return true;
}

static bool handle_report_command_key(struct ui *ui, const struct desk *desk, uint32_t code)
{
    switch (code) {
    case 't': {
        char line[64];
        snprintf(line, sizeof line, "/take %lld", (long long)get_selected_report_number(desk));
        screen_carry_out_line(ui, line);
        return true;
    }
    case 'r':
        begin_typing_command(ui, desk, "resolve");
        return true;
    case 'd':
        begin_typing_command(ui, desk, "dismiss");
        return true;
    default:
        return false;
    }
}

static bool handle_moderators_key(struct ui *ui, void *state, const struct press *press)
{
    struct desk *desk = state;
    bool is_about_report = press->kind == PRESS_CHAR && get_selected_report_number(desk) != 0;
    if (desk->shown != NULL) {
        return handle_open_report_key(desk, press) ||
               (is_about_report && handle_report_command_key(ui, desk, press->code));
    }
    if (press->kind == PRESS_CHAR && press->code == 'u') {
        request_overview(ui, desk);
        return true;
    }
    if (get_selected_report_number(desk) == 0) {
        return false;
    }
    if (press->kind == PRESS_ENTER) {
        request_selected_report(ui, desk);
        return true;
    }
    return list_handle_key(&desk->list, press) ||
           (press->kind == PRESS_CHAR && handle_report_command_key(ui, desk, press->code));
}

static void add_moderators_hints(UNUSED struct ui *ui, void *state, struct hints *hints)
{
    const struct desk *desk = state;
    if (get_selected_report_number(desk) != 0) {
        if (desk->shown == NULL) {
            hints_add(hints, "Enter", _("read"));
        }
        hints_add(hints, "t", _("take"));
        hints_add(hints, "r", _("resolve"));
        hints_add(hints, "d", _("dismiss"));
    }
    if (desk->shown == NULL) {
        hints_add(hints, "u", _("refresh"));
    }
}

static bool print_moderators_screen(UNUSED struct ui *ui, void *state, struct lines *lines)
{
    const struct desk *desk = state;
    if (desk->lines == NULL) {
        return false;
    }
    for (size_t i = 0; i < json_array_size(desk->lines); i++) {
        const json_t *text = json_array_get(desk->lines, i);
        char line[LINE_BYTES];
        drawable_copy_text(text, line, sizeof line);
        lines_put(lines, line);
    }
    return true;
}

static const struct screen_key desk_keys[] = {
    {N_("Up, Down"), N_("choose a report"), NULL, NULL},
    {"Enter", N_("read the report and the chat before it"), "/reports", NULL},
    {"t", N_("take on the report, to handle it yourself"), "/take", NULL},
    {"r, d", N_("close the report, as resolved or as dismissed"), "/resolve", NULL},
    {"u", N_("refresh"), "/mod", NULL},
    {NULL, NULL, NULL, NULL},
};

const struct screen mod_screen = {
    .name = "mod",
    .title = N_("Moderators"),
    .state_size = sizeof(struct desk),
    .keys = desk_keys,
    .enter = enter_moderators_screen,
    .leave = leave_moderators_screen,
    .draw = draw_moderators_screen,
    .key = handle_moderators_key,
    .hints = add_moderators_hints,
    .pushes = desk_pushes,
    .print = print_moderators_screen,
};
