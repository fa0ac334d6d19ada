// Starts `diglot lsp`, and shows the preview of `diglot serve` next to the text, at the block under the cursor.
"use strict";

const { spawn } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

const CONFIGURATION = path.join("site", "site.yaml");
const FOLLOW_MS = 150; // time without a move of the cursor after which the preview follows
const LONGEST_START_MS = 30000;

let client;
let preview;

/** The folder of the site in the workspace, and the command that runs diglot there; undefined without a site. */
function findSite() {
  const folders = (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath);
  const root = folders.find((folder) => fs.existsSync(path.join(folder, CONFIGURATION)));
  if (root === undefined) return undefined;
  const chosen = vscode.workspace.getConfiguration("diglot").get("command", []);
  const names = process.platform === "win32" ? ["Scripts", "diglot.exe"] : ["bin", "diglot"];
  const own = [".venv", "venv"].map((name) => path.join(root, name, ...names)).find(fs.existsSync);
  return { root, command: chosen.length > 0 ? chosen : [own ?? "diglot"] };
}

async function startClient(site) {
  const [command, ...before] = site.command;
  const pattern = (glob) => new vscode.RelativePattern(vscode.Uri.file(site.root), glob);
  client = new LanguageClient(
    "diglot",
    "diglot",
    { command, args: [...before, "lsp", "--root", site.root], options: { cwd: site.root } },
    {
      documentSelector: [
        { scheme: "file", language: "markdown", pattern: `${site.root}/content/**` },
        { scheme: "file", pattern: `${site.root}/{site,content}/**/*.{yaml,yml}` },
        { scheme: "file", language: "python", pattern: `${site.root}/**/figures/**` },
        { scheme: "file", pattern: `${site.root}/site/references.{bib,json}` },
      ],
      synchronize: {
        fileEvents: vscode.workspace.createFileSystemWatcher(pattern("**/*.{md,py,yaml,yml,bib,json,csv,ipynb}")),
      },
    },
  );
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    const words = `diglot lsp does not start: ${error.message ?? error}`;
    vscode.window.showErrorMessage(`${words}. Install it with: pip install 'diglot[lsp]'.`);
  }
}

/** The page of a place in a half and the block there, or its twin, as the server knows them. */
async function ask(method, editor) {
  if (client === undefined || editor === undefined) return null;
  const { document, selection } = editor;
  const position = { line: selection.active.line, character: selection.active.character };
  return client.sendRequest(method, { textDocument: { uri: document.uri.toString() }, position });
}

async function showTwin() {
  const place = await ask("diglot/twin", vscode.window.activeTextEditor);
  if (place === null) {
    vscode.window.showInformationMessage("There is no other half here.");
    return;
  }
  const range = client.protocol2CodeConverter.asRange(place.range);
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(place.uri));
  const shown = await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside });
  shown.selection = new vscode.Selection(range.start, range.start);
  shown.revealRange(range, vscode.TextEditorRevealType.InCenter);
}

/** Runs `diglot serve`, and resolves to the address that it says. */
function startServing(site) {
  const [command, ...before] = site.command;
  const child = spawn(command, [...before, "serve", "--root", site.root], { cwd: site.root });
  const address = new Promise((resolve, reject) => {
    let said = "";
    const listen = (bytes) => {
      said += bytes;
      const found = /serving (http:\S+)/.exec(said);
      if (found !== null) resolve(found[1]);
    };
    child.stdout.on("data", listen);
    child.stderr.on("data", listen);
    child.on("error", reject);
    child.on("exit", () => reject(new Error(said.trim() || "it ended")));
    setTimeout(() => reject(new Error("it said no address")), LONGEST_START_MS);
  });
  return { child, address };
}

const PAGE = (address) => `<!doctype html>
<meta http-equiv="Content-Security-Policy"
  content="default-src 'none'; frame-src ${new URL(address).origin}; script-src 'nonce-preview'; style-src 'unsafe-inline'">
<style>html, body, iframe { width: 100%; height: 100%; margin: 0; padding: 0; border: 0; background: #fff }</style>
<iframe title="preview" src="${address}"></iframe>
<script nonce="preview">
  const frame = document.querySelector("iframe");
  addEventListener("message", ({ data }) => { if (data.address !== frame.src) frame.src = data.address; });
</script>`;

async function showPreview(site) {
  if (preview !== undefined) {
    preview.panel.reveal(undefined, true);
    return;
  }
  const serving = startServing(site);
  try {
    const address = (await vscode.env.asExternalUri(vscode.Uri.parse(await serving.address))).toString(true);
    const beside = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    const panel = vscode.window.createWebviewPanel("diglot.preview", "diglot", beside, {
      enableScripts: true,
      retainContextWhenHidden: true,
    });
    preview = { panel, address, child: serving.child };
    panel.webview.html = PAGE(address);
    panel.onDidDispose(endPreview);
    await follow(vscode.window.activeTextEditor);
  } catch (error) {
    serving.child.kill();
    vscode.window.showErrorMessage(`diglot serve does not start: ${error.message}`);
  }
}

function endPreview() {
  preview?.child.kill();
  preview = undefined;
}

async function follow(editor) {
  if (preview === undefined || !vscode.workspace.getConfiguration("diglot").get("followCursor", true)) return;
  const page = await ask("diglot/page", editor);
  if (page === null || preview === undefined) return;
  const address = new URL(page.path, preview.address);
  address.hash = page.block;
  preview.panel.webview.postMessage({ address: address.toString() });
}

async function activate(context) {
  const site = findSite();
  if (site === undefined) return;
  vscode.commands.executeCommand("setContext", "diglot.isSite", true);
  let waiting;
  context.subscriptions.push(
    vscode.commands.registerCommand("diglot.preview", () => showPreview(site)),
    vscode.commands.registerCommand("diglot.twin", showTwin),
    vscode.commands.registerCommand("diglot.restart", async () => {
      await client?.stop();
      await startClient(findSite() ?? site);
    }),
    vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => {
      clearTimeout(waiting);
      waiting = setTimeout(() => follow(textEditor), FOLLOW_MS);
    }),
    { dispose: endPreview },
  );
  await startClient(site);
}

async function deactivate() {
  endPreview();
  await client?.stop();
}

module.exports = { activate, deactivate };
