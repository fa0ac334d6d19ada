"""Edits of front matter, in the halves and in the shared file `meta.yaml`."""

import random

from tests.hostile.edits.project import Half, Project

TAGS = ("roofline", "chips")


def _set(project: Project, name: str, **values: str | None) -> str:
    """Set keys in all halves of an article; None removes a key."""
    for language, half in project.halves(name).items():
        for key, value in values.items():
            if value is None:
                half.keys.pop(key, None)
            else:
                half.keys[key] = f" {value}"
        project.save(name, language, half)
    return f"{name} {values}"


def _without_meta(project: Project, key: str) -> list[str]:
    """Return the articles whose shared file does not set this key."""
    found = []
    for name in project.articles():
        path = project.meta_path(name)
        if project.halves(name) and not (project.is_file(path) and f"{key}:" in project.read(path)):
            found.append(name)
    return found


def _somewhere(project: Project, rng: random.Random, key: str, value: str | None) -> str | None:
    """Set a key in the halves of an article whose shared file does not set it."""
    names = _without_meta(project, key)
    return _set(project, rng.choice(names), **{key: value}) if names else None


def _having(project: Project, key: str) -> list[str]:
    return [n for n in project.articles() if any(key in half.keys for half in project.halves(n).values())]


def _in_one_half(project: Project, rng: random.Random, names: list[str], key: str, value: str) -> str | None:
    """Set a key in one half of one of these articles."""
    if not names:
        return None
    name = rng.choice(names)
    language, half = rng.choice(sorted(project.halves(name).items()))
    half.keys[key] = value
    project.save(name, language, half)
    return f"{name} {language}"


def change_a_title(project: Project, rng: random.Random) -> str | None:
    """Changes the title of one half."""
    return _in_one_half(project, rng, _having(project, "title"), "title", f" Title {rng.randrange(1000)}")


def quote_a_title(project: Project, rng: random.Random) -> str | None:
    """Sets a title with characters that are special in HTML and YAML."""
    return _somewhere(project, rng, "title", '"A <b> & \'c\': a #1 \\"title\\""')


def give_two_articles_one_title(project: Project, rng: random.Random) -> str | None:
    """Sets the same title in two articles, whose addresses stay different."""
    return (
        " and ".join(filter(None, [_somewhere(project, rng, "title", "The same") for _ in range(2)])) or None
    )


def forget_the_title(project: Project, rng: random.Random) -> str | None:
    """Removes the title, which is required."""
    return _somewhere(project, rng, "title", None)


def describe_an_article(project: Project, rng: random.Random) -> str | None:
    """Sets a description in place of the first paragraph."""
    return _somewhere(project, rng, "description", f"Words of its own, {rng.randrange(100)}.")


def take_a_description_out(project: Project, rng: random.Random) -> str | None:
    """Removes the description, so that the first paragraph describes the article again."""
    names = _having(project, "description")
    return _set(project, rng.choice(names), description=None) if names else None


def date_an_article_otherwise(project: Project, rng: random.Random) -> str | None:
    """Changes the date, so that the article has other neighbours."""
    return _somewhere(project, rng, "date", f"2026-{rng.randint(1, 11):02}-{rng.randint(1, 10):02}")


def date_two_articles_alike(project: Project, rng: random.Random) -> str | None:
    """Gives two articles the same date, so that their names decide the order."""
    names = _without_meta(project, "date")
    if len(names) < 2:
        return None
    return ", ".join(_set(project, name, date="2026-11-07") for name in rng.sample(names, 2))


def date_an_article_in_the_future(project: Project, rng: random.Random) -> str | None:
    """Sets a date until which the article may be left out."""
    return _somewhere(project, rng, "date", rng.choice(["2026-11-15", "2026-11-16", "2026-12-24"]))


def date_an_article_long_ago(project: Project, rng: random.Random) -> str | None:
    """Moves an article to the end of every list."""
    return _somewhere(project, rng, "date", f"19{rng.randint(10, 99)}-01-31")


def write_no_date(project: Project, rng: random.Random) -> str | None:
    """Sets an invalid date, or removes the date."""
    return _somewhere(project, rng, "date", rng.choice(["2026-02-30", "soon", None]))


def update_an_article(project: Project, rng: random.Random) -> str | None:
    """Sets the date of the last update."""
    return _somewhere(project, rng, "updated", f"2026-12-{rng.randint(1, 28):02}")


def forget_an_update(project: Project, rng: random.Random) -> str | None:
    """Removes the date of the last update."""
    names = _having(project, "updated")
    return _set(project, rng.choice(names), updated=None) if names else None


def make_it_a_draft(project: Project, rng: random.Random) -> str | None:
    """Turns an article into a draft, which may break links to it."""
    return _somewhere(project, rng, "draft", "true")


def publish_a_draft(project: Project, rng: random.Random) -> str | None:
    names = _having(project, "draft")
    return _set(project, rng.choice(names), draft=rng.choice(["false", None])) if names else None


def tag_an_article(project: Project, rng: random.Random) -> str | None:
    """Sets one or both of the tags that have labels."""
    return _somewhere(project, rng, "tags", rng.choice(["[roofline]", "[chips]", "[chips, roofline]"]))


def untag_an_article(project: Project, rng: random.Random) -> str | None:
    """Removes an article's tags; the page of a tag disappears with its last article."""
    names = _having(project, "tags")
    return _set(project, rng.choice(names), tags=rng.choice(["[]", None])) if names else None


def tag_with_a_word_that_has_no_label(project: Project, rng: random.Random) -> str | None:
    """Sets a tag without a label, which gives a warning and a page."""
    return _somewhere(project, rng, "tags", rng.choice(["[rooflime]", "[roofline, nobody-knows]"]))


def categorise_an_article(project: Project, rng: random.Random) -> str | None:
    """Sets categories; the first article of a category creates its pages."""
    return _somewhere(project, rng, "categories", rng.choice(["[hardware]", "[hardware, other]", "[]"]))


def take_the_categories_out(project: Project, rng: random.Random) -> str | None:
    """Removes an article's categories; with the last of them, the page of all categories disappears."""
    names = _having(project, "categories")
    return _set(project, rng.choice(names), categories=None) if names else None


def name_an_author(project: Project, rng: random.Random) -> str | None:
    """Sets a known, an unknown or no author."""
    return _somewhere(project, rng, "authors", rng.choice(["[ada]", "[bob]", "[]"]))


def say_who_wrote_it_no_more(project: Project, rng: random.Random) -> str | None:
    """Removes the authors."""
    names = _having(project, "authors")
    return _set(project, rng.choice(names), authors=None) if names else None


def add_an_alias(project: Project, rng: random.Random) -> str | None:
    """Adds an old address of an article."""
    number = rng.randrange(100)
    path = rng.choice([f"/old/{number}/", f"/{number}.html", f"/deep/er/{number}/", f"/zh/old-{number}/"])
    return _somewhere(project, rng, "aliases", f"[{path}]")


def add_an_alias_to_one_half(project: Project, rng: random.Random) -> str | None:
    """Adds an old address of one half only."""
    names = _without_meta(project, "aliases")
    if not names:
        return None
    name = rng.choice(names)
    language, half = rng.choice(sorted(project.halves(name).items()))
    half.keys["aliases"] = f" [/one-half-{rng.randrange(100)}/]"
    project.save(name, language, half)
    return f"{name} {language}"


def remove_aliases(project: Project, rng: random.Random) -> str | None:
    """Removes an article's old addresses."""
    names = _having(project, "aliases")
    return _set(project, rng.choice(names), aliases=None) if names else None


def swap_aliases(project: Project, rng: random.Random) -> str | None:
    """Exchanges the old addresses of two articles."""
    names = _without_meta(project, "aliases")
    if len(names) < 2:
        return None
    one, other = rng.sample(names, 2)
    paths = ["[/was-one/]", "[/was-other/]"]
    rng.shuffle(paths)
    return f"{_set(project, one, aliases=paths[0])}, {_set(project, other, aliases=paths[1])}"


def take_an_address_as_an_alias(project: Project, rng: random.Random) -> str | None:
    """Sets an alias that is a page's address, or may be another article's alias."""
    path = rng.choice(["/zh/", "/en/posts/alpha/", "/old/beta/", "/note.txt", "/tags/", "/sitemap.xml"])
    return _somewhere(project, rng, "aliases", f"[{path}]")


def set_a_slug(project: Project, rng: random.Random) -> str | None:
    """Sets an address that differs from the folder's name."""
    return _somewhere(project, rng, "slug", f"slug-{rng.randrange(30)}")


def take_a_slug_out(project: Project, rng: random.Random) -> str | None:
    """Removes the slug, so that the folder's name is the address again."""
    names = _having(project, "slug")
    return _set(project, rng.choice(names), slug=None) if names else None


def swap_slugs(project: Project, rng: random.Random) -> str | None:
    """Exchanges the addresses of two articles."""
    names = _without_meta(project, "slug")
    if len(names) < 2:
        return None
    one, other = rng.sample(names, 2)
    first, second = project.slug(one), project.slug(other)
    return f"{_set(project, one, slug=second)}, {_set(project, other, slug=first)}"


def take_a_slug_that_is_taken(project: Project, rng: random.Random) -> str | None:
    """Gives two articles the same address."""
    names = _without_meta(project, "slug")
    if len(names) < 2:
        return None
    one, other = rng.sample(names, 2)
    return _set(project, one, slug=project.slug(other))


def say_that_there_is_no_twin(project: Project, rng: random.Random) -> str | None:
    """Sets `only`, whether or not a twin exists."""
    names = project.articles()
    if not names:
        return None
    name = rng.choice(names)
    for language, half in sorted(project.halves(name).items()):
        half.keys["only"] = f" {language}"
        project.save(name, language, half)
        return f"{name} {language}"
    return None


def say_only_no_more(project: Project, rng: random.Random) -> str | None:
    """Removes `only`, whether or not a twin exists."""
    names = _having(project, "only")
    return _set(project, rng.choice(names), only=None) if names else None


def _meta(project: Project, name: str) -> dict[str, str]:
    path = project.meta_path(name)
    lines = project.read(path).splitlines() if project.is_file(path) else []
    return dict(line.split(":", 1) for line in lines if ":" in line and not line.startswith(("#", " ")))


def _write_meta(project: Project, name: str, keys: dict[str, str]) -> None:
    project.write(project.meta_path(name), "".join(f"{key}:{value}\n" for key, value in keys.items()))


def move_a_key_to_the_shared_file(project: Project, rng: random.Random) -> str | None:
    """Moves a key of the halves into the shared file."""
    movable = ("date", "tags", "categories", "authors", "draft", "slug", "updated", "aliases")
    found = [(n, key) for n in project.pairs() for key in movable if n in _having(project, key)]
    if not found:
        return None
    name, key = rng.choice(found)
    halves = project.halves(name)
    value = next(half.keys[key] for half in halves.values() if key in half.keys)
    _write_meta(project, name, {**_meta(project, name), key: value})
    _set(project, name, **{key: None})
    return f"{name} {key}"


def move_a_key_out_of_the_shared_file(project: Project, rng: random.Random) -> str | None:
    """Moves a key of the shared file into each half."""
    names = [name for name in project.articles() if project.halves(name) and _meta(project, name)]
    if not names:
        return None
    name = rng.choice(names)
    keys = _meta(project, name)
    key = rng.choice(sorted(keys))
    value = keys.pop(key)
    if "{" in value:
        return None
    _write_meta(project, name, keys)
    return _set(project, name, **{key: value.strip()})


def say_a_key_in_both_places(project: Project, rng: random.Random) -> str | None:
    """Sets a date in the halves that the shared file sets too, equal or not."""
    names = [name for name in project.articles() if project.halves(name) and _meta(project, name).get("date")]
    if not names:
        return None
    name = rng.choice(names)
    value = _meta(project, name)["date"].strip() if rng.random() < 0.7 else "2026-11-09"
    return _set(project, name, date=value)


def share_a_title(project: Project, rng: random.Random) -> str | None:
    """Moves the title into the shared file, in both languages."""
    names = project.pairs()
    if not names:
        return None
    name = rng.choice(names)
    number = rng.randrange(100)
    _write_meta(project, name, {**_meta(project, name), "title": f" {{zh: 题{number}, en: Shared {number}}}"})
    return _set(project, name, title=None)


def share_an_empty_file(project: Project, rng: random.Random) -> str | None:
    """Adds a shared file without keys to an article that has none."""
    names = [name for name in project.articles() if not project.is_file(project.meta_path(name))]
    if not names:
        return None
    project.write(project.meta_path(name := rng.choice(names)), rng.choice(["", "# nothing yet\n"]))
    return name


def remove_the_shared_file(project: Project, rng: random.Random) -> str | None:
    """Removes a shared file with all its keys."""
    names = [name for name in project.articles() if project.is_file(project.meta_path(name))]
    if not names:
        return None
    project.remove(project.meta_path(name := rng.choice(names)))
    return name


def break_the_shared_file(project: Project, rng: random.Random) -> str | None:
    """Writes invalid YAML, an unknown key, a key that is not allowed there, or a list."""
    names = project.articles()
    if not names:
        return None
    name = rng.choice(names)
    project.write(
        project.meta_path(name), rng.choice(["a: [\n", "datte: 2026-11-01\n", "only: zh\n", "- 1\n"])
    )
    return name


def differ_in_a_key(project: Project, rng: random.Random) -> str | None:
    """Sets different tags in the two halves."""
    names = [name for name in project.pairs() if name in _without_meta(project, "tags")]
    if not names:
        return None
    name = rng.choice(names)
    half = project.halves(name)["en"]
    half.keys["tags"] = " [roofline, chips, unlike]"
    project.save(name, "en", half)
    return name


def write_an_unknown_key(project: Project, rng: random.Random) -> str | None:
    """Adds a mistyped key."""
    return _somewhere(project, rng, "tagz", "[a]")


def write_a_key_twice(project: Project, rng: random.Random) -> str | None:
    """Repeats a key in one half."""
    names = _having(project, "title")
    if not names:
        return None
    name = rng.choice(names)
    language, half = rng.choice(sorted(project.halves(name).items()))
    path = project.half_path(name, language)
    if path is None:
        return None
    project.write(path, half.text.replace("---\n", "---\ntitle: Twice\n", 1))
    return f"{name} {language}"


def put_keys_in_another_order(project: Project, rng: random.Random) -> str | None:
    """Shuffles the keys, which changes only line numbers."""
    names = project.articles()
    if not names:
        return None
    name = rng.choice(names)
    for language, half in project.halves(name).items():
        keys = list(half.keys.items())
        rng.shuffle(keys)
        project.save(name, language, Half(dict(keys), half.blocks))
    return name


def spread_a_list_over_lines(project: Project, rng: random.Random) -> str | None:
    """Writes tags as a list over several lines."""
    names = _having(project, "tags")
    return _set(project, rng.choice(names), tags="\n  - roofline\n  - chips") if names else None


def write_a_wrong_type(project: Project, rng: random.Random) -> str | None:
    """Sets a string where a list or a boolean is required, or a list where a string is."""
    key, value = rng.choice(
        [("tags", "roofline"), ("draft", "perhaps"), ("aliases", "/old/"), ("slug", "[a]")]
    )
    return _somewhere(project, rng, key, value)


def let_an_article_expire(project: Project, rng: random.Random) -> str | None:
    """Sets a last day, which is past, to come or before the article's date, or removes it."""
    return _somewhere(project, rng, "expires", rng.choice([None, "2026-11-15", "2030-01-01", "2020-01-01"]))


def let_an_article_fall_back(project: Project, rng: random.Random) -> str | None:
    """Gives one article a page for readers of the other language, or refuses it one."""
    return _somewhere(project, rng, "fallback", rng.choice([None, "true", "false"]))


def give_an_article_params(project: Project, rng: random.Random) -> str | None:
    """Sets or removes values for templates."""
    return _somewhere(project, rng, "params", rng.choice([None, f"{{cover: c{rng.randrange(9)}.png}}"]))


def give_halves_different_slugs(project: Project, rng: random.Random) -> str | None:
    """Sets a slug in one half only."""
    return _in_one_half(project, rng, _without_meta(project, "slug"), "slug", f" slug-{rng.randrange(6)}")


def put_into_a_series(project: Project, rng: random.Random) -> str | None:
    """Makes an article a part of the series, with or without a number."""
    part = rng.choice([None, "1", "2", "7"])
    names = [name for name in _without_meta(project, "series") if name in _without_meta(project, "part")]
    return _set(project, rng.choice(names), series="ser", part=part) if names else None


def take_out_of_a_series(project: Project, rng: random.Random) -> str | None:
    """Takes a part out of its series."""
    names = _having(project, "series")
    return _set(project, rng.choice(names), series=None, part=None) if names else None
