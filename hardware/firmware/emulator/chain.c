/* A chain of WS2812B: reads the data line as strictly as the strictest of their data sheets. */
#include <string.h>

#include "machine.h"

#define PIN 0x40 /* PD6 */
#define DDRD 0x2A
#define PORTD 0x2B

/* In cycles of 62.5 ns. What every maker's sheet allows, old parts and new:
   nought high 250-380 ns, one high 650-950 ns, low after a nought at least 700 ns, after a one
   at least 300 ns. Between 4 us and 280 us some parts latch and some do not: never be there. */
#define NOUGHT_MIN 4
#define NOUGHT_MAX 6
#define ONE_MIN 11
#define ONE_MAX 15
#define NOUGHT_LOW_MIN 12
#define ONE_LOW_MIN 5
#define GAP_MAX 64
#define LATCH 4480

static void latch(struct machine *machine) {
  struct chain *chain = &machine->chain;
  if (chain->bits == 0) {
    return;
  }
  if (chain->bits % 24) {
    chain->torn++;
  }
  uint32_t whole = chain->bits / 24;
  for (uint32_t led = 0; led < whole && led < chain->leds; led++) {
    chain->shown[3 * led] = chain->coming[3 * led + 1];
    chain->shown[3 * led + 1] = chain->coming[3 * led];
    chain->shown[3 * led + 2] = chain->coming[3 * led + 2];
  }
  chain->bits = 0;
  chain->latches++;
  chain->latched = chain->fell + LATCH;
}

static avr_cycle_count_t look(avr_t *avr, avr_cycle_count_t when, void *param) {
  struct machine *machine = param;
  struct chain *chain = &machine->chain;
  (void)when;
  if (chain->level) {
    return avr->cycle + LATCH;
  }
  if (avr->cycle < chain->fell + LATCH) {
    return chain->fell + LATCH;
  }
  latch(machine);
  return 0;
}

static void rise(struct machine *machine, uint64_t now) {
  struct chain *chain = &machine->chain;
  uint64_t low = now - chain->fell;
  if (chain->bits > 0) {
    if (low >= LATCH) {
      latch(machine);
    } else if (low > GAP_MAX) {
      chain->bad_gap++;
    } else {
      uint32_t last = chain->bits - 1;
      int one = last / 8 < sizeof chain->coming && chain->coming[last / 8] >> (7 - last % 8) & 1;
      if (low < (one ? ONE_LOW_MIN : NOUGHT_LOW_MIN)) {
        chain->bad_low++;
      }
    }
    if (chain->bits > 0 && low > chain->longest_gap) {
      chain->longest_gap = (uint32_t)low;
    }
  }
  if (chain->bits == 0) {
    avr_cycle_timer_cancel(machine->avr, look, machine);
    avr_cycle_timer_register(machine->avr, LATCH, look, machine);
  }
  chain->rose = now;
}

static void fall(struct machine *machine, uint64_t now) {
  struct chain *chain = &machine->chain;
  uint64_t high = now - chain->rose;
  int nought = high >= NOUGHT_MIN && high <= NOUGHT_MAX;
  int one = high >= ONE_MIN && high <= ONE_MAX;
  if (!nought && !one) {
    chain->bad_high++;
  }
  uint32_t at = chain->bits / 8, bit = 7 - chain->bits % 8;
  if (at < sizeof chain->coming) {
    chain->coming[at] = (uint8_t)((chain->coming[at] & ~(1U << bit)) | (unsigned)one << bit);
  }
  chain->bits++;
  chain->fell = now;
}

/* Every write to the port comes through here; simavr's own way looks at all eight pins each time. */
static void on_port(avr_t *avr, avr_io_addr_t addr, uint8_t value, void *param) {
  struct machine *machine = param;
  struct chain *chain = &machine->chain;
  uint8_t differs = avr->data[addr] ^ value;
  avr->data[addr] = value;
  if (differs & ~PIN) {
    machine->port_write(avr, addr, value, machine->port);
  }
  int level = (value & avr->data[DDRD] & PIN) != 0;
  if (level != chain->level) {
    chain->level = level;
    if (level) {
      rise(machine, avr->cycle);
    } else {
      fall(machine, avr->cycle);
    }
  }
}

void chain_attach(struct machine *machine) {
  avr_t *avr = machine->avr;
  memset(machine->chain.shown, 0x55, sizeof machine->chain.shown); /* nobody knows what they wake with */
  machine->port_write = avr->io[AVR_DATA_TO_IO(PORTD)].w.c;
  machine->port = avr->io[AVR_DATA_TO_IO(PORTD)].w.param;
  avr->io[AVR_DATA_TO_IO(PORTD)].w.c = on_port;
  avr->io[AVR_DATA_TO_IO(PORTD)].w.param = machine;
}

/* The chip lets go of all pins: the line falls in the middle of a bit, which is nobody's mistake,
   and what was half sent latches as it is. */
void chain_reset(struct machine *machine) {
  struct chain *chain = &machine->chain;
  if (chain->level) {
    chain->level = 0;
    chain->fell = machine->avr->cycle;
  }
  if (chain->bits > 0) {
    avr_cycle_timer_register(machine->avr, LATCH, look, machine);
  }
}
