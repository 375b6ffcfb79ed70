// Flags: what was seen before and after, the rule, and the host's word.

import { chip } from "../board.js";
import { button, el, put } from "../dom.js";
import { colour, seatName } from "../names.js";
import { t } from "../texts.js";

const DECISIONS = ["slip", "warning", "penalty", "nothing"];

export function cases(host, region) {
  const { match } = host;
  const all = [...(match?.cases ?? [])].reverse();
  const open = all.filter((one) => !one.decision);
  const closed = all.filter((one) => one.decision);
  put(region,
    el("h1", {}, t("cases.title")),
    all.length ? null : el("p", {}, t("cases.none")),
    open.map((one) => shown(host, one)),
    match && match.phase !== "over" ? raise(host) : null,
    closed.length ? el("details", {}, el("summary", {}, t("cases.closed", { count: closed.length })), closed.map((one) => shown(host, one))) : null);
}

function shown(host, one) {
  const { match } = host;
  const name = seatName(match, one.seat);
  return el("article", { cls: "case" },
    el("h2", {}, chip(one.seat, 30), ` ${t("cases.number", { number: one.number })} · ${name}`),
    el("p", {}, one.text),
    (one.rules ?? []).length ? el("ul", { cls: "rules" }, one.rules.map((rule) => el("li", {}, rule.text))) : null,
    el("p", { cls: "small" }, t(one.mended ? "cases.mended" : "cases.standing"),
      one.raised_by ? ` · ${t("cases.by", { who: one.raised_by === "host" ? t("cases.host") : colour(match, one.raised_by) })}` : ""),
    one.before || one.after ? el("div", { cls: "pictures" }, picture(one.before, "cases.before"), picture(one.after, "cases.after")) : null,
    one.decision
      ? el("p", {}, el("strong", {}, t(`decision.${one.decision}`)))
      : el("div", { cls: "verdicts" }, DECISIONS.map((decision) =>
          button([el("strong", {}, t(`decision.${decision}`)), el("small", {}, t(`decision.${decision}-line`))], () => host.event({ event: "ruled", case: one.number, decision }), {
            "data-key": `rule-${one.number}-${decision}`, cls: decision === "penalty" ? "danger" : "",
          }))));
}

const picture = (name, key) =>
  name
    ? el("figure", {}, el("img", { src: `/api/host/picture/${encodeURIComponent(name)}`, alt: t(key), loading: "lazy", onerror: (event) => event.target.closest("figure").replaceChildren(t("cases.no-picture")) }), el("figcaption", {}, t(key)))
    : null;

function raise(host) {
  return el("details", {}, el("summary", {}, t("cases.raise")), el("div", { cls: "row" }, host.match.order.map((against) =>
    button([chip(against, 24), seatName(host.match, against)], () => host.event({ event: "flagged", against }), { "data-key": `flag-${against}` }))));
}
