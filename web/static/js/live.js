// One view of the table, kept up to date: the stream says that something changed, the page asks what.

import { button, byId, put } from "./dom.js";
import { get } from "./talk.js";
import { t } from "./texts.js";

const POLL = 5000;
const AGAIN = 2000;
const TAP = 60; // milliseconds from a finger's leaving to the tap it makes
const REST = 8000; // a finger that stays longer is no tap

let lifted = Promise.resolve(); // when the page may be drawn anew: what is being tapped stays under its finger
let release = () => {};

addEventListener("pointerdown", () => {
  release(); // two fingers are no tap
  lifted = new Promise((done) => (release = done));
  setTimeout(release, REST);
}, true);
for (const kind of ["pointerup", "pointercancel"]) addEventListener(kind, () => setTimeout(release, TAP), true);

/** What the page says of its link; a page that was taken over can be taken back. */
export function linked(link, reopen) {
  byId("link").hidden = link === "live";
  put(byId("link"), link === "live" ? null : t(`link.${link}`), link === "taken" ? [" ", button(t("link.here"), reopen, { "data-key": "here" })] : null);
}

/** Calls `show(view)` with every new view and `tell(state)` with live, lost, closed or taken. */
export function follow(page, show, tell) {
  let version = -1;
  let boot = null;
  let source = null;
  let asking = false;
  let wanted = false;
  let told = 0; // the newest version the stream spoke of
  let poll = 0;
  let taken = false; // by another window of this device: nothing but a tap takes it back

  async function newest() {
    try {
      return await get(`/api/view?page=${page}`);
    } catch (error) {
      if (error.status === 401) location.assign("/");
      else tell("lost");
      return null;
    }
  }

  async function refresh() {
    wanted = true;
    if (asking) return;
    asking = true;
    try {
      while (wanted || told > version) {
        wanted = false;
        const view = await newest();
        if (!view) return void setTimeout(refresh, AGAIN);
        if (source.readyState === EventSource.OPEN) tell("live"); // a request had failed, not the stream
        if (boot && view.boot !== boot) return location.reload();
        boot = view.boot;
        if (view.version >= version) {
          await lifted;
          try {
            await show(view);
          } catch (error) { // what it needs did not come: it is shown as soon as it does
            console.error(error);
            tell("lost");
            return void setTimeout(refresh, AGAIN);
          }
          version = view.version;
          document.body.dataset.version = version;
        }
      }
    } finally {
      asking = false;
    }
  }

  function open() {
    taken = false;
    clearInterval(poll);
    source?.close();
    source = new EventSource(`/api/stream?page=${page}`);
    source.addEventListener("open", () => {
      told = 0; // a table that has started anew counts from the beginning
      if (version >= 0) refresh();
    });
    source.addEventListener("version", (event) => {
      tell("live");
      told = Number(event.data);
      if (told > version && !asking) refresh();
    });
    source.addEventListener("taken-over", () => {
      source.close();
      taken = true;
      tell("taken");
    });
    source.addEventListener("bye", () => {
      source.close();
      tell("closed");
      setTimeout(open, AGAIN);
    });
    source.addEventListener("error", () => {
      tell("lost");
      if (source.readyState === EventSource.CLOSED) {
        clearInterval(poll);
        poll = setInterval(refresh, POLL);
        setTimeout(open, POLL);
      }
    });
  }

  open();
  refresh();
  addEventListener("offline", () => taken || tell("lost")); // a stream may stay open and say nothing
  addEventListener("online", () => {
    if (taken) return;
    open();
    refresh();
  });
  addEventListener("pageshow", (event) => event.persisted && open());
  addEventListener("pagehide", () => source?.close());
  return { refresh, reopen: open };
}
