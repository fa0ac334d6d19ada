/* The page of a chip: a second column with the numbers of another chip, chosen from a list. The numbers of each
   chip are a file of their own. Without this script the list is a line of links to their pages. */
{
  const language = () => (document.documentElement.lang === "en" ? "en" : "zh");
  const dataOf = url => new URL(url.replace(/\/(?:zh|(zh-hant)|en)\/hardware\/([^/]+)\/(?:index\.html)?$/, (_, traditional, chip) => `/hardware/${chip}${traditional ? `.${traditional}` : ""}.json`), location.href);
  const element = (name, text, attributes = {}) => {
    const made = document.createElement(name);
    made.textContent = text;
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };
  const slugOf = url => url.replace(/\/(index\.html)?$/, "").split("/").pop();
  const remember = slug => {
    const address = new URL(location.href);
    slug ? address.searchParams.set("with", slug) : address.searchParams.delete("with");
    history.replaceState(history.state, "", address);
  };

  const clear = table => {
    for (const row of table.querySelectorAll("tr[data-fact], thead tr")) {
      for (const cell of [...row.cells].slice(3)) cell.replaceWith(element("td", "", { class: "r" }));
    }
    table.querySelector("tbody.more")?.remove();
  };
  const show = (table, line, other) => {
    clear(table);
    const head = table.tHead.rows[0];
    const name = element("th", "", { scope: "col", class: "r" });
    name.append(element("span", other.name, { class: other.mark }));
    head.cells[3].replaceWith(name);
    head.cells[4].replaceWith(element("th", line.dataset.ratio, { scope: "col", class: "r" }));
    const rest = new Map(Object.entries(other.facts));
    for (const row of table.querySelectorAll("tr[data-fact]")) {
      const fact = rest.get(row.dataset.fact);
      rest.delete(row.dataset.fact);
      row.cells[3].textContent = fact?.text ?? "–";
      if (fact?.value && row.dataset.value) row.cells[4].textContent = (row.dataset.value / fact.value).toPrecision(3);
    }
    if (!rest.size) return;
    // What only the other chip has comes last, so that this chip's own numbers stay where they are.
    const more = element("tbody", "", { class: "more" });
    const title = element("tr", "", { class: "group" });
    title.append(element("th", line.dataset.more.replace("{chip}", other.name), { scope: "rowgroup", colspan: 5 }));
    more.append(title);
    for (const fact of rest.values()) {
      const row = element("tr", "");
      row.append(
        element("th", fact[language()], { scope: "row" }),
        element("td", fact.unit, { class: "unit" }),
        ...["–", fact.text, ""].map(text => element("td", text, { class: "r" })),
      );
      more.append(row);
    }
    table.append(more);
  };

  const begin = () => {
    const line = document.querySelector("[data-compare]");
    if (!line) return;
    const table = document.querySelector("table.facts");
    const links = new Map([...line.querySelectorAll("a")].map(link => [slugOf(link.href), link]));
    const select = element("select", "");
    select.append(new Option(line.dataset.alone, ""), ...[...links].map(([slug, link]) => new Option(link.textContent, slug)));
    const label = element("label", `${line.dataset.compare} `);
    label.append(select);
    line.replaceChildren(label);
    const choose = async slug => {
      const link = links.get(slug);
      if (!link) return clear(table);
      const answer = await fetch(dataOf(link.href));
      if (answer.ok && select.value === slug) show(table, line, await answer.json());
    };
    select.addEventListener("change", () => {
      remember(select.value);
      choose(select.value);
    });
    const asked = new URL(location.href).searchParams.get("with") ?? chosen;
    if (links.has(asked)) {
      select.value = asked;
      remember(asked);
      choose(asked);
    }
    select.addEventListener("change", () => { chosen = select.value; });
    chosen = select.value;
  };
  let chosen = "";
  begin();
  // The toggle puts the page of the other language in the place of this one: the choice stays.
  document.addEventListener("diglot:swapped", begin);
}
