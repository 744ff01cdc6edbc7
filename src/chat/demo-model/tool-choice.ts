import type { JsonSchema } from '@tool-search/core';
import { type FilledArguments, fillArguments } from './argument-filling.js';
import type { UserRequest, Value } from './user-request.js';
import { firstSentence, isAmong, isMeaningful, isReading, isSame, wordsOf } from './words.js';

/** A tool as a search, a definition or the model's list shows it. */
export interface KnownTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema?: JsonSchema;
}

interface Choice extends FilledArguments {
  readonly tool: KnownTool;
}

/**
 * How well a tool meets a request, by the words of its name and its first sentence; 0 where it does something else. A
 * request to read is only served by a tool that reads, any other by a tool that does what the verb says.
 */
export function fitOf(request: UserRequest, tool: KnownTool): number {
  const { verb, nouns } = request;
  const named = wordsOf(ownName(tool));
  const sentence = wordsOf(firstSentence(tool.description));
  const asked = [verb, ...nouns];
  const [does = ''] = sentence.length > 0 ? sentence : named;
  const toolReads = isReading(does);
  const acts = isSame(does, verb) || (toolReads && isAmong(verb, named));
  if (request.isReading ? !toolReads : !acts || !request.isPlain) return 0;
  // The last word of a name says what the tool is about: "get_order_status" reads no order.
  if (!isAmong(named.at(-1) ?? '', asked)) return 0;
  const unmet = nouns.filter((noun) => !isAmong(noun, [...named, ...sentence])).length;
  if (unmet > 0 && unmet === nouns.length) return 0;
  const unasked = named.filter((word) => isMeaningful(word) && !isAmong(word, asked));
  // Only "shop" in "shop_delete_order" may be unasked: it says where the tool belongs, not what it changes.
  const isCategory = (word: string) => word === named[0] && nouns.length > 0 && !isAmong(word, sentence);
  if (!toolReads && !unasked.every(isCategory)) return 0;
  const isOld = /\bdeprecated\b/i.test(tool.description);
  return Math.max(0.01, 1 - 0.2 * unmet - 0.05 * unasked.length - (acts ? 0 : 0.2) - (isOld ? 0.3 : 0));
}

/** The tool that fits best, or undefined. A missing argument weighs more than any word; of equals the first counts. */
export function chooseTool(request: UserRequest, tools: readonly KnownTool[]): Choice | undefined {
  const score = ({ tool, missing }: Choice) => fitOf(request, tool) - missing.length;
  return tools
    .flatMap((tool) => {
      if (!tool.inputSchema || fitOf(request, tool) === 0) return [];
      const choice = { tool, ...fillArguments(tool.inputSchema, request) };
      return isUnderstood(request, choice) ? [choice] : [];
    })
    .toSorted((left, right) => score(right) - score(left))[0];
}

function isUnderstood(request: UserRequest, { tool, args, unused }: Choice): boolean {
  const named = wordsOf(tool.name);
  // A value without a place was meant for another tool; "3 invoices" counts what a tool for one invoice handles.
  const isNamed = ({ text }: Value) => wordsOf(text).every((word) => isAmong(word, named));
  const isCount = ({ labels: [, unit = ''] }: Value) => isAmong(unit, named);
  if (!unused.every(isNamed) || request.values.some(isCount)) return false;
  // What changes something must know every word of the request.
  const known = [...named, ...wordsOf(firstSentence(tool.description)), ...wordsOf(JSON.stringify(args))];
  return request.isReading || request.nouns.every((noun) => isAmong(noun, known));
}

function ownName({ name }: KnownTool): string {
  return name.replace(/^.*(?:__|\.)/, '');
}
