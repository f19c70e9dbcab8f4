// Starts the server and shows runs beside the text.

import * as vscode from "vscode";
import { LanguageClient, TransportKind } from "vscode-languageclient/node";
import { RunPanel, type Shown } from "./run";

const LANGUAGES = ["plato", "chalice", "szumo", "pds", "java", "c"];

let client: LanguageClient | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const panel = new RunPanel();
  const status = vscode.window.createStatusBarItem(vscode.StatusBarAlignment.Right);
  status.command = "workbench.actions.view.problems";
  context.subscriptions.push(
    status,
    vscode.languages.onDidChangeDiagnostics(() => show(status)),
    vscode.window.onDidChangeActiveTextEditor(() => show(status)),
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

async function start(context: vscode.ExtensionContext): Promise<void> {
  await client?.stop();
  const settings = vscode.workspace.getConfiguration("rely");
  const command = settings.get<string>("path", "rely");
  const server = { command, args: ["lsp"], transport: TransportKind.stdio };
  client = new LanguageClient("rely", "Rely", server, {
    documentSelector: LANGUAGES.map((language) => ({ scheme: "file", language })),
    initializationOptions: { inferBudget: settings.get<number>("inferBudget", 10) },
    synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/*.java") },
  });
  try {
    await client.start();
  } catch (error) {
    const settle = "Set its place";
    const chosen = await vscode.window.showErrorMessage(`Rely does not start: ${error}`, settle);
    if (chosen === settle) {
      await vscode.commands.executeCommand("workbench.action.openSettings", "rely.path");
    }
  }
  context.subscriptions.push(client);
}

/** How many findings the text in front has. */
function show(status: vscode.StatusBarItem): void {
  const document = vscode.window.activeTextEditor?.document;
  if (!document || !LANGUAGES.includes(document.languageId)) {
    status.hide();
    return;
  }
  const found = vscode.languages.getDiagnostics(document.uri).filter((one) => one.source === "rely");
  const isOld = found.some((one) => one.tags?.includes(vscode.DiagnosticTag.Unnecessary));
  const errors = found.filter((one) => one.severity === vscode.DiagnosticSeverity.Error).length;
  const open = found.filter((one) => one.severity === vscode.DiagnosticSeverity.Warning).length;
  if (isOld) {
    status.text = "$(sync~spin) Rely";
  } else if (errors + open === 0) {
    status.text = "$(check) Rely";
  } else {
    status.text = `$(error) ${errors} $(question) ${open} Rely`;
  }
  status.tooltip = "Findings of Rely: errors, and what is unknown";
  status.show();
}
