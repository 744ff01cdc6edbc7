import { announcedApps } from './announced-apps.js';

const UI = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } };
const greeting = (capabilities: unknown) => ({ method: 'initialize', params: { capabilities } });
const later = (capabilities: unknown) => ({
  method: 'tools/list',
  params: { _meta: { 'io.modelcontextprotocol/clientCapabilities': capabilities } },
});

describe.each([
  ['a greeting before 2026-07-28', greeting],
  ['a message since then', later],
])('%s', (_, message) => {
  it('announces MCP Apps by their extension', () => {
    expect(announcedApps(message(UI))).toBe(true);
    for (const other of [{}, { extensions: {} }, { extensions: null }, { extensions: { 'a/b': {} } }]) {
      expect(announcedApps(message(other))).toBe(false);
    }
    expect(announcedApps(message({ extensions: { 'io.modelcontextprotocol/ui': null } }))).toBe(false);
  });
});

it('any other message says nothing of its client', () => {
  const others = [undefined, null, 'x', [], {}, { method: 'initialize' }, greeting(null), later(7)];
  for (const message of [...others, { method: 'tools/list', params: { capabilities: UI } }]) {
    expect(announcedApps(message)).toBeUndefined();
  }
});
