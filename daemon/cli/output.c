#include "daemon/cli/cli.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#define OUTPUT_BUFFER 65536

struct output output_begin(void)
{
    signal(SIGPIPE, SIG_IGN);
    setvbuf(stdout, NULL, _IOFBF, OUTPUT_BUFFER);
    return (struct output){0};
}

void output_write(struct output *output, const char *bytes, size_t len)
{
    if (output->error == 0 && fwrite(bytes, 1, len, stdout) != len) {
        output->error = errno;
    }
}

static void flush_output(struct output *output)
{
    if (fflush(stdout) != 0 && output->error == 0) {
        output->error = errno;
    }
}

void output_write_line(struct output *output, const char *line)
{
    output_write(output, line, strlen(line));
    flush_output(output);
}

int output_end(struct output *output, const struct subcommand *self)
{
    flush_output(output);
    if (output->error != 0) {
        fprintf(stderr, _("trickhouse %s: cannot write the output: %s\n"), self->name,
                strerror(output->error));
        return 1;
    }
    return 0;
}
