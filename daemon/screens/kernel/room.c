#include "daemon/screens/kernel/ui.h"

#include "daemon/screens/kernel/ui_state.h"
#include "daemon/screens/model/model.h"

int screen_current_channel(const struct ui *ui)
{
    bool is_there = ui->room >= CHAT_ROOM && ui->model->rooms[ui->room - CHAT_ROOM][0] != '\0';
    return is_there ? ui->room : CHAT_LOBBY;
}

const char *screen_chat_recipient(const struct ui *ui)
{
    int room = screen_current_channel(ui);
    return ui->model->entered != NULL ? "table"
           : room == CHAT_LOBBY       ? "lobby"
                                      : model_channel_name(ui->model, room);
}

void screen_show_channel(struct ui *ui, int channel)
{
    ui->room = (uint8_t)channel;
    ui->room_news = (uint16_t)(ui->room_news & ~(1U << channel));
    ui->is_dirty = true;
}

void screen_switch_channel(struct ui *ui, int direction)
{
    int room = screen_current_channel(ui);
    do {
        room = (room + direction + CHAT_CHANNELS) % CHAT_CHANNELS;
    } while (room != CHAT_LOBBY &&
             (room < CHAT_ROOM || ui->model->rooms[room - CHAT_ROOM][0] == '\0'));
    screen_show_channel(ui, room);
}

bool screen_channel_has_unread(const struct ui *ui, int channel)
{
    return (ui->room_news >> channel & 1) != 0 && channel != screen_current_channel(ui);
}
