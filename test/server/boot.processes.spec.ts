import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, startBuiltServer } from '../support/built-server.js';
import { ACME } from '../support/reference-server.js';

describe('the server that cannot start', () => {
  const data = mkdtempSync(join(tmpdir(), 'tool-search-boot-'));
  const env = { DATA_DIR: data, DEMO_TOKENS: `${ACME}:acme:ada:business`, NODE_ENV: 'test' };

  beforeAll(() => build());
  afterAll(() => rmSync(data, { recursive: true, force: true }));

  it('ends, children and all, when its port is taken', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    await expect(startBuiltServer({ ...env, PORT: String(port) })).rejects.toThrow(/EADDRINUSE/);
    other.close();
  });

  const refusedWith = (faulty: Readonly<Record<string, string>>) =>
    startBuiltServer({ ...env, ...faulty }).then(
      () => 'started',
      (error: Error) => error.message,
    );

  it('says all that is wrong with the environment, without a stack', async () => {
    const refused = await refusedWith({
      TOOL_SEARCH_LIMITT: '5',
      TOOL_SEARCH_LIMIT: 'NaN',
      TOOL_SEARCH_DENY: 'bad glob!',
      TOOL_SEARCH_INSTANCES: '2',
      NODE_ENV: 'production',
    });
    for (const said of [
      /TOOL_SEARCH_LIMITT\b/,
      /TOOL_SEARCH_LIMIT\b/,
      /TOOL_SEARCH_DENY/,
      /TOOL_SEARCH_INSTANCES .* DATABASE_URL/,
      /DEMO_TOKENS .* NODE_ENV=production/,
    ]) {
      expect(refused).toMatch(said);
    }
    expect(refused).not.toMatch(/\n\s+at /);
  });

  it.each([
    ['TOOL_SEARCH_TUNING_CATALOG_RETRY_MIN_MS', '86400000', /retryMinMs/],
    ['SQLITE_PATH', '/proc/nowhere/tools.sqlite', /\/proc\/nowhere/],
    ['DATA_DIR', '/proc/nowhere', /DATA_DIR: \/proc\/nowhere/],
    ['DATABASE_URL', 'mysql://localhost/x', /DATABASE_URL/],
  ])('says what is wrong with %s=%s, without a stack', async (key, value, said) => {
    const refused = await refusedWith({ [key]: value });
    expect(refused).toMatch(said);
    expect(refused).not.toMatch(/\n\s+at /);
  });
});
