/* An Arduino Nano on the desk: makes it, runs it for so many cycles, resets it, reads it. */
#include "machine.h"

#include <simavr/avr_ioport.h>
#include <simavr/sim_hex.h>
#include <stdlib.h>
#include <string.h>

#define MCUSR 0x54
#define PIND 0x29
#define BUTTONS 0x0C
#define R2 2
#define STRIDE 256 /* less than the shortest byte: none arrives unseen */
#define START_UP (CLOCK / 1000 * 65) /* by the fuses as boards are sold: oscillator and supply settle */
#define WATCHDOG_START_UP (CLOCK / 1000 * 10) /* shorter: simavr's dog bites again after 16 ms */
#define PAINT 0x5A

/* What the host program is told; the order is known to machine.py. */
struct report {
  uint64_t cycle, latched, fell;
  uint32_t latches, bad_high, bad_low, bad_gap, torn, longest_gap;
  uint32_t lost, deaf, garbled, unmodelled;
  uint32_t resets, watchdog_resets, state, sending;
};

static void no_sleep(avr_t *avr, avr_cycle_count_t cycles) {
  (void)avr, (void)cycles;
}

static void quiet(avr_t *avr, const int level, const char *format, va_list args) {
  (void)avr, (void)level, (void)format, (void)args;
}

static void on_reset(avr_t *avr) {
  struct machine *machine = avr->custom.data;
  machine->core_reset(avr);
  machine->just_reset = 1;
  machine->resets++;
  uart_reset(machine);
  chain_reset(machine);
}

/* As a bootloader hands over: it waits, hears nothing meant for us, and clears the cause. */
void machine_reset(struct machine *machine, uint8_t cause, uint32_t boot_cycles) {
  avr_t *avr = machine->avr;
  avr_reset(avr);
  machine->just_reset = 0;
  avr->data[PIND] = BUTTONS & ~machine->pressed;
  if (cause & 1) { /* power was away */
    memset(avr->data + 0x100, PAINT, avr->ramend + 1 - 0x100);
  }
  avr->data[MCUSR] = boot_cycles ? 0 : cause;
  avr->data[R2] = boot_cycles ? cause : 0;
  machine->boot_until = avr->cycle + START_UP + boot_cycles;
}

struct machine *machine_new(const char *hex, uint32_t leds) {
  uint32_t size = 0, start = 0;
  avr_global_logger_set(quiet);
  uint8_t *code = read_ihex_file(hex, &size, &start);
  avr_t *avr = code ? avr_make_mcu_by_name("atmega328p") : NULL;
  struct machine *machine = avr ? calloc(1, sizeof *machine) : NULL;
  if (!machine || leds > MAX_LEDS) {
    free(code);
    free(machine);
    return NULL;
  }
  avr_init(avr);
  avr->frequency = CLOCK;
  avr->sleep = no_sleep;
  avr_loadcode(avr, code, size, start);
  avr->codeend = avr->flashend;
  free(code);
  machine->avr = avr;
  machine->chain.leds = leds;
  machine->core_reset = avr->reset;
  avr->custom.data = machine;
  avr->reset = on_reset;
  uart_attach(machine);
  chain_attach(machine);
  machine_reset(machine, 1, 0);
  return machine;
}

void machine_free(struct machine *machine) {
  avr_terminate(machine->avr);
  free(machine->avr);
  free(machine);
}

static void wait_for_boot(struct machine *machine, uint64_t until) {
  avr_t *avr = machine->avr;
  while (avr->cycle < machine->boot_until && avr->cycle < until) {
    uint64_t next = avr->cycle + avr_cycle_timer_process(avr);
    uint64_t stop = machine->boot_until < until ? machine->boot_until : until;
    avr->cycle = next < stop ? next + 1 : stop;
  }
}

static int arrived(const struct machine *machine, uint32_t wanted) {
  const struct uart *uart = &machine->uart;
  return wanted && uart->host_in - uart->host_out >= wanted &&
         uart->host_at[(uart->host_out + wanted - 1) % QUEUE] <= machine->avr->cycle;
}

static avr_cycle_count_t alarm(avr_t *avr, avr_cycle_count_t when, void *param) {
  (void)avr, (void)when, (void)param;
  return 0;
}

/* Until that cycle, or until the host has so many bytes, or the chain so many latches; 0: crashed. */
int machine_run(struct machine *machine, uint64_t until, uint32_t bytes, uint32_t latches) {
  avr_t *avr = machine->avr;
  if (avr->cycle < until) {
    avr_cycle_timer_register(avr, until - avr->cycle, alarm, machine);
  }
  while (avr->cycle < until && !arrived(machine, bytes) &&
         !(latches && machine->chain.latches >= latches)) {
    if (avr->cycle < machine->boot_until) {
      wait_for_boot(machine, until);
      continue;
    }
    avr->run_cycle_limit = until - avr->cycle < STRIDE ? until - avr->cycle : STRIDE;
    int state = avr_run(avr);
    if (machine->just_reset) {
      machine->just_reset = 0;
      avr->data[PIND] = BUTTONS & ~machine->pressed; /* the core forgets levels that did not change */
      machine->watchdog_resets++;
      machine->boot_until = avr->cycle + WATCHDOG_START_UP;
    }
    if (state == cpu_Done || state == cpu_Crashed) {
      return 0;
    }
  }
  return 1;
}

uint64_t machine_cycle(const struct machine *machine) {
  return machine->avr->cycle;
}

void machine_send(struct machine *machine, const uint8_t *bytes, uint32_t count) {
  struct uart *uart = &machine->uart;
  for (uint32_t n = 0; n < count && uart->chip_in - uart->chip_out < QUEUE; n++) {
    uart->to_chip[uart->chip_in++ % QUEUE] = bytes[n];
  }
  uart_kick(machine);
}

uint32_t machine_take(struct machine *machine, uint8_t *bytes, uint32_t most) {
  struct uart *uart = &machine->uart;
  uint32_t count = 0;
  while (count < most && arrived(machine, 1)) {
    bytes[count++] = uart->to_host[uart->host_out++ % QUEUE];
  }
  return count;
}

uint32_t machine_waiting(const struct machine *machine) {
  const struct uart *uart = &machine->uart;
  uint32_t count = 0;
  while (uart->host_out + count != uart->host_in &&
         uart->host_at[(uart->host_out + count) % QUEUE] <= machine->avr->cycle) {
    count++;
  }
  return count;
}

void machine_drop(struct machine *machine) { /* the cable is out: nothing on it arrives */
  struct uart *uart = &machine->uart;
  uart->chip_in = uart->chip_out + (uart->busy ? 1 : 0);
  uart->host_out = uart->host_in;
}

void machine_baud(struct machine *machine, uint32_t baud) {
  machine->uart.baud = baud;
}

void machine_button(struct machine *machine, int button, int down) {
  static const uint8_t bits[2] = {1 << 2, 1 << 3};
  uint8_t bit = bits[button & 1];
  machine->pressed = down ? machine->pressed | bit : machine->pressed & ~bit;
  avr_ioport_external_t held = {.name = 'D', .mask = machine->pressed, .value = 0};
  avr_ioctl(machine->avr, AVR_IOCTL_IOPORT_SET_EXTERNAL('D'), &held);
  avr_raise_irq(avr_io_getirq(machine->avr, AVR_IOCTL_IOPORT_GETIRQ('D'), 2 + (button & 1)), !down);
}

/* How many bytes from that address on nobody has written since power came. */
uint32_t machine_untouched(const struct machine *machine, uint16_t from) {
  uint32_t at = from;
  while (at <= machine->avr->ramend && machine->avr->data[at] == PAINT) {
    at++;
  }
  return at - from;
}

/* What stands in memory, for whoever keeps the books of a chip that is about to forget them. */
void machine_peek(const struct machine *machine, uint16_t from, uint8_t *bytes, uint32_t count) {
  for (uint32_t n = 0; n < count; n++) {
    bytes[n] = from + n <= machine->avr->ramend ? machine->avr->data[from + n] : 0;
  }
}

void machine_picture(const struct machine *machine, uint8_t *rgb) {
  memcpy(rgb, machine->chain.shown, machine->chain.leds * 3);
}

/* As if the program had run wild: a jump to itself, far from everything, with interrupts off. */
void machine_hang(struct machine *machine) {
  avr_t *avr = machine->avr;
  uint32_t at = avr->flashend - 1;
  avr->flash[at] = 0xFF;
  avr->flash[at + 1] = 0xCF;
  avr->pc = at;
  avr->sreg[S_I] = 0;
  avr->state = cpu_Running;
}

void machine_report(const struct machine *machine, struct report *report) {
  const struct chain *chain = &machine->chain;
  const struct uart *uart = &machine->uart;
  *report = (struct report){
      .cycle = machine->avr->cycle, .latched = chain->latched, .fell = chain->fell,
      .latches = chain->latches, .bad_high = chain->bad_high, .bad_low = chain->bad_low,
      .bad_gap = chain->bad_gap, .torn = chain->torn, .longest_gap = chain->longest_gap,
      .lost = uart->lost, .deaf = uart->deaf, .garbled = uart->garbled,
      .unmodelled = uart->unmodelled, .resets = machine->resets,
      .watchdog_resets = machine->watchdog_resets, .state = (uint32_t)machine->avr->state,
      .sending = uart->chip_in - uart->chip_out};
}
