/* For pages that were opened from files, which may fetch nothing: the data that they would fetch as JSON lies
   beside it as a script, too (`data_script` in relative_pages.py). */
if (location.protocol === "file:") {
  window.fetch = address => new Promise((done, failed) => {
    const script = document.createElement("script");
    const nothing = () => failed(new TypeError("Pages that were opened from files fetch nothing but data."));
    if (!/\.json$/.test(address)) return nothing();
    Object.assign(script, { src: `${address}.js`, onload: () => done(new Response(JSON.stringify(script.found))), onerror: nothing });
    document.head.append(script);
    script.remove();
  });
}
