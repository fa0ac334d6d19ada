// A table that is grouped, by what its readers choose. Without this script its groups are links, and the choices
// are not offered. What was chosen is in the address, so that it can be sent.
(() => {
  const all = (selector, within) => [...within.querySelectorAll(selector)];
  const prepare = () => {
    const list = document.querySelector(".by-kind");
    if (!list) return;
    const boxes = all("select", list);
    const links = all("nav a", list);
    const sections = all("section", list);
    const show = () => {
      const chosen = boxes.map(box => box.value).filter(Boolean);
      sections.forEach((section, place) => {
        let count = 0;
        for (const row of all("li", section)) {
          const kept = chosen.every(mark => row.dataset.marks?.split(" ").includes(mark));
          row.style.display = kept ? "" : "none"; // the style sheet shows rows as a grid, hidden or not
          count += kept;
        }
        section.hidden = !count;
        for (const number of [section.querySelector("h2 span"), links[place + 1].querySelector("b")]) number.textContent = count;
      });
      return chosen;
    };
    // A group, or a row, that the address names is for the style sheet.
    for (const mark of location.hash.slice(1).split(";")) {
      for (const box of boxes) if ([...box.options].some(option => option.value === mark)) box.value = mark;
    }
    for (const box of boxes) box.addEventListener("change", () => {
      const chosen = show().join(";");
      if (chosen) document.documentElement.dataset.state = chosen;
      else delete document.documentElement.dataset.state;
      history.replaceState(null, "", `#${chosen || "_data"}`);
    });
    for (const label of all("label", list)) label.hidden = false;
    show();
  };
  prepare();
  document.addEventListener("diglot:swapped", prepare);
})();
