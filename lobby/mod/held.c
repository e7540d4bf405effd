#include "lobby/house/answers.h"
#include "lobby/house/messages.h"
#include "lobby/house/stored.h"
#include "lobby/house/words.h"
#include "lobby/mod/mod_line.h"
#include "lobby/protocol/json_read.h"
#include "lobby/sanctions/audit.h"

#include <stdio.h>

#define HELD_MAX 100 /* rows of one answer */

static bool append_held_account(void *context, const char *name, int64_t created_ms)
{
    json_t *rows = context;
    (void)json_array_append_new(rows,
                                json_pack("{s:s,s:I}", "name", name, "at", (json_int_t)created_ms));
    return json_array_size(rows) <= HELD_MAX;
}

static void message_held(const struct request *request)
{
    json_t *rows = json_array();
    stored_or_fail(request->house, storage_accounts_pending_each(request->house->storage,
                                                                 append_held_account, rows));
    bool is_more = json_array_size(rows) > HELD_MAX;
    if (is_more) {
        (void)json_array_remove(rows, HELD_MAX);
    }
    answer_ok(request, json_pack("{s:o,s:b}", "accounts", rows, "is_more", (int)is_more));
}

const struct message_handler handler_held = {message_held};
