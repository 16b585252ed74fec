/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An emulated tray: the tray's own firmware on an emulated board, in real time, behind a pseudo-terminal. */
#define _GNU_SOURCE
#include <errno.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "commands.h"

enum { INPUT_MOST = 4096, BEHIND_MOST = 250, SAVE_EVERY = 20, MILLISECOND_CYCLES = BOARD_HERTZ / 1000 };

static volatile sig_atomic_t ended;

static void end(int signal) {
    (void)signal;
    ended = 1;
}

static uint64_t milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static uint64_t until_next_millisecond(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1000000 - (uint64_t)now.tv_nsec % 1000000;
}

static char input[INPUT_MOST];
static size_t input_length;

/* Take what lies on standard input; its end ends the tray, so that none outlives the test that started it. */
static void listen(struct runner *runner) {
    ssize_t got = read(STDIN_FILENO, input + input_length, sizeof input - 1 - input_length);
    if (got <= 0) {
        runner->quit = got == 0 || (errno != EAGAIN && errno != EINTR);
        return;
    }
    input_length += (size_t)got;
}

/* Carry out the lines that have come, up to one that waits. */
static void obey(struct runner *runner) {
    command_waited(runner);
    for (char *newline; !runner->waiting && (newline = memchr(input, '\n', input_length));) {
        *newline = 0;
        command(runner, input);
        input_length -= (size_t)(newline + 1 - input);
        memmove(input, newline + 1, input_length);
        command_waited(runner);
    }
    if (!runner->waiting && input_length == sizeof input - 1) input_length = 0;
}

/* One millisecond of the board's life. */
static void slice(struct runner *runner, bool dtr_resets) {
    if (wire_look(&runner->board.wire) && dtr_resets && runner->powered) board_reset(&runner->board, RESET_EXTERNAL);
    if (!runner->powered) return;
    if (runner->stalled_for) {
        runner->stalled_for--;
        return;
    }
    board_run(&runner->board, MILLISECOND_CYCLES);
}

/* Keep to the monotonic clock. What a busy machine keeps from it beyond a quarter of a second is forgotten. */
static void live(struct runner *runner, bool dtr_resets) {
    uint64_t done = milliseconds();
    for (unsigned count = 0; !runner->quit && !ended; count++) {
        uint64_t now = milliseconds();
        if (now - done > BEHIND_MOST) done = now - BEHIND_MOST;
        for (; done < now && !runner->quit; done++) slice(runner, dtr_resets);
        if (count % SAVE_EVERY == 0) board_save(&runner->board);
        struct pollfd source = {.fd = STDIN_FILENO, .events = POLLIN};
        struct timespec wait = {.tv_nsec = (long)until_next_millisecond()};
        nfds_t watched = input_length < INPUT_MOST - 1; /* a full buffer waits for its lines to be carried out */
        if (ppoll(&source, watched, &wait, NULL) > 0) listen(runner);
        obey(runner);
        fflush(stdout);
    }
}

static int usage(void) {
    fputs("usage: tray-emulator [--link PATH] [--eeprom FILE] [--loader FILE.hex] [--seed N] [--no-dtr-reset] "
          "[--pulse-dtr] FIRMWARE.elf\n",
          stderr);
    return 2;
}

int main(int count, char **arguments) {
    static struct runner runner = {.powered = true, .board.wire = {.master = -1, .cut_after = -1}};
    static const struct option OPTIONS[] = {{"link", required_argument, NULL, 'l'},
                                            {"eeprom", required_argument, NULL, 'e'},
                                            {"loader", required_argument, NULL, 'b'},
                                            {"seed", required_argument, NULL, 's'},
                                            {"no-dtr-reset", no_argument, NULL, 'n'},
                                            {"pulse-dtr", no_argument, NULL, 'p'},
                                            {0}};
    uint64_t seed = 1;
    bool dtr_resets = true;
    for (int option; (option = getopt_long(count, arguments, "", OPTIONS, NULL)) != -1;) {
        if (option == 'l') runner.board.wire.link = optarg;
        else if (option == 'e') runner.board.eeprom_file = optarg;
        else if (option == 'b') runner.board.loader_file = optarg;
        else if (option == 'p') runner.board.wire.pulses = true;
        else if (option == 's') seed = strtoull(optarg, NULL, 10);
        else if (option == 'n') dtr_resets = false;
        else return usage();
    }
    if (optind + 1 != count) return usage();
    signal(SIGTERM, end);
    signal(SIGINT, end);
    signal(SIGPIPE, SIG_IGN);
    runner.board.wire.random = seed * 0x9E3779B97F4A7C15u | 1;
    if (!board_start(&runner.board, arguments[optind], seed) || !wire_join(&runner.board.wire)) return 1;
    fflush(stdout);
    live(&runner, dtr_resets);
    board_save(&runner.board);
    wire_cut(&runner.board.wire);
    return 0;
}
