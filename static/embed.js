// The cover of an embed: its theme, its Start button and its link. The playground
// itself is loaded by boot.js, when Start is pressed and not before.
"use strict";
(function () {
  const base = document.currentScript.src.replace(/[^/]*$/, "");
  const page = document.documentElement;
  const theme = new URLSearchParams(location.search).get("theme");
  if (theme === "light" || theme === "dark") page.dataset.theme = theme;

  // embed.html leads to the page of the scenario that its fragment names.
  const [, named] = location.hash.split(/[/;]/);
  const unknown = page.dataset.scenarios && named && !page.dataset.scenarios.split(" ").includes(named);
  if (page.dataset.scenarios && named && !unknown) {
    location.replace(base + "embed/" + named + ".html" + location.search + location.hash);
    return;
  }

  document.addEventListener("DOMContentLoaded", () => {
    const [playground, start, loading, full] = ["playground", "start", "loading", "full"].map((id) => document.getElementById(id));
    if (unknown) loading.textContent = "There is no scenario of the name “" + named + "”; this is another.";
    else if (location.hash) full.href = playground.dataset.playground + location.hash;

    // boot.js calls this with the answer that brings page.wasm.
    globalThis.watchLoading = async (response) => {
      const all = Number(playground.dataset.bytes), reader = response.clone().body.getReader();
      for (let have = 0, part; !(part = await reader.read()).done; ) {
        have += part.value.length;
        if (all) start.style.setProperty("--loaded", Math.min(100, Math.round(have * 100 / all)) + "%");
      }
    };

    start.addEventListener("click", () => {
      if (["loading", "running"].includes(playground.dataset.state)) return;
      start.setAttribute("aria-disabled", "true");
      const script = document.createElement("script");
      script.src = base + "boot.js";
      script.onerror = () => {
        playground.dataset.state = "failed";
        loading.textContent = "boot.js could not be loaded. Check the connection and press Start again.";
      };
      document.head.append(script);
    });

    new MutationObserver(() => {
      if (playground.dataset.state !== "failed") return;
      start.removeAttribute("aria-disabled");
      if (self.origin === "null") loading.textContent += " This frame is in a sandbox without allow-same-origin: then its server must send Access-Control-Allow-Origin: *.";
    }).observe(playground, {attributeFilter: ["data-state"]});

    // A sandbox without allow-popups opens nothing and tells nobody.
    full.addEventListener("click", () => setTimeout(() => {
      const note = document.getElementById(playground.dataset.state === "running" ? "ran" : "loading");
      if (document.hidden || !document.hasFocus()) return;
      note.textContent = "If nothing opened, the page around does not allow it (sandbox without allow-popups). The address: " + full.href;
    }, 1000));
  });
})();
