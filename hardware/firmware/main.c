/* The chip: serial line, chain of LEDs on D6, buttons on D2 and D3, time, and two watchdogs. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <avr/wdt.h>
#include <util/delay.h>

#include "picture.h"
#include "session.h"
#include "wire.h"

#define BUTTONS ((1 << PD2) | (1 << PD3))
#define STEADY 3 /* ticks a button must stay as it is */

uint16_t chain_write(uint8_t head, uint8_t tail); /* chain.S */

static volatile uint8_t ticks;
static uint8_t handed_over __attribute__((section(".noinit")));
static uint8_t own_cause __attribute__((section(".noinit")));

/* Before anything else: the bootloader has cleared MCUSR and left its copy in r2. */
void keep_cause(void) __attribute__((naked, used, section(".init0")));
void keep_cause(void) {
  __asm__ volatile("sts %0, r2" : : "i"(&handed_over));
}

/* After a watchdog reset the dog is still awake, and quick. */
void calm_watchdog(void) __attribute__((naked, used, section(".init3")));
void calm_watchdog(void) {
  own_cause = MCUSR;
  MCUSR = 0;
  wdt_disable();
}

static inline void hear(void) {
  uint8_t state = UCSR0A;
  uint8_t byte = UDR0;
  if (state & (1 << DOR0)) {
    wire_counts.overrun++;
  }
  if (state & (1 << FE0)) {
    wire_counts.framing++;
  } else {
    wire_push(byte);
  }
}

ISR(USART_RX_vect) {
  hear();
}

ISR(TIMER1_COMPA_vect) {
  ticks++;
}

/* 115200 (2.1 % off), 250000 and 500000 baud (exact), all with U2X. */
static void set_rate(uint8_t index) {
  static const uint8_t dividers[] = {16, 7, 3};
  while (!(UCSR0A & (1 << UDRE0))) {
  }
  UBRR0 = dividers[index];
}

static void send_answer(void) {
  UCSR0A = (1 << U2X0) | (1 << TXC0);
  for (uint8_t n = 0; n < session_answer_length(); n++) {
    while (!(UCSR0A & (1 << UDRE0))) {
    }
    UDR0 = session_answer[n];
  }
}

/* Bytes that come in while the chain is written are fetched between two of ours. */
static void write_chain(void) {
  cli();
  uint16_t heard = chain_write(wire_head, wire_tail);
  uint8_t head = (uint8_t)heard, trouble = heard >> 8;
  if (head != wire_head) {
    wire_head = head;
    wire_quiet = 0;
  }
  wire_counts.overrun += trouble >> DOR0 & 1;
  wire_counts.framing += trouble >> FE0 & 1;
  sei();
  wdt_reset();
  _delay_us(LATCH_US);
  session_shown();
}

static void look_at_buttons(void) {
  static uint8_t down, steady[2];
  uint8_t now = ~PIND & BUTTONS;
  for (uint8_t n = 0; n < 2; n++) {
    uint8_t bit = 1 << (PD2 + n);
    if (!((now ^ down) & bit)) {
      steady[n] = 0;
    } else if (++steady[n] >= STEADY) {
      steady[n] = 0;
      down ^= bit;
      if (down & bit) {
        session_button(n);
      }
    }
  }
}

static void serve(enum session_wish wish) {
  if (wish == WISH_NOTHING) {
    return;
  }
#ifdef WRONG_EARLY_ANSWER
  send_answer(); /* the classic mistake, kept to prove that the emulator notices it */
  if (wish == WISH_SHOW) {
    picture_refresh();
    write_chain();
    picture_settle();
  }
#else
  if (wish == WISH_SHOW) {
    picture_refresh();
    write_chain();
  }
  send_answer();
  if (wish == WISH_SHOW) {
    picture_settle();
  }
#endif
}

static void start(void) {
  DDRD = 1 << CHAIN_PIN;
  PORTD = BUTTONS;
  set_sleep_mode(SLEEP_MODE_IDLE);
  session_start(own_cause ? own_cause : handed_over & 0x0F);
  write_chain(); /* whatever the LEDs woke up with: black */
  UCSR0A = 1 << U2X0;
  UCSR0C = (1 << UCSZ01) | (1 << UCSZ00);
  set_rate(0);
  UCSR0B = (1 << RXEN0) | (1 << TXEN0) | (1 << RXCIE0);
  OCR1A = TICK_US / 4 - 1;
  TCCR1B = (1 << WGM12) | (1 << CS11) | (1 << CS10);
  TIMSK1 = 1 << OCIE1A;
#ifndef OLD_BOOTLOADER /* one that never calms the dog would be bitten for ever */
  wdt_enable(WDTO_250MS);
#endif
  if (!(PIND & (1 << PD2))) {
    session_self_test(1); /* the first button held at power-on: a test without any host */
  }
}

int main(void) {
  static uint8_t seen, rate;
  start();
  for (;;) {
    wdt_reset();
    serve(session_next());
    if (session_rate != rate) {
      while (!(UCSR0A & (1 << TXC0))) { /* the answer leaves at the old rate */
      }
      rate = session_rate;
      set_rate(rate);
    }
    while (seen != ticks) {
      seen++;
      look_at_buttons();
      session_tick();
    }
    if (session_due()) {
      picture_refresh();
      write_chain();
    }
    cli();
    if (wire_empty() && seen == ticks) {
      sleep_enable();
      sei();
      sleep_cpu();
      sleep_disable();
    }
    sei();
  }
}
