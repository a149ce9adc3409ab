// The data panel: rows and bytes behind parts and blobs, and what a reader of the view
// gets. data.wasm answers every question, with the sentences to show; this script asks,
// builds plain elements from the answers, and loads data.wasm when it is first needed.
// Text from data is only ever text, never markup.
"use strict";
(function () {
  const base = document.currentScript.src.replace(/[^/]*$/, "");
  const root = document.getElementById("playground");
  const panel = document.getElementById("data");
  const opener = document.getElementById("data-open");
  if (!panel) return;

  const pageRows = 50;
  const idle = 3000; // milliseconds without a step after which data.wasm is fetched in advance
  const aboutBytes = 13.1e6; // of data.wasm before compression, for the bar where the server does not tell

  // --- loading --------------------------------------------------------------------

  // program is data.wasm: none, loading, ready or failed.
  const program = {state: "none", got: 0, all: 0, why: "", how: "", ask: null, stop: null, waiting: null};

  function fault(name, message) {
    const error = new Error(message);
    error.name = name;
    return error;
  }

  // advice says what to do about a failure. Stepping needs none of this.
  function advice(error) {
    const what = {
      AbortError: "Loading was stopped.",
      RangeError: "The browser has no memory left for it. Close other tabs and try again.",
      CompileError: "It arrived incomplete or damaged. Try again; if that does not help, reload the page without its cache.",
      LinkError: "It does not fit this page. Reload the page.",
      HTTP: "The server refuses it (" + error.message + "). Try again later.",
      Ended: "It stopped (" + error.message + "). Try again.",
    }[error.name] || (navigator.onLine ? "It could not be fetched: the connection failed or something blocks it. Check the connection or the blocker and try again."
      : "You are offline. Try again when there is a connection.");
    return what + " Stepping goes on as before.";
  }

  async function download(signal) {
    const response = await fetch(base + "data.wasm", {signal});
    if (!response.ok) throw fault("HTTP", "it answers " + response.status);
    // What is streamed is decompressed, so the header tells its length only where nothing was compressed.
    const length = Number(response.headers.get("Content-Length"));
    const exact = response.type === "basic" && !response.headers.get("Content-Encoding") ? length : 0;
    program.all = exact || aboutBytes;
    if (!response.body || !globalThis.TransformStream || !WebAssembly.compileStreaming) return WebAssembly.compile(await response.arrayBuffer());
    const counted = response.body.pipeThrough(new TransformStream({
      transform(chunk, to) {
        program.got += chunk.length;
        showProgress();
        to.enqueue(chunk);
      },
      flush(to) {
        if (exact && program.got !== exact) to.error(fault("CompileError", "truncated"));
      },
    }));
    return WebAssembly.compileStreaming(new Response(counted, {headers: {"Content-Type": "application/wasm"}}));
  }

  // inWorker runs the program in a Worker of its own.
  function inWorker(module) {
    return new Promise((done, failed) => {
      const worker = new Worker(base + "data-worker.js");
      const calls = new Map();
      let last = 0;
      worker.onerror = (event) => {
        event.preventDefault();
        failed(fault("Worker", event.message || "the Worker could not be started"));
      };
      worker.onmessage = ({data}) => {
        if (data.ready) {
          done((call, ...args) => new Promise((answered, broken) => {
            calls.set(++last, {answered, broken});
            worker.postMessage({id: last, call, args});
          }));
        } else if (data.ended) {
          const error = fault(data.name === "RangeError" ? "RangeError" : "Ended", data.ended);
          failed(error);
          for (const call of calls.values()) call.broken(error);
          if (program.state === "ready") fail(error);
          worker.terminate();
        } else {
          calls.get(data.id).answered(data.answer);
          calls.delete(data.id);
        }
      };
      worker.postMessage({module});
    });
  }

  // onPage runs the program on the page, where there are no Workers.
  function onPage(module) {
    return new Promise((done, failed) => {
      const go = new Go();
      go.env = {GOGC: "400"}; // an answer is short-lived strings and rows
      globalThis.sharedBatchesDataReady = () => done(async (call, ...args) => globalThis.sharedBatchesData[call](...args));
      WebAssembly.instantiate(module, go.importObject).then((instance) => go.run(instance))
        .then(() => fault("Ended", "the data program stopped"), (error) => error)
        .then((error) => { failed(error); if (program.state === "ready") fail(error); });
    });
  }

  function fail(error) {
    Object.assign(program, {state: "failed", why: advice(error), waiting: null, ask: null});
    showProgress();
  }

  // load makes the program ready; all who ask meanwhile wait for the same.
  function load(how) {
    if (program.waiting) return program.waiting;
    const abort = new AbortController();
    Object.assign(program, {state: "loading", got: 0, all: 0, how, why: "", stop: () => abort.abort()});
    showProgress();
    program.waiting = (async () => {
      try {
        const module = await download(abort.signal);
        program.ask = await inWorker(module).catch((error) => {
          if (error.name === "RangeError") throw error;
          return onPage(module);
        });
        program.state = "ready";
      } catch (error) {
        fail(error);
      }
      showProgress();
    })();
    return program.waiting;
  }

  // ask answers a request of package ask: an object, with error where it failed.
  async function ask(request, call) {
    if (program.state === "none" || program.state === "loading") await load("when you opened this");
    if (program.state !== "ready") return null; // tried again only when asked to
    try {
      const answer = await program.ask(call || "rows", JSON.stringify(request));
      return typeof answer === "string" ? JSON.parse(answer) : answer;
    } catch {
      return null; // the program ended, which its status says
    }
  }

  // source names the scenario; a file of the reader's own is brought along.
  const source = (moment) => moment.yaml ? {yaml: moment.yaml} : {id: moment.scenario};

  // open.js reads scenario files with the same program.
  globalThis.sharedBatchesParse = async (file, yaml) => {
    if (program.state === "failed") program.state = "none";
    if (program.state !== "ready") await load("to read a scenario file");
    if (program.state !== "ready") throw new Error("The program that reads scenario files is not here. " + program.why);
    return JSON.parse(await program.ask("parseScenario", file, yaml));
  };

  let timer = 0;
  function prefetchLater() {
    clearTimeout(timer);
    if (program.state !== "none" || window.parent !== window || navigator.connection?.saveData) return;
    timer = setTimeout(() => (globalThis.requestIdleCallback || setTimeout)(() => {
      if (program.state === "none") load("in advance, while the page was idle");
    }, {timeout: idle}), idle);
  }

  // --- elements -------------------------------------------------------------------

  function make(tag, attributes, ...children) {
    const e = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
      if (name === "text") e.textContent = value;
      else if (name === "press") e.addEventListener("click", () => e.getAttribute("aria-disabled") !== "true" && value());
      else if (value !== false && value !== undefined) e.setAttribute(name, value);
    }
    e.append(...children);
    return e;
  }

  // button has a name by which the focus finds it again after its panel was rebuilt.
  const button = (text, keep, press, more) => make("button", {type: "button", class: "button", text, "data-keep": keep, press, ...more});
  const choice = (label, names, chosen, keep, press) => make("div", {class: "choice-row", role: "group", "aria-label": label},
    ...names.map((name, i) => button(name, keep + i, () => press(name, i), {"aria-pressed": String(i === chosen)})));

  function svg(tag, attributes, ...children) {
    const e = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) e.setAttribute(name, value);
    e.append(...children);
    return e;
  }

  function table(caption, heads, rows, mark) {
    return make("table", {class: "rows-table"}, make("caption", {text: caption}),
      make("thead", null, make("tr", null, ...heads.map((text) => make("th", {scope: "col", text})))),
      make("tbody", null, ...rows.map((row, i) => make("tr", {class: mark && mark(i)}, ...row.map((value, c) =>
        make(c === 0 ? "th" : "td", {scope: c === 0 && "row", text: value === null ? "null" : String(value)}))))));
  }

  function pager(what, keep, offset, shown, total, go) {
    if (total <= pageRows) return "";
    const turn = (text, to, possible) => button(text, keep + text, () => go(to), {"aria-disabled": String(!possible)});
    return make("div", {class: "row pager"}, turn("Previous " + pageRows, Math.max(0, offset - pageRows), offset > 0),
      turn("Next " + pageRows, offset + pageRows, offset + shown < total),
      make("span", {role: "status", text: what + " " + (offset + 1) + " to " + (offset + shown) + " of " + total}));
  }

  const sentences = (list, tone) => list.map((text, i) => make("p", {class: i === 0 && tone ? "tone " + tone : undefined, text}));

  // fill replaces what is inside, and keeps the focus where it was.
  function fill(inside, ...children) {
    const keep = inside.contains(document.activeElement) && document.activeElement.dataset.keep;
    inside.replaceChildren(...children);
    if (keep) (inside.querySelector('[data-keep="' + CSS.escape(keep) + '"]') || title).focus();
  }

  function save(name, content, type) {
    const url = URL.createObjectURL(new Blob([content], {type}));
    make("a", {href: url, download: name}).click();
    setTimeout(() => URL.revokeObjectURL(url), 60000);
  }

  // --- the panel ------------------------------------------------------------------

  const title = make("h2", {id: "data-title", tabindex: "-1", text: "Data"});
  const tabs = make("div", {class: "row"});
  const bar = make("progress", {"aria-label": "Loading data.wasm", max: "100"});
  const status = make("p", {role: "status"});
  const stop = button("Stop", "stop", () => program.stop());
  const retry = button("Try again", "retry", () => { program.state = "none"; render(); });
  const loading = make("div", {class: "row data-loading"}, bar, status, stop, retry);
  const body = make("div", {class: "data-body"});
  const foot = make("p", {class: "small"});
  panel.append(make("div", {class: "bar"}, title, button("Close", "close", close, {id: "data-close", "aria-keyshortcuts": "Escape"})), tabs, loading, body, foot);

  const shown = {view: "contents", world: 0, open: null, offset: 0, asOf: "", sink: "", only: false};
  let before = null; // what had the focus when the panel was opened
  let frame = ""; // what the controls in the body are for

  function showProgress() {
    const mega = (n) => (n / 1e6).toFixed(1);
    const {state, got, all} = program;
    loading.hidden = state === "ready" || state === "none";
    bar.hidden = stop.hidden = state !== "loading";
    retry.hidden = state !== "failed";
    if (state === "loading") {
      const text = got >= all * 0.99 && got > 0 ? "Starting the data program …" : "Loading the data program …";
      if (status.textContent !== text) status.textContent = text; // said once; the bar shows the rest
      bar.value = all ? Math.min(99, 100 * got / all) : 0;
      bar.title = mega(got) + " of about " + mega(all) + " MB";
    } else if (state === "failed") {
      status.textContent = "The data program is not here. " + program.why;
    }
    foot.textContent = state === "ready" ? "data.wasm was loaded " + program.how + (program.how.startsWith("in advance") ? " (prefetched)." : ".") : "";
    panel.dataset.program = state;
  }

  function open(what) {
    if (panel.hidden) before = document.activeElement;
    Object.assign(shown, {offset: 0}, what);
    panel.hidden = false;
    opener.setAttribute("aria-expanded", "true");
    render();
    title.focus({preventScroll: true});
    panel.scrollIntoView({block: "start", behavior: "instant"});
  }

  function close() {
    panel.hidden = true;
    opener.setAttribute("aria-expanded", "false");
    // What was pressed may have been drawn anew since.
    const again = before && before.dataset && before.dataset.open && root.querySelector('[data-open="' + CSS.escape(before.dataset.open) + '"]');
    const to = before && before.isConnected && before !== document.body ? before : again || opener;
    to.focus();
    if (to.scrollIntoView) to.scrollIntoView({block: "nearest", behavior: "instant"});
  }

  let busy = false, again = false;
  async function render() {
    if (busy) {
      again = true;
      return;
    }
    busy = true;
    do {
      again = false;
      const moment = globalThis.sharedBatchesMoment && globalThis.sharedBatchesMoment();
      if (moment) await show(moment).catch((error) => fill(body, make("p", {class: "tone wrong", text: "The panel made a mistake: " + error.message})));
    } while (again);
    busy = false;
  }

  async function show(moment) {
    shown.world = Math.min(shown.world, moment.worlds.length - 1);
    if (!moment.sinks.includes(shown.sink)) shown.sink = moment.sink;
    if (shown.asOf === "") shown.asOf = moment.asOf || "0";
    showTabs(moment);
    const about = [shown.view, moment.scenario, JSON.stringify(moment.worlds)].join();
    if (frame !== about) {
      frame = about;
      body.replaceChildren();
    }
    const request = (world, open, more) => ({
      scenario: source(moment), rules: moment.rules, schedule: moment.schedule, cursor: moment.cursor, world: moment.worlds[world], open, ...more,
    });
    await views[shown.view](moment, request);
  }

  function showTabs(moment) {
    const names = {contents: "Contents", read: "Read AS OF", subscribe: "SUBSCRIBE"};
    const keys = Object.keys(names);
    panel.dataset.world = shown.world;
    fill(tabs,
      choice("What to show", Object.values(names), keys.indexOf(shown.view), "tab", (_, i) => { Object.assign(shown, {view: keys[i], offset: 0}); render(); }),
      moment.worlds.length > 1 ? choice("World", moment.worlds, shown.world, "world", (_, i) => { Object.assign(shown, {world: i, offset: 0}); render(); }) : "",
      button("Trace as JSON", "trace", saveTrace, {title: "Every step of this run: thread, label, and what changed in each world"}));
  }

  async function saveTrace() {
    const moment = globalThis.sharedBatchesMoment();
    const answer = await ask({scenario: source(moment), rules: moment.rules, schedule: moment.schedule, cursor: moment.cursor, open: {trace: true}});
    if (answer && !answer.error) save((moment.scenario || "scenario") + "-trace.json", JSON.stringify(answer, null, 1), "application/json");
  }

  // problem shows why there is no answer.
  function problem(answer) {
    return make("p", {class: "tone waits", text: answer ? answer.error : ""});
  }

  const views = {
    async contents(moment, request) {
      const answer = await ask(request(shown.world, {contents: true}));
      title.textContent = "Data at step " + moment.cursor;
      if (!answer || answer.error) return fill(body, problem(answer));
      fill(body, ...answer.groups.map((group) => make("section", {class: "data-group"}, make("h3", {text: group.name}),
        group.items.length ? make("ul", {class: "items"}, ...group.items.map((item) => make("li", null,
          make("button", {type: "button", class: "button item " + item.tone.replace(" ", "-"), "data-keep": JSON.stringify(item.open), press: () => open({view: "table", open: item.open})},
            make("b", {text: item.name}), make("span", {text: item.says})))))
          : make("p", {class: "small", text: group.says}))));
    },

    async table(moment, request) {
      const asked = request(shown.world, shown.open, {offset: shown.offset, limit: pageRows});
      const answer = await ask(asked);
      if (!answer || answer.error) return fill(body, problem(answer));
      title.textContent = (answer.kind === "blob" ? "Object " + answer.name : answer.name.charAt(0).toUpperCase() + answer.name.slice(1)) + " at step " + moment.cursor + ", " + moment.worlds[shown.world];
      const tone = answer.object ? answer.object.status.replace(" ", "-") : "";
      const saved = make("span", {role: "status", class: "small"});
      fill(body, make("div", {class: "about"}, make("div", null, ...answer.says.map((text, i) => make("p", {class: i === 1 && tone ? "tone " + tone : undefined, text}))),
        make("dl", {class: "facts"}, ...answer.facts.flatMap(([name, value]) => [make("dt", {text: name}), make("dd", {text: value})])),
        table("Schema", ["column", "type", "nullable"], answer.columns.map((c) => [c.name, c.type, c.nullable ? "yes" : "no"]))),
      make("p", {class: "row"}, button("Download " + answer.file, "download", async () => {
        const file = await ask(asked, "bytes");
        if (file instanceof Uint8Array) {
          save(answer.file, file, "application/vnd.apache.arrow.file");
          saved.textContent = answer.file + ": " + file.length + " bytes, an Arrow IPC file";
        } else if (file) {
          saved.textContent = file.error;
        }
      }), saved),
      table("Rows", answer.columns.map((c) => c.name), answer.rows),
      pager("rows", "rows", answer.offset, answer.rows.length, answer.total, (offset) => { shown.offset = offset; render(); }));
    },

    async read(moment, request) {
      const answers = await Promise.all(moment.worlds.map((_, world) => ask(request(world, {read: {sink: shown.sink, as_of: shown.asOf}},
        {offset: shown.offset, limit: pageRows, only: shown.only ? "wrong" : ""}))));
      title.textContent = "Reading view " + shown.sink + " at step " + moment.cursor;
      const good = answers.find((a) => a && !a.error);
      timeControls(moment, good, true);
      fill(body.lastChild, ...answers.map((answer, world) => worldColumn(moment, world, answer, () => [
        ...sentences(answer.says, answer.tone), strip(answer),
        answer.second ? make("p", {class: answer.second.wrong ? "tone wrong" : ""}, make("b", {text: "A second view fed by it: "}), answer.second.says) : "",
        table("AS OF " + answer.as_of + (shown.only ? ", only what differs" : ""), ["bucket", "the view", "truth", "verdict"],
          answer.cells.map((c) => [c.bucket, ...c.shown]), (i) => answer.cells[i].wrong ? "wrong" : undefined),
        answer.cells.length ? "" : make("p", {class: "small", text: "No row differs."}),
        pager("buckets", "cells" + world, answer.offset, answer.cells.length, answer.total, (offset) => { shown.offset = offset; render(); }),
      ])));
    },

    async subscribe(moment, request) {
      const answers = await Promise.all(moment.worlds.map((_, world) => ask(request(world, {subscribe: {sink: shown.sink, as_of: shown.asOf}}, {offset: shown.offset, limit: 8}))));
      const range = await ask(request(shown.world, {read: {sink: shown.sink, as_of: shown.asOf}}, {limit: 1}));
      title.textContent = "Subscribing to view " + shown.sink + " at step " + moment.cursor;
      timeControls(moment, range && !range.error ? range : undefined, false);
      fill(body.lastChild, ...answers.map((answer, world) => worldColumn(moment, world, answer, () => [
        ...sentences(answer.says, answer.status === "answers" ? "" : answer.status),
        make("ol", {class: "messages"}, ...answer.messages.map((m) => make("li", {class: m.late ? "late" : undefined},
          make("p", null, make("b", {text: m.kind + " " + m.time + (m.late ? " ✗ late" : "")}), " " + m.says),
          m.rows.length ? make("details", null, make("summary", {text: m.rows.length < m.total ? "the first " + m.rows.length + " rows" : "rows"}),
            table(m.kind + " at " + m.time, ["bucket", "n", "diff"], m.rows)) : ""))),
        answer.second.length ? table("A second view fed by it", ["from", "verdict", "it has"],
          answer.second.map((s) => [s.time, s.wrong ? "✗ wrong" : "✓ right", s.says]), (i) => answer.second[i].wrong ? "wrong" : undefined) : "",
      ])));
    },
  };

  function worldColumn(moment, world, answer, inside) {
    return make("section", {class: "data-world", "data-of": world, "aria-label": moment.worlds[world]}, make("h3", {text: moment.worlds[world]}),
      ...(answer && !answer.error ? inside() : [problem(answer)]));
  }

  // timeControls makes the controls once and keeps them, so that the focus stays.
  function timeControls(moment, answer, filter) {
    if (!body.firstChild) {
      const set = (value) => { Object.assign(shown, {asOf: value, offset: 0}); render(); };
      const slider = make("input", {type: "range", class: "slider", step: "1", "aria-label": "Time"});
      const number = make("input", {type: "text", inputmode: "numeric", class: "entry-text", "aria-label": "Time as a number", autocomplete: "off"});
      slider.addEventListener("input", () => set(slider.value));
      number.addEventListener("input", () => {
        const whole = /^-?\d{1,18}$/.test(number.value.trim());
        number.setAttribute("aria-invalid", String(!whole));
        if (whole) set(number.value.trim());
      });
      const jump = (by) => {
        const cuts = (body.answer ? body.answer.strip : []).flatMap((s) => [s.from, s.to]).map(Number).sort((a, b) => a - b);
        const next = by > 0 ? cuts.find((t) => t > Number(shown.asOf)) : cuts.filter((t) => t < Number(shown.asOf)).pop();
        if (next !== undefined) set(String(next));
      };
      const sinks = make("select", {class: "button", "aria-label": "View"}, ...moment.sinks.map((name) => make("option", {value: name, text: "view " + name})));
      sinks.addEventListener("change", () => { Object.assign(shown, {sink: sinks.value, offset: 0}); render(); });
      const only = make("input", {type: "checkbox"});
      only.addEventListener("change", () => { Object.assign(shown, {only: only.checked, offset: 0}); render(); });
      body.append(make("div", {class: "controls"}, moment.sinks.length > 1 ? sinks : "", make("span", {text: "AS OF"}), number,
        button("◂ change", "earlier", () => jump(-1), {"aria-label": "To the change before"}), slider,
        button("change ▸", "later", () => jump(1), {"aria-label": "To the next change"}),
        filter ? make("label", {class: "row"}, only, "only what differs") : ""), make("div", {class: "data-worlds"}));
      Object.assign(body, {slider, number, sinks, only});
    }
    if (answer) {
      body.answer = answer;
      body.slider.min = answer.low;
      body.slider.max = answer.high;
    }
    body.slider.value = shown.asOf;
    body.sinks.value = shown.sink;
    body.only.checked = shown.only;
    if (document.activeElement !== body.number || body.number.getAttribute("aria-invalid") !== "true") {
      if (body.number.value.trim() !== shown.asOf) body.number.value = shown.asOf;
      body.number.setAttribute("aria-invalid", "false");
    }
  }

  // strip is all times of a view: a picture, and the same as buttons that go there.
  function strip(answer) {
    const low = Number(answer.low), wide = Number(answer.high) - low || 1;
    const x = (t) => Math.max(0, Math.min(400, (Number(t) - low) * 400 / wide));
    const last = answer.strip[answer.strip.length - 1];
    const spans = answer.strip.filter((s) => Number(s.to) > low);
    const drawn = spans.map((s) => svg("rect", {class: "span-" + s.tone, x: x(s.from), y: 6, width: Math.max(1, x(s === last ? answer.high : s.to) - x(s.from)), height: 16}));
    return make("div", {class: "strip-of-times"},
      svg("svg", {viewBox: "0 0 400 28", "aria-hidden": "true", preserveAspectRatio: "none"}, ...drawn, svg("path", {class: "cursor", d: "M" + x(answer.as_of) + " 0V28"})),
      make("ul", {class: "spans"}, ...spans.map((s) => make("li", null, button(s.from + (s === last ? " on" : " to " + (Number(s.to) - 1)) + ": " + s.says,
        "span" + s.from, () => { Object.assign(shown, {asOf: String(s.from), offset: 0}); render(); }, {class: "button span-button " + s.tone})))));
  }

  // --- what opens and closes it -----------------------------------------------------

  opener.addEventListener("click", () => panel.hidden ? open({view: "contents"}) : close());

  root.addEventListener("click", (event) => {
    const pressed = event.target.closest("[data-open]");
    const world = event.target.closest(".world");
    const index = world ? [...root.querySelectorAll(".world")].indexOf(world) : shown.world;
    if (pressed) {
      const [kind, name, number] = pressed.dataset.open.split(":");
      const what = {blob: {blob: name}, crate: {crate: {builder: name, interval: Number(number)}}, slot: {slot: {builder: name, index: Number(number)}}}[kind];
      open({view: "table", world: index, open: what});
    } else if (world && event.target.closest(".truth, .times") && !event.target.closest("button, .term")) {
      open({view: "read", world: index});
    }
  });

  document.addEventListener("keydown", (event) => {
    const tip = document.getElementById("tip");
    if (event.key !== "Escape" || panel.hidden || event.defaultPrevented || document.querySelector("dialog[open]") || tip && !tip.hidden) return;
    if (panel.contains(document.activeElement) || document.activeElement === document.body) {
      event.preventDefault();
      close();
    }
  });

  let moments = 0;
  globalThis.sharedBatchesChanged = () => {
    if (++moments > 1) prefetchLater();
    if (!panel.hidden) render();
  };
})();
