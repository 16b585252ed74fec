/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lines that the emulated tray takes on its standard input; README.md lists them. */
#ifndef COMMANDS_H
#define COMMANDS_H

#include "board.h"

struct runner {
    struct board board;
    bool powered;         /* the board has power: `unplug` takes it away */
    uint64_t stalled_for; /* milliseconds that the CPU still stands still */
    bool quit;
};

/* Carry one line out and answer it on standard output: `ok LINE` or `error WHY`. */
void command(struct runner *runner, const char *line);

#endif
