// Runs data.wasm beside the page, so that a long answer never keeps a step waiting.
// data.js sends the compiled program first and then calls, each with a number.
"use strict";
importScripts("wasm_exec.js");
self.onmessage = ({data}) => {
  if (data.module) {
    const go = new Go();
    go.env = {GOGC: "400"}; // an answer is short-lived strings and rows
    self.sharedBatchesDataReady = () => postMessage({ready: true});
    WebAssembly.instantiate(data.module, go.importObject).then((instance) => go.run(instance))
      .then(() => postMessage({ended: "the data program stopped"}), (error) => postMessage({ended: error.message, name: error.name}));
    return;
  }
  const answer = self.sharedBatchesData[data.call](...data.args);
  postMessage({id: data.id, answer}, answer instanceof Uint8Array ? [answer.buffer] : []);
};
