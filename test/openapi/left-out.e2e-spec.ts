import { Logger, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { ToolCatalog, ToolSearchModule } from '@tool-search/core';
import { OpenApiSource } from '@tool-search/openapi';

const upload = (required: boolean) => ({ post: { requestBody: { required, content: { 'application/zip': {} } } } });
const paths = Object.fromEntries(
  Array.from({ length: 20 }, (_, index) => [`/files/${index}`, upload(index % 2 === 0)] as const),
);

it('ten operations that share a reason are one entry of the status and one line of the log, with their number', async () => {
  @Module({
    imports: [
      ToolSearchModule.forRoot({
        context: () => ({ tenantId: 't' }),
        catalog: { bootWaitMs: 600_000 },
        sources: [
          new OpenApiSource({ name: 'files', document: { openapi: '3.0.3', paths }, baseUrl: 'https://a.example' }),
        ],
      }),
    ],
  })
  class App {}
  const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  const module = await Test.createTestingModule({ imports: [App] })
    .setLogger(false as never)
    .compile();
  const app = await module.init();
  const status = app
    .get(ToolCatalog)
    .sources()
    .find(({ source }) => source === 'files');
  const lines = warn.mock.calls.map(([line]) => String(line)).filter((line) => line.startsWith('files: '));
  warn.mockRestore();
  await app.close();
  expect(status).toMatchObject({
    tools: 10,
    refused: [{ name: 'POST /files/0', reason: expect.stringContaining('application/zip'), count: 10 }],
    amended: [{ name: 'POST /files/1', reason: expect.stringContaining('application/zip'), count: 10 }],
  });
  expect(lines).toEqual([
    expect.stringMatching(/^files: refused POST \/files\/0 and 9 more /),
    expect.stringMatching(/^files: POST \/files\/1 and 9 more: its optional body is not offered/),
  ]);
});
