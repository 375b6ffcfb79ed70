/* The controller's core on this machine, fed with whatever: bytes, ticks and button presses.

   An input is a script of bytes for the serial line; where a byte is 0xFE the next one says how many
   ticks pass, so that sessions end and half-heard frames are given up. `fuzz FILE…` runs files,
   `fuzz -n COUNT SEED FILE…` makes that many inputs out of them and of valid frames, by dice.
   Built with AddressSanitizer and UBSan, which end the program at the first wrong step. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "picture.h"
#include "session.h"
#include "wire.h"

#define LONGEST 700
#define PAUSE 0xFE

static void demand(int true_) {
  if (!true_) {
    abort();
  }
}

/* What must hold whatever came in. */
static void look(void) {
  demand(picture_leds >= 1 && picture_leds <= LED_CAPACITY);
  demand(session_rate <= 2);
  for (uint16_t led = 0; led < LED_CAPACITY; led++) {
    demand(picture_rhythm[led] < RHYTHMS);
  }
  uint32_t drawn = 0;
  (void)picture_refresh();
  for (uint16_t led = 0; led < picture_leds; led++) {
    for (uint8_t n = 0; n < 3; n++) {
      uint32_t colour = picture_colour[3 * led + n];
      drawn += (colour * picture_level[picture_rhythm[led]] + colour) >> 8;
    }
  }
  demand(drawn * CHANNEL_MILLIAMPS / 255 + picture_leds * IDLE_MILLIAMPS <= CAP_LIMIT);
  demand(picture_milliamps() <= CAP_LIMIT);
}

static void serve(void) {
  enum session_wish wish;
  while ((wish = session_next()) != WISH_NOTHING) {
    uint8_t size = session_answer_length();
    demand(picture_reach >= picture_leds && picture_reach <= LED_CAPACITY);
    demand(size >= HEADER + CHECK + 2 && size <= ANSWER_ROOM);
    demand(session_answer[0] == SYNC && session_answer[1] == size - HEADER - CHECK);
    if (wish == WISH_SHOW) {
      picture_refresh();
      session_shown();
      picture_settle();
    }
  }
}

static void feed(const uint8_t *data, size_t size) {
  session_start(0);
  for (size_t n = 0; n < size; n++) {
    if (data[n] == PAUSE && n + 1 < size) {
      for (uint8_t ticks = data[++n]; ticks > 0; ticks--) {
        session_button(ticks & 1);
        session_tick();
        serve();
        if (session_due()) {
          picture_refresh();
          session_shown();
        }
      }
      continue;
    }
    wire_push(data[n]);
    if (n % 7 == 0) {
      serve();
    }
  }
  for (uint16_t n = 0; n < 1024 && !wire_empty(); n++) { /* a little at a time */
    serve();
  }
  look();
}

static uint64_t state;

static uint32_t dice(uint32_t below) { /* xorshift: the same inputs everywhere */
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (uint32_t)((state >> 32) % below);
}

static size_t add_frame(uint8_t *out, uint8_t operation, const uint8_t *payload, uint8_t size) {
  uint32_t check = 0xFFFFFFFF;
  out[0] = SYNC;
  out[1] = size;
  out[2] = (uint8_t)dice(256);
  out[3] = operation;
  memcpy(out + HEADER, payload, size);
  for (uint16_t n = 1; n < HEADER + size; n++) {
    check = wire_crc(check, out[n]);
  }
  check = ~check;
  for (uint8_t n = 0; n < CHECK; n++) {
    out[HEADER + size + n] = (uint8_t)(check >> 8 * n);
  }
  return HEADER + size + CHECK;
}

static size_t add_request(uint8_t *out) {
  static const uint8_t operations[] = {OP_HELLO, OP_SETUP, OP_PING, OP_STATS, OP_BAUD,
                                       OP_TEST, OP_STAGE, OP_SHOW, OP_SHOW, OP_SHOW};
  static const uint8_t kinds[] = {PUT_FILL, PUT_ONE, PUT_RUN, PUT_SPAN, PUT_SAME, PUT_LIST, 0x60};
  uint8_t payload[MAX_PAYLOAD];
  uint8_t operation = dice(20) ? operations[dice(sizeof operations)] : (uint8_t)dice(256);
  uint8_t size = (uint8_t)dice(dice(4) ? 24 : MAX_PAYLOAD + 1);
  for (uint8_t n = 0; n < size; n++) {
    payload[n] = (uint8_t)dice(256);
  }
  if (operation == OP_SETUP || operation == OP_BAUD || operation == OP_TEST) {
    size = operation == OP_SETUP ? 4 : 1;
    payload[0] = (uint8_t)dice(operation == OP_BAUD ? 4 : 256);
    payload[3] = (uint8_t)dice(32);
  } else if (operation >= OP_STAGE && size > 0 && dice(8)) {
    payload[0] = kinds[dice(sizeof kinds)] | (uint8_t)dice(16);
  }
  return add_frame(out, operation, payload, size);
}

static size_t invent(uint8_t *out, uint8_t *const *seeds, const size_t *sizes, int count) {
  size_t size = 0;
  if (count > 0 && dice(3) == 0) {
    int seed = (int)dice((uint32_t)count);
    size = sizes[seed];
    memcpy(out, seeds[seed], size);
  } else {
    uint8_t version = PROTOCOL_VERSION;
    if (dice(8)) {
      size = add_frame(out, OP_HELLO, &version, 1);
    }
    for (uint32_t frames = dice(4); frames > 0 && size < LONGEST - 2 * MAX_PAYLOAD; frames--) {
      size += add_request(out + size);
    }
    if (dice(16) == 0) {
      out[size++] = PAUSE;
      out[size++] = (uint8_t)dice(256);
    }
  }
  for (uint32_t hits = dice(3) ? 0 : dice(6); hits > 0 && size > 0; hits--) {
    out[dice((uint32_t)size)] = (uint8_t)dice(256);
  }
  if (dice(10) == 0 && size > 0) {
    size = dice((uint32_t)size) + 1;
  }
  return size;
}

static size_t read_file(const char *path, uint8_t *out) {
  FILE *file = fopen(path, "rb");
  if (!file) {
    perror(path);
    exit(2);
  }
  size_t size = fread(out, 1, LONGEST, file);
  fclose(file);
  return size;
}

int main(int argc, char **argv) {
  int from = argc > 3 && strcmp(argv[1], "-n") == 0 ? 4 : 1;
  int count = argc - from;
  uint8_t **seeds = calloc((size_t)count + 1, sizeof *seeds);
  size_t *sizes = calloc((size_t)count + 1, sizeof *sizes);
  for (int n = 0; n < count; n++) {
    seeds[n] = malloc(LONGEST);
    sizes[n] = read_file(argv[from + n], seeds[n]);
    feed(seeds[n], sizes[n]);
  }
  long inputs = from == 4 ? strtol(argv[2], NULL, 10) : 0;
  state = from == 4 ? 0x9E3779B97F4A7C15ULL ^ strtoull(argv[3], NULL, 10) : 1;
  unsigned long accepted = 0;
  for (long n = 0; n < inputs; n++) {
    uint8_t bytes[LONGEST];
    size_t size = invent(bytes, seeds, sizes, count);
    uint16_t before = wire_counts.good;
    uint8_t *exact = malloc(size ? size : 1); /* its end is watched */
    memcpy(exact, bytes, size);
    feed(exact, size);
    free(exact);
    accepted += (uint16_t)(wire_counts.good - before);
  }
  printf("%d files, %ld inputs, %lu frames accepted\n", count, inputs, accepted);
  for (int n = 0; n < count; n++) {
    free(seeds[n]);
  }
  free(seeds);
  free(sizes);
  return 0;
}
