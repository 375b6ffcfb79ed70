/* Frames out of bytes: the receive ring, the check, and finding the thread again. */
#ifndef WIRE_H
#define WIRE_H

#include <stdint.h>

#include "limits.h"

/* Frames are read where they lie: the ring is the only copy of what came in. */
extern uint8_t wire_ring[256];
extern volatile uint8_t wire_head;  /* where the next byte goes */
extern volatile uint8_t wire_quiet; /* ticks since the last byte */
extern uint8_t wire_tail;           /* the oldest byte still needed */

struct wire_counts {
  uint16_t good;    /* frames whose check was right */
  uint16_t crc;     /* frames whose check was wrong */
  uint16_t resync;  /* times the thread was lost */
  uint16_t overrun; /* bytes the chip lost before we read them */
  uint16_t framing; /* bytes without a stop bit: wrong rate, or noise */
  uint16_t full;    /* bytes the ring had no room for */
};
extern volatile struct wire_counts wire_counts;

/* From the interrupt, and between two colour bytes while the chain is being written. */
static inline void wire_push(uint8_t byte) {
  uint8_t head = wire_head;
  wire_quiet = 0;
  wire_ring[head++] = byte;
  if (head == wire_tail) {
    wire_counts.full++;
  } else {
    wire_head = head;
  }
}

static inline uint8_t wire_at(uint8_t offset) {
  return wire_ring[(uint8_t)(wire_tail + offset)];
}

static inline uint8_t wire_empty(void) {
  return wire_head == wire_tail;
}

void wire_start(void);
uint8_t wire_next(void);  /* 1: a checked frame lies at the tail, sync byte first; 0: not yet, ask again */
void wire_drop(void);     /* done with it */
void wire_tick(void);
uint32_t wire_crc(uint32_t crc, uint8_t byte);

#endif
