#include "daemon/config/config.h"
#include "tests/unit.h"

#include <stdbool.h>

#include <stdio.h>
#include <string.h>

#define FINGERPRINT "SHA256:abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG"
#define HEARD_MAX 8

struct heard {
    unsigned count;
    int lines[HEARD_MAX];
    char whys[HEARD_MAX][CONFIG_WHY_SIZE];
};

static void record_error(void *context, int line, const char *why)
{
    struct heard *heard = context;
    assert_in_range(heard->count, 0, HEARD_MAX - 1);
    heard->lines[heard->count] = line;
    snprintf(heard->whys[heard->count], CONFIG_WHY_SIZE, "%s", why);
    heard->count++;
}

static struct heard read_config_bytes(struct config *config, const char *text, size_t len)
{
    struct heard heard = {0};
    const struct config_faults faults = {record_error, &heard};
    *config = config_make_default();
    unsigned told = config_read_text(config, text, len, &faults);
    assert_int_equal(told, heard.count);
    return heard;
}

static struct heard read_config_text(struct config *config, const char *text)
{
    return read_config_bytes(config, text, strlen(text));
}

static void expect_one_config_error(const char *text, int line, const char *words)
{
    struct config config;
    struct heard heard = read_config_text(&config, text);
    assert_int_equal(heard.count, 1);
    assert_int_equal(heard.lines[0], line);
    if (strstr(heard.whys[0], words) == NULL) {
        fail_msg("\"%s\" lacks \"%s\"", heard.whys[0], words);
    }
}

static void an_empty_file_sets_every_default(void **state)
{
    (void)state;
    const struct config defaults = config_make_default();
    struct config config;
    assert_int_equal(read_config_text(&config, "").count, 0);
    assert_memory_equal(&config, &defaults, sizeof config);
    assert_int_equal(config.listen_ssh_port, 2222);
    assert_string_equal(config.house_name, "Trickhouse");
    assert_false(config.door_limit_loopback);
}

/* Returns the index of the first setting with this name. */
static size_t find_setting(const char *section, const char *key)
{
    const struct config_setting *setting;
    for (size_t i = 0; (setting = config_setting_at(i)) != NULL; i++) {
        if (strcmp(setting->section, section) == 0 && strcmp(setting->key, key) == 0) {
            return i;
        }
    }
    fail_msg("there is no setting %s of [%s]", key, section);
    return CONFIG_COUNT;
}

static void every_kind_of_setting_is_read_with_its_line_number(void **state)
{
    (void)state;
    struct config config;
    struct heard heard = read_config_text(&config, "\xEF\xBB\xBF[house]\n"
                                                   "name = Haus \xE2\x99\xA3 \r\n"
                                                   "  first_admin=" FINGERPRINT "\n"
                                                   "# a remark\n"
                                                   "[door] ; another\n"
                                                   "limit_loopback = yes ; a third\n"
                                                   "[listen]\n"
                                                   "address = ::1\n"
                                                   "ssh_port = 0");
    assert_int_equal(heard.count, 0);
    assert_string_equal(config.house_name, "Haus \xE2\x99\xA3");
    assert_string_equal(config.house_first_admin, FINGERPRINT);
    assert_true(config.door_limit_loopback);
    assert_string_equal(config.listen_address, "::1");
    assert_int_equal(config.listen_ssh_port, 0);
    assert_int_equal(config.from[find_setting("house", "name")], 2);
    assert_int_equal(config.from[find_setting("house", "first_admin")], 3);
}

static void a_value_out_of_range_is_reported_with_the_allowed_values(void **state)
{
    (void)state;
    expect_one_config_error("[listen]\nssh_port = 65536\n", 2, "a whole number from 0 to 65535");
    expect_one_config_error("[listen]\nssh_port = -1\n", 2, "\"-1\"");
    expect_one_config_error("[listen]\nssh_port = 99999999999999999999999\n", 2, "65535");
    expect_one_config_error("[listen]\nssh_port =\n", 2, "a whole number");
    expect_one_config_error("[chat]\nmute_s = 1m\n", 2, "from 1 to 86400 s");
    expect_one_config_error("[proxy]\nnetworks = 10.0.0.0/8,::1\n", 2,
                            "separated by single spaces");
    expect_one_config_error("[door]\nlimit_loopback = maybe\n", 2, "yes or no");
    expect_one_config_error("[listen]\naddress = localhost\n", 2, "IPv4 or IPv6");
    expect_one_config_error("[house]\nfirst_admin = SHA256:abc\n", 2, "43 characters");
    expect_one_config_error("[house]\nregistration = shut\n", 2, "keep, open, hold or closed");
    expect_one_config_error("[house]\nguests = some\n", 2, "yes, play-only or no");
    expect_one_config_error("[house]\nname =\n", 2, "1 to 64 bytes");
    expect_one_config_error("[house]\nname = a\x1B[2J\n", 2, "1 to 64 bytes");
    expect_one_config_error("[house]\nname = \xC0\x80\n", 2, "UTF-8");
}

static void the_url_of_a_database_contains_no_password(void **state)
{
    (void)state;
    struct config config;
    static const char good[] =
        "[storage]\nurl = postgresql://house@db1,db2:5433/house?sslmode=verify-full&passfile=/a:b\n"
        "[cluster]\nnode = 511\naddress = [2001:db8::1]:4022\n";
    struct heard heard = read_config_text(&config, good);
    assert_int_equal(heard.count, 0);
    assert_string_equal(config.storage_url,
                        "postgresql://house@db1,db2:5433/house?sslmode=verify-full&passfile=/a:b");
    assert_int_equal(config.cluster_node, 511);
    assert_string_equal(config.cluster_address, "[2001:db8::1]:4022");
    static const char *const bad[] = {
        "[storage]\nurl = postgresql://house:secret@db1/house\n",
        "[storage]\nurl = postgresql://house:secret?@db1/house\n",
        "[storage]\nurl = postgresql://db1/house?password=secret\n",
        "[storage]\nurl = postgresql://db1/house?sslpassword=secret\n",
        "[storage]\nurl = host=db1 password=secret\n",
        "[storage]\nurl = https://secret\n",
    };
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        expect_one_config_error(bad[i], 2, "without a password");
        heard = read_config_text(&config, bad[i]);
        assert_null(strstr(heard.whys[0], "secret"));
    }
}

static void a_node_needs_a_database_and_an_address(void **state)
{
    (void)state;
    static const char url[] = "[storage]\nurl = postgresql://db1/house\n";
    char text[200];
    expect_one_config_error("[cluster]\nnode = 1\naddress = 10.0.0.1:4022\n", 0,
                            "url in [storage]");
    snprintf(text, sizeof text, "%s[cluster]\nnode = 1\n", url);
    expect_one_config_error(text, 0, "address in [cluster]");
    snprintf(text, sizeof text, "%s[cluster]\naddress = 10.0.0.1:4022\n", url);
    expect_one_config_error(text, 0, "node in [cluster]");
    static const char *const addresses[] = {"10.0.0.1",       ":4022",     "10.0.0.1:0",
                                            "10.0.0.1:65536", "10.0.0.1:", "host:4022",
                                            "[]:4022",        "[::1:4022", "::1:4022"};
    for (size_t i = 0; i < ARRAY_LEN(addresses); i++) {
        snprintf(text, sizeof text, "[cluster]\naddress = %s\n", addresses[i]);
        expect_one_config_error(text, 2, "192.0.2.1:4022 or");
    }
}

static void an_unknown_setting_is_reported_with_a_suggestion(void **state)
{
    (void)state;
    expect_one_config_error("[listne]\nssh_port = 1\n", 1, "[listen]");
    expect_one_config_error("\n[weather]\n", 2, "the sections are [listen], [proxy]");
    expect_one_config_error("[listen]\nsshport = 22\n", 2, "did you mean ssh_port in [listen]?");
    expect_one_config_error("[house]\nssh_port = 22\n", 2, "did you mean ssh_port in [listen]?");
    expect_one_config_error("[house]\ncolour_of_the_door = red\n", 2, "check-config");
}

static void a_line_that_sets_nothing_is_reported(void **state)
{
    (void)state;
    char endless[4200];
    memset(endless, 'x', sizeof endless);
    memcpy(endless, "[house]\nname = ", 15);
    endless[sizeof endless - 1] = '\0';
    expect_one_config_error("[house]\nname\n", 2, "key = value");
    expect_one_config_error("[house\n", 1, "end with ]");
    expect_one_config_error(endless, 2, "too long");
    expect_one_config_error("[listen]\nssh_port = 22\n\nssh_port = 23\n", 4,
                            "already set in line 2");
    struct config config;
    assert_int_equal(read_config_bytes(&config, "[house]\nna\0me = a\n", 18).count, 1);
}

/* A value is cut nowhere, and refused for its length only if it is a text that people see. */
static void long_values_fit(void **state)
{
    (void)state;
    static const char url[] =
        "postgresql://house@db1.prod.example.net:5432,db2.prod.example.net:5432,"
        "db3.prod.example.net:5432/house?passfile=/etc/trickhouse/passfile&sslmode=verify-full&"
        "sslrootcert=/etc/trickhouse/tls/root.crt&sslcert=/etc/trickhouse/tls/house.crt&"
        "sslkey=/etc/trickhouse/tls/house.key&target_session_attrs=read-write";
    char path[4000] = "/";
    char networks[16 * sizeof "2001:db8:1111:2222:3333:4444:5555:6666/128"] = "";
    char text[4096];
    memset(path + 1, 'p', sizeof path - 2);
    for (size_t i = 0; i < 16; i++) {
        strcat(networks, i == 0 ? "" : " ");
        strcat(networks, "2001:db8:1111:2222:3333:4444:5555:6666/128");
    }
    struct config config = config_make_default();
    struct heard heard = {0};
    const struct config_faults faults = {record_error, &heard};
    const struct {
        const char *section, *key, *value, *kept;
    } settings[] = {
        {"storage", "url", url, config.storage_url},
        {"webhook", "ca_file", path, config.webhook_ca_file},
        {"metrics", "file", path, config.metrics_file},
        {"proxy", "networks", networks, config.proxy_networks},
    };
    for (size_t i = 0; i < ARRAY_LEN(settings); i++) {
        int len = snprintf(text, sizeof text, "[%s]\n%s = %s ; a comment\n", settings[i].section,
                           settings[i].key, settings[i].value);
        assert_int_equal(config_read_text(&config, text, (size_t)len, &faults), 0);
        assert_string_equal(settings[i].kept, settings[i].value);
    }
    char line[4096 + sizeof "[storage]\n"] = "[storage]\nurl=postgresql://";
    memset(line + strlen(line), 'u', sizeof line - 1 - strlen(line));
    assert_int_equal(read_config_bytes(&config, line, sizeof line - 1).count, 0);
    expect_one_config_error(
        "[house]\nname = aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
        "aaaaaaaaa\n",
        2, "1 to 64 bytes");
}

static void an_unknown_section_is_reported_with_a_list_of_all_sections(void **state)
{
    (void)state;
    struct config config;
    struct heard heard = read_config_text(&config, "[quite-something-else-that-nobody-meant]\n");
    const char *why = heard.whys[0];
    const struct config_setting *setting;
    for (size_t i = 0; (setting = config_setting_at(i)) != NULL; i++) {
        char name[64];
        snprintf(name, sizeof name, "[%s]", setting->section);
        assert_non_null(strstr(why, name));
    }
    assert_int_equal(why[strlen(why) - 1], ']');
}

static void settings_before_the_first_section_are_reported(void **state)
{
    (void)state;
    expect_one_config_error("ssh_port = 22\n", 1, "[listen]");
}

static void settings_that_contradict_each_other_are_reported(void **state)
{
    (void)state;
    expect_one_config_error("[door]\nunauth_start = 200\n", 0, "unauth_full");
    expect_one_config_error("[door]\npenalty_max_s = 5\n", 0, "penalty_from_s");
    expect_one_config_error("[door]\nlogin_s = 14\n", 0, "key_exchange_s");
    expect_one_config_error("[data]\nlog_idle_mib = 65\n", 0, "log_most_mib");
}

static void all_errors_of_a_file_are_reported_and_its_valid_settings_are_used(void **state)
{
    (void)state;
    struct config config;
    struct heard heard = read_config_text(&config, "[chat]\nburst = x\nstrikes = 9\n[nowhere]\n"
                                                   "mute_s = 3\n[chat]\nmutes = 3\nmute_s\n");
    assert_int_equal(heard.count, 4);
    const int lines[] = {2, 4, 7, 8};
    for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
        assert_int_equal(heard.lines[i], lines[i]);
    }
    assert_int_equal(config.chat_burst, 5);
    assert_int_equal(config.chat_strikes, 9);
}

static void command_line_settings_follow_the_same_rules_as_those_in_a_file(void **state)
{
    (void)state;
    struct config config = config_make_default();
    char why[CONFIG_WHY_SIZE];
    assert_true(config_set(&config, "limits", "sessions", "7", CONFIG_FROM_COMMAND, why));
    assert_int_equal(config.limits_sessions, 7);
    assert_false(config_set(&config, "limits", "sessions", "0", CONFIG_FROM_COMMAND, why));
    assert_int_equal(config.limits_sessions, 7);
    assert_non_null(strstr(why, "from 1 to 20000"));
}

static void an_unreadable_file_counts_as_one_error(void **state)
{
    (void)state;
    struct config config = config_make_default();
    struct heard heard = {0};
    const struct config_faults faults = {record_error, &heard};
    assert_int_equal(config_read_file(&config, "/nonexistent/house.conf", &faults), 1);
    assert_int_equal(config_read_file(&config, "/", &faults), 1);
    assert_int_equal(heard.count, 2);
    assert_int_equal(heard.lines[0], 0);
    assert_string_equal(heard.whys[0], "No such file or directory");
}

static void settings_are_shown_section_by_section(void **state)
{
    (void)state;
    size_t count = 0;
    size_t sections = 0;
    const char *section = "";
    for (size_t i = 0; i < CONFIG_COUNT; i = config_setting_next_to_show(i), count++) {
        const struct config_setting *setting = config_setting_at(i);
        sections += strcmp(setting->section, section) != 0;
        section = setting->section;
        assert_int_equal(find_setting(section, setting->key), i);
    }
    assert_int_equal(count, CONFIG_COUNT);
    for (size_t i = 0; i < CONFIG_COUNT; i++) {
        sections -= config_setting_first_of_section(config_setting_at(i)->section) == i;
    }
    assert_int_equal(sections, 0);
}

static void a_setting_written_as_text_can_be_read_again(void **state)
{
    (void)state;
    struct config config = config_make_default();
    char text[CONFIG_TEXT_SIZE], why[CONFIG_WHY_SIZE];
    const struct config_setting *setting;
    for (size_t i = 0; (setting = config_setting_at(i)) != NULL; i++) {
        config_write_value(&config, i, text);
        assert_string_equal(text, setting->value);
        assert_true(config_set(&config, setting->section, setting->key, text, 1, why));
    }
}

TEST_GROUP(config)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_file_sets_every_default),
        cmocka_unit_test(every_kind_of_setting_is_read_with_its_line_number),
        cmocka_unit_test(a_value_out_of_range_is_reported_with_the_allowed_values),
        cmocka_unit_test(an_unknown_setting_is_reported_with_a_suggestion),
        cmocka_unit_test(a_line_that_sets_nothing_is_reported),
        cmocka_unit_test(long_values_fit),
        cmocka_unit_test(an_unknown_section_is_reported_with_a_list_of_all_sections),
        cmocka_unit_test(settings_before_the_first_section_are_reported),
        cmocka_unit_test(the_url_of_a_database_contains_no_password),
        cmocka_unit_test(a_node_needs_a_database_and_an_address),
        cmocka_unit_test(settings_that_contradict_each_other_are_reported),
        cmocka_unit_test(all_errors_of_a_file_are_reported_and_its_valid_settings_are_used),
        cmocka_unit_test(command_line_settings_follow_the_same_rules_as_those_in_a_file),
        cmocka_unit_test(an_unreadable_file_counts_as_one_error),
        cmocka_unit_test(settings_are_shown_section_by_section),
        cmocka_unit_test(a_setting_written_as_text_can_be_read_again),
    };
    return cmocka_run_group_tests_name("configuration", tests, NULL, NULL);
}
