import { stableHash } from '../../json/stable-hash.js';
import { measuredArguments } from './check-arguments.js';

/**
 * Hash of the arguments of a call as canonical JSON: the order of keys does not change it. An approval by a second person
 * and a confirmation by the caller belong to it.
 *
 * @param given checked arguments, or those of {@link readArguments}
 */
export function argumentsDigest(given: unknown): string {
  return stableHash(given);
}

/** Arguments as the tool will get them, however they were sent; as they were sent if no tool would be called with them. */
export function readArguments(input: unknown): unknown {
  try {
    return measuredArguments(input, { exactNumbers: true }).value;
  } catch {
    return input;
  }
}
