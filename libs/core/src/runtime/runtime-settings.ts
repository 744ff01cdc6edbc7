import { approvalSchema } from '../access/approvals/tool-approvals.js';
import { controlSchema } from '../access/control/control-plane.js';
import { limitsSchema } from '../access/limits/limits-options.js';
import { type ToolPolicy, policyOptions } from '../access/policies/tool-policy.js';
import { userCredentialSchema } from '../access/user-credentials/user-credential-options.js';
import { activationSchema } from '../activation/activation-options.js';
import { catalogSchema, loadingOptions } from '../catalog/tool-catalog.js';
import { ledgerSchema } from '../exposure/ledger/token-ledger.js';
import { directoryOptions } from '../exposure/prompt/directory.js';
import { exposureSchema, hintOptions } from '../exposure/prompt/prompt-exposure.js';
import { object, part, withDefaults } from '../options/options.js';
import { parseOptions } from '../options/parse-options.js';
import { searchGapSchema } from '../toolbox/search-gaps/search-gaps.js';
import { learningSchema } from '../toolbox/learned-queries/learned-queries.js';
import { callsSchema } from '../toolbox/call/call-options.js';
import { budgetOptions, exampleQuerySchema } from '../toolbox/example-queries/example-query-options.js';
import { recordSchema } from '../toolbox/record/record-options.js';
import { resultCacheSchema } from '../toolbox/results/cache/cache-rules.js';
import { redactionSchema } from '../toolbox/results/redaction/result-redaction.js';
import { resultSchema, type ResultSettings } from '../toolbox/results/result-options.js';
import { runOptions } from '../toolbox/runs/run-pauses.js';
import { exampleOptions } from '../toolbox/search/described-tool.js';
import { tenantSourceOptions } from '../toolbox/tenants/tenant-source-options.js';
import { exposureOptions, searchOptions, type ToolboxOptions, toolboxOptions, withPreset } from './toolbox-options.js';
import { type SearchTuning, TUNING_RULES, type TuningOptions } from './tuning.js';

/** All options that do not concern Nest. */
export interface RuntimeOptions extends ToolboxOptions {
  readonly policy?: ToolPolicy | undefined;
}

const runtimeOptions = object({ ...toolboxOptions.shape, policy: part<ToolPolicy>(policyOptions) }).check(
  ...TUNING_RULES,
);

/** The options of a runtime with the defaults of every part: each service gets its part and gives no default itself. */
export type RuntimeSettings = ReturnType<typeof runtimeSettings>;

/**
 * Checks options and completes them.
 *
 * @param where named in the error
 * @throws ToolSearchError `INVALID_CONFIGURATION`
 */
export function parsedSettings(options: RuntimeOptions, where: string): RuntimeSettings {
  return runtimeSettings(parseOptions(runtimeOptions, withPreset(options), where));
}

/** Completes options that were checked, and that have their preset. */
export function runtimeSettings(options: RuntimeOptions) {
  const { preset, policy, index, tokenizer, countTokens, untrusted, inspection, inspector } = options;
  const { catalog, redaction, record, ledger, tenantSources, userCredentials, tuning = {} } = options;
  const timing = withDefaults(catalogSchema, { ...catalog, ...tuning.catalog });
  return {
    preset,
    policy,
    index,
    tokens: { tokenizer, countTokens },
    untrusted,
    catalog: {
      ...timing,
      ...withDefaults(loadingOptions, options),
      inspection,
      inspector,
      sources: tuning.sources ?? {},
    },
    exposure: exposureSettings(options.exposure),
    search: searchSettings(options.search, tuning.search),
    examples: withDefaults(exampleOptions, options.examples),
    visibility: withDefaults(toolboxOptions.shape.visibility.unwrap(), options.visibility),
    callPolicies: withDefaults(toolboxOptions.shape.callPolicies.unwrap(), options.callPolicies),
    control: withDefaults(controlSchema, { ...options.control, ...tuning.control }),
    approvals: withDefaults(approvalSchema, { ...options.approvals, ...tuning.approvals }),
    limits: withDefaults(limitsSchema, { ...options.limits, ...tuning.limits }),
    userCredentials:
      userCredentials && withDefaults(userCredentialSchema, { ...userCredentials, ...tuning.userCredentials }),
    activation: withDefaults(activationSchema, { ...options.activation, ...tuning.activation }),
    runs: withDefaults(runOptions, options.runs),
    calls: withDefaults(callsSchema, { ...options.calls, ...tuning.calls }),
    results: resultSettings(options.results, tuning.results),
    redaction: redaction && withDefaults(redactionSchema, { ...redaction, ...tuning.redaction }),
    resultCache: withDefaults(resultCacheSchema, { ...options.resultCache, ...tuning.resultCache }),
    tenantSources: {
      ...withDefaults(tenantSourceOptions, tenantSources ?? { load: () => [] }),
      isOn: tenantSources !== undefined,
      waitMs: tuning.tenantSources?.waitMs ?? timing.bootWaitMs,
    },
    record: { ...withDefaults(recordSchema, { ...(record || undefined), ...tuning.record }), isOn: record !== false },
    ledger: { ...withDefaults(ledgerSchema, { ...(ledger || undefined), ...tuning.ledger }), isOn: ledger !== false },
  };
}

function resultSettings(given: ToolboxOptions['results'], tuning: TuningOptions['results']): ResultSettings | false {
  return given === false ? false : withDefaults(resultSchema, { ...given, ...tuning });
}

function exposureSettings(option: ToolboxOptions['exposure']) {
  const given = exposureOptions(option);
  return {
    ...withDefaults(exposureSchema, given),
    hints: withDefaults(hintOptions, given.hints),
    directory: withDefaults(directoryOptions, given.directory),
  };
}

function searchSettings(given: ToolboxOptions['search'], tuning: SearchTuning = {}) {
  const { learning, gaps, exampleQueries, dense } = given ?? {};
  return {
    ...withDefaults(searchOptions, given),
    cache: tuning.cache,
    dense: { ...dense, ...tuning.dense },
    learning: learning && withDefaults(learningSchema, { ...learning, ...tuning.learning }),
    gaps: withDefaults(searchGapSchema, { ...gaps, ...tuning.gaps }),
    exampleQueries: {
      ...withDefaults(exampleQuerySchema, { ...exampleQueries, ...tuning.exampleQueries }),
      budget: withDefaults(budgetOptions, exampleQueries?.budget),
    },
  };
}
