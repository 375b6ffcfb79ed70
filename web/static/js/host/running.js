// The game under way: who is there, and the host's levers.

import { chip } from "../board.js";
import { button, dialog, el, put } from "../dom.js";
import { colour, lastText, seatName } from "../names.js";
import { t } from "../texts.js";

export function running(host, region) {
  const { match, view } = host;
  put(region,
    el("h1", {}, t(`game.${match.game}`)),
    el("p", {}, match.turn ? t("turn.of", { who: seatName(match, match.turn) }) : t(`screen.${match.phase}`, { who: match.dealer ? seatName(match, match.dealer) : "" })),
    match.last ? el("p", { cls: "small" }, lastText(match)) : null,
    match.paused ? el("p", { cls: "note warn" }, t("paused")) : null,
    match.question ? question(host) : null,
    drawing(host),
    el("div", { cls: "levers" },
      button(t("run.undo"), () => host.event({ event: "undone", consent: true }, t("run.undone")), { disabled: !match.undo.last, "data-key": "undo" }),
      button(t(match.paused ? "run.resume" : "run.pause"), () => host.event({ event: "paused", on: !match.paused }), { "data-key": "pause", cls: match.paused ? "main" : "" }),
      match.camera ? button(t("run.adopt"), () => sure("run.adopt", () => host.event({ event: "adopted" }, t("run.adopted"))), { "data-key": "adopt" }) : null,
      match.camera || view.health.camera.key !== "camera.absent" ? button(t(match.camera ? "run.no-camera" : "run.camera"), () => host.event({ event: "camera", works: !match.camera }), { "data-key": "camera" }) : null,
      button(t("run.end"), () => sure("run.end", () => host.event({ event: "ended" })), { cls: "danger", "data-key": "end" })),
    el("fieldset", {}, el("legend", {}, t("setup.severity")), view.host.severities.map((severity) => el("label", { cls: "tick" },
      el("input", { type: "radio", name: "severity", checked: match.severity === severity, "data-key": `severity-${severity}`, onchange: () => host.event({ event: "severity", severity }) }), t(`severity.${severity}`)))),
    el("h2", {}, t("run.people")),
    el("ul", { cls: "people" }, match.order.map((seat) => person(host, seat, view.people[seat]))),
    el("p", { cls: "row" }, el("a", { href: "/", cls: "button" }, t("run.play")), el("a", { href: "/screen", cls: "button" }, t("run.screen")),
      view.virtual ? el("a", { href: "/twin", cls: "button" }, t("menu.twin")) : null,
      el("a", { href: "/print", cls: "button" }, t("run.print")), el("a", { href: `/rules/${match.game}`, cls: "button" }, t("menu.rules"))));
}

function person(host, seat, { phones, online }) {
  const { match } = host;
  const state = !phones ? t("sit.free") : t(online ? "run.online" : "run.offline", { phones });
  return el("li", {}, chip(seat, 34), el("span", {}, el("strong", {}, seatName(match, seat)), el("small", {}, match.names[seat] ? `${colour(match, seat)} · ${state}` : state)),
    phones ? button(t("run.free"), () => host.send("/api/host/free", { seat }, t("run.freed")), { "data-key": `free-${seat}` }) : null,
    button(t("run.ticket"), async () => {
      const answer = await host.send("/api/host/ticket", { kind: "seat", seat });
      if (answer) dialog(seatName(match, seat), el("p", {}, t("run.ticket-line")), el("img", { src: answer.qr, alt: t("invite.alt"), cls: "qr", width: 260, height: 260 }), el("p", { cls: "address" }, answer.url));
    }, { "data-key": `ticket-${seat}` }));
}

/** Lots and shuffles that nobody's phone does. */
function drawing(host) {
  const { match } = host;
  if (match.phase === "lots") return button(t("lots.draw"), () => host.send("/api/chance", { what: "lots" }), { cls: "main", "data-key": "lots" });
  if (match.phase === "seats") return button(t("seats.draw"), () => host.send("/api/chance", { what: "seats" }), { cls: "main", "data-key": "reseat" });
  if (match.phase === "shuffle") return button(t("shuffle.done"), () => host.event({ event: "shuffled" }), { cls: "main", "data-key": "shuffled" });
  if (match.phase === "deal") return button(t("deal.do"), () => host.event({ event: "dealt", seat: match.dealer }), { cls: "main", "data-key": "deal" });
  return null;
}

function question(host) {
  const { number, text, choices } = host.match.question;
  return el("div", { cls: "note ask" }, el("p", {}, text), el("div", { cls: "row" }, choices.map((one, choice) =>
    button(one.label ?? one.text, () => host.event({ event: "answered", question: number, choice }), { "data-key": `answer-${choice}` }))));
}

function sure(key, act) {
  const sheet = dialog(t(key), el("p", {}, t(`${key}-line`)), el("div", { cls: "row" },
    button(t(`${key}-yes`), () => {
      sheet.close();
      act();
    }, { cls: "main", "data-key": "yes" }),
    button(t("sure.no"), () => sheet.close())));
}
