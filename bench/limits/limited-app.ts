import { NestFactory } from '@nestjs/core';
import {
  type JsonSchema,
  type ToolDeclaration,
  ToolSearchModule,
  ToolSearchService,
  type ToolSource,
} from '@tool-search/core';
import type { ArgumentRule } from '@tool-search/core/internal';
import { ToolSearchTypeOrmModule } from '@tool-search/typeorm';

/** Where counters are kept: `memory`, a SQLite file, or the URL of a PostgreSQL database. */
export type CounterPlace = 'memory' | { readonly database: string } | { readonly url: string };

type Rules = NonNullable<NonNullable<Parameters<typeof ToolSearchModule.forRoot>[0]['limits']>['rules']>;

/** A rate, a concurrency and a budget that all concern the benchmark's tool, and that no call reaches. */
export const THREE_LIMITS: Rules = [
  { id: 'rate', per: ['user'], rate: { calls: 1_000_000, windowMs: 60_000 } },
  { id: 'running', per: ['tenant'], concurrency: { calls: 1000 } },
  { id: 'day', per: ['tenant'], budget: { of: 'calls', max: 1_000_000_000, every: 'day', timeZone: 'Europe/Berlin' } },
];

/** Rules on the arguments of the benchmark's tool, of all kinds. None of them applies to its calls. */
export function argumentRules(count: number): readonly ArgumentRule[] {
  return Array.from({ length: count }, (_, at): ArgumentRule => {
    const isEven = at % 2 === 0;
    const then = isEven ? 'deny' : 'approve';
    const common = { id: `rule-${at}`, tools: [isEven ? 'work.echo' : 'work.*'], then, reason: 'a benchmark' } as const;
    const onWords = (words: JsonSchema) => ({ required: ['words'], properties: { words } });
    if (at % 3 === 0) return { ...common, when: onWords({ const: `${at}` }) };
    if (at % 3 === 1) return { ...common, when: onWords({ minLength: 100 + at }) };
    return { ...common, unless: onWords({ type: 'string', pattern: `^[a-z]{1,${at + 10}}$` }) };
  });
}

class EchoSource implements ToolSource {
  readonly name = 'work';
  readonly loading = 'always' as const;

  async load(): Promise<readonly ToolDeclaration[]> {
    const inputSchema = { type: 'object', properties: { words: { type: 'string' } } };
    return [{ name: 'echo', description: 'Says the words back.', sideEffects: 'read', inputSchema }];
  }

  async call(_name: string, input: unknown) {
    return { content: [{ type: 'text' as const, text: JSON.stringify(input) }] };
  }

  async close(): Promise<void> {}
}

/** An application with one tool, `work.echo`. */
export class LimitedApp {
  private constructor(
    private readonly service: ToolSearchService,
    readonly close: () => Promise<void>,
  ) {}

  /** @param onArguments rules on the arguments of its tool */
  static async start(
    rules: Rules,
    place: CounterPlace,
    onArguments: readonly ArgumentRule[] = [],
  ): Promise<LimitedApp> {
    const tools = ToolSearchModule.forRoot({
      context: () => undefined,
      sources: [new EchoSource()],
      limits: { rules },
      policy: { arguments: onArguments },
    });
    const imports = place === 'memory' ? [tools] : [ToolSearchTypeOrmModule.forRoot(place), tools];
    class LimitsBenchModule {}
    const app = await NestFactory.createApplicationContext(
      { module: LimitsBenchModule, imports },
      { logger: ['error'] },
    );
    return new LimitedApp(app.get(ToolSearchService), () => app.close());
  }

  /** Whether the call ran; false: a limit refused it. @throws Error if anything else did */
  async call(tenantId: string): Promise<boolean> {
    const toolbox = this.service.open({ tenantId, userId: 'ada', sessionId: 's1' });
    const result = await toolbox.call('work.echo', { words: 'hello' });
    if (result.ok) return true;
    if (result.code === 'LIMIT_REACHED') return false;
    throw new Error(`The call failed: ${result.code}: ${result.message}`);
  }
}
