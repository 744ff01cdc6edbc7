import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { ToolPolicies } from '../access/tool-policies.js';
import type { AssembledServices } from '../exposure/assemble-toolbox-services.js';
import type { ToolPolicy } from '../access/tool-policy.js';
import { globMatches } from '../tool/tool-name.js';
import { toolContext, type ToolContext } from '../tool/tool-context.js';
import { isToolSearchError, ToolSearchError } from '../tool/tool-search.error.js';
import type { ToolSource } from '../tool/tool-source.js';
import type { ExposureChoice } from '../toolbox/surface.js';
import { Toolbox } from '../toolbox/toolbox.js';
import { DecoratedToolSource } from './decorated-tools.js';
import { linkRequest } from './request-link.js';
import { TokenCounting } from './token-counting.js';
import { TOOL_SEARCH_OPTIONS } from './tool-search.module-definition.js';
import type { SourceOption, ToolSearchModuleOptions } from './tool-search.options.js';

/** Injection token of the shared parts that all toolboxes use. */
export const TOOLBOX_SERVICES = Symbol('TOOLBOX_SERVICES');

/** Opens toolboxes, and loads the application's tools at boot. */
@Injectable()
export class ToolSearchService implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown {
  readonly #logger = new Logger('ToolSearch');
  readonly #byRequest = new WeakMap<object, Toolbox>();
  readonly #registered: ToolSource[] = [];
  #counting: TokenCounting | undefined;

  constructor(
    @Inject(TOOLBOX_SERVICES) private readonly services: AssembledServices,
    @Inject(TOOL_SEARCH_OPTIONS) private readonly options: ToolSearchModuleOptions,
    @Inject(ToolPolicies) private readonly policies: ToolPolicies,
    @Inject(DecoratedToolSource) private readonly decorated: DecoratedToolSource,
    @Inject(ModuleRef) private readonly moduleRef: ModuleRef,
  ) {}

  /**
   * A toolbox outside HTTP: a queue, a cron job, a WebSocket, a test. `narrow()` takes tools away from it.
   *
   * @param exposure how it is shown; left out, as its context and the module have it
   * @throws ToolSearchError `INVALID_CONTEXT` or `INVALID_SESSION`
   */
  open(context: ToolContext, exposure?: ExposureChoice): Toolbox {
    const checked = toolContext(context);
    return new Toolbox(this.services, () => checked, [], exposure);
  }

  /** The one toolbox of a request, shared by injection, `@RequestToolbox()` and guards. */
  forRequest(request: object): Toolbox {
    let toolbox = this.#byRequest.get(request);
    if (!toolbox) {
      toolbox = new Toolbox(this.services, () => this.#contextOf(request));
      this.#byRequest.set(request, toolbox);
    }
    return toolbox;
  }

  /** Adds a feature's sources before boot; the policy narrows them alone. */
  register(sources: readonly SourceOption[], policy?: ToolPolicy): void {
    for (const option of sources) {
      const source = this.#resolved(option);
      if (policy) this.policies.addToSource(source, policy);
      this.#registered.push(source);
    }
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.services.control.start();
    const own = (this.options.sources ?? []).map((option) => this.#resolved(option));
    await this.#checkDecorated();
    await this.services.catalog.add(this.decorated, ...own, ...this.#registered);
    this.services.activations.startSweeping(() => this.services.pauses.sweep());
    this.services.ledger.start();
    this.services.gaps.start();
    this.#counting = new TokenCounting(this.services, this.#logger);
    this.#counting.start();
    // Whoever names the tokenizer wants no estimate, and to be told at boot that it is missing; else nobody waits for it.
    if (this.options.tokenizer !== undefined) await this.#counting.done();
    this.#report();
  }

  /** Writes what was counted while the store is still open: shutdown closes it. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.#counting?.stop();
    await Promise.all([this.services.ledger.stop(), this.services.gaps.stop()]);
  }

  async onApplicationShutdown(): Promise<void> {
    this.services.activations.stopSweeping();
    const { tenantSources, catalog } = this.services;
    await Promise.all([tenantSources?.close(), catalog.close()]);
    await this.services.control.stop();
  }

  async #contextOf(request: object): Promise<ToolContext> {
    try {
      const context = toolContext(await this.options.context(request));
      linkRequest(context, request);
      return context;
    } catch (error) {
      if (isToolSearchError(error)) throw error;
      throw new ToolSearchError('UNAUTHENTICATED', 'This request does not say who is asking.', {
        hint: 'Authenticate and try again.',
        cause: error,
      });
    }
  }

  #resolved(option: SourceOption): ToolSource {
    return typeof option === 'function' ? this.moduleRef.get(option, { strict: false }) : option;
  }

  // Another source's tool is left out with a reason; in one's own code such a name is a fault.
  async #checkDecorated(): Promise<void> {
    const { metaTools } = this.services;
    const names = (await this.decorated.load()).flatMap(({ name, aliases = [] }) => [name, ...aliases]);
    const taken = names.find((name) => metaTools.has(name));
    if (taken === undefined) return;
    throw new ToolSearchError('INVALID_CONFIGURATION', `A tool of yours is named ${taken}, like a meta tool.`, {
      hint: 'Give it another name or namespace in @Tool(), or the meta tool another one in exposure.metaTools.',
    });
  }

  #report(): void {
    const { tools } = this.services.catalog.current();
    const deferred = tools.filter((tool) => tool.loading === 'deferred').length;
    this.#logger.log(
      `${tools.length} tools from ${this.services.catalog.sources().length} sources, ${deferred} deferred`,
    );
    const control = this.services.control.snapshot();
    const off = control?.switches.liveAt(Date.now()) ?? 0;
    // What is off must not be a riddle to whoever starts a process at night.
    if (off > 0) this.#logger.warn(`${off} kill switches are engaged (revision ${control?.revision})`);
    for (const glob of this.options.alwaysLoaded ?? []) {
      if (!tools.some((tool) => globMatches(glob, tool.name)))
        this.#logger.warn(`alwaysLoaded: no tool matches ${glob}`);
    }
  }
}
