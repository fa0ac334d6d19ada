"""A file with nearly the right name is never passed over in silence."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diglot.rules.building import Site
from diglot.rules.file_names import check_names
from diglot.rules.homes import PUBLISHED_NAMES, wrong_line
from diglot.rules.layouts import Misnamed, read_path
from diglot.rules.near_names import near_folder, near_miss, original_of
from diglot.rules.sources import POSTS
from tests.space import Space, errors, told

HALF = "---\ntitle: Text\ndate: 2026-11-01\n---\n\nText.\n"
DRAFT = "draft: true\n"

# Beside the articles a and b (folders), flat (files side by side) and apart (a folder for each language).
ROWS = """
error    content/posts/a/meta.yml                  rename it to content/posts/a/meta.yaml.
error    content/posts/a/Meta.yaml                 rename it to content/posts/a/meta.yaml.
error    content/posts/a/META.YAML                 rename it to content/posts/a/meta.yaml.
error    content/posts/a/meta.yaml.txt             rename it to content/posts/a/meta.yaml.
error    content/posts/a/meta.yam                  rename it to content/posts/a/meta.yaml.
error    content/posts/a/meta.ymal                 rename it to content/posts/a/meta.yaml.
error    content/posts/a/meta.json                 rename it to content/posts/a/meta.yaml.
error    content/posts/a/meta                      rename it to content/posts/a/meta.yaml.
error    content/posts/a/meta_yaml                 rename it to content/posts/a/meta.yaml.
error    content/posts/a/mete.yaml                 rename it to content/posts/a/meta.yaml.
error    content/posts/a/meat.yml                  rename it to content/posts/a/meta.yaml.
error    content/posts/a/metadata.yaml             rename it to content/posts/a/meta.yaml.
error    content/posts/a/meta-zh.yaml              rename it to content/posts/a/meta.yaml.
error    content/posts/a/zh.meta.yaml              rename it to content/posts/a/meta.yaml.
error    content/posts/a/_meta.yaml                rename it to content/posts/a/meta.yaml.
error    content/posts/a/meta (1).yaml             rename it to content/posts/a/meta.yaml.
error    content/posts/a/ｍｅｔａ.yaml              rename it to content/posts/a/meta.yaml.
error    content/posts/a/mеta.yaml                 rename it to content/posts/a/meta.yaml.
error    content/posts/a/front.yaml                rename it to content/posts/a/meta.yaml.
error    content/posts/a.meta.yml                  rename it to content/posts/a/meta.yaml.
error    content/posts/a-meta.yaml                 rename it to content/posts/a/meta.yaml.
error    content/posts/a.en.meta.yaml              rename it to content/posts/a/meta.yaml.
error    content/posts/a.yaml                      rename it to content/posts/a/meta.yaml.
error    content/posts/a.yml                       rename it to content/posts/a/meta.yaml.
error    content/posts/a.zh.yaml                   rename it to content/posts/a/meta.yaml.
error    content/posts/flat.yaml                   rename it to content/posts/flat.meta.yaml.
error    content/posts/flat.zh.yaml                rename it to content/posts/flat.meta.yaml.
error    content/posts/flat.en.yml                 rename it to content/posts/flat.meta.yaml.
error    content/posts/flat.zh-CN.yml              rename it to content/posts/flat.meta.yaml.
error    content/posts/meta.flat.yaml              rename it to content/posts/flat.meta.yaml.
error    content/posts/meta-flat.yml               rename it to content/posts/flat.meta.yaml.
error    content/posts/flat_metadata.json          rename it to content/posts/flat.meta.yaml.
error    content/posts/en.flat.yaml                rename it to content/posts/flat.meta.yaml.
error    content/posts/zh.flat.meta.yaml           rename it to content/posts/flat.meta.yaml.
error    content/zh/posts/apart.yaml               rename it to content/posts/apart.meta.yaml.
error    content/posts/a/sub/meta.yaml             move it to content/posts/a/meta.yaml.
error    content/posts/a/meta/meta.yml             rename it to content/posts/a/meta.yaml.
error    content/posts/a/figures/meta.yaml         move it to content/posts/a/meta.yaml.
error    content/posts/flat.meta.yml               rename it to content/posts/flat.meta.yaml.
error    content/posts/Flat.meta.yaml              rename it to content/posts/flat.meta.yaml.
error    content/posts/flat.mete.yaml              rename it to content/posts/flat.meta.yaml.
error    content/posts/flat-meta.yaml              rename it to content/posts/flat.meta.yaml.
error    content/zh/posts/apart.meta.yaml          move it to content/posts/apart.meta.yaml.
error    content/zh/posts/apart/meta.yml           rename it to content/posts/apart.meta.yaml.
error    content/posts/meta.yaml                   each article has its own.
error    content/posts/meta.yml                    each article has its own.
error    content/meta.yaml                         each article has its own.
error    content/zh/posts/meta.yaml                each article has its own.
warning  content/posts/c/meta.yaml                 each article has its own.
warning  content/posts/c.meta.yaml                 each article has its own.
warning  content/posts/a/Sync.txt                  rename it to content/posts/a/sync.txt.
warning  content/posts/a/sync.text                 rename it to content/posts/a/sync.txt.
warning  content/posts/a/synk.txt                  rename it to content/posts/a/sync.txt.
warning  content/posts/flat.sync.text              rename it to content/posts/flat.sync.txt.
error    content/posts/c/zh.markdown               rename it to content/posts/c/zh.md;
error    content/posts/c/zh.MD                     rename it to content/posts/c/zh.md;
error    content/posts/c/ZH.Md                     rename it to content/posts/c/zh.md;
error    content/posts/c/zh.mdx                    rename it to content/posts/c/zh.md;
error    content/posts/c/zh.qmd                    rename it to content/posts/c/zh.md;
error    content/posts/c/zh.Rmd                    rename it to content/posts/c/zh.md;
error    content/posts/c/zh.md.txt                 rename it to content/posts/c/zh.md;
error    content/posts/c/zh.nd                     rename it to content/posts/c/zh.md;
error    content/posts/c/zh                        rename it to content/posts/c/zh.md;
error    content/posts/c/index.zh.markdown         rename it to content/posts/c/index.zh.md;
error    content/posts/c/zh-cn.mkd                 rename it to content/posts/c/zh-cn.md;
error    content/posts/a/zh.markdown               move what you need of it into content/posts/a/zh.md,
error    content/posts/c.zh.markdown               rename it to content/posts/c.zh.md;
error    content/en/posts/c.mdx                    rename it to content/en/posts/c.md;
error    content/pages/p/q/en.markdown             rename it to content/pages/p/q/en.md;
error    content/talks/t/en.markdown               rename it to content/talks/t/en.md;
error    content/posts/c/zh copy.md                rename it to content/posts/c/zh.md;
error    content/posts/c/zh (1).markdown           rename it to content/posts/c/zh.md;
error    content/posts/c/cn.md                     rename it to content/posts/c/zh.md;
error    content/posts/c/english.md                rename it to content/posts/c/en.md;
error    content/posts/c/zh_en.md                  name it content/posts/c/zh.md
error    content/posts/2026/c/zh.md                rename it to content/posts/c/zh.md;
warning  content/Posts/c/zh.md                     move it to content/posts/c/zh.md;
warning  content/post/c/zh.md                      move it to content/posts/c/zh.md;
warning  content/post/c/zh.markdown                move it to content/posts/c/zh.md;
warning  content/page/c/zh.md                      move it to content/pages/c/zh.md;
warning  content/talk/c/zh.md                      move it to content/talks/c/zh.md;
warning  content/zh.md                             move it to content/pages/home/zh.md,
warning  content/posts/c/zh.docx                   write its text as Markdown, into content/posts/c/zh.md.
warning  content/posts/c/zh.txt                    write its text as Markdown, into content/posts/c/zh.md.
warning  content/posts/c.ipynb                     write its text as Markdown, into content/posts/c.md.
warning  content/posts/a/zh (Ada's conflicted copy).md  move what you need of it into
warning  content/posts/a/zh.sync-conflict-20261127-1.md  move what you need of it into
warning  content/posts/a/figure/x.py               rename it to content/posts/a/figures.
warning  content/posts/a/Figures/x.py              rename it to content/posts/a/figures.
warning  content/posts/a/figures/x.PY              rename it to content/posts/a/figures/x.py.
warning  content/site.yaml                         move what you need of it into site/site.yaml,
warning  content/posts/glossary.yml                rename it to site/glossary.yaml.
warning  content/tags.yaml                         move what it says below `tags:` there,
warning  figures/x.PY                              rename it to figures/x.py.
warning  figures/x.py.txt                          rename it to figures/x.py.
warning  figures/x.ipynb                           write what it does as figures/x.py;
warning  figure/x.py                               rename it to figures.
warning  Figures/x.py                              rename it to figures.
warning  template/article.html                     rename it to templates.
warning  contents/posts/c/zh.md                    move its files into content/.
warning  posts/c/zh.md                             move its files into content/posts/.
warning  templates/artcle.html                     rename it to templates/article.html.
warning  templates/Article.html                    rename it to templates/article.html.
warning  templates/article.html.j2                 rename it to templates/article.html.
warning  templates/page.html.jinja2                rename it to templates/article.html.
warning  templates/mine.html.j2                    rename it to templates/mine.html.
warning  templates/article.htm                     rename it to templates/article.html.
warning  templates/parts/article.html              move it to templates/article.html.
warning  templates/statics/x.css                   rename it to templates/static.
warning  templates/string/zh.yaml                  rename it to templates/strings.
warning  site/glossary.yml                         rename it to site/glossary.yaml.
warning  site/Glossary.yaml                        rename it to site/glossary.yaml.
warning  site/glosary.yaml                         rename it to site/glossary.yaml.
warning  site/words.yml                            rename it to site/words.yaml.
warning  site/words.yaml.txt                       rename it to site/words.yaml.
warning  site/hant.json                            rename it to site/hant.yaml.
warning  site/site.yml                             move what you need of it into site/site.yaml,
warning  site/_site.yaml                           move what you need of it into site/site.yaml,
warning  content/posts/a/zh (1).md                 move what you need of it into content/posts/a/zh.md
warning  content/posts/a/zh copy.md                move what you need of it into content/posts/a/zh.md
warning  content/posts/a/zh 副本.md                move what you need of it into content/posts/a/zh.md
warning  content/posts/a/副本 zh.md                move what you need of it into content/posts/a/zh.md
warning  content/posts/a/Copy of zh.md             move what you need of it into content/posts/a/zh.md
warning  content/posts/a/zh（1）.md                move what you need of it into content/posts/a/zh.md
error    content/posts/a/zh 2.md                   move what you need of it into content/posts/a/zh.md
error    content/posts/a/zh~.md                    move what you need of it into content/posts/a/zh.md
error    content/posts/a/zh_old.md                 move what you need of it into content/posts/a/zh.md
error    content/posts/a/zh-v2.md                  move what you need of it into content/posts/a/zh.md
error    content/posts/c/zh final.md               rename it to content/posts/c/zh.md;
warning  content/posts/c/zh.md.bak                 rename it to content/posts/c/zh.md, or delete it.
warning  content/posts/c/zh.md~                    rename it to content/posts/c/zh.md, or delete it.
warning  content/posts/c/zh.md.~1~                 rename it to content/posts/c/zh.md, or delete it.
warning  content/posts/c.en.md~                    rename it to content/posts/c.en.md, or delete it.
warning  content/posts/a/meta.yaml.bak             rename it to content/posts/a/meta.yaml, or delete it.
warning  content/posts/flat.meta.yaml~             rename it to content/posts/flat.meta.yaml, or delete it.
warning  content/posts/a/figures/x.py~             rename it to content/posts/a/figures/x.py, or delete it.
warning  figures/x.py.bak                          rename it to figures/x.py, or delete it.
warning  extensions/x.py~                          rename it to extensions/x.py, or delete it.
warning  site/glossary.yaml.bak                    rename it to site/glossary.yaml, or delete it.
warning  site/words.yaml~                          rename it to site/words.yaml, or delete it.
error    content/posts/a/.meta.yaml                rename it to content/posts/a/meta.yaml.
error    content/posts/.flat.meta.yml              rename it to content/posts/flat.meta.yaml.
warning  content/talks/t.yaml                      each article has its own.
warning  content/posts/c.yml                       each article has its own.
warning  figures/m = figure                        rename it to figures/m.py.
warning  figures/m.txt = figure                    rename it to figures/m.py.
warning  figures/m.p = figure                      rename it to figures/m.py.
warning  content/posts/a/figures/m = figure        rename it to content/posts/a/figures/m.py.
warning  extensions/m = extension                  rename it to extensions/m.py.
warning  extension/x.py = import                   rename it to extensions.
warning  Extensions/x.py = import                  rename it to extensions.
none     extension/x.py = module
none     figures/m
none     figures/_m = figure
none     figures/x.csv~
none     content/posts/a/.meta.yaml.swp
none     content/posts/a/._meta.yaml
none     content/posts/_c.md~
none     content/posts/a/table.csv~
none     site/costs.csv~
warning  site/site (1).yaml                        move what you need of it into site/site.yaml,
warning  site/static/securty.txt                   rename it to site/static/.well-known/security.txt.
warning  site/static/.well-known/securty.txt       rename it to site/static/.well-known/security.txt.
warning  site/static/ads.tx                        rename it to site/static/ads.txt.
warning  site/static/sitemap.xm                    delete it,
warning  site/static/llm.txt                       rename it to site/static/llms.txt.
warning  extention/x.py = extension                rename it to extensions.
warning  figurs/x.py = figure                      rename it to figures.
warning  templete/article.html                     rename it to templates.
warning  hardwares/x.yaml = chips                  rename it to site/hardware.
warning  conten/posts/z/en.md = half               move its files into content/.
warning  article/posts/z/en.md = half              move its files into content/.
warning  文章/z/en.md = half                       move its files into content/posts/.
warning  post/z/en.md = half                       move its files into content/posts/.
none     site/static/llms.txt
none     content_old/posts/z/en.md = half
none     figment/x.py
none     confetti/zh.md
warning  site/site (conflicted copy).yaml          move what you need of it into site/site.yaml,
warning  site/statics/x.png                        rename it to site/static.
warning  site/Static/x.png                         rename it to site/static.
warning  site/tags.yaml                            move what it says below `tags:` there,
warning  site/authors.yml                          move what it says below `authors:` there,
warning  site.yaml                                 move what you need of it into site/site.yaml,
warning  glossary.yaml                             move it to site/glossary.yaml.
warning  site/hardware/x.yml                       rename it to site/hardware/x.yaml.
warning  site/hardware/x.YAML                      rename it to site/hardware/x.yaml.
warning  site/hardware/more/x.yaml                 move it to site/hardware/x.yaml.
warning  static/favicon.ico                        rename it to site/static.
none     static/app.js
warning  static/robots.txt                         rename it to site/static.
warning  theme/base.html                           rename it to templates.
warning  hardware/z.yaml = chips                   rename it to site/hardware.
warning  chips/z.yaml = chips                      rename it to site/hardware.
warning  site/robots.txt                           move it to site/static/robots.txt.
warning  site/robot.txt                            rename it to site/static/robots.txt.
warning  site/static/.well_known/x.json            rename it to site/static/.well-known.
warning  site/static/well-known/x.json             rename it to site/static/.well-known.
warning  site/static/.htacess                      rename it to site/static/.htaccess.
warning  site/static/htaccess                      rename it to site/static/.htaccess.
warning  content/posts/a/notes.ipynb               begin its name with _.
warning  content/posts/alone/analysis.ipynb        begin its name with _.
none     content/posts/a/_draft.ipynb
warning  site/refs.bib                             rename it to site/references.bib.
warning  content/posts/a/refs.bib                  rename it to site/references.bib.
warning  content/posts/a/references.bib            move it to site/references.bib.
warning  content/references.bib                    move it to site/references.bib.
warning  paper.bib                                 rename it to site/references.bib.
warning  site/library.ris                          export it as BibTeX, into site/references.bib.
warning  site/ieee.csl                             choose one with `citations: {style: …}`
warning  site/static/404.htm                       delete it, or give it another name.
warning  site/static/index.htm                     delete it, or give it another name.
warning  site/static/robot.txt                     rename it to site/static/robots.txt.
warning  site/static/Robots.txt                    rename it to site/static/robots.txt.
warning  site/static/robots.txt.txt                rename it to site/static/robots.txt.
warning  site/static/CNAME.txt                     rename it to site/static/CNAME.
warning  site/static/_header                       rename it to site/static/_headers.
warning  site/static/redirects                     rename it to site/static/_redirects.
warning  site/static/favicon.icon                  rename it to site/static/favicon.ico.
none     site/static/deep/robot.txt
none     site/static/favicon.svg
none     site/static/headers.html
none     site/static/as.txt
none     site/static/.well-known/x.json
warning  site/logo.svg                             move it to site/static/logo.svg.
warning  site/base.html                            move it to templates/base.html if it is a template,
warning  site/templates/base.html                  rename it to templates.
warning  site/assets/x.png                         rename it to site/static.
warning  site/chips/b.yaml                         rename it to site/hardware.
warning  site/hardware/d.json                      write them into site/hardware/d.yaml.
warning  site/gloss.yaml                           rename it to site/glossary.yaml.
warning  site/hant-words.yaml                      rename it to site/hant.yaml.
warning  site/config.yaml                          move what you need of it into site/site.yaml,
warning  figures/qux.R                             write what it does as figures/qux.py;
warning  figures/qux.jl                            write what it does as figures/qux.py;
warning  content/pages/p/meta.yml                  each article has its own.
warning  content/talks/t/meta.yml                  each article has its own.
warning  content/_index.md                         move it to content/pages/home/zh.md or en.md,
warning  content/zh/posts/_index.zh.md             move it to content/pages/home/zh.md or en.md,
warning  content/CNAME                             move it to site/static/CNAME.
warning  content/menu.yaml                         move what it says below `navigation:` there,
warning  content/config.yml                        move what you need of it into site/site.yaml,
warning  content/figures/x.py = figure             move it to figures/x.py.
warning  content/posts/figures/x.py = figure       move it to figures/x.py.
warning  content/posts/a/x.py = figure             move it to content/posts/a/figures/x.py.
warning  content/posts/a/figures/old/x.py = figure  move it to content/posts/a/figures/x.py.
warning  figures/2026/x.py = figure                move it to figures/x.py.
warning  figures/x.js                              write what it does as figures/x.py;
warning  figures/x.ts                              write what it does as figures/x.py;
warning  figures/x.gnuplot                         write what it does as figures/x.py;
warning  figures/x.m                               write what it does as figures/x.py;
warning  templates/x.yaml                          move what you need of it into site/site.yaml,
warning  templates/theme.toml                      move what you need of it into site/site.yaml,
warning  templates/x.json                          move what you need of it into site/site.yaml,
warning  templates/style.css                       move it to templates/static/style.css.
warning  templates/main.js                         move it to templates/static/main.js.
warning  templates/x.py                            move it to figures/x.py.
warning  templates/single.html                     rename it to templates/article.html.
warning  templates/_default/baseof.html            rename it to templates/base.html.
warning  templates/strings/zh.yml                  rename it to templates/strings/zh.yaml.
warning  templates/strings/fr.yaml                 move what you need of it into these,
warning  site/sub/x.yaml                           move what you need of it into site/site.yaml,
warning  site/other.json                           move what you need of it into site/site.yaml,
warning  site/authors/ada.yaml                     move what you need of it into site/site.yaml,
warning  site/menu.yaml                            move what it says below `navigation:` there,
warning  site/about.md                             move it to content/pages/about/zh.md or
warning  site/roofline.py                          move it to figures/roofline.py.
warning  site/plot.ipynb                           write what it does as figures/plot.py;
warning  site/css/main.css                         rename it to site/static/css.
warning  site/deep/index.html                      or into site/static/ to publish it as it is.
warning  config.yaml = title                       move what you need of it into site/site.yaml,
warning  _config.yml = title                       move what you need of it into site/site.yaml,
warning  hugo.toml = title                         move what you need of it into site/site.yaml,
warning  mkdocs.yml = title                        move what you need of it into site/site.yaml,
warning  _quarto.yml = title                       move what you need of it into site/site.yaml,
warning  docusaurus.config.js = title              move what you need of it into site/site.yaml,
warning  astro.config.mjs = title                  move what you need of it into site/site.yaml,
warning  pelicanconf.py = title                    move what you need of it into site/site.yaml,
warning  _data/navigation.yml                      move what it says below `navigation:` there,
warning  CNAME                                     move it to site/static/CNAME.
warning  robots.txt                                move it to site/static/robots.txt.
warning  favicon.ico                               move it to site/static/favicon.ico.
warning  roofline.py = figure                      move it to figures/roofline.py.
warning  about.md = half                           move it to content/pages/about/zh.md or
warning  assets/CNAME                              rename it to site/static.
warning  plots/x.py = figure                       rename it to figures.
warning  _posts/2026-11-01-x.md = half             move its files into content/posts/.
warning  posts/x.md = half                         move its files into content/posts/.
warning  blog/x/zh.md                              move its files into content/posts/.
warning  src/content/posts/x/zh.md                 move its files into content/.
warning  src/pages/about.md = half                 rename it to content/pages.
warning  _layouts/post.html                        rename it to templates.
warning  i18n/en.yaml                              rename it to templates/strings.
error    content/posts/a/meta.y                    rename it to content/posts/a/meta.yaml.
error    content/posts/a/meta.ya                   rename it to content/posts/a/meta.yaml.
warning  content/posts/a/sync.t                    rename it to content/posts/a/sync.txt.
warning  content/posts/c/zh.html                   write its text as Markdown, into content/posts/c/zh.md.
warning  content/posts/c/index.htm                 write its text as Markdown, into content/posts/c/index.md.
warning  content/posts/a/figures/h.pyx             write what it does as content/posts/a/figures/h.py;
warning  figures/h.pyx                             write what it does as figures/h.py;
warning  extensions/x.PY                           rename it to extensions/x.py.
warning  extensions/x.pyw                          rename it to extensions/x.py.
warning  extensions/x.py.txt                       rename it to extensions/x.py.
warning  extensions/x.ipynb                        write what it does as extensions/x.py;
warning  extensions/more/x.py = extension          move it to extensions/x.py.
warning  site/extensions/x.py = extension          rename it to extensions.
warning  site/plugins/x.py = extension             rename it to extensions.
warning  site/x.py = extension                     move it to extensions/x.py.
warning  templates/x.py = extension                move it to extensions/x.py.
warning  figures/more/x.py = extension             move it to extensions/x.py.
warning  content/posts/a/x.py = extension          move it to extensions/x.py.
warning  x.py = extension                          move it to extensions/x.py.
warning  plugins/x.py = extension                  rename it to extensions.
warning  site/data/glossary.yaml                   move it to site/glossary.yaml.
warning  site/data/glossary.yml                    rename it to site/glossary.yaml.
warning  site/data/hant.yaml                       move it to site/hant.yaml.
warning  templates/glossary.yaml                   move it to site/glossary.yaml.
warning  _data/glossary.yml                        rename it to site/glossary.yaml.
warning  content/_posts/c/zh.md = half             move it to content/posts/c/zh.md;
none     content/posts/_draft/zh.md = half
none     content/posts/_draft/meta.yaml
none     content/posts/_draft/figures/x.py = figure
none     content/posts/a/_old/zh.md = half
none     content/pages/_old/p/zh.md = half
none     content/_drafts/c/zh.md = half
none     content/posts/a/zh.html
none     content/posts/a/demo.html
none     content/posts/demo.zh.html
none     content/posts/a/meta.xml
none     extensions/_x.py = extension
none     extensions/more/x.py = module
none     extensions/words.json
none     figures/_old/x.py = figure
none     site/_old/glossary.yaml
none     site/_old/main.css
none     site/hardware/_old/x.yaml
none     templates/_old/article.html
none     templates/_old/x.css
none     templates/strings/_old/zh.yaml
none     content/posts/a/_index.py = figure
none     figures/models/x.py
none     figures/x.json
none     figures/x.html
none     templates/README.md
none     templates/notes.txt
none     templates/static/x.yaml
none     site/LICENSE
none     site/_old.yaml
none     site/_old.md
none     site/site.fr.yaml
none     site/static/index.html
none     config.yaml
none     config.json
none     settings.yaml
none     site/site.schema.json
none     config.json = title
none     scripts/x.py = module
warning  astro.config.ts                           move what you need of it into site/site.yaml,
warning  scripts/x.py = figure                     rename it to figures.
none     pyproject.toml = title
none     package.json = title
none     docker-compose.yml = title
none     requirements.txt
none     README.md = half
none     about.md
none     build.py
none     static/css/x.css
none     assets/x.png
none     hardware/board.yaml
none     plots/x.py
none     scripts/x.py
none     posts/x.md
none     blog/x.md
none     docs/index.md = half
none     data/authors.yaml
none     site/costs.csv
none     site/README.md
none     site/notes/x.txt
none     static.md
none     hardware/board.kicad
none     content/data/meta.yaml
none     content/posts/flat.json
none     content/posts/flat-points.yaml = chips
warning  content/posts/flat.fr.yaml                each article has its own.
none     content/data/table.csv
none     content/posts/a/figures/points.csv
none     content/posts/a/stack.png
none     content/posts/a/zh.pdf
none     content/posts/a/zh.txt
none     content/posts/a/meta.png
none     content/posts/a/LICENSE
none     content/posts/a/tool.py
none     content/posts/a/notes.txt
none     content/posts/a/README.markdown
none     content/posts/a/_draft.markdown
none     content/posts/a/zh.md.orig
none     content/posts/a/zh.md.bak
none     content/posts/a/zh.md~
none     content/posts/a/#zh.md#
none     content/posts/a/.zh.md.swp
none     content/posts/a/.DS_Store
none     content/posts/a/Thumbs.db
none     content/pages/LICENSE
none     content/pages/p/data.txt
none     figures/_helper.PY
none     figures/points.csv
none     templates/mine.html
none     templates/static/artcle.html
none     site/site.prod.yaml
none     site/site-2.yaml
none     site/site.yaml.bak
none     site/static/meta.yml
none     site/hardware/README.md
none     src/site.yaml
none     words.md
"""


TEXTS = {
    "": DRAFT,
    "half": HALF,
    "title": "title: A site\nSITENAME = 'A site'\n",
    "chips": "chips:\n  - id: b7\n",
    "import": "import diglot.extending as extending\n",
    "module": 'TITLE = "A module"\n',
    "extension": "from diglot.extending import Feature\n\nfeature = Feature(checks=[])\n",
    "figure": 'TITLE = {"zh": "图", "en": "A figure"}\n\n\ndef compute():\n    return {}\n',
}
"""What the files of the rows contain, by the word after `=`."""


def rows() -> Iterator[tuple[str, str, str, str]]:
    """What is said of a file, its path, its text, and the end or the beginning of the fix."""
    for row in ROWS.strip().split("\n"):
        severity, rest = row.split(None, 1)
        named, _, fix = rest.partition("  ")
        path, _, text = named.partition(" = ")
        yield severity, path, TEXTS[text], fix.strip()


@pytest.fixture
def site(space: Space) -> Iterator[Site]:
    """A site with articles in every layout."""
    for name in ("a", "b"):
        space.post(name)
    for path in ("posts/flat.zh", "posts/flat.en", "zh/posts/apart", "en/posts/apart"):
        space.write(f"content/{path}.md", HALF)
    space.write("content/zh/.keep", "")
    with space.site() as site:
        yield site


def said_of(site: Site) -> list[tuple[str, str, str]]:
    """Severity, path and fix of what is said of the names of files."""
    report, _ = site.bring_up([check_names.key(None)])
    return [
        (one.severity, one.location.path, one.fix or "")
        for one in report.diagnostics
        if one.location is not None and one.rule not in ("pair-missing", "draft-half-missing", "host-line")
    ]


def test_files_with_nearly_right_names_are_reported_with_the_right_one(space: Space, site: Site) -> None:
    assert said_of(site) == []
    wrong = []
    for severity, path, text, fix in rows():
        space.write(path, text)
        found = said_of(site)
        match found:
            case []:
                is_right = severity == "none"
            case [(degree, place, advice)]:
                is_right = (degree, place) == (severity, path) and fix in advice
            case _:
                is_right = False
        if not is_right:
            wrong.append(f"{severity} {path}: {found}")
        space.remove(path)
    assert wrong == []
    assert said_of(site) == []


VARIANTS = {
    "stack.dark.png": None,
    "stack.zh.png": None,
    "stack.zh-CN.png": "zh",
    "stack.dark.PNG": "dark",
    "stack.Dark.png": "dark",
    "stack-dark.png": "dark",
    "stack_night.png": "dark",
    "stack.cn.png": "zh",
    "stack-en.png": "en",
    "stack.EN.png": "en",
    "stack.en-US.png": "en",
    "other.cn.png": None,  # there is no other.png
    "stack-engine.png": None,
    "shown-dark.png": None,  # the article shows it
}
"""What each file, next to `stack.png` and `shown.png`, is for."""


def test_pictures_for_dark_pages_and_for_a_language_have_nearly_right_names(space: Space, site: Site) -> None:
    for name in ("stack.png", "shown.png", *VARIANTS):
        space.write(f"content/posts/a/{name}", "")
    space.write("content/posts/a/en.md", f"{HALF}\n![Shown](shown-dark.png)\n")
    there = {"dark", "zh"}
    advice = {path.rpartition("/")[2]: fix for _, path, fix in said_of(site)}
    assert advice.keys() == {name for name, code in VARIANTS.items() if code is not None}
    wrong = {name for name, fix in advice.items() if f"/stack.{VARIANTS[name]}.png" not in fix}
    assert wrong == set()
    assert {name for name, fix in advice.items() if fix.startswith("move")} == {
        name for name, code in VARIANTS.items() if code in there
    }


def renamed(path: str, fix: str) -> str | None:
    """Where a file is once its fix was applied; None for a fix that renames nothing."""
    meant = fix.rstrip(".;").partition(" it to ")[2]
    if not meant or "," in meant or meant == "site/site.yaml":
        return None
    if meant.endswith("/.well-known"):
        return f"{meant}/x.json"
    if "." in meant.rpartition("/")[2] or meant.endswith(PUBLISHED_NAMES):
        return meant
    first = path.split("/", maxsplit=1)[0]
    depth = {"content": meant.count("/") + 1, "templates": meant.count("/") + 1, "site": 2}.get(first, 1)
    return "/".join([meant, *path.split("/")[depth:]])


def test_what_a_fix_says_removes_the_finding(space: Space, site: Site) -> None:
    wrong = []
    for _, path, text, fix in rows():
        target = renamed(path, fix)
        if target is None or target.startswith("templates/"):
            continue
        space.write(target, HALF if target.endswith(".md") else text)
        if said := [one for one in said_of(site) if one[1] in (path, target)]:
            wrong.append(f"{path} at {target}: {said}")
        space.remove(target)
    assert wrong == []


def test_lines_that_hosts_pass_over_are_known() -> None:
    wrong = {
        "CNAME": ("https://example.org", "example.org/blog", "a.org b.org", "a.org\nb.org", "localhost"),
        "_redirects": ("/old", "old /new"),
        "_headers": ("X-Frame-Options: DENY", "/*\nX-Frame-Options: DENY", "/*\n  X-Frame-Options DENY"),
        ".well-known/security.txt": ("ada@example.org",),
    }
    right = {
        "CNAME": ("example.org", "\ufeffwww.Example.org\r\n\n", "例子.中国", ""),
        "_redirects": ("# old\n/a /b 301!\n\nhttps://a.org/* /:splat 302 Country=cn\r\n",),
        "_headers": ("/*\n  X-Frame-Options: DENY\n  ! Link\n# x\nhttps://a.org/x\n\tA: b",),
        ".well-known/security.txt": ("Contact: mailto:a@b.org\nExpires: 2027-01-01T00:00:00Z",),
    }
    assert [(name, one) for name, texts in wrong.items() for one in texts if not wrong_line(name, one)] == []
    assert [(name, one) for name, texts in right.items() for one in texts if wrong_line(name, one)] == []


def test_a_line_that_hosts_pass_over_is_reported(space: Space, site: Site) -> None:
    space.write("site/static/CNAME", "# ours\nhttps://example.org\n")
    report, _ = site.bring_up([check_names.key(None)])
    assert [str(one).splitlines()[0] for one in report.diagnostics if one.rule == "host-line"] == [
        'site/static/CNAME:2:1: warning[host-line]: hosts pass over "https://example.org" in CNAME'
    ]


def test_a_site_whose_articles_are_in_another_folder_is_an_error(space: Space) -> None:
    for folder in ("contents", "article", "old/content", "posts"):
        below = "" if folder == "posts" else "posts/"
        space.write(f"{folder}/{below}a/zh.md", HALF)
        with space.site() as site:
            severities = [severity for severity, _, fix in said_of(site) if "content" in fix]
        assert severities == (["error"] if "/" not in folder else [])
        space.remove(f"{folder}/{below}a/zh.md")


def test_a_file_that_no_article_has_is_reported_beside_one_with_a_mistake_in_its_name(
    space: Space, site: Site
) -> None:
    space.write("content/posts/Bad/zh.md", HALF)
    space.write("content/posts/Worse.zh.md", HALF)
    for path in ("content/meta.yaml", "content/posts/meta.yaml", "content/zh/posts/meta.yaml"):
        space.write(path, DRAFT)
        assert [severity for severity, place, _ in said_of(site) if place == path] == ["error"]
        space.remove(path)
    for path in ("content/posts/Bad/meta.yaml", "content/posts/Worse.meta.yaml"):
        space.write(path, DRAFT)
        assert path not in [place for _, place, _ in said_of(site)]


def test_an_extension_in_a_folder_that_another_one_imports_may_stay(space: Space, site: Site) -> None:
    space.write("extensions/more/x.py", TEXTS["extension"])
    assert [path for _, path, _ in said_of(site)] == ["extensions/more/x.py"]
    space.write("extensions/all.py", "from more.x import feature\n")
    assert said_of(site) == []


def test_a_text_in_html_beside_halves_of_others_is_one_only_if_its_article_lacks_it(
    space: Space, site: Site
) -> None:
    space.write("content/posts/c.en.md", HALF.replace("date", "only: en\ndate"))
    space.write("content/posts/c.zh.html", "<p>")
    assert [fix for _, _, fix in said_of(site)] == ["write its text as Markdown, into content/posts/c.zh.md."]
    space.write("content/posts/c.zh.md", HALF)
    assert said_of(site) == []


def test_a_draft_in_a_file_with_another_ending_is_not_published(space: Space) -> None:
    space.post("a")
    space.write("content/posts/a/meta.yml", DRAFT)
    result = space.build()
    assert result.published is None
    assert told(result) == (
        'content/posts/a/meta.yml: error[file-name]: nothing reads "meta.yml": diglot reads "meta.yaml"\n'
        "  fix: rename it to content/posts/a/meta.yaml."
    )


def test_a_configuration_of_another_name_is_read(space: Space) -> None:
    (space.root / "site/site.yaml").rename(space.root / "site/site.yml")
    assert told(space.build(config="site/site.yml")) == ""


def test_a_name_that_becomes_wrong_and_right_again_is_noticed(space: Space) -> None:
    space.post("a")
    space.write("content/posts/a/meta.yaml", "tags: [roofline]\n")
    with space.site() as site:
        assert told(site.build()) == ""
        (space.root / "content/posts/a/meta.yaml").rename(space.root / "content/posts/a/meta.yml")
        assert [one.rule for one in errors(site.build())] == ["file-name"]
        (space.root / "content/posts/a/meta.yml").rename(space.root / "content/posts/a/meta.yaml")
        assert told(site.build()) == ""
        assert site.build().report.ran == ()


def test_data_beside_an_article_is_no_front_matter(space: Space, site: Site) -> None:
    space.write("content/posts/a/beta.yaml", "peak: 3\n")
    space.write("content/posts/a/points.yaml", "date: 2026-11-01\npeak: 3\n")
    assert said_of(site) == []


def test_a_template_that_another_one_uses_may_have_any_name(space: Space, site: Site) -> None:
    space.write("templates/articles.html", "<p>")
    space.write("templates/article.html", '{% include "articles.html" %}')
    assert said_of(site) == []


def test_a_link_to_a_file_that_is_where_other_generators_have_it_says_where_it_belongs(space: Space) -> None:
    rows = {
        "/img/x.pdf": ("static/img/x.pdf", "move static/img/x.pdf to site/static/img/x.pdf."),
        "y.pdf": ("assets/y.pdf", 'move assets/y.pdf to site/static/y.pdf and write "/y.pdf".'),
        "/static/z.pdf": ("static/z.pdf", 'move static/z.pdf to site/static/z.pdf and write "/z.pdf".'),
        "/site/static/u.pdf": ("site/static/u.pdf", 'write "/u.pdf".'),
        "v.pdf": ("site/static/v.pdf", 'write "/v.pdf".'),
        "/posts/b/w.pdf": ("content/posts/b/w.pdf", 'write "../b/w.pdf".'),
    }
    links = "\n\n".join(f"[A file]({target})" for target in rows)
    space.post("a", zh=links, en=links)
    space.post("b")
    for path, _ in rows.values():
        space.write(path, "%PDF")
    fixes = [one.fix for one in errors(space.build()) if one.location and one.location.path.endswith("en.md")]
    assert fixes == [fix for _, fix in rows.values()]
    for target, (path, fix) in rows.items():
        if "move" in fix:
            space.write(path.replace(path.partition("/")[0], "site/static", 1), "%PDF")
        for language in ("zh", "en"):
            written = fix.partition('write "')[2].rstrip('".') or target
            space.change(f"content/posts/a/{language}.md", f"({target})", f"({written})")
    assert told(space.build()) == ""


def test_data_that_a_script_or_a_template_names_is_read(space: Space, site: Site) -> None:
    named = (
        "site/prices.yaml",
        "site/more/prices.json",
        "figures/plot.gnuplot",
        "templates/parts/facts.json",
    )
    for path in named:
        space.write(path, "{}")
    assert sorted(path for _, path, _ in said_of(site)) == sorted(named)
    space.write("figures/x.py", "open('site/prices.yaml'), open('site/more/prices.json'), 'plot.gnuplot'")
    space.write("templates/article.html", '{% include "parts/facts.json" %}')
    assert said_of(site) == []
    space.remove("figures/x.py")
    assert len(said_of(site)) == 3


def test_what_an_extension_names_is_read(space: Space, site: Site) -> None:
    for path in ("site/prices.yaml", "extensions/form.js"):
        space.write(path, "{}")
    assert sorted(path for _, path, _ in said_of(site)) == ["extensions/form.js", "site/prices.yaml"]
    space.write("extensions/x.py", "open('site/prices.yaml'), open('extensions/form.js')")
    assert said_of(site) == []


def test_the_configuration_of_a_programs_documentation_is_left_alone(space: Space, site: Site) -> None:
    space.write("mkdocs.yml", "site_name: The library\n")
    assert [path for _, path, _ in said_of(site)] == ["mkdocs.yml"]
    space.write("docs/index.md", "# The library\n")
    assert said_of(site) == []


SITE_FILES = ("site.yaml", "glossary.yaml", "words.yaml", "hant.yaml")
LETTERS = st.sampled_from("abcdefghijklmnopqrstuvwxyzé")


@st.composite
def slips(draw: st.DrawFn, names: tuple[str, ...]) -> tuple[str, str]:
    """A known name and the same with one change: of case, of a letter, of the ending."""
    name = draw(st.sampled_from(names))
    stem, _, ending = name.rpartition(".")
    kind = draw(st.sampled_from(["case", "wrong", "missing", "added", "swapped", "ending", "separator"]))
    at = draw(st.integers(0, len(stem) - 1))
    letter = draw(LETTERS)
    match kind:
        case "case":
            return name, f"{stem[:at]}{stem[at].upper()}{stem[at + 1 :]}.{ending}"
        case "wrong":
            return name, f"{stem[:at]}{letter}{stem[at + 1 :]}.{ending}"
        case "missing":
            return name, f"{stem[:at]}{stem[at + 1 :]}.{ending}"
        case "added":
            return name, f"{stem[:at]}{letter}{stem[at:]}.{ending}"
        case "swapped":
            return name, f"{stem[:at]}{stem[at : at + 2][::-1]}{stem[at + 2 :]}.{ending}"
        case "separator":
            return name, draw(
                st.sampled_from([f"_{name}", f"{stem}_{ending}", f"{stem} .{ending}", f" {name}"])
            )
        case _:
            others = {
                "yaml": ["yml", "YAML", "yaml.txt", "json", "ymal", "toml"],
                "txt": ["TXT", "text", "tx"],
            }
            return name, f"{stem}.{draw(st.sampled_from(others[ending]))}"


@given(slips((*SITE_FILES, "meta.yaml", "sync.txt")))
def test_one_slip_in_a_known_name_is_noticed(slip: tuple[str, str]) -> None:
    known, name = slip
    miss = near_miss(name, (known,))
    assert (miss is None) == (name == known)


@given(
    st.sampled_from(["zh", "en", "index.zh"]),
    st.sampled_from(["markdown", "MD", "Md", "mdx", "qmd", "Rmd", "mkd", "md.txt", "nd"]),
)
def test_a_half_with_another_ending_is_noticed(stem: str, ending: str) -> None:
    found = read_path(f"content/posts/a/{stem}.{ending}", POSTS, "zh")
    assert isinstance(found, Misnamed)
    assert f"content/posts/a/{stem}.md" in found.fix


@pytest.mark.parametrize(
    ("name", "original"),
    [
        ("zh (1).md", "zh.md"),
        ("zh copy 2.md", "zh.md"),
        ("zh - Copy.md", "zh.md"),
        ("zh的副本.md", "zh.md"),
        ("zh - 副本 (2).md", "zh.md"),
        ("zh (冲突副本).md", "zh.md"),
        ("zh.md", None),
        ("merge-conflict.md", None),
        ("photocopy.md", None),
    ],
)
def test_copies_are_known_by_their_names(name: str, original: str | None) -> None:
    assert original_of(name) == original


def test_folders_are_known_by_their_words() -> None:
    known = ("figures", "static")
    nearly = {
        name: near_folder(name, known)
        for name in ("figure", "Figures", "figurs", "statics", "data", "static")
    }
    assert nearly == {
        **dict.fromkeys(("figure", "Figures", "figurs"), "figures"),
        "statics": "static",
        "data": None,
        "static": None,
    }


def test_a_folder_that_is_there_takes_the_files_of_a_misnamed_one(space: Space, site: Site) -> None:
    for right, wrong in (
        ("figures", "figure"),
        ("templates", "template"),
        ("site/static", "site/statics"),
        ("content/posts/a/figures", "content/posts/a/figure"),
    ):
        space.write(f"{right}/mine.html", "")
        name = "x.html" if wrong == "template" else "x.py"
        space.write(f"{wrong}/{name}", "")
        assert [fix for _, _, fix in said_of(site)] == [f"move its files into {right}/."]
        space.remove(f"{wrong}/{name}")


# A file that is read in each folder, and the same with another ending, in capitals and elsewhere.
EVERY_FOLDER = """
content/posts/a/meta.yaml  content/posts/a/meta.yml     content/posts/a/Meta.yaml  content/posts/a/b/meta.yaml
content/posts/a/en.md      content/posts/a/en.markdown  content/posts/a/EN.MD      content/post/a/en.md
content/pages/p/en.md      content/pages/p/en.mdx       content/pages/p/EN.MD      content/p/en.md
content/talks/t/en.md      content/talks/t/en.qmd       content/talks/t/En.Md      talks/t/en.md
site/glossary.yaml         site/glossary.json           site/Glossary.yaml         content/glossary.yaml
site/hardware/c.yaml       site/hardware/c.yml          site/hardware/c.YAML       site/chips/c.yaml
site/static/robots.txt     -                            site/Static/robots.txt     site/robots.txt
templates/base.html        templates/base.j2            templates/Base.html        site/base.html
templates/strings/zh.yaml  templates/strings/zh.yml     templates/strings/ZH.yaml  i18n/zh.yaml
figures/f.py               figures/f.py.txt             figures/f.PY               content/figures/f.py
extensions/f.py            extensions/f.py.txt          extensions/f.PY            site/extensions/f.py
"""


def test_every_folder_names_what_is_wrong_in_it(space: Space, site: Site) -> None:
    wrong = []
    for row in EVERY_FOLDER.strip().split("\n"):
        right, *others = row.split()
        kind = {"py": "figure", "md": "half"}.get(right.rpartition(".")[2], "")
        text = TEXTS["extension" if right.startswith("extensions/") else kind]
        for is_right_there in (False, True):
            before = {right: (space.root / right).read_text("utf-8")} if (space.root / right).exists() else {}
            if is_right_there:
                space.write(right, text)
            elif before:
                space.remove(right)
            for path in others:
                if path == "-":  # nothing is known of the names there
                    continue
                space.write(path, text)
                said = [(place, fix) for _, place, fix in said_of(site) if place == path]
                space.remove(path)
                if len(said) != 1 or (
                    is_right_there and "rename it to" in said[0][1] and right in said[0][1]
                ):
                    wrong.append(f"{path} beside {right}: {said}" if is_right_there else f"{path}: {said}")
            if is_right_there and not before:
                space.remove(right)
            for kept, content in before.items():
                space.write(kept, content)
    assert wrong == []


def test_every_folder_names_links_that_lead_nowhere_and_in_circles(space: Space, site: Site) -> None:
    folders = {row.split()[0].rpartition("/")[0] for row in EVERY_FOLDER.strip().split("\n")}
    wrong = []
    for folder in sorted(folders):
        (space.root / folder).mkdir(parents=True, exist_ok=True)
        link = space.root / folder / "x.yaml"
        for target, why in (
            ("gone", 'is a link to "gone", which is not there'),
            ("x.yaml", 'is a link to "x.yaml", which leads back to it'),
            (".", 'is a link to ".", a folder that contains it'),
            ("..", 'is a link to "..", a folder that contains it'),
        ):
            link.symlink_to(target)
            report, _ = site.bring_up([check_names.key(None)])
            messages = [one.message for one in report.diagnostics if one.rule == "file-name"]
            if messages != [f'nothing can read "x.yaml": it {why}']:
                wrong.append(f"{folder}/x.yaml to {target}: {messages}")
            link.unlink()
    assert wrong == []


LINKS = (
    *("content/posts/a/meta.yaml", "content/posts/a/zh.md", "content/posts/c", "site/glossary.yaml"),
    *("site/static/x.png", "site/hardware/x.yaml", "figures/x.py", "templates/base.html"),
)


@pytest.mark.parametrize("path", LINKS)
def test_a_link_that_leads_nowhere_is_an_error_until_its_target_is_there(space: Space, path: str) -> None:
    space.post("a")
    space.write("elsewhere", "")
    if (link := space.root / path).exists():
        link.unlink()
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(space.root / "nowhere")
    message = f'nothing can read "{link.name}": it is a link to "{space.root}/nowhere", which is not there'
    result = space.build()
    assert message in [one.message for one in errors(result)], told(result)
    link.unlink()
    space.post("a")
    assert message not in told(space.build())


def test_a_link_is_read_once_its_target_appears_and_again_once_it_is_gone(tmp_path: Path) -> None:
    space, clean = Space(tmp_path / "incremental"), Space(tmp_path / "clean")
    for each in (space, clean):
        each.post("a")
        for path in ("site/static/note.txt", "content/posts/b", "content/posts/a/meta.yaml"):
            (each.root / path).parent.mkdir(parents=True, exist_ok=True)
            (each.root / path).symlink_to(each.root / "elsewhere" / path.rpartition("/")[2])
    with space.site() as site:
        assert [one.location.path for one in errors(site.build()) if one.location] == [
            "content/posts/a/meta.yaml",
            "content/posts/b",
            "site/static/note.txt",
        ]
        for each in (space, clean):
            each.write("elsewhere/meta.yaml", "tags: [roofline]\n")
            each.write("elsewhere/note.txt", "A note.")
            each.write("elsewhere/b/zh.md", HALF)
            each.write("elsewhere/b/en.md", HALF)
        assert told(site.build()) == told(clean.build()) == ""
        assert space.outputs() == clean.outputs()
        space.remove("elsewhere")
        assert len(errors(site.build())) == 3


@pytest.mark.parametrize("path", ["site/hardware/x.yaml", "figures/points.csv"])
def test_a_script_that_reads_a_link_that_leads_nowhere_adds_no_mistake_of_its_own(
    space: Space, path: str
) -> None:
    space.post("a", zh="{eval}`chips.peak`", en="{eval}`chips.peak`")
    reading = "load_catalogue()" if path.endswith(".yaml") else f"open({path!r})"
    imports = "from diglot.hardware import load_catalogue\n\n"
    title = 'TITLE = {"zh": "芯片", "en": "Chips"}\n\n'
    script = f"{imports}{title}def compute():\n    return {{'peak': len({reading})}}\n"
    space.write("figures/chips.py", script)
    link = space.root / path
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to("gone")
    message = f'nothing can read "{link.name}": it is a link to "gone", which is not there'
    assert [(one.message, one.detail) for one in errors(space.build())] == [(message, None)]


def test_a_pipe_is_an_error(space: Space) -> None:
    space.post("a")
    (space.root / "site/static").mkdir(parents=True)
    os.mkfifo(space.root / "site/static/pipe")
    assert 'nothing can read "pipe": it is not a regular file' in told(space.build())
