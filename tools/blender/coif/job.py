# Runs commands of coif one after another and follows their log, without bpy.
import json
import os
import queue
import re
import signal
import subprocess
import threading

STEP = re.compile(r": frame -?\d+:|render[\d.]+\.\w+: |\.ply: ")


class Job:
    """steps: number of frames that the commands report in total; text: the last message."""

    def __init__(self, program, commands, steps):
        self.program, self.commands, self.steps = program, list(commands), max(steps, 1)
        self.done, self.text, self.error, self.warnings = 0, "", "", []
        self.process, self.cancelled = None, False
        self._next()

    def _next(self):
        command = [self.program, *self.commands.pop(0), "--log", "json", "--verbose"]
        self.text = "coif " + command[1]
        self.lines = queue.SimpleQueue()
        try:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                            stderr=subprocess.PIPE, encoding="utf-8", errors="replace")
        except OSError as error:
            self.process, self.commands = None, []
            self.error = "%s: %s; the path is in the preferences of the add-on" % (self.program, error.strerror)
            return
        self.reader = threading.Thread(target=self._read, args=(self.process.stderr, self.lines), daemon=True)
        self.reader.start()

    @staticmethod
    def _read(stream, lines):
        for line in stream:
            lines.put(line)
        stream.close()

    def _take(self, line):
        try:
            message = json.loads(line)
            level, text = message["level"], message["text"]
        except (ValueError, KeyError, TypeError):
            level, text = "info", line.strip()
        if level == "error":
            self.error = (self.error + "\n" + text).strip()
        elif level == "warning":
            self.warnings.append(text)
        elif STEP.search(text):
            self.done += 1
        self.text = text

    def poll(self, timeout=0.0):
        """Reads new messages and starts the next command; False when all commands have ended."""
        if self.process is None:
            return False
        if timeout:
            self.reader.join(timeout)
        ended = not self.reader.is_alive()
        while not self.lines.empty():
            self._take(self.lines.get())
        if not ended:
            return True
        code = self.process.wait()
        self.process = None
        if self.cancelled:
            self.error = ""
        elif code != 0:
            self.error = self.error or "coif ended with code %d: %s" % (code, self.text)
        elif self.commands:
            self._next()
            return self.process is not None
        return False

    def run(self):
        while self.poll(0.2):
            pass
        return self

    def cancel(self):
        """Frames that are complete stay; the same command resumes after them."""
        first, self.cancelled, self.commands = not self.cancelled, True, []
        if first and self.process is not None:
            if os.name == "nt":
                self.process.terminate()
            else:
                self.process.send_signal(signal.SIGINT)

    @property
    def fraction(self):
        return min(self.done / self.steps, 1.0)
