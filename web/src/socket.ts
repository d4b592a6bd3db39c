// The line to the studio: requests with answers, and events. It comes back by itself when it breaks.

import { NOT_RUNNING, Unreachable } from './dom';
import type { Events, Hello } from './protocol';

type Listener = (content: any) => void;
type Waiting = { socket: WebSocket; resolve: (value: any) => void; reject: (error: Error) => void };

const FIRST_RETRY = 300;
const LAST_RETRY = 5000;
/** Every answer comes at once, or after a moment of thinking: whoever waits longer waits in vain. */
const ANSWER_WITHIN = 30_000;
/** The studio closes a line on which more comes at once. */
const MOST_BYTES = 8 * 1024 * 1024;

export class Line {
  private socket?: WebSocket;
  private waiting = new Map<number, Waiting>();
  private listeners = new Map<string, Set<Listener>>();
  private last = 0;
  private retry = FIRST_RETRY;
  /** What the studio said of itself last. */
  hello?: Hello;

  constructor() {
    this.connect();
    // A laptop that wakes up, or a phone that comes back, need not wait.
    window.addEventListener('online', () => this.hurry());
    document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && this.hurry());
  }

  get isOpen(): boolean {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  private hurry(): void {
    if (!this.socket || this.socket.readyState === WebSocket.CLOSED) this.connect();
  }

  private connect(): void {
    const socket = new WebSocket(`ws://${location.host}/socket`);
    this.socket = socket;
    socket.onopen = () => this.greet(socket, (hello) => {
      this.retry = FIRST_RETRY;
      this.tell('open', hello);
    });
    socket.onmessage = (message) => this.hear(JSON.parse(message.data));
    socket.onclose = () => {
      // Another one may have been opened meanwhile; what was asked here is not answered there.
      for (const [number, waiting] of this.waiting) if (waiting.socket === socket) this.end(number)?.reject(new Unreachable(NOT_RUNNING));
      if (this.socket !== socket) return;
      this.tell('closed', {});
      setTimeout(() => this.hurry(), this.retry);
      this.retry = Math.min(this.retry * 1.7, LAST_RETRY);
    };
  }

  /** Asks the studio how things stand now; a line on which it does not say so is opened anew. */
  private greet(socket: WebSocket, told: (hello: Hello) => void): void {
    this.ask<Hello>('hello').then((hello) => told((this.hello = hello)), () => socket.close());
  }

  private hear(message: any): void {
    if (message.event) return this.tell(message.event, message);
    const waiting = this.end(message.reply);
    if (message.error !== undefined) waiting?.reject(new Error(message.error));
    else waiting?.resolve(message.ok);
  }

  /** Waits for an answer no longer; the answer is who waited. */
  private end(number: number): Waiting | undefined {
    const waiting = this.waiting.get(number);
    this.waiting.delete(number);
    return waiting;
  }

  private tell(event: string, content: any): void {
    for (const listener of [...(this.listeners.get(event) ?? [])]) listener(content);
  }

  /** Asks for something; the promise fails with one clear sentence. */
  ask<T = any>(what: string, details: object = {}): Promise<T> {
    if (!this.isOpen) return Promise.reject(new Unreachable(NOT_RUNNING));
    const number = ++this.last;
    const socket = this.socket!;
    const message = JSON.stringify({ ...details, ask: number, do: what });
    if (new Blob([message]).size > MOST_BYTES) return Promise.reject(new Error('too large for the page (8 MB); use "vedette analyse FILE" instead'));
    socket.send(message);
    return new Promise((resolve, reject) => {
      this.waiting.set(number, { socket, resolve, reject });
      setTimeout(() => this.end(number)?.reject(new Unreachable('the studio did not respond within 30 s')), ANSWER_WITHIN);
    });
  }

  /** Listens to an event; the answer stops listening. */
  on<K extends keyof Events>(event: K, listener: (content: Events[K]) => void): () => void {
    const all = this.listeners.get(event) ?? new Set();
    all.add(listener as Listener);
    this.listeners.set(event, all);
    return () => all.delete(listener as Listener);
  }

  /** Tells how things stand: soon if the line is open, and whenever it opens again. */
  whenOpen(listener: (hello: Hello) => void): () => void {
    let listens = true;
    const stop = this.on('open', listener);
    // What was said before is old by now; without it the first answer is still due, and comes as the news of the opening.
    if (this.isOpen && this.hello) this.greet(this.socket!, (hello) => listens && listener(hello));
    return () => {
      listens = false;
      stop();
    };
  }
}
