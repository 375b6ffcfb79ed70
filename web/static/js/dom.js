// Elements made and put in place; the focus stays where it was when a region is drawn anew.

const SVG = "http://www.w3.org/2000/svg";

function filled(element, props, children) {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name in { value: 1, checked: 1, disabled: 1, hidden: 1, selected: 1 })
      element[name] = value;
    else element.setAttribute(name === "cls" ? "class" : name, value === true ? "" : value);
  }
  element.append(...children.flat(3).filter((one) => one !== null && one !== undefined && one !== false));
  return element;
}

export function el(tag, props, ...children) {
  return filled(document.createElement(tag), props, children);
}

export function svg(tag, props, ...children) {
  return filled(document.createElementNS(SVG, tag), props, children);
}

export function button(label, act, props) {
  return el("button", { type: "button", onclick: act, ...props }, label);
}

export const byId = (id) => document.getElementById(id);

/** Puts children into a region; whatever had the focus has it again, found by its data-key. */
export function put(region, ...children) {
  const active = document.activeElement;
  const key = region.contains(active) ? active.dataset.key : undefined;
  region.replaceChildren(...children.flat(3).filter((one) => one !== null && one !== undefined && one !== false));
  if (key) region.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
}

/** A dialogue over the page that gives the focus back when it is closed. */
export function dialog(title, ...content) {
  const box = el("dialog", { cls: "sheet", "aria-label": title });
  const close = () => box.close();
  box.append(
    el("header", {}, el("h2", {}, title), button("✕", close, { cls: "quiet", "aria-label": document.body.dataset.close })),
    ...content.flat(3).filter(Boolean),
  );
  box.addEventListener("close", () => box.remove());
  box.addEventListener("click", (event) => event.target === box && close());
  document.body.append(box);
  box.showModal();
  return { box, close };
}

/** Asks for a word; the dialogue closes when `act(word)` answers with something true. */
export function ask(title, label, act, value = "") {
  const field = el("input", { type: "text", maxlength: 24, value, autocomplete: "off", required: true, "data-key": "word" });
  const sheet = dialog(title, el("form", {
    onsubmit: async (event) => {
      event.preventDefault();
      if (await act(field.value.trim())) sheet.close();
    },
  }, el("label", {}, label, field), el("button", { cls: "main" }, document.body.dataset.ok)));
  field.focus();
}
