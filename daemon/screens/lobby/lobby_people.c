#include "daemon/screens/lobby/lobby_people.h"

#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/person_words.h"
#include "daemon/screens/drawing/text_format.h"
#include "daemon/screens/drawing/words.h"

#include <stdio.h>
#include <string.h>

#define AWAY_S 180 /* seconds; a person who is idle for longer counts as away */

/* Returns the person in this row of the list; the list must not be empty. */
static const struct person_row *person_in_row(const struct lobby_people *people,
                                              const struct model *model, int row)
{
    return &model->people[people->order[row]];
}

static void remember_selected_person_name(struct lobby_people *people, const struct model *model)
{
    const char *name =
        model->people_count > 0 ? person_in_row(people, model, people->list.selected)->name : "";
    snprintf(people->selected, sizeof people->selected, "%s", name);
}

/* Appends all friends, or all other people, to the shown rows, in the model's order; returns the
 * new number of rows. */
static int append_friends_or_others(struct lobby_people *people, const struct model *model,
                                    bool are_friends, int count)
{
    for (int i = 0; i < model->people_count; i++) {
        if (model_is_friend(model, model->people[i].name) == are_friends) {
            people->order[count++] = (uint16_t)i;
        }
    }
    return count;
}

void lobby_people_update_rows(struct lobby_people *people, const struct model *model)
{
    (void)append_friends_or_others(people, model, false,
                                   append_friends_or_others(people, model, true, 0));
    for (int i = 0; i < model->people_count; i++) {
        if (people->is_chosen &&
            strcmp(person_in_row(people, model, i)->name, people->selected) == 0) {
            people->list.selected = i;
        }
    }
    people->list.selected = people->is_chosen ? people->list.selected : 0;
    list_set_size(&people->list, model->people_count, people->list.visible);
    remember_selected_person_name(people, model);
}

const struct person_row *lobby_people_find_selected_person(const struct lobby_people *people,
                                                           const struct model *model)
{
    return model_find_person(model, people->selected);
}

void lobby_people_remember_selected_person(struct lobby_people *people, const struct model *model)
{
    people->is_chosen = true;
    remember_selected_person_name(people, model);
}

static void write_whereabouts(const struct theme *theme, const struct person_row *person,
                              struct text *out)
{
    bool is_here = person->presence == PRESENCE_HERE;
    bool has_words = !is_here && person->presence_text[0] != '\0';
    if (!is_here) {
        text_put(out, person->presence == PRESENCE_DND ? _("busy") : _("away"));
        text_put(out, has_words ? ": " : "");
        text_put(out, person->presence_text);
    } else if (person->kind != PERSON_BOT && person->idle_s >= AWAY_S) {
        text_format(out, "%s ", _("away"));
        words_write_duration(theme, person->idle_s, out);
    } else if (person->table == 0) {
        text_put(out, _("lobby"));
    }
    if (person->table > 0 && !has_words) {
        text_put(out, out->len > 0 ? " " : "");
        text_format(out, person->is_seated ? _("at #%lld") : _("watching #%lld"),
                    (long long)person->table);
    }
}

static void draw_person_row(const struct canvas *canvas, const struct area *area,
                            const struct model *model, const struct person_row *person,
                            bool is_selected)
{
    bool is_you = strcmp(person->name, model->you.name) == 0;
    enum style style = is_selected ? STYLE_SELECTED
                       : is_you    ? STYLE_YOU
                       : person->idle_s > AWAY_S || person->presence != PRESENCE_HERE ? STYLE_DIM
                                                                                      : STYLE_PLAIN;
    struct text where = TEXT_OF(ROW_PRESENCE_SIZE + 96);
    if (is_selected) {
        draw_filled_area(canvas, area, style);
        draw_text(canvas, area->row, area->column, 1, style, ">");
    } else if (model_is_friend(model, person->name)) {
        draw_text(canvas, area->row, area->column, 1, STYLE_STRONG, "+");
    }
    bool is_wide = area->width >= 40;
    int name_width = is_wide ? 17 : 11;
    draw_text(canvas, area->row, area->column + 1, name_width, style, person->name);
    int at = area->column + 1 + name_width + 1;
    draw_text(canvas, area->row, at, 6, style,
              person->kind == PERSON_BOT
                  ? _("bot")
                  : words_write_rating(canvas->theme, &person->rating, &TEXT_OF(32)));
    at += 6;
    write_whereabouts(canvas->theme, person, &where);
    if (person->role != ROLE_PLAYER && is_wide) {
        text_format(&where, " (%s)", person_label(person->kind, person->role));
    }
    draw_text(canvas, area->row, at, area->column + area->width - at, style, where.at);
}

void lobby_people_draw(struct lobby_people *people, const struct canvas *canvas,
                       const struct area *area, const struct model *model, bool is_active)
{
    list_set_size(&people->list, people->list.count, area->height);
    for (int i = 0; i < people->list.visible; i++) {
        int at = list_row_at_offset(&people->list, i);
        if (at >= 0) {
            struct area row = {area->row + i, area->column, 1, area->width};
            draw_person_row(canvas, &row, model, person_in_row(people, model, at),
                            is_active && at == people->list.selected);
        }
    }
}
