/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE
#include "board.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <simavr/avr_adc.h>
#include <simavr/avr_eeprom.h>
#include <simavr/avr_extint.h>
#include <simavr/avr_ioport.h>
#include <simavr/avr_spi.h>
#include <simavr/avr_uart.h>
#include <simavr/avr_watchdog.h>
#include <simavr/sim_elf.h>
#include <simavr/sim_hex.h>

/* Data addresses of the ATmega328P (its data sheet, "Register Summary"). */
enum { PORT_B = 0x25, DDR_B = 0x24, PORT_D = 0x2B, DDR_D = 0x2A, MCUSR = 0x54, WDTCSR = 0x60, SRAM_START = 0x100 };
enum { UCSR0A = 0xC0, UBRR0L = 0xC4, UBRR0H = 0xC5, U2X = 0x02, FRAME_BITS = 10 };
enum { PORF = 0x01, EXTRF = 0x02, WDCE = 0x10 };
enum { PIN_RING = 5, PIN_RESET = 6, PIN_BUTTON = 2, PIN_BEAM = 3, PIEZO = ADC_IRQ_ADC0 };
enum { BYTE_CYCLES = BOARD_HERTZ / 11520, RECEIVER_HOLDS = 3, STEP_CYCLES = 400, SLICE_CYCLES = BOARD_HERTZ / 1000 };
enum { PIEZO_NOISE_MILLIVOLTS = 12, RJMP_SELF = 0xCFFF };

static const struct { uint16_t port, ddr; uint8_t bit; } SELECT[BOARD_READERS] = {
    {PORT_B, DDR_B, 2}, {PORT_B, DDR_B, 1}, {PORT_B, DDR_B, 0}, {PORT_D, DDR_D, 7}};

static uint64_t nanoseconds(const struct board *board) { return board->avr->cycle * 125 / 2; }

uint64_t board_microseconds(const struct board *board) { return nanoseconds(board) / 1000; }

/* A pin that the firmware does not drive is held by its pull-up: selects rest high, the readers' reset low. */
static bool driven(const struct board *board, uint16_t port, uint16_t ddr, uint8_t bit, bool otherwise) {
    const uint8_t *data = board->avr->data;
    return data[ddr] >> bit & 1 ? data[port] >> bit & 1 : otherwise;
}

static void pins_changed(avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq, (void)value;
    struct board *board = param;
    uint64_t now = nanoseconds(board);
    bool running = driven(board, PORT_D, DDR_D, PIN_RESET, false);
    for (int slot = 0; slot < BOARD_READERS; slot++) {
        struct mfrc522 *chip = &board->reader[slot];
        bool selected = !driven(board, SELECT[slot].port, SELECT[slot].ddr, SELECT[slot].bit, true);
        if (chip->running != running) mfrc522_run(chip, running, now);
        if (chip->selected != selected) mfrc522_select(chip, selected, now);
    }
    ring_edge(&board->ring, driven(board, PORT_D, DDR_D, PIN_RING, false), board->avr->cycle);
}

/* Readers that are selected together fight over MISO: the lows win. Nobody selected: it floats high. */
static void spi_sent(avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq;
    struct board *board = param;
    uint8_t answer = 0xFF;
    for (int slot = 0; slot < BOARD_READERS; slot++)
        answer &= mfrc522_transfer(&board->reader[slot], (uint8_t)value, nanoseconds(board));
    avr_raise_irq(avr_io_getirq(board->avr, AVR_IOCTL_SPI_GETIRQ(0), SPI_IRQ_INPUT), answer);
}

static void uart_sent(avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq;
    wire_to_host(&((struct board *)param)->wire, (uint8_t)value);
}

/* libsimavr 1.6 takes a new watchdog period only with the next WDR; the chip takes it with the write. */
static void watchdog_written(avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq;
    if (!(value & WDCE)) avr_ioctl(((struct board *)param)->avr, AVR_IOCTL_WATCHDOG_RESET, NULL);
}

static void rest(avr_t *avr, avr_cycle_count_t cycles) { (void)avr, (void)cycles; /* the runner keeps the pace */ }

static void quiet(avr_t *avr, const int level, const char *format, va_list arguments) {
    (void)avr;
    if (level <= LOG_ERROR) vfprintf(stderr, format, arguments);
}

static avr_io_t *module(avr_t *avr, const char *kind) {
    for (avr_io_t *io = avr->io_port; io; io = io->next)
        if (!strcmp(io->kind, kind)) return io;
    return NULL;
}

static uint64_t chance(struct board *board) {
    board->random ^= board->random << 13;
    board->random ^= board->random >> 7;
    board->random ^= board->random << 17;
    return board->random >> 8;
}

/* A pin driven from outside, also through a reset and against the pull-up. */
static void set_pin(struct board *board, int pin, bool high) {
    avr_ioport_t *port = NULL;
    for (avr_io_t *io = board->avr->io_port; io; io = io->next)
        if (!strcmp(io->kind, "port") && ((avr_ioport_t *)io)->name == 'D') port = (avr_ioport_t *)io;
    if (!port) return;
    uint8_t mask = (uint8_t)(1 << pin);
    port->external.pull_mask |= mask;
    port->external.pull_value = (uint8_t)(high ? port->external.pull_value | mask : port->external.pull_value & ~mask);
    avr_irq_t *irq = avr_io_getirq(board->avr, AVR_IOCTL_IOPORT_GETIRQ('D'), pin);
    irq->flags |= IRQ_FLAG_INIT; /* a reset forgets the pin but not that it was told */
    avr_raise_irq(irq, high);
}

static void set_pins(struct board *board) {
    set_pin(board, PIN_BUTTON, !board->button_down);
    set_pin(board, PIN_BEAM, board->beam_broken);
}

void board_button(struct board *board, bool down) {
    board->button_down = down;
    set_pins(board);
}

void board_beam(struct board *board, bool broken) {
    board->beam_broken = broken;
    set_pins(board);
}

void board_hit(struct board *board, double millivolts, double milliseconds) {
    board->hit_millivolts = millivolts;
    board->hit_milliseconds = milliseconds;
    board->hit_at = board_microseconds(board);
}

static void set_piezo(struct board *board) {
    double since = (double)(board_microseconds(board) - board->hit_at) / 1000.0;
    double level = (double)(chance(board) % PIEZO_NOISE_MILLIVOLTS);
    if (board->hit_milliseconds > 0 && since < board->hit_milliseconds)
        level += board->hit_millivolts * exp(-3.0 * since / board->hit_milliseconds);
    if (level > 5000) level = 5000;
    avr_raise_irq(avr_io_getirq(board->avr, AVR_IOCTL_ADC_GETIRQ, PIEZO), (uint32_t)level);
}

static void started(struct board *board) {
    board->started_at = board_microseconds(board);
    /* Button and beam lie on INT0 and INT1, which the firmware leaves off. After a reset libsimavr would look at a low
     * one in each cycle. */
    for (uint8_t number = 0; number < 2; number++) avr_extint_set_strict_lvl_trig(board->avr, number, 0);
    pins_changed(NULL, 0, board);
    set_pins(board);
}

void board_reset(struct board *board, enum board_reset cause) {
    avr_t *avr = board->avr;
    uint8_t flags = avr->data[MCUSR];
    if (cause == RESET_POWER) {
        for (unsigned at = SRAM_START; at <= avr->ramend; at++) avr->data[at] = (uint8_t)chance(board);
        flags = 0;
    }
    if (board->run) avr->run = board->run;
    avr_reset(avr);
    avr->data[MCUSR] = (uint8_t)(flags | (cause == RESET_POWER ? PORF : EXTRF));
    for (int slot = 0; slot < BOARD_READERS; slot++) mfrc522_advance(&board->reader[slot], nanoseconds(board));
    board->queue_length = 0;
    started(board);
}

void board_hang(struct board *board) {
    avr_t *avr = board->avr;
    avr_flashaddr_t last = avr->flashend & ~1u;
    avr->flash[last] = RJMP_SELF & 0xFF;
    avr->flash[last + 1] = RJMP_SELF >> 8;
    avr->pc = last;
    avr->sreg[S_I] = 0;
    avr->interrupt_state = 0;
    avr->state = cpu_Running;
}

static bool load_eeprom(struct board *board) {
    memset(board->eeprom, 0xFF, BOARD_EEPROM);
    FILE *file = board->eeprom_file ? fopen(board->eeprom_file, "rb") : NULL;
    size_t length = file ? fread(board->eeprom, 1, BOARD_EEPROM, file) : 0;
    if (file) fclose(file);
    if (file && length != BOARD_EEPROM) {
        fprintf(stderr, "%s is no EEPROM of %d bytes; remove it to begin with an empty one.\n", board->eeprom_file, BOARD_EEPROM);
        return false;
    }
    memcpy(board->saved, board->eeprom, BOARD_EEPROM);
    return true;
}

void board_save(struct board *board) {
    if (!board->eeprom_file || !memcmp(board->saved, board->eeprom, BOARD_EEPROM)) return;
    char fresh[4096];
    if (snprintf(fresh, sizeof fresh, "%s.new", board->eeprom_file) >= (int)sizeof fresh) return;
    FILE *file = fopen(fresh, "wb");
    bool written = file && fwrite(board->eeprom, 1, BOARD_EEPROM, file) == BOARD_EEPROM;
    if (file && fclose(file)) written = false;
    if (!written || rename(fresh, board->eeprom_file)) {
        fprintf(stderr, "The EEPROM cannot be kept in %s: %s.\n", board->eeprom_file, strerror(errno));
        return;
    }
    memcpy(board->saved, board->eeprom, BOARD_EEPROM);
    puts("eeprom saved");
}

/* As fused with BOOTRST: the chip starts at the loader's first byte, which lies behind all room for a firmware. */
static bool load_loader(struct board *board) {
    if (!board->loader_file) return true;
    avr_t *avr = board->avr;
    ihex_chunk_p chunks = NULL;
    int count = access(board->loader_file, R_OK) ? 0 : read_ihex_chunks(board->loader_file, &chunks);
    bool fits = count > 0;
    avr->reset_pc = avr->flashend;
    for (int at = 0; at < count; at++) {
        fits = fits && chunks[at].baseaddr + chunks[at].size <= avr->flashend + 1;
        if (fits) memcpy(avr->flash + chunks[at].baseaddr, chunks[at].data, chunks[at].size);
        if (fits && chunks[at].baseaddr < avr->reset_pc) avr->reset_pc = chunks[at].baseaddr;
    }
    if (chunks) free_ihex_chunks(chunks);
    if (!fits) fprintf(stderr, "%s is no boot loader of an ATmega328P as Intel HEX.\n", board->loader_file);
    avr->codeend = avr->flashend;
    return fits;
}

bool board_start(struct board *board, const char *elf, uint64_t seed) {
    elf_firmware_t firmware = {0};
    avr_global_logger_set(quiet);
    if (access(elf, R_OK) || elf_read_firmware(elf, &firmware) || !firmware.flashsize) {
        fprintf(stderr, "%s is no firmware that can be run; build it with: make firmware\n", elf);
        return false;
    }
    avr_t *avr = board->avr = avr_make_mcu_by_name("atmega328p");
    if (!avr || avr_init(avr)) return false;
    avr_load_firmware(avr, &firmware);
    if (!load_loader(board)) return false;
    avr->frequency = BOARD_HERTZ;
    avr->vcc = avr->avcc = avr->aref = 5000;
    avr->sleep = rest;
    avr->run_cycle_limit = STEP_CYCLES;
    board->run = avr->run;
    board->random = seed * 2 + 1;
    board->eeprom = ((avr_eeprom_t *)module(avr, "eeprom"))->eeprom;
    if (!load_eeprom(board)) return false;
    for (int slot = 0; slot < BOARD_READERS; slot++) mfrc522_start(&board->reader[slot], seed * 7919 + (uint64_t)slot);
    uint32_t flags = 0; /* neither lines on stdout nor sleeping while the firmware polls */
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), uart_sent, board);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_SPI_GETIRQ(0), SPI_IRQ_OUTPUT), spi_sent, board);
    avr_irq_register_notify(avr_iomem_getirq(avr, WDTCSR, "wdtcsr", AVR_IOMEM_IRQ_ALL), watchdog_written, board);
    for (const char *port = "BD"; *port; port++) {
        for (int irq = IOPORT_IRQ_PIN0; irq <= IOPORT_IRQ_DIRECTION_ALL; irq++)
            avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(*port), irq), pins_changed, board);
    }
    board_reset(board, RESET_POWER);
    return true;
}

/* Cycles that a byte takes at the rate that the chip's UART is set to: an old boot loader has half the firmware's. */
static uint64_t byte_cycles(const struct board *board) {
    const uint8_t *data = board->avr->data;
    uint64_t divider = 1 + data[UBRR0L] + ((uint64_t)(data[UBRR0H] & 0x0F) << 8);
    return divider * (data[UCSR0A] & U2X ? 8 : 16) * FRAME_BITS;
}

/* One byte a byte's time; a receiver that still holds its two bytes and the one in its shift register loses it. */
static void feed(struct board *board) {
    avr_t *avr = board->avr;
    if (board->queue_length < BOARD_QUEUE / 2 && board->queue_start > 0) {
        memmove(board->queue, board->queue + board->queue_start, board->queue_length);
        board->queue_start = 0;
    }
    size_t used = board->queue_start + board->queue_length;
    board->queue_length += wire_from_host(&board->wire, board->queue + used, BOARD_QUEUE - used);
    if (!board->queue_length || avr->cycle < board->next_byte_at) return;
    avr_uart_t *uart = (avr_uart_t *)module(avr, "uart");
    uint8_t byte = board->queue[board->queue_start++];
    board->queue_length--;
    board->next_byte_at = avr->cycle + byte_cycles(board);
    if ((uart->input.write - uart->input.read) % uart_fifo_fifo_size >= RECEIVER_HOLDS) {
        board->overruns++;
        return;
    }
    avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT), byte);
}

static void show(struct board *board) {
    if (!ring_latch(&board->ring, board->avr->cycle)) return;
    fputs("lamp", stdout);
    for (int lamp = 0; lamp < RING_LAMPS; lamp++) {
        const uint8_t *colour = board->ring.shown + 3 * lamp;
        printf(" %u %u %u", colour[1], colour[0], colour[2]);
    }
    putchar('\n');
}

void board_run(struct board *board, uint64_t cycles) {
    avr_t *avr = board->avr;
    uint64_t end = avr->cycle + cycles, look_at = 0;
    while (avr->cycle < end) {
        if (avr->cycle >= look_at) {
            look_at = avr->cycle + BYTE_CYCLES / 2;
            feed(board);
            show(board);
        }
        bool resets = avr->run != board->run;
        int state = avr_run(avr);
        if (resets) {
            puts("watchdog");
            started(board);
        }
        if (state == cpu_Done || state == cpu_Crashed) {
            fprintf(stderr, "The firmware %s at 0x%04x.\n", state == cpu_Done ? "slept with interrupts off" : "crashed", avr->pc);
            exit(3);
        }
        if (avr->cycle % SLICE_CYCLES < STEP_CYCLES) set_piezo(board);
    }
}
