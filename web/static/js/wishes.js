// How this device wants to see the page: light or dark, larger letters.

import { el } from "./dom.js";
import { t } from "./texts.js";

function keep(name, value) {
  try {
    if (value) localStorage.setItem(name, value);
    else localStorage.removeItem(name);
  } catch {
    // a private window forgets: the choice holds until it is closed
  }
}

export function look() {
  const root = document.documentElement;
  const theme = el("select", {
    onchange: (event) => {
      const { value } = event.target;
      if (value) root.dataset.theme = value;
      else delete root.dataset.theme;
      keep("theme", value);
    },
  }, ["", "light", "dark"].map((value) => el("option", { value, selected: (root.dataset.theme ?? "") === value }, t(`wishes.theme-${value || "auto"}`))));
  const large = el("input", {
    type: "checkbox",
    checked: root.dataset.large === "1",
    onchange: (event) => {
      if (event.target.checked) root.dataset.large = "1";
      else delete root.dataset.large;
      keep("large", event.target.checked ? "1" : "");
    },
  });
  return [el("label", { cls: "tick" }, large, t("wishes.large")), el("label", {}, t("wishes.theme"), theme)];
}
