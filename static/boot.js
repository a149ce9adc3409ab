// Loads the playground: Go's support script, then page.wasm. Until that runs, and
// if it cannot, the cover stays and one sentence says what to do.
"use strict";
(function () {
  const base = document.currentScript.src.replace(/[^/]*$/, "");
  const playground = document.getElementById("playground");
  const loading = document.getElementById("loading");
  const again = playground.dataset.mode === "embed" ? "press Start again" : "reload the page";

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
    if (globalThis.watchLoading) watchLoading(response); // an embed shows how far it is
    if (WebAssembly.instantiateStreaming) {
      // Some servers do not know the type of .wasm files, which streaming insists on.
      const type = response.headers.get("Content-Type") || "";
      if (type.startsWith("application/wasm")) return WebAssembly.instantiateStreaming(response, imports);
    }
    return WebAssembly.instantiate(await response.arrayBuffer(), imports);
  }

  async function text(url) {
    const response = await fetch(url);
    if (!response.ok) throw new Error(url.replace(/.*\//, "") + ": the server answers " + response.status);
    return response.text();
  }

  // The search is a program of its own, fetched and compiled once, when first needed.
  let compiled = null;
  function searchModule() {
    compiled ||= (async () => {
      const response = await fetch(base + "search.wasm");
      if (!response.ok) throw new Error("search.wasm: the server answers " + response.status);
      return WebAssembly.compile(await response.arrayBuffer());
    })();
    compiled.catch(() => { compiled = null; });
    return compiled;
  }

  // Where no Worker can be started, the search runs beside the page's own program.
  async function searchHere() {
    const go = new Go();
    const instance = await WebAssembly.instantiate(await searchModule(), go.importObject);
    go.run(instance);
  }

  async function start() {
    const script = loadScript(base + "wasm_exec.js");
    const fetching = text(base + "lessons.txt");
    fetching.catch(() => {}); // told when it is waited for
    await script;
    const go = new Go();
    // A step makes 200 kB of strings: a larger heap collects less often, up to a limit.
    go.env = {GOGC: "400", GOMEMLIMIT: "40MiB"};
    const {instance} = await instantiate(base + "page.wasm", go.importObject);
    globalThis.sharedBatches = {base, lessons: await fetching, searchModule, searchHere};
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
    start().catch((error) => say("failed", "The playground could not be loaded (" + error.message + "). Check the connection and " + again + "."));
  }
})();
