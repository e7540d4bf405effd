#include "tests/lobby/order_driver.h"

#include "lobby/house/parts.h"
#include "lobby/persons/persons_state.h"
#include "storage/mod/mod.h"

#include <stdio.h>
#include <string.h>

static char said[65536]; /* lines of the last answer to a moderation command */

/* The last moderation command given by order_give_and_check. */
static struct {
    int64_t conn; /* connection that gave the command; 0: no command was given yet, or its audit row
                     was checked */
    char line[512];
    const char *code;
    int64_t rows; /* number of audit rows before the command */
} last;

static int64_t count_audit_rows(struct driver *driver);

void order_set_role(struct driver *driver, const char *name, enum storage_role role)
{
    struct storage_account account;
    assert_int_equal(storage_account_by_name(driver->storage, name, &account), STORAGE_OK);
    assert_int_equal(storage_account_set_role(driver->storage, account.id, role), STORAGE_OK);
}

static void sign_up_with_role(struct driver *driver, int64_t conn, const char *name,
                              enum storage_role role)
{
    driver_sign_up(driver, conn, name);
    driver_disconnect(driver, conn);
    order_set_role(driver, name, role);
    driver_sign_in(driver, conn, name);
    driver_ok(driver, conn, "{'t':'step_up','password':'password of %s'}", name);
}

static void sign_up_then_sign_in_from(struct driver *driver, int64_t conn, const char *name,
                                      const char *address)
{
    driver_sign_up(driver, conn, name);
    driver_disconnect(driver, conn);
    order_sign_in(driver, conn, name, address, NULL);
}

void order_sign_in(struct driver *driver, int64_t conn, const char *name, const char *address,
                   const char *refusal_code)
{
    driver_connect_session_from(driver, conn, address, "ssh");
    const json_t *answer = driver_request(driver, conn,
                                          "{'t':'sign_in','method':'password','name':'%s',"
                                          "'password':'password of %s'}",
                                          name, name);
    (void)driver_expect(driver, answer, refusal_code, __FILE__, __LINE__);
}

void order_connect_people(struct driver *driver)
{
    memset(&last, 0, sizeof last);
    /* a test gives more commands in a moment than people do in an evening */
    driver->config.limits_audit_burst = 1000;
    driver_restart_core(driver);
    sign_up_with_role(driver, ADA, "ada", STORAGE_ROLE_ADMIN);
    sign_up_with_role(driver, MAX, "max", STORAGE_ROLE_MOD);
    sign_up_then_sign_in_from(driver, BOB, "bob", "192.0.2.7");
    sign_up_then_sign_in_from(driver, EVE, "eve", "192.0.2.8");
    driver_connect(driver, OWNER, PEER_OPERATOR);
    assert_int_equal(driver_send(driver, OWNER, "{'t':'hello','protocol':3}"), HOUSE_OK);
}

int order_setup(void **state)
{
    if (driver_setup(state) != 0) {
        return -1;
    }
    order_connect_people(*state);
    return 0;
}

const char *order_give_and_check(struct driver *driver, int64_t conn, const char *line,
                                 const char *refusal_code, const char *file, int line_in_file)
{
    size_t i;
    json_t *text;
    size_t len = 0;
    last.conn = conn;
    last.code = refusal_code;
    last.rows = count_audit_rows(driver);
    (void)snprintf(last.line, sizeof last.line, "%s", line);
    const json_t *answer =
        driver_expect(driver, driver_request(driver, conn, "{'t':'mod','line':'%s'}", line),
                      refusal_code, file, line_in_file);
    json_array_foreach(json_object_get(answer, "lines"), i, text)
    {
        len += (size_t)snprintf(said + len, sizeof said - len, "%s\n", json_string_value(text));
        assert_true(len < sizeof said);
    }
    said[len] = '\0';
    bool is_question = refusal_code != NULL && (strcmp(refusal_code, "confirm") == 0 ||
                                                strcmp(refusal_code, "step_up") == 0);
    if (is_question) {
        /* the house asks for a confirmation and has done nothing yet */
        order_expect_no_audit_row(driver);
    }
    return refusal_code == NULL ? said : driver_read_text(answer, "why");
}

/* The newest audit row, with copies of its texts. */
static struct storage_audit newest;
static char newest_texts[65536];

static const char *copy_row_text(size_t *used_bytes, const char *text)
{
    const char *kept = newest_texts + *used_bytes;
    size_t len = strlen(text == NULL ? "" : text) + 1;
    assert_true(*used_bytes + len <= sizeof newest_texts);
    memcpy(newest_texts + *used_bytes, text == NULL ? "" : text, len);
    *used_bytes += len;
    return kept;
}

#define KEEP(...) STORAGE_COLUMN(KEEP_OF, __VA_ARGS__)
#define KEEP_OF(how, type, after, last, member, column) KEEP_##how(member)
#define KEEP_INTEGER(member)
#define KEEP_BORROWED(member) newest.member = copy_row_text(&used, row->member);

static bool copy_newest_audit_row(void *context, const struct storage_audit *row)
{
    size_t used = 0;
    (void)context;
    newest = *row;
    STORAGE_AUDIT_COLUMNS(KEEP, KEEP)
    return false;
}

const struct storage_audit *order_newest_audit_row(struct driver *driver)
{
    const struct storage_audit_query query = {"", "", "", 0, 1};
    newest = (struct storage_audit){0};
    assert_int_equal(storage_audit_each(driver->storage, &query, copy_newest_audit_row, NULL),
                     STORAGE_OK);
    return &newest;
}

static int64_t count_audit_rows(struct driver *driver)
{
    int64_t next = 0;
    assert_int_equal(storage_audit_read_next_id(driver->storage, &next), STORAGE_OK);
    return next - 1;
}

/* Checks that the newest audit row fits the last moderation command in its actor, connection, time,
 * words and error. */
static void check_audit_row_of_last_command(struct driver *driver)
{
    const struct conn *conn = conn_find(driver->house, last.conn);
    const char *rest = last.line + (strncmp(last.line, "yes ", 4) == 0 ? 4 : 0);
    rest += *rest == '/';
    rest += strcspn(rest, " ");
    rest += strspn(rest, " ");
    assert_non_null(conn);
    assert_int_equal(newest.at_ms, driver->now_ms);
    assert_int_equal(newest.session, last.conn);
    assert_int_equal(newest.actor, conn->person == NULL ? 0 : conn->person->account);
    assert_string_equal(newest.address, conn->address);
    assert_string_equal(newest.fingerprint, conn->key_fingerprint);
    assert_string_equal(newest.via, conn->peer == PEER_OPERATOR ? "system" : "tui");
    if (strcmp(newest.verb, "report") == 0 || strcmp(newest.verb, "appeal") == 0) {
        /* what the player wrote is in the case alone */
        assert_memory_equal(newest.arguments, rest, strlen(newest.arguments));
        assert_string_equal(newest.reason, "");
    } else {
        assert_string_equal(newest.arguments, rest);
    }
    assert_string_equal(newest.error, last.code == NULL ? "" : last.code);
    assert_non_null(strstr(rest, newest.reason));
    assert_non_null(strstr(rest, newest.note));
    assert_int_equal(newest.target_type[0] != '\0' && strcmp(newest.target_type, "user") == 0 &&
                         newest.target_id == 0,
                     0);
}

int64_t order_expect_audit_rows(struct driver *driver, int64_t count, const char *row)
{
    char words[512];
    (void)order_newest_audit_row(driver);
    (void)snprintf(words, sizeof words, "%s %s %s %s", newest.actor_name, newest.verb,
                   newest.target_name, newest.result);
    assert_string_equal(words, row);
    assert_int_equal(newest.id, count_audit_rows(driver));
    assert_int_equal(newest.id, last.rows + count);
    bool is_orders =
        last.conn != 0 && strncmp(last.line, "yes ", 4) != 0
            ? strncmp(last.line + (last.line[0] == '/'), newest.verb, strlen(newest.verb)) == 0
            : strstr(last.line, newest.verb) == last.line + 4;
    if (is_orders && count == 1 && strcmp(newest.actor_name, "the house") != 0) {
        check_audit_row_of_last_command(driver);
    }
    last.rows = newest.id;
    last.conn = 0;
    return newest.id;
}

int64_t order_expect_audit_row(struct driver *driver, const char *row)
{
    return order_expect_audit_rows(driver, 1, row);
}

void order_expect_no_audit_row(struct driver *driver)
{
    assert_int_equal(count_audit_rows(driver), last.rows);
}

void order_expect_message(struct driver *driver, int64_t conn, const char *type, const char *words)
{
    const char *text = driver_read_text(driver_newest_message(driver, conn, type),
                                        strcmp(type, "bye") == 0 ? "why" : "text");
    if (strstr(text, words) == NULL) {
        fail_msg("told \"%s\", not \"%s\"", text, words);
    }
}
