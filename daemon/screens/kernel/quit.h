#ifndef DAEMON_SCREENS_KERNEL_QUIT_H
#define DAEMON_SCREENS_KERNEL_QUIT_H

struct ui;

/* Ends the session; asks first when a game of one's own is running. */
void screen_quit(struct ui *ui);

#endif
