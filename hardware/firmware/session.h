/* One host, one session: requests in order, each carried out once and answered once it is true. */
#ifndef SESSION_H
#define SESSION_H

#include <stdint.h>

#include "limits.h"

#define ANSWER_ROOM 48

enum session_wish {
  WISH_NOTHING,
  WISH_ANSWER, /* send the answer */
  WISH_SHOW    /* write the chain, wait for the latch, then send the answer */
};

extern uint8_t session_answer[ANSWER_ROOM];
extern uint8_t session_rate; /* index of the rate wanted once the answer has left */

void session_start(uint8_t reset_cause);
enum session_wish session_next(void); /* looks at what has come in; the answer is ready after it */
void session_tick(void);
uint8_t session_due(void);            /* 1: write the chain anew, now */
void session_button(uint8_t button);  /* a press, already debounced */
void session_shown(void);             /* the chain has been written */
void session_self_test(uint8_t on);
uint8_t session_answer_length(void);

#endif
