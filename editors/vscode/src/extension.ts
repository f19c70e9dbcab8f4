// Starts the server and shows runs beside the text.

import * as vscode from "vscode";
import { LanguageClient, TransportKind } from "vscode-languageclient/node";
import { RunPanel, type Shown } from "./run";

const LANGUAGES = ["plato", "chalice", "szumo", "pds", "java", "c"];

let client: LanguageClient | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const panel = new RunPanel();
  status = vscode.window.createStatusBarItem(vscode.StatusBarAlignment.Right);
  status.command = "workbench.actions.view.problems";
  context.subscriptions.push(
    status,
    vscode.languages.onDidChangeDiagnostics(show),
    vscode.window.onDidChangeActiveTextEditor(show),
    vscode.commands.registerCommand("rely.restart", () => start(context)),
    vscode.commands.registerCommand("rely.showRun", async (uri?: string, notice?: number) => {
      if (!client || uri === undefined || notice === undefined) {
        vscode.window.showInformationMessage("Click on “show run” above a thread or method.");
        return;
      }
      const shown = await client.sendRequest<Shown | null>("rely/run", { uri, notice });
      if (shown) {
        panel.show(shown);
      }
    }),
  );
  await start(context);
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}

/** What the server says of each text. */
const states = new Map<string, string>();

async function start(context: vscode.ExtensionContext): Promise<void> {
  states.clear();
  // A client that did not start cannot be stopped.
  await client?.stop().catch(() => undefined);
  const settings = vscode.workspace.getConfiguration("rely");
  const command = settings.get<string>("path", "rely");
  const server = { command, args: ["lsp"], transport: TransportKind.stdio };
  const made = new LanguageClient("rely", "Rely", server, {
    documentSelector: LANGUAGES.map((language) => ({ scheme: "file", language })),
    initializationOptions: { inferBudget: settings.get<number>("inferBudget", 10) },
    synchronize: {
      fileEvents: ["**/*.java", "**/rely.toml"].map((files) =>
        vscode.workspace.createFileSystemWatcher(files)),
    },
  });
  client = made;
  made.onNotification("rely/state", (told: { uri: string; state: string }) => {
    states.set(vscode.Uri.parse(told.uri).toString(), told.state);
    show();
  });
  context.subscriptions.push({ dispose: () => void made.stop().catch(() => undefined) });
  try {
    await made.start();
  } catch (error) {
    const settle = "Set its place";
    void vscode.window.showErrorMessage(`Rely does not start: ${error}`, settle).then((chosen) => {
      if (chosen === settle) {
        void vscode.commands.executeCommand("workbench.action.openSettings", "rely.path");
      }
    });
  }
}

let status: vscode.StatusBarItem;

/** What is known of the text in front, in a few signs. */
function show(): void {
  const document = vscode.window.activeTextEditor?.document;
  if (!document || !LANGUAGES.includes(document.languageId)) {
    status.hide();
    return;
  }
  const found = vscode.languages.getDiagnostics(document.uri).filter((one) => one.source === "rely");
  const errors = found.filter((one) => one.severity === vscode.DiagnosticSeverity.Error).length;
  const open = found.filter((one) => one.severity === vscode.DiagnosticSeverity.Warning).length;
  const state = states.get(document.uri.toString());
  if (state === "checking") {
    status.text = "$(sync~spin) Rely";
    status.tooltip = "Rely verifies this text";
  } else if (state !== "checked") {
    status.text = "$(circle-slash) Rely";
    status.tooltip = "This text was not verified";
  } else if (errors + open === 0) {
    status.text = "$(check) Rely";
    status.tooltip = "Nothing is refuted, and nothing is unknown";
  } else {
    status.text = `$(error) ${errors} $(question) ${open} Rely`;
    status.tooltip = "Findings of Rely: errors, and what is unknown";
  }
  status.show();
}
