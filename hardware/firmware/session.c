/* One host, one session: requests in order, each carried out once and answered once it is true. */
#include "session.h"

#include "picture.h"
#include "wire.h"

uint8_t session_answer[ANSWER_ROOM];
uint8_t session_rate;

static uint8_t cause;        /* why the chip started: MCUSR */
static uint8_t open;         /* somebody has greeted */
static uint8_t staged;       /* the picture is half told: nothing may be written */
static uint8_t last_sequence;
static uint8_t last_said;
static uint8_t presses;      /* two counts of four bits: no press is lost while a poll is */
static uint8_t silent;       /* ticks since the last good frame */
static uint8_t unproven;     /* nothing has been heard yet at the new rate */
static uint8_t due;          /* a rhythm has moved on */
static uint8_t overdue;      /* the host is gone: whatever is on the line, the chain goes dark now */
static uint8_t testing;
static uint16_t test_step;
static uint8_t ticks;
static uint16_t repeated;
static uint16_t refused;
static uint32_t shown;
static uint32_t uptime;      /* in ticks */
static uint8_t length;

void session_start(uint8_t reset_cause) {
  cause = reset_cause;
  open = staged = presses = silent = testing = ticks = unproven = due = overdue = session_rate = 0;
  repeated = refused = 0;
  shown = uptime = 0;
  wire_start();
  picture_start();
}

static void say8(uint8_t value) {
  session_answer[length++] = value;
}

static void say16(uint16_t value) {
  say8((uint8_t)value);
  say8((uint8_t)(value >> 8));
}

static void say32(uint32_t value) {
  say16((uint16_t)value);
  say16((uint16_t)(value >> 16));
}

static void say_greeting(void) {
  say8(PROTOCOL_VERSION);
  say8(FIRMWARE_MAJOR);
  say8(FIRMWARE_MINOR);
  say16(LED_CAPACITY);
  say8(MAX_PAYLOAD);
  say8(RHYTHMS);
  say16(CAP_LIMIT);
  say8(cause);
  say16((uint16_t)(((uint32_t)GONE_TICKS * TICK_US) / 1000));
}

static void say_stats(void) {
  say16(wire_counts.good);
  say16(wire_counts.crc);
  say16(wire_counts.resync);
  say16(wire_counts.overrun);
  say16(wire_counts.framing);
  say16(wire_counts.full);
  say16(repeated);
  say16(refused);
  say32(shown);
  say32(uptime);
  say16(picture_milliamps());
  say8(cause);
}

static void answer(uint8_t sequence, uint8_t operation, uint8_t said) {
  length = HEADER;
  session_answer[0] = SYNC;
  session_answer[2] = sequence;
  session_answer[3] = operation | ANSWER_BIT;
  say8(said);
  say8(presses);
  if (said == SAID_OK && operation == OP_HELLO) {
    say_greeting();
  } else if (said == SAID_OK && operation == OP_STATS) {
    say_stats();
  }
  session_answer[1] = length - HEADER;
  uint32_t check = 0xFFFFFFFF;
  for (uint8_t n = 1; n < length; n++) {
    check = wire_crc(check, session_answer[n]);
  }
  say32(~check);
}

uint8_t session_answer_length(void) {
  return length;
}

static void greet(void) {
  open = 1;
  staged = 1;
  testing = 0;
  picture_black();
}

static uint8_t setup(uint8_t size) {
  if (size != 4) {
    return SAID_MALFORMED;
  }
  uint16_t milliamps = wire_at(HEADER + 2) | (uint16_t)wire_at(HEADER + 3) << 8;
  if (!picture_setup((uint16_t)wire_at(HEADER) + 1, wire_at(HEADER + 1), milliamps)) {
    return SAID_TOO_MUCH;
  }
  staged = 1;
  return SAID_OK;
}

static uint8_t perform(uint8_t operation, uint8_t size) {
  switch (operation) {
    case OP_HELLO:
      greet();
      return SAID_OK;
    case OP_PING:
    case OP_STATS:
      return size ? SAID_MALFORMED : SAID_OK;
    case OP_SETUP:
      return setup(size);
    case OP_BAUD:
      if (size != 1 || wire_at(HEADER) > 2) {
        return SAID_MALFORMED;
      }
      session_rate = wire_at(HEADER);
      unproven = 1;
      return SAID_OK;
    case OP_TEST:
      if (size != 1) {
        return SAID_MALFORMED;
      }
      session_self_test(wire_at(HEADER));
      return SAID_OK;
    case OP_STAGE:
    case OP_SHOW:
      if (!picture_change(size)) {
        return SAID_MALFORMED;
      }
      testing = 0;
      staged = operation == OP_STAGE;
      return SAID_OK;
    default:
      return SAID_UNKNOWN;
  }
}

enum session_wish session_next(void) {
  if (!wire_next()) {
    return WISH_NOTHING;
  }
  uint8_t size = wire_at(1), sequence = wire_at(2), operation = wire_at(3);
  silent = unproven = 0;
  enum session_wish wish = WISH_ANSWER;
  if (!open && operation != OP_HELLO) {
    last_said = SAID_NO_SESSION;
    refused++;
  } else if (operation != OP_HELLO && sequence == last_sequence) {
    repeated++; /* our answer was lost: say it again, do nothing again */
  } else {
    last_said = perform(operation, size);
    last_sequence = sequence;
    if (last_said != SAID_OK) {
      refused++;
    } else if (operation == OP_SHOW || operation == OP_TEST) {
      wish = WISH_SHOW;
    }
  }
  wire_drop();
  answer(sequence, operation, last_said);
  return wish;
}

void session_shown(void) {
  picture_written();
  due = overdue = 0;
  shown++;
}

void session_button(uint8_t button) {
  if (button == 0) {
    presses = (presses & 0xF0) | ((presses + 1) & 0x0F);
  } else {
    presses += 0x10;
  }
}

void session_self_test(uint8_t on) {
  testing = on;
  test_step = 0;
  staged = 0;
  picture_black();
}

static void go_dark(void) {
  open = 0;
  staged = testing = unproven = 0;
  session_rate = 0; /* a new host will knock at the first rate */
  picture_black();
}

void session_tick(void) {
  uptime++;
  wire_tick();
  picture_tick();
  if (open && ++silent >= (unproven ? UNPROVEN_TICKS : GONE_TICKS)) {
    go_dark();
    overdue = 1;
    return;
  }
  if (++ticks % FRAME_TICKS) {
    return;
  }
  if (testing && ticks % 4 == 0) {
    if (test_step >= 4 * picture_leds) {
      test_step = 0;
    }
    picture_pattern(test_step++);
    due = 1;
  }
  if (!staged && picture_refresh()) {
    due = 1;
  }
}

uint8_t session_due(void) {
  return overdue || (due && !staged && wire_empty()); /* a frame on its way goes first */
}
