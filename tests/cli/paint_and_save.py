"""A session of the studio: opens a scene, adds a map, paints a tile, edits a value, saves and ends.

usage: paint_and_save.py PROGRAM SCENE

What an earlier session has done and its journal has restored is not done again. Exits with the code
of the program, or with 3 where a request failed or the connection ended. COIF_SHIM is preloaded into
the program.
"""
import json
import os
import signal
import struct
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request

program, scene = sys.argv[1:3]
environment = dict(os.environ)
if "COIF_SHIM" in environment:
    environment["LD_PRELOAD"] = environment["COIF_SHIM"]
child = subprocess.Popen([program, "studio", scene, "--no-open"], stdout=subprocess.PIPE, env=environment)
url = child.stdout.readline().decode().strip()
failed = False


def request(method, path, body=b""):
    """The reply as JSON, None after a failure."""
    global failed
    base, token = url.split("/?token=")
    query = urllib.request.Request(base + path, body if method != "GET" else None, {"X-Coif-Token": token},
                                   method=method)
    try:
        with urllib.request.urlopen(query, timeout=60) as reply:
            text = reply.read()
            return json.loads(text) if text[:1] == b"{" else {}
    except (urllib.error.URLError, ConnectionError, TimeoutError, ValueError) as error:
        print(method, path, error, getattr(error, "read", bytes)()[:300], file=sys.stderr)
        failed = True
        return None


def edit(path, value):
    request("POST", "/api/edit", json.dumps({"edits": [{"path": path, "value": value}]}).encode())


if url:
    state = request("GET", "/api/state")
    groom = json.loads(state["text"])["grooms"][0] if state else {}
    if state and not state["layers"]:
        request("POST", "/api/layers?groom=0&name=density&side=128")
    if groom.get("density") != {"map": "density"}:
        edit("/grooms/0/density", {"map": "density"})
    request("PUT", "/api/tiles?layer=0&stroke=a", struct.pack("<4H", 1, 0, 1, 4711))
    if groom.get("count") != 150:
        edit("/grooms/0/count", 150)
    request("POST", "/api/save?force=1")
    child.send_signal(signal.SIGTERM)
code = child.wait(timeout=120)
sys.exit(code if code > 0 else 128 - code if code < 0 else 3 if failed else 0)
