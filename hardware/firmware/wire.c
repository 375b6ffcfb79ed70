/* Frames out of bytes: the receive ring, the check, and finding the thread again. */
#include "wire.h"

#ifdef __AVR__
#include <avr/pgmspace.h>
#else
#define PROGMEM
#define pgm_read_dword(address) (*(address))
#endif

uint8_t wire_ring[256];
volatile uint8_t wire_head;
volatile uint8_t wire_quiet;
uint8_t wire_tail;
volatile struct wire_counts wire_counts;

#define WORK 64 /* bytes looked at in one go: noise without end must not keep the rest waiting */

static uint8_t scanned; /* how far the check has come in the frame at the tail */
static uint8_t lost;    /* looking for the thread: one loss is counted once */
static uint32_t check;

static const uint32_t NIBBLES[16] PROGMEM = {
    0x00000000, 0x1DB71064, 0x3B6E20C8, 0x26D930AC, 0x76DC4190, 0x6B6B51F4, 0x4DB26158, 0x5005713C,
    0xEDB88320, 0xF00F9344, 0xD6D6A3E8, 0xCB61B38C, 0x9B64C2B0, 0x86D3D2D4, 0xA00AE278, 0xBDBDF21C};

uint32_t wire_crc(uint32_t crc, uint8_t byte) {
  crc ^= byte;
  crc = pgm_read_dword(&NIBBLES[crc & 15]) ^ (crc >> 4);
  return pgm_read_dword(&NIBBLES[crc & 15]) ^ (crc >> 4);
}

static void begin(void) {
  scanned = 1;
  check = 0xFFFFFFFF;
}

void wire_start(void) {
  wire_tail = wire_head;
  wire_quiet = 0;
  lost = 0;
  begin();
}

void wire_tick(void) {
  if (wire_quiet < 255) {
    wire_quiet++;
  }
  if (wire_quiet >= GAP_TICKS && wire_empty()) {
    lost = 0; /* nothing left of what went wrong */
  }
}

void wire_drop(void) {
  wire_tail += HEADER + CHECK + wire_at(1);
  begin();
}

/* What lies at the tail is no frame: step over one byte and look again. */
static void skip(void) {
  if (!lost) {
    lost = 1;
    wire_counts.resync++;
  }
  wire_tail++;
  begin();
}

static uint8_t checked(uint8_t body) {
  uint32_t sent = 0;
  for (uint8_t n = CHECK; n-- > 0;) {
    sent = sent << 8 | wire_at(body + n);
  }
  return sent == ~check;
}

uint8_t wire_next(void) {
  for (uint8_t work = 0; work < WORK; work++) {
    uint8_t have = wire_head - wire_tail;
    if (have == 0) {
      return 0;
    }
    if (wire_at(0) != SYNC || (have > 1 && wire_at(1) > MAX_PAYLOAD)) {
      skip();
      continue;
    }
    uint8_t body = have > 1 ? wire_at(1) + HEADER : HEADER;
    uint8_t reach = have < body ? have : body;
    while (scanned < reach && work < WORK) {
      check = wire_crc(check, wire_at(scanned++));
      work++;
    }
    if (scanned < reach) {
      return 0;
    }
    if (have < HEADER || have < body + CHECK) {
      if (wire_quiet < GAP_TICKS) {
        return 0;
      }
      skip(); /* the rest is not coming */
      continue;
    }
    if (checked(body)) {
      lost = 0;
      wire_counts.good++;
      return 1;
    }
    if (!lost) {
      wire_counts.crc++;
    }
    skip();
  }
  return 0;
}
