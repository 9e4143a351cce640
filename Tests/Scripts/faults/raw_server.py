"""A server on loopback that sends what it is told, byte by byte, whether it is HTTP or not."""

import contextlib
import socket
import struct
import threading
import time

CLOSE, RESET, HANG = "close", "reset", "hang"


class RawServer:
    """`respond` gets the number of the request (from 1) and its head, and gives steps.

    A step is bytes to send, a pause in seconds, CLOSE, RESET, or HANG (until the client goes). An iterator may go on
    for ever. Where nothing closes the connection, the next request on it is read.
    """

    def __init__(self, respond):
        self.respond, self.heads, self.sent = respond, [], 0
        self.lock, self.ended = threading.Lock(), threading.Event()
        self.socket = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self.socket.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        threading.Thread(target=self.accept, daemon=True).start()

    @property
    def targets(self):
        return [head.split(b" ")[1].decode("latin-1") for head in self.heads]

    def accept(self):
        while not self.ended.is_set():
            try:
                connection, _ = self.socket.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        with connection, contextlib.suppress(OSError):
            while head := self.read_head(connection):
                with self.lock:
                    self.heads.append(head)
                    steps = self.respond(len(self.heads), head)
                if not all(self.take(connection, step) for step in steps):
                    return

    @staticmethod
    def read_head(connection):
        """A request's head; its body is read and left out. Nothing when the client is gone."""
        data = b""
        while b"\r\n\r\n" not in data:
            part = connection.recv(65536)
            if not part:
                return b""
            data += part
        head, body = data.split(b"\r\n\r\n", 1)
        length = next(
            (int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")),
            0,
        )
        while len(body) < length:
            body += connection.recv(65536) or b"\0" * length
        return head

    def take(self, connection, step):
        """Does a step; goes the connection on?"""
        if isinstance(step, bytes):
            connection.sendall(step)
            self.sent += len(step)
        elif step == RESET:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            return False
        elif step == HANG:
            while connection.recv(65536):
                pass
            return False
        elif step == CLOSE:
            connection.shutdown(socket.SHUT_WR)
            return False
        else:
            time.sleep(step)
        return not self.ended.is_set()

    def close(self):
        self.ended.set()
        with contextlib.suppress(OSError):
            self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()


@contextlib.contextmanager
def raw(respond):
    server = RawServer(respond)
    try:
        yield server
    finally:
        server.close()


def head(*lines, status="200 OK", kind="application/json"):
    """The head of an answer, up to its empty line."""
    first = [f"HTTP/1.1 {status}"] + ([f"Content-Type: {kind}"] if kind else [])
    return "\r\n".join([*first, *lines]).encode("latin-1") + b"\r\n\r\n"


def whole(body, *lines, status="200 OK", kind="application/json"):
    """An answer with its length."""
    body = body if isinstance(body, bytes) else body.encode()
    return head(*lines, f"Content-Length: {len(body)}", status=status, kind=kind) + body


def chunk(data):
    return f"{len(data):x}\r\n".encode() + data + b"\r\n"


def scened(part, scene, respond):
    """The part of a group as it is called: on a scene of its own, whose server answers by `respond`."""

    def judge(checks, where, _):
        with raw(respond) as server:
            part(scene(checks, where, server))

    return judge
