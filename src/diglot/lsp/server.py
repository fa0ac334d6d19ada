"""Speaks the Language Server Protocol: receives texts and questions, sends diagnostics and answers."""

import asyncio
import logging
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer

from diglot import __version__
from diglot.diagnostics import Diagnostic, Refusal
from diglot.lsp.analysing import Analysis, Analyst, OpenText
from diglot.lsp.asked import Asked
from diglot.lsp.completing import TRIGGERS, complete
from diglot.lsp.defining import define
from diglot.lsp.hovering import hover
from diglot.lsp.knowledge import Known
from diglot.lsp.mending import FIX_ALL, actions, shown
from diglot.lsp.outlining import outline
from diglot.lsp.parsing import parsed
from diglot.lsp.places import Text, path_in, path_of, uri_of
from diglot.lsp.renaming import rename, renamed_range
from diglot.lsp.twins import SHOW_TWIN, lenses, page_place, twin_place
from diglot.rules.options import SiteOptions

TWIN, PAGE = "diglot/twin", "diglot/page"
"""Requests of diglot's own: the twin of the block at a position, and its place on the page."""
_REQUEST_FAILED = -32803
_LONGEST_START_S = 20.0
"""Seconds that a question waits for the first look at a site."""
_WATCHED = "**/*.{md,py,yaml,yml,bib,json,csv,ipynb}"

_Answer = TypeVar("_Answer")


class SiteServer(LanguageServer):
    """The server of one site."""

    options: SiteOptions
    """Of the site, once the editor has said where it is."""

    def __init__(self) -> None:
        super().__init__("diglot", __version__, text_document_sync_kind=types.TextDocumentSyncKind.Full)
        self._known = Known()
        self._by_path: Mapping[str, tuple[Diagnostic, ...]] = {}
        self._analyst: Analyst | None = None
        self._looked = asyncio.Event()

    def begin(self) -> None:
        """Look at the site for the first time."""
        loop = asyncio.get_running_loop()
        self._analyst = Analyst(
            self.options,
            done=lambda found: _tell(loop, self._show, found),
            say=lambda text: _tell(loop, self._log, text),
        )
        self.look()

    def end(self) -> None:
        """End the looks and their processes. The protocol may ask for it, and the end of its input again."""
        analyst, self._analyst = self._analyst, None
        if analyst is not None:
            analyst.stop()

    def look(self) -> None:
        """Look at the site with the texts as the editor holds them now."""
        if self._analyst is not None:
            self._analyst.ask(self._texts())

    def _texts(self) -> dict[str, OpenText]:
        documents = self.workspace.text_documents
        paths = {uri: path_in(self.options.root, uri) for uri in documents}
        return {
            path: OpenText(text=documents[uri].source, version=documents[uri].version)
            for uri, path in paths.items()
            if path is not None
        }

    def read(self, path: str) -> str:
        """The text of a file as the editor shows it, or as it was saved; empty for one that is not there."""
        for uri, document in self.workspace.text_documents.items():
            if path_in(self.options.root, uri) == path:
                source: str = document.source
                return source
        try:
            return (self.options.root / path).read_bytes().decode("utf-8", "replace").removeprefix("\ufeff")
        except OSError:
            return ""

    def text(self, path: str) -> Text:
        """The same, in the units of the editor."""
        return Text(self.read(path), self._encoding)

    @property
    def _encoding(self) -> str:
        return self.workspace.position_encoding or types.PositionEncodingKind.Utf16

    def asked(self, uri: str, position: types.Position) -> Asked | None:
        """A place in a file of the site; None for another file."""
        path = path_in(self.options.root, uri)
        if path is None:
            return None
        return Asked(
            root=self.options.root,
            config=self.options.config,
            path=path,
            text=self.text(path),
            position=position,
            known=self._known,
            read=self.read,
        )

    async def answer(
        self, uri: str, position: types.Position, make: Callable[[Asked], _Answer], without: _Answer
    ) -> _Answer:
        """What is made of a place once the site was looked at; for a file that is not in it, `without`."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._looked.wait(), _LONGEST_START_S)
        asked = self.asked(uri, position)
        if asked is None:
            return without
        try:
            return make(asked)
        except Refusal as refusal:
            raise JsonRpcException(f"{refusal.message}: {refusal.fix}", _REQUEST_FAILED) from None

    def diagnostics_of(self, path: str) -> tuple[Diagnostic, ...]:
        """What the last look says of a file."""
        return self._by_path.get(path, ())

    def _show(self, found: Analysis) -> None:
        self._known = found.known
        by_path: dict[str, list[Diagnostic]] = {path: [] for path in found.texts}
        for one in found.diagnostics:
            path = one.location.path if one.location is not None else self.options.config
            by_path.setdefault(path, []).append(one)
        for path in {*self._by_path, *by_path}:
            held = found.texts.get(path)
            text = Text(held.text, self._encoding) if held is not None else self.text(path)
            self.text_document_publish_diagnostics(
                types.PublishDiagnosticsParams(
                    uri=uri_of(self.options.root, path),
                    version=held.version if held is not None else None,
                    diagnostics=[shown(one, text) for one in by_path.get(path, ())],
                )
            )
        self._by_path = {path: tuple(own) for path, own in by_path.items() if own}
        self._looked.set()

    def _log(self, text: str) -> None:
        self.window_log_message(types.LogMessageParams(type=types.MessageType.Error, message=text))


def _tell(loop: asyncio.AbstractEventLoop, call: Callable[[Any], None], what: object) -> None:
    with suppress(RuntimeError):  # the loop has ended meanwhile
        loop.call_soon_threadsafe(call, what)


FindOptions = Callable[[Path | None], SiteOptions]
"""Finds the site in the folder that an editor has opened, or above it. Raises Refusal if there is none."""


def make_server(find_options: FindOptions) -> SiteServer:
    """A server, which speaks once it is started."""
    server = SiteServer()

    @server.feature(types.INITIALIZE)
    def _(params: types.InitializeParams) -> None:
        folders = [*(params.workspace_folders or ())]
        uri = folders[0].uri if folders else params.root_uri
        try:
            server.options = find_options(path_of(uri) if uri else None)
        except Refusal as refusal:
            raise JsonRpcException(f"{refusal.message}: {refusal.fix}", _REQUEST_FAILED) from None

    _follow_texts(server)
    _answer_about_words(server)
    _answer_about_halves(server)
    return server


def _follow_texts(server: SiteServer) -> None:
    """Look again when a text or a file changes."""

    @server.feature(types.INITIALIZED)
    def _(_params: types.InitializedParams) -> None:
        server.begin()
        folders = server.client_capabilities.workspace
        watching = folders.did_change_watched_files if folders is not None else None
        if watching is not None and watching.dynamic_registration:
            options = types.DidChangeWatchedFilesRegistrationOptions(
                watchers=[types.FileSystemWatcher(glob_pattern=_WATCHED)]
            )
            registration = types.Registration(
                id="files", method=types.WORKSPACE_DID_CHANGE_WATCHED_FILES, register_options=options
            )
            server.client_register_capability(types.RegistrationParams(registrations=[registration]))

    def look(_params: Any) -> None:
        server.look()

    for event in (
        *(types.TEXT_DOCUMENT_DID_OPEN, types.TEXT_DOCUMENT_DID_CHANGE, types.TEXT_DOCUMENT_DID_SAVE),
        *(types.TEXT_DOCUMENT_DID_CLOSE, types.WORKSPACE_DID_CHANGE_WATCHED_FILES),
    ):
        server.feature(event)(look)

    @server.feature(types.SHUTDOWN)
    def _(_params: None) -> None:
        server.end()


def _answer_about_words(server: SiteServer) -> None:
    """Completion, hover, definition and rename."""

    @server.feature(types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=[*TRIGGERS]))
    async def _(params: types.CompletionParams) -> list[types.CompletionItem]:
        return await server.answer(params.text_document.uri, params.position, complete, [])

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def _(params: types.HoverParams) -> types.Hover | None:
        return await server.answer(params.text_document.uri, params.position, hover, None)

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    async def _(params: types.DefinitionParams) -> list[types.Location]:
        return await server.answer(params.text_document.uri, params.position, define, [])

    @server.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)
    async def _(params: types.PrepareRenameParams) -> types.PrepareRenamePlaceholder | None:
        found = await server.answer(params.text_document.uri, params.position, renamed_range, None)
        return None if found is None else types.PrepareRenamePlaceholder(range=found[0], placeholder=found[1])

    @server.feature(types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True))
    async def _(params: types.RenameParams) -> types.WorkspaceEdit | None:
        def make(asked: Asked) -> types.WorkspaceEdit | None:
            return rename(asked, params.new_name)

        return await server.answer(params.text_document.uri, params.position, make, None)


def _answer_about_halves(server: SiteServer) -> None:
    """Code actions, symbols, and the way to the other half and to the page."""
    kinds = [types.CodeActionKind.QuickFix, FIX_ALL]

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(code_action_kinds=kinds))
    async def _(params: types.CodeActionParams) -> list[types.CodeAction]:
        lines = range(params.range.start.line, params.range.end.line + 1)

        def make(asked: Asked) -> list[types.CodeAction]:
            return actions(asked, server.diagnostics_of(asked.path), lines)

        return await server.answer(params.text_document.uri, params.range.start, make, [])

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    async def _(params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
        def make(asked: Asked) -> list[types.DocumentSymbol]:
            half = asked.half
            document = parsed(asked.text.text, asked.path, half.language) if half is not None else None
            return outline(document, asked.text) if document is not None else []

        return await server.answer(params.text_document.uri, _START, make, [])

    @server.feature(types.TEXT_DOCUMENT_CODE_LENS)
    async def _(params: types.CodeLensParams) -> list[types.CodeLens]:
        return await server.answer(params.text_document.uri, _START, lenses, [])

    @server.feature(TWIN)
    async def _(params: Any) -> types.Location | None:
        return await server.answer(params.textDocument.uri, _position(params.position), twin_place, None)

    @server.feature(PAGE)
    async def _(params: Any) -> Mapping[str, str] | None:
        return await server.answer(params.textDocument.uri, _position(params.position), page_place, None)

    @server.command(SHOW_TWIN)
    async def _(uri: str, position: Any) -> types.Location | None:
        at = position if isinstance(position, types.Position) else types.Position(**dict(position))
        place = await server.answer(uri, at, twin_place, None)
        window = server.client_capabilities.window
        if place is not None and window is not None and window.show_document is not None:
            server.window_show_document(
                types.ShowDocumentParams(uri=place.uri, take_focus=True, selection=place.range)
            )
        return place


_START = types.Position(line=0, character=0)


def _position(given: Any) -> types.Position:
    return types.Position(line=given.line, character=given.character)


def serve(find_options: FindOptions) -> None:
    """Speak over standard input and output until the editor ends."""
    logging.getLogger("pygls").setLevel(logging.CRITICAL)  # what goes wrong is answered
    with _own_streams() as (stdin, stdout):
        server = make_server(find_options)
        try:
            server.start_io(stdin, stdout)
        finally:
            server.end()


@contextmanager
def _own_streams() -> Iterator[tuple[BinaryIO, BinaryIO]]:
    """Standard input and output for the protocol alone: what figures print goes to the errors."""
    with (
        os.fdopen(os.dup(sys.stdin.fileno()), "rb") as stdin,
        os.fdopen(os.dup(sys.stdout.fileno()), "wb") as stdout,
        open(os.devnull, "rb") as nothing,
    ):
        os.dup2(nothing.fileno(), sys.stdin.fileno())
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
        yield stdin, stdout
