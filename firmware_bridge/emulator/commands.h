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
    bool waiting;             /* for the board to have run long enough; nothing else is taken meanwhile */
    uint64_t waiting_since_start; /* microseconds */
    char waiting_line[64];
};

/* Carry one line out and answer it on standard output: `ok LINE` or `error WHY`. */
void command(struct runner *runner, const char *line);

/* Answer a `wait` whose time has come. */
void command_waited(struct runner *runner);

#endif
