// Games played: a list, the figures of each, and the file to take along.

import { button, el, put } from "../dom.js";
import { colour } from "../names.js";
import { lang, t } from "../texts.js";

export async function evenings(host, region) {
  if (!host.state.fresh && region.querySelector(".evenings")) return;
  put(region, el("p", {}, t("wait")));
  const { games } = await host.get("/api/host/games").catch((error) => ({ games: null, error: host.state.error = error.message }));
  put(region, el("section", { cls: "evenings" }, el("h1", {}, t("evenings.title")),
    !games ? el("p", { cls: "note bad" }, host.state.error) : games.length ? el("ul", {}, games.map((one) => entry(host, one))) : el("p", {}, t("evenings.none"))));
}

function entry(host, one) {
  const called = (seat, name) => (seat === name ? colour(one, seat) : name);
  const names = Object.entries(one.persons).map(([seat, name]) => called(seat, name)).join(", ");
  const when = new Date(one.started * 1000).toLocaleString(lang, { dateStyle: "medium", timeStyle: "short" });
  const figures = el("div", {});
  return el("li", {}, el("strong", {}, t(`game.${one.game}`)), el("small", {}, ` ${when} · ${names} · ${t("evenings.events", { count: one.events })}`),
    el("div", { cls: "row" },
      button(t("evenings.figures"), async () => {
        const found = await host.get(`/api/host/games/${one.match}/figures`).catch((error) => ({ error: error.message }));
        put(figures, found.error ? el("p", { cls: "note bad" }, found.error) : shown(found, called));
      }),
      el("a", { href: `/api/host/games/${one.match}`, cls: "button", download: "" }, t("evenings.export"))), figures);
}

const COLUMNS = ["plays", "idle", "captures", "suffered", "laps", "mean_card", "seconds", "irregularities"];

function shown(found, called) {
  const number = (value) => (value === null || value === undefined ? "–" : Number(value).toLocaleString(lang, { maximumFractionDigits: 1 }));
  const columns = COLUMNS.filter((name) => found.seats.some((seat) => seat[name] !== null));
  return el("div", { cls: "scroll", tabindex: 0, role: "region", "aria-label": t("evenings.figures") }, el("table", {},
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, t("figures.who")), columns.map((name) => el("th", { scope: "col" }, t(`figures.${name}`))))),
    el("tbody", {}, found.seats.map((seat) => el("tr", {}, el("th", { scope: "row" }, called(seat.seat, seat.person)), columns.map((name) => el("td", {}, number(seat[name]))))))));
}
