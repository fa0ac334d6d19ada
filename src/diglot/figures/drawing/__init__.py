"""How figures look: palette, style, axes and marks, and the SVG and other files a drawing becomes."""
