#include "lobby/protocol/protocol.h"

#include "games/macros.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

enum {
    CLIENT_REQUESTS_MAX = 64
};

struct request {
    int64_t id;
    char *json; /* the sent packet, kept in case it must be repeated; may contain a password */
    size_t len;
    client_answer *answer;
    void *context;
};

struct client {
    void (*send)(void *context, const char *json, size_t len);
    void *send_context;
    client_push *push;
    void *push_context;
    char *software; /* the client program's name, sent in `hello`; NULL before the first `hello` */
    bool follows_lobby; /* `hello` asks for the whole lobby */
    int64_t next_id;
    int64_t heard; /* number of the newest lobby chat line received; 0: none */
    size_t request_count;
    struct request requests[CLIENT_REQUESTS_MAX]; /* the unanswered requests, sorted by id */
};

struct client *client_new(void (*send)(void *context, const char *json, size_t len), void *context)
{
    struct client *client = calloc(1, sizeof(*client));
    if (client == NULL) {
        abort();
    }
    client->send = send;
    client->send_context = context;
    client->next_id = 1;
    return client;
}

static void request_free_contents(struct request *request)
{
    explicit_bzero(request->json, request->len);
    free(request->json);
}

void client_free(struct client *client)
{
    if (client == NULL) {
        return;
    }
    for (size_t i = 0; i < client->request_count; i++) {
        request_free_contents(&client->requests[i]);
    }
    free(client->software);
    free(client);
}

void client_set_push_receiver(struct client *client, client_push *push, void *context)
{
    client->push = push;
    client->push_context = context;
}

/* Converts a message to text, which the caller frees; aborts if memory runs out. */
static char *message_to_text(const json_t *message, size_t *len)
{
    char *text = json_dumps(message, JSON_COMPACT);
    if (text == NULL) {
        abort();
    }
    *len = strlen(text);
    return text;
}

static void send_hello(struct client *client)
{
    json_t *message =
        json_pack("{s:s, s:i, s:s, s:I, s:b, s:b}", "t", "hello", "protocol", PROTOCOL_NUMBER,
                  "software", client->software, "heard", (json_int_t)client->heard, "stops", 1,
                  "lobby", client->follows_lobby);
    size_t len;
    char *text = message_to_text(message, &len);
    json_decref(message);
    client->send(client->send_context, text, len);
    free(text);
}

void client_follow_lobby(struct client *client)
{
    client->follows_lobby = true;
}

void client_send_hello(struct client *client, const char *software)
{
    char *copy = strdup(software);
    if (copy == NULL) {
        abort();
    }
    free(client->software);
    client->software = copy;
    send_hello(client);
}

bool client_send_request(struct client *client, const char *type, json_t *fields,
                         client_answer *answer, void *context)
{
    if (client->request_count == CLIENT_REQUESTS_MAX) {
        json_decref(fields);
        return false;
    }
    struct request *request = &client->requests[client->request_count++];
    *request = (struct request){.id = client->next_id++, .answer = answer, .context = context};

    json_t *message = fields == NULL ? json_object() : fields;
    if (json_object_set_new(message, "t", json_string(type)) != 0 ||
        json_object_set_new(message, "id", json_integer(request->id)) != 0) {
        abort();
    }
    request->json = message_to_text(message, &request->len);
    json_decref(message);
    client->send(client->send_context, request->json, request->len);
    return true;
}

int64_t client_last_request_id(const struct client *client)
{
    return client->next_id - 1;
}

int64_t client_oldest_unanswered_id(const struct client *client)
{
    return client->request_count == 0 ? 0 : client->requests[0].id;
}

/* Sends `hello` to a restarted core and repeats every request that is still unanswered. */
static void receive_resync(struct client *client)
{
    if (client->software == NULL) {
        return; /* nothing may be sent before the first hello */
    }
    send_hello(client);
    for (size_t i = 0; i < client->request_count; i++) {
        client->send(client->send_context, client->requests[i].json, client->requests[i].len);
    }
}

static enum client_result receive_answer(struct client *client, const json_t *message, bool is_ok)
{
    int64_t id = json_integer_value(json_object_get(message, "id"));
    size_t at = 0;
    while (at < client->request_count && client->requests[at].id != id) {
        at++;
    }
    if (at == client->request_count) {
        /* A request that was repeated after a resync may be answered twice. */
        return id >= 1 && id < client->next_id ? CLIENT_OK : CLIENT_BAD_MESSAGE;
    }
    struct request request = client->requests[at];
    client->request_count--;
    memmove(&client->requests[at], &client->requests[at + 1],
            (client->request_count - at) * sizeof(request));
    if (request.answer != NULL) {
        request.answer(request.context, is_ok, message);
    }
    request_free_contents(&request);
    return CLIENT_OK;
}

/* Passes a message on. Remembers the number of the newest chat line of the lobby, so that the next
 * `hello` does not request that line again. */
static void receive_push(struct client *client, const char *type, const json_t *message)
{
    const char *channel = json_string_value(json_object_get(message, "channel"));
    int64_t number = json_integer_value(json_object_get(message, "n"));
    if (strcmp(type, "chat") == 0 && channel != NULL && strcmp(channel, "lobby") == 0 &&
        number > client->heard) {
        client->heard = number;
    }
    if (client->push != NULL) {
        client->push(client->push_context, type, message);
    }
}

enum client_result client_receive_packet(struct client *client, const char *bytes, size_t len)
{
    enum {
        REFUSED,
        DONE,
        RESYNC
    };
    static const char *const types[] = {[REFUSED] = "no", [DONE] = "ok", [RESYNC] = "resync", NULL};
    json_t *message = json_loadb(bytes, len, JSON_REJECT_DUPLICATES, NULL);
    const char *type = json_string_value(json_object_get(message, "t"));
    const int found = type == NULL ? -1 : text_find_word(types, type);
    enum client_result result = CLIENT_OK;
    if (type == NULL) {
        result = CLIENT_BAD_MESSAGE;
    } else if (found == REFUSED || found == DONE) {
        result = receive_answer(client, message, found == DONE);
    } else if (found == RESYNC) {
        receive_resync(client);
    } else {
        receive_push(client, type, message);
    }
    json_decref(message);
    return result;
}

bool password_compose(const char *typed, char *composed, size_t size)
{
    char *form = typed == NULL ? NULL : (char *)utf8proc_NFC((const utf8proc_uint8_t *)typed);
    const char *text = form != NULL ? form : typed; /* bytes that are no UTF-8 stay as they are */
    size_t len = text == NULL ? size : strlen(text);
    bool fits = len < size;
    composed[0] = '\0';
    if (fits) {
        memcpy(composed, text, len + 1);
    }
    if (form != NULL) {
        explicit_bzero(form, strlen(form));
        free(form);
    }
    return fits;
}

bool password_read(const json_t *object, const char *key, char *composed, size_t size)
{
    return password_compose(json_string_value(json_object_get(object, key)), composed, size);
}

enum rank rank_of_role(unsigned role)
{
    static const enum rank ranks[] = {
        [ROLE_PLAYER] = RANK_PLAYER, [ROLE_MOD] = RANK_MOD, [ROLE_ADMIN] = RANK_ADMIN};
    static_assert(ARRAY_LEN(ranks) == STORED_LAST(STORED_ROLES) + 1, "every role needs a rank");
    return ranks[role];
}

static const struct mod_command_info commands[] = {
#define MOD_COMMAND(name, rank, args, help, ...) {#name, RANK_##rank, args, help},
#include "lobby/protocol/mod_commands.def"
#undef MOD_COMMAND
};

const struct mod_command_info *mod_command_info_at(size_t index)
{
    return index < ARRAY_LEN(commands) ? &commands[index] : NULL;
}

bool mod_command_is_listed_for(const struct mod_command_info *command, enum rank rank)
{
    return command->rank <= rank || command->rank == RANK_HOST;
}

const struct mod_command_info *mod_command_info_find(const char *name)
{
    for (size_t i = 0; i < ARRAY_LEN(commands); i++) {
        if (strcmp(commands[i].name, name) == 0) {
            return &commands[i];
        }
    }
    return NULL;
}
