// Reloads the page when a build has changed the site, and shows the errors of a build that failed.
// A tab that slept learns the current build on reconnecting, so no reload is missed; a hidden tab lets go
// of its connection.
const served = Number(document.querySelector("script[data-build]")?.dataset.build ?? 0);
let source = null;
let overlay = null;

function show(errors) {
  overlay?.remove();
  overlay = null;
  if (!errors) return;
  overlay = document.createElement("div");
  const shadow = overlay.attachShadow({ mode: "open" });
  shadow.innerHTML = `<style>
    section { position: fixed; inset: auto 0 0 0; max-height: 60vh; overflow: auto; z-index: 1000; padding: 15px 20px;
      background: Canvas; color: CanvasText; border-top: 2px solid CanvasText; font: 14px/22px ui-monospace, monospace; }
    p { margin: 0 0 10px; font-weight: 600; } pre { margin: 0; white-space: pre-wrap; font: inherit; }
  </style><section role="alert"><p>The last build failed; this is the last good page.</p><pre></pre></section>`;
  shadow.querySelector("pre").textContent = errors;
  document.body.append(overlay);
}

function connect() {
  source?.close();
  source = new EventSource("/__diglot/events");
  source.onmessage = ({ data }) => {
    const { build, errors } = JSON.parse(data);
    if (build !== served) location.reload();
    else show(errors);
  };
}

document.addEventListener("visibilitychange", () => {
  if (document.hidden) source?.close();
  else connect();
});
addEventListener("pagehide", () => source?.close());
if (!document.hidden) connect();
