import { isObject } from '../../json/json.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import { globTest, isLegalName } from '../../tool/tool-name.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';

/** One tool by canonical name or alias, or any tool that matches a glob, is in or below a namespace, or has a tag. */
export type ToolRequirement = string | { readonly namespace: string } | { readonly tag: string };

/** A requirement that several tools can meet. */
export interface ToolMatcher {
  /** The requirement as written, for messages. */
  readonly text: string;
  readonly matches: (tool: ToolDefinition) => boolean;
}

/** The name of a single required tool, or a matcher for several. @throws ToolSearchError `INVALID_CONFIGURATION` */
export function toolMatcher(required: ToolRequirement): string | ToolMatcher {
  const text = JSON.stringify(required);
  if (typeof required === 'string') {
    if (isLegalName(required)) return required;
    if (!/^[A-Za-z0-9_.*?-]{1,256}$/.test(required) || !/[*?]/.test(required)) throw unusable(text);
    const isNamed = globTest(required);
    return { text, matches: ({ name }) => isNamed(name) };
  }
  const [[kind, value] = [], ...others] = isObject(required) ? Object.entries(required) : [];
  if (typeof value !== 'string' || value === '' || others.length > 0) throw unusable(text);
  if (kind === 'tag') return { text, matches: ({ tags }) => tags.includes(value) };
  if (kind !== 'namespace' || !isLegalName(value)) throw unusable(text);
  return { text, matches: ({ namespace }) => namespace === value || namespace.startsWith(`${value}.`) };
}

function unusable(text: string): ToolSearchError {
  return new ToolSearchError('INVALID_CONFIGURATION', `@RequiresTool(${text}) names no tool.`, {
    hint: 'Give "billing.refund", a glob such as "billing.*", { namespace: "billing" } or { tag: "refund" }.',
  });
}
