// A small scanner for JavaScript as esbuild prints it: string literals and where they are.

/** After one of these a slash begins a regular expression. */
const BEFORE_REGEX = /(?:^|[(,=:[!&|?{};+\-*%<>~^]|\b(?:return|typeof|case|in|of))\s*$/;
const NAME_AT_END = /([\w$.]+)\s*$/;

/**
 * The literals of a source: their text, the call that they are an argument of (`name` and `at`, its place), and the
 * property that they are the value of, and their place in an array. Parts of a template are literals too.
 */
export function literals(code) {
  const found = [];
  /** Open brackets: calls know their name and argument, objects their property, templates where they were. */
  const stack = [];
  let at = 0;
  let statement = 0;
  const top = () => stack[stack.length - 1];
  const add = (text, start = at) => {
    // A value that something is compared with.
    if (/[!=]==\s*$/.test(code.slice(Math.max(0, start - 6), start))) return;
    const outer = stack.findLast((open) => !['template', 'group', 'array'].includes(open.kind));
    const before = code.slice(statement, at);
    found.push({
      text,
      call: outer?.kind === 'call' ? { name: outer.name, at: outer.at } : undefined,
      element: top()?.kind === 'array' ? top().at : undefined,
      property: outer?.kind === 'object' ? outer.property : assigned(before),
      imported: /^\s*(?:import|export)\b[^=]*$/.test(before),
    });
  };
  const string = (quote) => {
    const start = at++;
    while (code[at] !== quote) at += code[at] === '\\' ? 2 : 1;
    at++;
    const text = JSON.parse(
      `"${code
        .slice(start + 1, at - 1)
        .replace(/\\(?!["\\/bfnrtu])/g, '')
        .replace(/(?<!\\)"/g, '\\"')}"`,
    );
    // A name of a property, not a value.
    if (top()?.kind === 'object' && top().property === undefined && /^\s*:/.test(code.slice(at)))
      return void (top().name = text);
    add(text, start);
  };
  const template = () => {
    let text = '';
    for (;;) {
      if (code[at] === '`') break;
      if (code.startsWith('${', at)) {
        if (text) add(text);
        stack.push({ kind: 'template' });
        at += 2;
        return;
      }
      text += code[at] === '\\' ? code[++at] : code[at];
      at++;
    }
    if (text) add(text);
    at++;
  };
  while (at < code.length) {
    const char = code[at];
    const before = code.slice(Math.max(0, at - 40), at);
    if (code.startsWith('//', at)) at = code.indexOf('\n', at);
    else if (code.startsWith('/*', at)) at = code.indexOf('*/', at) + 2;
    else if (char === '/' && BEFORE_REGEX.test(before)) {
      for (let inClass = false; ++at < code.length && (inClass || code[at] !== '/'); ) {
        if (code[at] === '\\') at++;
        else if (code[at] === '[') inClass = true;
        else if (code[at] === ']') inClass = false;
      }
      at++;
    } else if (char === '"' || char === "'") string(char);
    else if (char === '`') {
      at++;
      template();
    } else if (char === '(') {
      const name = NAME_AT_END.exec(before)?.[1];
      const isCall = name && !/^(if|for|while|switch|return|catch|of|in|typeof)$/.test(name);
      stack.push(isCall ? { kind: 'call', name, at: 0 } : { kind: 'group' });
      at++;
    } else if (char === '[') {
      stack.push({ kind: 'array', at: 0 });
      at++;
    } else if (char === '{') {
      // After a bracket, an arrow in parentheses, a comma or an operator there is an object, else a block.
      stack.push(
        /[(,=:?[]\s*$|\breturn\s*$|\.\.\.\s*$/.test(before) && !/=>\s*$/.test(before)
          ? { kind: 'object' }
          : { kind: 'block' },
      );
      at++;
      statement = at;
    } else if (char === ')' || char === ']' || char === '}') {
      const open = stack.pop();
      at++;
      if (open?.kind === 'template') template();
      if (open?.kind === 'block') statement = at;
    } else if (char === ',') {
      if (top()?.kind === 'call' || top()?.kind === 'array') top().at++;
      if (top()?.kind === 'object') top().property = top().name = undefined;
      at++;
    } else if (char === ':' && top()?.kind === 'object' && top().property === undefined) {
      top().property = top().name ?? NAME_AT_END.exec(before)?.[1];
      at++;
    } else {
      if (char === ';') statement = at + 1;
      at++;
    }
  }
  return found;
}

/** The property that a statement assigns to, if it does. */
function assigned(before) {
  return /\.([\w$]+)\s*=\s*[^=;]*$/.exec(before)?.[1];
}

/** Where the properties of an object are used: `t.a.b`, or `t.a` where the rest is computed. */
export function calls(code, object) {
  return [...code.matchAll(new RegExp(`\\b${object}((?:\\.[\\w$]+)+)`, 'g'))].map(([text]) => text);
}
