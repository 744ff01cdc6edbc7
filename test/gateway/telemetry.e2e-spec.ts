import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { TokenLedger } from '@tool-search/core';
import { ToolSearchTelemetryModule } from '@tool-search/telemetry/opentelemetry';
import { ADAPTERS, type GatewayApp, startGatewayApp } from './support/gateway-app.js';
import { ERAS, WireCaller } from './support/wire.js';

const DIRECT = { name: 'shop.refund', arguments: {} };
const BRIDGED = { name: 'tool_call', arguments: DIRECT };

describe.each(ADAPTERS)('what is recorded of MCP clients on %s', (adapter) => {
  const spans = new InMemorySpanExporter();
  let gateway: GatewayApp;

  beforeAll(async () => {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }));
    gateway = await startGatewayApp(adapter, { imports: [ToolSearchTelemetryModule] });
  });
  afterAll(async () => {
    await gateway.app.close();
    trace.disable();
    context.disable();
  });
  beforeEach(() => spans.reset());

  const namesOf = () => spans.getFinishedSpans().map(({ name }) => name);

  describe.each(ERAS)('a %s client', (era) => {
    it.each([
      ['by its name', DIRECT],
      ['through the bridge', BRIDGED],
    ])('a call %s is one span of the tool', async (_, call) => {
      const caller = await WireCaller.of(gateway.url, era);
      await caller.ask('tools/call', call);
      expect(namesOf()).toEqual(['execute_tool shop.refund']);
      expect(spans.getFinishedSpans()[0]!.attributes).toMatchObject({ 'gen_ai.tool.name': 'shop.refund' });
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
