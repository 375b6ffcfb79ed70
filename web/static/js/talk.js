// Questions and orders to the table; a refusal is an error with the words to show.

export class Refused extends Error {
  constructor(status, form) {
    super(form.error ?? `HTTP ${status}`);
    this.status = status;
    this.rule = form.rule;
    this.seconds = form.seconds;
  }
}

async function ask(path, options) {
  let answer;
  try {
    answer = await fetch(path, { credentials: "same-origin", ...options });
  } catch {
    throw new Refused(0, { error: document.body.dataset.away });
  }
  const form = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Refused(answer.status, form);
  return form;
}

export const get = (path) => ask(path, {});

export const post = (path, body = {}) =>
  ask(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });

export const remove = (path) => ask(path, { method: "DELETE" });
