// What is shown is also said: by text for screen readers, and if wished by voice and by sounds.

import { byId } from "./dom.js";
import { lang } from "./texts.js";

const kept = {
  get: (name) => {
    try {
      return localStorage.getItem(name) === "1";
    } catch {
      return false;
    }
  },
  set: (name, on) => {
    try {
      localStorage.setItem(name, on ? "1" : "0");
    } catch {
      // a private window forgets: the choice holds until it is closed
    }
  },
};

export const choices = { voice: kept.get("voice"), sound: kept.get("sound") };

export function choose(name, on) {
  choices[name] = on;
  kept.set(name, on);
  if (name === "sound" && on) tone("turn");
  if (name === "voice" && !on) globalThis.speechSynthesis?.cancel();
}

export const canSpeak = "speechSynthesis" in globalThis;

/** Says a sentence: always to screen readers, aloud if that is switched on. */
export function say(text) {
  const region = byId("said");
  if (region) {
    const line = document.createElement("p");
    line.textContent = text;
    region.append(line);
    while (region.childElementCount > 4) region.firstElementChild.remove();
  }
  if (!choices.voice || !canSpeak) return;
  const spoken = new SpeechSynthesisUtterance(text.replace(/[«»]/g, ""));
  spoken.lang = lang === "fr" ? "fr-FR" : "en-GB";
  speechSynthesis.speak(spoken);
}

const TONES = { turn: [523, 659], wrong: [220, 196], card: [392], won: [523, 659, 784, 1047] };
let audio = null;

export function tone(name) {
  if (!choices.sound || !("AudioContext" in globalThis)) return;
  audio ??= new AudioContext();
  TONES[name].forEach((pitch, n) => {
    const at = audio.currentTime + n * 0.14;
    const voice = audio.createOscillator();
    const level = audio.createGain();
    voice.type = "triangle";
    voice.frequency.value = pitch;
    level.gain.setValueAtTime(0, at);
    level.gain.linearRampToValueAtTime(0.16, at + 0.02);
    level.gain.exponentialRampToValueAtTime(0.001, at + 0.22);
    voice.connect(level).connect(audio.destination);
    voice.start(at);
    voice.stop(at + 0.25);
  });
}

/** Says what is new among the table's notices; returns the number of the last. */
export function sayNew(said, last) {
  for (const one of said) {
    if (last !== null && one.number > last) {
      say(one.text);
      if (one.key === "turn.yours") tone("turn");
      else if (one.key.startsWith("case.") || one.key.startsWith("rule.")) tone("wrong");
      else if (one.key === "game.won") tone("won");
    }
  }
  return said.length ? said[said.length - 1].number : (last ?? 0);
}
