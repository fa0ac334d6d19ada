"""New sites, articles, pages and figures as files, renamed articles, and JSON Schemas of what authors write.

`templates/` contains the files of a new site and the scripts of new figures, with `@NAME@` for what is filled
in; `workflows/` contains the workflows that check, build and publish a site.
"""
