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

static const struct language {
    const char *tag, *title;
} languages[] = {
    {I18N_ENGLISH, "English"},
#define LANGUAGE(tag, title) {tag, title},
#include "daemon/base/languages.def"
#undef LANGUAGE
};

size_t i18n_count_languages(void)
{
    return ARRAY_LEN(languages);
}

const char *i18n_language_tag(size_t index)
{
    return languages[index].tag;
}

const char *i18n_language_title(size_t index)
{
    return languages[index].title;
}

static const struct language *find_language_index(const char *tag, size_t len)
{
    for (size_t i = 0; i < ARRAY_LEN(languages); i++) {
        if (strlen(languages[i].tag) == len && memcmp(languages[i].tag, tag, len) == 0) {
            return &languages[i];
        }
    }
    return NULL;
}

/* Chooses the catalogue of the language, or the one that says the same in ASCII. */
static void choose_catalogue(const struct language *language, bool is_ascii)
{
    const char *chosen = getenv("LANGUAGE");
    char wanted[I18N_TAG_SIZE + sizeof(ASCII_MODIFIER)];
    (void)snprintf(wanted, sizeof wanted, "%s%s", language->tag, is_ascii ? ASCII_MODIFIER : "");
    if (chosen == NULL || strcmp(chosen, wanted) != 0) {
        /* glibc rereads LANGUAGE only after another gettext setting has changed. Setting the domain
         * to its current value is enough, as a comment in glibc's textdomain.c says. */
        if (setenv("LANGUAGE", wanted, 1) != 0 || textdomain(DOMAIN) == NULL) {
            abort();
        }
    }
}

static const struct language *find_chosen_language(void)
{
    const char *tag = getenv("LANGUAGE");
    const struct language *language =
        tag == NULL ? NULL : find_language_index(tag, strcspn(tag, "@"));
    return language == NULL ? &languages[0] : language;
}

bool i18n_choose_language(const char *tag)
{
    const struct language *language = find_language_index(tag, strlen(tag));
    const char *chosen = getenv("LANGUAGE");
    if (language != NULL) {
        choose_catalogue(language, chosen != NULL && strstr(chosen, ASCII_MODIFIER) != NULL);
    }
    return language != NULL;
}

void i18n_choose_letters(bool is_ascii)
{
    choose_catalogue(find_chosen_language(), is_ascii);
}

const char *i18n_chosen_language(void)
{
    return find_chosen_language()->tag;
}

const char *i18n_language_of_locale(const char *locale)
{
    const struct language *language = find_language_index(locale, strcspn(locale, "_.@"));
    return language == NULL ? I18N_ENGLISH : language->tag;
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
                                places[i], languages[ARRAY_LEN(languages) - 1].tag);
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
    (void)snprintf(line, sizeof line, "Language: %s\n", i18n_chosen_language());
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
    for (size_t i = ARRAY_LEN(languages);
         i-- > 0;) { /* load English last, so that English is the chosen language afterwards */
        choose_catalogue(&languages[i], true);
        is_whole = (load_chosen_catalogue() || i == 0) && is_whole;
        choose_catalogue(&languages[i], false);
        is_whole = (load_chosen_catalogue() || i == 0) && is_whole;
    }
    return is_whole;
}
