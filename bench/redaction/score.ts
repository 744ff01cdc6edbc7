import type { PatternRedactor } from '@tool-search/redaction';
import { FAMILIES, type Family, familyOf, type LabelledText } from './labelled-texts.js';

/** How well a redactor finds the values of one family. A finding and a value belong together if they overlap. */
export interface FamilyScore {
  readonly family: Family;
  readonly values: number;
  readonly found: number;
  readonly findings: number;
  readonly right: number;
  readonly precision: number;
  readonly recall: number;
}

type Finding = Awaited<ReturnType<PatternRedactor['find']>>[number];
type Span = Pick<Finding, 'start' | 'end'>;

/** Scores every family over all texts: a finding in a text of another family counts too. */
export async function scores(
  redactor: PatternRedactor,
  texts: readonly LabelledText[],
): Promise<readonly FamilyScore[]> {
  const counts = Object.keys(FAMILIES).map((family) => ({
    family: family as Family,
    values: 0,
    found: 0,
    findings: 0,
    right: 0,
  }));
  for (const { text, spans } of texts) {
    const all = await findingsIn(redactor, text);
    for (const count of counts) {
      const own = all.filter(({ kind }) => kind === FAMILIES[count.family]);
      const labelled = spans.filter(({ kind }) => familyOf(kind) === count.family);
      count.values += labelled.length;
      count.found += labelled.filter((span) => own.some((other) => overlap(span, other))).length;
      count.findings += own.length;
      count.right += own.filter((finding) => labelled.some((other) => overlap(finding, other))).length;
    }
  }
  return counts.map((count) => ({
    ...count,
    precision: count.findings === 0 ? 1 : count.right / count.findings,
    recall: count.values === 0 ? 1 : count.found / count.values,
  }));
}

function overlap(a: Span, b: Span): boolean {
  return a.start < b.end && b.start < a.end;
}

/** The findings in a text as in a result: JSON is read value by value. */
export async function findingsIn(redactor: PatternRedactor, text: string): Promise<readonly Finding[]> {
  if (!isJson(text)) return redactor.find(text);
  const found: Finding[] = [];
  let key = '';
  for (const { index, 0: literal } of text.matchAll(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g)) {
    const isString = literal.startsWith('"');
    const value = isString ? (JSON.parse(literal) as string) : literal;
    const isName = isString && /^\s*:/.test(text.slice(index + literal.length));
    const places = placesOf(literal);
    for (const { start, end, kind } of await redactor.find(value, isName ? '' : key)) {
      found.push({ start: index + (places[start] ?? 0), end: index + (places[end] ?? literal.length), kind });
    }
    if (isName) key = value;
  }
  return found;
}

/** Where each character of the decoded value stands in its literal. */
function placesOf(literal: string): readonly number[] {
  if (!literal.startsWith('"')) return Array.from({ length: literal.length + 1 }, (_, index) => index);
  const places: number[] = [];
  for (let at = 1; at < literal.length;) {
    places.push(at);
    at += literal[at] !== '\\' ? 1 : literal[at + 1] === 'u' ? 6 : 2;
  }
  return places;
}

function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
