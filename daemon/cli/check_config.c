#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/cli/cli.h"
#include "daemon/config/config.h"

#include <stdio.h>
#include <string.h>

#define WRAP_COLUMNS 98 /* width of a comment line in the sample configuration */

static bool begins_new_section(size_t setting_index)
{
    return config_setting_first_of_section(config_setting_at(setting_index)->section) ==
           setting_index;
}

static void print_settings(const struct config *config, const char *config_path)
{
    const struct config_setting *setting;
    char value[CONFIG_TEXT_SIZE];
    for (size_t i = 0; (setting = config_setting_at(i)) != NULL;
         i = config_setting_next_to_show(i)) {
        if (begins_new_section(i)) {
            printf("%s[%s]\n", i == 0 ? "" : "\n", setting->section);
        }
        config_write_value(config, i, value);
        printf("%-22s = %-20s ", setting->key, value);
        if (config->from[i] == CONFIG_FROM_DEFAULT) {
            puts(_("; the default"));
        } else {
            printf(_("; %s:%d, the default is %s\n"), config_path, config->from[i],
                   setting->value[0] == '\0' ? _("nothing") : setting->value);
        }
    }
}

/* Prints the text as lines that begin with "# " and have at most WRAP_COLUMNS columns. The text is
 * ASCII. */
static void print_comment(const char *text)
{
    size_t column = 0;
    while (*text != '\0') {
        size_t len = strcspn(text, " ");
        if (column == 0 || column + 1 + len > WRAP_COLUMNS) {
            printf("%s# %.*s", column == 0 ? "" : "\n", (int)len, text);
            column = 2 + len;
        } else {
            printf(" %.*s", (int)len, text);
            column += 1 + len;
        }
        text += len;
        text += strspn(text, " ");
    }
    putchar('\n');
}

static void print_sample_config(void)
{
    const struct config_setting *setting;
    puts(
        "# All settings of a house, each with its default. To change one, remove the # before it.\n"
        "# `trickhouse serve` reads house.conf in the data folder, or the file given with "
        "--config.\n"
        "# `trickhouse check-config FILE` checks a file. A comment begins with \" ;\".");
    for (size_t i = 0; (setting = config_setting_at(i)) != NULL;
         i = config_setting_next_to_show(i)) {
        putchar('\n');
        if (begins_new_section(i)) {
            printf("[%s]\n", setting->section);
        }
        print_comment(setting->help);
        if (setting->kind == CONFIG_KIND_NUMBER) {
            printf("# From %u to %u%s%s.\n", (unsigned)setting->min, (unsigned)setting->max,
                   setting->unit[0] == '\0' ? "" : " ", setting->unit);
        }
        printf("#%s =%s%s\n", setting->key, setting->value[0] == '\0' ? "" : " ", setting->value);
    }
}

static int check_config_file(const char *path)
{
    struct config config = config_make_default();
    unsigned fault_count = path != NULL ? config_faults_read_and_print(&config, path) : 0;
    print_settings(&config, path);
    return fault_count > 0 ? 1 : 0;
}

static int check_config_run(char **argv)
{
    const char *path = NULL;
    bool wants_sample = false;
    bool wants_manual = false;
    const struct argument options[] = {
        {.name = "sample", .flag = &wants_sample},
        {.name = "manual", .flag = &wants_manual},
        {.text = &path, .called = "FILE"},
    };
    if (!arguments_read(&check_config_subcommand, options, argv)) {
        return 2;
    }
    if (wants_sample && wants_manual) {
        return subcommand_report_wrong_usage(&check_config_subcommand,
                                             "--sample and --manual exclude each other");
    }
    if ((wants_sample || wants_manual) && path != NULL) {
        return subcommand_report_wrong_usage(&check_config_subcommand, "%s takes no file",
                                             wants_sample ? "--sample" : "--manual");
    }
    if (wants_sample) {
        print_sample_config();
        return 0;
    }
    if (wants_manual) {
        config_manual_print(stdout);
        return 0;
    }
    return check_config_file(path);
}

const struct subcommand check_config_subcommand = {
    .name = "check-config",
    .args = "[FILE | --sample | --manual]",
    .help = N_("Show every setting, and check a configuration file."),
    .more = N_("Prints each setting with its value, its default and where the value comes from.\n"
               "Each error in FILE is printed on standard error as \"file:line: error\", and the\n"
               "exit status is then 1. Without FILE, prints the defaults.\n"
               "  --sample         print a configuration file that explains every setting\n"
               "  --manual         print the manual page trickhouse.conf(5), as mdoc source"),
    .run = check_config_run,
};
