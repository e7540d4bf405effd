#include "daemon/processes/processes.h"

#include "tests/daemon/fixtures/folder_fixture.h"
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static char folder[FOLDER_PATH_MAX];
static char path[FOLDER_PATH_MAX];

static int make_folder(void **state)
{
    (void)state;
    int result = folder_make(folder);
    folder_write_path(path, folder, "node_key");
    return result;
}

static int remove_folder(void **state)
{
    (void)state;
    return folder_remove(folder);
}

static void the_key_is_made_once_for_its_owner_only(void **state)
{
    struct node_key first;
    struct node_key second;
    struct stat status;
    (void)state;
    assert_true(node_key_load(&first, path));
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0600);
    assert_true(node_key_load(&second, path));
    assert_string_equal(first.public_text, second.public_text);
    assert_string_equal(first.private_text, second.private_text);
    node_key_clear(&first);
    node_key_clear(&second);
    assert_null(second.private_text);
}

static void the_public_text_is_that_of_ssh_keygen(void **state)
{
    struct node_key key;
    char command[FOLDER_PATH_MAX + 32];
    char said[256] = "";
    (void)state;
    assert_true(node_key_load(&key, path));
    (void)snprintf(command, sizeof command, "ssh-keygen -y -f %s", path);
    FILE *output = popen(command, "re");
    assert_non_null(output);
    assert_non_null(fgets(said, sizeof said, output));
    assert_int_equal(pclose(output), 0);
    assert_int_equal(strncmp(said, key.public_text, strlen(key.public_text)), 0);
    assert_int_equal(strncmp(key.public_text, "ssh-ed25519 AAAA", 16), 0);
    node_key_clear(&key);
}

static void a_file_that_is_no_key_is_refused(void **state)
{
    struct node_key key;
    (void)state;
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    assert_true(fputs("no key\n", file) >= 0);
    assert_int_equal(fclose(file), 0);
    assert_false(node_key_load(&key, path));
    assert_null(key.private_text);
}

#define IN_A_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

TEST_GROUP(node_key)
{
    const struct CMUnitTest tests[] = {
        IN_A_FOLDER(the_key_is_made_once_for_its_owner_only),
        IN_A_FOLDER(the_public_text_is_that_of_ssh_keygen),
        IN_A_FOLDER(a_file_that_is_no_key_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
