import type { z } from 'zod';
import { eachOption } from '@tool-search/core/internal';
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

/** The schemas of options, by the title of their section in docs. */
export const DOCUMENTED_OPTIONS = [
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

/** The names that a schema accepts, as paths; a member of the items of a list is named once. */
export function optionNames(schema: z.core.$ZodType): readonly string[] {
  const names = eachOption(schema).map(({ path }) => path.filter((key) => key !== 0).join('.'));
  return [...new Set(names)].filter((name) => name !== '').sort();
}
