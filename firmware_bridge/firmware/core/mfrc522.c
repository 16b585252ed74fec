/* The MFRC522, see mfrc522.h. */
#include "mfrc522.h"

#include "board.h"

enum mfrc522_register {
    COMMAND = 0x01,
    INTERRUPTS = 0x04, /* ComIrqReg */
    ERROR = 0x06,
    FIFO_DATA = 0x09,
    FIFO_LEVEL = 0x0A,
    BIT_FRAMING = 0x0D,
    COLLISION = 0x0E, /* CollReg */
    MODE = 0x11,
    SEND_MODE = 0x12,    /* TxModeReg */
    RECEIVE_MODE = 0x13, /* RxModeReg */
    ANTENNA = 0x14,      /* TxControlReg */
    MODULATION = 0x15,   /* TxASKReg */
    TIMER_MODE = 0x2A,
    TIMER_PRESCALER = 0x2B,
    TIMER_RELOAD_HIGH = 0x2C,
    TIMER_RELOAD_LOW = 0x2D,
    VERSION = 0x37,
};

enum {
    COMMAND_IDLE = 0x00,
    COMMAND_TRANSCEIVE = 0x0C,
    COMMAND_SOFT_RESET = 0x0F,
    INTERRUPTS_CLEAR = 0x7F,
    INTERRUPT_RECEIVED = 0x20,
    INTERRUPT_TIMER = 0x01,
    ERROR_COLLISION = 0x08,
    ERROR_ANY = 0x1F, /* overflow, collision, CRC, parity, protocol */
    FIFO_FLUSH = 0x80,
    START_SEND = 0x80,
    COLLISION_NOT_VALID = 0x20,
    COLLISION_BIT = 0x1F,
    CRC_ENABLED = 0x80,
    ANTENNA_OFF = 0x80, /* the reset value: nothing drives the antenna */
    ANTENNA_ON = 0x83,
    FULL_MODULATION = 0x40, /* 100 % ASK, as type A has it */
    MODE_TYPE_A = 0x3D,     /* CRC_A starts from 0x6363 */
    TIMER_AUTOMATIC = 0x80, /* the timer starts when sending ends and stops when an answer begins */
    PRESCALER_25_MICROSECONDS = 169,
    TIMEOUT_TICKS = 30, /* 0.75 ms: tags answer after 0.09 ms to the bit, or never */
    READ = 0x80,
};

static uint8_t address(uint8_t at)
{
    return (uint8_t)(at << 1);
}

static void put(uint8_t slot, uint8_t at, uint8_t value)
{
    board_select(slot, true);
    (void)board_spi(address(at));
    (void)board_spi(value);
    board_select(slot, false);
}

static uint8_t get(uint8_t slot, uint8_t at)
{
    board_select(slot, true);
    (void)board_spi((uint8_t)(address(at) | READ));
    uint8_t value = board_spi(0);
    board_select(slot, false);
    return value;
}

/* Several bytes in one go: while one comes back, the address of the next one goes out. */
static void get_many(uint8_t slot, const uint8_t *registers, uint8_t *values, uint8_t count)
{
    board_select(slot, true);
    (void)board_spi((uint8_t)(address(registers[0]) | READ));
    for (uint8_t at = 0; at < count; at++) {
        bool last = at + 1 == count;
        values[at] = board_spi(last ? 0 : (uint8_t)(address(registers[at + 1]) | READ));
    }
    board_select(slot, false);
}

uint8_t mfrc522_version(uint8_t slot)
{
    return get(slot, VERSION);
}

bool mfrc522_is_there(uint8_t slot)
{
    /* A bus that nobody drives reads all ones or all zeros. Every other version will do: clones have numbers of
     * their own. */
    uint8_t version = mfrc522_version(slot);
    return version != 0x00 && version != 0xFF;
}

bool mfrc522_is_configured(uint8_t slot)
{
    /* After a dip of its supply the chip runs again with reset values, where both of these read otherwise. */
    return get(slot, MODULATION) == FULL_MODULATION && get(slot, TIMER_PRESCALER) == PRESCALER_25_MICROSECONDS;
}

void mfrc522_reset(uint8_t slot)
{
    put(slot, COMMAND, COMMAND_SOFT_RESET);
}

void mfrc522_configure(uint8_t slot)
{
    put(slot, ANTENNA, ANTENNA_OFF);
    put(slot, TIMER_MODE, TIMER_AUTOMATIC);
    put(slot, TIMER_PRESCALER, PRESCALER_25_MICROSECONDS);
    put(slot, TIMER_RELOAD_HIGH, 0);
    put(slot, TIMER_RELOAD_LOW, TIMEOUT_TICKS);
    put(slot, MODULATION, FULL_MODULATION);
    put(slot, MODE, MODE_TYPE_A);
    put(slot, COLLISION, 0); /* bits after a collision read as 0, so that nobody takes them for an answer */
}

void mfrc522_field(uint8_t slot, bool on)
{
    put(slot, ANTENNA, on ? ANTENNA_ON : ANTENNA_OFF);
}

void mfrc522_send(uint8_t slot, const struct mfrc522_request *request)
{
    uint8_t mode = request->checked ? CRC_ENABLED : 0;
    put(slot, COMMAND, COMMAND_IDLE);
    put(slot, INTERRUPTS, INTERRUPTS_CLEAR);
    put(slot, FIFO_LEVEL, FIFO_FLUSH);
    put(slot, SEND_MODE, mode);
    put(slot, RECEIVE_MODE, mode);
    board_select(slot, true);
    (void)board_spi(address(FIFO_DATA));
    for (uint8_t at = 0; at < request->count; at++)
        (void)board_spi(request->bytes[at]);
    board_select(slot, false);
    put(slot, COMMAND, COMMAND_TRANSCEIVE);
    put(slot, BIT_FRAMING, (uint8_t)(START_SEND | request->answer_bits << 4 | request->last_bits));
}

enum mfrc522_answer mfrc522_collect(uint8_t slot, struct mfrc522_reply *reply)
{
    static const uint8_t registers[] = {ERROR, FIFO_LEVEL, COLLISION};
    static const uint8_t fifo[sizeof reply->bytes] = {FIFO_DATA, FIFO_DATA, FIFO_DATA, FIFO_DATA, FIFO_DATA};
    uint8_t values[sizeof registers];
    uint8_t interrupts = get(slot, INTERRUPTS);
    reply->count = 0;
    reply->collision = 0;
    if ((interrupts & INTERRUPT_RECEIVED) == 0)
        return (interrupts & INTERRUPT_TIMER) == 0 ? MFRC522_BUSY : MFRC522_SILENCE;
    get_many(slot, registers, values, sizeof values);
    uint8_t error = values[0] & ERROR_ANY, count = values[1], collision = values[2];
    /* The chip says how much came; it is believed only as far as there is room. */
    bool too_much = count > sizeof reply->bytes;
    reply->count = too_much ? (uint8_t)sizeof reply->bytes : count;
    if (reply->count > 0)
        get_many(slot, fifo, reply->bytes, reply->count);
    if ((error & ERROR_COLLISION) != 0) {
        uint8_t bit = collision & COLLISION_BIT;
        if ((collision & COLLISION_NOT_VALID) == 0)
            reply->collision = bit != 0 ? bit : COLLISION_BIT + 1;
        return MFRC522_COLLISION;
    }
    return error != 0 || too_much ? MFRC522_DAMAGED : MFRC522_ANSWER;
}
