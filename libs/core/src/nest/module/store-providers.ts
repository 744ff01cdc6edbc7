import { type FactoryProvider, Inject, Injectable, Logger, type OnModuleInit, type Type } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { ControlStore } from '../../access/control/control-store.js';
import { LimitStore } from '../../access/limits/limit-store.js';
import { UserCredentialStore } from '../../access/user-credentials/user-credential-store.js';
import { ActivationStore } from '../../activation/activation-store.js';
import { DefinitionStore } from '../../catalog/pinning/definition-store.js';
import { TokenLedgerStore } from '../../exposure/ledger/token-ledger-store.js';
import type { RuntimeStores } from '../../runtime/runtime-stores.js';
import { LearnedQueryStore } from '../../search/learned/learned-query-store.js';
import { SearchCache } from '../../search/search-cache.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import { ExampleQueryStore } from '../../toolbox/example-queries/example-query-store.js';
import { ToolCallStore } from '../../toolbox/record/tool-call-store.js';
import { HeldResultStore } from '../../toolbox/results/held/held-result-store.js';
import { ResultCache } from '../../toolbox/results/cache/result-cache.js';
import { PausedRunStore } from '../../toolbox/runs/paused-run-store.js';
import { SearchGapStore } from '../../toolbox/search-gaps/search-gap-store.js';
import { isShared, type ProviderWrapper } from './provider-class.js';

const PORTS = {
  activations: ActivationStore,
  calls: ToolCallStore,
  control: ControlStore,
  definitions: DefinitionStore,
  exampleQueries: ExampleQueryStore,
  gaps: SearchGapStore,
  heldResults: HeldResultStore,
  learnedQueries: LearnedQueryStore,
  ledger: TokenLedgerStore,
  limits: LimitStore,
  pausedRuns: PausedRunStore,
  resultCache: ResultCache,
  searchCache: SearchCache,
  userCredentials: UserCredentialStore,
} satisfies Record<keyof RuntimeStores, unknown>;

type Port = (typeof PORTS)[keyof RuntimeStores];

const MEMORY = 'in memory, lost with this process';
// Caches: without a store they lose nothing that has to be known.
const CACHES: ReadonlySet<Port> = new Set<Port>([ResultCache, SearchCache]);

/** The stores that the application provides, by the name of their part of the runtime. */
export const GIVEN_STORES = Symbol('GIVEN_STORES');

export const GIVEN_STORES_PROVIDER: FactoryProvider<RuntimeStores> = {
  provide: GIVEN_STORES,
  inject: Object.values(PORTS).map((token) => ({ token, optional: true })),
  useFactory: (...stores: readonly unknown[]) =>
    Object.fromEntries(Object.keys(PORTS).map((name, index) => [name, stores[index]])),
};

/**
 * Where the stores beside it keep their state, for the log. A module of a package provides it. Its stores may be replaced
 * by those of the application.
 */
export abstract class StorePlace {
  /** Without user and password. */
  abstract readonly text: string;
}

/**
 * Names the place of each store in one line of the log, and fails the boot for a store that the application provides
 * where ToolSearch does not look: its state would be lost without a word.
 */
@Injectable()
export class StoreProviders implements OnModuleInit {
  readonly #logger = new Logger('ToolSearch');

  constructor(
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
    @Inject(GIVEN_STORES) private readonly given: RuntimeStores,
  ) {}

  /** @throws ToolSearchError `INVALID_CONFIGURATION` */
  onModuleInit(): void {
    const all = this.discovery.getProviders().filter(isShared);
    // An application may have several modules of ToolSearch, each with stores of its own.
    const used = new Set(
      all.filter(({ token }) => token === GIVEN_STORES).flatMap(({ instance }) => Object.values<unknown>(instance)),
    );
    for (const wrapper of all) if (!used.has(wrapper.instance) && !placeBeside(wrapper)) this.#check(wrapper, all);
    this.#logger.log(`State: ${this.#places(all)}`);
  }

  #check(wrapper: ProviderWrapper, all: readonly ProviderWrapper[]): void {
    const instance: unknown = wrapper.instance;
    const entry = portsWith((port) => wrapper.token === port) ?? portsWith((port) => instance instanceof port);
    if (!entry) return;
    const [name, port] = entry;
    const { given } = this;
    const where = `${port.name} of ${wrapper.host?.metatype.name ?? 'the application'}`;
    const hint =
      `Provide it under the token ${port.name} in a module with @Global() that exports ${port.name}, and import that ` +
      'module before other modules of stores: docs/guides/repositories.md, "Replace a store".';
    if (wrapper.token === port) {
      throw new ToolSearchError('INVALID_CONFIGURATION', `${where} is provided where ToolSearch does not look.`, {
        hint,
      });
    }
    // A store of the application may use this one, as a cache in front of it does.
    const isReplaced = all.some((each) => each.instance === given[name] && each.token === port && !placeBeside(each));
    if (!isReplaced) this.#logger.warn(`${where} is provided as ${String(wrapper.name)} and not used. ${hint}`);
  }

  #places(all: readonly ProviderWrapper[]): string {
    const ports = new Map<string, string[]>();
    for (const [name, port] of Object.entries(PORTS) as [keyof RuntimeStores, Port][]) {
      const store = this.given[name];
      if (!store && CACHES.has(port)) continue;
      const wrapper = store && all.find((each) => each.instance === store && placeBeside(each));
      const place = wrapper ? placeBeside(wrapper) : store?.constructor.name;
      ports.set(place ?? MEMORY, [...(ports.get(place ?? MEMORY) ?? []), port.name]);
    }
    // The place of most stores stands first and alone.
    const [most, ...others] = [...ports].toSorted(([, a], [, b]) => b.length - a.length);
    return [most?.[0], ...others.map(([place, names]) => `${names.join(', ')}: ${place}`)].join('; ');
  }
}

function portsWith(matches: (port: Port & Type) => boolean): [keyof RuntimeStores, Port] | undefined {
  const entries = Object.entries(PORTS) as [keyof RuntimeStores, Port & Type][];
  return entries.find(([, port]) => matches(port));
}

function placeBeside({ host }: ProviderWrapper): string | undefined {
  return (host?.providers.get(StorePlace)?.instance as StorePlace | undefined)?.text;
}
