"""Sample handlers in Python: python3 main.py (see README.md)."""
import os
import signal
import socket

import belfry

worker = belfry.Worker(
    os.environ.get("BELFRY_SERVER", "http://127.0.0.1:7000"), os.environ["BELFRY_APP"], os.environ["BELFRY_KEY"],
    os.environ.get("BELFRY_GROUP", "default"), os.environ.get("BELFRY_NODE", socket.gethostname()),
    slots=int(os.environ.get("BELFRY_SLOTS", "8")), grace=float(os.environ.get("BELFRY_GRACE", "30")))


def greet(task):
    """{"name": "王芳"} → "hello 王芳"."""
    task.log("greeting", name=task.parameters["name"])
    return "hello " + task.parameters["name"]


def count(task):
    """{"to": 100, "pause": 0.1}: counts, and goes on where an earlier attempt stopped."""
    start, to = task.checkpoint or 0, task.parameters["to"]
    task.log("counting", start=start, to=to)
    for n in range(start, to):
        task.sleep(task.parameters.get("pause", 0.1))
        task.save(n + 1)
        task.progress((n + 1) / to, f"{n + 1} of {to}")
    return {"from": start, "to": to}


def fail(task):
    """{"times": 2} fails that many times; {"never": true} says that another try is of no use."""
    if task.parameters.get("never"):
        raise belfry.End("failed", "there is no such shop", noRetry=True)
    if task.given["attempt"] <= task.parameters.get("times", 1):
        task.log("about to fail", level="ERROR")
        raise RuntimeError("the shop does not answer")
    return task.given["attempt"]


def nap(task):
    """{"seconds": 5}: asks once to be run again later, which uses up no try."""
    if task.given["attempt"] == 1:
        raise belfry.End("snoozed", afterMs=int(task.parameters["seconds"] * 1000))
    return "awake"


worker.handlers = {"Greet": greet, "Count": count, "Fail": fail, "Nap": nap}
for number in (signal.SIGTERM, signal.SIGINT):
    signal.signal(number, lambda *_: worker.stopping.set())
worker.run()
