#include "tests/lobby/order_driver.h"

#include "storage/audit.h"

#include <stdio.h>
#include <string.h>

static char said[65536]; /* the lines of the last answer */

void order_set_role(struct driver *driver, const char *name, enum storage_role role)
{
    struct storage_account account;
    assert_int_equal(storage_account_by_name(driver->storage, name, &account), STORAGE_OK);
    assert_int_equal(storage_account_set_role(driver->storage, account.id, role), STORAGE_OK);
}

static void come_as(struct driver *driver, int64_t conn, const char *name, enum storage_role role)
{
    driver_sign_up(driver, conn, name);
    driver_disconnect(driver, conn);
    order_set_role(driver, name, role);
    driver_sign_in(driver, conn, name);
    driver_ok(driver, conn, "{'t':'step_up','password':'password of %s'}", name);
}

static void come_from(struct driver *driver, int64_t conn, const char *name, const char *address)
{
    driver_sign_up(driver, conn, name);
    driver_disconnect(driver, conn);
    order_comes(driver, conn, name, address, NULL);
}

void order_comes(struct driver *driver, int64_t conn, const char *name, const char *address,
                 const char *code)
{
    driver_connect_from(driver, conn, address, "ssh");
    assert_int_equal(driver_send(driver, conn, "{'t':'hello','protocol':1}"), HOUSE_OK);
    const json_t *answer = driver_ask(driver, conn,
                                      "{'t':'sign_in','method':'password','name':'%s',"
                                      "'password':'password of %s'}",
                                      name, name);
    (void)driver_expect(driver, answer, code, __FILE__, __LINE__);
}

int order_setup(void **state)
{
    if (driver_setup(state) != 0) {
        return -1;
    }
    struct driver *driver = *state;
    driver->config.limits.audit_burst = 1000; /* a test does at once what takes people an evening */
    driver_restart(driver);
    come_as(driver, ADA, "ada", STORAGE_ROLE_ADMIN);
    come_as(driver, MAX, "max", STORAGE_ROLE_MOD);
    come_from(driver, BOB, "bob", "192.0.2.7");
    come_from(driver, EVE, "eve", "192.0.2.8");
    driver_connect(driver, OWNER, PEER_OPERATOR);
    assert_int_equal(driver_send(driver, OWNER, "{'t':'hello','protocol':1}"), HOUSE_OK);
    return 0;
}

const char *order_expect(struct driver *driver, int64_t conn, const char *line, const char *code,
                         const char *file, int at)
{
    size_t i;
    json_t *text;
    size_t len = 0;
    const json_t *answer = driver_expect(
        driver, driver_ask(driver, conn, "{'t':'mod','line':'%s'}", line), code, file, at);
    json_array_foreach(json_object_get(answer, "lines"), i, text)
    {
        len += (size_t)snprintf(said + len, sizeof said - len, "%s\n", json_string_value(text));
        assert_true(len < sizeof said);
    }
    said[len] = '\0';
    return code == NULL ? said : driver_text(answer, "why");
}

struct newest {
    char words[512];
    int64_t id;
};

static bool take_newest(void *context, const struct storage_audit *row)
{
    struct newest *newest = context;
    newest->id = row->id;
    snprintf(newest->words, sizeof newest->words, "%s %s %s %s", row->actor_name, row->verb,
             row->target_name, row->result);
    return false;
}

int64_t order_row(struct driver *driver, const char *row)
{
    struct newest newest = {{0}, 0};
    const struct storage_audit_query query = {"", "", "", 0, 1};
    assert_int_equal(storage_audit_each(driver->storage, &query, take_newest, &newest), STORAGE_OK);
    assert_string_equal(newest.words, row);
    return newest.id;
}

void order_told(struct driver *driver, int64_t conn, const char *type, const char *words)
{
    const char *text =
        driver_text(driver_newest(driver, conn, type), strcmp(type, "bye") == 0 ? "why" : "text");
    if (strstr(text, words) == NULL) {
        fail_msg("told \"%s\", not \"%s\"", text, words);
    }
}
