/* SPDX-License-Identifier: MIT */
/* The MFRC522 reader chip at the level of its registers, after NXP's product data sheet "MFRC522", revision 3.9.
 *
 * Modelled: the SPI protocol, the reset states, FIFO, interrupt, error and collision registers, the timer, CRC
 * coprocessor, and the commands Idle, CalcCRC, Transmit, Receive, Transceive, NoCmdChange and SoftReset, with the
 * durations of 106 kbit/s on the air. A reader answers only with its antenna on, 100 % ASK and 106 kbit/s, as the chip
 * needs for ISO/IEC 14443 A. Where the data sheet is silent about CollPos and RxAlign together, that of the MFRC631
 * speaks: RxAlign is included. Not modelled: MFAuthent, Mem, GenerateRandomID (these end at once), the IRQ pin, the
 * other interfaces, analogue settings, self-test. Every time is in nanoseconds and never runs backwards. */
#ifndef MFRC522_H
#define MFRC522_H

#include "picc.h"

enum { MFRC522_FIFO = 64, MFRC522_REGISTERS = 64 };

enum mfrc522_health {
    MFRC522_PRESENT,
    MFRC522_ABSENT, /* nothing drives MISO, which floats high */
    MFRC522_STUCK,  /* a dead chip holds MISO low */
    MFRC522_HUNG,   /* registers answer, but no command ever ends */
};

struct mfrc522 {
    struct picc_field field;
    enum mfrc522_health health;
    bool running;  /* NRSTPD is high */
    bool selected; /* NSS is low */
    bool addressed;
    uint8_t address;
    uint8_t reg[MFRC522_REGISTERS];
    uint8_t fifo[MFRC522_FIFO];
    unsigned fifo_length;
    uint64_t now;
    uint64_t ready_at;
    bool receiving; /* a frame is on the air or awaited */
    bool transmitting;
    uint64_t sent_at, heard_at, answered_at;
    struct picc_bits answer;
    bool timer_running;
    uint64_t timer_started, timer_ends;
};

/* A chip that has just got power, its reset pin low. `seed` decides when weak tags answer. */
void mfrc522_start(struct mfrc522 *chip, uint64_t seed);

/* The level of NRSTPD; low is a hard reset and power-down. */
void mfrc522_run(struct mfrc522 *chip, bool running, uint64_t now);

/* The level of NSS, `selected` when low; its falling edge begins a transfer with an address byte. */
void mfrc522_select(struct mfrc522 *chip, bool selected, uint64_t now);

/* Eight clocks of SPI: the byte on MOSI in, the byte on MISO out. A chip that is not selected returns 0xFF. */
uint8_t mfrc522_transfer(struct mfrc522 *chip, uint8_t byte, uint64_t now);

/* Let time pass: frames end, the timer runs out. */
void mfrc522_advance(struct mfrc522 *chip, uint64_t now);

#endif
