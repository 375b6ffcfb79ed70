// The sheet with the table's QR code: its address as it is now, and the printer.

import { byId } from "./dom.js";
import { get, post } from "./talk.js";

byId("print").addEventListener("click", () => print());
try {
  const ticket = await post("/api/host/ticket", { kind: "table" });
  byId("qr").src = ticket.qr;
  byId("address").textContent = ticket.url;
} catch {
  const view = await get("/api/view?page=player").catch(() => null);
  if (view?.join) byId("address").textContent = view.join.url;
}
