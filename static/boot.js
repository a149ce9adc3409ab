// Loads the playground: Go's support script, then page.wasm. Until that runs, and
// if it cannot, the cover stays and one sentence says what to do.
"use strict";
(function () {
  const base = document.currentScript.src.replace(/[^/]*$/, "");
  const playground = document.getElementById("playground");
  const loading = document.getElementById("loading");

  function say(state, text) {
    playground.dataset.state = state;
    loading.textContent = text;
  }

  function loadScript(url) {
    return new Promise((done, failed) => {
      const script = document.createElement("script");
      script.src = url;
      script.onload = done;
      script.onerror = () => failed(new Error("wasm_exec.js could not be loaded"));
      document.head.append(script);
    });
  }

  async function instantiate(url, imports) {
    const response = await fetch(url);
    if (!response.ok) throw new Error("page.wasm: the server answers " + response.status);
    if (WebAssembly.instantiateStreaming) {
      // Some servers do not know the type of .wasm files, which streaming insists on.
      const type = response.headers.get("Content-Type") || "";
      if (type.startsWith("application/wasm")) return (await WebAssembly.instantiateStreaming(response, imports)).instance;
    }
    return (await WebAssembly.instantiate(await response.arrayBuffer(), imports)).instance;
  }

  async function start() {
    const script = loadScript(base + "wasm_exec.js");
    await script;
    const go = new Go();
    go.env = {GOGC: "400"}; // a step makes 200 kB of strings; a larger heap collects less often
    const instance = await instantiate(base + "page.wasm", go.importObject);
    await go.run(instance);
    // main never returns while the page is open, so this is a crash of the program as a whole.
    document.getElementById("app").hidden = true;
    document.getElementById("cover").hidden = false;
    say("failed", "The playground stopped. Reload the page: its address holds your step.");
  }

  if (location.protocol === "file:") {
    say("failed", "Opened from a file, a browser fetches no WebAssembly. Run ./build.sh serve and open the address that it prints.");
  } else if (typeof WebAssembly !== "object") {
    say("failed", "This browser has no WebAssembly, or it is switched off. Use a current browser, or allow WebAssembly for this page.");
  } else {
    say("loading", "Loading the playground …");
    start().catch((error) => say("failed", "The playground could not be loaded (" + error.message + "). Check the connection and reload the page."));
  }
})();
