import { Global, Inject, Injectable, Logger, Module, type Provider } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { ControlStore } from '../../access/control/control-store.js';
import { MemoryControlStore } from '../../access/control/memory-control-store.js';
import { LimitStore } from '../../access/limits/limit-store.js';
import { MemoryLimitStore } from '../../access/limits/memory-limit-store.js';
import { ActivationStore } from '../../activation/activation-store.js';
import { MemoryActivationStore } from '../../activation/memory-activation-store.js';
import { ResultCache } from '../../toolbox/results/cache/result-cache.js';
import { StorePlace } from './store-providers.js';
import { ToolSearchModule } from './tool-search.module.js';

const TOOLS = ToolSearchModule.forRoot({ context: () => ({ tenantId: 't' }) });

@Injectable()
class OwnActivations extends MemoryActivationStore {}

/** A module of a package: its stores may be replaced. */
@Global()
@Module({
  providers: [
    { provide: StorePlace, useValue: { text: 'a database, one process' } satisfies StorePlace },
    OwnActivations,
    { provide: ActivationStore, useExisting: OwnActivations },
    { provide: LimitStore, useFactory: () => new MemoryLimitStore(Date.now) },
    { provide: ControlStore, useFactory: () => new MemoryControlStore() },
  ],
  exports: [ActivationStore, LimitStore, ControlStore],
})
class PackageModule {}

function globalModule(...providers: Provider[]) {
  @Global()
  @Module({ providers, exports: [ActivationStore] })
  class StoreModule {}
  return StoreModule;
}

/** What is logged at boot about stores, or the refusal. */
async function boot(
  imports: NonNullable<Parameters<typeof Module>[0]['imports']>,
  providers: Provider[] = [],
): Promise<readonly string[]> {
  @Module({ imports, providers })
  class AppModule {}
  const lines: string[] = [];
  const spies = (['log', 'warn'] as const).map((level) =>
    jest.spyOn(Logger.prototype, level).mockImplementation((...[line]: unknown[]) => void lines.push(String(line))),
  );
  try {
    const app = await Test.createTestingModule({ imports: [AppModule] })
      .setLogger(false as never)
      .compile();
    await app.init();
    await app.close();
    return lines.filter((line) => /^State: |provided/.test(line));
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

const ownStore = { provide: ActivationStore, useClass: OwnActivations };

describe('the line of the log that says where state is', () => {
  it('says that nothing is kept without a store', async () => {
    expect(await boot([TOOLS])).toEqual(['State: in memory, lost with this process']);
  });

  it('names the place of a package, and each store that is elsewhere', async () => {
    const [line] = await boot([globalModule(ownStore), PackageModule, TOOLS]);
    expect(line).toMatch(/^State: in memory, lost with this process; /);
    expect(line).toContain('LimitStore: a database, one process');
    expect(line).toContain('ActivationStore: OwnActivations');
    expect(line).not.toContain('ResultCache');
  });

  it('names a cache of the application', async () => {
    const cache = { provide: ResultCache, useValue: Object.create(ResultCache.prototype) as ResultCache };
    @Global()
    @Module({ providers: [cache], exports: [ResultCache] })
    class CacheModule {}
    const [line] = await boot([CacheModule, TOOLS]);
    expect(line).toMatch(/; ResultCache: ResultCache$/);
  });
});

describe('a store that the application provides', () => {
  const refusal = {
    code: 'INVALID_CONFIGURATION',
    message: 'ActivationStore of AppModule is provided where ToolSearch does not look.',
    hint: expect.stringMatching(/@Global\(\) that exports ActivationStore, .* before other modules of stores/),
  };

  it('in its own module, is refused at boot', async () => {
    await expect(boot([TOOLS], [ownStore])).rejects.toMatchObject(refusal);
    await expect(boot([PackageModule, TOOLS], [ownStore])).rejects.toMatchObject(refusal);
  });

  it('is used from a global module that is imported before the one of a package, and refused after it', async () => {
    const store = globalModule(ownStore);
    await expect(boot([store, PackageModule, TOOLS])).resolves.toHaveLength(1);
    const message = 'ActivationStore of StoreModule is provided where ToolSearch does not look.';
    await expect(boot([PackageModule, store, TOOLS])).rejects.toMatchObject({ ...refusal, message });
  });

  it('under its own class only, is warned of', async () => {
    const lines = await boot([TOOLS], [OwnActivations]);
    expect(lines).toContainEqual(
      expect.stringMatching(/^ActivationStore of AppModule is provided as OwnActivations and not used\. Provide it/),
    );
  });

  it('may use another one, which is not warned of', async () => {
    @Injectable()
    class CachedActivations extends MemoryActivationStore {
      constructor(@Inject(OwnActivations) readonly behind: OwnActivations) {
        super();
      }
    }
    const store = globalModule(OwnActivations, { provide: ActivationStore, useClass: CachedActivations });
    expect(await boot([store, TOOLS])).toHaveLength(1);
  });

  it('for one of several modules of ToolSearch, is used by that one', async () => {
    @Module({ providers: [ownStore], exports: [ActivationStore] })
    class StoreModule {}
    const { imports = [], ...module } = ToolSearchModule.forRoot({ context: () => undefined, isGlobal: false });
    const lines = await boot([{ ...module, imports: [...imports, StoreModule] }]);
    expect(lines).toEqual([expect.stringContaining('ActivationStore: OwnActivations')]);
  });
});
