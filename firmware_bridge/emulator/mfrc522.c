/* SPDX-License-Identifier: MIT */
/* Section numbers are those of the MFRC522 product data sheet, revision 3.9. */
#include "mfrc522.h"

#include <string.h>

enum reg {
    COMMAND = 0x01,
    COM_IRQ = 0x04,
    DIV_IRQ = 0x05,
    ERROR = 0x06,
    STATUS_1 = 0x07,
    STATUS_2 = 0x08,
    FIFO_DATA = 0x09,
    FIFO_LEVEL = 0x0A,
    WATER_LEVEL = 0x0B,
    CONTROL = 0x0C,
    BIT_FRAMING = 0x0D,
    COLL = 0x0E,
    MODE = 0x11,
    TX_MODE = 0x12,
    RX_MODE = 0x13,
    TX_CONTROL = 0x14,
    TX_ASK = 0x15,
    DEMOD = 0x19,
    CRC_RESULT_HIGH = 0x21,
    CRC_RESULT_LOW = 0x22,
    TIMER_MODE = 0x2A,
    TIMER_PRESCALER = 0x2B,
    TIMER_RELOAD_HIGH = 0x2C,
    TIMER_RELOAD_LOW = 0x2D,
    TIMER_VALUE_HIGH = 0x2E,
    TIMER_VALUE_LOW = 0x2F,
    VERSION = 0x37,
};

enum command { IDLE = 0x0, CALC_CRC = 0x3, TRANSMIT = 0x4, NO_CHANGE = 0x7, RECEIVE = 0x8, TRANSCEIVE = 0xC, SOFT_RESET = 0xF };

enum { POWER_DOWN = 0x10, RECEIVER_OFF = 0x20, COMMAND_MASK = 0x0F };
enum { IRQ_SET = 0x80, IRQ_TX = 0x40, IRQ_RX = 0x20, IRQ_IDLE = 0x10, IRQ_HIGH = 0x08, IRQ_LOW = 0x04, IRQ_ERROR = 0x02, IRQ_TIMER = 0x01 };
enum { DIV_IRQ_CRC = 0x04, STATUS_CRC_READY = 0x20, STATUS_TIMER_RUNS = 0x08, STATUS_HIGH = 0x02, STATUS_LOW = 0x01 };
enum { ERROR_OVERFLOW = 0x10, ERROR_COLLISION = 0x08, ERROR_CRC = 0x04, ERROR_PROTOCOL = 0x01 };
enum { FLUSH = 0x80, START_SEND = 0x80, TIMER_STOP = 0x80, TIMER_START = 0x40, LAST_BITS = 0x07 };
enum { VALUES_AFTER_COLLISION = 0x80, COLLISION_NOT_VALID = 0x20 };
enum { CRC_ENABLED = 0x80, SPEED_MASK = 0x70, MULTIPLE = 0x04, ANTENNA = 0x03, FORCE_100_ASK = 0x40 };
enum { TIMER_AUTO = 0x80, TIMER_AUTO_RESTART = 0x10, PRESCALER_EVEN = 0x10 };

/* On the air: 128 carrier periods a bit, an odd parity bit after each whole byte; the answer begins 1172 periods on. */
static const double CARRIER_NANOSECONDS = 1e9 / 13.56e6;
enum { BIT_PERIODS = 128, ANSWER_DELAY_PERIODS = 1172, TIMER_STOP_BITS = 5 };
enum { SOFT_RESET_NANOSECONDS = 100000, HARD_RESET_NANOSECONDS = 1000000 }; /* 8.8.2: the oscillator has to start */

static const struct { uint8_t at, value; } RESET_VALUES[] = {
    {COMMAND, 0x20},     {0x02, 0x80},  {COM_IRQ, 0x14},  {STATUS_1, 0x21}, {WATER_LEVEL, 0x08}, {CONTROL, 0x10},
    {COLL, 0x80},        {MODE, 0x3F},  {TX_CONTROL, 0x80}, {0x16, 0x10},   {0x17, 0x84},        {0x18, 0x84},
    {DEMOD, 0x4D},       {0x1C, 0x62},  {0x1F, 0xEB},     {CRC_RESULT_HIGH, 0xFF}, {CRC_RESULT_LOW, 0xFF},
    {0x24, 0x26},        {0x26, 0x48},  {0x27, 0x88},     {0x28, 0x20},     {0x29, 0x20},        {0x36, 0x40},
    {VERSION, 0x92},
};

static uint64_t periods(unsigned count) { return (uint64_t)(count * CARRIER_NANOSECONDS); }

static uint64_t on_air(unsigned bits) { return periods((bits + bits / 8 + 2) * BIT_PERIODS); }

static void interrupt(struct mfrc522 *chip, uint8_t bits) { chip->reg[COM_IRQ] |= bits; }

static void error(struct mfrc522 *chip, uint8_t bits) {
    chip->reg[ERROR] |= bits;
    interrupt(chip, IRQ_ERROR);
}

static void watch_fifo(struct mfrc522 *chip) {
    unsigned water = chip->reg[WATER_LEVEL] & 0x3F;
    bool high = MFRC522_FIFO - chip->fifo_length <= water, low = chip->fifo_length <= water;
    uint8_t *status = &chip->reg[STATUS_1];
    *status = (uint8_t)((*status & ~(STATUS_HIGH | STATUS_LOW)) | (high ? STATUS_HIGH : 0) | (low ? STATUS_LOW : 0));
    interrupt(chip, (uint8_t)((high ? IRQ_HIGH : 0) | (low ? IRQ_LOW : 0)));
}

static void push(struct mfrc522 *chip, uint8_t byte) {
    if (chip->fifo_length == MFRC522_FIFO) {
        error(chip, ERROR_OVERFLOW);
        return;
    }
    chip->fifo[chip->fifo_length++] = byte;
}

static uint8_t pop(struct mfrc522 *chip) {
    if (!chip->fifo_length) return 0;
    uint8_t byte = chip->fifo[0];
    memmove(chip->fifo, chip->fifo + 1, --chip->fifo_length);
    watch_fifo(chip);
    return byte;
}

static void reset(struct mfrc522 *chip, uint64_t duration) {
    memset(chip->reg, 0, sizeof chip->reg);
    for (unsigned at = 0; at < sizeof RESET_VALUES / sizeof *RESET_VALUES; at++)
        chip->reg[RESET_VALUES[at].at] = RESET_VALUES[at].value;
    chip->fifo_length = 0;
    chip->receiving = chip->transmitting = chip->timer_running = false;
    chip->ready_at = chip->now + duration;
    picc_power(&chip->field, false, chip->now / 1000);
}

/* 8.5: one tick is (2 * prescaler + 1) periods of the carrier, or + 2 with TPrescalEven. */
static uint64_t timer_nanoseconds(const struct mfrc522 *chip, unsigned ticks) {
    unsigned prescaler = (chip->reg[TIMER_MODE] & 0x0Fu) << 8 | chip->reg[TIMER_PRESCALER];
    unsigned step = 2 * prescaler + (chip->reg[DEMOD] & PRESCALER_EVEN ? 2 : 1);
    return (uint64_t)((double)step * ticks * CARRIER_NANOSECONDS);
}

static void start_timer(struct mfrc522 *chip, uint64_t when) {
    unsigned reload = (unsigned)chip->reg[TIMER_RELOAD_HIGH] << 8 | chip->reg[TIMER_RELOAD_LOW];
    chip->timer_running = true;
    chip->timer_started = when;
    chip->timer_ends = when + timer_nanoseconds(chip, reload + 1);
}

static unsigned timer_value(const struct mfrc522 *chip) {
    if (!chip->timer_running || chip->now < chip->timer_started) return 0;
    uint64_t tick = timer_nanoseconds(chip, 1);
    return (unsigned)((chip->timer_ends - chip->now) / (tick ? tick : 1)) & 0xFFFF;
}

static void run_timer(struct mfrc522 *chip, uint64_t until) {
    while (chip->timer_running && chip->timer_ends <= until) {
        interrupt(chip, IRQ_TIMER);
        if (!(chip->reg[TIMER_MODE] & TIMER_AUTO_RESTART) || chip->timer_ends == chip->timer_started) {
            chip->timer_running = false;
        } else {
            start_timer(chip, chip->timer_ends);
        }
    }
}

static void calculate(struct mfrc522 *chip) {
    static const uint16_t PRESETS[] = {0x0000, 0x6363, 0xA671, 0xFFFF};
    uint16_t crc = (uint16_t)(chip->reg[CRC_RESULT_HIGH] << 8 | chip->reg[CRC_RESULT_LOW]);
    if (!(chip->reg[STATUS_1] & 0x40)) crc = PRESETS[chip->reg[MODE] & 3];
    crc = picc_crc(crc, chip->fifo, chip->fifo_length);
    chip->fifo_length = 0;
    chip->reg[CRC_RESULT_HIGH] = (uint8_t)(crc >> 8);
    chip->reg[CRC_RESULT_LOW] = (uint8_t)crc;
    chip->reg[STATUS_1] |= STATUS_CRC_READY;
    chip->reg[DIV_IRQ] |= DIV_IRQ_CRC;
    watch_fifo(chip);
}

static uint16_t preset(const struct mfrc522 *chip) {
    static const uint16_t PRESETS[] = {0x0000, 0x6363, 0xA671, 0xFFFF};
    return PRESETS[chip->reg[MODE] & 3];
}

static struct picc_bits frame_to_send(struct mfrc522 *chip) {
    struct picc_bits bits = {0};
    unsigned last = chip->reg[BIT_FRAMING] & LAST_BITS;
    uint16_t crc = picc_crc(preset(chip), chip->fifo, chip->fifo_length);
    unsigned length = chip->fifo_length;
    for (unsigned at = 0; at < length; at++) {
        unsigned count = at + 1 == length && last ? last : 8;
        for (unsigned bit = 0; bit < count; bit++) bits.bit[bits.length++] = chip->fifo[at] >> bit & 1;
    }
    if (chip->reg[TX_MODE] & CRC_ENABLED && length + 2 <= MFRC522_FIFO)
        for (unsigned bit = 0; bit < 16; bit++) bits.bit[bits.length++] = crc >> bit & 1;
    chip->fifo_length = 0;
    watch_fifo(chip);
    return bits;
}

static bool field_carries_type_a(const struct mfrc522 *chip) {
    return chip->reg[TX_ASK] & FORCE_100_ASK && !(chip->reg[TX_MODE] & SPEED_MASK) && chip->field.powered;
}

static void send(struct mfrc522 *chip, bool listen) {
    if (chip->transmitting || !chip->fifo_length) return;
    struct picc_bits sent = frame_to_send(chip);
    chip->reg[ERROR] = 0;
    chip->sent_at = chip->now + on_air(sent.length);
    chip->transmitting = true;
    chip->receiving = false;
    chip->answer.length = 0;
    if (field_carries_type_a(chip)) chip->answer = picc_exchange(&chip->field, &sent, chip->now / 1000);
    if (chip->reg[RX_MODE] & SPEED_MASK) chip->answer.length = 0;
    chip->heard_at = chip->sent_at + periods(ANSWER_DELAY_PERIODS);
    chip->answered_at = chip->heard_at + on_air(chip->answer.length);
    chip->receiving = listen;
}

/* Lay the answer into the FIFO from bit RxAlign on (9.3.1.14), and tell of the first collision (9.3.1.15). */
static void receive(struct mfrc522 *chip) {
    unsigned align = chip->reg[BIT_FRAMING] >> 4 & 7, length = chip->answer.length;
    uint8_t bytes[PICC_FRAME_BITS / 8 + 1] = {0};
    bool collided = false, keep = chip->reg[COLL] & VALUES_AFTER_COLLISION;
    chip->reg[COLL] = (uint8_t)((chip->reg[COLL] & VALUES_AFTER_COLLISION) | COLLISION_NOT_VALID);
    for (unsigned at = 0; at < length; at++) {
        unsigned place = align + at;
        if (chip->answer.collided[at] && !collided) {
            collided = true;
            if (place < 32) chip->reg[COLL] = (uint8_t)((chip->reg[COLL] & VALUES_AFTER_COLLISION) | ((place + 1) & 0x1F));
        }
        if (chip->answer.bit[at] && (keep || !collided)) bytes[place / 8] |= (uint8_t)(1 << place % 8);
    }
    unsigned total = align + length, whole = (total + 7) / 8;
    if (collided) error(chip, ERROR_COLLISION);
    if (chip->reg[RX_MODE] & CRC_ENABLED) {
        uint16_t crc = whole > 2 ? picc_crc(preset(chip), bytes, whole - 2) : 0;
        bool fits = whole > 2 && total % 8 == 0 && bytes[whole - 2] == (crc & 0xFF) && bytes[whole - 1] == crc >> 8;
        if (!fits) error(chip, ERROR_CRC);
        if (whole > 2) whole -= 2;
    }
    for (unsigned at = 0; at < whole; at++) push(chip, bytes[at]);
    chip->reg[CONTROL] = (uint8_t)((chip->reg[CONTROL] & ~LAST_BITS) | total % 8);
    interrupt(chip, IRQ_RX);
    watch_fifo(chip);
}

static void end_sending(struct mfrc522 *chip) {
    chip->transmitting = false;
    interrupt(chip, IRQ_TX);
    if (chip->reg[TIMER_MODE] & TIMER_AUTO) start_timer(chip, chip->sent_at);
    if (!chip->receiving) {
        chip->reg[COMMAND] &= (uint8_t)~COMMAND_MASK;
        interrupt(chip, IRQ_IDLE);
    }
}

void mfrc522_advance(struct mfrc522 *chip, uint64_t now) {
    chip->now = now;
    if (!chip->running || chip->health == MFRC522_HUNG) return;
    if (chip->transmitting && chip->sent_at <= now) {
        run_timer(chip, chip->sent_at);
        end_sending(chip);
    }
    if (chip->receiving && !chip->transmitting && chip->answer.length) {
        uint64_t stops = chip->heard_at + periods(TIMER_STOP_BITS * BIT_PERIODS);
        if (stops <= now) {
            run_timer(chip, stops);
            if (chip->reg[TIMER_MODE] & TIMER_AUTO && !(chip->reg[RX_MODE] & MULTIPLE)) chip->timer_running = false;
        }
        if (chip->answered_at <= now) {
            chip->receiving = chip->reg[RX_MODE] & MULTIPLE;
            receive(chip);
            chip->answer.length = 0;
        }
    }
    run_timer(chip, now);
}

static void write_command(struct mfrc522 *chip, uint8_t value) {
    uint8_t command = value & COMMAND_MASK;
    if (command == NO_CHANGE) {
        chip->reg[COMMAND] = (uint8_t)((value & ~COMMAND_MASK) | (chip->reg[COMMAND] & COMMAND_MASK));
        return;
    }
    chip->reg[COMMAND] = value;
    chip->transmitting = chip->receiving = false;
    chip->reg[STATUS_1] &= (uint8_t)~0x40;
    switch (command) {
    case IDLE:
        break;
    case CALC_CRC:
        chip->reg[STATUS_1] &= (uint8_t)~STATUS_CRC_READY;
        chip->reg[ERROR] = 0;
        calculate(chip);
        chip->reg[STATUS_1] |= 0x40;
        break;
    case TRANSMIT:
        send(chip, false);
        break;
    case RECEIVE:
    case TRANSCEIVE:
        chip->reg[ERROR] = 0;
        break;
    case SOFT_RESET:
        reset(chip, SOFT_RESET_NANOSECONDS);
        break;
    default:
        chip->reg[COMMAND] &= (uint8_t)~COMMAND_MASK;
        interrupt(chip, IRQ_IDLE);
    }
}

static void write_interrupts(uint8_t *reg, uint8_t value, uint8_t mask) {
    uint8_t marked = value & mask;
    *reg = (uint8_t)(value & IRQ_SET ? *reg | marked : *reg & ~marked);
}

static void write(struct mfrc522 *chip, uint8_t at, uint8_t value) {
    if (chip->now < chip->ready_at) return; /* the oscillator is not running yet */
    switch (at) {
    case COMMAND:
        write_command(chip, value);
        break;
    case COM_IRQ:
        write_interrupts(&chip->reg[COM_IRQ], value, 0x7F);
        watch_fifo(chip);
        break;
    case DIV_IRQ:
        write_interrupts(&chip->reg[DIV_IRQ], value, 0x14);
        break;
    case FIFO_DATA:
        push(chip, value);
        watch_fifo(chip);
        if ((chip->reg[COMMAND] & COMMAND_MASK) == CALC_CRC) calculate(chip);
        break;
    case FIFO_LEVEL:
        if (value & FLUSH) {
            chip->fifo_length = 0;
            chip->reg[ERROR] &= (uint8_t)~ERROR_OVERFLOW;
            watch_fifo(chip);
        }
        break;
    case CONTROL:
        if (value & TIMER_STOP) chip->timer_running = false;
        if (value & TIMER_START) start_timer(chip, chip->now);
        break;
    case BIT_FRAMING:
        chip->reg[BIT_FRAMING] = value;
        if (value & START_SEND && (chip->reg[COMMAND] & COMMAND_MASK) == TRANSCEIVE) send(chip, true);
        break;
    case COLL:
        chip->reg[COLL] = (uint8_t)((chip->reg[COLL] & 0x3F) | (value & VALUES_AFTER_COLLISION));
        break;
    case TX_CONTROL:
        chip->reg[TX_CONTROL] = value;
        picc_power(&chip->field, value & ANTENNA, chip->now / 1000);
        break;
    case ERROR:
    case STATUS_1:
    case CRC_RESULT_HIGH:
    case CRC_RESULT_LOW:
    case TIMER_VALUE_HIGH:
    case TIMER_VALUE_LOW:
    case VERSION:
        break; /* read only */
    default:
        chip->reg[at] = value;
    }
}

static uint8_t read(struct mfrc522 *chip, uint8_t at) {
    bool ready = chip->now >= chip->ready_at;
    switch (at) {
    case COMMAND:
        return (uint8_t)(chip->reg[COMMAND] | (ready ? 0 : POWER_DOWN));
    case COM_IRQ:
        return chip->reg[COM_IRQ] & 0x7F;
    case FIFO_DATA:
        return pop(chip);
    case FIFO_LEVEL:
        return (uint8_t)chip->fifo_length;
    case STATUS_1:
        return (uint8_t)((chip->reg[STATUS_1] & 0x33) | (chip->timer_running ? STATUS_TIMER_RUNS : 0));
    case TIMER_VALUE_HIGH:
        return (uint8_t)(timer_value(chip) >> 8);
    case TIMER_VALUE_LOW:
        return (uint8_t)timer_value(chip);
    default:
        return chip->reg[at];
    }
}

void mfrc522_start(struct mfrc522 *chip, uint64_t seed) {
    memset(chip, 0, sizeof *chip);
    chip->field.random = seed * 2 + 1;
    reset(chip, HARD_RESET_NANOSECONDS);
}

void mfrc522_run(struct mfrc522 *chip, bool running, uint64_t now) {
    mfrc522_advance(chip, now);
    if (running == chip->running) return;
    chip->running = running;
    reset(chip, HARD_RESET_NANOSECONDS);
}

void mfrc522_select(struct mfrc522 *chip, bool selected, uint64_t now) {
    mfrc522_advance(chip, now);
    if (selected != chip->selected) chip->addressed = false;
    chip->selected = selected;
}

/* 8.1.2: the first byte is an address; a reading transfer goes on with addresses, a writing one with data. */
uint8_t mfrc522_transfer(struct mfrc522 *chip, uint8_t byte, uint64_t now) {
    mfrc522_advance(chip, now);
    if (!chip->selected || chip->health == MFRC522_ABSENT) return 0xFF;
    if (!chip->running || chip->health == MFRC522_STUCK) return 0x00;
    bool first = !chip->addressed, reading = chip->address & 0x80;
    uint8_t answer = 0, at = chip->address >> 1 & 0x3F;
    if (!first && reading) answer = read(chip, at);
    if (!first && !reading) write(chip, at, byte);
    if (first || reading) chip->address = first ? byte : (uint8_t)(byte | 0x80);
    chip->addressed = true;
    return answer;
}
