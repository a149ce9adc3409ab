// Asks the server for a short link to the present step. Only a server with the API has
// them; everything else of the playground works without one, and so does the long link.
"use strict";
(function () {
  const button = document.getElementById("short");
  const said = document.getElementById("short-said");
  const base = document.currentScript.src.replace(/[^/]*$/, "");
  const longWorks = " The long link (Copy link) works everywhere.";

  async function ask() {
    const fragment = decodeURIComponent(location.hash.slice(1));
    if (!/^\d+\//.test(fragment)) return "This step has no link yet: take a step first, or it is a file of your own.";
    let answer;
    try {
      answer = await fetch(base + "api/v1/links", {
        method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify({fragment}),
      });
    } catch {
      return "No short link: the server cannot be reached." + longWorks;
    }
    if (answer.status === 404 || answer.status === 405 || answer.status === 501) return "No short link: this server has none." + longWorks;
    const told = await answer.json().catch(() => ({}));
    if (!answer.ok) return "No short link: " + (told.detail || "the server answers " + answer.status) + "." + longWorks;
    const url = new URL(told.path, base).href;
    try {
      await navigator.clipboard.writeText(url);
      return url + " (copied)";
    } catch {
      return url;
    }
  }

  button.addEventListener("click", async () => {
    if (button.getAttribute("aria-disabled") === "true") return;
    button.setAttribute("aria-disabled", "true");
    said.textContent = await ask();
    button.removeAttribute("aria-disabled");
  });
})();
