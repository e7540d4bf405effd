#pragma once

/*
 * Texts that people read are translated with _(). Texts in constant tables are marked with N_()
 * (games/macros.h). The catalogues are those of gettext(3). A process loads all catalogues once,
 * before it is confined or forks sessions: choosing a language afterwards opens no file, and
 * sessions share the memory.
 */

#include "games/macros.h"

#include <libintl.h>
#include <stdbool.h>
#include <stddef.h>

#define _(text) i18n_translate(text)

/* Returns the text in the chosen language, or unchanged if the catalogue does not have it. An empty
 * text stays empty: gettext(3) would return the catalogue's header. */
static inline const char *i18n_translate(const char *text) __attribute__((format_arg(1)));

static inline const char *i18n_translate(const char *text)
{
    return text[0] == '\0' ? text : gettext(text);
}

/* the language of the untranslated texts in the source code */
#define I18N_ENGLISH "en"

/* Size of a buffer for a language's tag ("de") and the terminating NUL. */
#define I18N_TAG_SIZE 8

/* Loads every catalogue from FOLDER/de/LC_MESSAGES/trickhouse.mo. If `folder` is NULL, loads them
 * from the folder `locale` beside this program, or from ../share/locale or ../locale relative to
 * it. Then chooses English. Returns false if a catalogue cannot be loaded: that language cannot be
 * chosen. */
bool i18n_load_catalogues(const char *folder) MUST_CHECK;

/* The tag of each language ("de"), and its name in that language ("Deutsch"). Language 0 is
 * English; after the last tag comes NULL. */
extern const char *const i18n_tags[], *const i18n_titles[];
size_t i18n_count_languages(void);

/* Chooses the language of _() for the whole process. Returns false, and changes nothing, if the tag
 * is unknown. */
bool i18n_choose_language(const char *tag);

/* Chooses whether texts have only ASCII letters ("fuer", not "für"), in any language. */
void i18n_choose_letters(bool is_ascii);

/* Returns the index of the chosen language. */
size_t i18n_chosen_language(void);

/* Returns the tag of the language that a locale names: "de" for "de_AT.UTF-8"; English if that
 * language has no catalogue. */
const char *i18n_language_of_locale(const char *locale);
