import 'reflect-metadata';
import { CodeSource, defineTool, type ToolSearchModuleOptions } from '@tool-search/core';
import { codeSourceOptions } from '../../libs/core/src/nest/tools/code.source.js';
import { checkedOptions, featureOptions, moduleOptions } from '../../libs/core/src/nest/module/tool-search.options.js';
import { parseOptions } from '../../libs/core/src/options/parse-options.js';
import { sourceSettings } from '../../libs/core/src/tool/source/source-options.js';
import { expectRefusals } from './expect-refusals.js';

const tool = defineTool({ name: 'ping', description: 'Pings.', run: () => 'pong' });
const context = () => ({ tenantId: 'acme' });

const policy = {
  approval: [{ tools: 'billing.*', scope: 'session' }],
  arguments: [{ id: 'large', tools: ['billing.*'], when: { required: ['amount'] }, then: 'deny', reason: 'too much' }],
};

const right = {
  context,
  policy,
  tenantSources: { load: () => [] },
  redaction: { redactor: { redact: () => [] } },
  search: {
    learning: { from: 'tenant' },
    embedder: { id: 'a', dimensions: 3, embed: () => [] },
    exampleQueries: {
      writer: { id: 'a', write: () => ({ tools: [] }) },
      budget: { prices: { inputPerMillion: 1, outputPerMillion: 1 } },
      files: [{ path: 'a.json' }],
    },
  },
  results: { perTool: [{ tools: 'billing.*' }] },
  resultCache: {
    tools: [{ match: ['crm.*'], ttlMs: 1 }],
    writes: [{ match: ['crm.write'], invalidates: ['crm.*'] }],
  },
  userCredentials: { keys: [{ id: 'k', key: 'A'.repeat(43) }], connectUrl: 'https://shop.example/connect' },
  exposure: { directory: { groups: [{ title: 'Billing' }] } },
  limits: {
    rules: [{ id: 'refunds', rate: { calls: 1, windowMs: 1000 } }],
    cost: { cents: { bound: () => 1, of: () => 1 } },
  },
};
const budget = { of: 'calls', max: 1, every: 'day' };
expectRefusals(
  'ToolSearchModule',
  moduleOptions,
  (options) => checkedOptions(options as ToolSearchModuleOptions),
  right,
  { ...right, limits: { rules: [{ id: 'refunds', budget }] } },
);
expectRefusals(
  'ToolSearchModule.forFeature()',
  featureOptions,
  (options) => parseOptions(featureOptions, options, 'x'),
  {
    sources: [],
    policy,
  },
);
expectRefusals('CodeSource', codeSourceOptions, (options) => new CodeSource(options as never), {
  name: 'billing',
  tools: [tool],
});
expectRefusals('a source of the application', sourceSettings, (options) => parseOptions(sourceSettings, options, 'x'), {
  name: 'billing',
});
