#include "tests/daemon/screens/driver.h"

#include "daemon/base/base.h"
#include "lobby/protocol/protocol.h"
#include "tests/vterm_title.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vterm.h>

#include <cmocka.h>

#define TEXT_MAX 65536
#define ROW_MAX 2048
#define HEARD_MAX (16 << 20)
#define TITLE_MAX 256
#define START_MS INT64_C(1795000000000)

struct driver {
    struct ui *ui;
    struct client *client;
    json_t *sent;        /* requests not answered yet, in order */
    json_t *lobby;       /* the last message `lobby` that a test pushed; NULL: none */
    bool has_own_tables; /* the session has been sent the person's own tables */
    json_t *looked_up;   /* the last request of each of the types `people` and `tables` */
    json_t *watched;     /* the last request `lobby_watch`; NULL: none */
    VTerm *vterm;
    VTermScreen *screen;
    int64_t now_ms;
    int64_t pushed_ms; /* when the last message of the core arrived */
    char text[TEXT_MAX];
    char row[ROW_MAX];
    char title[TITLE_MAX];
    int bells;
    bool saw_non_ascii, saw_return;
    size_t bytes;
    struct bytes heard;
};

static void record_request(void *context, const char *json, size_t len)
{
    struct driver *driver = context;
    json_t *message = json_loadb(json, len, 0, NULL);
    assert_non_null(message);
    assert_int_equal(json_array_append_new(driver->sent, message), 0);
}

static int count_bell(void *context)
{
    ((struct driver *)context)->bells++;
    return 1;
}

static int record_window_title(VTermProp property, VTermValue *value, void *context)
{
    struct driver *driver = context;
    if (property == VTERM_PROP_TITLE) {
        vterm_title_store(driver->title, sizeof driver->title, value);
    }
    return 1;
}

static const VTermScreenCallbacks callbacks = {.settermprop = record_window_title,
                                               .bell = count_bell};

static void feed_terminal(struct driver *driver, const struct bytes *out)
{
    for (size_t i = 0; i < out->len; i++) {
        bool is_line_end = i + 1 < out->len && out->at[i + 1] == '\n';
        driver->saw_non_ascii = driver->saw_non_ascii || (unsigned char)out->at[i] >= 0x80;
        driver->saw_return = driver->saw_return || (out->at[i] == '\r' && !is_line_end);
    }
    /* A text that was NULL when it was formatted is a fault on any screen and in any line. */
    if (out->len > 0 && memmem(out->at, out->len, "(null)", strlen("(null)")) != NULL) {
        fail_msg("(null): %.*s", (int)out->len, (const char *)out->at);
    }
    driver->bytes += out->len;
    driver->heard.len -= driver->heard.len > 0 ? 1 : 0; /* drop the old NUL at the end */
    assert_true(bytes_add(&driver->heard, out->at, out->len));
    assert_true(bytes_add(&driver->heard, "", 1));
    vterm_input_write(driver->vterm, out->at, out->len);
    vterm_screen_flush_damage(driver->screen);
}

static void paint_screen(struct driver *driver)
{
    if (ui_is_done(driver->ui) || !ui_wants_paint(driver->ui, driver->now_ms)) {
        return;
    }
    struct bytes out;
    bytes_init(&out, 1024 * 1024);
    ui_paint(driver->ui, driver->now_ms, &out);
    feed_terminal(driver, &out);
    bytes_clear(&out);
}

static size_t find_request_index(const struct driver *driver, const char *request_type)
{
    size_t i;
    json_t *message;
    json_array_foreach(driver->sent, i, message)
    {
        const char *name = json_string_value(json_object_get(message, "t"));
        if (name != NULL && strcmp(name, request_type) == 0) {
            return i;
        }
    }
    return SIZE_MAX;
}

/* Takes the oldest request of that type; NULL if there is none. The caller releases it. */
static json_t *take_request(struct driver *driver, const char *request_type)
{
    size_t index = find_request_index(driver, request_type);
    json_t *request = index == SIZE_MAX ? NULL : json_incref(json_array_get(driver->sent, index));
    if (request != NULL) {
        assert_int_equal(json_array_remove(driver->sent, index), 0);
    }
    return request;
}

static void answer_with_lobby(struct driver *driver, const json_t *request, json_t *answer)
{
    assert_int_equal(json_object_set_new(answer, "t", json_string("ok")), 0);
    assert_int_equal(json_object_set(answer, "id", json_object_get(request, "id")), 0);
    char *text = json_dumps(answer, JSON_COMPACT);
    assert_int_equal(client_receive_packet(driver->client, text, strlen(text)), CLIENT_OK);
    json_decref(answer);
    free(text);
}

static int count_people(const json_t *rows)
{
    int count = 0;
    size_t i;
    const json_t *row;
    json_array_foreach(rows, i, row)
    {
        const char *kind = json_string_value(json_object_get(row, "kind"));
        count += kind == NULL || strcmp(kind, "bot") != 0;
    }
    return count;
}

/* Answers requests about the lobby as a core would whose lists have the rows that the test has
 * pushed. Returns false if there is no such request. */
static bool answer_lobby_request(struct driver *driver)
{
    static const char *const types[] = {"people", "tables"};
    json_t *request = take_request(driver, "lobby_watch");
    if (request != NULL) {
        json_decref(driver->watched);
        driver->watched = request;
        answer_with_lobby(driver, request, json_object());
        return true;
    }
    for (size_t i = 0; i < ARRAY_LEN(types) && driver->lobby != NULL; i++) {
        request = take_request(driver, types[i]);
        if (request != NULL) {
            json_t *answer = json_deep_copy(driver->lobby);
            int here = count_people(json_object_get(answer, "people"));
            assert_int_equal(json_object_set_new(answer, "here", json_integer(here)), 0);
            (void)json_object_del(answer, types[1 - i]);
            answer_with_lobby(driver, request, answer);
            assert_int_equal(json_object_set_new(driver->looked_up, types[i], request), 0);
            return true;
        }
    }
    return false;
}

static void paint_and_answer(struct driver *driver)
{
    paint_screen(driver);
    while (answer_lobby_request(driver)) {
        paint_screen(driver);
    }
}

struct driver *driver_new(const struct driver_setup *setup)
{
    struct driver *driver = calloc(1, sizeof *driver);
    assert_non_null(driver);
    int columns = setup->columns > 0 ? setup->columns : 80;
    int rows = setup->rows > 0 ? setup->rows : 24;
    driver->now_ms = START_MS;
    driver->sent = json_array();
    driver->looked_up = json_object();
    bytes_init(&driver->heard, HEARD_MAX);
    driver->client = client_new(record_request, driver);
    assert_non_null(driver->client);
    driver->vterm = vterm_new(rows, columns);
    vterm_set_utf8(driver->vterm, 1);
    driver->screen = vterm_obtain_screen(driver->vterm);
    vterm_screen_set_callbacks(driver->screen, &callbacks, driver);
    vterm_screen_enable_altscreen(driver->screen, 1);
    vterm_screen_reset(driver->screen, 1);
    const char *mira = "{\"name\":\"mira\",\"kind\":\"player\",\"role\":\"player\","
                       "\"rating\":1583,\"has_password\":true,\"settings\":{},\"is_new\":false}";
    const char *text = setup->you != NULL ? setup->you : mira;
    bool is_nobody = setup->you == NULL && setup->is_unregistered;
    json_t *you = is_nobody ? NULL : json_loads(text, 0, NULL);
    struct ui_setup ui = {
        .term = setup->term != NULL ? setup->term : "xterm-256color",
        .columns = columns,
        .rows = rows,
        .is_unregistered = setup->is_unregistered,
        .has_key = setup->has_key,
        .is_telnet = setup->is_telnet,
        .is_ascii = setup->is_ascii,
        .lines = setup->lines,
        .suggested_name = setup->suggested_name,
        .you = you,
        .house = "Trickhouse",
        .client = driver->client,
        .now_ms = driver->now_ms,
    };
    driver->ui = ui_new(&ui);
    json_decref(you);
    assert_non_null(driver->ui);
    if (setup->is_exec) {
        ui_mark_lines_from_ssh_command(driver->ui);
    }
    ui_tick(driver->ui, driver->now_ms);
    paint_and_answer(driver);
    return driver;
}

void driver_free(struct driver *driver)
{
    ui_free(driver->ui);
    client_free(driver->client);
    json_decref(driver->sent);
    json_decref(driver->lobby);
    json_decref(driver->watched);
    json_decref(driver->looked_up);
    bytes_clear(&driver->heard);
    vterm_free(driver->vterm);
    free(driver);
}

void driver_send(struct driver *driver, const char *bytes, size_t len)
{
    ui_handle_input(driver->ui, (const uint8_t *)bytes, len, driver->now_ms);
    paint_and_answer(driver);
}

/* Lets the time pass after which an Esc is a key of its own. The clock of the test stays. */
static void end_escape(struct driver *driver)
{
    ui_handle_input(driver->ui, NULL, 0, driver->now_ms + KEY_PARSER_ESCAPE_MS);
    ui_tick(driver->ui, driver->now_ms);
}

void driver_type(struct driver *driver, const char *keys)
{
    for (const char *escape; (escape = strchr(keys, '\033')) != NULL;) {
        bool is_key = strchr("[O", escape[1]) == NULL || escape[1] == '\0';
        size_t len = (size_t)(escape - keys) + (is_key ? 1 : 2);
        ui_handle_input(driver->ui, (const uint8_t *)keys, len, driver->now_ms);
        if (is_key) {
            end_escape(driver);
        }
        keys += len;
    }
    driver_send(driver, keys, strlen(keys));
}

void driver_type_too_late(struct driver *driver, const char *keys)
{
    int64_t now_ms = driver->now_ms;
    driver->now_ms = driver->pushed_ms + 1;
    driver_type(driver, keys);
    driver->now_ms = now_ms;
}

static void pass_message_to_session(struct driver *driver, const char *json)
{
    driver->now_ms += 200; /* after this time the session may draw its next frame */
    ui_tick(driver->ui, driver->now_ms);
    assert_int_equal(client_receive_packet(driver->client, json, strlen(json)), CLIENT_OK);
    paint_and_answer(driver);
    driver->pushed_ms = driver->now_ms;
    driver->now_ms += 300; /* people see what has changed before they press a key for it */
}

void driver_push(struct driver *driver, const char *core_message)
{
    json_t *message = json_loads(core_message, 0, NULL);
    const char *type = json_string_value(json_object_get(message, "t"));
    bool is_lobby = type != NULL && strcmp(type, "lobby") == 0;
    bool has_own_tables = driver->has_own_tables || (type != NULL && strcmp(type, "mine") == 0);
    if (is_lobby) {
        json_decref(driver->lobby);
        driver->lobby = json_incref(message);
    }
    json_decref(message);
    if (is_lobby && !has_own_tables) {
        pass_message_to_session(driver, "{\"t\":\"mine\",\"tables\":[]}");
        has_own_tables = true;
    }
    driver->has_own_tables = has_own_tables;
    pass_message_to_session(driver, core_message);
}

void driver_resize(struct driver *driver, int columns, int rows)
{
    vterm_set_size(driver->vterm, rows, columns);
    ui_resize(driver->ui, columns, rows);
    paint_and_answer(driver);
}

void driver_wait(struct driver *driver, int64_t passed_ms)
{
    driver->now_ms += passed_ms;
    ui_tick(driver->ui, driver->now_ms);
    paint_and_answer(driver);
}

const json_t *driver_find_request(const struct driver *driver, const char *request_type)
{
    size_t index = find_request_index(driver, request_type);
    return index == SIZE_MAX ? json_object_get(driver->looked_up, request_type)
                             : json_array_get(driver->sent, index);
}

const json_t *driver_find_watched_list(const struct driver *driver, const char *list)
{
    return json_object_get(driver->watched, list);
}

const char *driver_oldest_request_type(const struct driver *driver)
{
    return json_string_value(json_object_get(json_array_get(driver->sent, 0), "t"));
}

static void answer_request(struct driver *driver, const char *request_type, json_t *message)
{
    size_t index = find_request_index(driver, request_type);
    if (index == SIZE_MAX) {
        fail_msg("no request \"%s\" was sent", request_type);
    }
    json_t *id = json_object_get(json_array_get(driver->sent, index), "id");
    assert_int_equal(json_object_set(message, "id", id), 0);
    assert_int_equal(json_array_remove(driver->sent, index), 0);
    char *text = json_dumps(message, JSON_COMPACT);
    json_decref(message);
    pass_message_to_session(driver, text);
    free(text);
}

void driver_answer(struct driver *driver, const char *request_type, const char *answer_fields)
{
    json_t *message = answer_fields != NULL ? json_loads(answer_fields, 0, NULL) : json_object();
    assert_non_null(message);
    json_object_set_new(message, "t", json_string("ok"));
    answer_request(driver, request_type, message);
}

void driver_refuse(struct driver *driver, const char *request_type, const char *code,
                   const char *why)
{
    answer_request(driver, request_type,
                   json_pack("{s:s, s:s, s:s}", "t", "no", "code", code, "why", why));
}

const char *driver_screen_name(const struct driver *driver)
{
    return driver->ui->stack[driver->ui->depth - 1].screen->name;
}

const char *driver_read_row(struct driver *driver, int row)
{
    int rows, columns;
    vterm_get_size(driver->vterm, &rows, &columns);
    VTermRect rect = {row, row + 1, 0, columns};
    size_t len = vterm_screen_get_text(driver->screen, driver->row, ROW_MAX - 1, rect);
    len = len < ROW_MAX ? len : ROW_MAX - 1;
    while (len > 0 && driver->row[len - 1] == ' ') {
        len--;
    }
    driver->row[len] = '\0';
    return driver->row;
}

const char *driver_read_screen(struct driver *driver)
{
    int rows, columns;
    size_t len = 0;
    vterm_get_size(driver->vterm, &rows, &columns);
    driver->text[0] = '\0';
    for (int row = 0; row < rows; row++) {
        int wrote =
            snprintf(driver->text + len, TEXT_MAX - len, "%s\n", driver_read_row(driver, row));
        len += (size_t)wrote;
        assert_true(len < TEXT_MAX);
    }
    return driver->text;
}

bool driver_shows(struct driver *driver, const char *words)
{
    return strstr(driver_read_screen(driver), words) != NULL;
}

void driver_expect(struct driver *driver, const char *shown_words)
{
    if (!driver_shows(driver, shown_words)) {
        driver_print_screen(driver, "expected in vain");
        fail_msg("the screen does not show \"%s\"", shown_words);
    }
}

void driver_expect_not(struct driver *driver, const char *absent_words)
{
    if (driver_shows(driver, absent_words)) {
        driver_print_screen(driver, "not expected");
        fail_msg("the screen shows \"%s\"", absent_words);
    }
}

void driver_measure(const struct driver *driver, int *rows, int *columns)
{
    vterm_get_size(driver->vterm, rows, columns);
}

/* Returns a colour as most terminals show it: libvterm has other steps in the cube of 216. */
static uint32_t read_colour(const struct driver *driver, VTermColor colour)
{
    static const uint32_t steps[] = {0, 95, 135, 175, 215, 255};
    if (VTERM_COLOR_IS_INDEXED(&colour) && colour.indexed.idx >= 16 && colour.indexed.idx < 232) {
        uint32_t cube = colour.indexed.idx - 16U;
        return steps[cube / 36] << 16 | steps[cube / 6 % 6] << 8 | steps[cube % 6];
    }
    vterm_screen_convert_color_to_rgb(driver->screen, &colour);
    return (uint32_t)colour.rgb.red << 16 | (uint32_t)colour.rgb.green << 8 | colour.rgb.blue;
}

struct driver_cell driver_read_cell(const struct driver *driver, int row, int column)
{
    VTermScreenCell cell;
    struct driver_cell out = {.columns = 0};
    assert_int_equal(
        vterm_screen_get_cell(driver->screen, (VTermPos){.row = row, .col = column}, &cell), 1);
    bool is_half = cell.chars[0] == UINT32_MAX;
    for (size_t i = 0; !is_half && i < ARRAY_LEN(out.characters) - 1 && cell.chars[i] != 0; i++) {
        out.characters[i] = cell.chars[i];
    }
    out.columns = is_half ? 0 : cell.width;
    out.foreground = read_colour(driver, cell.attrs.reverse ? cell.bg : cell.fg);
    out.background = read_colour(driver, cell.attrs.reverse ? cell.fg : cell.bg);
    out.is_bold = cell.attrs.bold;
    out.is_underlined = cell.attrs.underline != 0;
    return out;
}

void driver_find_cursor(const struct driver *driver, int *row, int *column)
{
    VTermPos position;
    vterm_state_get_cursorpos(vterm_obtain_state(driver->vterm), &position);
    *row = position.row;
    *column = position.col;
}

int driver_count_bells(const struct driver *driver)
{
    return driver->bells;
}

const char *driver_window_title(const struct driver *driver)
{
    return driver->title;
}

bool driver_saw_non_ascii(const struct driver *driver)
{
    return driver->saw_non_ascii;
}

bool driver_saw_bare_carriage_return(const struct driver *driver)
{
    return driver->saw_return;
}

size_t driver_count_output_bytes(const struct driver *driver)
{
    return driver->bytes;
}

const char *driver_read_output(const struct driver *driver)
{
    return driver->heard.len > 0 ? driver->heard.at : "";
}

void driver_forget_output(struct driver *driver)
{
    bytes_clear(&driver->heard);
}

void driver_expect_output(const struct driver *driver, const char *words)
{
    if (strstr(driver_read_output(driver), words) == NULL) {
        printf("---- heard\n%s----\n", driver_read_output(driver));
        fail_msg("nobody said \"%s\"", words);
    }
}

void driver_expect_no_output(const struct driver *driver, const char *words)
{
    if (strstr(driver_read_output(driver), words) != NULL) {
        printf("---- heard\n%s----\n", driver_read_output(driver));
        fail_msg("somebody said \"%s\"", words);
    }
}

void driver_end_input(struct driver *driver)
{
    ui_note_end_of_input(driver->ui, driver->now_ms);
    paint_and_answer(driver);
}

bool driver_is_session_over(const struct driver *driver)
{
    return ui_is_done(driver->ui);
}

const char *driver_end_session(struct driver *driver)
{
    struct bytes out;
    bytes_init(&out, 1024 * 1024);
    ui_restore_terminal(driver->ui, &out);
    feed_terminal(driver, &out);
    bytes_clear(&out);
    return driver_read_screen(driver);
}

int64_t driver_clock_ms(const struct driver *driver)
{
    return driver->now_ms;
}

void driver_print_screen(struct driver *driver, const char *caption)
{
    /* print_message would cut the text at a kilobyte. */
    printf("---- %s\n%s----\n", caption, driver_read_screen(driver));
    fflush(stdout);
}
