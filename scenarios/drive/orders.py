"""Takes an order in a database, and speaks the protocol of PostgreSQL by itself."""

import os
import socket
import struct
import sys
import time


class Refused(Exception):
    """An error of the server."""

    def __init__(self, fields):
        self.state, self.text = fields["C"], fields["M"]
        super().__init__(f"{self.state}: {self.text}")


class Database:
    def __init__(self):
        self.socket = socket.create_connection((os.environ["PGHOST"], int(os.environ["PGPORT"])), timeout=10)
        self.stream = self.socket.makefile("rb")
        words = ["user", os.environ["PGUSER"], "database", os.environ["PGDATABASE"], ""]
        start = struct.pack("!i", 196608) + b"\0".join(word.encode() for word in words) + b"\0"
        self.socket.sendall(struct.pack("!i", len(start) + 4) + start)
        self.answer()

    def ask(self, statement):
        text = statement.encode() + b"\0"
        self.socket.sendall(b"Q" + struct.pack("!i", len(text) + 4) + text)
        return self.answer()

    def answer(self):
        """Reads until the server is ready, and returns the values of the rows."""
        rows, error = [], None
        while True:
            head = self.stream.read(5)
            if len(head) < 5:
                raise error or ConnectionError("the server is gone")
            kind, size = struct.unpack("!ci", head)
            body = self.stream.read(size - 4)
            if kind == b"D":
                rows.append(self.values(body))
            elif kind == b"E":
                error = Refused({field[:1].decode(): field[1:].decode() for field in body.split(b"\0") if field})
            elif kind == b"Z":
                if error:
                    raise error
                return rows

    def values(self, body):
        (count,), at, values = struct.unpack("!h", body[:2]), 2, []
        for _ in range(count):
            (size,) = struct.unpack("!i", body[at : at + 4])
            values.append(body[at + 4 : at + 4 + size].decode())
            at += 4 + size
        return values


def connect(tries=5):
    try:
        return Database()
    except (ConnectionError, Refused):
        if tries == 1:
            raise
    time.sleep(0.05)
    return connect(tries - 1)


def take(database, item):
    database.ask("BEGIN ISOLATION LEVEL SERIALIZABLE")
    [[left]] = database.ask(f"UPDATE stock SET left = left - 1 WHERE item = '{item}' RETURNING left")
    [[id]] = database.ask(f"INSERT INTO orders (item) VALUES ('{item}') RETURNING id")
    database.ask("COMMIT")
    return id, left


database = connect()
for last in (False, False, True):
    try:
        print("order %s, %s left" % take(database, sys.argv[1]))
        break
    except Refused as error:
        if last or error.state != "40001":
            sys.exit(str(error))
        database.ask("ROLLBACK")
