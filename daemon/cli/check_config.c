#include "daemon/cli/cli.h"

#include "daemon/base/i18n.h"

#include <string.h>

static void print_fault(void *context, int line, const char *why)
{
    const char *const *path_of = context;
    const char *path = *path_of;
    if (line > 0) {
        fprintf(stderr, "%s:%d: %s\n", path, line, why);
    } else {
        fprintf(stderr, "%s: %s\n", path, why);
    }
}

unsigned config_faults_read_and_print(struct config *config, const char *path)
{
    const struct config_faults faults = {print_fault, &path};
    return config_read_file(config, path, &faults);
}

#define MANUAL_COLUMNS 78

/* Writes mdoc, the language of manual pages (mdoc(7)). Like every manual page of the house, the
 * page is in English only. */

/* Generated from trickhouse.conf.mdoc: `page`, the page around the settings, which stand in the
 * place of this line. */
#include "daemon/cli/manual.inc"
#define SETTINGS_PLACE ".\\\" The settings stand here.\n"

/* Prints the bytes as text that has no meaning to mdoc. `is_literal`: a minus is printed in the
 * form that readers can copy from the page. */
static void print_escaped(FILE *out, const char *bytes, size_t len, bool is_literal)
{
    for (size_t i = 0; i < len; i++) {
        switch (bytes[i]) {
        case '\\':
            fputs("\\e", out);
            break;
        case '"': /* a quotation mark would end an argument of a macro */
            fputs("\\(dq", out);
            break;
        case '-':
            fputs(is_literal ? "\\-" : "-", out);
            break;
        default:
            fputc(bytes[i], out);
        }
    }
}

/* Returns the length of the line of text at the start of `text`: its first sentence, unless a back
 * quote comes before its end. A small letter after a full stop does not begin a sentence. */
static size_t measure_line(const char *text)
{
    size_t len = 0;
    while (text[len] != '\0' && text[len] != '`') {
        len++;
        bool is_after_full_stop = text[len - 1] == '.' && text[len] == ' ';
        if (is_after_full_stop && text[len + 1] >= 'A' && text[len + 1] <= 'Z') {
            break;
        }
    }
    return len;
}

/* Prints text as lines of at most MANUAL_COLUMNS columns. A dot or an apostrophe at the beginning
 * of a line would make the line a macro. */
static void print_wrapped(FILE *out, const char *text, size_t len)
{
    const char *end = text + len;
    size_t column = 0;
    while (text < end) {
        size_t word_len = strcspn(text, " ");
        word_len = word_len < (size_t)(end - text) ? word_len : (size_t)(end - text);
        if (word_len > 0 && column > 0 && column + 1 + word_len > MANUAL_COLUMNS) {
            fputc('\n', out);
            column = 0;
        } else if (word_len > 0 && column > 0) {
            fputc(' ', out);
            column++;
        }
        if (column == 0 && (*text == '.' || *text == '\'')) {
            fputs("\\&", out);
        }
        print_escaped(out, text, word_len, false);
        column += word_len;
        text += word_len;
        text += text < end ? 1 : 0; /* the blank */
    }
    fputs(column > 0 ? "\n" : "", out);
}

/* Prints the words between two back quotes as a macro, and the punctuation that follows them.
 * Returns the rest of the text. */
static const char *print_quoted(FILE *out, const char *text)
{
    size_t len = strcspn(text, "`");
    fputs(".Ql \"\\&", out); /* \& prevents mdoc from taking a word for the name of a macro */
    print_escaped(out, text, len, true);
    fputc('"', out);
    text += len;
    text += *text == '`' ? 1 : 0;
    for (; *text != '\0' && strchr(".,;:)", *text) != NULL; text++) {
        fprintf(out, " %c", *text);
    }
    fputc('\n', out);
    return text;
}

void config_manual_print_text(FILE *out, const char *text)
{
    while (*text != '\0') {
        text += strspn(text, " ");
        if (*text == '`') {
            text = print_quoted(out, text + 1);
        } else {
            size_t len = measure_line(text);
            print_wrapped(out, text, len);
            text += len;
        }
    }
}

static void print_default(FILE *out, const struct config_setting *setting)
{
    if (setting->value[0] == '\0') {
        fputs("The default is empty.\n", out);
        return;
    }
    fputs("The default is\n.Cm \"\\&", out);
    print_escaped(out, setting->value, strlen(setting->value), true);
    fputs("\" .\n", out);
}

static void print_setting(FILE *out, size_t index)
{
    const struct config_setting *setting = config_setting_at(index);
    char allowed[CONFIG_ALLOWED_SIZE];
    config_describe_allowed_values(index, allowed);
    fprintf(out, ".It Ic %s\n", setting->key);
    config_manual_print_text(out, setting->help);
    fputs(".Pp\nThe value is ", out);
    print_escaped(out, allowed, strlen(allowed), false);
    fputs(".\n", out);
    print_default(out, setting);
}

/* Prints the manual page of the configuration file, trickhouse.conf(5), as mdoc source. The page
 * describes every setting. deploy/man/trickhouse.conf.5 is a copy of it. */
static void config_manual_print(FILE *out)
{
    const struct config_setting *setting;
    const char *place = strstr(page, SETTINGS_PLACE);
    fwrite(page, 1, (size_t)(place - page), out);
    for (size_t i = 0; (setting = config_setting_at(i)) != NULL;
         i = config_setting_next_to_show(i)) {
        if (config_setting_first_of_section(setting->section) == i) {
            fprintf(out, "%s.Ss [%s]\n.Bl -tag -width Ds\n", i == 0 ? "" : ".El\n",
                    setting->section);
        }
        print_setting(out, i);
    }
    fprintf(out, ".El\n%s", place + strlen(SETTINGS_PLACE));
}

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

int subcommand_run_check_config(char **argv)
{
    const char *path = NULL;
    bool wants_sample = false;
    bool wants_manual = false;
    const struct argument options[] = {
        {.name = "sample", .flag = &wants_sample},
        {.name = "manual", .flag = &wants_manual},
        {.text = &path, .called = "FILE"},
    };
    if (!arguments_read(options, argv)) {
        return 2;
    }
    if (wants_sample && wants_manual) {
        return subcommand_report_wrong_usage("--sample and --manual exclude each other");
    }
    if ((wants_sample || wants_manual) && path != NULL) {
        return subcommand_report_wrong_usage("%s takes no file",
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
