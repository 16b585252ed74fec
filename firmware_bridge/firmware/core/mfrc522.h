/* One MFRC522 behind the SPI bus: its registers, its start, and one exchange with the tags in its field. */
#ifndef MFRC522_H
#define MFRC522_H

#include <stdbool.h>
#include <stdint.h>

enum { MFRC522_ANSWER_MOST = 5 };

enum mfrc522_answer {
    MFRC522_BUSY,     /* ask again */
    MFRC522_SILENCE,  /* nothing answered in time */
    MFRC522_ANSWER,   /* bytes came, faultless */
    MFRC522_COLLISION, /* several tags answered differently; `collision` says from which bit on */
    MFRC522_DAMAGED,  /* something came, but not whole */
};

struct mfrc522_reply {
    uint8_t bytes[MFRC522_ANSWER_MOST];
    uint8_t count;
    /* The first bit that collided, counted from 1 and from the first byte's first bit; 0: not known. */
    uint8_t collision;
};

struct mfrc522_request {
    const uint8_t *bytes;
    uint8_t count;
    uint8_t last_bits;   /* bits of the last byte that are sent, 0: all of them */
    uint8_t answer_bits; /* bits of the answer's first byte that are known already: it begins behind them */
    bool checked;      /* append CRC_A, and demand it of the answer */
};

/* Whether a reader is there and has been configured by mfrc522_configure since its last reset. */
bool mfrc522_is_there(uint8_t slot);

/* What the chip says of itself; 0 or 255 where none answers. */
uint8_t mfrc522_version(uint8_t slot);
bool mfrc522_is_configured(uint8_t slot);

/* Reset by software, and set up for type A tags with the field off. The chip may be deaf for 0.1 ms before. */
void mfrc522_reset(uint8_t slot);
void mfrc522_configure(uint8_t slot);

void mfrc522_field(uint8_t slot, bool on);

/* Send a request; collect what comes. A chip that stays MFRC522_BUSY for 20 ms is out of order. */
void mfrc522_send(uint8_t slot, const struct mfrc522_request *request);
enum mfrc522_answer mfrc522_collect(uint8_t slot, struct mfrc522_reply *reply);

#endif
