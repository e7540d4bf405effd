#include "daemon/processes/gate/gate.h"

#include "daemon/base/base.h"
#include "daemon/processes/gate/gate_state.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* path of the running program; it stays valid even if the program's file is replaced */
#define PROGRAM "/proc/self/exe"

void gate_renew_request(struct gate *gate)
{
    if (gate->is_renewable && !gate->is_stopping) {
        gate->is_suspect = true;
        gate_set_listening(gate, false);
    }
}

int64_t gate_renew_due_in_ms(const struct gate *gate, int64_t now_ms)
{
    if (!gate->is_renewable) {
        return -1;
    }
    if (gate->is_reloading) {
        return 0;
    }
    int64_t due_ms =
        gate->began_ms + (gate->is_suspect ? GATE_RENEW_PAUSE_MS : GATE_RENEW_DAILY_MS);
    return due_ms > now_ms ? due_ms - now_ms : 0;
}

/* Returns the path of the program to execute: the running one, or at a reload the one that the
 * supervisor names. The caller frees the path. */
static char *choose_program_to_execute(const struct gate *gate)
{
    char *program = NULL;
    struct config config;
    if (gate->is_reloading && !gate_settings_read(gate->settings, &program, &config)) {
        program = NULL; /* if reading fails, the settings stay as they are; gate_settings_read has
                           logged the error */
    }
    return program != NULL ? program : must_copy_text(PROGRAM);
}

void gate_renew_load_settings(struct gate *gate)
{
    char *program = NULL;
    struct config config;
    if (gate->has_new_settings && gate_settings_read(gate->settings, &program, &config)) {
        gate->config = config;
    }
    free(program);
    gate->has_new_settings = false;
}

void gate_renew(struct gate *gate, int64_t now_ms)
{
    if (gate_renew_due_in_ms(gate, now_ms) != 0) {
        return;
    }
    gate->has_new_settings = gate->is_reloading;
    int image_fd = gate_image_save(gate);
    if (image_fd >= 0) {
        char number[16];
        snprintf(number, sizeof(number), "%d", image_fd);
        char *argv[] = {(char[]){"trickhouse"}, (char[]){"gate"}, (char[]){"--image"}, number,
                        NULL};
        char *program = choose_program_to_execute(gate);
        execv(program, argv);
        int error = errno;
        free(program);
        gate_image_cancel(gate, image_fd);
        errno = error;
    }
    log_failure("the gate cannot be renewed");
    gate->has_new_settings = false;
    gate->is_reloading = false;
    gate->is_suspect = false;
    gate->began_ms = now_ms;
}
