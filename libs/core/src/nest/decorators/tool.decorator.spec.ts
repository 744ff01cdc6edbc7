import { IsInt } from 'class-validator';
import { z } from 'zod';
import type { ToolContext } from '../../tool/tool-context.js';
import type { ToolCall } from '../../tool/tool-source.js';
import { declaredTools, Tool } from './tool.decorator.js';

const Refund = z.object({ invoice: z.string(), amount: z.coerce.number() });

class Amount {
  @IsInt()
  amount: number;
}

// The compiler runs this test: a line with an expected error fails the type check when it has none.
class TypedTools {
  @Tool({ description: 'All parameters.', input: Refund })
  full(input: z.infer<typeof Refund>, context: ToolContext, call: ToolCall) {
    return [input.amount, context.tenantId, call.id];
  }

  @Tool({ description: 'A part of the input is enough.', input: Refund })
  async part({ invoice }: { invoice: string }) {
    return invoice;
  }

  @Tool({ description: 'No parameters.', input: Refund })
  none() {}

  // @ts-expect-error the schema's output has a number here
  @Tool({ description: 'Wrong field type.', input: Refund })
  wrongField(input: { amount: string }) {
    return input.amount;
  }

  // @ts-expect-error the schema's output has no such field
  @Tool({ description: 'Missing field.', input: Refund })
  missingField(input: { currency: string }) {
    return input.currency;
  }

  // @ts-expect-error the second parameter is the context
  @Tool({ description: 'Wrong context.', input: Refund })
  wrongContext(input: object, context: string) {
    return [input, context];
  }

  @Tool({ description: 'DTO.', input: Amount })
  dto(input: Amount) {
    return input.amount;
  }

  // @ts-expect-error the DTO has a number here
  @Tool({ description: 'Wrong DTO.', input: Amount })
  wrongDto(input: { amount: string }) {
    return input.amount;
  }

  @Tool({ description: 'JSON Schema says nothing to the compiler.', input: { type: 'object', properties: {} } })
  raw(input: { anything: boolean }) {
    return input.anything;
  }

  @Tool({ description: 'No input.' })
  empty(input: object, { tenantId }: ToolContext) {
    return [input, tenantId];
  }

  // @ts-expect-error without an input there are no fields
  @Tool({ description: 'Forgotten input.' })
  forgotten(input: { amount: number }) {
    return input.amount;
  }
}

const decorate = (target: object, key: string | symbol, descriptor: PropertyDescriptor | undefined) =>
  (Tool({ description: 'x' }) as (...args: unknown[]) => void)(target, key, descriptor);

describe('@Tool()', () => {
  it('checks the first parameter against the input at compile time, and does not check at run time', () => {
    const methods = Object.getOwnPropertyNames(TypedTools.prototype).filter((name) => name !== 'constructor');
    expect(declaredTools(TypedTools, methods).map(({ method }) => method)).toEqual(methods);
  });

  it('marks methods, inherited ones too, until a subclass overrides them', () => {
    class Base {
      @Tool({ description: 'A.' })
      a() {}

      @Tool({ description: 'B.' })
      b() {}
    }
    class Child extends Base {
      override b() {}

      @Tool({ description: 'C.' })
      c() {}
    }
    const tools = declaredTools(Child, ['a', 'b', 'c']);
    expect(tools.map(({ method, options }) => [method, options.description])).toEqual([
      ['a', 'A.'],
      ['c', 'C.'],
    ]);
  });

  it('is refused on anything that is not an instance method', () => {
    class Wrong {
      static make() {}
      get value() {
        return 1;
      }
      [Symbol.iterator]() {}
    }
    const { prototype } = Wrong;
    const of = Object.getOwnPropertyDescriptor.bind(Object);
    expect(() => decorate(Wrong, 'make', of(Wrong, 'make'))).toThrow(
      'Wrong.make: @Tool() is only for instance methods.',
    );
    expect(() => decorate(prototype, 'value', of(prototype, 'value'))).toThrow('Wrong.value');
    expect(() => decorate(prototype, Symbol.iterator, of(prototype, Symbol.iterator))).toThrow('Symbol.iterator');
    expect(() => decorate(prototype, 'field', undefined)).toThrow('Wrong.field');
  });

  it.each([
    [{ description: 'Refund.', inputs: {} }, 'has no option "inputs".'],
    [{ description: 'Refund.', examples: [{ args: {} }, { arguments: {} }] }, 'examples[1] has no option "arguments".'],
    [{ description: 'Refund.', deprecated: { by: 'billing.repay' } }, 'deprecated has no option "by".'],
    [{ description: 'Refund.', deprecated: true }, 'deprecated must be an object.'],
    [{ description: 'Refund.', examples: {} }, 'examples must be a list.'],
    [{ description: 'Refund.', examples: [5] }, 'examples[0] must be an object.'],
    [{ examples: {}, inputs: {} }, 'has no option "inputs".'],
    [undefined, 'must be an object.'],
  ])('refuses an option that is none, with its path and those that are known: %j', (options, fault) => {
    const declare = () => {
      class OddTools {
        @Tool(options as never)
        refund() {}
      }
      return OddTools;
    };
    expect(declare).toThrow(
      expect.objectContaining({
        code: 'INVALID_CONFIGURATION',
        message: `OddTools.refund: @Tool() ${fault}`,
        hint: expect.stringMatching(/^Known options: \w+/),
      }),
    );
  });

  it('notices a decorator that put another function in the place of the method', () => {
    const Wrapped = (_: object, __: string, descriptor: PropertyDescriptor) => {
      const original = descriptor.value as () => unknown;
      descriptor.value = () => original();
    };
    class LostTools {
      @Wrapped
      @Tool({ description: 'Lost.' })
      lost() {}
    }
    class KeptTools {
      @Tool({ description: 'Kept.' })
      @Wrapped
      kept() {}
    }
    expect(() => declaredTools(LostTools, ['lost'])).toThrow(
      'LostTools.lost: another decorator replaced the method after @Tool()',
    );
    expect(declaredTools(KeptTools, ['kept'])).toHaveLength(1);
  });
});
