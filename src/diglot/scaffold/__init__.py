"""New sites, articles, pages and figures as files, renamed articles, and JSON Schemas of what authors write.

`templates/` holds the files of a new site and the scripts of new figures, as they are written but for names
between two @; `workflows/` those that check, build and publish a site.
"""
