/* An Arduino Nano on the desk: simavr's core with a truthful serial line and a strict chain of LEDs. */
#ifndef MACHINE_H
#define MACHINE_H

#include <simavr/sim_avr.h>
#include <stdint.h>

#define CLOCK 16000000
#define MAX_LEDS 1024
#define QUEUE 65536 /* bytes on the line, either way; a power of two */

/* What the chain's data line did. Times are in cycles of 62.5 ns. */
struct chain {
  uint32_t leds;
  uint8_t shown[MAX_LEDS * 3];  /* red, green, blue, as last latched */
  uint8_t coming[MAX_LEDS * 3]; /* as on the wire: green, red, blue */
  uint32_t bits;
  int level;
  uint64_t rose, fell, latched;
  uint32_t latches;
  uint32_t bad_high; /* neither a nought nor a one */
  uint32_t bad_low;  /* too short to part two bits */
  uint32_t bad_gap;  /* too long for a pause between bits, too short for a latch */
  uint32_t torn;     /* latches in the middle of an LED */
  uint32_t longest_gap;
};

/* The USART as the data sheet has it, and the host's end of the line. */
struct uart {
  uint32_t baud; /* what the host has set */
  uint8_t to_chip[QUEUE], to_host[QUEUE];
  uint32_t chip_in, chip_out, host_in, host_out;
  uint64_t host_at[QUEUE]; /* when each byte has arrived at the host */
  uint64_t line_free;      /* when the host's end may start its next byte */
  int busy;                /* a byte is on its way to the chip */
  uint8_t fifo[2], held;   /* two received bytes and the shift register */
  uint8_t fifo_bad[2], held_bad;
  int waiting, holding, overrun;
  uint64_t shift_start, shift_free; /* transmitter */
  int sent;
  uint8_t control, format;
  uint32_t divider;
  int doubled;
  uint32_t lost;     /* bytes lost to overrun */
  uint32_t deaf;     /* bytes that arrived while the receiver was off */
  uint32_t garbled;  /* bytes at a rate too far off */
  uint32_t unmodelled; /* the program used what this model does not have */
};

struct machine {
  avr_t *avr;
  struct chain chain;
  struct uart uart;
  void (*core_reset)(avr_t *);
  avr_io_write_t port_write;
  void *port;
  uint64_t boot_until; /* the bootloader listens until then */
  int just_reset;
  uint8_t pressed;
  uint32_t resets;
  uint32_t watchdog_resets;
};

void chain_attach(struct machine *);
void chain_reset(struct machine *);
void uart_attach(struct machine *);
void uart_reset(struct machine *);
void uart_kick(struct machine *);

#endif
