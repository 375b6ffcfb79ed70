/* The data line at 16 MHz: bits of 20 cycles, high for 5 (a nought) or 12 (a one). In assembly because
   the pause between two bits must stay short even where a byte from the serial line is fetched: some
   parts take 5 us for the end.

   uint16_t chain_write(uint8_t head, uint8_t tail): the chain as far as it may be lit, every colour
   times the level of its rhythm. Interrupts must be off. Returns the ring's new head, and above it the status bits of
   all bytes fetched. */
#define __SFR_OFFSET 0
#include <avr/io.h>

#include "limits.h"

#define none r2
#define level r18
#define bits r19
#define byte r20
#define high r21
#define tail r22
#define low r23
#define head r24
#define trouble r25
#define leds r16

/* The next colour times (level + 1) / 256, eight bits, then what the line has brought, if anything:
   into the ring, unless that is full. */
.macro colour_byte
  ld bits, X+
  mul bits, level
  mov byte, r1
  add r0, bits
  adc byte, none
  ldi bits, 8
1:out PORTD, high
  rjmp .+0
  nop
  sbrs byte, 7
  out PORTD, low
  lsl byte
  rjmp .+0
  rjmp .+0
  nop
  out PORTD, low
  rjmp .+0
  rjmp .+0
  dec bits
  brne 1b
#ifdef WRONG_PAUSE /* kept to prove that the emulator notices it */
  ldi bits, 30
5:dec bits
  brne 5b
#endif
#ifndef WRONG_EARLY_ANSWER
  lds byte, UCSR0A
  sbrs byte, RXC0
  rjmp 2f
  or trouble, byte
  lds byte, UDR0
  ldi r30, lo8(wire_ring)
  ldi r31, hi8(wire_ring)
  add r30, head
  adc r31, none
  st Z, byte
  inc head
  cpse head, tail
  rjmp 2f
  dec head
2:
#endif
.endm

  .text
  .global chain_write
chain_write:
  push r2
  push r16
  push r17
  push r28
  push r29
  clr none
  clr trouble
  in low, PORTD
  cbr low, 1 << CHAIN_PIN
  mov high, low
  sbr high, 1 << CHAIN_PIN
  lds r16, picture_reach
  lds r17, picture_reach + 1
  ldi r26, lo8(picture_colour)
  ldi r27, hi8(picture_colour)
  ldi r28, lo8(picture_rhythm)
  ldi r29, hi8(picture_rhythm)
3:ldi r30, lo8(picture_level)
  ldi r31, hi8(picture_level)
  ld byte, Y+
  add r30, byte
  adc r31, none
  ld level, Z
  colour_byte
  colour_byte
  colour_byte
  subi r16, 1
  sbc r17, none
  breq 4f
  rjmp 3b
4:clr r1
  pop r29
  pop r28
  pop r17
  pop r16
  pop r2
  ret
