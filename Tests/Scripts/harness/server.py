"""An HTTP server on loopback whose answers are made by a function, and which remembers every request."""
import collections
import contextlib
import http.server
import json
import socket
import threading
import urllib.parse

Answer = collections.namedtuple("Answer", "status headers body")


class Request:
    """`query` has the last value of each parameter; `target` is what stood in the request line."""

    def __init__(self, handler, body):
        parts = urllib.parse.urlsplit(handler.path)
        self.method, self.target, self.path = handler.command, handler.path, parts.path
        self.query = dict(urllib.parse.parse_qsl(parts.query, keep_blank_values=True))
        self.headers, self.body = handler.headers, body


def answer(value, status=200, **headers):
    return Answer(status, {name.replace("_", "-"): text for name, text in headers.items()}, value)


class Server(http.server.ThreadingHTTPServer):
    """Answers are sent whole in one piece: a killed client is the only thing that cuts one."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, respond):
        self.respond, self.seen, self.lock = respond, [], threading.Condition()
        # Ports of those whose connections are served.
        self.served = set()
        self.came = 0
        super().__init__(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server_address[1]}"

    def process_request(self, request, client_address):
        with self.lock:
            self.served.add(client_address[1])
            self.came = client_address[1]
            self.lock.notify_all()
        super().process_request(request, client_address)

    def process_request_thread(self, request, client_address):
        super().process_request_thread(request, client_address)
        with self.lock:
            self.served.discard(client_address[1])
            self.lock.notify_all()

    def settle(self, timeout=10):
        """Waits until all requests have been taken that a client sent which is gone: connections come in order."""
        with socket.create_connection(self.server_address) as last, self.lock:
            port = last.getsockname()[1]
            self.lock.wait_for(lambda: self.came == port, timeout)
        with self.lock:
            self.lock.wait_for(lambda: not self.served, timeout)

    def handle_error(self, request, client_address):
        """A client that was killed is no news."""

    def take(self, request):
        """One request after the other: what it sees and changes is one step."""
        with self.lock:
            self.seen.append(request)
            self.lock.notify_all()
            return self.respond(request)

    def wait_for(self, count, timeout):
        """Waits until so many requests have come; were they?"""
        with self.lock:
            return self.lock.wait_for(lambda: len(self.seen) >= count, timeout)

    def forget(self):
        """Gives the requests that came, and begins a new list."""
        with self.lock:
            seen, self.seen = self.seen, []
            return seen


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def handle_any(self):
        length = int(self.headers.get("Content-Length") or 0)
        given = self.server.take(Request(self, self.rfile.read(length) if length else b""))
        body = given.body if isinstance(given.body, bytes) else json.dumps(given.body).encode()
        headers = {"Content-Type": "application/json", "Content-Length": len(body), **given.headers}
        lines = [f"HTTP/1.1 {given.status} {self.responses.get(given.status, ('',))[0]}"]
        lines += [f"{name}: {text}" for name, text in headers.items()]
        self.wfile.write("\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body)

    do_GET = do_POST = handle_any  # noqa: N815, the names are http.server's

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def serving(respond):
    server = Server(respond)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
