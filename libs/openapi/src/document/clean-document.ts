import type { Secrets } from '@tool-search/core/source';
import { isObject } from '@tool-search/core/internal';
import type { OpenApiDocument } from './document-references.js';

/** The levels at which a document is divided: `components`, `schemas`, one schema. */
const LEVELS = 3;

/** A document without credentials, part by part: its names and values. Returns the same document if there are none. */
export function* cleanDocument(document: OpenApiDocument, secrets: Secrets): Generator<void, OpenApiDocument> {
  return secrets.isEmpty ? document : ((yield* cleanPart(document, secrets, LEVELS)) as OpenApiDocument);
}

function* cleanPart(part: unknown, secrets: Secrets, levels: number): Generator<void, unknown> {
  if (levels === 0 || !isObject(part)) {
    yield;
    return secrets.redactJson(part);
  }
  let isClean = true;
  const clean: [name: string, value: unknown][] = [];
  for (const [name, value] of Object.entries(part)) {
    const own = [secrets.redact(name), yield* cleanPart(value, secrets, levels - 1)] as [string, unknown];
    isClean &&= own[0] === name && own[1] === value;
    clean.push(own);
  }
  return isClean ? part : Object.fromEntries(clean);
}
