/* Resets: why the chip started, the watchdog, and starting anew on purpose. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/wdt.h>

#include "../core/board.h"
#include "../core/messages.h"
#include "hal.h"

enum { WISHED_MARK = 0x7A5A };

/* The C start-up clears memory; these must live through it. `wished` outlives the watchdog's reset, which is how the
 * firmware restarts itself and how it then knows that it was no accident. */
static uint8_t hardware_flags __attribute__((section(".noinit")));
static uint8_t loader_flags __attribute__((section(".noinit")));
static struct {
    uint16_t mark;
    uint8_t cause, inverse;
} wished __attribute__((section(".noinit")));
static uint8_t cause;

/* A boot loader clears MCUSR before it starts the firmware; Optiboot hands its value over in r2. This runs before
 * anything could touch r2. */
__attribute__((naked, used, section(".init0"))) void resets_keep_loader_flags(void);
void resets_keep_loader_flags(void)
{
    __asm__ volatile("sts %0, r2" ::"i"(&loader_flags));
}

/* After its bite the watchdog stays on, at 16 ms: off with it before memory is even initialised. */
__attribute__((naked, used, section(".init3"))) void resets_calm_watchdog(void);
void resets_calm_watchdog(void)
{
    hardware_flags = MCUSR;
    MCUSR = 0;
    wdt_disable();
}

static uint8_t cause_of(uint8_t flags)
{
    if ((flags & _BV(PORF)) != 0)
        return RESET_POWER;
    if ((flags & _BV(BORF)) != 0)
        return RESET_BROWN_OUT;
    if ((flags & _BV(WDRF)) != 0)
        return RESET_WATCHDOG;
    /* The reset pin alone: its button, but as often the host that opens the port. Nobody can tell, so nobody claims
     * to. */
    return RESET_UNKNOWN;
}

static void judge(void)
{
    uint8_t flags = hardware_flags;
    if (flags == 0 && (loader_flags & 0xF0) == 0)
        flags = loader_flags;
    cause = cause_of(flags);
    bool wish = wished.mark == WISHED_MARK && (wished.cause ^ wished.inverse) == 0xFF;
    wished.mark = 0;
    /* After a loss of power memory holds anything, even a mark. Old boot loaders say nothing of the cause. */
    if (wish && (cause == RESET_WATCHDOG || cause == RESET_UNKNOWN))
        cause = wished.cause;
}

void hal_resets_start(void)
{
    judge();
    wdt_enable(WDTO_2S);
}

uint8_t hal_reset_cause(void)
{
    return cause;
}

void hal_alive(void)
{
    wdt_reset();
}

void board_restart(uint8_t why)
{
    cli();
    wished.mark = WISHED_MARK;
    wished.cause = why;
    wished.inverse = (uint8_t)~why;
    wdt_enable(WDTO_15MS);
    for (;;)
        continue;
}
