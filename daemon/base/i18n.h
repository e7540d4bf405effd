#pragma once

/*
 * Words people read pass through _(); texts defined elsewhere are marked N_() (games/macros.h).
 *
 * The catalogues are those of gettext(3). A process loads all of them once, before it is confined
 * or forks sessions: choosing a language afterwards opens no file, and sessions share the pages.
 */

#include "games/macros.h"

#include <libintl.h>
#include <stdbool.h>
#include <stddef.h>

#define _(text) i18n_text(text)

/* The text in the language in force, or as it is when its catalogue does not know it. An empty one
 * stays empty: gettext(3) would give the catalogue's header for it. */
static inline const char *i18n_text(const char *text) __attribute__((format_arg(1)));

static inline const char *i18n_text(const char *text)
{
    return text[0] == '\0' ? text : gettext(text);
}

/* The language the program is written in. */
#define I18N_ENGLISH "en"

/* Room for a language's tag, with the terminating NUL: "de". */
#define I18N_TAG_SIZE 8

/* Loads every catalogue from FOLDER/de/LC_MESSAGES/trickhouse.mo; NULL: from the folder `locale`
 * beside this program, or ../share/locale or ../locale from there. English is chosen afterwards.
 * False when some catalogue cannot be loaded: its language cannot be chosen. */
bool i18n_load(const char *folder) MUST_CHECK;

/* How many languages there are, English included; their tags and their own names. English is 0. */
size_t i18n_count(void);
const char *i18n_tag(size_t index);
const char *i18n_title(size_t index);

/* From now on _() speaks this language, for the whole process. False for an unknown tag: the
 * language stays. */
bool i18n_choose(const char *tag);

/* The tag of the language in force. */
const char *i18n_chosen(void);

/* The language of a locale's name: "de" for "de_AT.UTF-8", English for one the house does not
 * speak. */
const char *i18n_of_locale(const char *locale);
