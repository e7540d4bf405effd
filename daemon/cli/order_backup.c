#include "daemon/cli/cli.h"

#include <stdio.h>
#include <string.h>

enum operator_result order_backup(const struct subcommand *self, const char *data_dir,
                                  char path[PATH_MAX])
{
    json_t *answer = NULL;
    enum operator_result result = operator_run_command(data_dir, "backup", &answer);
    const char *said =
        json_string_value(json_object_get(answer, result == OPERATOR_OK ? "path" : "why"));
    switch (result) {
    case OPERATOR_OK:
        (void)snprintf(path, PATH_MAX, "%s", said);
        break;
    case OPERATOR_REFUSED:
        (void)subcommand_fail(self, data_dir, said);
        break;
    case OPERATOR_FAILED:
    case OPERATOR_STAYED:
    case OPERATOR_WAITS:
        (void)subcommand_fail(self, data_dir, operator_explain_failure());
        break;
    case OPERATOR_CLOSED:
        break;
    }
    json_decref(answer);
    return result;
}
