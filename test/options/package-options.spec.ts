import 'reflect-metadata';
import { ToolAdminModule } from '@tool-search/admin';
import { AiSdkSource } from '@tool-search/agents/ai-sdk';
import { MastraSource } from '@tool-search/agents/mastra';
import { ToolConsoleModule } from '@tool-search/console';
import { Fts5ToolIndex } from '@tool-search/fts5';
import { gatewayOptions, ToolGatewayModule } from '@tool-search/gateway';
import { PatternRedactor } from '@tool-search/redaction';
import { ToolSearchTelemetryModule } from '@tool-search/telemetry/opentelemetry';
import { ToolSearchTypeOrmModule } from '@tool-search/typeorm';
import { object, parseOptions } from '@tool-search/core/internal';
import { configOptions } from '../../libs/cli/src/config/gateway-options.js';
import { adminOptions } from '../../libs/admin/src/tool-admin.options.js';
import { consoleOptions } from '../../libs/console/src/tool-console.options.js';
import { aiSdkSourceOptions } from '../../libs/agents/src/ai-sdk/ai-sdk-source-options.js';
import { mastraSourceOptions } from '../../libs/agents/src/mastra/mastra-source-options.js';
import { fts5Options } from '../../libs/fts5/src/fts5-tool-index.options.js';
import { patternRedactorOptions } from '../../libs/redaction/src/pattern-redactor.js';
import { telemetryOptions } from '../../libs/telemetry/src/opentelemetry/tool-search-telemetry.options.js';
import { typeOrmOptions } from '../../libs/typeorm/src/database/data-source-options.js';
import { expectRefusals } from './expect-refusals.js';

expectRefusals('AiSdkSource', aiSdkSourceOptions, (options) => new AiSdkSource(options as never), {
  name: 'crm',
  tools: {},
});
expectRefusals('MastraSource', mastraSourceOptions, (options) => new MastraSource(options as never), {
  name: 'crm',
  tools: {},
});
expectRefusals('PatternRedactor', patternRedactorOptions, (options) => new PatternRedactor(options), {});
expectRefusals('ToolSearchTypeOrmModule', typeOrmOptions, (options) => ToolSearchTypeOrmModule.forRoot(options), {});
expectRefusals('ToolSearchTelemetryModule', telemetryOptions, (o) => ToolSearchTelemetryModule.forRoot(o), {});
expectRefusals('ToolAdminModule', adminOptions, (options) => ToolAdminModule.forRoot(options), {});
expectRefusals('ToolConsoleModule', consoleOptions, (options) => ToolConsoleModule.forRoot(options), {});
expectRefusals('ToolGatewayModule', gatewayOptions, (options) => ToolGatewayModule.forRoot(options), {
  oauth: { resource: 'https://tools.example.com/mcp', issuers: ['https://login.example.com'], user: () => ({}) },
});
const takeConfig = (options: object) => parseOptions(configOptions, options, 'mcp.json: toolSearch');
// Limits are those of ToolSearchModule, which has tests of their members.
const { limits: _limits, ...config } = configOptions.shape;
expectRefusals('toolSearch in an mcp.json', object(config), takeConfig, {
  policy: {
    approval: [{ tools: 'billing.*', scope: 'session' }],
    arguments: [
      { id: 'large', tools: ['billing.*'], when: { required: ['amount'] }, then: 'deny', reason: 'too much' },
    ],
  },
});
expectRefusals('Fts5ToolIndex', fts5Options, (options) => new Fts5ToolIndex(options as never), {});
