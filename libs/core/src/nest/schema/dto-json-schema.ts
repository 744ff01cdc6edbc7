import type { Type } from '@nestjs/common';
import type { ValidationMetadata } from 'class-validator/types/metadata/ValidationMetadata.js';
import { isObject, type JsonSchema } from '../../json/json.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';

/** Optional packages that DTO classes need. */
export interface DtoLibraries {
  readonly validator: typeof import('class-validator');
  readonly transformer: typeof import('class-transformer');
  readonly converter: typeof import('class-validator-jsonschema');
  /** class-transformer's metadata of `@Type()`, `@Expose()` and `@Exclude()`. */
  readonly typeStorage: TypeStorage;
}

type TypeStorage = NonNullable<
  NonNullable<Parameters<DtoLibraries['converter']['targetConstructorToSchema']>[1]>['classTransformerMetadataStorage']
>;

type Schema = Record<string, unknown>;
type Converter = (meta: ValidationMetadata) => Schema;

const PRIMITIVES = new Map<unknown, string>([
  [String, 'string'],
  [Number, 'number'],
  [Boolean, 'boolean'],
]);

const DATE_OR_TIME = {
  anyOf: [
    { type: 'string', format: 'date' },
    { type: 'string', format: 'date-time' },
  ],
};

// Replaces converters of class-validator-jsonschema that are wrong, or whose type would overwrite that of @IsInt().
const CORRECTIONS: Readonly<Record<string, Converter>> = {
  isNotEmpty: (meta) => (typeOf(meta) === 'string' ? { minLength: 1 } : {}),
  isEnum: (meta) => ({ enum: enumValues(meta.constraints[0] as Schema) }),
  min: (meta) => ({ minimum: meta.constraints[0] as number }),
  max: (meta) => ({ maximum: meta.constraints[0] as number }),
  isPositive: () => ({ exclusiveMinimum: 0 }),
  isNegative: () => ({ exclusiveMaximum: 0 }),
  isDivisibleBy: (meta) => ({ multipleOf: meta.constraints[0] as number }),
  isDateString: () => DATE_OR_TIME,
  isIso8601: () => DATE_OR_TIME,
  isDate: () => DATE_OR_TIME,
  matches: (meta) => patternOf(meta.constraints[0] as RegExp),
};

/**
 * JSON Schema 2020-12 of a DTO class, self-contained: nested DTOs are in `$defs`, identified by class, not by name.
 *
 * @throws ToolSearchError `INVALID_CONFIGURATION` for a class without decorators, or a nested DTO without `@Type()`
 */
export function dtoJsonSchema(root: Type<object>, { converter, typeStorage }: DtoLibraries): JsonSchema {
  const names = new Map<Type<object>, string>();
  const refTo = (type: Type<object>): Schema => {
    let name = names.get(type);
    if (name === undefined) {
      name = freeName(type.name, [...names.values()]);
      names.set(type, name);
    }
    return { $ref: `#/$defs/${name}` };
  };
  const additionalConverters: Record<string, Converter> = {
    ...CORRECTIONS,
    customValidation: (meta) => primitive(typeOf(meta)),
    nestedValidation: (meta) => {
      const type = typeStorage.findTypeMetadata(meta.target as Type, meta.propertyName);
      // A discriminator selects a class at run time: the validator checks it, and the schema accepts any object.
      if (type?.options.discriminator) return { type: 'object' };
      const nested = (type ? (type.typeFunction as () => unknown)() : designType(meta)) as Type<object>;
      if (typeof nested !== 'function' || [Object, Array, Map, Set].includes(nested as never)) {
        throw unusable(
          meta.target as Type,
          `${meta.propertyName} is nested, and nothing says of which class`,
          'Add @Type(() => Nested) beside @ValidateNested().',
        );
      }
      return PRIMITIVES.has(nested) ? primitive(PRIMITIVES.get(nested)) : refTo(nested);
    },
  };
  const schemaOf = (type: Type<object>): Schema => {
    const schema = converter.targetConstructorToSchema(type, {
      additionalConverters,
      classTransformerMetadataStorage: typeStorage,
    }) as Schema;
    if (!isObject(schema['properties'])) {
      throw unusable(type, 'has no class-validator decorators', 'Decorate its properties, or leave out the input.');
    }
    return { ...schema, properties: typedProperties(type, schema['properties']), additionalProperties: false };
  };

  const schema = schemaOf(root);
  const definitions: Record<string, Schema> = {};
  // The map grows during the iteration: each class may refer to further ones.
  for (const [type, name] of names) definitions[name] = schemaOf(type);
  return names.size === 0 ? schema : { ...schema, $defs: definitions };
}

// A property with only custom or bounding validators has no type yet: its declared type is added.
function typedProperties(type: Type<object>, properties: Schema): Schema {
  const typed = ['type', '$ref', 'enum', 'anyOf', 'oneOf', 'allOf'];
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => {
      if (!isObject(schema) || typed.some((keyword) => keyword in schema)) return [name, schema];
      const declared: unknown = Reflect.getMetadata('design:type', type.prototype as object, name);
      return [name, { ...primitive(PRIMITIVES.get(declared)), ...schema }];
    }),
  );
}

function designType(meta: ValidationMetadata): unknown {
  return Reflect.getMetadata('design:type', (meta.target as Type).prototype as object, meta.propertyName);
}

function typeOf(meta: ValidationMetadata): string | undefined {
  return PRIMITIVES.get(designType(meta));
}

function primitive(type: string | undefined): Schema {
  return type === undefined ? {} : { type };
}

// TypeScript adds reverse mappings (number to name) to a numeric enum; they are skipped.
function enumValues(entity: Schema | readonly unknown[]): unknown[] {
  if (Array.isArray(entity)) return entity;
  return Object.entries(entity).flatMap(([key, value]) => (Number.isNaN(Number(key)) ? [value] : []));
}

// JSON Schema patterns have no flags: without its flags, a pattern could refuse values that the validator accepts, so
// it is left out.
function patternOf(pattern: RegExp): Schema {
  return pattern.flags === '' || pattern.flags === 'u'
    ? { type: 'string', pattern: pattern.source }
    : { type: 'string' };
}

function freeName(wanted: string, taken: readonly string[]): string {
  let name = wanted;
  for (let number = 2; taken.includes(name); number++) name = `${wanted}${number}`;
  return name;
}

function unusable(type: Type, fault: string, hint: string): ToolSearchError {
  return new ToolSearchError(
    'INVALID_CONFIGURATION',
    `The DTO class ${type.name} cannot describe a tool's input: ${fault}.`,
    { hint },
  );
}
