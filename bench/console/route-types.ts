import type { OpenAPIObject } from '@nestjs/swagger';

type Schema = Extract<NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>[string], { type?: unknown }>;
type SchemaOrReference = Schema | { readonly $ref: string };
type PathItem = OpenAPIObject['paths'][string];
type Operation = NonNullable<PathItem['get']>;
type Parameter = Extract<NonNullable<Operation['parameters']>[number], { in: unknown }>;
type Method = (typeof METHODS)[number];

const METHODS = ['get', 'post', 'put', 'delete'] as const;
/** Where the types are kept, from the root of the repository. */
export const ROUTE_TYPES_FILE = 'libs/console/browser/api/routes.ts';
const JSON_TYPE = 'application/json';
const HEADER = `// Made by \`npm run console:types\` from the OpenAPI document of the routes for operators. Do not edit it.
`;

/**
 * Writes the TypeScript module with the types of an OpenAPI document: one type for each schema, and `Routes` with what each
 * route that answers JSON takes and answers, by method and path.
 *
 * @param base path of the routes in the document, which the module leaves out
 * @throws Error for a schema that says nothing of its values, or in a way that nestjs/swagger does not write
 */
export function routeTypes({ components = {}, paths }: OpenAPIObject, base: string): string {
  const schemas = Object.entries(components.schemas ?? {}).toSorted(byName);
  const routes = Object.entries(paths)
    .flatMap(([path, item]) => METHODS.map((method) => [path, method, item[method]] as const))
    .flatMap(([path, method, operation]) => (operation ? routeType(pathIn(base, path), method, operation) : []))
    .toSorted();
  return [
    HEADER,
    ...schemas.map(([name, schema]) => `${declaration(name, schema)}\n`),
    `/** What each route takes and answers. */\nexport interface Routes {\n${routes.join('\n')}\n}\n`,
  ].join('\n');
}

function byName([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}

function pathIn(base: string, path: string): string {
  const start = `/${base}/`;
  if (path.startsWith(start)) return path.slice(start.length);
  throw new Error(`${path} is not below ${start}`);
}

function declaration(name: string, schema: SchemaOrReference): string {
  if ('$ref' in schema || schema.type !== 'object') return `export type ${name} = ${typeOf(schema, name)};`;
  return `export interface ${name} ${typeOf(schema, name)}`;
}

function routeType(path: string, method: Method, operation: Operation): readonly string[] {
  const name = `${method.toUpperCase()} ${path}`;
  const answer = contentOf(operation.responses['200'], name);
  if (!answer) return [];
  const parts = [
    parametersType('path', operation, name),
    parametersType('query', operation, name),
    bodyType(operation, name),
    `readonly answer: ${typeOf(answer, name)}`,
  ].filter((part) => part !== undefined);
  return [`  readonly '${name}': {\n${parts.map((part) => `    ${part};\n`).join('')}  };`];
}

function contentOf(content: object | undefined, name: string): SchemaOrReference | undefined {
  if (!content || !('content' in content)) throw new Error(`${name} has no answer`);
  const { [JSON_TYPE]: json } = content.content as Readonly<Record<string, { readonly schema?: SchemaOrReference }>>;
  return json?.schema;
}

function parametersType(place: 'path' | 'query', { parameters = [] }: Operation, name: string): string | undefined {
  const members = parameters
    .filter((each): each is Parameter => 'in' in each && each.in === place)
    .map((each) => member(each.name, each.required === true, each.schema ?? {}, name));
  if (members.length === 0) return undefined;
  const isOptional = members.every((each) => each.includes('?: '));
  return `readonly ${place}${isOptional ? '?' : ''}: { ${members.join('; ')} }`;
}

function bodyType({ requestBody }: Operation, name: string): string | undefined {
  const body = requestBody && contentOf(requestBody, name);
  return body && `readonly body: ${typeOf(body, name)}`;
}

function member(name: string, isRequired: boolean, schema: SchemaOrReference, owner: string): string {
  return `readonly ${name}${isRequired ? '' : '?'}: ${typeOf(schema, `${owner}.${name}`)}`;
}

function typeOf(schema: SchemaOrReference, name: string): string {
  if ('$ref' in schema) return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
  const type = bareType(schema, name);
  return schema.nullable === true ? `${type} | null` : type;
}

function bareType(schema: Schema, name: string): string {
  if (schema.enum) return schema.enum.map(literal).join(' | ');
  if (schema.allOf) return schema.allOf.map((each) => typeOf(each, name)).join(' & ');
  if (schema.oneOf) return schema.oneOf.map((each) => typeOf(each, name)).join(' | ');
  switch (schema.type) {
    case 'string':
    case 'boolean':
      return schema.type;
    case 'number':
    case 'integer':
      return 'number';
    case 'array':
      return arrayType(schema, name);
    case 'object':
      return objectType(schema, name);
    default:
      throw new Error(`${name} has no type in the OpenAPI document`);
  }
}

function arrayType({ items }: Schema, name: string): string {
  if (!items) throw new Error(`The items of ${name} have no type in the OpenAPI document`);
  // An item that may be anything has an empty schema.
  const item = Object.keys(items).length === 0 ? 'unknown' : typeOf(items, `${name}[]`);
  return item.includes(' ') ? `readonly (${item})[]` : `readonly ${item}[]`;
}

function objectType({ properties, required = [], additionalProperties }: Schema, name: string): string {
  if (properties) {
    const members = Object.entries(properties).map(([key, each]) => member(key, required.includes(key), each, name));
    return `{\n${members.map((each) => `  ${each};\n`).join('')}}`;
  }
  if (additionalProperties === true) return 'Readonly<Record<string, unknown>>';
  if (typeof additionalProperties === 'object') {
    return `Readonly<Record<string, ${typeOf(additionalProperties, `${name}{}`)}>>`;
  }
  throw new Error(`The members of ${name} have no types in the OpenAPI document`);
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll(/[\\']/g, '\\$&')}'` : String(value);
}
