"""Connects a port of a sandbox, which has no network, with the Unix socket through which the worker lets it out.

It runs as a process in the sandbox. Programs there use the port like any server on 127.0.0.1.
"""

from __future__ import annotations

import selectors
import socket

_CHUNK = 256 * 1024


def run(listener: int, path: str) -> None:
    """Serves a listening socket until the process is killed."""
    Relay(socket.socket(fileno=listener), path).run()


class _End:
    """One end of a connection, and what still has to be sent to it."""

    def __init__(self, end: socket.socket) -> None:
        self.socket = end
        self.other: _End = self
        self.waiting = bytearray()
        #: No more bytes come from the other end.
        self.last = False
        self.ended = False
        self.closed = False


class Relay:
    """Copies bytes between accepted connections and connections to the Unix socket, in one thread."""

    def __init__(self, listener: socket.socket, path: str) -> None:
        self._listener = listener
        self._path = path
        self._selector = selectors.DefaultSelector()
        listener.setblocking(False)
        self._selector.register(listener, selectors.EVENT_READ)

    def run(self) -> None:
        while True:
            for key, events in self._selector.select():
                if key.data is None:
                    self._accept()
                elif not key.data.closed:
                    self._move(key.data, events)

    def _accept(self) -> None:
        try:
            accepted, _ = self._listener.accept()
        except BlockingIOError:
            return
        except OSError:
            # The limit of open files: the next connection that closes makes space.
            self._selector.unregister(self._listener)
            return
        outside = None
        try:
            outside = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            outside.connect(self._path)
        except OSError:
            accepted.close()
            if outside is not None:
                outside.close()
            return
        a, b = _End(accepted), _End(outside)
        a.other, b.other = b, a
        for end in (a, b):
            end.socket.setblocking(False)
            self._selector.register(end.socket, selectors.EVENT_READ, end)

    def _move(self, end: _End, events: int) -> None:
        try:
            if events & selectors.EVENT_WRITE:
                self._send(end)
            if events & selectors.EVENT_READ:
                self._receive(end)
            if end.ended and end.other.ended:
                self._close(end)
                return
            self._watch(end)
            self._watch(end.other)
        except BlockingIOError:
            return
        except OSError:
            self._close(end)

    def _receive(self, end: _End) -> None:
        received = end.socket.recv(_CHUNK)
        other = end.other
        if received:
            other.waiting += received
        else:
            end.ended = True
            other.last = True
        self._send(other)

    def _send(self, end: _End) -> None:
        if end.waiting:
            try:
                del end.waiting[: end.socket.send(end.waiting)]
            except BlockingIOError:
                return
        if end.last and not end.waiting:
            end.last = False
            end.socket.shutdown(socket.SHUT_WR)

    def _watch(self, end: _End) -> None:
        # Reads no more from one end until the other has taken what was read.
        wanted = selectors.EVENT_WRITE if end.waiting else 0
        if not end.ended and not end.other.waiting:
            wanted |= selectors.EVENT_READ
        known = end.socket in self._selector.get_map()
        if not wanted:
            if known:
                self._selector.unregister(end.socket)
        elif known:
            self._selector.modify(end.socket, wanted, end)
        else:
            self._selector.register(end.socket, wanted, end)

    def _close(self, end: _End) -> None:
        for one in (end, end.other):
            if one.socket in self._selector.get_map():
                self._selector.unregister(one.socket)
            one.socket.close()
            one.closed = True
        if self._listener not in self._selector.get_map():
            self._selector.register(self._listener, selectors.EVENT_READ)
