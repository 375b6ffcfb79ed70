// The computer under the table: how each part is and what to do, its own network, switching it off.

import { button, dialog, el, put } from "../dom.js";
import { t } from "../texts.js";

const SIGNS = { good: "✓", note: "–", bad: "✗" };
let found = null;

export async function machineRoom(host, region) {
  if (host.state.fresh || !found) {
    if (!found) put(region, el("p", {}, t("wait")));
    found = await host.get("/api/host/machine").catch(() => null);
    if (host.state.room !== "machine") return;
  }
  const again = () => {
    host.state.fresh = true;
    host.draw();
  };
  put(region,
    el("h1", {}, t("machine.title")),
    el("ul", { cls: "findings" }, (found?.findings ?? []).map(finding)),
    el("div", { cls: "row" }, button(t("machine.again"), again, { "data-key": "again" })),
    found?.wifi ? wifi(host, found.wifi, again) : null,
    el("section", {}, el("p", {}, t("machine.help-line")),
      el("a", { href: "/api/host/diagnostics", cls: "button", download: "", "data-key": "help" }, t("machine.help"))),
    found?.power ? power(host) : null);
}

const finding = ({ grade, name, text, do: advice }) =>
  el("li", { "data-grade": grade }, el("strong", {}, `${SIGNS[grade]} ${name}`), ` ${text}`, advice ? el("p", { cls: "small" }, advice) : null);

function wifi(host, { name, password, on, qr, url }, again) {
  const turn = async () => {
    await host.send("/api/host/hotspot", { on: !on });
    again();
  };
  return el("section", {}, el("h2", {}, t("machine.wifi")),
    el("p", {}, t("machine.wifi-line", { url })),
    el("img", { src: qr, alt: t("machine.wifi-alt", { name }), cls: "qr", width: 220, height: 220 }),
    el("p", {}, t("machine.wifi-words", { name, password })),
    el("div", { cls: "row" }, button(t(on ? "machine.wifi-off" : "machine.wifi-on"), turn, { "data-key": "wifi" })));
}

function power(host) {
  const go = async (restart) => {
    sheet.close();
    await host.send("/api/host/power", { restart }, t(restart ? "machine.coming" : "machine.going"));
  };
  let sheet;
  const ask = () => {
    sheet = dialog(t("machine.power"), el("p", {}, t("machine.power-line")), el("div", { cls: "row" },
      button(t("machine.power"), () => go(false), { cls: "danger", "data-key": "off" }),
      button(t("machine.restart"), () => go(true), { "data-key": "restart" })));
  };
  return el("div", { cls: "row" }, button(t("machine.power"), ask, { cls: "danger", "data-key": "power" }));
}
