"""Quantities in prose: `4.8 TB/s`, `2–4 倍`, `20-25%`, `百分之六十五`, `twice`, read to values with units."""
