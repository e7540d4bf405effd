#include "daemon/screens/lobby/lobby.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/drawing/words.h"

#include <stdio.h>
#include <string.h>

#define AWAY_S 180 /* seconds; a person who is idle for longer counts as away */

static void remember_selected_person_name(struct lobby_people *people,
                                          const struct model_people *rows)
{
    const struct person_row *person = model_person_at(rows, people->list.selected);
    snprintf(people->selected, sizeof people->selected, "%s", person == NULL ? "" : person->name);
}

void lobby_people_update_rows(struct lobby_people *people, const struct model_people *rows)
{
    int position = model_position_of_person(rows, people->selected);
    if (!people->is_chosen) {
        people->list.selected = 0;
    } else if (position >= 0) {
        people->list.selected = position;
    }
    list_set_size(&people->list, rows->total, people->list.visible);
    remember_selected_person_name(people, rows);
}

const struct person_row *lobby_people_find_selected_person(const struct lobby_people *people,
                                                           const struct model_people *rows)
{
    return model_person_at(rows, model_position_of_person(rows, people->selected));
}

void lobby_people_remember_selected_person(struct lobby_people *people,
                                           const struct model_people *rows)
{
    people->is_chosen = true;
    remember_selected_person_name(people, rows);
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
    int name_width = is_wide ? 17 : 10;
    draw_text(canvas, area->row, area->column + 1, name_width, style, person->name);
    int at = area->column + 1 + name_width + 1;
    draw_text(canvas, area->row, at, 6, style,
              person->kind == PERSON_BOT
                  ? person_brief_bot_label(person->level)
                  : words_write_rating(canvas->theme, &person->rating, &TEXT_OF(32)));
    at += 7;
    write_whereabouts(canvas->theme, person, &where);
    if (person->role != ROLE_PLAYER && is_wide) {
        text_format(&where, " (%s)", person_label(person->kind, person->level, person->role));
    }
    draw_text(canvas, area->row, at, area->column + area->width - at, style, where.at);
}

void lobby_people_draw(struct lobby_people *people, const struct canvas *canvas,
                       const struct area *area, const struct model *model, bool is_active)
{
    list_set_size(&people->list, people->list.count, area->height);
    for (int i = 0; i < people->list.visible; i++) {
        int at = list_row_at_offset(&people->list, i);
        const struct person_row *person = at < 0 ? NULL : model_person_at(&model->people, at);
        if (person != NULL) {
            struct area row = {area->row + i, area->column, 1, area->width};
            draw_person_row(canvas, &row, model, person, is_active && at == people->list.selected);
        }
    }
}
