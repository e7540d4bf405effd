#include "daemon/screens/lobby/house_tell.h"

#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/person_words.h"
#include "daemon/screens/drawing/table_words.h"
#include "daemon/screens/drawing/words.h"
#include "daemon/screens/table/table_options.h"

#include <stdio.h>

#define LINE_BYTES 400

static const struct theme told = {.is_ascii = true, .is_told = true};

static void tell_person(const struct model *model, const struct person_row *person, int64_t now_ms,
                        struct lines *lines)
{
    char line[LINE_BYTES];
    struct text out = text_init(line, sizeof line);
    text_put(&out, person->name);
    if (person->rating.value != ROW_NONE) {
        text_put_char(&out, ' ');
        words_rating(&told, &person->rating, &out);
    }
    const char *mark = person_mark(person->kind, person->role);
    text_put(&out, mark[0] != '\0' ? ", " : "");
    text_put(&out, mark);
    text_put(&out, model_is_friend(model, person->name) ? _(", a friend") : "");
    text_put(&out, ", ");
    person_write_where(person->table, person->is_seated, &out);
    person_write_presence(person->presence, person->presence_text,
                          (now_ms - person->active_ms) / 1000, &out);
    lines_format(lines, "%s.", line);
}

void house_tell_people(const struct model *model, int64_t now_ms, struct lines *lines)
{
    int people = model_people_in(model);
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
    const struct mine_row *mine = model_mine(model, table->id);
    char words[LINE_BYTES];
    if (mine != NULL) {
        text_put(out, mine->is_turn ? _("your seat, your turn") : _("your seat"));
        text_put(out, ", ");
    }
    if (table->phase == TABLE_OPEN && table->seated == table->players) {
        text_put(out, _("about to begin"));
    } else {
        table_write_state(table->phase, table->halt, table->round, table->rounds, out);
    }
    text_put(out, table->is_locked ? _(", locked") : "");
    if (fit_rule_asks(&table->fit)) {
        text_put(out, _(", for "));
        fit_rule_write(&table->fit, out);
    }
    if (table->watch.policy != WATCH_PUBLIC) {
        text_put(out, _(", watched by "));
        option_watch_write(&table->watch, out);
    }
    if (table->watchers > 0) {
        snprintf(words, sizeof words, _(", %u watching"), table->watchers);
        text_put(out, words);
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
        if (!model_hides(model, &model->tables[i])) {
            tell_table(model, &model->tables[i], lines);
        }
    }
}
