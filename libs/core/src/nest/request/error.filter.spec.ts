import { Controller, Get, Param, Res, type Type } from '@nestjs/common';
import { APP_FILTER, HttpAdapterHost } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import type { Response } from 'express';
import request from 'supertest';
import { TOOL_SEARCH_ERROR_CODES, ToolSearchError, type ToolSearchErrorCode } from '../../tool/tool-search.error.js';
import { problemOf, statusOf, ToolSearchErrorFilter } from './error.filter.js';

let finished = false;
const reported: unknown[] = [];
const quiet = () => undefined;

@Controller()
class FaultController {
  @Get('code/:code')
  fail(@Param('code') code: ToolSearchErrorCode) {
    throw new ToolSearchError(code, 'What happened.', { hint: 'What to do.', cause: new Error('secret') });
  }

  @Get('later')
  later() {
    throw new ToolSearchError('RATE_LIMITED', 'Too many.', { retryAfterSeconds: 7 });
  }

  @Get('other')
  other() {
    throw new Error('secret');
  }

  @Get('late')
  late(@Res() response: Response) {
    response.once('finish', () => {
      finished = true;
    });
    response.write('begun');
    throw new ToolSearchError('INTERNAL', 'Too late.');
  }
}

async function start(filter: Type = ToolSearchErrorFilter) {
  const module = await Test.createTestingModule({
    controllers: [FaultController],
    providers: [{ provide: APP_FILTER, useClass: filter }],
  }).compile();
  return module
    .createNestApplication({ logger: { log: quiet, warn: quiet, error: (fault: unknown) => reported.push(fault) } })
    .init();
}

describe('ToolSearchErrorFilter', () => {
  it('answers every code with its status as problem+json', async () => {
    const app = await start();
    await app.listen(0);
    for (const code of TOOL_SEARCH_ERROR_CODES) {
      const response = await request(app.getHttpServer()).get(`/code/${code}`);
      expect(response.status).toBe(statusOf(code));
      expect(response.headers['content-type']).toBe('application/problem+json; charset=utf-8');
      expect(JSON.parse(response.text)).toEqual({
        type: 'about:blank',
        title: expect.stringMatching(/\w/),
        status: statusOf(code),
        detail: 'What happened.',
        code,
        hint: 'What to do.',
      });
    }
    await app.close();
  });

  it('says when to try again, also as a header', async () => {
    const app = await start();
    const { status, headers, text } = await request(app.getHttpServer()).get('/later');
    expect([status, headers['retry-after'], JSON.parse(text)]).toMatchObject([429, '7', { retryAfterSeconds: 7 }]);
    await app.close();
  });

  it('logs the cause of a server error, and answers callers without it', async () => {
    const app = await start();
    reported.length = 0;
    for (const code of ['STORE_UNAVAILABLE', 'TOOL_NOT_AVAILABLE'] as const) {
      await request(app.getHttpServer()).get(`/code/${code}`);
    }
    expect(reported).toEqual(['STORE_UNAVAILABLE: What happened.']);
    await app.close();
  });

  it('leaves other errors and answers that have begun alone', async () => {
    reported.length = 0;
    const app = await start();
    const other = await request(app.getHttpServer()).get('/other');
    expect(other.status).toBe(500);
    expect(other.headers['content-type']).toContain('application/json');
    expect(reported.splice(0)).toHaveLength(1);
    const late = await request(app.getHttpServer()).get('/late');
    expect([late.status, late.text, finished]).toEqual([200, 'begun', true]);
    expect(reported).toEqual(['INTERNAL: Too late.']);
    await app.close();
  });

  it('passes the error on where it knows no answer', () => {
    const filter = new ToolSearchErrorFilter(new HttpAdapterHost());
    const error = new ToolSearchError('INTERNAL', 'x');
    expect(() => filter.catch(error, { getType: () => 'necord' } as never)).toThrow(error);
  });

  it('answers a tool that the caller may not see with 404, without a reason', () => {
    expect(problemOf(new ToolSearchError('TOOL_NOT_AVAILABLE', 'Not available.'))).toEqual({
      type: 'about:blank',
      title: 'Not Found',
      status: 404,
      detail: 'Not available.',
      code: 'TOOL_NOT_AVAILABLE',
    });
    expect(problemOf(new ToolSearchError('TOOL_CANCELLED', 'x')).title).toBe('Client Closed Request');
  });
});
