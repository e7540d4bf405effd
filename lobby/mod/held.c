#include "lobby/house/answers.h"
#include "lobby/house/messages.h"
#include "lobby/house/stored.h"
#include "lobby/house/words.h"
#include "lobby/mod/mod_line.h"
#include "lobby/protocol/json_read.h"
#include "lobby/sanctions/audit.h"

#include <stdio.h>

#define HELD_MAX 100 /* rows of one answer */

static bool held_put(void *context, const char *name, int64_t created_ms)
{
    json_t *rows = context;
    (void)json_array_append_new(rows,
                                json_pack("{s:s,s:I}", "name", name, "at", (json_int_t)created_ms));
    return json_array_size(rows) <= HELD_MAX;
}

static void message_held(struct house *house, struct conn *conn, int64_t request, json_t *body)
{
    json_t *rows = json_array();
    (void)body;
    stored_or_fail(house, storage_accounts_held_each(house->storage, held_put, rows));
    bool is_more = json_array_size(rows) > HELD_MAX;
    if (is_more) {
        (void)json_array_remove(rows, HELD_MAX);
    }
    answer_ok(house, conn, request,
              json_pack("{s:o,s:b}", "accounts", rows, "is_more", (int)is_more));
}

const struct message_handler handler_held = {message_held};

static void message_release(struct house *house, struct conn *conn, int64_t request, json_t *body)
{
    const char *name = json_read_name(body, "name");
    struct storage_account account;
    char line[STORAGE_NAME_SIZE + 16];
    if (name == NULL || !stored(house, storage_account_by_name(house->storage, name, &account))) {
        answer_no(house, conn, request, "unknown",
                  _("No account has that name: look at how it is written."));
        return;
    }
    (void)snprintf(line, sizeof(line), "release %s", account.name);
    mod_line(house, conn, request, line, audit_via(conn));
}

const struct message_handler handler_release = {message_release};
