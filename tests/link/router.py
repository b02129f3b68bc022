#!/usr/bin/python3
"""The WAMP router below a labgrid coordinator, as much of it as labgrid uses, where
crossbar is not to be had: router.py PORT

A client joins by the "ticket" method, whatever its ticket, and keeps the authid
that it asks for. Procedures and topics are exact names. Sessions that join and
leave are published as wamp.session.on_join and wamp.session.on_leave.
"""

import asyncio
import itertools
import sys

from autobahn.asyncio.websocket import WampWebSocketServerFactory
from autobahn.wamp import message, role


class Router:
    """All sessions of the one realm, and what they subscribe and register."""

    def __init__(self):
        self.ids = itertools.count(1)
        self.sessions = {}
        self.topics = {}  # name -> {session: subscription}
        self.procedures = {}  # name -> (session, registration)

    def publish(self, topic, args, kwargs=None, sender=None):
        publication = next(self.ids)
        for session, number in list(self.topics.get(topic, {}).items()):
            if session is not sender:
                session.transport.send(message.Event(
                    number, publication, args=args, kwargs=kwargs))
        return publication

    def leave(self, session):
        for subscribers in self.topics.values():
            subscribers.pop(session, None)
        for name, (owner, _) in list(self.procedures.items()):
            if owner is session:
                del self.procedures[name]
        if self.sessions.pop(session.id, None):
            self.publish("wamp.session.on_leave", [session.id])


class Session:
    """One client; autobahn calls the methods on...()."""

    def __init__(self, router):
        self.router = router
        self.id = next(router.ids)
        # The transport logs these.
        self._authid = self._session_id = None
        self.calls = {}  # invocation -> (session, request of its call)
        self.handlers = {
            message.Hello: self.hello,
            message.Authenticate: self.authenticate,
            message.Goodbye: self.goodbye,
            message.Subscribe: self.subscribe,
            message.Publish: self.publish,
            message.Register: self.register,
            message.Call: self.call,
            message.Yield: self.answer,
            message.Error: self.fail,
        }

    def onOpen(self, transport):
        self.transport = transport

    def onClose(self, _clean):
        self.router.leave(self)

    def onMessage(self, m):
        self.handlers[type(m)](m)

    def hello(self, m):
        self.realm, self.authid = m.realm, m.authid
        self.transport.send(message.Challenge("ticket", {}))

    def authenticate(self, _m):
        self.router.sessions[self.id] = self
        self.transport.send(message.Welcome(
            self.id, {"broker": role.RoleBrokerFeatures(),
                      "dealer": role.RoleDealerFeatures()},
            realm=self.realm, authid=self.authid, authrole="public",
            authmethod="ticket"))
        self.router.publish("wamp.session.on_join", [
            {"session": self.id, "authid": self.authid}])

    def goodbye(self, _m):
        self.transport.send(message.Goodbye())
        self.transport.close()

    def subscribe(self, m):
        number = next(self.router.ids)
        self.router.topics.setdefault(m.topic, {})[self] = number
        self.transport.send(message.Subscribed(m.request, number))

    def publish(self, m):
        publication = self.router.publish(m.topic, m.args, m.kwargs, self)
        if m.acknowledge:
            self.transport.send(message.Published(m.request, publication))

    def register(self, m):
        number = next(self.router.ids)
        self.router.procedures[m.procedure] = (self, number)
        self.transport.send(message.Registered(m.request, number))

    def call(self, m):
        if m.procedure not in self.router.procedures:
            self.transport.send(message.Error(
                message.Call.MESSAGE_TYPE, m.request,
                "wamp.error.no_such_procedure", args=[m.procedure]))
            return
        owner, number = self.router.procedures[m.procedure]
        invocation = next(self.router.ids)
        owner.calls[invocation] = (self, m.request)
        owner.transport.send(message.Invocation(
            invocation, number, args=m.args, kwargs=m.kwargs, caller=self.id,
            caller_authid=self.authid))

    def answer(self, m):
        caller, request = self.calls.pop(m.request)
        caller.transport.send(message.Result(
            request, args=m.args, kwargs=m.kwargs))

    def fail(self, m):
        caller, request = self.calls.pop(m.request)
        caller.transport.send(message.Error(
            message.Call.MESSAGE_TYPE, request, m.error, args=m.args,
            kwargs=m.kwargs))


def main():
    router = Router()
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    factory = WampWebSocketServerFactory(lambda: Session(router), loop=loop)
    loop.run_until_complete(loop.create_server(
        factory, "127.0.0.1", int(sys.argv[1])))
    loop.run_forever()


main()
