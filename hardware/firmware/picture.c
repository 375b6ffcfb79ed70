/* The picture: a colour and a rhythm for each LED, and how bright each rhythm is right now. */
#include "picture.h"

#include "wire.h"

#ifdef __AVR__
#include <avr/pgmspace.h>
#else
#define PROGMEM
#define pgm_read_word(address) (*(address))
#endif

#define STEPS 16
#define CYCLE (STEPS * STEP_TICKS)
#define PULSE 0

uint8_t picture_colour[LED_CAPACITY * 3];
uint8_t picture_rhythm[LED_CAPACITY];
uint8_t picture_level[RHYTHMS];
uint16_t picture_leds = LED_CAPACITY;
uint16_t picture_reach = LED_CAPACITY;

static uint8_t brightness = 255;
static uint16_t cap = CAP_DEFAULT;
static uint32_t channels;  /* the sum of all colour bytes */
static uint16_t in_use;    /* the rhythms that have been put somewhere, a bit each */
static uint8_t phase;      /* ticks into the cycle all rhythms share */

/* Sixteen steps, first step in the lowest bit: on or off. Rhythms 8 to 15: half a period later. */
static const uint16_t BEATS[RHYTHMS] PROGMEM = {
    0xFFFF, 0x0F0F, 0x3333, PULSE, PULSE, 0x0005, 0x3FFF, 0x0003,
    0xFFFF, 0xF0F0, 0xCCCC, PULSE, PULSE, 0x0500, 0xFF3F, 0x0300};

void picture_start(void) {
  picture_leds = picture_reach = LED_CAPACITY;
  brightness = 255;
  cap = CAP_DEFAULT;
  phase = 0;
  picture_black();
}

void picture_black(void) {
  for (uint16_t n = 0; n < sizeof picture_colour; n++) {
    picture_colour[n] = 0;
  }
  for (uint16_t n = 0; n < sizeof picture_rhythm; n++) {
    picture_rhythm[n] = 0;
  }
  channels = 0;
  in_use = 1;
}

uint8_t picture_setup(uint16_t leds, uint8_t bright, uint16_t milliamps) {
  if (milliamps > CAP_LIMIT) {
    return 0;
  }
  picture_leds = leds;
  if (picture_reach < leds) {
    picture_reach = leds;
  }
  brightness = bright;
  cap = milliamps;
  picture_black();
  return 1;
}

static uint8_t next; /* where in the payload we are */

static uint8_t take(void) {
  return wire_at(HEADER + next++);
}

static void put(uint8_t led, const uint8_t *colour, uint8_t rhythm) {
  uint8_t *at = picture_colour + 3 * (uint16_t)led;
  for (uint8_t n = 0; n < 3; n++) {
    channels -= at[n];
    at[n] = colour[n];
    channels += at[n];
  }
  picture_rhythm[led] = rhythm;
}

static void take_colour(uint8_t *colour) {
  colour[1] = take();
  colour[0] = take();
  colour[2] = take();
}

/* Walks the payload; the first walk looks whether all of it fits, the second does it. */
static uint8_t walk(uint8_t length, uint8_t doing) {
  uint8_t colour[3];
  uint8_t last = (uint8_t)(picture_leds - 1);
  next = 0;
  while (next < length) {
    uint8_t left = length - next;
    uint8_t head = take();
    uint8_t kind = head & 0xF0, rhythm = head & 0x0F;
    if (kind == PUT_LIST) {
      uint8_t items = rhythm + 1;
      if (left < 2 + 4 * items) {
        return 0;
      }
      uint8_t led = take();
      for (; items > 0; items--) {
        uint8_t item = take();
        if (led > last || item >> 4 > last - led) {
          return 0;
        }
        led += item >> 4;
        take_colour(colour);
        if (doing) {
          in_use |= 1U << (item & 0x0F);
          put(led, colour, item & 0x0F);
        }
        if (items > 1 && led++ == last) {
          return 0;
        }
      }
      continue;
    }
    if (doing) {
      in_use |= 1U << rhythm;
    }
    if (kind == PUT_SAME) {
      if (left < 5) {
        return 0;
      }
      uint8_t count = take();
      if (left - 5 < count) {
        return 0;
      }
      take_colour(colour);
      for (; count > 0; count--) {
        uint8_t led = take();
        if (led > last) {
          return 0;
        }
        if (doing) {
          put(led, colour, rhythm);
        }
      }
      continue;
    }
    uint8_t from = 0, to = last, each = 0;
    if (kind == PUT_FILL) {
      if (left < 4) {
        return 0;
      }
    } else if (kind == PUT_ONE) {
      if (left < 5) {
        return 0;
      }
      from = to = take();
    } else if (kind == PUT_RUN || kind == PUT_SPAN) {
      if (left < 6) {
        return 0;
      }
      from = take();
      to = take();
      each = kind == PUT_SPAN;
    } else {
      return 0;
    }
    if (from > to || to > last || (each && left < 3 + 3 * (to - from + 1))) {
      return 0;
    }
    take_colour(colour);
    for (uint8_t led = from;; led++) {
      if (doing) {
        put(led, colour, rhythm);
      }
      if (led == to) {
        break;
      }
      if (each) {
        take_colour(colour);
      }
    }
  }
  return 1;
}

uint8_t picture_change(uint8_t length) {
  return walk(length, 0) && walk(length, 1);
}

/* Which rhythms are still somewhere: the chain need not be written for the others. */
void picture_settle(void) {
  in_use = 0;
  for (uint16_t n = 0; n < picture_leds; n++) {
    in_use |= 1U << picture_rhythm[n];
  }
}

void picture_tick(void) {
  if (++phase == CYCLE) {
    phase = 0;
  }
}

/* 0 to 256: up and down once in `period` ticks, squared because eyes are not linear. */
static uint16_t pulse(uint8_t at, uint8_t period) {
  uint8_t half = period / 2;
  while (at >= period) {
    at -= period;
  }
  uint32_t rise = at < half ? at : period - at;
  rise = 48 + rise * 208 / half;
  return (uint16_t)(rise * rise >> 8); /* 65536 at the top: more than an int here */
}

static uint16_t beat(uint8_t rhythm) {
  uint16_t steps = pgm_read_word(&BEATS[rhythm]);
  if (steps != PULSE) {
    return steps >> (phase / STEP_TICKS) & 1 ? 256 : 0;
  }
  uint8_t period = (rhythm & 7) == 3 ? CYCLE : CYCLE / 2;
  uint8_t at = rhythm & 8 ? phase + period / 2 : phase; /* at most 239 */
  return pulse(at, period);
}

/* Brightness in 256ths, less where full rhythms would ask for more than the cap. */
static uint16_t gain(void) {
  uint16_t wanted = brightness ? brightness + 1 : 0;
  uint32_t idle = (uint32_t)picture_leds * IDLE_MILLIAMPS;
  uint32_t room = cap > idle ? (cap - idle) * 255 / CHANNEL_MILLIAMPS : 0;
  uint32_t sum = (channels * wanted + 255) >> 8;
  return sum > room ? (uint16_t)(wanted * room / sum) : wanted;
}

uint16_t picture_milliamps(void) {
  uint32_t idle = (uint32_t)picture_leds * IDLE_MILLIAMPS;
  return (uint16_t)(idle + (((channels * gain()) >> 8) * CHANNEL_MILLIAMPS + 254) / 255);
}

uint8_t picture_refresh(void) {
  uint16_t full = gain();
  uint8_t changed = 0;
  for (uint8_t rhythm = 0; rhythm < RHYTHMS; rhythm++) {
    if (!(in_use >> rhythm & 1)) {
      continue;
    }
    uint16_t level = (uint16_t)((uint32_t)beat(rhythm) * full >> 8);
    level -= level > 0;
    if (picture_level[rhythm] != level) {
      picture_level[rhythm] = (uint8_t)level;
      changed = 1;
    }
  }
  return changed;
}

/* The self-test: one LED after the other, each red, green, blue and white in turn. */
void picture_pattern(uint16_t step) {
  uint8_t hue = step & 3;
  uint8_t colour[3] = {hue == 1 || hue == 3 ? 96 : 0, hue == 0 || hue == 3 ? 96 : 0, hue >= 2 ? 96 : 0};
  picture_black();
  put((uint8_t)(step >> 2), colour, 0);
}

/* The whole chain has been written: behind its end nothing is lit any more. */
void picture_written(void) {
  picture_reach = picture_leds;
}
