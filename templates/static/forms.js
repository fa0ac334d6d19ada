/* Forms: answers to a reader's numbers are looked up in a table. Both this script and the table are
   fetched when a reader first reaches for a form. */
{
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const filled = (text, values) => text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
  const number = (value, digits = 0) => value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits }).replace("-", "−");
  /* As a whole number of the last digit that a field has. */
  const read = ({ value, dataset }) => {
    const plain = value.normalize("NFKC").replace(/[\s,]/g, "");
    const number = /^\d{1,9}(\.\d*)?$/.test(plain) ? Number(plain) * 10 ** (dataset.digits ?? 0) : NaN;
    return dataset.digits || Number.isInteger(number) ? Math.round(number) : NaN;
  };

  const tables = new Map();
  const load = url => {
    if (!tables.has(url)) {
      const table = fetch(url).then(answer => answer.ok ? answer.json() : Promise.reject(new Error(answer.statusText)));
      tables.set(url, table.then(found => {
        for (const values of Object.values(found)) for (let n = 1; n < values.length; n++) values[n] += values[n - 1];
        return found;
      }));
      table.catch(() => tables.delete(url));
    }
    return tables.get(url);
  };

  const prepare = form => {
    const inputs = all("input[data-values]", form);
    const fields = inputs.map(input => ({ input, label: input.dataset.label, values: input.dataset.values.split(" ").map(Number) }));
    const rows = all("tr[data-name]", form).map(row => ({ ...row.dataset, digits: Number(row.dataset.digits), row }));
    const presets = all("input[type=radio]", form);
    /* A field whose first number stands there without commas, such as a year, has none. */
    const shown = (n, value) => /^\d{4}/.test(inputs[n].defaultValue) ? String(value) : number(value / 10 ** (inputs[n].dataset.digits ?? 0), Number(inputs[n].dataset.digits ?? 0));
    const said = form.querySelector(".said");
    const shapeOf = values => fields.map(({ label }, n) => `${label} = ${shown(n, values[n])}`).join(form.dataset.separator);
    const tell = (text, isBad) => { said.textContent = text; said.classList.toggle("bad", isBad); };

    /* The computed values around a number: [place, weight], one or two of them. */
    const around = (values, value) => {
      const above = values.findIndex(one => one >= value);
      if (values[above] === value) return [[above, 1]];
      const share = (value - values[above - 1]) / (values[above] - values[above - 1]);
      return [[above - 1, 1 - share], [above, share]];
    };
    const corners = sides => sides.reduce((found, side, n) => found.flatMap(({ at, weight, places }) =>
      side.map(([place, share]) => ({ at: at * fields[n].values.length + place, weight: weight * share, places: [...places, place] }))
    ), [{ at: 0, weight: 1, places: [] }]);

    const text = ({ unit, digits }, value) => number(value, digits) + (unit === "%" ? "%" : unit && `\u00a0${unit}`);
    const show = (answer, table, found, near) => {
      const values = found.map(({ at }) => table[answer.name][at] / 10 ** answer.digits);
      const low = Math.min(...values), high = Math.max(...values);
      const value = answer.between === "nearest" ? values[found.indexOf(near)] : found.reduce((sum, { weight }, n) => sum + weight * values[n], 0);
      answer.row.querySelector(".value").textContent = (answer.between === "monotone" && low < high ? "≈\u00a0" : "") + text(answer, value);
      answer.row.querySelector(".around").textContent = low === high ? "" : filled(form.dataset.range, { low: text(answer, low), high: text(answer, high) });
      answer.row.querySelector("rect")?.setAttribute("width", `${Math.min(100, Math.max(0, value))}%`);
    };

    let turn = 0;
    const ask = async () => {
      const mine = ++turn;
      const values = inputs.map(read);
      const isBad = fields.map(({ values: known }, n) => !(values[n] >= known[0] && values[n] <= known.at(-1)));
      inputs.forEach((input, n) => { isBad[n] ? input.setAttribute("aria-invalid", "true") : input.removeAttribute("aria-invalid"); });
      for (const preset of presets) preset.checked = preset.value === values.join(" ");
      const first = isBad.indexOf(true);
      if (first >= 0) {
        const { label, values: known } = fields[first];
        return tell(filled(form.dataset.bad, { field: label, low: shown(first, known[0]), high: shown(first, known.at(-1)) }), true);
      }
      let table;
      try { table = await load(form.dataset.answers); } catch { return mine === turn && tell(form.dataset.failed, true); }
      if (mine !== turn) return;
      const found = corners(fields.map((field, n) => around(field.values, values[n])));
      const near = found.reduce((best, one) => one.weight > best.weight ? one : best);
      for (const answer of rows) show(answer, table, found, near);
      const nearest = near.places.map((place, n) => fields[n].values[place]);
      tell(filled(found.length > 1 ? form.dataset.near : form.dataset.computed, { shape: shapeOf(values), near: shapeOf(nearest) }), false);
    };

    for (const [n, input] of inputs.entries()) {
      input.addEventListener("focus", () => { load(form.dataset.answers).catch(() => {}); input.select(); });
      input.addEventListener("input", ask);
      input.addEventListener("blur", () => { const value = read(input); if (!Number.isNaN(value)) input.value = shown(n, value); });
      input.addEventListener("keydown", event => {
        const by = { ArrowUp: 1, ArrowDown: -1 }[event.key] * (event.shiftKey ? 128 : 1);
        const value = read(input);
        if (!by || Number.isNaN(value)) return;
        event.preventDefault();
        const { values } = fields[n];
        input.value = shown(n, Math.min(values.at(-1), Math.max(values[0], value + by)));
        ask();
      });
    }
    const take = preset => {
      preset.value.split(" ").forEach((value, n) => { inputs[n].value = shown(n, Number(value)); });
      ask();
    };
    for (const preset of presets) preset.addEventListener("change", () => take(preset));
    form.addEventListener("submit", event => event.preventDefault());
    // What a reader did before this script was there.
    const chosen = presets.find(one => one.checked && !one.defaultChecked);
    if (chosen) take(chosen);
    else if (inputs.some(input => input.value !== input.defaultValue)) ask();
  };

  const prepared = new WeakSet();
  const prepareAll = () => {
    for (const form of all("form.ask").filter(one => !prepared.has(one))) {
      prepared.add(form);
      prepare(form);
    }
  };
  prepareAll();
  document.addEventListener("diglot:swapped", prepareAll);
}
