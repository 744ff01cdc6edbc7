/** Revisions of the protocol whose requirement sets are run. */
export const REVISIONS = ['2025-11-25', '2026-07-28'] as const;

/** One of {@link REVISIONS}. */
export type Revision = (typeof REVISIONS)[number];

/**
 * Required scenarios that need more than tools: resources, prompts, completion, log messages, or tools that ask the
 * client for input. They are run too, and may fail.
 */
export const LATER_SCENARIOS: readonly string[] = [
  'completion-complete',
  'resources-list',
  'resources-read-text',
  'resources-read-binary',
  'resources-templates-read',
  'resources-subscribe',
  'resources-unsubscribe',
  'sep-2164-resource-not-found',
  'prompts-list',
  'prompts-get-simple',
  'prompts-get-with-args',
  'prompts-get-embedded-resource',
  'prompts-get-with-image',
  'logging-set-level',
  'tools-call-with-logging',
  'tools-call-sampling',
  'tools-call-elicitation',
  'elicitation-sep1034-defaults',
  'elicitation-sep1330-enums',
  'input-required-result-basic-elicitation',
  'input-required-result-basic-sampling',
  'input-required-result-basic-list-roots',
  'input-required-result-request-state',
  'input-required-result-multiple-input-requests',
  'input-required-result-multi-round',
  'input-required-result-missing-input-response',
  'input-required-result-non-tool-request',
  'input-required-result-result-type',
  'input-required-result-tampered-state',
  'input-required-result-capability-check',
  'input-required-result-ignore-extra-params',
  'input-required-result-validate-input',
];

/** Checks of other scenarios that need more than tools; every other check of these scenarios must pass. */
export const LATER_CHECKS: readonly string[] = [
  // A tool that asks the client's model for a completion.
  'sep-2575-server-rejects-undeclared-capability',
  'sep-2575-missing-capability-http-400',
  'sep-2549-prompts-list-caching-hints',
  'sep-2549-resources-list-caching-hints',
  'sep-2549-resources-templates-list-caching-hints',
  'sep-2549-resources-read-caching-hints',
];
