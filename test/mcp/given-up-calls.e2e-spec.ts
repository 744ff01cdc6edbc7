import { SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import { openToolbox, type OpenToolbox } from '@tool-search/core/testing';
import { McpSource } from '@tool-search/mcp';
import { type Era, type Mischief, MisbehavingMcpServer } from '../support/misbehaving-mcp-server.js';

/** Reasons with which callers end calls: a closed connection, a cancelled request, an application's signal, a question. */
const REASONS: readonly (readonly [string, () => unknown])[] = [
  ['a closed connection', () => new SdkError(SdkErrorCode.ConnectionClosed, 'Connection closed')],
  ['a cancelled request', () => 'The user cancelled the request'],
  ['a signal of the application', () => undefined],
  ['a question that nobody answered', () => new Error('nobody answered in time')],
];
const ADA = { tenantId: 'acme', userId: 'ada' };
const BOB = { tenantId: 'globex', userId: 'bob' };

describe.each<Era>(['2025-11-25', '2026-07-28'])('calls of a shared server in the revision %s', (era) => {
  let odd: MisbehavingMcpServer;
  let app: OpenToolbox;
  beforeEach(async () => {
    odd = new MisbehavingMcpServer(era);
    await odd.start();
    app = await openToolbox({ sources: [new McpSource({ name: 'odd', url: odd.url, changes: 'trust' })] });
  });
  afterEach(async () => {
    await app.close();
    await odd.stop();
  });
  const echo = (as: typeof ADA, words = 'hello') => app.open(as).call('odd.echo', { words });

  it.each(REASONS)('that end with %s do not interrupt calls of others', async (_, reason) => {
    for (let n = 0; n < 8; n++) {
      const giveUp = new AbortController();
      const hang: Mischief = () => giveUp.abort(reason());
      odd.mischief = { 'tools/call': hang };
      expect(await app.open(ADA).call('odd.echo', {}, { signal: giveUp.signal })).toMatchObject({ ok: false });
    }
    odd.mischief = {};
    expect(await echo(BOB)).toMatchObject({ ok: true });
    expect(await echo(ADA)).toMatchObject({ ok: true });
  });

  it('at whose arguments it drops the connection close it to their caller alone', async () => {
    const drop: Mischief = ({ res }) => void res.destroy();
    const codes: unknown[] = [];
    for (let n = 0; n < 12; n++) {
      odd.mischief = { 'tools/call': drop };
      codes.push(await echo(ADA));
      odd.mischief = {};
      if (n > 5) expect(await echo(BOB)).toMatchObject({ ok: true });
    }
    expect(codes).toEqual(Array(12).fill(expect.objectContaining({ ok: false, code: 'SOURCE_UNAVAILABLE' })));
    const asked = odd.requests.length;
    expect(await echo(ADA)).toMatchObject({ code: 'SOURCE_UNAVAILABLE' });
    expect(odd.requests).toHaveLength(asked);
  });

  it('that are not answered at all close it to everybody', async () => {
    const down: Mischief = ({ send }) => send(503, 'text/plain', 'away');
    odd.mischief = { 'tools/call': down, 'tools/list': down };
    for (let n = 0; n < 5; n++) await echo({ tenantId: 'acme', userId: `user${n}` });
    odd.mischief = {};
    expect(await echo(BOB)).toMatchObject({ code: 'SOURCE_UNAVAILABLE' });
  });
});
