#include "lobby/sanctions/sanctions.h"

#include "lobby/house/parts.h"
#include "lobby/house/say.h"
#include "lobby/house/words.h"
#include "storage/mod/mod.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#define AUDIT_SHOWN 50
#define AUDIT_SHOWN_MAX 200
/* audit rows verified in one round of the event loop, which takes a few hundredths of a second */
#define VERIFY_ROWS 5000

/* The audit rows of one answer, which must fit into one message. */
struct shown {
    struct order *order;
    size_t bytes;
};

#define SHOWN_BYTES 24000

#define COLUMN(...) STORAGE_COLUMN(COLUMN_OF, __VA_ARGS__)
#define COLUMN_OF(how, type, after, last, member, column)                                          \
    (void)json_object_set_new(object, #column, AUDIT_##how(row->member));
#define AUDIT_INTEGER json_integer
#define AUDIT_BORROWED json_string

static json_t *audit_row_to_json(const struct storage_audit *row)
{
    json_t *object = json_pack("{s:I}", "id", (json_int_t)row->id);

    STORAGE_AUDIT_COLUMNS(COLUMN, COLUMN)
    return object;
}

static bool add_audit_row_to_answer(void *context, const struct storage_audit *row)
{
    struct shown *shown = context;
    json_t *object = audit_row_to_json(row);
    char *text = json_dumps(object, JSON_COMPACT);
    shown->bytes += text == NULL ? 0 : strlen(text);
    free(text);
    order_add_line(shown->order, "%lld · %p · %s (%s, %s) · %s %s · %s%s%s", (long long)row->id,
                   say_time_argument(row->at_ms), row->actor_name, row->actor_role, row->via,
                   row->verb, row->arguments, row->result, row->error[0] == '\0' ? "" : " ",
                   row->error);
    (void)json_array_append_new(shown->order->data, object);
    return shown->bytes < SHOWN_BYTES;
}

static const char *text_or_empty(const char *text)
{
    return text == NULL ? "" : text;
}

static void list_audit_rows(struct order *order)
{
    int64_t most = order_option_number(order, "max", AUDIT_SHOWN);
    int64_t since_ms = order_option_since(order);
    if (order->code != NULL) {
        return;
    }
    struct storage_audit_query query = {
        .actor = text_or_empty(order_option_value(order, "actor")),
        .target = text_or_empty(order_option_value(order, "target")),
        .verb = text_or_empty(order_option_value(order, "verb")),
        .since_ms = since_ms,
        .most = most < AUDIT_SHOWN_MAX ? (size_t)most : AUDIT_SHOWN_MAX,
    };
    struct shown shown = {.order = order};
    order->data = json_array();
    stored_or_fail(order->house, storage_audit_each(order->house->storage, &query,
                                                    add_audit_row_to_answer, &shown));
    if (json_array_size(order->data) == 0) {
        order_add_line(order, _("The log has no such row."));
    }
}

static void describe_bad_row(struct order *order, const struct storage_audit_check *check)
{
    const long long row = (long long)check->bad;
    switch (check->state) {
    case STORAGE_AUDIT_CHANGED:
        order_add_line(order, _("Row %lld was changed after it was written."), row);
        break;
    case STORAGE_AUDIT_BROKEN:
        order_add_line(order, _("Row %lld does not match the row before it."), row);
        break;
    case STORAGE_AUDIT_MISSING:
        order_add_line(order, _("Row %lld is missing."), row);
        break;
    case STORAGE_AUDIT_WHOLE:
        break;
    }
}

static void verify_audit_log(struct order *order)
{
    struct storage_audit_check check;
    char head[2 * STORAGE_AUDIT_HASH_BYTES + 1];
    int64_t from = order_option_number(order, "from", 1);
    if (order->code != NULL) {
        return;
    }
    from = from < 1 ? 1 : from;
    stored_or_fail(order->house,
                   storage_audit_verify(order->house->storage, from, VERIFY_ROWS, &check));
    (void)sodium_bin2hex(head, sizeof(head), check.head, sizeof(check.head));
    order->data =
        json_pack("{s:b,s:I,s:I,s:I,s:s}", "is_whole", check.bad == 0, "bad", (json_int_t)check.bad,
                  "rows", (json_int_t)check.rows, "next", (json_int_t)check.next, "head", head);
    const long long rows = from - 1 + check.rows;
    if (check.bad != 0) {
        describe_bad_row(order, &check);
    } else if (check.next != 0) {
        order_add_line(order,
                       _("Rows %lld to %lld are as they were written; go on with verify from=%lld"),
                       (long long)from, rows, (long long)check.next);
    } else {
        order_add_line(
            order,
            _("%lld rows are as they were written, and none is missing; hash of the last row: %s"),
            rows, head);
    }
}

void mod_run_audit(struct order *order)
{
    if (strcmp(order->word, "verify") == 0 || strcmp(order->word, "--verify") == 0) {
        verify_audit_log(order);
    } else if (order->word[0] == '\0') {
        list_audit_rows(order);
    } else {
        order_refuse(order, "bad", _("Usage: /audit %p"), say_word_argument(order->words->args));
    }
}
