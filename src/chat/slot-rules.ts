import { fromFact } from './fact-slots.js';
import { NAMED, patternFor, PATTERNS } from './name-patterns.js';
import type { UserRequest } from './request-reading.js';
import {
  type Evidence,
  type Finding,
  fits,
  freeValues,
  isLabelled,
  isNamed,
  phrase,
  type Slot,
  stems,
} from './slot.js';
import { isFile, numberOf, type TextValue, type ValueKind } from './text-values.js';
import { isLooking, joinedNegations, sameAction, sameState, stem, wordsOf } from './words.js';

/**
 * A value for an argument that is neither a list nor an object, or undefined.
 *
 * @param sure only what the text or the schema says outright: a label, an option, a telling shape
 */
export function findScalar(slot: Slot, type: string, evidence: Evidence, sure: boolean): Finding | undefined {
  const options = slot.schema['enum'];
  if (Array.isArray(options)) return mentioned(options, slot, evidence.request);
  const find = { boolean: wished, number: findNumber, integer: findNumber, string: findText }[type];
  const finding = find?.(slot, evidence, sure);
  return finding && fits(finding.value, type, slot.schema) ? finding : undefined;
}

const STATES = stems('state status filter');

function mentioned(options: readonly unknown[], slot: Slot, { text }: UserRequest): Finding | undefined {
  const said = ` ${wordsOf(joinedNegations(text)).join(' ')} `;
  const [option] = options
    .filter((value) => typeof value === 'string' && value !== '' && said.includes(` ${wordsOf(value).join(' ')} `))
    .toSorted((left, right) => String(right).length - String(left).length);
  if (typeof option === 'string') return { value: option, words: option };
  if (!isNamed(slot, STATES)) return undefined;
  for (const word of said.trim().split(' ')) {
    const state = sameState(word).find((same) => options.includes(same));
    if (state !== undefined) return { value: state, words: word };
  }
  return undefined;
}

// "dry_run=no", or "as a dry run": all words of the name are there, and nothing denies them.
function wished(slot: Slot, evidence: Evidence): Finding | undefined {
  const told = freeValues(evidence).find(
    (value) => isLabelled(value, slot) && /^(?:true|false|yes|no|on|off)$/i.test(value.text),
  );
  if (told) return { value: /^(?:true|yes|on)$/i.test(told.text), uses: [told] };
  const said = wordsOf(evidence.request.text).map(stem);
  const words = [...slot.words];
  const at = said.findIndex((_, index) => words.every((word, offset) => said[index + offset] === word));
  if (at < 0) return undefined;
  const before = said.slice(Math.max(0, at - 2), at);
  return { value: !before.some((word) => ['not', 'no', 'without', 'never'].includes(word)), words: slot.name };
}

const MONEY = stems('amount price total cost fee sum budget pay payment');

function findNumber(slot: Slot, evidence: Evidence, sure: boolean): Finding | undefined {
  const isNumber = ({ kind, text }: TextValue) =>
    kind === 'money' || kind === 'number' || kind === 'labelled' || (kind === 'id' && text.startsWith('#'));
  const numbers = freeValues(evidence).filter((value) => isNumber(value) && numberOf(value) !== undefined);
  const wordAfter = ({ end }: TextValue) => /^\s+(\p{L}+)/u.exec(evidence.request.text.slice(end))?.[1] ?? '';
  const chosen =
    numbers.find((value) => isLabelled(value, slot) || slot.words.has(stem(wordAfter(value)))) ??
    (isNamed(slot, MONEY) ? numbers.find(({ kind }) => kind === 'money') : undefined) ??
    (slot.required && !sure ? numbers.find(({ kind }) => kind !== 'labelled') : undefined);
  const value = chosen && numberOf(chosen);
  return chosen && value !== undefined ? { value, uses: [chosen] } : undefined;
}

const NAMES = stems(
  'name title label customer client user login username assignee person entity city location place recipient company team node branch tag subject summary',
);
const QUERIES = stems('query q search keyword term topic question prompt');
const PROSE = stems(
  'content text body message comment description note data input value observation detail instruction',
);
const PURPOSE = stems('description purpose note comment memo');
const REASONS = stems('reason cause why justification');
const PLACES = stems('path directory folder dir');
const TOLD = stems('content text body message');

const ABOUT = /\b(?:for|about|on|matching|containing)\s+(?:(?:the|a|an|my)\s+)?(.+?)[\s.!?]*$/su;
const WHO = /^who\s+\p{L}+\s+(?:(?:at|in|to|with|the|a|an)\s+)*(.+?)[\s.!?]*$/isu;
const FOR = /\bfor\s+(\p{Ll}[\p{L}-]*(?:\s\p{Ll}[\p{L}-]*)*)[.!?]*$/u;
const IN = /\b(?:in|under|inside|within|of|into)\s+(?:(?:the|my)\s+)?([\w./-]*\w)\b(?!\s+\p{L})/u;

function findText(slot: Slot, evidence: Evidence, sure: boolean): Finding | undefined {
  const { request, previous } = evidence;
  if (request.fact) return sure ? undefined : fromFact(slot, request.fact, evidence);
  const free = freeValues(evidence).filter(({ text }) => fits(text, 'string', slot.schema));
  const part = repositoryPart(slot, free);
  if (part) return part;
  const pattern = slot.required && isNamed(slot, PATTERNS) ? patternFor(slot, free, evidence) : undefined;
  if (pattern) return pattern;
  const certain =
    free.find((value) => isLabelled(value, slot) && value.kind !== 'number') ??
    (isNamed(slot, TOLD) ? free.find(({ label }) => label === 'content') : undefined) ??
    introduced(slot, free, request.text) ??
    shaped(slot, free, request);
  if (certain) return taking(certain);
  if (isNamed(slot, REASONS) && request.reason !== undefined) return { value: request.reason };
  if (isNamed(slot, PURPOSE) && sure) return phrase(FOR, evidence);
  if (sure || !slot.required) return undefined;

  const first = (...kinds: ValueKind[]) => taking(free.find(({ kind }) => kinds.includes(kind)));
  const quoted = first('quoted');
  if (isNamed(slot, QUERIES)) {
    return (
      quoted ??
      (slot.one ? undefined : phrase(ABOUT, evidence)) ??
      first('name', 'labelled') ??
      first('id') ??
      phrase(WHO, evidence) ??
      rest(slot, evidence)
    );
  }
  if (isNamed(slot, PROSE)) {
    const back = request.refersBack && previous !== undefined && !slot.one ? { value: previous } : undefined;
    return quoted ?? back ?? (slot.only ? rest(slot, evidence) : undefined);
  }
  if (isNamed(slot, PLACES)) return quoted ?? phrase(IN, evidence) ?? here(request);
  return isNamed(slot, NAMES)
    ? (first('name', 'labelled') ?? quoted)
    : (quoted ?? (slot.one ? first('name') : undefined));
}

// Who looks for something and says no place means everywhere.
function here(request: UserRequest): Finding | undefined {
  return isSearch(request) ? { value: '.' } : undefined;
}

function isSearch({ action, fact }: UserRequest): boolean {
  const same = sameAction(action);
  return !fact && isLooking(action) && (same.has('search') || same.has('list')) && !same.has('read');
}

function taking(value: TextValue | undefined): Finding | undefined {
  return value && { value: value.text, uses: [value] };
}

const FROM = stems('from source');
const TO = stems('to destination target recipient');

// "from Ada to Grace", for arguments that are named like prepositions or by the part they play.
function introduced(slot: Slot, free: readonly TextValue[], text: string): TextValue | undefined {
  const word = isNamed(slot, FROM) ? /\bfrom\s*$/i : isNamed(slot, TO) ? /\b(?:in)?to\s*$/i : undefined;
  return word && free.find(({ start, kind }) => kind !== 'number' && word.test(text.slice(0, start)));
}

/** Which kinds of values suit an argument by its name or format, best first; the first row that matches counts. */
const SHAPES: readonly {
  readonly words: ReadonlySet<string>;
  readonly kinds: readonly ValueKind[];
  readonly labels?: readonly string[];
  readonly format?: RegExp;
}[] = [
  { words: stems('email mail'), kinds: ['email'], format: /^(?:idn-)?email$/ },
  { words: stems('url uri link href website'), kinds: ['url'], format: /^(?:uri|iri)/ },
  { words: stems('date day since until deadline'), kinds: ['date'], format: /^date/ },
  { words: PATTERNS, kinds: ['pattern', 'quoted'] },
  {
    words: stems('path file filename directory folder dir source destination src dest'),
    kinds: ['path'],
    labels: ['name', 'title', 'folder', 'directory', 'file'],
  },
  { words: stems('id key number sha code uuid'), kinds: ['id'], format: /^uuid$/ },
];

function shaped(slot: Slot, free: readonly TextValue[], request: UserRequest): TextValue | undefined {
  const { text } = request;
  const format = typeof slot.schema['format'] === 'string' ? slot.schema['format'] : '';
  const shape = SHAPES.find((row) => row.format?.test(format) || isNamed(slot, row.words));
  if (!shape) return undefined;
  const rank = ({ kind, label = '' }: TextValue) =>
    kind === 'labelled' && shape.labels?.includes(label) ? 0 : shape.kinds.indexOf(kind);
  // Who searches for a name does not say where.
  const isSought = ({ label = '' }: TextValue) => isSearch(request) && shape.kinds[0] === 'path' && NAMED.has(label);
  const suitable = free
    .filter((value) => rank(value) >= 0 && !isSought(value))
    .toSorted((left, right) => rank(left) - rank(right));
  if (shape.kinds[0] === 'id') {
    // inv_1001 is an invoice's before it is anything else's.
    const akin = suitable.find(({ text: id }) =>
      [...slot.words].some((word) => word.startsWith(stem(id.split(/[_-]/)[0] ?? id))),
    );
    return akin ?? (slot.required ? suitable[0] : undefined);
  }
  if (shape.kinds[0] !== 'path') return suitable[0];
  // Of two paths the second is where it goes, and so is the one after "to".
  const isTarget = (value: TextValue) => /\b(?:to|into|as|onto)\s*$/i.test(text.slice(0, value.start));
  if (isNamed(slot, TO)) return suitable.find(isTarget) ?? suitable[1];
  return suitable.length > 1 ? (suitable.find((value) => !isTarget(value)) ?? suitable[0]) : suitable[0];
}

// Both halves of owner/name; the value is taken by the second, so that the first does not hide it.
function repositoryPart(slot: Slot, free: readonly TextValue[]): Finding | undefined {
  const isOwner = slot.words.has('owner');
  if (!isOwner && !slot.words.has('repo') && !slot.words.has('repository')) return undefined;
  const value = free.find(({ kind, text }) => kind === 'path' && /^[\w-]+\/[\w.-]+$/.test(text) && !isFile(text));
  const [owner, repo] = value?.text.split('/') ?? [];
  if (value === undefined || owner === undefined || repo === undefined) return undefined;
  return { value: isOwner ? owner : repo, uses: isOwner ? [] : [value], words: 'repository' };
}

// "Repeat hello world": everything after the verb, where no other argument has taken anything.
function rest(slot: Slot, evidence: Evidence): Finding | undefined {
  if (slot.one || evidence.used.size > 0) return undefined;
  const action = evidence.request.action.replace(/e$/, '');
  const own = [...slot.words].join('|');
  return phrase(
    new RegExp(
      String.raw`\b${action}\p{L}*\b[\s,:]*(?:(?:the|a|an|my)\s+)?(?:(?:${own})\w*[\s:,]+)?(.+?)[\s.!?]*$`,
      'isu',
    ),
    evidence,
  );
}
