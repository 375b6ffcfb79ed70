/* What most LED controllers do, to measure ours against: Adalight frames, every LED every time.
   No check, no answer; while the chain is written nothing is received. RATE: the divider. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <util/delay.h>

#include "limits.h"

static uint8_t colours[LED_CAPACITY * 3]; /* red, green, blue, as they come */

/* Eight bits of 20 cycles, as in chain.S. */
static inline void write_byte(uint8_t byte, uint8_t high, uint8_t low) {
  uint8_t bits = 8;
  __asm__ volatile(
      "1: out %[port], %[high]\n"
      "   rjmp .+0\n"
      "   nop\n"
      "   sbrs %[byte], 7\n"
      "   out %[port], %[low]\n"
      "   lsl %[byte]\n"
      "   rjmp .+0\n"
      "   rjmp .+0\n"
      "   nop\n"
      "   out %[port], %[low]\n"
      "   rjmp .+0\n"
      "   rjmp .+0\n"
      "   dec %[bits]\n"
      "   brne 1b\n"
      : [byte] "+r"(byte), [bits] "+r"(bits)
      : [port] "I"(_SFR_IO_ADDR(PORTD)), [high] "r"(high), [low] "r"(low));
}

static uint8_t hear(void) {
  while (!(UCSR0A & (1 << RXC0))) {
  }
  return UDR0;
}

static void write_chain(uint16_t leds) {
  const uint8_t *colour = colours;
  uint8_t low = PORTD & ~(1 << CHAIN_PIN), high = low | 1 << CHAIN_PIN;
  cli();
  for (; leds > 0; leds--, colour += 3) {
    write_byte(colour[1], high, low);
    write_byte(colour[0], high, low);
    write_byte(colour[2], high, low);
  }
  sei();
  _delay_us(LATCH_US);
}

int main(void) {
  DDRD = 1 << CHAIN_PIN;
  write_chain(LED_CAPACITY);
  UCSR0A = 1 << U2X0;
  UBRR0 = RATE;
  UCSR0B = (1 << RXEN0) | (1 << TXEN0);
  for (;;) {
    if (hear() != 'A' || hear() != 'd' || hear() != 'a') {
      continue;
    }
    uint8_t high = hear(), low = hear();
    if (hear() != (high ^ low ^ 0x55) || high != 0) {
      continue;
    }
    uint16_t leds = (uint16_t)low + 1;
    for (uint16_t n = 0; n < leds * 3; n++) {
      colours[n] = hear();
    }
    write_chain(leds);
  }
}
