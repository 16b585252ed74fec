/* The board of the tests, see desk_board.h. */
#include "desk_board.h"

#include <stdlib.h>
#include <string.h>

#include "../../../firmware_bridge/firmware/core/identity.h"

enum { SPI_NANOSECONDS = 5000, QUIET_LEVEL = 2 };

struct desk desk;

uint32_t desk_now(void) { return (uint32_t)((desk.nanoseconds - desk.started) / 1000000); }

bool board_send(const uint8_t *bytes, uint8_t count)
{
    if (count > desk.room)
        return false;
    desk_sent(bytes, count);
    return true;
}

uint8_t board_send_room(void) { return (uint8_t)desk.room; }

uint16_t board_overruns(void) { return desk.overruns; }

uint8_t board_spi(uint8_t byte)
{
    uint8_t answer = 0xFF;
    desk.nanoseconds += SPI_NANOSECONDS;
    desk.bus_time += SPI_NANOSECONDS;
    for (int slot = 0; slot < BOARD_SLOTS; slot++)
        answer &= mfrc522_transfer(&desk.chips[slot], byte, desk.nanoseconds);
    desk.chance = desk.chance * 6364136223846793005u + 1442695040888963407u;
    if ((desk.chance >> 33) % 1000 < desk.garbled)
        answer ^= (uint8_t)(1u << (desk.chance >> 60 & 7));
    return answer;
}

void board_select(uint8_t slot, bool selected)
{
    if (slot >= BOARD_SLOTS)
        abort();
    mfrc522_select(&desk.chips[slot], selected, desk.nanoseconds);
}

void board_readers_run(bool run)
{
    for (int slot = 0; slot < BOARD_SLOTS; slot++)
        mfrc522_run(&desk.chips[slot], run, desk.nanoseconds);
}

void board_show(const uint8_t *colours) { desk_showed(colours); }

void board_restart(uint8_t cause) { longjmp(desk.restarted, 1 + cause); }

uint8_t board_memory_read(uint16_t address)
{
    if (address >= DESK_MEMORY_BYTES)
        abort();
    return desk.memory[address];
}

void board_memory_write(uint16_t address, uint8_t value)
{
    if (address >= DESK_MEMORY_BYTES)
        abort();
    if (desk.worn)
        return;
    if (desk.writes_left == 0)
        longjmp(desk.restarted, DESK_POWER_LOST);
    if (desk.writes_left > 0)
        desk.writes_left--;
    desk.memory[address] = value;
}

void desk_make(uint64_t seed)
{
    memset(&desk, 0, sizeof desk);
    memset(desk.memory, 0xFF, sizeof desk.memory);
    desk.nanoseconds = 1000000;
    desk.turn_nanoseconds = 100000;
    desk.room = 255;
    desk.writes_left = -1;
    for (int slot = 0; slot < BOARD_SLOTS; slot++)
        mfrc522_start(&desk.chips[slot], seed * 4 + (uint64_t)slot + 1);
}

void desk_power_up(uint8_t cause, uint32_t uptime)
{
    desk.next_window = desk.nanoseconds;
    desk.started = desk.nanoseconds - uptime * UINT64_C(1000000);
    const struct identity identity = identity_begin(0xC0FFEE11, cause);
    tray_start(&desk.tray, &identity, desk_now());
}

void desk_turn(void)
{
    desk.bus_time = 0;
    desk.nanoseconds += desk.turn_nanoseconds;
    for (int slot = 0; slot < BOARD_SLOTS; slot++)
        mfrc522_advance(&desk.chips[slot], desk.nanoseconds);
    if (desk.nanoseconds >= desk.next_window) {
        desk.next_window += MOTION_WINDOW_MILLISECONDS * 1000000ull;
        tray_feel(&desk.tray, (uint16_t)(desk.nanoseconds < desk.hit_until ? desk.hit_peak : QUIET_LEVEL), desk_now());
    }
    tray_sense(&desk.tray, desk.beam, desk.button, desk_now());
    tray_work(&desk.tray, desk_now());
    if (desk.bus_time > desk.bus_longest)
        desk.bus_longest = desk.bus_time;
}
