"""An editor that speaks to a real server process, for tests that wait for it."""

import asyncio
import os
import sys
import threading
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.lsp.client import LanguageClient

_LONGEST_S = 120.0


class Editor:
    """Opens files of a site and asks about them. Positions are found by a text and `|` in it."""

    def __init__(self, root: Path, *, encodings: tuple[str, ...] = ()) -> None:
        self.root = root
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._client = LanguageClient("test", "1")
        self._changed = threading.Condition()
        self.diagnostics: dict[str, types.PublishDiagnosticsParams] = {}
        self.logged: list[str] = []
        self.shown: list[types.ShowDocumentParams] = []
        self.texts: dict[str, str] = {}
        self._versions: dict[str, int] = {}
        self._listen()
        self._run(self._client.start_io(sys.executable, "-m", "diglot", "lsp"))
        self.server = self._run(self._client.initialize_async(self._hello(encodings)))
        self._loop.call_soon_threadsafe(self._client.initialized, types.InitializedParams())

    def _hello(self, encodings: tuple[str, ...]) -> types.InitializeParams:
        general = types.GeneralClientCapabilities(position_encodings=[*encodings] or None)
        window = types.WindowClientCapabilities(
            show_document=types.ShowDocumentClientCapabilities(support=True)
        )
        return types.InitializeParams(
            process_id=os.getpid(),
            root_uri=self.root.as_uri(),
            capabilities=types.ClientCapabilities(general=general, window=window),
        )

    def _listen(self) -> None:
        @self._client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def _(params: types.PublishDiagnosticsParams) -> None:
            with self._changed:
                self.diagnostics[self._path(params.uri)] = params
                self._changed.notify_all()

        @self._client.feature(types.WINDOW_LOG_MESSAGE)
        @self._client.feature(types.WINDOW_SHOW_MESSAGE)
        def _(params: types.LogMessageParams) -> None:
            self.logged.append(params.message)

        @self._client.feature(types.WINDOW_SHOW_DOCUMENT)
        def _(params: types.ShowDocumentParams) -> types.ShowDocumentResult:
            self.shown.append(params)
            return types.ShowDocumentResult(success=True)

    def _run(self, coroutine: Awaitable[Any]) -> Any:
        async def wait() -> Any:
            return await asyncio.wait_for(coroutine, _LONGEST_S)

        return asyncio.run_coroutine_threadsafe(wait(), self._loop).result()

    def _tell(self, call: Callable[[Any], None], params: object) -> None:
        self._loop.call_soon_threadsafe(call, params)

    def _path(self, uri: str) -> str:
        from urllib.parse import unquote

        return Path(unquote(uri.removeprefix("file://"))).relative_to(self.root).as_posix()

    def uri(self, path: str) -> str:
        return (self.root / path).as_uri()

    def open(self, path: str, text: str | None = None) -> None:
        """Show a file, with another text than its own if one is given, and wait for what is said of it."""
        shown = (self.root / path).read_bytes().decode() if text is None else text
        self.texts[path], self._versions[path] = shown, 1
        item = types.TextDocumentItem(uri=self.uri(path), language_id="markdown", version=1, text=shown)
        self._tell(self._client.text_document_did_open, types.DidOpenTextDocumentParams(text_document=item))
        self.wait_for(path)

    def type(self, path: str, text: str) -> None:
        """Replace the text of an open file, and wait for what is said of it."""
        self.texts[path] = text
        self._versions[path] += 1
        self._tell(
            self._client.text_document_did_change,
            types.DidChangeTextDocumentParams(
                text_document=types.VersionedTextDocumentIdentifier(
                    uri=self.uri(path), version=self._versions[path]
                ),
                content_changes=[types.TextDocumentContentChangeWholeDocument(text=text)],
            ),
        )
        self.wait_for(path)

    def wait_for(self, path: str, is_due: Callable[[list[types.Diagnostic]], bool] = lambda _: True) -> None:
        """Wait until the newest text of a file was looked at, and what is said of it is as expected."""

        def is_there() -> bool:
            said = self.diagnostics.get(path)
            return said is not None and said.version == self._versions[path] and is_due([*said.diagnostics])

        with self._changed:
            assert self._changed.wait_for(is_there, _LONGEST_S), (
                path,
                self.diagnostics.get(path),
                self.logged,
            )

    def wait_until(self, is_due: Callable[[], bool]) -> None:
        """Ask again after each look until an answer is as expected."""
        end = time.monotonic() + _LONGEST_S
        while not is_due():  # asking needs the thread that hears of news, so no lock is held meanwhile
            assert time.monotonic() < end, (self.diagnostics, self.logged)
            with self._changed:
                self._changed.wait(0.2)

    def said(self, path: str) -> list[types.Diagnostic]:
        return [*self.diagnostics[path].diagnostics]

    def rules(self, path: str) -> list[str]:
        return [str(one.code) for one in self.said(path)]

    def at(self, path: str, marked: str, units: str = "utf-16-le") -> types.Position:
        """The position of the `|` in a part of an open text, which is there once."""
        before, _, after = marked.partition("|")
        text = self.texts[path]
        assert text.count(before + after) == 1, (
            f"{before + after!r} is there {text.count(before + after)} times"
        )
        offset = text.index(before + after) + len(before)
        line = text.count("\n", 0, offset)
        written = text[text.rfind("\n", 0, offset) + 1 : offset]
        width = {"utf-16-le": 2, "utf-8": 1, "utf-32-le": 4}[units]
        return types.Position(line=line, character=len(written.encode(units)) // width)

    def ask(self, method: str, params: object) -> Any:
        async def send() -> Any:
            return await self._client.protocol.send_request_async(method, params)

        return self._run(send())

    def where(self, path: str, marked: str) -> dict[str, Any]:
        return {
            "text_document": types.TextDocumentIdentifier(uri=self.uri(path)),
            "position": self.at(path, marked),
        }

    def complete(self, path: str, marked: str) -> dict[str, types.CompletionItem]:
        found = self.ask(types.TEXT_DOCUMENT_COMPLETION, types.CompletionParams(**self.where(path, marked)))
        return {item.label: item for item in found or ()}

    def complete_at_end(self, path: str) -> dict[str, types.CompletionItem]:
        lines = self.texts[path].split("\n")
        at = types.Position(line=len(lines) - 1, character=len(lines[-1].encode("utf-16-le")) // 2)
        document = types.TextDocumentIdentifier(uri=self.uri(path))
        params = types.CompletionParams(text_document=document, position=at)
        return {item.label: item for item in self.ask(types.TEXT_DOCUMENT_COMPLETION, params) or ()}

    def hover(self, path: str, marked: str) -> str:
        found = self.ask(types.TEXT_DOCUMENT_HOVER, types.HoverParams(**self.where(path, marked)))
        return "" if found is None else found.contents.value

    def define(self, path: str, marked: str) -> list[tuple[str, int]]:
        """Paths and lines, from 1."""
        found = self.ask(types.TEXT_DOCUMENT_DEFINITION, types.DefinitionParams(**self.where(path, marked)))
        return [(self._path(one.uri), one.range.start.line + 1) for one in found or ()]

    def rename(self, path: str, marked: str, new: str) -> dict[str, str]:
        """The texts of the files after a renaming."""
        params = types.RenameParams(**self.where(path, marked), new_name=new)
        edit = self.ask(types.TEXT_DOCUMENT_RENAME, params)
        changes = {self._path(uri): edits for uri, edits in edit.changes.items()}
        return {one: edited(self._text(one), edits) for one, edits in changes.items()}

    def actions(self, path: str, marked: str) -> dict[str, types.CodeAction]:
        at = self.at(path, marked)
        params = types.CodeActionParams(
            text_document=types.TextDocumentIdentifier(uri=self.uri(path)),
            range=types.Range(start=at, end=at),
            context=types.CodeActionContext(diagnostics=[]),
        )
        return {one.title: one for one in self.ask(types.TEXT_DOCUMENT_CODE_ACTION, params) or ()}

    def after(self, path: str, action: types.CodeAction) -> str:
        """The text of a file after an action."""
        assert action.edit is not None
        return edited(self._text(path), [*action.edit.changes[self.uri(path)]])

    def _text(self, path: str) -> str:
        return self.texts.get(path) or (self.root / path).read_bytes().decode()

    def save(self, path: str) -> None:
        (self.root / path).write_text(self.texts[path], "utf-8")
        identifier = types.TextDocumentIdentifier(uri=self.uri(path))
        self._tell(
            self._client.text_document_did_save, types.DidSaveTextDocumentParams(text_document=identifier)
        )

    def close(self) -> int:
        """End as an editor ends, and return the exit status of the server."""
        self._run(self._client.shutdown_async(None))
        self._tell(self._client.exit, None)
        process = self._client._server
        status = self._run(process.wait())
        self._run(self._client.stop())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        return int(status)


def edited(text: str, edits: list[types.TextEdit]) -> str:
    """A text after edits of an editor that counts in UTF-16."""
    lines = text.split("\n")

    def offset(at: types.Position) -> int:
        units = lines[at.line].encode("utf-16-le")[: 2 * at.character]
        return sum(len(line) + 1 for line in lines[: at.line]) + len(units.decode("utf-16-le"))

    for edit in sorted(edits, key=lambda one: offset(one.range.start), reverse=True):
        text = text[: offset(edit.range.start)] + edit.new_text + text[offset(edit.range.end) :]
    return text
