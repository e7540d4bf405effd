#include "daemon/processes/gate/gate.h"

#include "daemon/base/i18n.h"
#include "daemon/cli/arguments.h"

#include <stdint.h>

#define DESCRIPTOR_LIMIT (1 << 20)

enum option {
    OPTION_IMAGE,
};

static const struct argument options[] = {
    [OPTION_IMAGE] = {"image", true},
    {NULL, false},
};

static int gate_subcommand_run(int argc, char **argv)
{
    struct arguments arguments = arguments_of(&gate_subcommand, options, argc, argv);
    uint32_t image;
    switch (arguments_next(&arguments)) {
    case OPTION_IMAGE:
        return arguments_number(&gate_subcommand, "--image", arguments.value, 3, DESCRIPTOR_LIMIT,
                                &image)
                   ? gate_resume((int)image)
                   : 2;
    case ARGUMENT_BAD:
        return 2;
    default:
        return subcommand_usage(&gate_subcommand, "--image N is missing");
    }
}

const struct subcommand gate_subcommand = {
    .name = "gate",
    .args = "--image N",
    .help = N_("Go on as the gate of an open house: only the gate itself can ask for this."),
    .is_internal = true,
    .run = gate_subcommand_run,
};
