import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { Test } from '@nestjs/testing';
import { context, metrics, trace } from '@opentelemetry/api';
import { ToolSearchModule, ToolSearchService } from '@tool-search/core';
import { FakeSource } from '@tool-search/core/testing';
import { ToolSearchTelemetryModule } from '@tool-search/telemetry/opentelemetry';

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

it('otel.ts of the guide records calls as metrics and spans', async () => {
  const port = await freePort();
  process.env['METRICS_PORT'] = String(port);
  const lines: string[] = [];
  const said = jest.spyOn(console, 'dir').mockImplementation((span: unknown) => void lines.push(JSON.stringify(span)));
  const { stopTelemetry } = await import('./otel.js');
  try {
    const tools = ToolSearchModule.forRoot({
      context: () => ({ tenantId: 't' }),
      sources: [new FakeSource('crm', [{ name: 'find', run: () => 'found' }])],
    });
    const module = await Test.createTestingModule({ imports: [tools, ToolSearchTelemetryModule] }).compile();
    await module.init();
    await module.get(ToolSearchService).open({ tenantId: 't' }).call('crm.find', {});
    const exposition = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    expect(exposition).toContain('gen_ai_execute_tool_duration');
    await module.close();
    await stopTelemetry();
    expect(lines.join()).toContain('execute_tool crm.find');
  } finally {
    said.mockRestore();
    delete process.env['METRICS_PORT'];
    for (const api of [context, metrics, trace]) api.disable();
  }
});
