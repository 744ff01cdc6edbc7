/**
 * The text of a module with one more import, or `undefined` where its `@Module()` has another form than a literal with, at
 * most, an array of imports.
 */
export function importedInto(text: string, name: string, path: string): string | undefined {
  const code = withoutProse(text);
  if (new RegExp(`\\b${name}\\b`).test(code)) return text;
  const start = /@Module\(\s*\{/.exec(code);
  if (!start) return undefined;
  const body = start.index + start[0].length;
  const property = ownProperty(code, body, 'imports');
  const list = property === undefined ? undefined : /^imports\s*:\s*\[/.exec(code.slice(property));
  if (property !== undefined && !list) return undefined;
  const at = property !== undefined && list ? property + list[0].length : body;
  const isEmpty = /^\s*\]/.test(code.slice(at));
  const added = list ? `${name}${isEmpty ? '' : ', '}` : `\n  imports: [${name}],`;
  const changed = text.slice(0, at) + added + text.slice(at);
  // After the last import: they stand before `@Module()`, so what was added does not move them.
  const imports = [...text.matchAll(/^import\b(?:[^'"]*?\bfrom\s*)?['"][^'"\n]+['"][^\n]*\n/gm)].filter(({ index }) =>
    code.startsWith('import', index),
  );
  const line = (imports.at(-1)?.index ?? 0) + (imports.at(-1)?.[0].length ?? 0);
  return `${changed.slice(0, line)}import { ${name} } from '${path}';\n${changed.slice(line)}`;
}

/** Where a property of the object literal begins whose body starts at `from`; properties of nested objects do not count. */
function ownProperty(code: string, from: number, name: string): number | undefined {
  let depth = 0;
  for (let at = from; at < code.length && depth >= 0; at++) {
    const char = code[at] ?? '';
    if ('{[('.includes(char)) depth++;
    else if ('}])'.includes(char)) depth--;
    else if (depth === 0 && code.startsWith(name, at) && !/[\w$.]/.test(code[at - 1] ?? '')) return at;
  }
  return undefined;
}

/** Code whose strings and comments are blanks of the same length, so that nothing in them is taken for code. */
function withoutProse(text: string): string {
  const prose = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g;
  return text.replace(prose, (found) => found.replace(/[^\n]/g, ' '));
}
