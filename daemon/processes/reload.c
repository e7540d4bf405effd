#include "daemon/processes/processes.h"

#include "daemon/base/base.h"
#include "daemon/processes/common/common.h"
#include "daemon/processes/core/core.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define NUMBER_MAX 16

static void set_kept_across_exec(int lock, int log_input, int log_stream, bool is_kept)
{
    image_set_kept_across_exec(lock, is_kept);
    image_set_kept_across_exec(log_input, is_kept);
    image_set_kept_across_exec(log_stream, is_kept);
}

void reload_run(const struct supervisor_setup *setup, const struct data_dir *dir,
                const struct processes *processes, const struct log_writer *log)
{
    struct core_reload check = {.program = setup->program, .args = setup->args};
    char why[CORE_RELOAD_WHY_MAX] = "this house has no program to execute";
    if (setup->program == NULL || !core_reload_check(&check, why)) {
        log_event(LOG_LEVEL_ERROR, 0, "the reload is refused, and nothing has changed: %s", why);
        return;
    }
    int log_input = log->pid != 0 ? log->setup.input : -1;
    int log_stream = log->pid != 0 ? log->setup.stream : -1;
    int image_fd = image_save_to_memory_file(json_pack(
        "{s:i, s:o, s:i, s:i, s:i}", "lock", dir->lock, "crew", processes_image_make(processes),
        "log_input", log_input, "log_pid", (int)log->pid, "log_stream", log_stream));
    if (image_fd < 0) {
        log_failure("the reload failed");
        return;
    }
    char number[NUMBER_MAX];
    (void)snprintf(number, sizeof number, "%d", image_fd);
    char **line = command_line_make(setup->args, "--resume", number);
    processes_image_set_kept_across_exec(processes, true);
    set_kept_across_exec(dir->lock, log_input, log_stream, true);
    log_pairs(LOG_LEVEL_INFO, 0, "reloading", LOG_PAIRS("program", setup->program));
    execv(setup->program, line);
    log_failure("the reload failed");
    free(line);
    processes_image_set_kept_across_exec(processes, false);
    set_kept_across_exec(dir->lock, log_input, log_stream, false);
    close(image_fd);
}

bool reload_read_image(int image_fd, struct reload_image *contents)
{
    json_t *root = image_load_and_close(image_fd);
    /* images of older programs lack the optional members */
    int log_pid = 0;
    contents->log_input = -1;
    contents->log_stream = -1;
    bool is_read = json_unpack(root, "{s:i, s:O, s?i, s?i, s?i}", "lock", &contents->lock, "crew",
                               &contents->processes, "log_input", &contents->log_input, "log_pid",
                               &log_pid, "log_stream", &contents->log_stream) == 0;
    contents->log_pid = log_pid;
    json_decref(root);
    if (is_read) {
        set_kept_across_exec(contents->lock, contents->log_input, contents->log_stream, false);
    }
    return is_read;
}
