import { safeText } from '@tool-search/core/internal';
import type { CheckReport, ServerReport, ToolReport } from './check.js';

const WORDS: Readonly<Record<string, string>> = {
  quarantine: 'held back',
  policy: 'left out by policy',
  kill_switch: 'switched off',
  approval: 'needs an approval',
};
const MAX_CHARS = 300;

/** The report of a check for people. What servers say of themselves is shown without control characters. */
export function reportText(
  { servers, disabled, tokens, state, rightsOfOthers, ok }: CheckReport,
  file: string,
): string {
  const { plain, listed, tokenizer } = tokens;
  const heldTools = servers.flatMap(({ tools }) => tools.filter(({ layer }) => layer === 'quarantine'));
  const saved = plain > listed ? `, ${Math.round((1 - listed / plain) * 100)}% less` : '';
  const lines = [
    ...servers.flatMap(serverLines),
    ...(disabled.length > 0 ? [`switched off: ${disabled.map(shown).join(', ')}`, ''] : []),
    `A list of all tools costs ${count(plain)} tokens, the list of this gateway ${count(listed)}${saved}` +
      `${tokenizer === 'estimate' ? ' (estimated by length)' : ''}.`,
    ...(heldTools.length > 0
      ? [`${heldTools.length} held back: tool-search approve ${file} shows what has changed.`]
      : []),
    ...(ok ? [] : ['Not everything is ready; see above.']),
    `State: ${state}`,
    ...rightsOfOthers.map(shown),
  ];
  return `${lines.join('\n')}\n`;
}

function serverLines({
  name,
  transport,
  state,
  code,
  reason,
  hint,
  tokens,
  tools,
  refused,
  ignoredKeys,
}: ServerReport) {
  const fault = code === undefined ? '' : ` (${code}: ${shown(reason ?? '')})`;
  const advice = hint === undefined ? '' : ` (${shown(hint)})`;
  const width = Math.max(0, ...tools.map((tool) => tool.name.length));
  return [
    `${shown(name)} (${transport}): ${state}${fault}, ${tools.length} tools${advice}, ${count(tokens)} tokens`,
    ...tools.map((tool) => `  ${tool.name.padEnd(width)} ${count(tool.tokens).padStart(7)}${remark(tool)}`),
    ...refused.map(({ name: tool, reason: why, count: all = 1 }) => {
      const more = all > 1 ? ` and ${count(all - 1)} more` : '';
      return `  ${shown(tool)}${more} refused: ${shown(why)}`;
    }),
    ...(ignoredKeys.length > 0 ? [`  keys that mean nothing here: ${ignoredKeys.map(shown).join(', ')}`] : []),
    '',
  ];
}

function remark({ layer, reason = '' }: ToolReport): string {
  return layer === undefined ? '' : `  ${WORDS[layer] ?? layer}: ${shown(reason)}`;
}

function shown(text: string): string {
  return safeText(text, MAX_CHARS);
}

function count(value: number): string {
  return value.toLocaleString('en');
}
