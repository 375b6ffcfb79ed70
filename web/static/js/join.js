// Joining with the code that stands under the QR code.

import { byId } from "./dom.js";
import { post } from "./talk.js";

byId("join").addEventListener("submit", async (event) => {
  event.preventDefault();
  const problem = byId("problem");
  problem.hidden = true;
  try {
    await post("/api/join", { code: byId("code").value.trim().toUpperCase() });
    location.assign(location.pathname.startsWith("/join") ? "/" : location.pathname); // where one wanted to go
  } catch (error) {
    problem.textContent = error.message;
    problem.hidden = false;
    byId("code").focus();
  }
});
