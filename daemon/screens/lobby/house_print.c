#include "daemon/screens/lobby/lobby.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/drawing/words.h"
#include "daemon/screens/model/model.h"
#include "daemon/screens/table/table.h"

#define LINE_BYTES 400

static const struct theme told = {.is_ascii = true, .is_plain_mode = true};

static void print_person(const struct model *model, const struct person_row *person,
                         struct lines *lines)
{
    struct text line = TEXT_OF(LINE_BYTES), where = TEXT_OF(LINE_BYTES);
    const char *mark = person_label(person->kind, person->level, person->role);
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

void house_lists_read(struct house_lists *lists, const json_t *answer)
{
    model_people_read(answer, &lists->people);
    model_tables_read(answer, &lists->tables);
    if (json_is_integer(json_object_get(answer, "here"))) {
        lists->here = (int)model_get_number(answer, "here", 0, INT32_MAX);
    }
}

void house_lists_clear(struct house_lists *lists)
{
    model_people_clear(&lists->people);
    model_tables_clear(&lists->tables);
    lists->here = 0;
}

void house_print_unlisted_people(const struct model_people *people, struct lines *lines)
{
    int more = people->total - people->count;
    if (more > 0) {
        lines_format(lines,
                     _("And %d more. Letters after /who list the names that begin so: /who ad"),
                     more);
    }
}

void house_print_people(const struct model *model, const struct house_lists *lists,
                        struct lines *lines)
{
    lines_format(lines,
                 ngettext("%d person is in.", "%d people are in.", (unsigned long)lists->here),
                 lists->here);
    for (int i = 0; i < lists->people.count; i++) {
        if (lists->people.rows[i].kind != PERSON_BOT) {
            print_person(model, &lists->people.rows[i], lines);
        }
    }
    house_print_unlisted_people(&lists->people, lines);
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

void house_print_tables(const struct model *model, const struct house_lists *lists,
                        struct lines *lines)
{
    const struct model_tables *tables = &lists->tables;
    if (tables->total == 0) {
        lines_put(lines, _("No table is open."));
    }
    for (int i = 0; i < tables->count; i++) {
        print_table(model, &tables->rows[i], lines);
    }
    int more = tables->total - tables->count;
    if (more > 0) {
        lines_format(lines,
                     ngettext("And %d more table.", "And %d more tables.", (unsigned long)more),
                     more);
    }
}
