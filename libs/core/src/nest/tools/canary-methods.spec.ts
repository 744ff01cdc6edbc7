import {
  type CallHandler,
  type CanActivate,
  type ExecutionContext,
  Injectable,
  Logger,
  type NestInterceptor,
  type Provider,
  UseGuards,
  UseInterceptors,
  ValidationPipe,
} from '@nestjs/common';
import { APP_PIPE } from '@nestjs/core';
import { Test, type TestingModule } from '@nestjs/testing';
import { IsInt, IsString } from 'class-validator';
import { map, type Observable } from 'rxjs';
import { z } from 'zod';
import { ToolCanaries } from '../../access/canaries/tool-canaries.js';
import { ToolSearchTestingModule } from '../../testing/tool-search-testing.module.js';
import { openToolbox } from '../../testing/open-toolbox.js';
import type { ToolContext } from '../../tool/tool-context.js';
import type { ToolCall } from '../../tool/tool-source.js';
import { defineTool } from '../decorators/define-tool.js';
import { Tool, type ToolOptions } from '../decorators/tool.decorator.js';
import { CodeSource } from './code.source.js';

const guarded: string[] = [];

@Injectable()
class NotMallory implements CanActivate {
  canActivate(execution: ExecutionContext): boolean {
    const context = execution.getArgs<[unknown, unknown, unknown, unknown, ToolContext]>()[4];
    guarded.push(String(context.userId));
    return context.userId !== 'mallory';
  }
}

@Injectable()
class Marking implements NestInterceptor {
  intercept(_execution: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(map((value: unknown) => `marked: ${String(value)}`));
  }
}

class RefundInvoice {
  @IsInt() readonly invoice: number;
}

class RefundCustomer {
  @IsString() readonly customer: string;
}

const CANARY = { description: 'Reimburse a customer.', input: RefundCustomer };

@Injectable()
class BillingTools {
  readonly suffix = '!';

  @Tool({
    description: 'Refund an invoice.',
    input: RefundInvoice,
    canary: { sharePct: 100, definition: CANARY, method: 'reimburse' },
  })
  @UseGuards(NotMallory)
  @UseInterceptors(Marking)
  refund(input: RefundInvoice): string {
    return `invoice ${input.invoice}`;
  }

  reimburse(input: RefundCustomer, { tenantId }: ToolContext, { canary }: ToolCall): string {
    return `customer ${input.customer} of ${tenantId} ${input instanceof RefundCustomer} ${canary}${this.suffix}`;
  }
}

const opened: TestingModule[] = [];
async function start(...providers: Provider[]) {
  const module = await Test.createTestingModule({ imports: [ToolSearchTestingModule.forRoot()], providers })
    .setLogger(false as never)
    .compile();
  opened.push(module);
  const toolbox = await ToolSearchTestingModule.open(module);
  return { module, toolbox };
}

beforeAll(() => Logger.overrideLogger(false));
afterEach(async () => {
  guarded.length = 0;
  await Promise.all(opened.splice(0).map((module) => module.close()));
});

describe('the canary of a decorated tool', () => {
  // A pipe of the application that would refuse the arguments of the other definition.
  const strict = { provide: APP_PIPE, useValue: new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true }) };

  it.each([[[]], [[strict]]])('runs its own method, after the guards and interceptors of the tool', async (pipes) => {
    const { module, toolbox } = await start(BillingTools, ...pipes);
    expect((await toolbox.get(['billing.refund'])).tools[0]?.description).toBe('Reimburse a customer.');
    expect(await toolbox.call('billing.refund', { customer: 'c1' })).toMatchObject({
      ok: true,
      content: [{ text: 'marked: customer c1 of acme true true!' }],
    });
    expect(await toolbox.call('billing.refund', { invoice: 1 })).toMatchObject({ code: 'INVALID_ARGUMENTS' });
    const mallory = await ToolSearchTestingModule.open(module, { userId: 'mallory' });
    expect(await mallory.call('billing.refund', { customer: 'c1' })).toMatchObject({ code: 'TOOL_FORBIDDEN' });
    expect(guarded).toEqual(['ada', 'mallory']);

    await module.get(ToolCanaries).set('billing.refund', { sharePct: 0 }, { actor: 'olga', reason: 'it is slow' });
    expect(await toolbox.call('billing.refund', { invoice: 1 })).toMatchObject({
      ok: true,
      content: [{ text: 'marked: invoice 1' }],
    });
    expect(await mallory.call('billing.refund', { invoice: 1 })).toMatchObject({ code: 'TOOL_FORBIDDEN' });
  });

  function toolsWith(options: object, method: PropertyDescriptor = {}) {
    @Injectable()
    class OddTools {
      @Tool({ description: 'Refund.', ...options } as ToolOptions)
      refund(): string {
        return 'stable';
      }

      other(): string {
        return 'canary';
      }
    }
    Object.defineProperty(OddTools.prototype, 'given', { configurable: true, ...method });
    return OddTools;
  }
  const definition = { description: 'Reimburse.' };

  it.each([
    ['a method that is missing', { canary: { sharePct: 1, definition, method: 'absent' } }, /has no handler/],
    [
      'an input that no method takes',
      { canary: { sharePct: 1, definition: { input: RefundCustomer } } },
      /canary.method/,
    ],
    ['an unknown member', { canary: { sharePct: 1, definition, run: 'other', method: 'other' } }, /no option "run"/],
    [
      'access of its own',
      { canary: { sharePct: 1, definition: { tags: ['a'] }, method: 'other' } },
      /no option "tags"/,
    ],
    ['a wrong share', { canary: { sharePct: -1, definition, method: 'other' } }, /sharePct must be/],
    [
      'hidden text',
      { canary: { sharePct: 1, definition: { description: 'a\u202eb' }, method: 'other' } },
      /description/,
    ],
    ['nothing new', { canary: { sharePct: 1, definition: {}, method: 'other' } }, /does not differ/],
  ])('fails the boot with %s, as a fault in the own code does', async (_what, options, message) => {
    const booted = (async () => start(toolsWith(options)))();
    await expect(booted).rejects.toMatchObject({
      code: 'INVALID_CONFIGURATION',
      message: expect.stringMatching(message),
    });
  });

  it('fails the boot if its method has guards of its own, which would not be those of the tool', async () => {
    @Injectable()
    class OddTools {
      @Tool({ description: 'Refund.', canary: { sharePct: 1, definition, method: 'other' } })
      refund(): string {
        return 'stable';
      }

      @UseGuards(NotMallory)
      other(): string {
        return 'canary';
      }
    }
    await expect(start(OddTools)).rejects.toMatchObject({
      code: 'INVALID_CONFIGURATION',
      message: expect.stringContaining('OddTools.other'),
    });
  });
});

describe('the canary of a tool that defineTool() made', () => {
  const Customer = z.object({ customer: z.string(), notify: z.boolean().default(true) });

  it('has the arguments and the handler of its own', async () => {
    const refund = defineTool({
      name: 'refund',
      description: 'Refund an invoice.',
      input: z.object({ invoice: z.coerce.number() }),
      run: ({ invoice }) => `invoice ${invoice.toFixed(0)}`,
      canary: {
        sharePct: 100,
        definition: { description: 'Reimburse a customer.', input: Customer },
        run: ({ customer, notify }) => `customer ${customer.toUpperCase()} ${notify}`,
      },
    });
    const { toolbox, canaries } = await openToolbox({
      sources: [new CodeSource({ name: 'billing', tools: [refund] })],
    });
    const call = async (args: object) => {
      const result = await toolbox.call('billing.refund', args);
      return result.ok ? (result.content[0] as { text: string }).text : result.code;
    };
    expect(await call({ customer: 'c1' })).toBe('customer C1 true');
    await canaries.set('billing.refund', { sharePct: 0 }, { actor: 'olga', reason: 'it is slow' });
    expect(await call({ invoice: '7' })).toBe('invoice 7');
    expect(await call({ customer: 'c1' })).toBe('INVALID_ARGUMENTS');
  });

  it('has the arguments and the handler of the tool where it has none', async () => {
    const greet = defineTool({
      name: 'greet',
      description: 'Greet somebody.',
      input: z.object({ name: z.string().toUpperCase() }),
      run: ({ name }) => `Hello ${name}`,
      canary: { sharePct: 100, definition: { description: 'Greet warmly.' } },
    });
    const leave = defineTool({
      name: 'leave',
      description: 'Say good bye.',
      input: z.object({ name: z.string().toUpperCase() }),
      run: ({ name }) => `Bye ${name}`,
      canary: { sharePct: 100, definition: { description: 'Say farewell.' }, run: ({ name }) => `Farewell ${name}` },
    });
    const { toolbox } = await openToolbox({ sources: [new CodeSource({ name: 'say', tools: [greet, leave] })] });
    expect(await toolbox.call('say.greet', { name: 'ada' })).toMatchObject({ content: [{ text: 'Hello ADA' }] });
    expect(await toolbox.call('say.leave', { name: 'ada' })).toMatchObject({ content: [{ text: 'Farewell ADA' }] });
  });

  const one = (): number => 1;
  it.each([
    [{ sharePct: 1, definition: { input: z.object({}) } }, 'canary.run'],
    [{ sharePct: 1, definition: { description: 'Other.' }, run: 'refund' }, 'canary.run'],
    [{ sharePct: 1, definition: { aliases: ['a.b'] }, run: one }, 'aliases'],
    [{ sharePct: 1, run: one }, 'canary.definition'],
  ])('refuses %j', (canary, message) => {
    const options = { name: 'refund', description: 'Refund.', run: () => 1, canary } as Parameters<
      typeof defineTool
    >[0];
    expect(() => defineTool(options)).toThrow(message);
  });

  it('is an error of the source when it is faulty', () => {
    const tool = defineTool({
      name: 'refund',
      description: 'Refund.',
      run: () => 1,
      canary: { sharePct: 1, definition: { description: 'Refund.' }, run: () => 2 },
    });
    expect(() => new CodeSource({ name: 'billing', tools: [tool] })).toThrow('does not differ');
  });
});
