// The sheet with the table's QR code goes to the printer.

import { byId } from "./dom.js";

byId("print").addEventListener("click", () => print());
