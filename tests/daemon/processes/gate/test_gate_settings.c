#include "daemon/processes/gate/gate.h"
#include "tests/unit.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Reads the file as a gate does that executes its program for a reload, and returns the program,
 * which the caller frees; NULL if there is none. */
static char *read_settings(int settings, struct config *config)
{
    json_t *root = gate_settings_read(settings);
    char *program = NULL;
    *config = config_make_default();
    if (root != NULL) {
        program = strdup(json_string_value(json_object_get(root, "program")));
        gate_settings_from_json(json_object_get(root, "settings"), config);
    }
    json_decref(root);
    return program;
}

static void gate_settings_written_later_replace_the_earlier_ones(void **state)
{
    (void)state;
    int settings = gate_settings_make_file();
    struct config config = config_make_default();
    struct config read;
    char why[CONFIG_WHY_SIZE];
    assert_true(settings >= 0);
    assert_true(config_set(&config, "house", "name", "A \"much\" longer name", 1, why));
    assert_true(gate_settings_write(settings, "/a/longer/path/to/it", &config));
    assert_true(config_set(&config, "house", "name", "Bell", 1, why));
    assert_true(config_set(&config, "door", "tries", "2", 1, why));
    assert_true(gate_settings_write(settings, "/it", &config));
    char *program = read_settings(settings, &read);
    assert_string_equal(program, "/it");
    assert_string_equal(read.house_name, "Bell");
    assert_int_equal(read.door_tries, 2);
    assert_int_equal(read.door_key_probes, config_make_default().door_key_probes);
    free(program);
    close(settings);
}

static void settings_that_this_version_does_not_know_are_skipped(void **state)
{
    (void)state;
    static const char text[] =
        "{\"program\": \"/it\", \"settings\": [[\"door\", \"trumpets\", \"9\"],"
        " [\"door\", \"tries\", \"2\"], [\"door\", \"tries\"], 5]}";
    int settings = gate_settings_make_file();
    struct config read;
    assert_int_equal(write(settings, text, sizeof text - 1), sizeof text - 1);
    char *program = read_settings(settings, &read);
    assert_string_equal(program, "/it");
    assert_int_equal(read.door_tries, 2);
    free(program);
    close(settings);
}

static void an_empty_or_malformed_file_holds_no_gate_settings(void **state)
{
    (void)state;
    int settings = gate_settings_make_file();
    struct config read;
    assert_null(read_settings(settings, &read));
    assert_int_equal(write(settings, "{", 1), 1);
    assert_null(read_settings(settings, &read));
    close(settings);
}

TEST_GROUP(gate_settings)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gate_settings_written_later_replace_the_earlier_ones),
        cmocka_unit_test(settings_that_this_version_does_not_know_are_skipped),
        cmocka_unit_test(an_empty_or_malformed_file_holds_no_gate_settings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
