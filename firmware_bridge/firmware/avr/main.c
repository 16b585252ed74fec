/* The tray on its board: set everything up, then go round for ever. No turn waits for anything outside the chip. */
#include <avr/interrupt.h>

#include "../core/identity.h"
#include "../core/tray.h"
#include "hal.h"
#include "parts.h"


static struct tray tray;

static void start(void)
{
    hal_resets_start();
    pins_start();
    clock_start();
    serial_start();
    piezo_start();
    sei();
    uint32_t noise = hal_noise();
    const struct identity identity = identity_begin(noise, hal_reset_cause());
    tray_start(&tray, &identity, hal_now());
}

int main(void)
{
    start();
    uint32_t felt = hal_now();
    for (;;) {
        uint32_t now = hal_now();
        uint8_t byte;
        hal_alive();
        while (hal_receive(&byte))
            tray_hear(&tray, byte, now);
        if (timing_reached(now, felt + MOTION_WINDOW_MILLISECONDS)) {
            felt = now;
            tray_feel(&tray, hal_piezo_peak(), now);
        }
        tray_sense(&tray, hal_beam_broken(), hal_button_down(), now);
        tray_work(&tray, now);
    }
}
