/* The picture: a colour and a rhythm for each LED, and how bright each rhythm is right now. */
#ifndef PICTURE_H
#define PICTURE_H

#include <stdint.h>

#include "limits.h"

extern uint8_t picture_colour[LED_CAPACITY * 3]; /* green, red, blue: the order of the chain */
extern uint8_t picture_rhythm[LED_CAPACITY];
extern uint8_t picture_level[RHYTHMS]; /* what a colour is multiplied with, less one, in 256ths */
extern uint16_t picture_leds;          /* how long the chain is */
extern uint16_t picture_reach;         /* how far it may still be lit: never less than that */

void picture_start(void);
void picture_black(void);
uint8_t picture_setup(uint16_t leds, uint8_t brightness, uint16_t milliamps);

/* Carries out the frame's payload, or, if any of it makes no sense, nothing of it: 0 then. */
uint8_t picture_change(uint8_t length);

void picture_settle(void);
void picture_tick(void);
uint8_t picture_refresh(void);   /* works out the levels; 1 if the chain should be written anew */
uint16_t picture_milliamps(void); /* what the chain is asked for with every rhythm at its height */
void picture_pattern(uint16_t step);
void picture_written(void);

#endif
