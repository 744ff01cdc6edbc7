import { Inject, Injectable, type OnModuleInit, Optional, type Type } from '@nestjs/common';
import { ApplicationConfig, DiscoveryService, ExternalContextCreator, MetadataScanner, ModuleRef } from '@nestjs/core';
import { ingest } from '../../catalog/ingest/ingest.js';
import { markTrustedSource } from '../../catalog/ingest/trusted-source.js';
import { sourceLimits } from '../../catalog/loading/source-limits.js';
import type { ToolContext } from '../../tool/tool-context.js';
import type { ToolDeclaration } from '../../tool/tool-definition.js';
import { canonicalName } from '../../tool/tool-name.js';
import { isToolSearchError, ToolSearchError } from '../../tool/tool-search.error.js';
import type { SourceAnswer, ToolCall, ToolSource } from '../../tool/tool-source.js';
import { classesOf, isShared, type ProviderWrapper } from '../module/provider-class.js';
import { CHECKED_OPTIONS } from '../module/tool-search.module-definition.js';
import type { ToolSearchModuleOptions } from '../module/tool-search.options.js';
import { type DeclaredTool, declaredTools } from '../decorators/tool.decorator.js';
import { toolInput, toolOutputSchema } from './tool-input.js';
import { answerOf } from './tool-output.js';
import type { ToolMethod } from './tool-enhancers.js';
import { ToolPipeline } from './tool-pipeline.js';

/**
 * Source of the application's `@Tool()` methods of providers and controllers. Their names are canonical already, so
 * declarations have an empty namespace.
 *
 * Methods are discovered once, when the module starts. A faulty declaration fails the boot with class, method and
 * remedy.
 */
@Injectable()
export class DecoratedToolSource implements ToolSource, OnModuleInit {
  readonly name = 'app';
  /** An example that does not match its schema is an error in the code. */
  readonly strict = true;
  readonly limits = { tools: 5000 };

  readonly #methods = new Map<string, ToolMethod>();
  readonly #pipeline: ToolPipeline;
  #declarations: Promise<readonly ToolDeclaration[]> | undefined;

  // Six parameters, because four of them are of Nest alone.
  constructor(
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
    @Inject(MetadataScanner) private readonly scanner: MetadataScanner,
    @Inject(ExternalContextCreator) contexts: ExternalContextCreator,
    @Inject(ApplicationConfig) config: ApplicationConfig,
    @Inject(ModuleRef) moduleRef: ModuleRef,
    @Optional() @Inject(CHECKED_OPTIONS) private readonly options?: Pick<ToolSearchModuleOptions, 'tuning'>,
  ) {
    markTrustedSource(this);
    this.#pipeline = new ToolPipeline(contexts, config, moduleRef);
  }

  async onModuleInit(): Promise<void> {
    await this.load();
  }

  /** @throws ToolSearchError `INVALID_CONFIGURATION` or `DUPLICATE_TOOL` for an error in the application's code */
  load(): Promise<readonly ToolDeclaration[]> {
    this.#declarations ??= this.#discover();
    return this.#declarations;
  }

  async call(name: string, input: unknown, context: ToolContext, call: ToolCall): Promise<SourceAnswer> {
    return answerOf(await this.#pipeline.run(this.#methodOf(name), { input, context, call }));
  }

  /** Runs the guards of the tool: its interceptors, pipes and method do not run for a stored result. */
  async admit(name: string, input: unknown, context: ToolContext, call: ToolCall): Promise<void> {
    await this.#pipeline.admit(this.#methodOf(name), { input, context, call });
  }

  #methodOf(name: string): ToolMethod {
    const tool = this.#methods.get(name);
    if (tool) return tool;
    throw new ToolSearchError('SOURCE_UNAVAILABLE', 'The application has no such tool.');
  }

  async close(): Promise<void> {}

  async #discover(): Promise<readonly ToolDeclaration[]> {
    const declarations: ToolDeclaration[] = [];
    const claimed = new Map<string, string>();
    for (const { type, host, tool } of this.#found()) {
      const { options, method } = tool;
      const name = canonicalName(options.namespace ?? namespaceOf(type), this.#localName(type, tool));
      const place = `${type.name}.${method}`;
      for (const claim of [name, ...(options.aliases ?? [])]) {
        const owner = claimed.get(claim);
        if (owner !== undefined) {
          throw new ToolSearchError('DUPLICATE_TOOL', `${place} and ${owner} both claim the name ${claim}.`, {
            hint: 'Give one of them another name, namespace or alias in @Tool().',
          });
        }
        claimed.set(claim, place);
      }
      this.#methods.set(name, { name, type, method, host });
      declarations.push(await this.#declaration(name, type, tool));
    }
    await this.#checkAll(declarations);
    return declarations;
  }

  /** One entry per class and method. Class providers come first, because Nest binds guards to them only. */
  #found(): readonly { type: Type; host: ProviderWrapper; tool: DeclaredTool }[] {
    const wrappers = [...this.discovery.getProviders(), ...this.discovery.getControllers()];
    wrappers.sort((left, right) => Number(left.isNotMetatype) - Number(right.isNotMetatype));
    const seen = new Set<Type>();
    return wrappers.flatMap((host) => {
      for (const type of classesOf(host)) {
        const tools = declaredTools(type, this.scanner.getAllMethodNames(type.prototype as object));
        if (tools.length === 0) continue;
        if (seen.has(type)) return [];
        seen.add(type);
        return tools.map((tool) => ({ type, host, tool }));
      }
      return [];
    });
  }

  #localName(type: Type, { method, options }: DeclaredTool): string {
    const name = options.name ?? snakeCase(method);
    if (!name.includes('.')) return name;
    throw refused(type, method, 'a name has no dot.', 'Put what stands before the dot into namespace.');
  }

  async #declaration(name: string, type: Type, { method, options }: DeclaredTool): Promise<ToolDeclaration> {
    const { input, output, name: _name, namespace: _namespace, ...rest } = options;
    if (rest.timeoutMs !== undefined && !(rest.timeoutMs > 0 && Number.isSafeInteger(rest.timeoutMs))) {
      throw refused(
        type,
        method,
        'timeoutMs must be a whole number of milliseconds above 0.',
        'Leave it out for 30 seconds.',
      );
    }
    try {
      const outputSchema = await toolOutputSchema(output);
      return { ...rest, name, namespace: '', ...(await toolInput(input)), ...(outputSchema && { outputSchema }) };
    } catch (error) {
      if (!isToolSearchError(error)) throw error;
      throw refused(type, method, error.message, error.hint ?? 'Correct the schema in @Tool().', error);
    }
  }

  // The catalog drops a bad tool and keeps the rest; in the application's own code it is an error, so the rules run at
  // boot.
  async #checkAll(declarations: readonly ToolDeclaration[]): Promise<void> {
    for (const [name, tool] of this.#methods) {
      const { type, method, host } = tool;
      if (isShared(host) && typeof (host.instance as Record<string, unknown> | undefined)?.[method] !== 'function') {
        throw refused(type, method, `${name} has no handler.`, `What provides ${type.name} has no method ${method}.`);
      }
      await this.#pipeline.check(tool);
    }
    const limits = sourceLimits(this, this.options?.tuning?.sources);
    const { refused: refusals, tools } = ingest(this, declarations, () => 'always', undefined, undefined, limits);
    // Text that would quarantine a third-party tool is an error in the application's own code.
    const suspicious = tools.flatMap(({ definition: { name, suspicion } }) =>
      suspicion ? { name, reason: suspicion } : [],
    );
    const [refusal] = [...refusals, ...suspicious];
    if (!refusal) return;
    const tool = [...this.#methods.values()].find(({ name }) => name.slice(0, 128) === refusal.name);
    throw refused(tool?.type, tool?.method, `${refusal.name}: ${refusal.reason}.`, 'Correct it in @Tool().');
  }
}

function refused(
  type: Type | undefined,
  method: string | undefined,
  fault: string,
  hint: string,
  cause?: unknown,
): ToolSearchError {
  return new ToolSearchError('INVALID_CONFIGURATION', `${type?.name}.${method}: ${fault}`, { hint, cause });
}

function namespaceOf(type: Type): string {
  return snakeCase(type.name.replace(/(?<=.)(Tools|Tool|Service|Controller)$/, ''));
}

function snakeCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .toLowerCase();
}
