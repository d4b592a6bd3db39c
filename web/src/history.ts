// Undo and redo.

const MAX_STEPS = 200;

interface Step<State> {
  /** What was done, for the user. */
  what: string;
  state: State;
}

export class History<State> {
  private past: Step<State>[] = [];
  private future: Step<State>[] = [];

  /** What would be undone. */
  get last(): string | undefined {
    return this.past[this.past.length - 1]?.what;
  }

  /** Records the state before a change. */
  record(what: string, before: State): void {
    this.past.push({ what, state: before });
    if (this.past.length > MAX_STEPS) this.past.shift();
    this.future = [];
  }

  /** The state before the last change; the current one is kept for redo. */
  undo(now: State): Step<State> | undefined {
    return move(this.past, this.future, now);
  }

  /** The state before the last undo. */
  redo(now: State): Step<State> | undefined {
    return move(this.future, this.past, now);
  }
}

function move<State>(from: Step<State>[], to: Step<State>[], now: State): Step<State> | undefined {
  const step = from.pop();
  if (step) to.push({ what: step.what, state: now });
  return step;
}
