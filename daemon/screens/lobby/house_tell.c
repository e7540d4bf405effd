#include "daemon/screens/lobby/house_tell.h"

#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/words.h"
#include "daemon/screens/table/table_options.h"

#include <stdio.h>

#define LINE_BYTES 400
#define AWAY_MS 180000

static const struct theme told = {.is_ascii = true, .is_told = true};

static void put_where(const struct person_row *person, struct text *out)
{
    char words[LINE_BYTES];
    if (person->table == 0) {
        text_put(out, _("in the lobby"));
        return;
    }
    snprintf(words, sizeof words, person->is_seated ? _("playing at #%lld") : _("watching #%lld"),
             (long long)person->table);
    text_put(out, words);
}

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
    text_put(&out, person->kind == PERSON_GUEST ? _(", guest")
                   : person->role == ROLE_ADMIN ? _(", admin")
                   : person->role == ROLE_MOD   ? _(", moderator")
                                                : "");
    text_put(&out, model_is_friend(model, person->name) ? _(", a friend") : "");
    text_put(&out, ", ");
    put_where(person, &out);
    if (person->presence != PRESENCE_HERE) {
        text_put(&out, person->presence == PRESENCE_DND ? _(", not to be disturbed") : _(", away"));
        text_put(&out, person->presence_text[0] != '\0' ? ": " : "");
        text_put(&out, person->presence_text);
    } else if (now_ms - person->active_ms >= AWAY_MS) {
        text_put(&out, _(", away for "));
        words_span(&told, (now_ms - person->active_ms) / 1000, &out);
    }
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
    switch ((enum table_phase)table->phase) {
    case TABLE_OPEN:
        text_put(out, table->seated < table->players ? _("open") : _("about to begin"));
        break;
    case TABLE_PLAYING:
        if (table->halt != HALT_NONE) {
            text_put(out, table->halt == HALT_PAUSE     ? _("paused")
                          : table->halt == HALT_ADJOURN ? _("adjourned")
                                                        : _("waiting for players"));
            break;
        }
        if (table->round == 0) {
            text_put(out, _("playing"));
            break;
        }
        snprintf(words, sizeof words, table->rounds > 0 ? _("round %u of %u") : _("round %u"),
                 table->round, table->rounds);
        text_put(out, words);
        break;
    case TABLE_FINISHED:
        text_put(out, _("finished"));
        break;
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
