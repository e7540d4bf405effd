#include "daemon/screens/lobby/house_tell.h"

#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/person_words.h"
#include "daemon/screens/drawing/table_words.h"
#include "daemon/screens/drawing/text_format.h"
#include "daemon/screens/drawing/words.h"
#include "daemon/screens/table/table_options.h"

#define LINE_BYTES 400

static const struct theme told = {.is_ascii = true, .is_told = true};

static void tell_person(const struct model *model, const struct person_row *person, int64_t now_ms,
                        struct lines *lines)
{
    char line[LINE_BYTES], where[LINE_BYTES];
    struct text out = text_init(where, sizeof where);
    person_write_where(person->table, person->is_seated, &out);
    out = text_init(line, sizeof line);
    text_put(&out, person->name);
    if (person->rating.value != ROW_NONE) {
        text_put_char(&out, ' ');
        words_write_rating(&told, &person->rating, &out);
    }
    const char *mark = person_label(person->kind, person->role);
    if (mark[0] != '\0') {
        text_format_item(&out, "%s", mark);
    }
    if (model_is_friend(model, person->name)) {
        text_format_item(&out, "%s", _("a friend"));
    }
    text_format_item(&out, "%s", where);
    person_write_presence(person->presence, person->presence_text,
                          (now_ms - person->active_ms) / 1000, &out);
    lines_format(lines, "%s.", line);
}

void house_tell_people(const struct model *model, int64_t now_ms, struct lines *lines)
{
    int people = model_count_people(model);
    lines_format(lines, ngettext("%d person is in.", "%d people are in.", (unsigned long)people),
                 people);
    for (int i = 0; i < model->people_count; i++) {
        if (model->people[i].kind != PERSON_BOT) {
            tell_person(model, &model->people[i], now_ms, lines);
        }
    }
}

static void put_state(const struct model *model, const struct table_row *table, struct text *out)
{
    const struct mine_row *mine = model_find_own_table(model, table->id);
    char words[LINE_BYTES];
    struct text text = text_init(words, sizeof words);
    table_write_state(table->phase, table->halt, table->round, table->rounds, &text);
    bool is_full = table->phase == TABLE_OPEN && table->seated == table->players;
    if (mine != NULL) {
        text_format_item(out, "%s", mine->is_turn ? _("your seat, your turn") : _("your seat"));
    }
    text_format_item(out, "%s", is_full ? _("about to begin") : words);
    if (table->is_locked) {
        text_format_item(out, "%s", _("with a password"));
    }
    if (eligibility_has_conditions(&table->fit)) {
        text = text_init(words, sizeof words);
        option_fit_write(&table->fit, &text);
        text_format_item(out, _("for %s"), words);
    }
    if (table->watch.policy != WATCH_PUBLIC) {
        text = text_init(words, sizeof words);
        option_watch_write(&table->watch, &text);
        text_format_item(out, _("watched by %s"), words);
    }
    if (table->watchers > 0) {
        text_format_item(out, ngettext("%d watching", "%d watching", table->watchers),
                         (int)table->watchers);
    }
}

static void tell_table(const struct model *model, const struct table_row *table,
                       struct lines *lines)
{
    char state[LINE_BYTES];
    char clock[LINE_BYTES];
    struct text out = text_init(state, sizeof state);
    put_state(model, table, &out);
    out = text_init(clock, sizeof clock);
    option_clock_write(&table->clock, &out);
    lines_format(lines, _("#%lld %s, host %s: %u of %u seats taken, clock %s, %s."),
                 (long long)table->id, _(table->game->title), table->host, table->seated,
                 table->players, clock, state);
}

void house_tell_tables(const struct model *model, struct lines *lines)
{
    if (model->table_count == 0) {
        lines_put(lines, _("No table is open."));
    }
    for (int i = 0; i < model->table_count; i++) {
        if (!model_hides_table(model, &model->tables[i])) {
            tell_table(model, &model->tables[i], lines);
        }
    }
}
