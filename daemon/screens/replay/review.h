#pragma once

struct ui;

/* Leaves the shared replay in which the person takes part, if there is one. */
void review_leave(struct ui *ui);
