import { Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { ToolSearchModule, ToolSearchService } from '@tool-search/core';
import { FakeSource } from '@tool-search/core/testing';

jest.mock('@opentelemetry/api', () => {
  throw new Error('OpenTelemetry was loaded');
});

it('an application of core alone never loads OpenTelemetry', async () => {
  const files = new FakeSource('files', ['read_file']);
  @Module({
    imports: [ToolSearchModule.forRoot({ context: () => ({ tenantId: 't' }), sources: [files], exposure: 'deferred' })],
  })
  class App {}
  const app = await Test.createTestingModule({ imports: [App] })
    .setLogger(false as never)
    .compile();
  await app.init();
  const toolbox = app.get(ToolSearchService).open({ tenantId: 't' });
  expect(await toolbox.call('tool_search', { query: 'read a file' })).toMatchObject({ ok: true });
  expect(await toolbox.call('files.read_file', {})).toMatchObject({ ok: true });
  await app.close();
});

it('nor does the door to Terminus, and the door to OpenTelemetry would be noticed', async () => {
  expect(Object.keys(await import('./terminus.js'))).toEqual(['ToolSearchHealthIndicator']);
  await expect(import('./opentelemetry.js')).rejects.toThrow('OpenTelemetry was loaded');
});

it('the door to OpenTelemetry never loads Terminus', async () => {
  await jest.isolateModulesAsync(async () => {
    jest.dontMock('@opentelemetry/api');
    jest.doMock('@nestjs/terminus', () => {
      throw new Error('Terminus was loaded');
    });
    expect(Object.keys(await import('./opentelemetry.js'))).toEqual(['ToolSearchTelemetryModule']);
    await expect(import('./terminus.js')).rejects.toThrow('Terminus was loaded');
  });
});
