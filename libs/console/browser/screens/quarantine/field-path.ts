/** A JSON pointer into a declaration as its fields, for example `inputSchema → properties → amount`. */
export function fieldPath(pointer: string): string {
  const fields = pointer
    .split('/')
    .slice(1)
    .map((field) => field.replaceAll('~1', '/').replaceAll('~0', '~'));
  // What an MCP server declares about a tool is in the member `tool`.
  const [first, ...rest] = fields;
  const shown = first === 'tool' && rest.length > 0 ? rest : fields;
  return shown.length === 0 ? 'the whole definition' : shown.join(' → ');
}
