import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultOf, eachOption } from '@tool-search/core/source';
import { adminOptions } from '../../libs/admin/src/tool-admin.options.js';
import { configOptions } from '../../libs/cli/src/config/gateway-options.js';
import { aiSdkSourceOptions } from '../../libs/agents/src/ai-sdk/ai-sdk-source-options.js';
import { mastraSourceOptions } from '../../libs/agents/src/mastra/mastra-source-options.js';
import { moduleOptions } from '../../libs/core/src/nest/module/tool-search.options.js';
import { codeSourceOptions } from '../../libs/core/src/nest/tools/code.source.js';
import { consoleOptions } from '../../libs/console/src/tool-console.options.js';
import { fts5Options } from '../../libs/fts5/src/fts5-tool-index.options.js';
import { mcpSourceOptions } from '../../libs/mcp/src/mcp-source-options.js';
import { openApiSourceOptions } from '../../libs/openapi/src/openapi-source-options.js';
import { patternRedactorOptions } from '../../libs/redaction/src/pattern-redactor.js';
import { telemetryOptions } from '../../libs/telemetry/src/opentelemetry/tool-search-telemetry.options.js';
import { typeOrmOptions } from '../../libs/typeorm/src/database/data-source-options.js';

const page = readFileSync(join(__dirname, '../../docs/options.md'), 'utf8');
const sectionOf = (title: string) => page.split(`\n## ${title}`)[1]!.split('\n## ')[0]!;

const REFERENCE = [
  ['`ToolSearchModule`', moduleOptions],
  ['`defineTool` and `CodeSource`', codeSourceOptions],
  ['`AiSdkSource`', aiSdkSourceOptions],
  ['`MastraSource`', mastraSourceOptions],
  ['`McpSource`', mcpSourceOptions],
  ['`OpenApiSource`', openApiSourceOptions],
  ['`ToolSearchTypeOrmModule`', typeOrmOptions],
  ['`Fts5ToolIndex`', fts5Options],
  ['`PatternRedactor`', patternRedactorOptions],
  ['`ToolAdminModule`', adminOptions],
  ['`ToolConsoleModule`', consoleOptions],
  ['`ToolSearchTelemetryModule`', telemetryOptions],
  ['`toolSearch` in an mcp.json', configOptions],
] as const;

describe('docs/options.md', () => {
  it.each(REFERENCE)('names each option of %s', (title, schema) => {
    const section = sectionOf(title);
    const all = eachOption(schema).map(({ path }) => path);
    // The members of limits, groups and details are described in sections of their own.
    const own = all.filter(
      (path) =>
        !path.includes(0) &&
        !/^(limits|details|search\.learning|search\.embedder|search\.exampleQueries\.writer|redaction\.redactor)\./.test(
          path.join('.'),
        ),
    );
    const leaves = own.filter((path) => !own.some((other) => other.length > path.length && isWithin(other, path)));
    const missing = leaves.filter((path) => {
      const name = path.join('.');
      return ![`\`${name}`, `\`.${String(path.at(-1))}`, `, ${String(path.at(-1))}`].some((text) =>
        section.includes(text),
      );
    });
    expect(missing.map((path) => path.join('.'))).toEqual([]);
  });

  it.each(REFERENCE)('gives the defaults of %s that are texts', (title, schema) => {
    const section = sectionOf(title);
    const texts = eachOption(schema)
      .map(({ schema: option }) => defaultOf(option))
      .filter((fallback): fallback is string => typeof fallback === 'string' && fallback !== '');
    expect(texts.filter((fallback) => !section.includes(`\`${fallback}\``))).toEqual([]);
  });
});

function isWithin(path: readonly unknown[], other: readonly unknown[]): boolean {
  return other.every((key, index) => path[index] === key);
}
