/* The ATmega328P's USART0: bytes take ten bit times, two wait, a third in the shift register. */
#include <string.h>

#include "machine.h"

#define UCSRA 0xC0
#define UCSRB 0xC1
#define UCSRC 0xC2
#define UBRRL 0xC4
#define UBRRH 0xC5
#define UDR 0xC6
#define RXC 0x80
#define TXC 0x40
#define UDRE 0x20
#define FE 0x10
#define DOR 0x08
#define U2X 0x02
#define RXCIE 0x80
#define TXCIE 0x40
#define UDRIE 0x20
#define RXEN 0x10
#define TXEN 0x08
#define RX_VECTOR 18

static avr_int_vector_t *rx_vector(avr_t *avr) {
  for (int n = 0; n < avr->interrupts.vector_count; n++) {
    if (avr->interrupts.vector[n]->vector == RX_VECTOR) {
      return avr->interrupts.vector[n];
    }
  }
  return NULL;
}

static uint64_t chip_byte(const struct uart *uart) {
  return 10ULL * (uart->doubled ? 8 : 16) * (uart->divider + 1);
}

static uint64_t host_byte(const struct uart *uart) {
  return 10ULL * CLOCK / uart->baud;
}

/* A receiver samples the middle of the last bit: about 4.5 % off is too much. */
static int too_far_off(const struct uart *uart) {
  int64_t ours = (int64_t)chip_byte(uart), theirs = (int64_t)host_byte(uart);
  int64_t off = ours > theirs ? ours - theirs : theirs - ours;
  return off * 1000 > theirs * 45;
}

static void receive(struct machine *machine, uint8_t byte, uint8_t bad) {
  struct uart *uart = &machine->uart;
  if (uart->waiting < 2) {
    uart->fifo[uart->waiting] = byte;
    uart->fifo_bad[uart->waiting++] = bad;
    avr_raise_interrupt(machine->avr, rx_vector(machine->avr));
  } else {
    uart->held = byte;
    uart->held_bad = bad;
    uart->holding = 1;
  }
}

/* A start bit: what the shift register still holds has nowhere to go. */
static uint64_t begin(struct uart *uart, uint64_t when) {
  uart->busy = 1;
  uart->line_free = when + host_byte(uart);
  if (uart->holding) {
    uart->holding = 0;
    uart->overrun = 1;
    uart->lost++;
  }
  return uart->line_free;
}

static void end(struct machine *machine) {
  struct uart *uart = &machine->uart;
  uint8_t byte = uart->to_chip[uart->chip_out++ % QUEUE], bad = 0;
  uart->busy = 0;
  if (!(uart->control & RXEN)) {
    uart->deaf++;
    return;
  }
  if (too_far_off(uart)) {
    uart->garbled++;
    byte = (uint8_t)(byte * 37 + 91);
    bad = byte & 1;
  }
  receive(machine, byte, bad);
}

static avr_cycle_count_t step(avr_t *avr, avr_cycle_count_t when, void *param) {
  struct machine *machine = param;
  struct uart *uart = &machine->uart;
  (void)avr;
  if (uart->busy) {
    end(machine);
  }
  return uart->chip_out != uart->chip_in ? begin(uart, when) : 0;
}

/* Starts the line again where it stood still: something new to send, or the chip was reset. */
void uart_kick(struct machine *machine) {
  struct uart *uart = &machine->uart;
  avr_t *avr = machine->avr;
  if (uart->chip_in == uart->chip_out || avr_cycle_timer_status(avr, step, machine)) {
    return;
  }
  uint64_t at = uart->line_free > avr->cycle ? uart->line_free : avr->cycle + 1;
  avr_cycle_timer_register(avr, at - avr->cycle, step, machine);
}

static uint8_t read_status(avr_t *avr, avr_io_addr_t addr, void *param) {
  struct uart *uart = &((struct machine *)param)->uart;
  uint8_t status = uart->doubled ? U2X : 0;
  if (uart->waiting) {
    status |= RXC | (uart->fifo_bad[0] ? FE : 0);
  }
  status |= uart->overrun ? DOR : 0;
  status |= avr->cycle >= uart->shift_start ? UDRE : 0;
  status |= uart->sent && avr->cycle >= uart->shift_free ? TXC : 0;
  avr->data[addr] = status;
  return status;
}

static void write_status(avr_t *avr, avr_io_addr_t addr, uint8_t value, void *param) {
  struct uart *uart = &((struct machine *)param)->uart;
  (void)avr, (void)addr;
  uart->doubled = !!(value & U2X);
  if (value & TXC) {
    uart->sent = 0;
  }
}

/* simavr leaves a cleared interrupt in its queue; sixty bytes fetched with interrupts off would
   fill that, and others would be lost for ever. */
static void forget(avr_t *avr, avr_int_vector_t *vector) {
  avr_int_pending_t *queue = &avr->interrupts.pending;
  uint16_t to = queue->read;
  avr_clear_interrupt(avr, vector);
  for (uint16_t from = to; from != queue->write; from = (from + 1) % avr_int_pending_fifo_size) {
    if (queue->buffer[from] != vector) {
      queue->buffer[to] = queue->buffer[from];
      to = (to + 1) % avr_int_pending_fifo_size;
    }
  }
  queue->write = to;
  if (avr->interrupt_state > 0) {
    avr->interrupt_state = to != queue->read;
  }
}

static uint8_t read_data(avr_t *avr, avr_io_addr_t addr, void *param) {
  struct machine *machine = param;
  struct uart *uart = &machine->uart;
  (void)addr;
  uint8_t byte = uart->fifo[0];
  uart->overrun = 0;
  if (uart->waiting) {
    uart->fifo[0] = uart->fifo[1];
    uart->fifo_bad[0] = uart->fifo_bad[1];
    uart->waiting--;
    if (uart->holding) {
      uart->fifo[uart->waiting] = uart->held;
      uart->fifo_bad[uart->waiting++] = uart->held_bad;
      uart->holding = 0;
    }
  }
  forget(avr, rx_vector(avr));
  if (uart->waiting) {
    avr_raise_interrupt(avr, rx_vector(avr));
  }
  return byte;
}

/* Nothing to do: a chip asleep would otherwise be woken too late for the host to see the byte come. */
static avr_cycle_count_t delivered(avr_t *avr, avr_cycle_count_t when, void *param) {
  (void)avr, (void)when, (void)param;
  return 0;
}

static void write_data(avr_t *avr, avr_io_addr_t addr, uint8_t value, void *param) {
  struct uart *uart = &((struct machine *)param)->uart;
  (void)addr;
  if (!(uart->control & TXEN)) {
    return;
  }
  if (avr->cycle < uart->shift_start) {
    uart->unmodelled++; /* written over a byte that had not left: a fault of the program */
    return;
  }
  uart->shift_start = avr->cycle > uart->shift_free ? avr->cycle : uart->shift_free;
  uart->shift_free = uart->shift_start + chip_byte(uart);
  uart->sent = 1;
  if (too_far_off(uart)) {
    value = (uint8_t)(value * 37 + 91);
    uart->garbled++;
  }
  if (uart->host_in - uart->host_out < QUEUE) {
    uint64_t *at = &uart->host_at[uart->host_in % QUEUE];
    *at = uart->shift_free;
    avr_cycle_timer_register(avr, *at - avr->cycle, delivered, at);
    uart->to_host[uart->host_in++ % QUEUE] = value;
  }
}

static void write_control(avr_t *avr, avr_io_addr_t addr, uint8_t value, void *param) {
  struct uart *uart = &((struct machine *)param)->uart;
  uart->control = value;
  avr->data[addr] = value;
  if (value & (TXCIE | UDRIE)) {
    uart->unmodelled++;
  }
}

static void write_divider(avr_t *avr, avr_io_addr_t addr, uint8_t value, void *param) {
  struct uart *uart = &((struct machine *)param)->uart;
  avr->data[addr] = value;
  uart->divider = avr->data[UBRRL] | (uint32_t)(avr->data[UBRRH] & 15) << 8;
}

static void keep(avr_t *avr, avr_io_addr_t addr, uint8_t value, void *param) {
  (void)param;
  avr->data[addr] = value;
}

static void on_write(struct machine *machine, uint16_t addr, avr_io_write_t call) {
  machine->avr->io[AVR_DATA_TO_IO(addr)].w.c = call;
  machine->avr->io[AVR_DATA_TO_IO(addr)].w.param = machine;
}

static void on_read(struct machine *machine, uint16_t addr, avr_io_read_t call) {
  machine->avr->io[AVR_DATA_TO_IO(addr)].r.c = call;
  machine->avr->io[AVR_DATA_TO_IO(addr)].r.param = machine;
}

void uart_attach(struct machine *machine) {
  machine->uart.baud = 115200;
  on_read(machine, UCSRA, read_status);
  on_write(machine, UCSRA, write_status);
  on_write(machine, UCSRB, write_control);
  on_write(machine, UCSRC, keep);
  on_write(machine, UBRRL, write_divider);
  on_write(machine, UBRRH, write_divider);
  on_read(machine, UDR, read_data);
  on_write(machine, UDR, write_data);
  rx_vector(machine->avr)->raise_sticky = 1;
}

void uart_reset(struct machine *machine) {
  struct uart *uart = &machine->uart;
  uart->waiting = uart->holding = uart->overrun = uart->sent = 0;
  uart->shift_start = uart->shift_free = 0;
  uart->control = 0;
  uart->divider = 0;
  uart->doubled = 0;
  if (uart->busy) { /* its start bit went by unheard */
    uart->busy = 0;
    uart->chip_out++;
  }
  uart_kick(machine);
}
