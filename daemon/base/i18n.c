#include "daemon/base/i18n.h"

#include <limits.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DOMAIN "trickhouse"

/* A language with this modifier has a catalogue of its own, in which letters that ASCII lacks are
 * spelled out ("fuer"); gettext(3) takes the language's other catalogue where it is missing. */
#define ASCII_MODIFIER "@ascii"

/* Every Debian has C.UTF-8. The slash changes the name of the locale, not the files that are found:
 * gettext(3) ignores LANGUAGE if the name is "C" or, since glibc 2.39, begins with "C.". */
#define LOCALE "/C.UTF-8"

const char *const i18n_tags[] = {
    I18N_ENGLISH,
#define LANGUAGE(tag, title) tag,
#include "daemon/base/languages.def"
#undef LANGUAGE
    NULL,
};

const char *const i18n_titles[] = {
    "English",
#define LANGUAGE(tag, title) title,
#include "daemon/base/languages.def"
#undef LANGUAGE
};

size_t i18n_count_languages(void)
{
    return ARRAY_LEN(i18n_titles);
}

/* Returns the index of the language with that tag; the number of languages if there is none. */
static size_t find_language(const char *tag, size_t len)
{
    size_t index = 0;
    while (index < ARRAY_LEN(i18n_titles) &&
           (strlen(i18n_tags[index]) != len || memcmp(i18n_tags[index], tag, len) != 0)) {
        index++;
    }
    return index;
}

/* Chooses the catalogue of the language, or the one that says the same in ASCII. */
static void choose_catalogue(const char *tag, bool is_ascii)
{
    const char *chosen = getenv("LANGUAGE");
    char wanted[I18N_TAG_SIZE + sizeof(ASCII_MODIFIER)];
    (void)snprintf(wanted, sizeof wanted, "%s%s", tag, is_ascii ? ASCII_MODIFIER : "");
    if (chosen == NULL || strcmp(chosen, wanted) != 0) {
        /* glibc rereads LANGUAGE only after another gettext setting has changed. Setting the domain
         * to its current value is enough, as a comment in glibc's textdomain.c says. */
        if (setenv("LANGUAGE", wanted, 1) != 0 || textdomain(DOMAIN) == NULL) {
            abort();
        }
    }
}

size_t i18n_chosen_language(void)
{
    const char *chosen = getenv("LANGUAGE");
    size_t index = chosen == NULL ? 0 : find_language(chosen, strcspn(chosen, "@"));
    return index < ARRAY_LEN(i18n_titles) ? index : 0;
}

bool i18n_choose_language(const char *tag)
{
    const char *chosen = getenv("LANGUAGE");
    bool is_known = find_language(tag, strlen(tag)) < ARRAY_LEN(i18n_titles);
    if (is_known) {
        choose_catalogue(tag, chosen != NULL && strstr(chosen, ASCII_MODIFIER) != NULL);
    }
    return is_known;
}

void i18n_choose_letters(bool is_ascii)
{
    choose_catalogue(i18n_tags[i18n_chosen_language()], is_ascii);
}

const char *i18n_language_of_locale(const char *locale)
{
    const char *tag = i18n_tags[find_language(locale, strcspn(locale, "_.@"))];
    return tag == NULL ? I18N_ENGLISH : tag;
}

/* Writes the path of the folder that contains this program, without a slash at the end. Returns
 * false if the path is unknown. */
static bool find_program_folder(char out[PATH_MAX])
{
    ssize_t len = readlink("/proc/self/exe", out, PATH_MAX - 1);
    if (len <= 0) {
        return false;
    }
    out[len] = '\0';
    char *slash = strrchr(out, '/');
    if (slash == NULL) {
        return false;
    }
    *slash = '\0';
    return true;
}

/* Finds the folder of the catalogues. In the build folder it is beside the programs, and tests are
 * in a subfolder; an installed program finds it in ../share/locale. Returns false if no folder has
 * a catalogue. */
static bool find_catalogue_folder(char out[PATH_MAX])
{
    static const char *const places[] = {"locale", "../share/locale", "../locale"};
    char program[PATH_MAX], file[PATH_MAX];
    if (!find_program_folder(program)) {
        return false;
    }
    for (size_t i = 0; i < ARRAY_LEN(places); i++) {
        int len = snprintf(out, PATH_MAX, "%s/%s", program, places[i]);
        int file_len = snprintf(file, PATH_MAX, "%s/%s/%s/LC_MESSAGES/" DOMAIN ".mo", program,
                                places[i], i18n_tags[ARRAY_LEN(i18n_titles) - 1]);
        if (len > 0 && file_len > len && file_len < PATH_MAX && access(file, R_OK) == 0) {
            return true;
        }
    }
    return false;
}

/* Makes gettext load the catalogue of the chosen language. Returns false if the language has no
 * catalogue; gettext remembers that the catalogue is missing. */
static bool load_chosen_catalogue(void)
{
    const char *nothing = ""; /* the translation of the empty text is the catalogue's header */
    const char *header = gettext(nothing);
    char line[sizeof("Language: ") + I18N_TAG_SIZE];
    (void)snprintf(line, sizeof line, "Language: %s\n", i18n_tags[i18n_chosen_language()]);
    return strstr(header, line) != NULL;
}

bool i18n_load_catalogues(const char *folder)
{
    char found[PATH_MAX];
    if (folder == NULL && find_catalogue_folder(found)) {
        folder = found;
    }
    if (folder == NULL || setlocale(LC_MESSAGES, LOCALE) == NULL ||
        bindtextdomain(DOMAIN, folder) == NULL ||
        bind_textdomain_codeset(DOMAIN, "UTF-8") == NULL || textdomain(DOMAIN) == NULL) {
        return false;
    }
    bool is_whole = true;
    for (size_t i = ARRAY_LEN(i18n_titles);
         i-- > 0;) { /* load English last, so that English is the chosen language afterwards */
        choose_catalogue(i18n_tags[i], true);
        is_whole = (load_chosen_catalogue() || i == 0) && is_whole;
        choose_catalogue(i18n_tags[i], false);
        is_whole = (load_chosen_catalogue() || i == 0) && is_whole;
    }
    return is_whole;
}
