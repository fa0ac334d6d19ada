/* Figures and pictures in all of the window, where their reader asks for it (aids.js makes the buttons); wider ones
   scroll. */
{
  const made = (name, className, ...children) => {
    const element = Object.assign(document.createElement(name), { className });
    element.append(...children);
    return element;
  };
  const drawingOf = figure => {
    const drawing = figure.querySelector(":scope > .drawing");
    const width = svg => svg.viewBox.baseVal?.width ?? 0;
    const svg = [...drawing.querySelectorAll("svg")].reduce((best, one) => (width(one) > width(best) ? one : best)).cloneNode(true);
    svg.style.width = `min(100%, (100dvh - 90px) * ${width(svg) / svg.viewBox.baseVal.height})`;
    svg.style.minWidth = `${width(svg)}px`;
    const box = made("div", "drawing", svg);
    box.setAttribute("role", "img");
    box.setAttribute("aria-label", drawing.getAttribute("aria-label") ?? "");
    return box;
  };
  const pictureOf = (picture, box) => {
    const copy = box.cloneNode(true);
    const image = copy.matches("img") ? copy : copy.querySelector("img");
    for (const name of ["width", "height", "style"]) image.removeAttribute(name);
    for (const source of copy.querySelectorAll("source[sizes]")) source.sizes = "max(100vw, 680px)";
    // A phone scrolls it.
    image.style.minWidth = `min(${picture.getAttribute("width") ?? picture.naturalWidth}px, 680px)`;
    return copy;
  };
  document.addEventListener("click", event => {
    const button = event.target.closest?.("button.larger");
    if (!button) return;
    const picture = button.closest(".larger-box")?.querySelector("img");
    const figure = button.closest("figure");
    const words = document.querySelector("main").dataset;
    const close = Object.assign(made("button", "close", words.close), { type: "button", lang: button.lang });
    const shown = picture ? pictureOf(picture, button.previousElementSibling) : drawingOf(figure);
    const dialog = made("dialog", "large", close, made("div", "", shown));
    dialog.setAttribute("aria-label", picture ? picture.alt || words.larger : figure.querySelector("figcaption b")?.textContent ?? "");
    dialog.onclick = ({ target }) => { if (target.closest("button") || !target.closest("svg, img")) dialog.close(); };
    dialog.onclose = () => dialog.remove();
    document.body.append(dialog);
    dialog.showModal();
  });
}
