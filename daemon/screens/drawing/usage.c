#include "daemon/screens/drawing/words.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"

void usage_write_entry(const struct usage *usage, struct text *out)
{
    text_put(out, usage->prefix);
    text_put(out, usage->name);
    if (usage->args != NULL && usage->args[0] != '\0') {
        text_put_char(out, ' ');
        text_put(out, _(usage->args));
    }
    text_put(out, ": ");
    text_put(out, usage->help);
}

void usage_put_entry_line(const struct usage *usage, struct lines *lines)
{
    struct text out = TEXT_OF(LINES_LINE_MAX);
    usage_write_entry(usage, &out);
    lines_put(lines, out.at);
}

void usage_put_mod_commands(enum rank rank, struct lines *lines)
{
    const struct mod_command_info *command;
    for (size_t i = 0; (command = mod_command_info_at(i)) != NULL; i++) {
        if (mod_command_is_listed_for(command, rank)) {
            usage_put_entry_line(
                &(struct usage){"", command->name, command->args, _(command->help)}, lines);
        }
    }
}
