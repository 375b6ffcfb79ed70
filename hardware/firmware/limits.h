/* The numbers both ends must agree on. The host reads this very file, so: one plain number a line. */
#ifndef LIMITS_H
#define LIMITS_H

/* the wire */
#define PROTOCOL_VERSION 1
#define FIRMWARE_MAJOR 1
#define FIRMWARE_MINOR 0
#define SYNC 0xA7
#define HEADER 4          /* sync, length, sequence, operation */
#define CHECK 4           /* CRC-32 of everything after the sync byte, low byte first */
#define MAX_PAYLOAD 224   /* a whole frame stays smaller than the receive ring */
#define ANSWER_BIT 0x80

/* operations */
#define OP_HELLO 0x01     /* starts a session; the picture to come starts black */
#define OP_SETUP 0x02     /* LEDs - 1, brightness, milliamps low and high byte */
#define OP_PING 0x03
#define OP_STATS 0x04
#define OP_BAUD 0x05      /* index of a rate; answered at the old one */
#define OP_TEST 0x06      /* the controller's own pattern: 1 starts it, 0 ends it */
#define OP_STAGE 0x10     /* change the picture, show it later */
#define OP_SHOW 0x11      /* change the picture and show it; answered after the latch */

/* what an answer says first */
#define SAID_OK 0
#define SAID_UNKNOWN 1    /* no such operation */
#define SAID_MALFORMED 2  /* the payload makes no sense: nothing was changed */
#define SAID_NO_SESSION 3 /* greet first: this controller has just started, or had gone dark */
#define SAID_TOO_MUCH 4   /* more LEDs or milliamps than this firmware allows */

/* instructions in the payload of STAGE and SHOW: kind in the high half byte, rhythm in the low */
#define PUT_FILL 0x00     /* colour: the whole chain */
#define PUT_ONE 0x10      /* led, colour */
#define PUT_RUN 0x20      /* first, last, colour */
#define PUT_SPAN 0x30     /* first, last, a colour each */
#define PUT_SAME 0x40     /* how many, colour, an index each */
#define PUT_LIST 0x50     /* items - 1 in the low half byte; first; items: skip and rhythm, colour */

/* the chain */
#define LED_CAPACITY 256
#define RHYTHMS 16
#define LATCH_US 300
#define BIT_NS 1250
#define CHAIN_PIN 6       /* D6 */

/* power: what one WS2812B takes, and what the supply must never be asked for */
#define CHANNEL_MILLIAMPS 20
#define IDLE_MILLIAMPS 1
#define CAP_DEFAULT 2000
#define CAP_LIMIT 8000

/* time */
#define TICK_US 12500
#define GAP_TICKS 3       /* a frame that stops for so long is given up */
#define GONE_TICKS 240    /* a host silent for so long is gone: dark */
#define UNPROVEN_TICKS 40 /* a new rate at which nothing is heard for so long is given up */
#define STEP_TICKS 10     /* a rhythm has 16 steps: two seconds */
#define FRAME_TICKS 2     /* a pulse is drawn anew every so many ticks */

#endif
