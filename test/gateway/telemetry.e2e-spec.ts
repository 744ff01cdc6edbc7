import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { ToolAdminModule } from '@tool-search/admin';
import { TokenLedger } from '@tool-search/core';
import { ToolSearchTelemetryModule } from '@tool-search/telemetry/opentelemetry';
import { send as request } from '../support/reference-server.js';
import { ADAPTERS, type GatewayApp, startGatewayApp } from './support/gateway-app.js';
import { codeOf, ERAS, WireCaller } from './support/wire.js';

const DIRECT = { name: 'shop.refund', arguments: {} };
const BRIDGED = { name: 'tool_call', arguments: DIRECT };

/** The ways to call a tool: by its own name, by its listed name, and through the bridge. */
const WAYS = [
  ['by its name', (name: string) => ({ name, arguments: {} })],
  ['by its listed name', (name: string) => ({ name: name.replace('.', '__'), arguments: {} })],
  ['through the bridge', (name: string) => ({ name: 'tool_call', arguments: { name, arguments: {} } })],
] as const;

/** Tools whose calls end in different ways, and the code of each. */
const OUTCOMES = [
  ['shop.refund', 'ok'],
  ['shop.broken', 'TOOL_FAILED'],
  ['shop.stock', 'APPROVAL_REQUIRED'],
  ['shop.vault_globex', 'TOOL_NOT_AVAILABLE'],
  ['shop.dump', 'TOOL_NOT_AVAILABLE'],
] as const;

@Injectable()
class OperatorGuard implements CanActivate {
  canActivate(execution: ExecutionContext): boolean {
    const incoming = execution.switchToHttp().getRequest<{ user?: object }>();
    incoming.user = { tenantId: 'ops', userId: 'olga', roles: [], admin: true };
    return true;
  }
}
const ROUTES = { path: 'admin', guards: [OperatorGuard], writesPerMinute: 100_000, readsPerMinute: 100_000 };

/** What a route for operators lists: a call, an activation or an approval. */
interface Listed {
  readonly id: string;
  readonly userId: string;
  readonly tool: string;
  readonly kind?: string;
  readonly outcome?: string;
}

describe.each(ADAPTERS)('what is recorded of MCP clients on %s', (adapter) => {
  const spans = new InMemorySpanExporter();
  let gateway: GatewayApp;

  beforeAll(async () => {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }));
    gateway = await startGatewayApp(adapter, {
      imports: [ToolSearchTelemetryModule, ToolAdminModule.forRoot(ROUTES)],
      options: { policy: { approval: [{ tools: 'shop.stock', scope: 'session' }] } },
    });
    await gateway.turnOff('shop.dump');
  });
  afterAll(async () => {
    await gateway.app.close();
    trace.disable();
    context.disable();
  });
  beforeEach(() => spans.reset());

  const namesOf = () => spans.getFinishedSpans().map(({ name }) => name);

  describe.each(ERAS)('a %s client', (era) => {
    describe.each(WAYS)('a call %s', (how, of) => {
      const user = `${era}-${how.replaceAll(' ', '-')}`;
      const admin = async (path: string, options: Parameters<typeof request>[2] = {}) => {
        const { status, body } = await request(gateway.url, `/admin/${path}`, { token: 'ops.olga', ...options });
        expect(status).toBe(200);
        return body as { readonly items: readonly Listed[] };
      };

      it.each(OUTCOMES)(
        'of %s ends with %s, and is a call of the tool in spans, events, record, approvals and activations',
        async (name, outcome) => {
          const userId = `${user}-${name.slice('shop.'.length)}`;
          const caller = await WireCaller.of(gateway.url, era, { token: `acme.${userId}` });
          const before = gateway.events.length;
          expect(codeOf(await caller.ask('tools/call', of(name)))).toBe(outcome);
          expect(namesOf()).toEqual([`execute_tool ${name}`]);
          const attributes = spans.getFinishedSpans().map((span) => span.attributes);
          expect(attributes).toMatchObject([{ 'gen_ai.tool.name': name }]);
          const events = gateway.events.slice(before);
          expect(new Set(events.flatMap((event) => ('tool' in event ? [event.tool] : [])))).toEqual(new Set([name]));
          const whose = `tenantId=acme&userId=${userId}`;
          const { items: calls } = await admin(`calls?${whose}&kind=call`);
          expect(calls.map(({ kind, tool, outcome: end }) => [kind, tool, end])).toEqual([['call', name, outcome]]);
          const { items: activations } = await admin(`activations?${whose}`);
          // A tool that has run is active, also if it failed.
          const hasRun = outcome === 'ok' || outcome === 'TOOL_FAILED';
          expect(activations.map(({ tool }) => tool)).toEqual(hasRun ? [name] : []);
          const { items: approvals } = await admin('approvals?tenantId=acme');
          const asked = approvals.filter((each) => each.userId === userId);
          expect(asked.map(({ tool }) => tool)).toEqual(outcome === 'APPROVAL_REQUIRED' ? [name] : []);
          for (const seen of [events, attributes, calls, activations, asked])
            expect(JSON.stringify(seen)).not.toContain('tool_call');
        },
      );

      it('runs once a second person has approved the tool, however it is called then', async () => {
        const userId = `${user}-approved`;
        const caller = await WireCaller.of(gateway.url, era, { token: `acme.${userId}` });
        await caller.ask('tools/call', of('shop.stock'));
        const { items } = await admin('approvals?tenantId=acme&status=pending');
        const { id } = items.find((each) => each.userId === userId)!;
        await admin(`approvals/${id}/approve`, { method: 'POST', body: { reason: 'a test' } });
        for (const [, way] of WAYS) {
          const { result } = await caller.ask('tools/call', way('shop.stock'));
          expect(result.structuredContent).toEqual({ count: 7 });
        }
      });
    });

    it('a search is a retrieval within a call of the search', async () => {
      const caller = await WireCaller.of(gateway.url, era);
      await caller.call('tool_search', { query: 'refund' });
      expect(namesOf()).toEqual([expect.stringMatching(/^retrieval /), 'execute_tool tool_search']);
    });

    it('a call of a tool that the caller may not have is a failed span, the same through the bridge', async () => {
      const caller = await WireCaller.of(gateway.url, era);
      const name = 'shop.vault_globex';
      await caller.ask('tools/call', { name, arguments: {} });
      await caller.ask('tools/call', { name: 'tool_call', arguments: { name, arguments: {} } });
      const [direct, bridged] = spans.getFinishedSpans();
      expect(namesOf()).toEqual([`execute_tool ${name}`, `execute_tool ${name}`]);
      const callId = { 'gen_ai.tool.call.id': expect.any(String) };
      expect(bridged!.attributes).toEqual({ ...direct!.attributes, ...callId });
      expect(direct!.attributes['error.type']).toBe('TOOL_NOT_AVAILABLE');
    });

    it('the ledger counts lists and searches, and no call through the bridge', async () => {
      const userId = `ledger-${era}`;
      const caller = await WireCaller.of(gateway.url, era, { token: `acme.${userId}` });
      const counts = async () => {
        const { steps, metaCalls, searchTokens } = await gateway.app
          .get(TokenLedger)
          .ofSession({ tenantId: 'acme', userId, sessionId: 'mcp' });
        return { steps, metaCalls, searchTokens };
      };
      const begun = await counts();
      await caller.ask('tools/list');
      const listed = await counts();
      expect(listed).toEqual({ ...begun, steps: begun.steps + 1 });
      await caller.ask('tools/call', DIRECT);
      await caller.ask('tools/call', BRIDGED);
      expect(await counts()).toEqual(listed);
      await caller.call('tool_search', { query: 'refund' });
      const searched = await counts();
      expect(searched).toMatchObject({ steps: listed.steps, metaCalls: listed.metaCalls + 1 });
      expect(searched.searchTokens).toBeGreaterThan(listed.searchTokens);
    });
  });
});
