import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { type CanActivate, Controller, type INestApplication, Injectable, Post, UseGuards } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { ToolSearchErrorFilter } from '@tool-search/core';
import { ConsoleForgeryGuard } from './console-forgery.guard.js';
import { ToolConsoleController } from './tool-console.controller.js';
import { ToolConsoleModule } from './tool-console.module.js';

@Injectable()
class NobodyGuard implements CanActivate {
  canActivate(): boolean {
    return false;
  }
}

@Controller('ops/own')
class OwnConsole extends ToolConsoleController {}

@Controller('writes')
@UseGuards(ConsoleForgeryGuard)
class Writes {
  @Post()
  write(): object {
    return {};
  }
}

beforeAll(() => {
  execFileSync(process.execPath, [join(__dirname, '../browser/build.mjs')], { stdio: 'inherit' });
});

describe.each(['express', 'fastify'])('the console on %s', (adapter) => {
  let app: INestApplication;
  let url: string;
  const get = (path: string, init: RequestInit = {}) => fetch(`${url}${path}`, { redirect: 'manual', ...init });

  const start = async (prefix = '') => {
    const module = await Test.createTestingModule({
      imports: [
        ToolConsoleModule.forRoot({ path: 'console', gateway: "../mcp'&" }),
        ToolConsoleModule.forRoot({ path: 'second', api: '../second/tools', signIn: '../sign-in' }),
      ],
      controllers: [OwnConsole, Writes],
    })
      .setLogger(false as never)
      .compile();
    app = adapter === 'fastify' ? module.createNestApplication(new FastifyAdapter()) : module.createNestApplication();
    app.useGlobalFilters(new ToolSearchErrorFilter(app.get(HttpAdapterHost)));
    if (prefix !== '') app.setGlobalPrefix(prefix);
    await app.listen(0, '127.0.0.1');
    url = await app.getUrl();
  };
  afterEach(() => app.close());

  it.each([
    ['', '/console'],
    ['', '/ops/own'],
    ['api/v1', '/api/v1/console'],
  ])('with the prefix "%s" redirects %s relatively to the page', async (prefix, path) => {
    await start(prefix);
    const redirect = await get(`${path}?next=//evil.example`);
    expect([redirect.status, redirect.headers.get('location')]).toEqual([302, `${path.split('/').at(-1)}/`]);
    const page = await get(`${path}/`);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  });

  it('sends the page with a strict policy, without data or inline code, and its two files to be kept', async () => {
    await start();
    const page = await get('/console/');
    const html = await page.text();
    expect(page.headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
        "frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    );
    expect(page.headers.get('x-content-type-options')).toBe('nosniff');
    expect(page.headers.get('x-frame-options')).toBe('DENY');
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect(page.headers.get('cache-control')).toBe('no-cache');
    expect(html).toContain('data-api="../admin/tools" data-gateway="../mcp&#39;&#38;" data-sign-in=""');
    expect(html).not.toMatch(/<script(?![^>]*src=)|<style|style=|onload=|https?:\/\//);
    const files = [...html.matchAll(/(?:src|href)="(console\.\w+\?v=[\w-]{16})"/g)].map(([, file]) => file!);
    expect(files).toHaveLength(2);
    for (const file of files) {
      const answer = await get(`/console/${file}`);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(answer.headers.get('content-type')).toBe(
        file.startsWith('console.js') ? 'text/javascript; charset=utf-8' : 'text/css; charset=utf-8',
      );
      expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect((await answer.text()).length).toBeGreaterThan(1000);
    }
    expect((await get('/console/../package.json')).status).toBe(404);
    expect((await get('/console/index.html')).status).toBe(404);
  });

  it('serves a second page with settings of its own', async () => {
    await start();
    expect((await get('/second')).headers.get('location')).toBe('second/');
    const html = await (await get('/second/')).text();
    expect(html).toContain('data-api="../second/tools" data-gateway="" data-sign-in="../sign-in"');
  });

  it('refuses a write that a form of another site could send', async () => {
    await start();
    const write = (headers: Record<string, string>) => get('/writes', { method: 'POST', headers });
    expect((await write({ cookie: 'session=1' })).status).toBe(403);
    expect((await write({ cookie: 'session=1', authorization: 'Basic YTpi' })).status).toBe(403);
    expect((await write({ cookie: 'session=1', 'x-tool-search-console': '1' })).status).toBe(201);
    expect((await write({ authorization: 'Bearer x' })).status).toBe(201);
  });

  it('puts the guards of the application before the page', async () => {
    const module = await Test.createTestingModule({
      imports: [ToolConsoleModule.forRoot({ path: 'console', guards: [NobodyGuard] })],
      providers: [NobodyGuard],
    })
      .setLogger(false as never)
      .compile();
    app = adapter === 'fastify' ? module.createNestApplication(new FastifyAdapter()) : module.createNestApplication();
    await app.listen(0, '127.0.0.1');
    url = await app.getUrl();
    for (const path of ['/console', '/console/', '/console/console.js', '/console/console.css']) {
      expect((await get(path)).status).toBe(403);
    }
  });
});

describe('ToolConsoleModule', () => {
  it.each(['https://evil.example/admin', '//evil.example/admin', 'admin', '../admin?x=1', '"><script>'])(
    'refuses %s as the URL of the routes for operators',
    (api) => {
      expect(() => ToolConsoleModule.forRoot({ path: 'console', api })).toThrow(
        expect.objectContaining({ code: 'INVALID_CONFIGURATION' }),
      );
    },
  );

  it('refuses guards without a path', () => {
    expect(() => ToolConsoleModule.forRoot({ guards: [NobodyGuard] })).toThrow(
      expect.objectContaining({ code: 'INVALID_CONFIGURATION' }),
    );
  });
});
