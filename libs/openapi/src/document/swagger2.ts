import { isObject } from '@tool-search/core/internal';
import type { OperationSite } from './document.js';
import { follow, type OpenApiDocument, refusal } from './document-references.js';

type Node = Readonly<Record<string, unknown>>;

// In Swagger 2 a parameter's other keywords are what OpenAPI 3 puts into its schema.
const NOT_OF_SCHEMA = new Set([
  'name',
  'in',
  'required',
  'description',
  'collectionFormat',
  'allowEmptyValue',
  'example',
  'deprecated',
]);
const FORM = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data';
const DELIMITED = { ssv: 'spaceDelimited', tsv: 'tabDelimited', pipes: 'pipeDelimited' };
const SEPARATORS: Readonly<Record<string, string>> = {
  csv: 'commas',
  ssv: 'spaces',
  tsv: 'tabs',
  pipes: 'vertical bars',
};

/**
 * Converts the top level of a Swagger 2.0 document, servers and security schemes, to OpenAPI 3. The rest stays in
 * place, so that references remain valid; {@link modernOperation} converts operations.
 */
export function modernDocument(document: OpenApiDocument): OpenApiDocument {
  const servers = serversOf(document, document['schemes']);
  const definitions = isObject(document['securityDefinitions']) ? document['securityDefinitions'] : {};
  const schemes = Object.entries(definitions).map(([name, scheme]) => [
    name,
    isObject(scheme) && scheme['type'] === 'basic' ? { ...scheme, type: 'http', scheme: 'basic' } : scheme,
  ]);
  return { ...document, servers, components: { securitySchemes: Object.fromEntries(schemes) } };
}

/**
 * Converts a Swagger 2.0 operation to OpenAPI 3: parameters including those of its path, body and servers.
 *
 * @throws ToolSearchError `INVALID_TOOL` for a malformed parameter, and for file uploads
 */
export function modernOperation(document: OpenApiDocument, site: OperationSite): OperationSite {
  const byKey = new Map<string, Node>();
  for (const node of [site.pathItem['parameters'], site.operation['parameters']].flat()) {
    const parameter = follow(document, node);
    if (parameter === undefined) continue;
    if (!isObject(parameter)) throw refusal('a parameter is malformed');
    byKey.set(`${String(parameter['in'])} ${String(parameter['name'])}`, parameter);
  }
  const all = [...byKey.values()];
  const body = all.find((parameter) => parameter['in'] === 'body');
  const fields = all.filter((parameter) => parameter['in'] === 'formData');
  const types = mediaTypes(site.operation['consumes'] ?? document['consumes']);
  const requestBody = body ? jsonBody(body, types) : fields.length > 0 ? formBody(fields, types) : undefined;
  return {
    ...site,
    pathItem: {},
    operation: {
      ...site.operation,
      parameters: all
        .filter((parameter) => !['body', 'formData'].includes(String(parameter['in'])))
        .map(modernParameter),
      requestBody,
      ...(Array.isArray(site.operation['schemes']) ? { servers: serversOf(document, site.operation['schemes']) } : {}),
    },
  };
}

// Without a host the URL is relative to the document's address; without a known scheme it is https.
function serversOf(document: OpenApiDocument, schemes: unknown): readonly object[] {
  const host = typeof document['host'] === 'string' ? document['host'] : '';
  const path = typeof document['basePath'] === 'string' ? document['basePath'] : '';
  const known = [schemes].flat().filter((scheme) => scheme === 'https' || scheme === 'http');
  const scheme = known.includes('https') || known.length === 0 ? 'https' : 'http';
  if (host !== '') return [{ url: `${scheme}://${host}${path === '/' ? '' : path}` }];
  return path === '' ? [] : [{ url: path }];
}

function mediaTypes(consumes: unknown): readonly string[] {
  return Array.isArray(consumes) ? consumes.filter((type): type is string => typeof type === 'string') : [];
}

function jsonBody(body: Node, types: readonly string[]): object {
  const { schema, description, required } = body;
  const content = (types.length > 0 ? types : ['application/json']).map((type) => [type, { schema }]);
  return { description, required: required === true, content: Object.fromEntries(content) };
}

function formBody(fields: readonly Node[], types: readonly string[]): object {
  const hasFile = fields.some((field) => field['type'] === 'file');
  if (fields.every((field) => field['type'] === 'file')) throw refusal('it takes nothing but a file upload');
  const type = hasFile || (types.length > 0 && !types.includes(FORM)) ? MULTIPART : FORM;
  if (types.length > 0 && !types.includes(type))
    throw refusal(`its form is sent neither as ${FORM} nor as ${MULTIPART}`);
  const required = fields.filter((field) => field['required'] === true).map((field) => field['name']);
  const properties = fields.map((field) => [field['name'], formField(field)]);
  const schema = { type: 'object', properties: Object.fromEntries(properties), required, additionalProperties: false };
  return { required: required.length > 0, content: { [type]: { schema } } };
}

// A form repeats the name for each item. If the API wants one string instead, the argument is that string.
function formField(field: Node): object {
  const { description } = field;
  const format = typeof field['collectionFormat'] === 'string' ? field['collectionFormat'] : 'csv';
  if (field['type'] !== 'array' || format === 'multi') return { ...schemaOf(field), description };
  const words = `Values separated by ${SEPARATORS[format] ?? 'commas'}.`;
  return { type: 'string', description: typeof description === 'string' ? `${description} ${words}` : words };
}

function modernParameter(parameter: Node): Node {
  const { name, in: place, required, description, example, deprecated, type, collectionFormat = 'csv' } = parameter;
  return {
    name,
    in: place,
    required,
    description,
    example,
    deprecated,
    schema: schemaOf(parameter),
    ...(type === 'array' ? styleOf(place, collectionFormat) : {}),
  };
}

function styleOf(place: unknown, format: unknown): { readonly style?: string; readonly explode: boolean } {
  const ofPlace: Readonly<Record<string, string>> =
    place === 'query' ? { csv: 'form', multi: 'form' } : { csv: 'simple' };
  const styles = { ...ofPlace, ...DELIMITED };
  const style = new Map(Object.entries(styles)).get(String(format));
  if (style === undefined) throw refusal(`the ${String(place)} parameter's collectionFormat is not supported`);
  return { style, explode: format === 'multi' };
}

function schemaOf(parameter: Node): Node {
  return Object.fromEntries(Object.entries(parameter).filter(([key]) => !NOT_OF_SCHEMA.has(key)));
}
