import { type DynamicModule, type INestApplicationContext, Module } from '@nestjs/common';
import { ToolSearchModule } from '../nest/module/tool-search.module.js';
import type { ToolSearchModuleOptions } from '../nest/module/tool-search.options.js';
import { ToolSearchService } from '../nest/module/tool-search.service.js';
import type { ToolContext } from '../tool/tool-context.js';
import type { Toolbox } from '../toolbox/toolbox.js';
import { type FakeSourceTool, FakeToolSources } from './fakes/fake-source.js';

/** Options of {@link ToolSearchTestingModule}: those of `ToolSearchModule`, none of them required. */
export type ToolSearchTestingOptions = Partial<ToolSearchModuleOptions>;

const SOMEBODY: ToolContext = { tenantId: 'acme', userId: 'ada', runId: 'run-1' };

/**
 * `ToolSearchModule` for tests with `@nestjs/testing`: the same services as in an application, all in memory, with
 * nothing shared between two modules. Tools are fake ones, the application's own `@Tool()` providers, or both.
 *
 * ```ts
 * const module = await Test.createTestingModule({
 *   imports: [ToolSearchTestingModule.forTools(['billing.refund', 'crm.delete'], { policy: { deny: ['crm.*'] } })],
 * }).compile();
 * const toolbox = await ToolSearchTestingModule.open(module, { tenantId: 'acme' });
 * ```
 */
@Module({})
export class ToolSearchTestingModule {
  /**
   * The module with the tools of the application under test and the given sources.
   *
   * @param options `context` is a user of the tenant `acme` by default; `exposure` is `deferred`, because otherwise a
   *   few tools would all be listed
   */
  static forRoot(options: ToolSearchTestingOptions = {}): DynamicModule {
    return ToolSearchTestingModule.forTools([], options);
  }

  /**
   * The module with fake tools, by canonical names. `module.get(FakeToolSources)` has their calls.
   *
   * @param options as {@link ToolSearchTestingModule.forRoot}
   */
  static forTools(tools: readonly (FakeSourceTool | string)[], options: ToolSearchTestingOptions = {}): DynamicModule {
    const fakes = new FakeToolSources(tools);
    const { sources = [], ...rest } = options;
    const root = ToolSearchModule.forRoot({
      context: () => SOMEBODY,
      exposure: 'deferred',
      ...rest,
      sources: [...fakes.all, ...sources],
    });
    return {
      module: ToolSearchTestingModule,
      global: true,
      imports: [root],
      providers: [{ provide: FakeToolSources, useValue: fakes }],
      exports: [FakeToolSources],
    };
  }

  /**
   * Opens a toolbox of a compiled module or an application. Initializes it if necessary, because tools are loaded at
   * the start.
   *
   * @param context overrides tenant `acme`, user `ada`, run `run-1`
   */
  static async open(module: INestApplicationContext, context: Partial<ToolContext> = {}): Promise<Toolbox> {
    await module.init();
    return module.get(ToolSearchService, { strict: false }).open({ ...SOMEBODY, ...context });
  }
}
