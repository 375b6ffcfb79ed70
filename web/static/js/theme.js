// Before the first paint: the theme and size of text this device has chosen.
"use strict";
(() => {
  const root = document.documentElement;
  const kept = (name) => {
    try {
      return localStorage.getItem(name);
    } catch {
      return null;
    }
  };
  const theme = kept("theme");
  if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  if (kept("large") === "1") root.dataset.large = "1";
})();
