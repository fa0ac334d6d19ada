/* The preview's own pages follow the reader's choice of light or dark, before anything is drawn. */
try {
  const theme = localStorage.getItem("diglot-theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {}
