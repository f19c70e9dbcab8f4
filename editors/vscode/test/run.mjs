// Tries the extension in a real editor: code-server in a headless browser. It opens a program, waits
// for what Rely says of it, opens the run, and steps back in it.
//
// node test/run.mjs RELY BROWSER PICTURE EDITOR TOOLS, where EDITOR is the program of code-server and
// playwright-core is installed in TOOLS.

import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { createRequire } from "node:module";

const [rely, browserPath, picture, editor, tools] = process.argv.slice(2);
const { chromium } = createRequire(join(resolve(tools), "x.js"))("playwright-core");
const here = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = mkdtempSync(join(tmpdir(), "rely-editor-"));
const PORT = 8321;
const PROGRAM = `var balance: int = 100;
mutex m;
rely m == tid ==> m' == m && balance' == balance;
invariant m == 0 ==> balance >= 0;
thread Withdraw[*] {
  var amount: int;
  assume amount > 0;
  if (balance >= amount) {
    acquire m;
    balance := balance - amount;
    release m;
  }
}
`;
const space = join(folder, "space");
const data = ["--user-data-dir", join(folder, "data"), "--extensions-dir", join(folder, "extensions")];

spawnSync("mkdir", ["-p", space, join(folder, "data", "User")]);
writeFileSync(join(space, "hasty.plato"), PROGRAM);
writeFileSync(
  join(folder, "data", "User", "settings.json"),
  JSON.stringify({ "rely.path": resolve(rely), "workbench.startupEditor": "none" }),
);
const installed = spawnSync("node", [editor, ...data, "--install-extension", join(here, "dist", "rely.vsix")]);
if (installed.status !== 0) {
  throw new Error(`the extension cannot be installed: ${installed.stderr}`);
}
const words = ["--auth", "none", "--bind-addr", `127.0.0.1:${PORT}`, "--disable-telemetry",
  "--disable-update-check", "--disable-workspace-trust", space];
const running = spawn("node", [editor, ...data, ...words], { stdio: "ignore" });
let page;
const browser = await chromium.launch({
  executablePath: browserPath,
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync"],
});
try {
  page = await browser.newPage({ viewport: { width: 1500, height: 900 } });
  for (let tries = 0; ; tries += 1) {
    try {
      await page.goto(`http://127.0.0.1:${PORT}/?folder=${space}`);
      break;
    } catch (error) {
      if (tries > 60) throw error;
      await page.waitForTimeout(500);
    }
  }
  await page.waitForSelector(".monaco-workbench", { timeout: 60_000 });
  await page.waitForTimeout(3000);
  await page.locator(".explorer-folders-view .label-name", { hasText: "hasty.plato" }).dblclick();
  const lens = page.locator(".codelens-decoration a", { hasText: "show run" });
  await lens.waitFor({ timeout: 40_000 });
  console.log("lens:", await page.locator(".codelens-decoration").first().innerText());
  console.log("marked:", await page.locator(".squiggly-error").count(), "place");
  const status = page.locator(".statusbar-item", { hasText: "Rely" }).first();
  console.log("status bar:", await status.innerText({ timeout: 5_000 }));
  await lens.click();
  const panel = page.frameLocator("iframe.webview").frameLocator("iframe#active-frame");
  await panel.locator("#at").waitFor({ timeout: 30_000 });
  const end = await panel.locator("#at").innerText();
  console.log("run:", await panel.locator("#message").innerText(), "|", end);
  await panel.locator("[data-go=back]").click();
  await panel.locator("[data-go=back]").click();
  const back = await panel.locator("#at").innerText();
  console.log("two steps back:", back);
  await page.waitForTimeout(1000);
  await page.screenshot({ path: picture });
  const number = (text) => Number(text.match(/after step (\d+)/)[1]);
  if (number(end) - number(back) !== 2) throw new Error("the steps do not count");
} catch (error) {
  // The picture says more than a selector that was not found.
  await page?.screenshot({ path: picture });
  throw error;
} finally {
  await browser.close();
  running.kill();
}
