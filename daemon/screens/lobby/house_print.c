#include "daemon/screens/lobby/house_print.h"

#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/person_words.h"
#include "daemon/screens/drawing/table_words.h"
#include "daemon/screens/drawing/text_format.h"
#include "daemon/screens/drawing/words.h"
#include "daemon/screens/table/table_options.h"

#define LINE_BYTES 400

static const struct theme told = {.is_ascii = true, .is_plain_mode = true};

static void print_person(const struct model *model, const struct person_row *person,
                         struct lines *lines)
{
    struct text line = TEXT_OF(LINE_BYTES), where = TEXT_OF(LINE_BYTES);
    const char *mark = person_label(person->kind, person->role);
    text_put(&line, person->name);
    if (person->rating.value != ROW_NONE) {
        text_put_char(&line, ' ');
        words_write_rating(&told, &person->rating, &line);
    }
    if (mark[0] != '\0') {
        text_format_list_item(&line, "%s", mark);
    }
    if (model_is_friend(model, person->name)) {
        text_format_list_item(&line, "%s", _("a friend"));
    }
    person_write_location(person->table, person->is_seated, &where);
    text_format_list_item(&line, "%s", where.at);
    person_write_presence(person->presence, person->presence_text, person->idle_s, &line);
    lines_format(lines, "%s.", line.at);
}

void house_print_people(const struct model *model, struct lines *lines)
{
    int people = model_count_people(model);
    lines_format(lines, ngettext("%d person is in.", "%d people are in.", (unsigned long)people),
                 people);
    for (int i = 0; i < model->people_count; i++) {
        if (model->people[i].kind != PERSON_BOT) {
            print_person(model, &model->people[i], lines);
        }
    }
}

static void write_table_state(const struct model *model, const struct table_row *table,
                              struct text *out)
{
    const struct mine_row *mine = model_find_own_table(model, table->id);
    struct text state = TEXT_OF(LINE_BYTES);
    bool is_full = table->phase == TABLE_OPEN && table->seated == table->players;
    if (mine != NULL) {
        text_format_list_item(out, "%s",
                              mine->is_turn ? _("your seat, your turn") : _("your seat"));
    }
    table_write_state(table->phase, table->halt, table->round, table->rounds, &state);
    text_format_list_item(out, "%s", is_full ? _("about to begin") : state.at);
    if (table->is_locked) {
        text_format_list_item(out, "%s", _("with a password"));
    }
    if (eligibility_has_conditions(&table->fit)) {
        text_format_list_item(out, _("for %s"),
                              option_write_eligibility(&table->fit, &TEXT_OF(LINE_BYTES)));
    }
    if (table->watch.policy != WATCH_PUBLIC) {
        text_format_list_item(out, _("watched by %s"),
                              option_write_watch_rule(&table->watch, &TEXT_OF(LINE_BYTES)));
    }
    if (table->watchers > 0) {
        text_format_list_item(out, ngettext("%d watching", "%d watching", table->watchers),
                              (int)table->watchers);
    }
}

static void print_table(const struct model *model, const struct table_row *table,
                        struct lines *lines)
{
    struct text state = TEXT_OF(LINE_BYTES);
    write_table_state(model, table, &state);
    lines_format(lines, _("#%lld %s, host %s: %u of %u seats taken, clock %s, %s."),
                 (long long)table->id, _(table->game->title), table->host, table->seated,
                 table->players, option_write_clock(&table->clock, &TEXT_OF(LINE_BYTES)), state.at);
}

void house_print_tables(const struct model *model, struct lines *lines)
{
    if (model->table_count == 0) {
        lines_put(lines, _("No table is open."));
    }
    for (int i = 0; i < model->table_count; i++) {
        if (!model_table_is_hidden(model, &model->tables[i])) {
            print_table(model, &model->tables[i], lines);
        }
    }
}
