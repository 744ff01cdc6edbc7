import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type DocumentCheck, documentCheck, type Reason } from './document-check.js';

/** What becomes of all OpenAPI and Swagger documents below a folder. */
export interface DocumentsCheck {
  readonly documents: number;
  readonly loaded: number;
  /** Documents of which nothing was loaded. */
  readonly notLoaded: readonly { readonly document: string; readonly reason: string }[];
  readonly tools: number;
  /** Operations and tools that were refused, by reason, without the names in it. */
  readonly refused: readonly Required<Reason>[];
  readonly amended: readonly Required<Reason>[];
  /** Tools that an inspector held, and that it reported. */
  readonly held: number;
  readonly reported: number;
  /** Tools that no arguments can satisfy. */
  readonly unusable: readonly { readonly document: string; readonly tool: string; readonly reason: string }[];
  /** Tools for which no arguments were found, and for which none are proven to be impossible. */
  readonly undecided: readonly { readonly document: string; readonly tool: string }[];
  /** The slowest document, from its file to the catalog. */
  readonly slowestMs: number;
}

/** Checks every document, each in a catalog of its own, one after the other. */
export async function documentsCheck(folder: string): Promise<DocumentsCheck> {
  const checks: DocumentCheck[] = [];
  for (const path of files(folder)) {
    const check = await documentCheck(path, folder);
    if (check) checks.push(check);
  }
  if (checks.length === 0) throw new Error(`${folder} has no OpenAPI or Swagger documents`);
  const sum = (of: (check: DocumentCheck) => number) => checks.reduce((total, check) => total + of(check), 0);
  return {
    documents: checks.length,
    loaded: checks.filter(({ fault }) => fault === undefined).length,
    notLoaded: checks.flatMap(({ document, fault }) => (fault === undefined ? [] : [{ document, reason: fault }])),
    tools: sum(({ tools }) => tools),
    refused: counted(checks.flatMap(({ refused }) => refused)),
    amended: counted(checks.flatMap(({ amended }) => amended)),
    held: sum(({ held }) => held),
    reported: sum(({ reported }) => reported),
    unusable: checks.flatMap(({ document, unusable }) => unusable.map((each) => ({ document, ...each }))),
    undecided: checks.flatMap(({ document, undecided }) => undecided.map((tool) => ({ document, tool }))),
    slowestMs: Math.round(Math.max(...checks.map(({ ms }) => ms))),
  };
}

function* files(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* files(path);
    else if (entry.isFile() && /\.(?:json|ya?ml)$/.test(entry.name)) yield path;
  }
}

/** Reasons with their numbers, the most frequent first. What differs from tool to tool is a `…`. */
function counted(reasons: readonly Reason[]): readonly Required<Reason>[] {
  const counts = new Map<string, number>();
  for (const { reason, count = 1 } of reasons) {
    const kind = reason.replace(/"(?:[^"\\]|\\.)*"|`[^`]*`|'[^']*'|\d[\d,.]*/g, '…');
    counts.set(kind, (counts.get(kind) ?? 0) + count);
  }
  return [...counts].map(([reason, count]) => ({ reason, count })).toSorted((a, b) => b.count - a.count);
}
