// What hangs over and under the board: camera, learning a table step by step, lights, settings.

import { button, el, put } from "../dom.js";
import { t } from "../texts.js";

const SETTINGS = { pictures: ["evening", "week", "month", "never"], guests: ["code", "open"], language: ["fr", "en"] };
let progress = null;
let timer = 0;

export async function tableRoom(host, region) {
  const { health } = host.view;
  if (host.state.fresh) {
    progress = health.camera.key === "camera.absent" ? null : await host.get("/api/host/calibration").catch(() => null);
  }
  put(region,
    el("h1", {}, t("table.title")),
    el("ul", { cls: "health" }, Object.entries(health).map(([part, one]) =>
      el("li", {}, el("span", { "aria-hidden": "true" }, one.there ? "✓" : "–"), el("strong", {}, t(`table.${part}`)), one.text ? el("small", {}, one.text) : null))),
    progress ? wizard(host, region) : null,
    health.lights.there ? lights(host) : null,
    settings(host),
    passage(host));
  clearTimeout(timer);
  if (progress?.stage === "learning") timer = setTimeout(() => again(host), 1500);
}

async function again(host) {
  host.state.fresh = true;
  host.draw();
}

const step = async (host, form) => {
  await host.send("/api/host/calibration", form);
  again(host);
};

function wizard(host) {
  const { stage, board, boards, empty, pieces, problem, grades, learned } = progress;
  const now = !board ? 1 : stage === "learned" ? 4 : stage === "pictures" && !empty && !pieces ? 2 : 3;
  return el("section", { cls: "wizard" },
    el("h2", {}, t("wizard.title")),
    el("p", { cls: "small" }, learned.length ? t("wizard.learned", { boards: learned.map((one) => t(`board.${one}`)).join(", ") }) : t("wizard.none")),
    live(),
    el("ol", { cls: "steps" },
      el("li", { "aria-current": now === 1 ? "step" : null }, t("wizard.board"), el("div", { cls: "row" }, boards.map((one) =>
        button(t(`board.${one}`), () => step(host, { step: "begin", board: one }), { "aria-pressed": one === board ? "true" : "false", "data-key": `learn-${one}` })))),
      board ? el("li", { "aria-current": now === 2 ? "step" : null }, t("wizard.empty", { count: empty }), el("div", { cls: "row" }, button(t("wizard.shoot"), () => step(host, { step: "empty" }), { "data-key": "empty" }))) : null,
      board ? el("li", {}, t("wizard.pieces"), el("div", { cls: "row" }, button(t(pieces ? "wizard.shoot-again" : "wizard.shoot"), () => step(host, { step: "pieces" }), { "data-key": "pieces" }))) : null,
      board ? el("li", { "aria-current": now === 3 ? "step" : null }, t("wizard.learn"), el("div", { cls: "row" },
        button(t(stage === "learning" ? "wizard.learning" : "wizard.start"), () => step(host, { step: "learn" }), { cls: "main", disabled: stage === "learning" || (!empty && !pieces), "data-key": "learn" }))) : null,
      stage === "learned" ? el("li", { "aria-current": "step" }, t("wizard.grades"), marks(grades), el("div", { cls: "row" },
        button(t("wizard.keep"), () => step(host, { step: "keep" }), { cls: "main", "data-key": "keep" }),
        button(t("wizard.drop"), () => step(host, { step: "drop" }), { "data-key": "drop" }))) : null),
    problem ? el("p", { cls: "note bad", role: "alert" }, problem) : null);
}

function live() {
  const picture = el("img", { src: `/api/host/live.jpg?marks=1&n=${Date.now()}`, alt: t("wizard.live"), cls: "live", width: 640, height: 480 });
  const figure = el("figure", { cls: "live" }, picture, el("figcaption", { cls: "small" }, t("wizard.live-line")));
  picture.addEventListener("load", () => setTimeout(() => {
    if (picture.isConnected) picture.src = `/api/host/live.jpg?marks=1&n=${Date.now()}`;
  }, 700));
  picture.addEventListener("error", () => (picture.hidden = true), { once: true });
  return figure;
}

const marks = (grades) =>
  el("ul", { cls: "grades" }, grades.map((one) =>
    el("li", {}, el("meter", { min: 0, max: 1, low: 0.5, high: 0.8, optimum: 1, value: one.value, "aria-label": one.part }),
      el("span", {}, el("strong", {}, one.part), ` ${one.finding}`, one.advice ? el("small", {}, ` ${one.advice}`) : null))));

const lights = (host) =>
  el("section", {}, el("h2", {}, t("lights.title")), el("p", {}, t("lights.line")), el("div", { cls: "row" },
    button(t("lights.on"), () => host.send("/api/host/lights/test", { on: true }, t("lights.going")), { "data-key": "lights-on" }),
    button(t("lights.off"), () => host.send("/api/host/lights/test", { on: false }), { "data-key": "lights-off" })));

const settings = (host) =>
  el("section", {}, el("h2", {}, t("settings.title")), Object.entries(SETTINGS).map(([name, values]) =>
    el("label", {}, t(`settings.${name}`), el("select", {
      "data-key": `setting-${name}`,
      onchange: (event) => host.send("/api/host/settings", { [name]: event.target.value }, t("settings.done")),
    }, values.map((value) => el("option", { value, selected: host.view.host.settings[name] === value }, t(`settings.${name}-${value}`)))))));

function passage(host) {
  return el("section", {}, el("h2", {}, t("passage.title")), el("div", { cls: "row" },
    button(t("passage.code"), () => host.send("/api/host/ticket", { kind: "table" }, t("passage.renewed")), { "data-key": "code" }),
    button(t("passage.screen"), async () => {
      const answer = await host.send("/api/host/ticket", { kind: "screen" });
      if (answer) host.state.done = `${t("passage.screen-line")} ${answer.url}`;
      host.draw();
    }, { "data-key": "screen" }),
    button(t("passage.out"), async () => {
      if (await host.send("/api/host/logout", {})) location.reload();
    }, { "data-key": "out" })),
    changePin(host));
}

function changePin(host) {
  const old = el("input", { type: "password", inputmode: "numeric", maxlength: 12, id: "old", autocomplete: "current-password" });
  const fresh = el("input", { type: "password", inputmode: "numeric", maxlength: 12, id: "new", autocomplete: "new-password" });
  return el("details", {}, el("summary", {}, t("pin.change")), el("form", {
    onsubmit: (event) => {
      event.preventDefault();
      host.send("/api/host/pin", { pin: fresh.value, old: old.value }, t("pin.changed"));
    },
  }, el("label", { for: "old" }, t("pin.old")), old, el("label", { for: "new" }, t("pin.new")), fresh, el("button", {}, t("ok"))));
}
