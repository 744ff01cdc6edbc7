import {
  type BeforeApplicationShutdown,
  type ExecutionContext,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { MemoryControlStore } from '../../access/control/memory-control-store.js';
import { rulesOn } from '../../access/arguments/argument-verdict.js';
import { policyKind } from '../../access/policies/policy-kind.js';
import { killSwitchKind } from '../../access/kill-switches/kill-switch-kind.js';
import type { ToolPolicy } from '../../access/policies/tool-policy.js';
import type { Runtime } from '../../runtime/create-runtime.js';
import { ToolPreview } from '../../runtime/tool-preview.js';
import type { MetaKind } from '../../tool/meta-names.js';
import { globMatches } from '../../tool/tool-name.js';
import { toolContext, type ToolContext } from '../../tool/tool-context.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import type { ToolSource } from '../../tool/tool-source.js';
import type { ExposureChoice } from '../../toolbox/surface/surface.js';
import { narrowedToProfile } from '../../toolbox/profiles/narrowed-to-profile.js';
import type { Preflight } from '../../toolbox/profiles/preflight.js';
import { Toolbox } from '../../toolbox/toolbox.js';
import { checkWithLimits } from '../tools/code.source.js';
import { DecoratedToolSource } from '../tools/decorated-tools.js';
import { type Incoming, incomingBehind, incomingOf } from '../request/incoming.js';
import { RequestContexts } from '../request/request-contexts.js';
import { followRequest } from '../request/request-link.js';
import { TokenCounting } from './token-counting.js';
import type { ToolMatcher } from '../decorators/requires-tool.decorator.js';
import { CHECKED_OPTIONS } from './tool-search.module-definition.js';
import type { SourceOption, ToolSearchModuleOptions } from './tool-search.options.js';

export const RUNTIME = Symbol('RUNTIME');

interface OpenedToolbox {
  readonly toolbox: Toolbox;
  execution?: ExecutionContext | undefined;
}

/** Opens toolboxes, and loads the application's tools at boot. */
@Injectable()
export class ToolSearchService implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown {
  readonly #logger = new Logger('ToolSearch');
  readonly #opened = new WeakMap<object, OpenedToolbox>();
  readonly #contexts: RequestContexts;
  readonly #registered: ToolSource[] = [];
  readonly #expected = new Map<string, ToolMatcher>();
  /** Guards of handlers that name no arguments. */
  readonly #withoutArguments = new Map<string, ToolMatcher>();
  #counting: TokenCounting | undefined;

  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(CHECKED_OPTIONS) private readonly options: ToolSearchModuleOptions,
    @Inject(DecoratedToolSource) private readonly decorated: DecoratedToolSource,
    @Inject(ModuleRef) private readonly moduleRef: ModuleRef,
  ) {
    this.#contexts = new RequestContexts(options.context, this.#logger);
  }

  /**
   * Opens a toolbox outside a request: in a job, a cron task, a command or a test. `narrow()` removes tools from it.
   *
   * @param exposure how tools are shown; by default, as its context and the module set it
   * @throws ToolSearchError `INVALID_CONTEXT` or `INVALID_SESSION`
   */
  open(context: ToolContext, exposure?: ExposureChoice): Toolbox {
    const checked = toolContext(context);
    return new Toolbox(this.runtime, () => checked, [], exposure);
  }

  /**
   * Which of the tools that an agent needs a caller can call now at a profile of the gateway. Calls no tool and asks for
   * no approval. For operators: hidden facts are in it.
   *
   * @param needs names and globs; by default those of the profile
   * @throws ToolSearchError `NOT_FOUND` for an unknown profile; `INVALID_REQUEST` if nothing says what is needed;
   *   `INVALID_CONTEXT`, `INVALID_SESSION`, `GATE_CLOSED`, `STORE_UNAVAILABLE`
   */
  async preflight(profile: string, context: ToolContext, needs?: readonly string[]): Promise<Preflight> {
    const active = this.runtime.profiles.active(profile);
    if (!active) {
      throw new ToolSearchError('NOT_FOUND', 'There is no such profile.', { hint: 'List the profiles.' });
    }
    return narrowedToProfile(this.open(context), active).preflight(needs ?? active.needs);
  }

  /**
   * Shows what a context sees and what that costs, for operators: nothing is counted, learned, offered or activated.
   *
   * @throws ToolSearchError `INVALID_CONTEXT` or `INVALID_SESSION`
   */
  preview(context: ToolContext): ToolPreview {
    return new ToolPreview(this.runtime, context);
  }

  /**
   * The toolbox of an execution context: an HTTP request, a GraphQL operation, or a message of a gateway or
   * microservice. Injection, `@RequestToolbox()` and guards share it. Exception: in a gateway, guards and handler have
   * one each.
   *
   * @throws ToolSearchError `INVALID_CONFIGURATION` when there is no request
   */
  forExecution(execution: ExecutionContext): Toolbox {
    return this.#forIncoming(incomingOf(execution), execution);
  }

  /**
   * Opens another toolbox for the request of an execution context, for endpoints that many agents use: its caller is
   * asked for anew, and belongs to `sessionId` where the context names no session.
   *
   * @throws ToolSearchError `INVALID_CONFIGURATION` when there is no request
   */
  openForExecution(execution: ExecutionContext, sessionId: string, exposure?: ExposureChoice): Toolbox {
    const incoming = incomingOf(execution);
    const contextOf = async () => {
      const context = await this.#contexts.of(incoming, execution);
      if (context.sessionId !== undefined) return context;
      const inSession = toolContext({ ...context, sessionId });
      followRequest(inSession, context);
      return inSession;
    };
    return new Toolbox(this.runtime, contextOf, [], exposure);
  }

  /**
   * Like {@link forExecution}, for the value that Nest injects as REQUEST. If that is no request, or serves several
   * messages, every use of the toolbox fails: an error thrown while Nest builds providers could end the process.
   */
  forRequest(request: object): Toolbox {
    try {
      return this.#forIncoming(incomingBehind(request));
    } catch (error) {
      return new Toolbox(this.runtime, () => Promise.reject(error));
    }
  }

  #forIncoming(incoming: Incoming, execution?: ExecutionContext): Toolbox {
    let opened = this.#opened.get(incoming.key);
    if (!opened) {
      const entry: OpenedToolbox = {
        toolbox: new Toolbox(this.runtime, () => this.#contexts.of(incoming, entry.execution)),
      };
      this.#opened.set(incoming.key, (opened = entry));
    }
    opened.execution ??= execution;
    return opened.toolbox;
  }

  /**
   * Empties the search cache of all instances that share it, and returns the number of its entries. Searches go on from
   * memory; the next boot builds index and vectors anew.
   *
   * @throws ToolSearchError `STORE_UNAVAILABLE`
   */
  clearSearchCache(): Promise<number> {
    return this.runtime.clearSearchCache();
  }

  /** Names and kinds of the meta tools of all modes. */
  get metaKinds(): ReadonlyMap<string, MetaKind> {
    return this.runtime.metaTools.kinds;
  }

  /** Whether any limit is set, in code or by operators. @throws ToolSearchError `GATE_CLOSED` */
  get hasLimits(): boolean {
    return this.runtime.limits.isOn;
  }

  /** Logs a warning at boot when no tool of the catalog meets the requirement. */
  expectMatch(required: ToolMatcher): void {
    this.#expected.set(required.text, required);
  }

  /** Logs a warning at boot when a rule on arguments or a call policy makes this requirement refuse a tool. */
  expectNoRules(required: ToolMatcher): void {
    this.#withoutArguments.set(required.text, required);
  }

  /** Adds a feature's sources before boot. The policy applies to these sources only. */
  register(sources: readonly SourceOption[], policy?: ToolPolicy): void {
    for (const option of sources) {
      const source = this.#resolved(option);
      if (policy) this.runtime.policies.addToSource(source, policy);
      this.#registered.push(source);
    }
  }

  async onApplicationBootstrap(): Promise<void> {
    const own = (this.options.sources ?? []).map((option) => this.#resolved(option));
    const sources = [...own, ...this.#registered];
    await this.#checkDecorated();
    for (const source of sources) checkWithLimits(source, this.options.tuning?.sources);
    await this.runtime.start(this.decorated, ...sources);
    this.#counting = new TokenCounting(this.runtime, this.#logger);
    this.#counting.start(this.options.tokenizer !== undefined);
    // With an explicit tokenizer, boot waits, so that a missing package fails it. Otherwise counting runs in the
    // background.
    if (this.options.tokenizer !== undefined) await this.#counting.done();
    this.#report();
  }

  /** Writes pending counts while the store is still open: it is closed in the next shutdown phase. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.#counting?.stop();
    await this.runtime.flush();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.runtime.close();
  }

  #resolved(option: SourceOption): ToolSource {
    return typeof option === 'function' ? this.moduleRef.get(option, { strict: false }) : option;
  }

  // Tools of other sources are left out with a reason; in the application's own code, such a name is an error.
  async #checkDecorated(): Promise<void> {
    const { metaTools } = this.runtime;
    const names = (await this.decorated.load()).flatMap(({ name, aliases = [] }) => [name, ...aliases]);
    const taken = names.find((name) => metaTools.byName.has(name));
    if (taken === undefined) return;
    throw new ToolSearchError('INVALID_CONFIGURATION', `A tool of yours is named ${taken}, like a meta tool.`, {
      hint: 'Give it another name or namespace in @Tool(), or the meta tool another one in exposure.metaTools.',
    });
  }

  #report(): void {
    const { callPolicies, catalog, control, policies } = this.runtime;
    const tools = catalog.tools();
    const deferred = tools.filter((tool) => tool.loading === 'deferred').length;
    const sources = catalog.sources().length;
    const from = `${tools.length} ${tools.length === 1 ? 'tool' : 'tools'} from ${sources} ${sources === 1 ? 'source' : 'sources'}`;
    this.#logger.log(`${from}, ${deferred} deferred`);
    const snapshot = control.snapshot();
    const off = snapshot?.of(killSwitchKind).liveAt(control.now()) ?? 0;
    // An operator who starts a process must see that tools are off.
    const switches = off === 1 ? '1 kill switch is' : `${off} kill switches are`;
    if (off > 0) this.#logger.warn(`${switches} engaged (revision ${snapshot?.revision})`);
    if (control.store instanceof MemoryControlStore) {
      this.#logger.warn(
        'No store is imported: kill switches, approvals and activations end with this process. ' +
          'ToolSearchTypeOrmModule keeps them',
      );
    }
    const { storage, receiptSecret } = this.options.activation ?? {};
    if (storage === 'messages' && receiptSecret === undefined) {
      this.#logger.warn(
        'activation.storage is messages without activation.receiptSecret: a receipt that a user or a tool has written ' +
          'is believed, and lists a tool that this user may use',
      );
    }
    for (const glob of this.options.alwaysLoaded ?? []) {
      if (!tools.some((tool) => globMatches(glob, tool.name)))
        this.#logger.warn(`alwaysLoaded: no tool matches ${glob}`);
    }
    for (const line of policies.unmatched(tools)) {
      // A source that loads later may still have such a tool.
      this.#logger.warn(`${line} matches no tool; check it for a typo, or a source that is not there yet`);
    }
    for (const line of policies.unknownArguments(tools)) this.#logger.warn(`policy: ${line}; check it for a typo`);
    for (const { text, matches } of this.#expected.values()) {
      if (!tools.some(matches)) this.#logger.warn(`@RequiresTool(${text}): no tool matches, so nobody is let in`);
    }
    for (const { text, matches } of this.#withoutArguments.values()) {
      const decided = tools.find((tool) => matches(tool) && callPolicies.on(tool).length > 0);
      if (!decided) continue;
      this.#logger.warn(
        `@RequiresTool(${text}): the call policy ${callPolicies.on(decided)[0]?.name} decides about ${decided.name}, and this ` +
          'decorator has no option arguments, so callers are refused; set it, or tools of the policy',
      );
    }
    const onArguments = [...policies.argumentPolicies(), ...(snapshot?.of(policyKind).argumentPolicies() ?? [])];
    for (const { text, matches } of onArguments.length === 0 ? [] : this.#withoutArguments.values()) {
      const ruled = tools.find((tool) => matches(tool) && onArguments.some((each) => rulesOn(each, tool).length > 0));
      if (!ruled) continue;
      this.#logger.warn(
        `@RequiresTool(${text}): a rule on arguments names ${ruled.name}, and this decorator has no option arguments, ` +
          'so callers under that rule are refused',
      );
    }
  }
}
