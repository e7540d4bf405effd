#ifndef DAEMON_SCREENS_KERNEL_COMPLETE_H
#define DAEMON_SCREENS_KERNEL_COMPLETE_H

struct ui;

/* Completes the word before the cursor; shows the candidates when there are several. */
void ui_complete(struct ui *ui);

#endif
