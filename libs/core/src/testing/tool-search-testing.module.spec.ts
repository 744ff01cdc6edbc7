import { Controller, Get, Injectable } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import request from 'supertest';
import { RequestToolbox } from '../nest/decorators/request-toolbox.decorator.js';
import { Tool } from '../nest/decorators/tool.decorator.js';
import type { Toolbox } from '../toolbox/toolbox.js';
import { expectVisible } from './expect-visible.js';
import { FakeSource, FakeToolSources } from './fakes/fake-source.js';
import { ToolSearchTestingModule, type ToolSearchTestingOptions } from './tool-search-testing.module.js';

@Injectable()
class ClockTools {
  @Tool({ description: 'Tell the time.' })
  now() {
    return 'noon';
  }
}

describe('ToolSearchTestingModule', () => {
  const TOOLS = ['billing.refund', { name: 'crm.read', run: () => 'Ada' }, 'crm.delete', 'ping'];
  const compiled = (options: ToolSearchTestingOptions = {}, providers = [ClockTools]) =>
    Test.createTestingModule({ imports: [ToolSearchTestingModule.forTools(TOOLS, options)], providers }).compile();

  it('opens toolboxes of any context on fake tools and those of the application', async () => {
    const module = await compiled({
      policy: { deny: ['crm.delete'] },
      sources: [new FakeSource('own', ['tool'], { owner: 'globex' })],
    });
    const acme = await ToolSearchTestingModule.open(module);
    const globex = await ToolSearchTestingModule.open(module, { tenantId: 'globex' });
    await expectVisible(acme).toEqual(['billing.refund', 'clock.now', 'crm.read', 'test.ping']);
    await expectVisible(globex).toContain('own.tool');
    expect(await acme.call('crm.read', { id: 1 })).toMatchObject({ ok: true, content: [{ text: 'Ada' }] });
    expect(await globex.call('clock.now', {})).toMatchObject({ ok: true, content: [{ text: 'noon' }] });
    const fakes = module.get(FakeToolSources);
    expect(fakes.calls).toEqual([
      { name: 'crm.read', input: { id: 1 }, context: { tenantId: 'acme', userId: 'ada', runId: 'run-1' } },
    ]);
    expect((await acme.list()).map(({ name }) => name)).toEqual(['clock.now', 'crm.read']);
    expect(() => fakes.of('no_such')).toThrow(RangeError);
    await module.close();
    expect(fakes.all.every(({ closed }) => closed)).toBe(true);
  });

  it('shares no state between two modules, and lets the process end', async () => {
    const before = process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;
    const [one, other] = [await compiled(), await compiled()];
    const [ours, theirs] = [await ToolSearchTestingModule.open(one), await ToolSearchTestingModule.open(other)];
    await ours.call('billing.refund', {});
    expect((await ours.list()).map(({ name }) => name)).toContain('billing.refund');
    expect((await theirs.list()).map(({ name }) => name)).not.toContain('billing.refund');
    expect(other.get(FakeToolSources).calls).toEqual([]);
    // Timers that keep no process alive are not among these.
    expect(process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length).toBeLessThanOrEqual(
      before,
    );
    await Promise.all([one.close(), other.close()]);
  });

  it('serves requests of the application under test, with its own context', async () => {
    @Controller('tools')
    class ToolsController {
      @Get()
      async names(@RequestToolbox() toolbox: Toolbox) {
        return (await toolbox.visible()).map(({ name }) => name);
      }
    }
    const context = ({ headers }: { headers: Record<string, string> }) => ({ tenantId: headers['x-tenant'] ?? '' });
    const sources = [new FakeSource('own', ['tool'], { owner: 'globex' })];
    const module = await Test.createTestingModule({
      imports: [ToolSearchTestingModule.forRoot({ context, sources })],
      controllers: [ToolsController],
      providers: [ClockTools],
    }).compile();
    const app = await module.createNestApplication().init();
    const namesFor = async (tenant: string) =>
      (await request(app.getHttpServer()).get('/tools').set('x-tenant', tenant)).body as unknown;
    expect(await namesFor('acme')).toEqual(['clock.now']);
    expect(await namesFor('globex')).toEqual(['clock.now', 'own.tool']);
    await expectVisible(await ToolSearchTestingModule.open(app)).toEqual(['clock.now']);
    await app.close();
  });

  it('refuses options that an application would refuse', async () => {
    await expect(compiled({ search: { limit: 0 } })).rejects.toMatchObject({ code: 'INVALID_CONFIGURATION' });
  });
});
