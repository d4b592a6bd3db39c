// The connection to the studio: requests with replies, and events. It reconnects by itself.

import { NOT_ALLOWED, NOT_RUNNING, Unreachable } from './errors';
import type { ClientMessage, Event as StudioEvent, Hello, Reply, Request, ServerMessage } from './protocol';
import { t } from './strings';

/** What a reply of a kind carries. */
export type ReplyValue<K extends Reply['kind']> =
  Extract<Reply, { kind: K }> extends { value: infer V } ? V : undefined;

type EventContent<E extends StudioEvent['event']> =
  Extract<StudioEvent, { event: E }> extends { content: infer C } ? C : undefined;

/** The studio's events, and those of the connection itself; `refused` if this browser does not have the studio's token, `ended` if nothing answers. */
type Events = { [E in StudioEvent['event']]: EventContent<E> } & {
  open: Hello;
  closed: undefined;
  refused: undefined;
  ended: undefined;
};

type Listener = (content: never) => void;

interface Pending {
  socket: WebSocket;
  resolve: (reply: Reply) => void;
  reject: (error: Error) => void;
}

const FIRST_RETRY = 300;
const LAST_RETRY = 5000;
/** The longest search for a reply takes a second. */
const REPLY_TIMEOUT = 30_000;
/** The studio closes the connection on larger messages. */
const MAX_MESSAGE = 8 * 1024 * 1024;

export class StudioClient {
  private socket?: WebSocket;
  private pending = new Map<number, Pending>();
  private listeners = new Map<keyof Events, Set<Listener>>();
  private last = 0;
  private retry = FIRST_RETRY;
  private refused = false;
  /** The newest greeting. */
  hello?: Hello;

  constructor() {
    this.connect();
    // A laptop that wakes up, or a phone that comes back, need not wait.
    window.addEventListener('online', () => this.reconnect());
    document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && this.reconnect());
  }

  get isOpen(): boolean {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  private reconnect(): void {
    if (!this.socket || this.socket.readyState === WebSocket.CLOSED) this.connect();
  }

  private connect(): void {
    const socket = new WebSocket(`ws://${location.host}/socket`);
    this.socket = socket;
    let opened = false;
    socket.onopen = () => {
      opened = true;
      this.greet(socket, (hello) => {
        this.retry = FIRST_RETRY;
        this.refused = false;
        this.emit('open', hello);
      });
    };
    socket.onmessage = (message) => this.receive(JSON.parse(message.data) as ServerMessage);
    socket.onclose = () => {
      // Another one may have been opened; requests on this one get no reply there.
      for (const [number, pending] of this.pending)
        if (pending.socket === socket) this.take(number)?.reject(this.unreachable());
      if (this.socket !== socket) return;
      this.emit('closed', undefined);
      if (!opened) void this.checkAccess();
      setTimeout(() => this.reconnect(), this.retry);
      this.retry = Math.min(this.retry * 1.7, LAST_RETRY);
    };
  }

  /** Finds out whether a connection was refused because of a missing token, which a script cannot see. */
  private async checkAccess(): Promise<void> {
    const allowed = await fetch('/access')
      .then((reply) => reply.json())
      .catch(() => undefined);
    if (this.isOpen) return;
    if (allowed === undefined) this.emit('ended', undefined);
    if (allowed !== false) return;
    this.refused = true;
    this.emit('refused', undefined);
  }

  private unreachable(): Unreachable {
    return new Unreachable(this.refused ? NOT_ALLOWED : NOT_RUNNING);
  }

  /** Requests the current state; a connection without a reply is reopened. */
  private greet(socket: WebSocket, done: (hello: Hello) => void): void {
    this.ask('hello', 'hello').then(
      (hello) => done((this.hello = hello)),
      () => socket.close(),
    );
  }

  private receive(message: ServerMessage): void {
    if ('event' in message)
      return this.emit(
        message.event,
        ('content' in message ? message.content : undefined) as Events[typeof message.event],
      );
    const pending = this.take(message.number);
    if ('error' in message) pending?.reject(new Error(message.error));
    else pending?.resolve(message.ok);
  }

  /** Takes a request off the list of those that wait for a reply. */
  private take(number: number): Pending | undefined {
    const pending = this.pending.get(number);
    this.pending.delete(number);
    return pending;
  }

  private emit<E extends keyof Events>(event: E, content: Events[E]): void {
    for (const listener of [...(this.listeners.get(event) ?? [])]) (listener as (content: Events[E]) => void)(content);
  }

  /** Sends a request that is replied to with this kind; fails with a message for the user. */
  async ask<K extends Reply['kind']>(request: Request, kind: K): Promise<ReplyValue<K>> {
    const reply = await this.send(request);
    if (reply.kind !== kind) throw new Error(t.errors.unexpected(reply.kind, kind));
    return ('value' in reply ? reply.value : undefined) as ReplyValue<K>;
  }

  private send(request: Request): Promise<Reply> {
    if (!this.isOpen) return Promise.reject(this.unreachable());
    const number = ++this.last;
    const socket = this.socket!;
    const message = JSON.stringify({ number, request } satisfies ClientMessage);
    if (new Blob([message]).size > MAX_MESSAGE) return Promise.reject(new Error(t.errors.tooLarge));
    socket.send(message);
    return new Promise((resolve, reject) => {
      this.pending.set(number, { socket, resolve, reject });
      setTimeout(() => this.take(number)?.reject(new Unreachable(t.errors.noResponse)), REPLY_TIMEOUT);
    });
  }

  /** Listens to an event; call the result to stop. */
  on<E extends keyof Events>(event: E, listener: (content: Events[E]) => void): () => void {
    const all = this.listeners.get(event) ?? new Set<Listener>();
    all.add(listener as Listener);
    this.listeners.set(event, all);
    return () => all.delete(listener as Listener);
  }

  /** Calls the listener with the current state: soon if the connection is open, and whenever it opens again. */
  whenOpen(listener: (hello: Hello) => void): () => void {
    let listens = true;
    const stop = this.on('open', listener);
    // The last greeting is outdated by now; before the first one the event is still to come.
    if (this.isOpen && this.hello) this.greet(this.socket!, (hello) => listens && listener(hello));
    return () => {
      listens = false;
      stop();
    };
  }
}
