// The first evening: what is done, what is left, and where; gone once a game has begun.

import { button, el } from "../dom.js";
import { t } from "../texts.js";

export function firstSteps(host) {
  const { health, host: house } = host.view;
  if (host.match || !house) return null;
  const go = (room) => button(t("first.do"), () => host.enter(room), { "data-key": `first-${room}` });
  const step = (done, text, how, room) =>
    el("li", {}, el("span", {}, `${done ? "✓" : "○"} `, el("strong", {}, text), done || !how ? null : ` ${t("first.without", { how })}`), done || !room ? null : go(room));
  return el("section", { cls: "first" }, el("h2", {}, t("first.title")), el("ol", { cls: "steps" },
    step(true, t("first.pin")),
    step(health.camera.there, t("first.camera"), t("first.taps"), "machine"),
    step(health.lights.there || health.lights.key === "lights.starting", t("first.lights"), t("first.phones"), "machine"),
    health.camera.there ? step(house.learned.length > 0, t("first.board"), null, "table") : null,
    step(false, t("first.game"))));
}
