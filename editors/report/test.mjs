// Tries reports in a headless browser: clicks through a run, steps by keys, narrows the list of files,
// prints, and measures how long a report with many obligations takes to open.
//
// node editors/report/test.mjs BROWSER TOOLS FOLDER, where playwright-core is installed in TOOLS and FOLDER
// has run.html, a report with a run, and many.html, one with 5,000 obligations. Pictures are put there, too.

import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [browserPath, tools, folder] = process.argv.slice(2);
const { chromium } = createRequire(join(resolve(tools), "x.js"))("playwright-core");
const address = (name) => pathToFileURL(resolve(join(folder, name))).href;
const expect = (what, found, wanted) => {
  if (found !== wanted) throw new Error(`${what}: ${found} instead of ${wanted}`);
  console.log(`${what}: ${found}`);
};

const browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox", "--disable-gpu"] });
try {
  for (const colorScheme of ["light", "dark"]) {
    const context = await browser.newContext({ colorScheme, viewport: { width: 1200, height: 1000 }, offline: true });
    const page = await context.newPage();
    const faults = [];
    page.on("pageerror", (error) => faults.push(String(error)));
    page.on("request", (request) => {
      if (!request.url().startsWith("file:")) faults.push(`asks for ${request.url()}`);
    });
    await page.goto(address("run.html"));
    const run = page.locator(".run").first();
    const at = run.locator(".at");
    const steps = (await run.locator(".lanes tbody tr").count()) - 1;
    expect(`${colorScheme}: a run stands at its end`, await at.innerText(), `after step ${steps} of ${steps}`);
    const names = await run.locator(".values td:first-child").allInnerTexts();
    expect("values", names.join(), "balance,m,amount of Withdraw#1,amount of Withdraw#2");
    await run.locator("[data-go=back]").click();
    await run.locator("[data-go=back]").click();
    expect("two clicks back", await at.innerText(), `after step ${steps - 2} of ${steps}`);
    await run.focus();
    await page.keyboard.press("ArrowRight");
    expect("the arrow key", await at.innerText(), `after step ${steps - 1} of ${steps}`);
    await page.keyboard.press("Home");
    expect("Home", await at.innerText(), "at the start");
    expect("rows that are still to come", await run.locator("tr.later").count(), steps);
    await run.locator(".lanes tbody tr").nth(3).click();
    expect("a click on a row", await at.innerText(), `after step 3 of ${steps}`);
    await page.screenshot({ path: join(folder, `${colorScheme}.png`) });
    const place = run.locator("a[data-line]").first();
    await place.click();
    await page.waitForFunction(() => document.querySelector(".source details[open], details.source[open]"));
    console.log("a link to a line opens the source");
    await page.selectOption("#shown", "proved");
    expect("files that are shown, of those proved", await page.locator("section:visible").count(), 1);
    await page.selectOption("#shown", "all");
    await page.fill("#named", "hasty");
    expect("files with a name", await page.locator("section:visible").count(), 1);
    await page.fill("#named", "");
    if (colorScheme === "dark") {
      await page.emulateMedia({ media: "print" });
      const colour = () => getComputedStyle(document.querySelector(".lanes tr.here td")).backgroundColor;
      expect("a step on paper has the colour", await page.evaluate(colour), "rgba(0, 0, 0, 0)");
      await page.screenshot({ path: join(folder, "print.png"), fullPage: true });
      await page.pdf({ path: join(folder, "run.pdf"), format: "A4", printBackground: true });
    }
    if (faults.length > 0) throw new Error(faults.join("\n"));
    await context.close();
  }
  const times = [];
  for (let round = 0; round < 3; round += 1) {
    const page = await browser.newPage({ viewport: { width: 1200, height: 1000 } });
    await page.goto(address("many.html"), { waitUntil: "load" });
    times.push(await page.evaluate(() => new Promise((done) => {
      // Until something is drawn.
      requestAnimationFrame(() => setTimeout(() => done(performance.now())));
    })));
    if (round === 2) await page.screenshot({ path: join(folder, "many.png") });
    await page.close();
  }
  const shown = times.map((time) => `${(time / 1000).toFixed(2)} s`).join(", ");
  console.log(`5,000 obligations are open after ${shown}`);
  if (Math.min(...times) > 1000) throw new Error("that takes more than a second");
} finally {
  await browser.close();
}
