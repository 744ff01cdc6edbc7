import 'reflect-metadata';
import type { Type as Class } from '@nestjs/common';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import { version as transformerVersion } from 'class-transformer/package.json';
import {
  ArrayMaxSize,
  IsArray,
  IsDateString,
  IsEnum,
  IsInt,
  IsNotEmpty,
  IsNumber,
  IsObject,
  IsOptional,
  IsPhoneNumber,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { jsonSchemaValidator, schemaFault } from '../../tool/schema/tool-schema.js';
import { dtoInput } from './dto-schema.js';

const { defaultMetadataStorage } = jest.requireActual<{
  defaultMetadataStorage: { findTypeMetadata(type: Class, property: string): { typeFunction(): unknown } };
}>('class-transformer/cjs/storage.js');

enum Level {
  Low,
  High,
}

enum Color {
  Red = 'red',
  Blue = 'blue',
}

class Line {
  @IsString()
  @MaxLength(20)
  article: string;

  // Bounds above the type: their converter returns "number", which must not win.
  @Min(1)
  @Max(99)
  @IsInt()
  quantity: number;
}

class Address {
  @IsNotEmpty()
  @IsString()
  city: string;
}

@JSONSchema({ description: 'An order.' })
class Order {
  @JSONSchema({ description: 'Who orders.' })
  @IsString()
  customer: string;

  @IsNotEmpty()
  @IsInt()
  priority: number;

  @IsArray()
  @ArrayMaxSize(3)
  @ValidateNested({ each: true })
  @Type(() => Line)
  lines: Line[];

  @ValidateNested()
  @Type(() => Address)
  address: Address;

  @IsOptional()
  @IsEnum(Level)
  level?: Level;

  @IsOptional()
  @IsEnum(Color)
  color?: Color;

  @IsOptional()
  @IsPhoneNumber()
  phone?: string;

  @IsOptional()
  @Min(0)
  discount?: number;

  @IsOptional()
  @IsDateString()
  due?: string;

  @IsOptional()
  @Matches(/^a/i)
  code?: string;

  @IsOptional()
  @ValidateNested()
  @Type(() => Order)
  follows?: Order;

  @Exclude()
  @IsOptional()
  @IsString()
  internal?: string;
}

const order = (more: object = {}) => ({
  customer: 'c',
  priority: 1,
  lines: [{ article: 'a', quantity: 2 }],
  address: { city: 'x' },
  ...more,
});

const issues = async (dto: Class<object>, input: unknown) => {
  const { validate } = dtoInput(dto);
  const checked = await validate(input);
  return 'issues' in checked ? checked.issues : [];
};

describe('JSON Schema of a DTO class', () => {
  it('is complete in itself: nested classes are definitions, unknown properties are closed off', async () => {
    const { inputSchema } = dtoInput(Order);
    expect(inputSchema).toEqual({
      type: 'object',
      description: 'An order.',
      properties: {
        customer: { type: 'string', description: 'Who orders.' },
        priority: { type: 'integer' },
        lines: { type: 'array', maxItems: 3, items: { $ref: '#/$defs/Line' } },
        address: { $ref: '#/$defs/Address' },
        level: { enum: [0, 1] },
        color: { enum: ['red', 'blue'] },
        phone: { type: 'string' },
        discount: { type: 'number', minimum: 0 },
        due: {
          anyOf: [
            { type: 'string', format: 'date' },
            { type: 'string', format: 'date-time' },
          ],
        },
        code: { type: 'string' },
        follows: { $ref: '#/$defs/Order' },
      },
      required: ['customer', 'priority', 'lines', 'address'],
      additionalProperties: false,
      $defs: {
        Line: {
          type: 'object',
          properties: {
            article: { type: 'string', maxLength: 20 },
            quantity: { type: 'integer', minimum: 1, maximum: 99 },
          },
          required: ['article', 'quantity'],
          additionalProperties: false,
        },
        Address: {
          type: 'object',
          properties: { city: { type: 'string', minLength: 1 } },
          required: ['city'],
          additionalProperties: false,
        },
        Order: expect.objectContaining({ type: 'object', additionalProperties: false }),
      },
    });
  });

  it('is sound 2020-12 that accepts what the validator accepts', async () => {
    const { inputSchema, validate } = dtoInput(Order);
    expect(schemaFault(inputSchema)).toBeUndefined();
    const input = order({ level: 1, color: 'red', code: 'Abc', due: '2026-01-01', follows: order() });
    expect(await validate(input)).toEqual({ value: expect.any(Order) });
    expect(jsonSchemaValidator('order', inputSchema)(input)).toEqual({ value: input });
  });

  it('distinguishes classes of the same name', async () => {
    const first = (() => {
      class Item {
        @IsString()
        name: string;
      }
      return Item;
    })();
    const second = (() => {
      class Item {
        @IsInt()
        count: number;
      }
      return Item;
    })();
    class Pair {
      @ValidateNested()
      @Type(() => first)
      left: object;

      @ValidateNested()
      @Type(() => second)
      right: object;
    }
    const { $defs, properties } = dtoInput(Pair).inputSchema;
    expect(properties).toEqual({ left: { $ref: '#/$defs/Item' }, right: { $ref: '#/$defs/Item2' } });
    expect($defs).toMatchObject({ Item: { required: ['name'] }, Item2: { required: ['count'] } });
  });

  it('has the properties of the classes it extends, under the names it exposes', async () => {
    class Page {
      @IsInt()
      @IsOptional()
      limit = 10;
    }
    class Search extends Page {
      @Expose({ name: 'q' })
      @IsString()
      query: string;
    }
    const { inputSchema, validate } = dtoInput(Search);
    expect(Object.keys(inputSchema['properties'] as object).sort()).toEqual(['limit', 'q']);
    expect(await validate({ q: 'word' })).toEqual({ value: Object.assign(new Search(), { query: 'word', limit: 10 }) });
  });
});

describe('validator of a DTO class', () => {
  it('does not convert: text is no number, a number is no text', async () => {
    expect(await issues(Order, order({ priority: '5' }))).toEqual([
      { path: '/priority', message: 'priority must be an integer number' },
    ]);
    expect(await issues(Order, order({ customer: 5 }))).toEqual([
      { path: '/customer', message: 'customer must be a string' },
    ]);
  });

  it('refuses undeclared properties at any depth, and names the place', async () => {
    expect(await issues(Order, order({ admin: true }))).toEqual([
      { path: '/admin', message: 'property admin should not exist' },
    ]);
    expect(
      await issues(
        Order,
        order({
          lines: [
            { article: 'a', quantity: 1 },
            { article: 'b', quantity: 1, 'x/y~': 1 },
          ],
        }),
      ),
    ).toEqual([{ path: '/lines/1/x~1y~0', message: 'property x/y~ should not exist' }]);
    expect(await issues(Order, order({ address: { city: '' } }))).toEqual([
      { path: '/address/city', message: 'city should not be empty' },
    ]);
  });

  it.each([['text'], [['list']], [null], [undefined], [5]])('refuses %j, which is no object', async (input) => {
    expect(await issues(Order, input)).toEqual([{ path: '/', message: 'must be an object' }]);
  });

  it('names no value, not even where the application does', async () => {
    class Secret {
      @Matches(/^never$/, { message: 'the token $value is wrong' })
      token: string;

      @Matches(/^never$/, { message: 'ask for another code' })
      code: string;
    }
    expect(await issues(Secret, { token: 'hunter2', code: 'abcd' })).toEqual([
      { path: '/token', message: 'does not satisfy matches' },
      { path: '/code', message: 'ask for another code' },
    ]);
  });

  it.each([['ab'], [7], [['a1', 'hunter2']], [{ inner: { deep: 'x9' } }], ['long '.repeat(1000)], ['qu"ote']])(
    'does not repeat %j, however the application words it',
    async (value) => {
      class Echo {
        @Matches(/^never$/, { message: ({ value: given }) => `wrong: ${JSON.stringify(given)}` })
        token: unknown;
      }
      expect(await issues(Echo, { token: value })).toEqual([{ path: '/token', message: 'does not satisfy matches' }]);
    },
  );

  it('keeps a message that only shares letters with the value', async () => {
    expect(await issues(Order, order({ priority: 'm' }))).toEqual([
      { path: '/priority', message: 'priority must be an integer number' },
    ]);
  });

  it('bounds its message, for any keys and messages', async () => {
    class Wordy {
      @IsInt({ message: 'm'.repeat(10_000) })
      count: number;
    }
    const found = await issues(Wordy, { count: 'x', ['k'.repeat(40_000)]: 1 });
    expect(new Set(found.map(({ path }) => path))).toEqual(new Set(['/count', `/${'k'.repeat(64)}`]));
    expect(found.map(({ message }) => message.length)).toEqual([300, 300]);
  });

  it('answers with an issue where a transformation breaks on the value', async () => {
    class Trimmed {
      @Transform(({ value }) => (value as string).trim())
      @IsString()
      text: string;
    }
    expect(await issues(Trimmed, { text: 5 })).toEqual([{ path: '/', message: 'cannot be converted' }]);
    expect(await dtoInput(Trimmed).validate({ text: ' a ' })).toEqual({ value: { text: 'a' } });
  });

  it.each(['constructor', 'toString', 'valueOf', '__proto__'])(
    'refuses the key %s at every level, which class-transformer would leave out',
    async (key) => {
      class Free {
        @IsObject()
        fields: object;
      }
      for (const input of [`{"fields":{},"${key}":1}`, `{"fields":{"list":[{"${key}":1}]}}`]) {
        expect(await issues(Free, JSON.parse(input))).toEqual([{ path: '/', message: `must not have the key ${key}` }]);
      }
    },
  );

  it('stops after ten issues', async () => {
    class Wide {
      @IsNumber({}, { each: true })
      numbers: number[];
    }
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`key${index}`, 1]));
    expect(await issues(Wide, { numbers: [1], ...many })).toHaveLength(10);
  });
});

describe('a missing package', () => {
  afterEach(() => jest.dontMock('class-validator-jsonschema').resetModules());

  it('is named, with the command that brings it', async () => {
    jest.resetModules();
    jest.doMock('class-validator-jsonschema', () => {
      throw new Error("Cannot find module 'class-validator-jsonschema'");
    });
    const fresh = await import('./dto-schema.js');
    expect(() => fresh.dtoInput(Order)).toThrow(
      expect.objectContaining({
        code: 'INVALID_CONFIGURATION',
        message: expect.stringContaining('The DTO class Order needs'),
        hint: 'npm install class-validator class-transformer class-validator-jsonschema',
      }),
    );
  });
});

// class-transformer has no public way to read a class's metadata.
it(`class-transformer ${transformerVersion} (known: 0.5.1) keeps @Type() in defaultMetadataStorage of cjs/storage.js`, () => {
  class Inner {}
  class Outer {
    @Type(() => Inner)
    inner: Inner;
  }
  const found = defaultMetadataStorage.findTypeMetadata(Outer, 'inner');
  expect(found).toMatchObject({ target: Outer, propertyName: 'inner', options: {} });
  expect(found.typeFunction()).toBe(Inner);
});
