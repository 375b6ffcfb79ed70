// What the page says, in the language of this device.

let texts = {};
export let lang = document.documentElement.lang || "fr";

export async function loadTexts(page) {
  const answer = await fetch(`/api/texts/${lang}?page=${page}`);
  texts = await answer.json();
}

export function t(key, facts) {
  const text = texts[`ui.${key}`];
  if (text === undefined) return key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => facts?.[name] ?? whole);
}

/** The text of a key that may be missing. */
export const known = (key) => `ui.${key}` in texts;
