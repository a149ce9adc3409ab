// Opens a scenario file of the reader's own: picked, dropped or pasted. data.wasm reads
// the YAML and lists its faults; page.wasm gets a scenario only when there are none, so
// nothing is half applied. Text from a file is only ever text, never markup.
"use strict";
(function () {
  const byID = (id) => document.getElementById(id);
  const dialog = byID("own"), text = byID("own-text"), faults = byID("own-faults"), says = byID("own-says");
  if (!dialog) return;
  const largest = 256 << 10; // as the decoder has it, so that nothing larger is loaded for it
  let name = "scenario.yaml", turn = 0;

  function make(tag, words, ...children) {
    const e = document.createElement(tag);
    if (words) e.textContent = words;
    e.append(...children);
    return e;
  }

  // show lists faults in the dialog, each with its line of the text.
  function show(list) {
    const lines = text.value.split("\n");
    faults.replaceChildren(...list.map((fault) => {
      const item = make("li");
      if (fault.line > 0) {
        const go = make("button", "line " + fault.line + (fault.column > 0 ? ", column " + fault.column : ""));
        go.type = "button";
        go.className = "button";
        go.addEventListener("click", () => select(lines, fault));
        item.append(go);
      }
      item.append(make("p", "", make("b", fault.path ? fault.path + ": " : ""), fault.message));
      if (fault.line > 0 && lines[fault.line - 1] !== undefined) {
        const line = lines[fault.line - 1], from = Math.max(0, fault.column - 60);
        item.append(make("pre", line.slice(from, from + 100) + "\n" + " ".repeat(Math.max(0, fault.column - 1 - from)) + "^"));
      }
      return item;
    }));
    says.textContent = list.length === 0 ? "" : name + (list.length === 1 ? " has a fault. " : " has " + list.length + " faults. ") + "Nothing was opened.";
    if (!dialog.open) dialog.showModal();
  }

  // select shows a fault in the text. A column counts characters, a selection UTF-16 units.
  function select(lines, fault) {
    const before = lines.slice(0, fault.line - 1).reduce((n, line) => n + line.length + 1, 0);
    const at = before + [...lines[fault.line - 1] || ""].slice(0, Math.max(0, fault.column - 1)).join("").length;
    text.focus();
    text.setSelectionRange(at, before + (lines[fault.line - 1] || "").length);
    text.scrollTop = (fault.line - 4) * parseFloat(getComputedStyle(text).lineHeight);
  }

  async function open(yaml) {
    const mine = ++turn;
    text.value = yaml;
    says.textContent = "Reading " + name + " …";
    let answer;
    try {
      answer = await sharedBatchesParse(name, yaml);
    } catch (error) {
      answer = {errors: [{message: error.message}]};
    }
    if (mine !== turn) return; // another was opened meanwhile
    const faults = answer.errors || (answer.error ? [{message: answer.error}] : []);
    if (faults.length === 0) {
      const why = sharedBatchesOpen(answer.compact, yaml);
      if (why) faults.push({message: why});
    }
    if (faults.length > 0) return show(faults);
    show([]);
    dialog.close();
    byID("playground").focus({preventScroll: true});
  }

  async function file(f) {
    name = f.name;
    if (f.size > largest) {
      text.value = "";
      return show([{message: f.size + " bytes: allowed are " + largest}]);
    }
    const bytes = new Uint8Array(await f.arrayBuffer());
    const strict = new TextDecoder("utf-8", {fatal: true, ignoreBOM: true});
    try {
      return await open(strict.decode(bytes));
    } catch {
      text.value = new TextDecoder().decode(bytes);
    }
    let line = 1;
    for (let from = 0, to; from < bytes.length; from = to + 1, line++) { // the line that is broken
      to = bytes.indexOf(10, from);
      if (to < 0) to = bytes.length;
      try {
        strict.decode(bytes.subarray(from, to));
      } catch {
        break;
      }
    }
    show([{line, column: 1 + (text.value.split("\n")[line - 1] || "").indexOf("\ufffd"), message: "not valid UTF-8"}]);
  }

  byID("own-open").addEventListener("click", () => { faults.replaceChildren(); says.textContent = ""; dialog.showModal(); });
  byID("own-close").addEventListener("click", () => dialog.close());
  byID("own-run").addEventListener("click", () => open(text.value));
  const picker = byID("own-file");
  picker.addEventListener("change", () => {
    if (picker.files[0]) file(picker.files[0]);
    picker.value = ""; // so that the same file can be picked again after it was changed
  });
  addEventListener("dragover", (event) => {
    if (event.dataTransfer.types.includes("Files")) event.preventDefault();
  });
  addEventListener("drop", (event) => {
    if (!event.dataTransfer.files[0]) return;
    event.preventDefault();
    file(event.dataTransfer.files[0]);
  });
  addEventListener("paste", (event) => {
    if (event.target.closest && event.target.closest("input, textarea, [contenteditable]")) return;
    const pasted = event.clipboardData.getData("text/plain");
    if (event.clipboardData.files[0]) {
      file(event.clipboardData.files[0]);
    } else if (/^(title|setup|worlds|schedule) *:/m.test(pasted)) {
      name = "pasted.yaml";
      open(pasted);
    }
  });
})();
