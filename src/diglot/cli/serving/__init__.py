"""`diglot serve`."""

from diglot.cli.command import Command, option, whole_number

command = Command(
    name="serve",
    about="preview the site, rebuilding on every save",
    group="see",
    run="diglot.cli.serving.running:run",
    detail=(
        "Build the site, serve it to this machine only, and on every save rebuild it and update the open\n"
        "pages. The preview shows drafts and future articles, so it has its own output folder,\n"
        ".diglot/preview. Errors appear here and in the browser, over the last good page."
    ),
    epilog="examples:\n  diglot serve --open\n  diglot serve --port 8080 --poll",
    output_help="build into this folder and serve it (default: .diglot/preview, in the project)",
    options={
        "--host": option(
            "loopback address to listen on: 127.0.0.1 (default), localhost or ::1", default="127.0.0.1"
        ),
        "-p --port": option(
            "port to listen on (default: 8000, or the next free one); 0 means any free port",
            whole_number("a port", 0, 65535),
        ),
        "--open": "open the home page in the browser",
        "--follow": (
            "after a save, show the block that changed in the open pages; a button at /__diglot/ turns "
            "this on and off in a browser"
        ),
        "--poll": (
            "look for changes twice a second, for file systems that do not report them: network drives, "
            "virtual machines, containers"
        ),
        "--no-reload": option(
            "serve pages exactly as they will be published, without live updates",
            dest="reload",
            action="store_false",
        ),
    },
)
