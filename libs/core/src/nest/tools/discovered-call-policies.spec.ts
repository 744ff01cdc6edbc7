import { Inject, Injectable, Logger, type Provider, Scope } from '@nestjs/common';
import { DiscoveryModule, REQUEST } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { CallPolicies } from '../../access/call-policies/call-policies.js';
import type { CallPolicyAnswer, PolicyCall } from '../../access/call-policies/tool-call-policy.js';
import { fakeTool } from '../../testing/fakes/fake-tools.js';
import { type ToolContext, toolContext } from '../../tool/tool-context.js';
import { ToolCallPolicy } from '../decorators/tool-call-policy.decorator.js';
import { CHECKED_OPTIONS } from '../module/tool-search.module-definition.js';
import { linkRequest } from '../request/request-link.js';
import { DiscoveredCallPolicies } from './discovered-call-policies.js';

const closing: (() => Promise<void>)[] = [];
beforeAll(() => Logger.overrideLogger(false));
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

async function start(providers: Provider[]) {
  const module = await Test.createTestingModule({
    imports: [DiscoveryModule],
    providers: [DiscoveredCallPolicies, ...providers],
  }).compile();
  const app = module.createNestApplication();
  closing.push(() => app.close());
  await app.init();
  return app.get(DiscoveredCallPolicies);
}

/** The reasons of those that refuse. */
async function said(discovered: DiscoveredCallPolicies, context: ToolContext = toolContext({ tenantId: 'acme' })) {
  const tool = fakeTool({ name: 'crm.find' });
  const reasons: (string | undefined)[] = [];
  for (const policy of discovered.policies()) {
    const policies = new CallPolicies({ policies: () => [policy], deadlineMs: 500 });
    const { refusal } = await policies.decide(
      { tool, arguments: {}, contexts: [context] },
      new AbortController().signal,
    );
    reasons.push(refusal?.reason);
  }
  return reasons;
}

const deny = (reason: string): CallPolicyAnswer => ({ outcome: 'deny', reason });

@ToolCallPolicy({ tools: ['crm.*'], cacheMs: 60_000 })
class First implements ToolCallPolicy {
  decide(_call: PolicyCall): CallPolicyAnswer {
    return deny('first');
  }
}

@Injectable()
class Word {
  readonly value = 'second';
}

@ToolCallPolicy()
class Second implements ToolCallPolicy {
  constructor(private readonly word: Word) {}

  decide(): CallPolicyAnswer {
    return deny(this.word.value);
  }
}

@ToolCallPolicy({ scope: Scope.REQUEST, tools: ['crm.*'] })
class OfRequest implements ToolCallPolicy {
  static built = 0;

  constructor(@Inject(REQUEST) private readonly live: { readonly desk: string } | undefined) {
    OfRequest.built += 1;
  }

  decide(): CallPolicyAnswer {
    return deny(`desk ${this.live?.desk}`);
  }

  cacheKey(): string | undefined {
    return this.live?.desk;
  }
}

const ALL: Provider[] = [First, Second, Word, OfRequest];

describe('discovered call policies', () => {
  it('are injectable, and have the options of their decorator', async () => {
    const policies = (await start(ALL)).policies();
    expect(policies.map(({ name }) => name)).toEqual(['First', 'Second', 'OfRequest']);
    expect(policies.map(({ cacheMs }) => cacheMs)).toEqual([60_000, 5000, 5000]);
    const mail = fakeTool({ name: 'mail.send' });
    expect(policies.map(({ isFor }) => isFor(mail))).toEqual([false, true, false]);
  });

  it('may be made by a factory, replace the class of a token, or extend a decorated class', async () => {
    class Strict extends First {
      override decide() {
        return deny('strict');
      }
    }
    const discovered = await start([
      { provide: 'made', useFactory: () => new First() },
      { provide: Second, useValue: { decide: () => deny('in its place') } },
      Strict,
      { provide: 'alias', useExisting: Strict },
      OfRequest,
    ]);
    expect(await said(discovered)).toEqual(['first', 'in its place', 'strict', 'desk undefined']);
  });

  it('may be request-scoped: one for each context, among the providers of its request', async () => {
    const discovered = await start(ALL);
    const context = toolContext({ tenantId: 'acme' });
    linkRequest(context, { desk: 'seven' });
    OfRequest.built = 0;
    expect(await said(discovered, context)).toEqual(['first', 'second', 'desk seven']);
    expect(await said(discovered, context)).toEqual(['first', 'second', 'desk seven']);
    expect(OfRequest.built).toBe(1);
  });
});

describe('a call policy that no module provides', () => {
  it('fails the boot, unless the application says that another one provides it', async () => {
    // All that were declared above are provided by some application of this process.
    await start(ALL);
    await start([First]);

    @ToolCallPolicy()
    class Forgotten implements ToolCallPolicy {
      decide(): CallPolicyAnswer {
        return deny('never');
      }
    }
    await expect(start(ALL)).rejects.toMatchObject({
      code: 'INVALID_CONFIGURATION',
      message: expect.stringContaining('Forgotten'),
      hint: expect.stringContaining('callPolicies.unused'),
    });
    const warnings = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    await start([...ALL, { provide: CHECKED_OPTIONS, useValue: { callPolicies: { unused: 'warn' } } }]);
    expect(warnings.mock.calls.flat().join()).toContain('Forgotten');
    warnings.mockRestore();

    class Used extends Forgotten {}
    await start([Used]);
    await start(ALL);
  });
});

// Last: its class is never provided, so that no other application of this process starts.
describe('a call policy that is none', () => {
  it('fails the boot without a decide method, and its decorator refuses wrong options', async () => {
    @ToolCallPolicy()
    class Half {
      decide: never;
    }
    await expect(start([Half])).rejects.toMatchObject({
      code: 'INVALID_CONFIGURATION',
      message: 'Half: a call policy needs a decide method.',
      hint: expect.stringContaining('decide(call)'),
    });
    const wrong = [
      { tools: [] },
      { tools: ['a b'] },
      { tools: 'crm.*' },
      { cacheMs: 0 },
      { cacheMs: 3_600_001 },
      { tool: [] },
    ];
    for (const options of wrong) {
      expect(() => ToolCallPolicy(options as never)(First)).toThrow(
        expect.objectContaining({ code: 'INVALID_CONFIGURATION', message: expect.stringContaining('First') }),
      );
    }
  });
});
