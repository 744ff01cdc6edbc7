/**
 * Whether any object of a JSON text has a key twice: `JSON.parse` silently keeps the last one, a proxy in between might
 * have looked at the first. Expects text that parses.
 */
export function hasDuplicateKeys(json: string): boolean {
  const open: (Set<string> | undefined)[] = [];
  let at = 0;
  while (at < json.length) {
    const char = json[at];
    if (char === '{') open.push(new Set());
    else if (char === '[') open.push(undefined);
    else if (char === '}' || char === ']') open.pop();
    else if (char === '"') {
      const end = endOfString(json, at);
      const keys = open.at(-1);
      let next = end;
      while (/\s/.test(json[next] ?? '')) next += 1;
      if (keys && json[next] === ':') {
        const key = JSON.parse(json.slice(at, end)) as string;
        if (keys.has(key)) return true;
        keys.add(key);
      }
      at = end;
      continue;
    }
    at += 1;
  }
  return false;
}

function endOfString(json: string, start: number): number {
  for (let at = start + 1; at < json.length; at += 1) {
    if (json[at] === '\\') at += 1;
    else if (json[at] === '"') return at + 1;
  }
  return json.length;
}
