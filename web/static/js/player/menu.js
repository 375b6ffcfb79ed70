// What is wanted rarely: take back, flag, who knows what, sound and voice, sharing, leaving.

import { chip } from "../board.js";
import { ask, button, dialog, el } from "../dom.js";
import { colour, seatName } from "../names.js";
import { canSpeak, choices, choose, tone } from "../say.js";
import { lang, t } from "../texts.js";
import { look } from "../wishes.js";

export function menu(game) {
  const { match, mine, view } = game;
  const rows = [];
  let sheet = null;
  const row = (key, act, props) => rows.push(button(t(key), () => {
    sheet.close();
    act();
  }, { cls: "item", ...props }));
  if (mine?.can.includes("hinted")) row("menu.hint", () => game.event({ event: "hinted", seat: game.seat }));
  if (mine?.can.includes("undo-asked")) row("menu.undo", () => game.event({ event: "undo-asked", seat: game.seat }));
  if (mine?.can.includes("claimed")) row("draw.claim", () => game.event({ event: "claimed", seat: game.seat }));
  if (mine && match) row("menu.flag", () => flag(game));
  if (mine && match?.seats.some((one) => one.mates.length)) row("menu.partner", () => dialog(t("menu.partner"), el("p", {}, t("partner.knows")), el("p", {}, t("partner.talk"))));
  row("menu.invite", () => invite(`/qr.svg?v=${view.version}`, location.host));
  if (mine) row("menu.share", async () => {
    const answer = await game.send("/api/seat/share", { seat: game.seat });
    if (answer) invite(answer.qr, answer.url);
  });
  if (mine) row("menu.name", () => naming(game));
  if (match) row("menu.more", () => {
    game.state.picking = true;
    game.draw();
  });
  if (mine) row("menu.leave", () => game.send("/api/seat/leave", { seat: game.seat }));
  sheet = dialog(t("menu"), el("div", { cls: "items" },
    rows,
    el("a", { href: match ? `/rules/${match.game}` : "/rules", cls: "item" }, t("menu.rules")),
    view.virtual ? el("a", { href: "/twin", cls: "item" }, t("menu.twin")) : null,
    el("a", { href: "/host", cls: "item" }, t("menu.host"))),
    wishes(game));
}

function wishes(game) {
  const tick = (key, on, act) => el("label", { cls: "tick" }, el("input", { type: "checkbox", checked: on, onchange: (event) => act(event.target.checked) }), t(key));
  return el("fieldset", { cls: "wishes" }, el("legend", {}, t("wishes")),
    tick("wishes.sound", choices.sound, (on) => choose("sound", on)),
    canSpeak ? tick("wishes.voice", choices.voice, (on) => choose("voice", on)) : null,
    ...look(),
    el("label", {}, t("wishes.language"), el("select", {
      onchange: async (event) => {
        await game.send("/api/language", { language: event.target.value });
        location.reload();
      },
    }, [["fr", "Français"], ["en", "English"]].map(([code, name]) => el("option", { value: code, selected: code === lang }, name)))));
}

function flag(game) {
  const { match, seat } = game;
  const sheet = dialog(t("menu.flag"), el("p", {}, t("flag.line")), el("div", { cls: "choices" },
    match.order.filter((one) => one !== seat).map((against) =>
      button([chip(against, 28), seatName(match, against)], () => {
        sheet.close();
        tone("wrong");
        game.event({ event: "flagged", seat, against });
      }, { "data-key": `flag-${against}` }))));
}

function invite(qr, url) {
  dialog(t("menu.invite"), el("img", { src: qr, alt: t("invite.alt"), cls: "qr", width: 260, height: 260 }),
    el("p", { cls: "address" }, url));
}

const naming = (game) =>
  ask(t("menu.name"), t("name.field", { colour: colour(game.match, game.seat) }),
    (name) => game.send("/api/seat/name", { seat: game.seat, name }), game.match.names[game.seat]);
