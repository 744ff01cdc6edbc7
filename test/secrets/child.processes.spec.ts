import { join } from 'node:path';
import { type AccountsApp, startAccountsApp } from '../user-credentials/support/accounts-app.js';
import { ANSWERS, type CallersMethod } from './support/answers.js';
import { OFFERED } from './support/echoing-server.js';
import { Tour } from './support/tour.js';
import { Transcript } from './support/transcript.js';

const SOUGHT = 'Marker4711';
const SECRET = `sk-Zq7/Nine+${SOUGHT}"=x&y`;

describe('the credential in the environment of an MCP server over stdio', () => {
  let app: AccountsApp;

  beforeAll(async () => {
    const args = [join(__dirname, '../support/require-typescript.cjs'), join(__dirname, 'support/echoing-child.ts')];
    app = await startAccountsApp({
      ...OFFERED,
      auth: undefined,
      command: process.execPath,
      args: ['-r', ...args],
      env: { API_TOKEN: SECRET },
    } as never);
  });
  afterAll(() => app.app.close());

  it('is nowhere in lists, answers, the record and the log', async () => {
    const seen = new Transcript(SOUGHT);
    const tour = new Tour(app, seen);
    await tour.definitions();
    for (const method of Object.keys(ANSWERS) as CallersMethod[]) {
      const codes = await tour.answers(method, ({ place }) => place === undefined);
      expect(codes.get('ok')).toBeGreaterThan(0);
    }
    await tour.operators();
    await tour.openedByOperators();
    tour.written();
    expect(seen.leaks).toEqual([]);
    expect(seen.removals).toBeGreaterThan(100);
  });
});
