// Runs search.wasm in a Worker: see wasm/search. The page posts the module, which it
// has compiled once.
"use strict";
importScripts("wasm_exec.js");
onmessage = (event) => {
  onmessage = null;
  const go = new Go();
  go.env = {GOGC: "400", GOMEMLIMIT: "640MiB"}; // a search holds much and frees little until its end
  WebAssembly.instantiate(event.data, go.importObject)
    .then((instance) => go.run(instance))
    .then(() => postMessage("ended"), () => postMessage("ended"));
};
