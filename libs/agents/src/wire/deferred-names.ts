import type { WireStep } from './wire-toolbox.js';

/**
 * Names of tools that the provider defers until they are shown by reference. A listed tool without a reference in the
 * messages, because it was activated in an earlier conversation or the messages were trimmed, is not deferred:
 * otherwise the model could not see it.
 */
export function deferredNames({ tools }: WireStep, referenced: ReadonlySet<string>): ReadonlySet<string> {
  return new Set(tools.flatMap(({ name, isDeferred }) => (isDeferred && referenced.has(name) ? [name] : [])));
}
