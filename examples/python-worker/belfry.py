"""A Belfry worker in plain Python (3.9 or later, standard library only).

Copy this file beside your program; main.py shows its use, docs/worker-protocol.md what is said and why. Python
cannot end a thread from outside: a handler that runs for long calls task.sleep(seconds), 0 if it has no time,
which raises Stopped when its attempt is to end.
"""
import collections
import contextlib
import datetime
import http.client
import itertools
import json
import os
import platform
import random
import threading
import traceback
import urllib.error
import urllib.parse
import urllib.request
import uuid

MAX_WAITING = 10_000  # items that wait to be reported; past it log lines and progress are dropped, nothing else
OUTCOMES = {"cancelled": "cancelled", "replaced": "cancelled", "time_limit": "timed_out", "shutdown": "released"}


class Refused(Exception):
    """An error body of a server: args are its code and message."""


class Stopped(Exception):
    """Raised in a handler whose attempt is to end."""


class End(Exception):
    """Raised by a handler to end its attempt as it says: End("failed", "no such shop", noRetry=True),
    End("failed", "busy", afterMs=5000), End("snoozed", afterMs=60000)."""
    def __init__(self, outcome, error="", **fields):
        super().__init__(error)
        self.result = {"outcome": outcome, "error": error, **fields}


def now():
    return datetime.datetime.now(datetime.timezone.utc).isoformat()


class Task:
    """One attempt. given is the assignment as the protocol has it."""
    def __init__(self, worker, given):
        self.given, self.key, self.parameters = given, (given["task"], given["attempt"]), given.get("parameters")
        self.checkpoint, self.cause, self.stopped = given.get("checkpoint"), None, threading.Event()
        self.say, self.lines = lambda **what: worker.say(self.key, **what), itertools.count(1)

    def log(self, message, level="INFO", **fields):
        self.say(log={"lines": [{"seq": next(self.lines), "at": now(), "level": level, "message": message, "fields": fields}]})

    def progress(self, fraction, message=""):
        self.say(progress={"fraction": fraction, "message": message})

    def save(self, checkpoint):  # any JSON value; later attempts find it in task.checkpoint
        self.say(checkpoint=checkpoint)

    def stop(self, cause):
        self.cause = self.cause or cause
        self.stopped.set()

    def sleep(self, seconds):
        if self.stopped.wait(seconds):
            raise Stopped(self.cause)


class Worker:
    def __init__(self, servers, app, key, group, node, slots=8, grace=30):
        self.servers, self.at, self.app, self.key = servers.split(","), 0, app, key
        self.slots, self.grace = slots, grace  # grace: seconds that a drain waits for what runs
        self.me = {"node": node, "group": group, "incarnation": uuid.uuid4().hex}
        self.handlers, self.settings, self.problem = {}, {}, None
        self.held, self.lately = {}, collections.deque(maxlen=1000)  # until a result is acknowledged; after it
        self.outbox = []  # items in order, until they are acknowledged
        self.running = self.seq = self.streams = 0
        self.paused = self.deaf = False  # a person drains this node; the server sees no working stream
        self.stopping, self.over = threading.Event(), threading.Event()
        self.changed = threading.Condition(threading.RLock())  # guards held, lately, outbox and running

    def run(self):
        """Works until stopping is set, then drains. Raises when it must not go on."""
        self.repeat(self.register)
        for loop in (self.receive, self.report, self.beat):
            threading.Thread(target=self.guarded, args=(loop,), daemon=True).start()
        while not self.stopping.wait(0.2) and not self.over.is_set():
            pass  # short waits, so that signals are handled
        with self.changed:
            self.changed.wait_for(lambda: not self.running or self.over.is_set(), self.grace)
            for task in self.held.values():
                task.stop("shutdown")
            self.changed.wait_for(lambda: not self.held and not self.outbox or self.over.is_set(), 10)
            self.over.set()
        if self.problem:
            raise self.problem
        with contextlib.suppress(OSError, Refused):
            self.call("leave", self.me)

    def guarded(self, loop):
        try:
            loop()
        except Stopped:
            pass
        except Exception as problem:  # replaced, or a fault of ours: nothing of this process counts any more
            with self.changed:
                self.problem = self.problem or problem
                self.over.set()
                self.cancel([{"task": t, "attempt": a, "cause": "lost"} for t, a in self.held])
                self.changed.notify_all()

    # Requests. Whatever is not an answer of a Belfry server is an OSError, and the next server's turn.

    def open(self, path, body=None, timeout=10):
        headers = {"Authorization": "Bearer " + self.key, "Content-Type": "application/json"}
        url = self.servers[self.at].rstrip("/") + "/worker/v1/" + path
        try:
            data = None if body is None else json.dumps(body).encode()
            return urllib.request.urlopen(urllib.request.Request(url, data, headers), timeout=timeout)
        except (OSError, http.client.HTTPException) as problem:
            error = {}
            if isinstance(problem, urllib.error.HTTPError):
                with problem, contextlib.suppress(OSError, http.client.HTTPException, ValueError, AttributeError):
                    error = json.load(problem).get("error")
            if error.get("code", "UNAVAILABLE") != "UNAVAILABLE":
                raise Refused(error["code"], error.get("message")) from None
            self.at = (self.at + 1) % len(self.servers)
            raise OSError(f"{url}: {error.get('message', problem)}") from problem

    def call(self, path, body):
        try:
            with self.open(path, body) as answer:
                return json.load(answer)
        except (ValueError, http.client.HTTPException) as problem:
            raise OSError(f"half an answer to {path}") from problem

    def repeat(self, ask):
        """Asks until there is an answer, with a growing random pause."""
        for n in itertools.count():
            try:
                return ask()
            except OSError:
                pass
            except Refused as refusal:
                code, again = refusal.args[0], bool(self.settings)
                if code == "NOT_REGISTERED" and again and ask != self.register:
                    self.repeat(self.register)
                elif code != "NAME_IN_USE" and not (code == "UNAUTHENTICATED" and again):
                    raise
            if self.over.wait(random.uniform(0.5, 1) * min(5, 0.1 * 2 ** min(n, 10))):
                raise Stopped("the worker has ended")

    def register(self):
        answer = self.call("register", {
            "protocol": 1, "app": self.app, **self.me, "slots": self.slots, "handlers": list(self.handlers), "sdk": "python-example/1",
            "host": platform.node(), "pid": os.getpid(), "running": [{"task": t, "attempt": a} for t, a in list(self.held)]})
        self.settings, self.paused = answer["settings"], answer.get("draining", False)
        self.cancel([{**ref, "cause": "lost"} for ref in answer.get("abandon", ())])

    # What is heard

    def receive(self):
        while True:
            try:
                query = "stream?" + urllib.parse.urlencode(self.me)
                with self.repeat(lambda: self.open(query, timeout=3 * self.settings["keepAliveMs"] / 1000)) as frames:
                    self.seq, self.deaf, self.streams = 0, False, self.streams + 1
                    for frame in map(json.loads, frames):
                        self.seq = max(self.seq, frame["seq"])
                        self.follow(frame)
                        if self.deaf or frame["kind"] == "bye":
                            break
            except (OSError, http.client.HTTPException, ValueError):
                pass  # broken, or silent for too long
            if self.over.wait(random.uniform(0.05, 0.5)):
                return

    def follow(self, frame):
        for given in frame.get("assign", ()):
            self.begin(given)
        self.cancel(frame.get("cancel", ()))
        self.settings = frame.get("settings") or self.settings
        if frame["kind"] in ("drain", "resume"):
            self.paused = frame["kind"] == "drain"

    def begin(self, given):
        task = Task(self, given)
        with self.changed:
            if task.key in self.held or task.key in self.lately:
                return
            reason = ("draining" if self.paused or self.stopping.is_set() else "no_handler" if given["handler"] not in self.handlers
                      else "no_slot" if self.running >= self.slots else None)
            if reason:
                return task.say(refused={"reason": reason})
            self.held[task.key] = task
            self.running += 1
        threading.Thread(target=self.work, args=(task,), daemon=True).start()

    def cancel(self, cancels):
        with self.changed:
            for c in cancels:
                key = (c["task"], c["attempt"])
                if key in self.held:
                    self.held[key].stop(c["cause"])
                if c["cause"] == "lost":  # nothing more is said about it
                    self.held.pop(key, None)
                    self.outbox = [item for item in self.outbox if (item["task"], item["attempt"]) != key]

    # What is done

    def work(self, task):
        began, seconds = now(), task.given.get("timeoutMs", 0) / 1000
        task.say(started={"at": began})
        limit = threading.Timer(seconds or threading.TIMEOUT_MAX, task.stop, ("time_limit",))
        limit.daemon = True
        limit.start()
        try:
            result = {"outcome": "succeeded", "result": self.handlers[task.given["handler"]](task)}
            json.dumps(result)  # what is no JSON is the handler's failure
        except BaseException as problem:
            result = {"outcome": "failed", "error": f"{type(problem).__name__}: {problem}", "stack": traceback.format_exc()}
            result = getattr(problem, "result", result)
            if task.cause:
                result = {"outcome": OUTCOMES.get(task.cause, "cancelled"), "error": str(problem)}
        limit.cancel()
        with self.changed:
            self.running -= 1
            if self.held.get(task.key) is task:  # else it is another's by now
                task.say(result={**result, "startedAt": began, "finishedAt": now()})
            self.changed.notify_all()

    def say(self, key, **what):
        with self.changed:
            if len(self.outbox) < MAX_WAITING or not what.keys() & {"log", "progress"}:
                self.outbox.append({"task": key[0], "attempt": key[1], **what})
            self.changed.notify_all()

    # What is said, again until it is heard

    def report(self):
        most = self.settings["reportLimit"]
        while not self.over.is_set():
            with self.changed:
                if not self.changed.wait_for(lambda: self.outbox, 1):
                    continue
                self.changed.wait_for(lambda: any("result" in item for item in self.outbox), self.settings["reportMs"] / 1000)
                batch = self.outbox[:most]
            try:
                acks = self.repeat(lambda: self.call("report", {**self.me, "sentAt": now(), "items": batch}))["acks"]
            except Refused as refusal:
                if refusal.args[0] not in ("TOO_LARGE", "INVALID"):
                    raise
                most = max(1, len(batch) // 2)
                acks = [{"status": "invalid" if len(batch) == 1 else "retry", "message": str(refusal)}] * len(batch)
            else:
                most = self.settings["reportLimit"]
            self.settle(batch, acks)

    def settle(self, batch, acks):
        with self.changed:
            again, sent = [], set(map(id, batch))
            for item, ack in zip(batch, acks):
                key, result = (item["task"], item["attempt"]), item.get("result")
                if ack["status"] == "retry":
                    again.append(item)
                elif ack["status"] == "stale":
                    self.cancel([{"task": key[0], "attempt": key[1], "cause": "lost"}])
                elif result and ack["status"] == "invalid" and not result.get("noRetry"):
                    failed = {"outcome": "failed", "error": "the result was refused: " + ack.get("message", ""), "noRetry": True}
                    again.append({**item, "result": {**failed, "startedAt": result["startedAt"], "finishedAt": result["finishedAt"]}})
                elif result:
                    self.held.pop(key, None)
                    self.lately.append(key)
            self.outbox = again + [item for item in self.outbox if id(item) not in sent]
            self.changed.notify_all()
        self.over.wait(1 if again else 0)

    def beat(self):
        while not self.over.is_set():
            streams = self.streams
            answer = self.repeat(lambda: self.call("heartbeat", {
                **self.me, "lastSeq": self.seq, "slots": self.slots, "draining": self.stopping.is_set(),
                "held": [{"task": t, "attempt": a} for t, a in list(self.held)]}))
            self.settings, self.paused = answer.get("settings") or self.settings, answer["draining"]
            self.cancel(answer.get("cancel", ()))
            self.deaf = answer["reconnect"] and streams == self.streams
            (self.over if self.stopping.is_set() else self.stopping).wait(self.settings["heartbeatMs"] / 1000)
