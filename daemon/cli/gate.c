#include "daemon/processes/gate/gate.h"

#include "daemon/cli/cli.h"

#include <stdint.h>

#define DESCRIPTOR_LIMIT (1 << 20)

static int gate_subcommand_run(char **argv)
{
    uint32_t image = 0;
    const struct argument options[] = {
        {.name = "image", .number = &image, .min = 3, .max = DESCRIPTOR_LIMIT},
        {.name = NULL},
    };
    if (!arguments_read(&gate_subcommand, options, argv)) {
        return 2;
    }
    return image != 0 ? gate_resume((int)image)
                      : subcommand_report_wrong_usage(&gate_subcommand, "--image N is missing");
}

const struct subcommand gate_subcommand = {
    .name = "gate",
    .args = "--image N",
    .help = N_("Replace the gate of an open house. The gate itself runs this during a reload."),
    .is_internal = true,
    .run = gate_subcommand_run,
};
