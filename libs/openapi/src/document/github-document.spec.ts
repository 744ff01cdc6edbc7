import { join } from 'node:path';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { depthOf } from '@tool-search/core/internal';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { OpenApiSource } from '../index.js';

const document = join(__dirname, '../../../../src/github/api.github.com.json.gz');

describe("GitHub's own document", () => {
  const source = new OpenApiSource({ name: 'github', document });
  let tools: Awaited<ReturnType<typeof source.load>>;
  beforeAll(async () => {
    tools = await source.load(new AbortController().signal);
  });

  it('becomes one tool for each of its operations, whole and under a name of its own', () => {
    expect(tools).toHaveLength(1223);
    expect(new Set(tools.map(({ name }) => name)).size).toBe(1223);
    for (const { name } of tools) expect(`github.${name}`).toMatch(/^[a-z0-9_.]{1,128}$/);
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['repos_list_for_org', 'issues_create', 'meta_root']),
    );
    expect(source.report).toEqual({ refused: [], amended: [], shortened: [], unused: [] });
  });

  it('has schemas that are valid, compile and stay within the limits of a catalog', () => {
    const ajv = new Ajv2020({ strict: false, addUsedSchema: false, logger: false });
    addFormats(ajv);
    for (const { name, inputSchema = {} } of tools) {
      expect({ name, valid: ajv.validateSchema(inputSchema) }).toEqual({ name, valid: true });
      expect(depthOf(inputSchema, 32)).toBeLessThanOrEqual(32);
      expect(Buffer.byteLength(JSON.stringify(inputSchema))).toBeLessThanOrEqual(65_536);
      ajv.compile(inputSchema);
    }
  });

  it('costs a model about 200 tokens a tool', () => {
    const tokens = tools
      .map(({ name, description, inputSchema }) => encode(JSON.stringify({ name, description, inputSchema })).length)
      .sort((left, right) => left - right);
    expect(tokens[611]).toBeLessThan(220);
    expect(tokens.at(-1)).toBeLessThan(5000);
  });
});
