"""A server on 127.0.0.1 that answers by a function, and what a folder holds."""
import contextlib
import hashlib
import http.server
import json
import os
import threading


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        status, headers, value = self.server.answer(self.path, self.headers)
        body = b"" if value is None else json.dumps(value).encode()
        with contextlib.suppress(OSError):
            self.send_response(status)
            for name, text in {"Content-Type": "application/json", **headers}.items():
                self.send_header(name, text)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def server(answer):
    """`answer` takes path and headers, and gives status, headers and the value; the URL is yielded."""
    running = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    running.daemon_threads = True
    running.answer = answer
    thread = threading.Thread(target=running.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{running.server_address[1]}"
    finally:
        running.shutdown()
        thread.join()
        running.server_close()


def contents(where):
    """name → digest of each file below a folder; not of the memory that processes with a database share."""
    found = {}
    for base, _, names in os.walk(where):
        for name in [name for name in names if not name.endswith("-shm")]:
            with open(os.path.join(base, name), "rb") as file:
                found[os.path.relpath(os.path.join(base, name), where)] = hashlib.sha256(file.read()).hexdigest()
    return found


def write(where, name, text):
    path = os.path.join(where, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path
