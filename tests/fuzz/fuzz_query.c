#include "daemon/queries/queries.h"
#include "lobby/protocol/protocol.h"
#include "tests/daemon/queries/query_end.h"
#include "tests/fuzz/fuzz.h"

/*
 * The first line of the input is a query; the other lines are messages from the house in answer to
 * the query. Whatever the lines contain, the query prints text without control characters, or is
 * refused with one line of text.
 */
static const char you[] = "{\"name\":\"ada\",\"kind\":\"player\",\"role\":\"admin\"}";

static void check_request(void *context, const char *json, size_t len)
{
    (void)context;
    fuzz_assert(len > 0 && json[0] == '{');
}

static void check_no_control_characters(const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        fuzz_assert((unsigned char)text[i] >= ' ' || text[i] == '\n');
    }
}

static void check_query(struct query_run *run)
{
    struct bytes out;
    bytes_init(&out, 4 << 20);
    if (query_is_answered(run) && run->typed[0] == '\0') {
        query_write_result(run, "\n", &out);
        check_no_control_characters(out.at, out.len);
        fuzz_assert((run->status == QUERY_OK) == (run->why[0] == '\0'));
    }
    size_t typed = strlen(run->typed);
    fuzz_assert(typed == 0 || (run->typed[0] == '/' && run->typed[typed - 1] == '\n' &&
                               strchr(run->typed, '\n') == run->typed + typed - 1));
    bytes_clear(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct fuzz_lines lines = fuzz_split_lines(bytes, len);
    const char *line;
    size_t line_len;
    if (!fuzz_next_line(&lines, &line, &line_len)) {
        return 0;
    }
    char *command = strndup(line, line_len);
    struct query_run *run = calloc(1, sizeof *run);
    fuzz_assert(command != NULL && run != NULL);
    struct client *client = client_new(check_request, NULL);
    json_t *row = json_loads(you, 0, NULL);
    const struct query_setup setup = {
        .line = command, .client = client, .you = row, .has_terminal = len % 2 == 0};
    query_begin(run, &setup);
    while (fuzz_next_line(&lines, &line, &line_len)) {
        if (client_receive_packet(client, line, line_len) != CLIENT_OK) {
            break;
        }
    }
    check_query(run);
    query_end(run);
    client_free(client);
    json_decref(row);
    free(run);
    free(command);
    return 0;
}
