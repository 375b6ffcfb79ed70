// The host's PIN: chosen the first time, asked for afterwards.

import { el, put } from "../dom.js";
import { post } from "../talk.js";
import { t } from "../texts.js";

export function pin(region, isSet, opened) {
  const field = el("input", { type: "password", inputmode: "numeric", autocomplete: isSet ? "current-password" : "new-password", maxlength: 12, id: "pin", required: true });
  const again = el("input", { type: "password", inputmode: "numeric", autocomplete: "new-password", maxlength: 12, id: "again", required: true });
  const problem = el("p", { cls: "note bad", role: "alert", hidden: true });
  const tell = (text) => {
    problem.textContent = text;
    problem.hidden = false;
    field.focus();
  };
  const enter = async (event) => {
    event.preventDefault();
    problem.hidden = true;
    if (!isSet && field.value !== again.value) return tell(t("pin.differ"));
    try {
      await post(isSet ? "/api/host/login" : "/api/host/pin", { pin: field.value });
      opened();
    } catch (error) {
      tell(error.message);
    }
  };
  put(region, el("form", { cls: "pin", onsubmit: enter },
    el("h1", {}, t(isSet ? "pin.enter" : "pin.choose")),
    el("p", {}, t(isSet ? "pin.enter-line" : "pin.choose-line")),
    el("label", { for: "pin" }, t("pin.field")), field,
    isSet ? null : [el("label", { for: "again" }, t("pin.again")), again],
    problem,
    el("button", { cls: "main" }, t("ok"))));
  field.focus();
}
