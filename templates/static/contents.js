/* The table of contents marks the section that the reader is in, and leaves when one is chosen. The sign beside
   a heading copies the section's address. Without this script all of them are plain links. */
{
  let watch;
  const follow = () => {
    watch?.disconnect();
    const list = document.getElementById("_contents");
    if (!list) return;
    const links = new Map([...list.querySelectorAll("a")].map(link => [decodeURIComponent(link.hash.slice(1)), link]));
    const passed = new Set();
    // What is above a third of the window counts as seen, however far above: so one jump misses no heading.
    watch = new IntersectionObserver(changes => {
      for (const { target, isIntersecting } of changes) isIntersecting ? passed.add(target.id) : passed.delete(target.id);
      const here = [...links.keys()].filter(id => passed.has(id)).pop();
      for (const [id, link] of links) id === here ? link.setAttribute("aria-current", "location") : link.removeAttribute("aria-current");
      const link = links.get(here);
      if (!link || list.scrollHeight <= list.clientHeight) return;
      list.scrollTop += link.getBoundingClientRect().top - list.getBoundingClientRect().top - list.clientHeight / 2;
    }, { rootMargin: "9999999px 0px -66% 0px" });
    for (const id of links.keys()) {
      const heading = document.getElementById(id);
      if (heading) watch.observe(heading);
    }
  };
  document.addEventListener("click", event => {
    if (event.target.closest?.(".contents a")) document.querySelector(".contents:popover-open")?.hidePopover();
    const anchor = event.target.closest?.("a.anchor");
    if (!anchor) return;
    navigator.clipboard?.writeText(anchor.href).then(() => {
      const sign = anchor.textContent, region = document.getElementById("_announcement");
      const { copied } = document.querySelector("main").dataset;
      region.lang = document.documentElement.lang;
      region.textContent = copied;
      anchor.classList.add("said");
      anchor.textContent = copied;
      setTimeout(() => { anchor.classList.remove("said"); anchor.textContent = sign; }, 1500);
    }).catch(() => {});
  });
  for (const name of ["diglot:swapped", "diglot:built"]) document.addEventListener(name, follow);
  follow();
}
