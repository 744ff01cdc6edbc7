import { McpSource } from '@tool-search/mcp';
import { z } from 'zod';
import { mcpSourceOptions } from '../../libs/mcp/src/mcp-source-options.js';
import { expectRefusals } from './expect-refusals.js';

const take = (options: object) => new McpSource(options as never);
const { url: _, headers: __, egress: ___, auth: _a, oauth: _o, listAs: _l, ...local } = mcpSourceOptions.shape;
const { command: ____, args: _____, env: ______, cwd: _______, ...remote } = mcpSourceOptions.shape;

expectRefusals('McpSource with a command', z.strictObject(local), take, { name: 'notes', command: 'node' });
expectRefusals('McpSource with a url', z.strictObject(remote), take, {
  name: 'notes',
  url: 'https://example.com/mcp',
  auth: 'user',
  oauth: { issuer: 'https://example.com', clientId: 'shop', exchange: { subjectToken: () => 'x' } },
  listAs: { tenantId: 'acme', userId: 'ada' },
});

it.each([
  [{ loading: 'allways' }, 'McpSource "notes": loading must be one of always, deferred, not "allways".'],
  [
    { limits: { schemaBytes: 'many' } },
    'McpSource "notes": limits.schemaBytes must be a whole number from 0 to 1073741824, not this text.',
  ],
  [{ comand: 'node' }, 'McpSource "notes" has no option "comand".'],
  [{ command: 5 }, 'McpSource "notes": command must be a text, not a number.'],
  [{ callTimeoutMs: -5 }, 'McpSource "notes": callTimeoutMs must be a whole number from 1 to 2147483647, not -5.'],
  [
    { command: undefined },
    'McpSource "notes": url must be given (Streamable HTTP) or else command (stdio): one of them names the server.',
  ],
  [
    { command: undefined, url: 'https://example.com', egress: { alow: ['10.0.0.0/8'] } },
    'McpSource "notes": egress has no option "alow".',
  ],
  [{ auth: 'user' }, 'McpSource "notes": auth must be left out with command.'],
  [
    { command: undefined, url: 'https://example.com', oauth: {} },
    'McpSource "notes": oauth must be left out unless auth is \'user\'.',
  ],
  [
    { command: undefined, url: 'https://example.com', auth: 'user', oauth: { clientId: 'shop' } },
    'McpSource "notes": oauth.issuer must be given with clientId.',
  ],
  [
    { command: undefined, url: 'https://e.com', auth: 'user', owner: 'acme', listAs: { tenantId: 'b', userId: 'c' } },
    'McpSource "notes": listAs must be a user of the owner of the source.',
  ],
  [
    { sideEffects: { '': 'read' } },
    'McpSource "notes": the name of sideEffects[""] must be a text of 1 to 256 characters.',
  ],
])('%j is refused in words', (wrong, message) => {
  expect(() => take({ name: 'notes', command: 'node', ...wrong })).toThrow(
    expect.objectContaining({ code: 'INVALID_CONFIGURATION', message }),
  );
});
