/* Applies the reader's choice of light or dark to the preview's own pages, before anything is drawn. */
try {
  const theme = localStorage.getItem("diglot-theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {}
