export interface QuerySegment {
  readonly text: string;
  /** 0 to 1. */
  readonly weight: number;
}

// Quoted text is mostly a value for the tool ("Meeting with John"), sometimes its name.
const QUOTED = /"[^"]*"|“[^“”]*”|`[^`]*`|(?<![\p{L}\p{N}])'[^']+'(?![\p{L}\p{N}])/gu;
const QUOTED_WEIGHT = 0.4;
// "I am a travel blogger. Can you …? My name is Ann.": sentences without a request contain circumstances and values.
const SENTENCE_START = /(?<=[.!?])\s+(?=\p{Lu})/gu;
const ASKS =
  /\?|\b(?:please|can|could|also|additionally|help|tell|give|show|provide|get|find|fetch|retrieve|search|list|check|create|add|suggest|recommend)\b/iu;
const CIRCUMSTANCE_WEIGHT = 0.8;

/** Splits a request into parts, in order. Quoted text counts less, as do sentences that ask nothing beside others. */
export function querySegments(text: string): QuerySegment[] {
  const sentences = sentencesOf(text);
  const asks = sentences.map(({ unquoted }) => ASKS.test(unquoted));
  if (!asks.includes(true) || !asks.includes(false)) return aroundQuotes(text, 1);
  return sentences.flatMap((sentence, index) =>
    aroundQuotes(sentence.text, asks[index] === true ? 1 : CIRCUMSTANCE_WEIGHT),
  );
}

/** The sentences of a text, each also with its quotations masked. A quotation is never split. */
function sentencesOf(text: string): { text: string; unquoted: string }[] {
  const unquoted = text.replace(QUOTED, (quoted) => '_'.repeat(quoted.length));
  const ends = [...unquoted.matchAll(SENTENCE_START)].map(({ index }) => index);
  return [0, ...ends].map((start, position) => ({
    text: text.slice(start, ends[position]),
    unquoted: unquoted.slice(start, ends[position]),
  }));
}

function aroundQuotes(text: string, weight: number): QuerySegment[] {
  const found: QuerySegment[] = [];
  let end = 0;
  for (const match of text.matchAll(QUOTED)) {
    found.push({ text: text.slice(end, match.index), weight });
    found.push({ text: match[0], weight: weight * QUOTED_WEIGHT });
    end = match.index + match[0].length;
  }
  return [...found, { text: text.slice(end), weight }];
}
