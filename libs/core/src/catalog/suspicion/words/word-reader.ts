import { encodedTexts } from '../encoded-texts.js';
import { foldedText } from '../folded-text.js';
import type { InstructionRule } from '../rules/instruction-rule.js';
import { markupMarks } from '../rules/markup-rules.js';
import type { PhraseMatcher, Sense } from '../phrase-matcher.js';
import { LEET, WordSenses } from './word-senses.js';
import { CODED, IDENTIFIER, SAMPLE, SHAPES, SPACED_CODE, TOOL_NAME } from './word-shapes.js';

type Mark = (typeof SHAPES)[number]['mark'] | 'foreign' | 'param';

/** A run of characters without white space, parsed once and cached. */
interface Chunk {
  /** Senses in order; a number stands for that many words without a sense. */
  readonly words: readonly (Sense | number)[];
  readonly mark: Sense | undefined;
  /** Set if it has the form of a tool name. */
  readonly toolName: string | undefined;
  readonly letter: string | undefined;
  readonly ends: boolean;
  /** Bit set of the markup rules that may match its raw form. */
  readonly marks: number;
  readonly coded: boolean;
  /** Whether it may be one code of a sequence. */
  readonly code: boolean;
}

/** Names that the source may mention: its tools and this tool's parameters. */
export interface OwnNames {
  has(name: string): boolean;
}

export interface Reading {
  readonly rule: InstructionRule | undefined;
  readonly marks: number;
  /** Whether the text contains runs that may be encoded text. */
  readonly coded: boolean;
}

const NOTHING: Sense = new Int32Array();
const REMEMBERED = 50_000;
const REMEMBERED_CHARS = 64;
const MAX_RUN = 512;
/** Consecutive codes that may encode a text. */
const CODES = 6;
const SPACE = 0x20;
const NO_BREAK_SPACE = 0xa0;
const LINE_BREAK = 0x0a;
const MAX_NAME = 512;
/** Letters spelled one by one that are read as a word, at least. */
const SPELLED = 4;
/** This many words in such letters cannot be a coincidence. */
const SPELLED_WORDS = 3;
const SPELLED_OUT: InstructionRule = { id: 'encoded', reason: 'spells words letter by letter', phrases: [] };
const SPELLED_MAX = 400;

/** Reads texts word by word and passes the sense of each to the matcher, also for disguised spellings. */
export class WordReader {
  readonly #chunks = new Map<string, Chunk>();
  readonly #senses: WordSenses;
  readonly #marks: Readonly<Record<Mark, Sense>>;

  constructor(private readonly matcher: PhraseMatcher) {
    this.#senses = new WordSenses(matcher);
    const { lexicon } = matcher;
    const marks = [...SHAPES.map(({ mark }) => mark), 'foreign', 'param'];
    this.#marks = Object.fromEntries(
      marks.map((mark) => [mark, matcher.senseOf([lexicon.numberOf(`%${mark}`)])]),
    ) as Record<Mark, Sense>;
  }

  /** Reads a text as a continuation of the earlier ones, up to the first rule that it breaks. */
  read(text: string, own: OwnNames): Reading {
    const folded = foldedText(text);
    const spelled: string[] = [];
    let marks = 0;
    let coded = false;
    let codes = 0;
    let rule: InstructionRule | undefined;
    for (let start = 0, at = 0; at <= folded.length; at += 1) {
      const code = at < folded.length ? folded.charCodeAt(at) : LINE_BREAK;
      if (code > SPACE && code !== NO_BREAK_SPACE) continue;
      const chunk = at > start ? this.#chunkOf(folded.slice(start, at)) : undefined;
      start = at + 1;
      if (chunk) {
        marks |= chunk.marks;
        codes = chunk.code ? codes + 1 : 0;
        coded ||= chunk.coded || codes >= CODES;
        if (chunk.letter !== undefined && spelled.length < SPELLED_MAX) spelled.push(chunk.letter);
        else rule = this.#readSpelled(spelled) ?? this.#readChunk(chunk, own);
      }
      if (code === LINE_BREAK) {
        rule ??= this.#readSpelled(spelled);
        this.matcher.pause();
      }
      if (rule) break;
    }
    return { rule, marks, coded };
  }

  readName(name: string, own: OwnNames): Reading {
    const { matcher } = this;
    const { near } = matcher;
    matcher.pause();
    matcher.mark(this.#marks.param);
    const reading = this.read(name.slice(0, MAX_NAME), own);
    // A sentence may continue in the next field; the name in between does not count.
    matcher.near = near;
    return reading;
  }

  #readChunk({ words, mark, toolName, ends }: Chunk, own: OwnNames): InstructionRule | undefined {
    const { matcher } = this;
    let found: InstructionRule | undefined;
    if (mark) found = matcher.take(mark);
    const isForeign = toolName !== undefined && !own.has(toolName);
    if (isForeign) found = matcher.take(this.#marks.foreign) ?? found;
    for (const word of words) {
      // The name of another source's tool is one word, even if it has several parts.
      if (isForeign) found = (typeof word === 'number' ? undefined : matcher.mark(word)) ?? found;
      else if (typeof word === 'number') matcher.skip(word);
      else found = matcher.take(word) ?? found;
    }
    if (ends) matcher.pause();
    return found;
  }

  #readSpelled(letters: string[]): InstructionRule | undefined {
    if (letters.length === 0) return undefined;
    const word = letters.splice(0).join('');
    if (word.length < SPELLED) {
      this.matcher.skip(word.length);
      return undefined;
    }
    let found: InstructionRule | undefined;
    let words = 0;
    for (let start = 0; start < word.length;) {
      const length = this.#longestWord(word, start);
      if (length > 0) {
        words += 1;
        found = this.matcher.take(this.#senses.of(word.slice(start, start + length)) ?? NOTHING) ?? found;
      }
      start += Math.max(1, length);
    }
    return found ?? (words >= SPELLED_WORDS ? SPELLED_OUT : undefined);
  }

  /** Length of the longest word of the rules at a position of letters without gaps. */
  #longestWord(letters: string, start: number): number {
    for (let length = Math.min(14, letters.length - start); length >= 3; length -= 1) {
      if (this.matcher.lexicon.isWord(letters.slice(start, start + length))) return length;
    }
    return 0;
  }

  #chunkOf(raw: string): Chunk {
    const known = this.#chunks.get(raw);
    if (known) return known;
    const chunk = this.#parsed(raw);
    if (raw.length <= REMEMBERED_CHARS) {
      if (this.#chunks.size >= REMEMBERED) this.#chunks.clear();
      this.#chunks.set(raw, chunk);
    }
    return chunk;
  }

  #parsed(raw: string): Chunk {
    const lower = raw.slice(0, MAX_RUN).toLowerCase();
    const bare = raw.slice(0, 256).replace(/^[^\p{L}\p{N}~/%.@$]+|[^\p{L}\p{N}@$]+$/gu, '');
    const written = IDENTIFIER.test(bare);
    return {
      words: this.#senses.inRun(raw, written && /[_A-Z]/.test(bare)),
      mark: SAMPLE.test(lower) ? undefined : this.#markOf(lower, bare.toLowerCase()),
      toolName: written && TOOL_NAME.test(bare) ? bare : undefined,
      letter: bare.length === 1 && /[\p{L}013457@$]/u.test(bare) ? (LEET[bare] ?? bare.toLowerCase()) : undefined,
      ends: /[.!?;。！？][)\]"'*_”’`]*$/u.test(raw.slice(-12)),
      marks: raw.length > MAX_RUN ? -1 : markupMarks(lower),
      coded: CODED.test(raw) && encodedTexts(raw).length > 0,
      code: SPACED_CODE.test(raw),
    };
  }

  #markOf(lower: string, bare: string): Sense | undefined {
    if (!/[./@_?&]|%app|^\W?[a-z]{2}\d\d/.test(lower)) return undefined;
    const found = SHAPES.find(({ shape }) => shape.test(lower) || shape.test(bare));
    return found && this.#marks[found.mark];
  }
}
