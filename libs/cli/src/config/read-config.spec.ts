import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { isToolSearchError } from '@tool-search/core';
import { readConfig } from './read-config.js';

const SECRET = 'sk-live-hunter2';
const ONE = { mcpServers: { a: { command: 'x' } } };
const NO_OPTIONS = { alwaysLoaded: [], profiles: {}, allowedOrigins: [], servers: {} };

describe('a configuration', () => {
  let folder: string;
  beforeEach(() => (folder = realpathSync(mkdtempSync(join(tmpdir(), 'config-')))));
  afterEach(() => rmSync(folder, { recursive: true }));

  function read(content: unknown, env: Record<string, string> = {}, path = 'mcp.json') {
    const file = join(folder, path);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    return readConfig(file, env);
  }
  const sourceOf = (entry: object, env?: Record<string, string>, more: object = {}) =>
    read({ mcpServers: { a: entry }, ...more }, env).servers[0]!.source;
  const refusal = (content: unknown, env: Record<string, string> = {}) => {
    try {
      read(content, env);
    } catch (error) {
      if (isToolSearchError(error)) return `${error.code} ${error.message} ${error.hint}`;
      throw error;
    }
    return 'accepted';
  };

  it('has servers over stdio and over HTTP, with comments and trailing commas, beside the settings of other programs', () => {
    const { servers, disabled, file, options } = read(`\uFEFF{
      // of Claude Desktop
      "globalShortcut": "Ctrl+Space",
      "mcpServers": {
        "notes": { "command": "npx", "args": ["-y", "notes@1"], "env": { "LEVEL": 3, "DEBUG": false, "NONE": null } },
        "My Wiki": { "type": "http", "url": "https://wiki.example.com/mcp", "headers": { "X-Team": "a" } },
        "old": { "command": "old", "disabled": true },
        "older": { "command": "older", "env": { "KEY": "\${NOT_SET}" }, "enabled": false }, /* no variable is needed */
      },
    }`);
    expect(file).toBe(join(folder, 'mcp.json'));
    expect(disabled).toEqual(['old', 'older']);
    expect(options).toEqual({ exposure: 'bridge', changes: 'strict', ...NO_OPTIONS });
    expect(servers).toEqual([
      {
        title: 'notes',
        ignored: [],
        source: {
          name: 'notes',
          changes: 'strict',
          command: 'npx',
          args: ['-y', 'notes@1'],
          env: { LEVEL: '3', DEBUG: 'false' },
          cwd: folder,
        },
      },
      {
        title: 'My Wiki',
        ignored: [],
        source: {
          name: 'My_Wiki',
          changes: 'strict',
          url: 'https://wiki.example.com/mcp',
          headers: { 'X-Team': 'a' },
        },
      },
    ]);
  });

  it('fills in variables once, in every text of a server', () => {
    const env = { KEY: 'a${NOT_SET}b', HOST: 'h.example.com', EMPTY: '' };
    expect(
      sourceOf(
        {
          command: '${userHome}/bin/x',
          args: [
            '${KEY}',
            '${env:HOST}',
            '${EMPTY:-none}',
            '${MISSING:-}',
            '$KEY and {KEY}',
            '${workspaceFolder}${/}y',
          ],
          env: { A: '${MISSING:-${x', B: '${workspaceFolderBasename}' },
          cwd: '${MISSING:-sub}',
        },
        env,
      ),
    ).toMatchObject({
      command: `${homedir()}/bin/x`,
      args: ['a${NOT_SET}b', 'h.example.com', 'none', '', '$KEY and {KEY}', `${folder}/y`],
      env: { A: '${MISSING:-${x', B: folder.split('/').at(-1) },
      cwd: join(folder, 'sub'),
    });
    expect(sourceOf({ url: 'https://${HOST}/mcp', headers: { Authorization: 'Bearer ${HOST}' } }, env)).toMatchObject({
      url: 'https://h.example.com/mcp',
      headers: { Authorization: 'Bearer h.example.com' },
    });
  });

  it('is that of VS Code too: servers, inputs, a file of variables, the folder of the project', () => {
    writeFileSync(join(folder, '.env'), 'FROM_FILE=1\nBOTH=file\n');
    const content = {
      inputs: [
        { type: 'promptString', id: 'api-key', description: 'Key', password: true },
        { type: 'pickString', id: 'level', options: ['low', 'high'], default: 'low' },
      ],
      servers: {
        a: {
          type: 'stdio',
          command: 'x',
          args: ['${input:level}'],
          envFile: '${workspaceFolder}/.env',
          env: { KEY: '${input:api-key}', BOTH: 'entry' },
        },
      },
    };
    const { servers } = read(content, { TOOL_SEARCH_INPUT_API_KEY: 'k' }, '.vscode/mcp.json');
    expect(servers[0]!.source).toMatchObject({
      args: ['low'],
      cwd: folder,
      env: { FROM_FILE: '1', BOTH: 'entry', KEY: 'k' },
    });
    expect(refusal(content)).toContain('set the environment variable TOOL_SEARCH_INPUT_API_KEY');
  });

  it('keeps entries that other clients would ignore, and reports keys that it does not use', () => {
    const { servers } = read({
      mcpServers: {
        a: { command: 'x', disabledTools: ['wipe'], excludeTools: ['drop_*'], includeTools: ['*'], autoApprove: ['y'] },
      },
      toolSearch: { servers: { a: { exclude: ['purge'], tags: ['own'], changes: 'trust' } }, changes: 'additive' },
    });
    expect(servers[0]).toMatchObject({
      source: { include: ['*'], exclude: ['drop_*', 'wipe', 'purge'], tags: ['own'], changes: 'trust' },
      ignored: ['autoApprove'],
    });
  });

  it.each<[string, unknown, string]>([
    ['no JSON', '{ "mcpServers": { "a" } }', 'mcp.json is not JSON: ColonExpected at line 1, column 23.'],
    ['a list', '[]', 'mcp.json must contain an object.'],
    ['no servers', {}, 'mcp.json must have either mcpServers or servers.'],
    ['both kinds of servers', { servers: {}, mcpServers: {} }, 'mcp.json must have either mcpServers or servers.'],
    ['servers that are a list', { mcpServers: [] }, 'mcp.json: mcpServers must be an object, not an empty list.'],
    ['a server that is a text', { mcpServers: { a: SECRET } }, 'mcp.json: mcpServers: a must be an object'],
    ['neither command nor url', { mcpServers: { a: {} } }, 'mcp.json: mcpServers.a must have either command'],
    ['both', { mcpServers: { a: { command: 'x', url: 'https://x' } } }, 'mcp.json: mcpServers.a must have either'],
    ['stdio without a command', { mcpServers: { a: { type: 'stdio', url: 'https://x' } } }, 'must have either command'],
    ['SSE', { mcpServers: { a: { type: 'sse', url: 'https://x' } } }, 'mcp.json: mcpServers.a is reached over SSE'],
    ['an unknown transport', { mcpServers: { a: { type: SECRET } } }, 'mcp.json: mcpServers.a: type must be one of'],
    ['a wrong argument', { mcpServers: { a: { command: 'x', args: [5] } } }, 'mcpServers.a: args[0] must be'],
    ['a wrong variable', { mcpServers: { a: { command: 'x', env: { B: [SECRET] } } } }, 'mcpServers.a: env.B must be'],
    ['a missing file', { mcpServers: { a: { command: 'x', envFile: 'none' } } }, 'a.envFile cannot be read (ENOENT)'],
    ['names that fall together', { mcpServers: { 'a b': { command: 'x' }, a_b: { command: 'y' } } }, '"a b" and "a_b"'],
    [
      'a variable that is not set',
      { mcpServers: { a: { command: 'x', env: { B: `${SECRET}\${TOKEN}` } } } },
      'mcp.json: mcpServers.a.env.B needs the environment variable TOKEN, which is not set. Set TOKEN',
    ],
    [
      'a variable that is empty',
      { mcpServers: { a: { url: 'https://x/${EMPTY}' } } },
      'mcp.json: mcpServers.a.url needs the environment variable EMPTY',
    ],
    [
      'a variable of an unknown form',
      { mcpServers: { a: { command: 'x', args: [`\${command:${SECRET} x}`] } } },
      'mcp.json: mcpServers.a.args[0] has a variable of an unknown form.',
    ],
    [
      'an input that is not declared',
      { mcpServers: { a: { command: 'x', args: ['${input:key}'] } } },
      'mcp.json: mcpServers.a.args[0] needs the input key',
    ],
    ['an unknown option', { ...ONE, toolSearch: { polcy: {} } }, 'mcp.json: toolSearch has no option "polcy". Known'],
    [
      'an option that is none any more',
      { ...ONE, toolSearch: { calls: { maxWaiting: 3 } } },
      'mcp.json: toolSearch: calls.maxWaiting is no option of a configuration any more',
    ],
    [
      'an unknown option of a server',
      { ...ONE, toolSearch: { servers: { a: { url: SECRET } } } },
      'mcp.json: toolSearch: servers.a has no option "url".',
    ],
    ['options of no server', { ...ONE, toolSearch: { servers: { b: {} } } }, 'has options for "b", which mcpServers'],
    [
      'a wrong policy',
      { ...ONE, toolSearch: { policy: { deny: [`${SECRET} *`] } } },
      'toolSearch: policy.deny[0] must be',
    ],
    ['a wrong profile', { ...ONE, toolSearch: { profiles: { 'Not OK': {} } } }, 'the name of profiles["Not OK"] must'],
  ])('with %s is refused with its place, and repeats no value', (_, content, says) => {
    const said = refusal(content, { EMPTY: '', SECRET });
    expect(said).toContain('INVALID_CONFIGURATION');
    expect(said).toContain(says);
    expect(said).not.toContain(SECRET);
  });

  it('that cannot be read is refused', () => {
    expect(() => readConfig(join(folder, 'none.json'))).toThrow(/none\.json cannot be read \(ENOENT\)/);
    expect(refusal(`{ "mcpServers": {}, "x": "${'x'.repeat(4 * 1024 * 1024)}" }`)).toContain('is larger than');
  });
});
