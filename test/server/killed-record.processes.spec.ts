import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CallRecord, idFrom } from '@tool-search/core/stores';
import {
  CallEntity,
  CallRepository,
  createDataSource,
  dataSourceOptions,
  type ToolSearchTypeOrmOptions,
} from '@tool-search/typeorm';
import { describeOnPostgres } from '../../libs/typeorm/test/describe-on-postgres.js';
import { build, type BuiltServer, startBuiltServer } from '../support/built-server.js';
import { ACME, OPERATOR } from '../support/reference-server.js';

const TOKENS = `${ACME}:acme:ada:business:finance,${OPERATOR}:acme:olga:business:admin`;
const TOOL = 'billing.list_invoices';
const CLIENTS = 6;
const KILLS = 2;

/** A call of a client, named by its run. Times are of one clock, and only compared with each other. */
interface SentCall {
  readonly runId: string;
  readonly sentAt: number;
  readonly answeredAt: number;
}

/** Clients that call one after the other, until the server is gone. */
class Crowd {
  readonly answered: SentCall[] = [];
  readonly #sent = new Set<string>();
  readonly #clients: readonly Promise<void>[];
  #isOver = false;

  constructor(
    private readonly server: BuiltServer,
    private readonly name: string,
  ) {
    this.#clients = Array.from({ length: CLIENTS }, (_, client) => this.#call(client));
  }

  /** Kills the server while it answers, and returns all runs that were asked for. */
  async endsWithKill(): Promise<ReadonlySet<string>> {
    this.#isOver = true;
    await this.server.kill();
    await Promise.all(this.#clients);
    return this.#sent;
  }

  async answers(more: number): Promise<void> {
    const wanted = this.answered.length + more;
    const isEnough = async () => {
      while (this.answered.length < wanted && !this.#isOver) await new Promise(setImmediate);
    };
    // The clients only end before the kill if a call has failed.
    await Promise.race([isEnough(), Promise.all(this.#clients)]);
  }

  async #call(client: number): Promise<void> {
    for (let n = 0; ; n++) {
      const runId = `${this.name}-${client}-${n}`;
      this.#sent.add(runId);
      const sentAt = performance.now();
      const body = { name: TOOL, arguments: {} };
      try {
        const answer = await this.server.request('/toolbox/call', { body, headers: { 'x-run-id': runId } });
        expect(answer).toMatchObject({ status: 200, body: { ok: true } });
      } catch (error) {
        if (this.#isOver) return;
        this.#isOver = true;
        throw error;
      }
      this.answered.push({ runId, sentAt, answeredAt: performance.now() });
    }
  }
}

/** All recorded calls, read by a process that opens the database anew. */
async function recordedCalls(place: ToolSearchTypeOrmOptions): Promise<readonly CallRecord[]> {
  const dataSource = await createDataSource(dataSourceOptions(place));
  try {
    if (place.database) expect(await dataSource.query('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    const calls = new CallRepository(CallEntity, dataSource.manager);
    return await calls.listMatching({ kind: 'call' }, { limit: 1_000_000, oldestFirst: true });
  } finally {
    await dataSource.destroy();
  }
}

/** Resolves when a call is in the database: a flush window has passed. How long that takes depends on the machine. */
async function isRecorded(place: ToolSearchTypeOrmOptions, runId: string): Promise<void> {
  const dataSource = await createDataSource(dataSourceOptions(place));
  const calls = new CallRepository(CallEntity, dataSource.manager);
  // Between two looks the server has the processor: all calls until the kill are read again in the end.
  const look = () => calls.listMatching({ kind: 'call', runId }, { limit: 1 });
  while ((await look()).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  await dataSource.destroy();
}

function keepsWhatWasWritten(place: () => { options: ToolSearchTypeOrmOptions; env: Record<string, string> }): void {
  const data = mkdtempSync(join(tmpdir(), 'tool-search-killed-'));
  const crowds: { readonly answered: readonly SentCall[]; readonly sent: ReadonlySet<string> }[] = [];
  const started: BuiltServer[] = [];
  let records: readonly CallRecord[];
  const start = async () => {
    const server = await startBuiltServer({
      DATA_DIR: data,
      DEMO_TOKENS: TOKENS,
      NODE_ENV: 'test',
      TOOL_SEARCH_EXPOSURE: 'all',
      TOOL_SEARCH_TUNING_RECORD_FLUSH_EVERY_MS: '200',
      ...place().env,
    });
    started.push(server);
    return server;
  };

  beforeAll(async () => {
    build();
    for (let kill = 0; kill < KILLS; kill++) {
      const crowd = new Crowd(await start(), `crowd${kill}`);
      await crowd.answers(100);
      const [mark] = crowd.answered.slice(-1);
      await isRecorded(place().options, mark!.runId);
      await crowd.answers(1 + Math.floor(Math.random() * 50));
      const sent = await crowd.endsWithKill();
      crowds.push({ answered: crowd.answered, sent });
    }
    records = await recordedCalls(place().options);
  });
  afterAll(async () => {
    await Promise.all(started.map((server) => server.kill()));
    rmSync(data, { recursive: true, force: true });
  });

  it('has every call that was answered before any recorded call was sent', () => {
    const recorded = new Set(records.map(({ runId }) => runId));
    for (const { answered } of crowds) {
      const written = answered.filter(({ runId }) => recorded.has(runId));
      expect(written.length).toBeGreaterThanOrEqual(100);
      const lastSent = Math.max(...written.map(({ sentAt }) => sentAt));
      const lost = answered.filter(({ runId, answeredAt }) => answeredAt < lastSent && !recorded.has(runId));
      expect(lost).toEqual([]);
    }
  });

  it('has no call twice, no invented call, and each completely', () => {
    const sent = new Set(crowds.flatMap((crowd) => [...crowd.sent]));
    const runs = records.map(({ runId }) => runId);
    expect(new Set(runs).size).toBe(runs.length);
    expect(runs.filter((runId) => !sent.has(runId))).toEqual([]);
    const [{ definitionHash, policyHash }] = records as [CallRecord];
    for (const record of records) {
      expect(record).toMatchObject({ tool: TOOL, tenantId: 'acme', userId: 'ada', outcome: 'ok', layer: 'approval' });
      expect(record).toMatchObject({ definitionHash, policyHash, callId: expect.stringMatching(/./) });
      expect(record.id.slice(0, 12)).toBe(idFrom(record.at).slice(0, 12));
    }
  });

  it('is read and continued by the next start', async () => {
    const next = await start();
    expect((await next.request('/toolbox/call', { body: { name: TOOL, arguments: {} } })).body.ok).toBe(true);
    const exported = await next.request(`/admin/tools/calls/export?kind=call&tool=${TOOL}`, { token: OPERATOR });
    const ids = exported.text
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as CallRecord).id);
    expect(ids).toHaveLength(records.length + 1);
    expect(ids.slice(0, -1)).toEqual(records.map(({ id }) => id));
  });
}

describe('the record of the built server, killed while it answers calls, on SQLite', () => {
  const data = mkdtempSync(join(tmpdir(), 'tool-search-killed-'));
  const database = join(data, 'tool-search.sqlite');
  afterAll(() => rmSync(data, { recursive: true, force: true }));
  keepsWhatWasWritten(() => ({ options: { database }, env: { SQLITE_PATH: database } }));
});

describeOnPostgres('the record of the built server, killed while it answers calls,', (url) => {
  keepsWhatWasWritten(() => ({ options: { url: url() }, env: { DATABASE_URL: url() } }));
});
