#include "daemon/session/session_state.h"
#include "lobby/protocol/protocol.h"
#include "tests/fuzz/fuzz.h"

#include <jansson.h>

/*
 * The input comes from a program, in pieces as long as the first byte says. Every line must become
 * one packet that holds an object, or the program is disconnected. The same bytes then serve as the
 * core's messages: they must be passed on as whole lines.
 */
static bool is_json_object(const char *text, size_t len)
{
    json_t *value = json_loadb(text, len, 0, NULL);
    bool is_it = json_is_object(value);
    json_decref(value);
    return is_it;
}

/* Takes all complete lines from the program's input and checks them. Returns false when the program
 * must be disconnected. */
static bool check_lines(struct api *api, struct bytes *in, bool is_ended)
{
    char *packet;
    const char *why;
    do {
        size_t len;
        why = api_take_line(api, in, is_ended, &packet, &len);
        fuzz_assert(packet == NULL || why == NULL);
        if (packet != NULL) {
            fuzz_assert(len <= REQUEST_BYTES_MAX && is_json_object(packet, len));
            fuzz_assert(memchr(packet, '\n', len) == NULL);
            free(packet);
        }
    } while (packet != NULL);
    return why == NULL;
}

static void check_program_input(const uint8_t *bytes, size_t len, size_t piece_len)
{
    struct api api = {.ids_used = 2};
    struct bytes in;
    bytes_init(&in, API_IN_MAX);
    bool is_going_on = true;
    for (size_t at = 0; at < len && is_going_on; at += piece_len) {
        size_t left = len - at;
        is_going_on = bytes_add(&in, bytes + at, left < piece_len ? left : piece_len) &&
                      check_lines(&api, &in, false);
    }
    if (is_going_on) {
        fuzz_assert(!check_lines(&api, &in, true) || in.len == 0);
    }
    bytes_clear(&in);
}

static void check_core_messages(const uint8_t *bytes, size_t len)
{
    struct api api = {.ids_used = 2, .phase = API_GREETED};
    struct fuzz_lines lines = fuzz_split_lines(bytes, len);
    struct bytes out;
    const char *line;
    bytes_init(&out, API_OUT_ENOUGH);
    for (size_t line_len; fuzz_next_line(&lines, &line, &line_len);) {
        if (!api_pass_to_program(&api, line, line_len, &out)) {
            break;
        }
    }
    fuzz_assert(out.len == 0 || out.at[out.len - 1] == '\n');
    bytes_clear(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    if (len > 0) {
        check_program_input(bytes + 1, len - 1, 1 + (size_t)bytes[0]);
        check_core_messages(bytes + 1, len - 1);
    }
    return 0;
}
