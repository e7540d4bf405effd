#include "lobby/protocol/protocol.h"
#include "tests/fuzz/fuzz.h"

/*
 * A client of the protocol receives arbitrary messages from a core. Every line of the input is one
 * packet from the core. Before each packet the client sends a request, unless too many requests
 * wait for an answer. No request is answered twice, and after a resync all unanswered requests are
 * sent again in order.
 */
#define REQUESTS_MAX 256

struct fuzz {
    struct client *client;
    size_t asked, sent;
    int answered[REQUESTS_MAX + 1];
};

static void check_sent_message(void *context, const char *json, size_t len)
{
    struct fuzz *fuzz = context;
    fuzz_assert(len > 0 && json[0] == '{' && json[len - 1] == '}');
    fuzz->sent++;
}

static void check_answer(void *context, bool is_ok, const json_t *answer)
{
    int *answered = context;
    (void)is_ok;
    fuzz_assert(json_is_object(answer) && ++*answered == 1);
}

static void check_push(void *context, const char *type, const json_t *message)
{
    (void)context;
    fuzz_assert(type != NULL && json_is_object(message) && strcmp(type, "resync") != 0);
}

static void send_request(struct fuzz *fuzz)
{
    if (fuzz->asked < REQUESTS_MAX && client_send_request(fuzz->client, "ping", NULL, check_answer,
                                                          &fuzz->answered[fuzz->asked + 1])) {
        fuzz->asked++;
    }
}

/* Counts the requests that wait for an answer. */
static size_t count_unanswered(const struct fuzz *fuzz)
{
    size_t count = 0;
    for (size_t i = 1; i <= fuzz->asked; i++) {
        count += fuzz->answered[i] == 0;
    }
    return count;
}

static bool receive_packet(struct fuzz *fuzz, const char *line, size_t len)
{
    static const char resync[] = "{\"t\":\"resync\"}";
    send_request(fuzz);
    if (client_receive_packet(fuzz->client, line, len) != CLIENT_OK) {
        return false;
    }
    fuzz->sent = 0;
    fuzz_assert(client_receive_packet(fuzz->client, resync, strlen(resync)) == CLIENT_OK);
    fuzz_assert(fuzz->sent == 1 + count_unanswered(fuzz));
    fuzz_assert((client_oldest_unanswered_id(fuzz->client) == 0) == (count_unanswered(fuzz) == 0));
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct fuzz fuzz = {0};
    fuzz.client = client_new(check_sent_message, &fuzz);
    client_set_push_receiver(fuzz.client, check_push, &fuzz);
    client_send_hello(fuzz.client, "fuzz");
    struct fuzz_lines lines = fuzz_split_lines(bytes, len);
    const char *line;
    for (size_t line_len; fuzz_next_line(&lines, &line, &line_len);) {
        if (!receive_packet(&fuzz, line, line_len)) {
            break;
        }
    }
    client_free(fuzz.client);
    return 0;
}
