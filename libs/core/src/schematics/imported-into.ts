/** Adds an import to the text of a Nest module. Undefined if `@Module()` or its `imports` is no literal. */
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
  // The new import goes after the last one. All imports precede `@Module()`, so the text inserted above does not move
  // them.
  const imports = [...text.matchAll(/^import\b(?:[^'"]*?\bfrom\s*)?['"][^'"\n]+['"][^\n]*\n/gm)].filter(({ index }) =>
    code.startsWith('import', index),
  );
  const line = (imports.at(-1)?.index ?? 0) + (imports.at(-1)?.[0].length ?? 0);
  return `${changed.slice(0, line)}import { ${name} } from '${path}';\n${changed.slice(line)}`;
}

/** Offset of a property in the object literal whose body starts at `from`, not of a nested object's. */
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

/** Replaces strings and comments by blanks of the same length, so that they are not read as code. */
function withoutProse(text: string): string {
  const prose = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g;
  return text.replace(prose, (found) => found.replace(/[^\n]/g, ' '));
}
