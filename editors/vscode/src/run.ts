// A run of a program as a panel beside the text: one column for each thread, and the values at the
// step that is marked.

import * as vscode from "vscode";

/** What the server answers to `rely/run`. */
export interface Shown {
  code: string;
  message: string;
  location: { uri: string };
  is_current: boolean;
  run: Run;
}

interface Run {
  confirmation: string;
  lanes: string[];
  initial: { name: string; value: string }[];
  steps: Step[];
}

interface Step {
  lane: number;
  kind: string;
  place: { file: string; line: number } | null;
  text: string;
  changes: { name: string; old: string | null; new: string }[];
}

export class RunPanel {
  private panel: vscode.WebviewPanel | undefined;
  private shown: Shown | undefined;
  private readonly mark = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor("editor.stackFrameHighlightBackground"),
  });

  show(shown: Shown): void {
    this.shown = shown;
    if (!this.panel) {
      this.panel = vscode.window.createWebviewPanel(
        "rely.run",
        "Run",
        { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
        { enableScripts: true, retainContextWhenHidden: true },
      );
      this.panel.onDidDispose(() => {
        this.panel = undefined;
        this.clear();
      });
      this.panel.webview.onDidReceiveMessage((step: number) => this.follow(step));
    }
    this.panel.title = `Run: ${shown.code}`;
    this.panel.webview.html = page(shown, texts(shown));
    this.panel.reveal(undefined, true);
  }

  private clear(): void {
    for (const editor of vscode.window.visibleTextEditors) {
      editor.setDecorations(this.mark, []);
    }
  }

  /** Marks the line of a step; 0 is the start. */
  private async follow(number: number): Promise<void> {
    this.clear();
    const place = this.shown?.run.steps[number - 1]?.place;
    if (!place) {
      return;
    }
    const document = await vscode.workspace.openTextDocument(vscode.Uri.file(place.file));
    const column = vscode.window.visibleTextEditors.find(
      (editor) => editor.document === document,
    )?.viewColumn;
    const editor = await vscode.window.showTextDocument(document, {
      viewColumn: column ?? vscode.ViewColumn.One,
      preserveFocus: true,
    });
    const range = document.lineAt(Math.min(place.line, document.lineCount) - 1).range;
    editor.setDecorations(this.mark, [range]);
    editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }
}

/** The statement of each step, from the open texts. */
function texts(shown: Shown): string[] {
  return shown.run.steps.map((step) => {
    const place = step.place;
    const document = vscode.workspace.textDocuments.find(
      (one) => place !== null && one.uri.fsPath === place.file,
    );
    const isThere = place && document && place.line <= document.lineCount;
    const line = isThere ? document.lineAt(place.line - 1).text.trim() : "";
    const said = { environment: "step", "loop-head": "some iterations" }[step.kind] ?? step.text;
    return `${step.kind === "environment" ? "" : line} ${said}`.trim();
  });
}

/** The page; all data is in it as JSON. */
function page(shown: Shown, statements: string[]): string {
  const nonce = Math.random().toString(36).slice(2);
  const data = JSON.stringify({ ...shown, statements }).replace(/</g, "\\u003c");
  return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'">
<style nonce="${nonce}">
body { font-family: var(--vscode-font-family); }
table { border-collapse: collapse; margin: .5rem 0; }
th, td { text-align: left; vertical-align: top; padding: .15rem .6rem; border-bottom: 1px solid var(--vscode-panel-border); }
.lanes td { border-left: 1px solid var(--vscode-panel-border); font-family: var(--vscode-editor-font-family); cursor: pointer; }
tr.here td { background: var(--vscode-editor-findMatchHighlightBackground); }
tr.later td { opacity: .5; }
tr.changed td { font-weight: bold; }
button { font: inherit; background: var(--vscode-button-secondaryBackground); color: var(--vscode-button-secondaryForeground); border: 0; padding: .2rem .6rem; }
</style></head>
<body tabindex="0">
<p><b id="message"></b></p>
<p><button data-go="first">|◀</button> <button data-go="back">◀</button> <button data-go="on">▶</button>
<button data-go="last">▶|</button> <span id="at"></span></p>
<table class="lanes"><thead></thead><tbody></tbody></table>
<table id="values"></table>
<script nonce="${nonce}">
const shown = ${data};
const editor = acquireVsCodeApi();
const { run } = shown;
const cell = (row, text, tag = "td") => {
  const made = document.createElement(tag);
  made.textContent = text;
  row.append(made);
};
document.getElementById("message").textContent =
  shown.message + " (" + run.confirmation + (shown.is_current ? ")" : "; the text was edited since)");
const head = document.querySelector("thead").insertRow();
for (const name of ["line", ...run.lanes, "values"]) cell(head, name, "th");
const body = document.querySelector("tbody");
const start = body.insertRow();
cell(start, "start");
run.lanes.forEach(() => cell(start, ""));
cell(start, run.initial.map((one) => one.name + " = " + one.value).join(", "));
run.steps.forEach((step, number) => {
  const row = body.insertRow();
  cell(row, step.place ? String(step.place.line) : "");
  run.lanes.forEach((_, lane) => cell(row, lane === step.lane ? shown.statements[number] : ""));
  cell(row, step.changes.map((one) => one.name + ": " + (one.old ?? "") + " → " + one.new).join(", "));
});
// Of a variable that gets a first value in several lanes, each thread has its own.
const first = new Map();
for (const step of run.steps) {
  for (const one of step.changes) {
    if (one.old === null) first.set(one.name, (first.get(one.name) ?? new Set()).add(step.lane));
  }
}
const named = (name, lane) => first.get(name)?.size > 1 ? name + " of " + run.lanes[lane] : name;
let here = run.steps.length;
const go = (to) => {
  here = Math.min(Math.max(to, 0), run.steps.length);
  [...body.rows].forEach((row, number) => {
    row.classList.toggle("here", number === here);
    row.classList.toggle("later", number > here);
  });
  const values = new Map(run.initial.map((one) => [one.name, [one.value, here === 0]]));
  run.steps.slice(0, here).forEach((step, number) => {
    for (const one of step.changes) values.set(named(one.name, step.lane), [one.new, number + 1 === here]);
  });
  const table = document.getElementById("values");
  table.replaceChildren();
  for (const [name, [value, changed]] of values) {
    const row = table.insertRow();
    row.classList.toggle("changed", changed);
    cell(row, name);
    cell(row, value);
  }
  document.getElementById("at").textContent = here === 0 ? "at the start" : "after step " + here + " of " + run.steps.length;
  body.rows[here].scrollIntoView({ block: "nearest" });
  editor.postMessage(here);
};
const ways = { first: () => 0, back: () => here - 1, on: () => here + 1, last: () => run.steps.length };
const keys = { Home: "first", ArrowLeft: "back", ArrowUp: "back", ArrowRight: "on", ArrowDown: "on", End: "last" };
document.addEventListener("click", (event) => {
  const way = event.target.closest("[data-go]");
  const row = event.target.closest("tbody tr");
  if (way) go(ways[way.dataset.go]());
  else if (row) go([...body.rows].indexOf(row));
});
document.addEventListener("keydown", (event) => {
  if (event.key in keys) { event.preventDefault(); go(ways[keys[event.key]]()); }
});
go(here);
</script></body></html>`;
}
