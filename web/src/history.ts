// What can be undone: the states before changes, and those that were left by undoing.

/** How many steps back are kept. */
const LONGEST = 200;

interface Step<State> {
  /** What was done, in words. */
  what: string;
  state: State;
}

export class History<State> {
  private past: Step<State>[] = [];
  private future: Step<State>[] = [];

  /** What would be undone; nothing if there is nothing. */
  get last(): string | undefined {
    return this.past[this.past.length - 1]?.what;
  }

  /** Remembers the state before something is done. */
  record(what: string, before: State): void {
    this.past.push({ what, state: before });
    if (this.past.length > LONGEST) this.past.shift();
    this.future = [];
  }

  /** The state before the last change, given the one that is left for it. */
  undo(now: State): Step<State> | undefined {
    return move(this.past, this.future, now);
  }

  /** The state that the last undoing left. */
  redo(now: State): Step<State> | undefined {
    return move(this.future, this.past, now);
  }
}

function move<State>(from: Step<State>[], to: Step<State>[], now: State): Step<State> | undefined {
  const step = from.pop();
  if (step) to.push({ what: step.what, state: now });
  return step;
}
