import { safeText } from '@tool-search/core/adapter';
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
  const held = servers.flatMap(({ tools }) => tools.filter(({ layer }) => layer === 'quarantine'));
  const saved = plain > listed ? `, ${Math.round((1 - listed / plain) * 100)}% less` : '';
  const lines = [
    ...servers.flatMap(serverLines),
    ...(disabled.length > 0 ? [`switched off: ${disabled.map(shown).join(', ')}`, ''] : []),
    `A list of all tools costs ${count(plain)} tokens, the list of this gateway ${count(listed)}${saved}` +
      `${tokenizer === 'estimate' ? ' (estimated by length)' : ''}.`,
    ...(held.length > 0 ? [`${held.length} held back: tool-search approve ${file} shows what has changed.`] : []),
    ...(ok ? [] : ['Not everything is ready; see above.']),
    `State: ${state}`,
    ...rightsOfOthers.map(shown),
  ];
  return `${lines.join('\n')}\n`;
}

function serverLines({ name, transport, state, code, reason, tokens, tools, refused, ignoredKeys }: ServerReport) {
  const fault = code === undefined ? '' : ` (${code}: ${shown(reason ?? '')})`;
  const width = Math.max(0, ...tools.map((tool) => tool.name.length));
  return [
    `${shown(name)} (${transport}): ${state}${fault}, ${tools.length} tools, ${count(tokens)} tokens`,
    ...tools.map((tool) => `  ${tool.name.padEnd(width)} ${count(tool.tokens).padStart(7)}${said(tool)}`),
    ...refused.map((tool) => `  ${shown(tool.name)} refused: ${shown(tool.reason)}`),
    ...(ignoredKeys.length > 0 ? [`  keys that mean nothing here: ${ignoredKeys.map(shown).join(', ')}`] : []),
    '',
  ];
}

function said({ layer, reason = '' }: ToolReport): string {
  return layer === undefined ? '' : `  ${WORDS[layer] ?? layer}: ${shown(reason)}`;
}

function shown(text: string): string {
  return safeText(text, MAX_CHARS);
}

function count(value: number): string {
  return value.toLocaleString('en');
}
