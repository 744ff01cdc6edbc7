import type { Fact } from './request-reading.js';
import { type Evidence, type Finding, freeValues, isNamed, type Slot, stems } from './slot.js';
import { stem, wordsOf } from './words.js';

const PREDICATE = stems('relation predicate verb');
const KIND = stems('type kind category class');
const FROM = stems('from source start');
const TO = stems('to target object end destination');
const STATEMENT = stems('observation content text note fact detail description body message value');
const SUBJECT = stems('name entity subject title key');

/**
 * The part of a fact that an argument is for, by the words in its name: of "Ada works at Acme", `name` or `from` is Ada,
 * `relationType` "works at", `to` Acme and an observation "works at Acme".
 */
export function fromFact(slot: Slot, fact: Fact, evidence: Evidence): Finding | undefined {
  const value = partFor(slot, fact);
  return value === undefined ? undefined : { value, uses: freeValues(evidence), words: evidence.request.text };
}

function partFor(slot: Slot, { subject, predicate, object, statement }: Fact): string | undefined {
  if (isNamed(slot, PREDICATE)) return predicate;
  if (isNamed(slot, KIND)) {
    if (/^(?:is|are|was|were) an?$/.test(predicate)) return object;
    // Not said: the schema's own word for such a thing, "entity" for an entityType.
    return wordsOf(slot.name).find((word) => !KIND.has(stem(word)));
  }
  if (isNamed(slot, FROM)) return subject;
  if (isNamed(slot, TO)) return object;
  if (isNamed(slot, STATEMENT)) return statement;
  return isNamed(slot, SUBJECT) ? subject : undefined;
}
