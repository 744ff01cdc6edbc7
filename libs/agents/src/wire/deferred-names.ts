import type { WireStep } from './wire-toolbox.js';

/**
 * Names that the provider is to hold back until it shows them by reference. A tool that is listed but that no message
 * refers to, because it was activated in an earlier conversation or the messages were trimmed, is declared openly: else
 * the model could not see it.
 */
export function deferredNames({ tools }: WireStep, referenced: ReadonlySet<string>): ReadonlySet<string> {
  return new Set(tools.flatMap(({ name, isDeferred }) => (isDeferred && referenced.has(name) ? [name] : [])));
}
