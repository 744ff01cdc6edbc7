import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Module } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { ToolCatalog, ToolPolicies, ToolSearchModule } from '@tool-search/core';
import { FakeSource, type FakeSourceTool } from '@tool-search/core/testing';
import { ToolSearchTypeOrmModule } from '@tool-search/typeorm';
import { APPLICATION_OPTIONS, configure } from '../../src/application.js';
import { BearerGuard, USER_LOOKUP } from '../../src/auth/bearer.guard.js';
import { demoTokens } from '../../src/auth/demo-tokens.js';
import { contextOf } from '../../src/auth/tool-context.js';
import { ToolboxController } from '../../src/toolbox/toolbox.controller.js';
import { ACME, type Answer, GLOBEX, type RequestOptions, send } from '../support/reference-server.js';

const RUN = { 'x-run-id': 'report-7' };
const data = mkdtempSync(join(tmpdir(), 'tool-search-runs-'));
afterAll(() => rmSync(data, { recursive: true, force: true }));

type Send = (path: string, options?: RequestOptions) => Promise<Answer>;
const listed = async (request: Send, headers: Readonly<Record<string, string>> = RUN) =>
  (await request('/toolbox', { headers })).body.tools.map(
    ({ name, active }: { name: string; active: boolean }) => `${name}${active ? '*' : ''}`,
  );

describe('a run over HTTP', () => {
  const TOOLS: readonly FakeSourceTool[] = [
    { name: 'pay_out', description: 'Pays the balance out.', inputSchema: secretive('iban') },
    { name: 'void', description: 'Voids a payment.', inputSchema: secretive('payment') },
  ];
  const OPEN: (() => Promise<void>)[] = [];
  let files = 0;
  afterEach(async () => {
    for (const close of OPEN.splice(0)) await close();
  });

  async function start(database: string, tools = TOOLS) {
    const source = new FakeSource('ledger', tools);
    @Module({
      imports: [
        ToolSearchModule.forRoot({
          context: contextOf,
          sources: [source],
          exposure: { mode: 'deferred', hints: { enabled: true }, directory: { enabled: true } },
        }),
        ToolSearchTypeOrmModule.forRoot({ database }),
      ],
      controllers: [ToolboxController],
      providers: [
        BearerGuard,
        {
          provide: USER_LOOKUP,
          useValue: demoTokens(
            `${ACME}:acme:ada:business,${GLOBEX}:globex:homer:starter,other-token:acme:bob:business`,
          ),
        },
      ],
    })
    class App {}
    const module = await Test.createTestingModule({ imports: [App] })
      .setLogger(false as never)
      .compile();
    const app = configure(module.createNestApplication<NestExpressApplication>(APPLICATION_OPTIONS));
    await app.listen(0, '127.0.0.1');
    const url = await app.getUrl();
    let isOpen = true;
    const close = async () => {
      if (isOpen) await app.close();
      isOpen = false;
    };
    OPEN.push(close);
    const request: Send = (path, options) => send(url, path, options);
    const resume = (body: unknown = {}, token = ACME) => request('/toolbox/resume', { body, token, headers: RUN });
    return { app, url, source, request, resume, close };
  }

  /** Starts a server with a paused run in which one tool was offered and the other called. */
  async function pausedRun() {
    const database = join(data, `runs-${(files += 1)}.sqlite`);
    const { request, close } = await start(database);
    await request('/toolbox/get', { body: { names: ['ledger.void'] }, headers: RUN });
    await request('/toolbox/call', { body: { name: 'ledger.pay_out', arguments: {} }, headers: RUN });
    expect(await listed(request)).toEqual(['ledger.void', 'ledger.pay_out*']);
    await request('/toolbox/pause', { body: {}, headers: RUN });
    await close();
    return database;
  }

  it('resumes on the next server over the same file', async () => {
    const { request, resume } = await start(await pausedRun());
    expect(await listed(request)).toEqual(['ledger.pay_out*']);
    const { status, body } = await resume();
    expect([status, body]).toEqual([
      200,
      {
        runId: 'report-7',
        pausedAt: expect.any(Number),
        tools: [
          { name: 'ledger.void', drift: 'same' },
          { name: 'ledger.pay_out', drift: 'same' },
        ],
        catalogChanged: false,
        policyChanged: false,
      },
    ]);
    expect(await listed(request)).toEqual(['ledger.void', 'ledger.pay_out*']);
    expect((await resume()).body).toEqual(body);
  });

  it('does not bring back what a policy forbids by now: neither listed, nor callable, nor named', async () => {
    const { app, request, resume } = await start(await pausedRun());
    app.get(ToolPolicies).setTenant('acme', { deny: ['ledger.pay_out'] });
    const resumed = await resume();
    expect(resumed.body.tools).toEqual([
      { name: 'ledger.void', drift: 'same' },
      { name: 'ledger.pay_out', drift: 'gone' },
    ]);
    expect(await listed(request)).toEqual(['ledger.void']);
    const post = (path: string, body: unknown) => request(`/toolbox/${path}`, { body, headers: RUN });
    const call = await post('call', { name: 'ledger.pay_out', arguments: {} });
    expect(call.body).toMatchObject({ ok: false, code: 'TOOL_NOT_AVAILABLE' });
    const answers = [
      resumed,
      call,
      await request('/toolbox', { headers: RUN }),
      await post('search', { query: 'pay out' }),
      await post('get', { names: ['ledger.pay_out'] }),
      await post('activate', { names: ['ledger.pay_out', 'ledger.void'] }),
      await resume({ onDrift: 'continue' }),
      await resume({ onDrift: 'fail' }),
      await post('pause', {}),
    ];
    expect(answers.map(({ text }) => text).join('\n')).not.toMatch(/the balance|iban/i);
    app.get(ToolPolicies).setTenant('acme', {});
    expect(await listed(request)).toEqual(['ledger.void*']);
  });

  it.each([
    [undefined, ['ledger.void']],
    ['search_again', ['ledger.void']],
    ['continue', ['ledger.void', 'ledger.pay_out*']],
  ])('meets a definition that has changed with onDrift %s', async (onDrift, expected) => {
    const { app, source, request, resume } = await start(await pausedRun());
    source.setTools([{ ...TOOLS[0]!, description: 'Pays out twice.' }, TOOLS[1]!]);
    await app.get(ToolCatalog).refresh();
    const { body } = await resume(onDrift && { onDrift });
    expect(body).toMatchObject({
      tools: [{ drift: 'same' }, { name: 'ledger.pay_out', drift: 'changed' }],
      catalogChanged: true,
    });
    expect(await listed(request)).toEqual(expected);
    expect((await request('/toolbox', { headers: RUN })).text).not.toContain('balance');
  });

  it('does not resume after a change with onDrift fail, and resumes with another choice', async () => {
    const { request, resume } = await start(await pausedRun(), TOOLS.slice(1));
    const failed = await resume({ onDrift: 'fail' });
    expect(failed).toMatchObject({
      status: 409,
      type: expect.stringContaining('application/problem+json'),
      body: { code: 'RUN_DRIFTED', detail: expect.stringContaining('ledger.pay_out (gone)') },
    });
    expect(await listed(request)).toEqual([]);
    expect((await resume()).status).toBe(200);
    expect(await listed(request)).toEqual(['ledger.void']);
  });

  it('is not found by others, and answered like an unknown one', async () => {
    const { url, request, resume } = await start(await pausedRun());
    const unknown = await request('/toolbox/resume', { body: {}, headers: { 'x-run-id': 'report-8' } });
    expect(unknown).toMatchObject({ status: 404, body: { code: 'RUN_NOT_FOUND', hint: expect.any(String) } });
    expect((await resume({}, GLOBEX)).text).toBe(unknown.text);
    expect((await resume({}, 'other-token')).text).toBe(unknown.text);
    for (const path of ['pause', 'resume']) {
      const nameless = await request(`/toolbox/${path}`, { body: {} });
      expect(nameless).toMatchObject({ status: 400, body: { code: 'INVALID_SESSION' } });
    }
    const bodiless = await fetch(`${url}/toolbox/resume`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ACME}`, ...RUN },
    });
    expect(bodiless.status).toBe(200);
    for (const body of [{ onDrift: 'ignore' }, { onDrift: ['fail'] }, { on_drift: 'fail' }]) {
      expect(await resume(body)).toMatchObject({ status: 400, body: { code: 'INVALID_ARGUMENTS' } });
    }
  });
});

function secretive(property: string) {
  return { type: 'object' as const, properties: { [property]: { type: 'string' as const } } };
}
