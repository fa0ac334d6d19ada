"""How long a step of each control of a built page takes, in a Chromium whose processor is slowed down.

    python benchmarks/controls.py public/zh/posts/gpu-vs-tpu --slower 4

A step is everything from the input to finished layout: attributes and texts of the drawing, values in prose,
the address. It should stay below 16 ms, the time of one frame on a screen. Other work on this machine makes
steps longer: look at the shortest, too. Files are listed with the size in which servers send them.

First comes the time until the largest part of the page is painted (LCP), with and without the script of
controls, and how much of the page moved (CLS, the worst five seconds, as browsers report it): when it was
loaded, and when all controls were turned, by a script, so that everything that moves counts.
"""

import argparse
import functools
import gzip
import json
import shutil
import statistics
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MOST_STEPS = 200

WATCH = """
window.seen = { lcp: 0, cls: 0 };
const watch = (type, take) =>
  new PerformanceObserver(list => list.getEntries().forEach(take)).observe({ type, buffered: true });
watch("largest-contentful-paint", one => { seen.lcp = one.startTime; });
let begun = 0, latest = 0, sum = 0;
watch("layout-shift", one => {
  if (one.hadRecentInput) return;
  const goesOn = one.startTime - latest < 1000 && one.startTime - begun < 5000;
  if (!goesOn) { begun = one.startTime; sum = 0; }
  latest = one.startTime;
  sum += one.value;
  seen.cls = Math.max(seen.cls, sum);
});
"""
ROUNDS = 5

TURN = """
async most => {
  const wait = ms => new Promise(done => setTimeout(done, ms));
  const found = [];
  for (const figure of document.querySelectorAll(".controls")) {
    for (const parameter of figure.querySelectorAll("[data-parameter]")) {
      const inputs = [...parameter.querySelectorAll("input")];
      const slider = inputs[0].type === "range" ? inputs[0] : null;
      const stops = slider ? Number(slider.max) + 1 : inputs.length === 1 ? 2 : inputs.length;
      const turn = at => {
        const input = slider ?? inputs[inputs.length === 1 ? 0 : at];
        if (slider) slider.value = at;
        else input.checked = inputs.length > 1 || at === 1;
        input.dispatchEvent(new Event("input", { bubbles: true }));
        document.documentElement.getBoundingClientRect();
      };
      figure.scrollIntoView({ block: "center" });  // as readers see it, with the prose around it
      turn(stops - 1);
      await wait(1500);  // the files are fetched, and the drawing is prepared
      const times = [];
      for (let step = 0; step < Math.min(most, 2 * stops); step++) {
        const begun = performance.now();
        turn(step % stops);
        times.push(performance.now() - begun);
        await wait(20);
      }
      found.push({ name: `${figure.dataset.figure}.${parameter.dataset.parameter}`, stops, times });
    }
  }
  return found;
}
"""


def main() -> None:
    """Measure a page and print what each control takes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("page", type=Path, help="the folder of a built page, below the site's root")
    parser.add_argument("--site", type=Path, help="the site's root, by default the first folder of the page")
    parser.add_argument("--slower", type=float, default=4, help="how many times slower than this machine")
    parser.add_argument("--width", type=int, default=390, help="of the window, in px")
    options = parser.parse_args()
    site = options.site or Path(options.page.parts[0])
    handler = functools.partial(_Quiet, directory=str(site))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}/{options.page.relative_to(site).as_posix()}/"
    runs = [
        [load(address, options.slower, options.width, controls=controls) for controls in (False, True)]
        for _ in range(ROUNDS)
    ]
    lcps = [statistics.median(one["lcp"] for one in column) for column in zip(*runs, strict=True)]
    fetched, found, moved = measure(address, options.slower, options.width)
    print(f"LCP {lcps[1]:.0f} ms, without controls.js {lcps[0]:.0f} ms, medians of {ROUNDS}")
    loaded = max(one["cls"] for _, one in runs)
    print(f"CLS {loaded:.4f} when loaded, {moved:.4f} when all controls were turned")
    for url in fetched:
        content = (site / url.split("/", 3)[3]).read_bytes()
        print(f"{url.rpartition('/')[2]:60} {len(gzip.compress(content, 6)):8,} bytes")
    for one in found:
        times = sorted(one["times"])
        print(
            f"{one['name']:40} {one['stops']:4} stops   shortest {times[0]:5.1f} ms"
            f"   median {statistics.median(times):5.1f} ms   longest {times[-1]:5.1f} ms"
        )
    server.shutdown()


@contextmanager
def opened(slower: float, width: int) -> Iterator[Any]:
    """An empty page of a new browser with a slow processor.

    The Chinese face is not fetched, as where the system has one: without any, every line of Chinese is set
    anew when it arrives.
    """
    from playwright.sync_api import sync_playwright

    executable = next(filter(None, map(shutil.which, CHROMIUM)))
    with sync_playwright() as running:
        browser = running.chromium.launch(executable_path=executable, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": width, "height": 800})
        page.add_init_script(WATCH)
        page.route("**/diglot-sans-sc*", lambda route: route.abort())
        page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slower})
        yield page
        browser.close()


def load(address: str, slower: float, width: int, *, controls: bool) -> dict[str, float]:
    """What was seen of a page until it was at rest."""
    with opened(slower, width) as page:
        if not controls:
            page.route("**/controls.*.js", lambda route: route.abort())
        page.goto(address)
        page.evaluate("document.fonts.ready.then(() => true)")
        page.wait_for_timeout(1000)
        return dict(page.evaluate("seen"))


def measure(address: str, slower: float, width: int) -> tuple[list[str], list[dict], float]:
    """The files that controls fetched, the times of their steps, and how much of the page moved."""
    with opened(slower, width) as page:
        fetched: list[str] = []
        page.on("request", lambda one: fetched.append(one.url) if one.url.endswith(".json") else None)
        page.goto(address)
        page.evaluate("document.fonts.ready.then(() => true)")
        found = json.loads(json.dumps(page.evaluate(TURN, MOST_STEPS)))
        return fetched, found, float(page.evaluate("seen.cls"))


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


if __name__ == "__main__":
    main()
