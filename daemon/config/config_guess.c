#include "daemon/config/config.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"

#include <stdio.h>
#include <string.h>

#define SECTIONS_SIZE 300 /* room for a list of all sections; a test checks this */
#define WORD_MAX 40       /* number of bytes of a wrong name that are compared and shown */

static size_t lesser_of(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Computes the Levenshtein distance of the first WORD_MAX bytes of both words. */
static size_t compute_edit_distance(const char *wrong, const char *right)
{
    size_t row[WORD_MAX + 1];
    size_t wrong_len = strnlen(wrong, WORD_MAX);
    size_t right_len = strnlen(right, WORD_MAX);
    for (size_t i = 0; i <= right_len; i++) {
        row[i] = i;
    }
    for (size_t w = 1; w <= wrong_len; w++) {
        size_t diagonal = row[0];
        row[0] = w;
        for (size_t r = 1; r <= right_len; r++) {
            size_t replaced = diagonal + (wrong[w - 1] != right[r - 1] ? 1 : 0);
            diagonal = row[r];
            row[r] = lesser_of(replaced, lesser_of(row[r], row[r - 1]) + 1);
        }
    }
    return row[right_len];
}

/* True if this number of changed letters suggests a typing error in a word of this length. */
static bool is_typing_error(const char *wrong_word, size_t changed_letter_count)
{
    return changed_letter_count <= 1 + strnlen(wrong_word, WORD_MAX) / 3;
}

static void list_sections(char *text, size_t size)
{
    const struct config_setting *setting;
    size_t len = 0;
    for (size_t i = 0; (setting = config_setting_at(i)) != NULL && len < size; i++) {
        if (config_setting_first_of_section(setting->section) == i) {
            len += (size_t)snprintf(text + len, size - len, "%s[%s]", len == 0 ? "" : ", ",
                                    setting->section);
        }
    }
}

void config_guess_section(const char *section, char why[CONFIG_WHY_SIZE])
{
    const struct config_setting *setting;
    const char *best = NULL;
    size_t fewest_changes = SIZE_MAX;
    for (size_t i = 0; (setting = config_setting_at(i)) != NULL; i++) {
        size_t changes = compute_edit_distance(section, setting->section);
        if (changes < fewest_changes) {
            fewest_changes = changes;
            best = setting->section;
        }
    }
    if (is_typing_error(section, fewest_changes)) {
        snprintf(why, CONFIG_WHY_SIZE, _("there is no section [%.*s]; did you mean [%s]?"),
                 WORD_MAX, section, best);
        return;
    }
    char sections[SECTIONS_SIZE] = "";
    list_sections(sections, sizeof sections);
    snprintf(why, CONFIG_WHY_SIZE, _("there is no section [%.*s]; the sections are %s"), WORD_MAX,
             section, sections);
}

void config_guess_key(const char *section, const char *key, char why[CONFIG_WHY_SIZE])
{
    const struct config_setting *setting;
    const struct config_setting *best = NULL;
    size_t best_score = SIZE_MAX;
    for (size_t i = 0; (setting = config_setting_at(i)) != NULL; i++) {
        /* At equal distance, prefer a setting of the section that was named. */
        size_t score =
            2 * compute_edit_distance(key, setting->key) + (strcmp(section, setting->section) != 0);
        if (score < best_score) {
            best_score = score;
            best = setting;
        }
    }
    if (best != NULL && is_typing_error(key, best_score / 2)) {
        snprintf(why, CONFIG_WHY_SIZE, _("there is no %.*s in [%.*s]; did you mean %s in [%s]?"),
                 WORD_MAX, key, WORD_MAX, section, best->key, best->section);
    } else {
        snprintf(why, CONFIG_WHY_SIZE,
                 _("there is no %.*s in [%.*s]; `trickhouse check-config` lists all settings"),
                 WORD_MAX, key, WORD_MAX, section);
    }
}
