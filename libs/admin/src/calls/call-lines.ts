import type { CallRecord } from '@tool-search/core/stores';

const COLUMNS = [
  'id',
  'at',
  'kind',
  'tenantId',
  'userId',
  'sessionId',
  'runId',
  'agentIds',
  'step',
  'callId',
  'tool',
  'definitionHash',
  'decision',
  'layer',
  'rule',
  'reason',
  'outcome',
  'controlRevision',
  'catalogRevision',
  'policyHash',
  'narrowed',
  'ms',
  'argumentBytes',
  'resultBytes',
  'cached',
  'tools',
  'toolCount',
  'toolTokens',
  'resultTokens',
  'arguments',
  'result',
] as const satisfies readonly (keyof CallRecord)[];

/** The first line of a CSV export. */
export const CSV_HEAD = `${COLUMNS.join(',')}\r\n`;

export function jsonLine(record: CallRecord): string {
  return `${JSON.stringify(record)}\n`;
}

/** A line of CSV (RFC 4180). A text that a spreadsheet would run as a formula begins with an apostrophe. */
export function csvLine(record: CallRecord): string {
  return `${COLUMNS.map((name) => cell(record[name])).join(',')}\r\n`;
}

function cell(value: CallRecord[keyof CallRecord]): string {
  if (value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? value : value.join(' ');
  // Spreadsheets also skip spaces and line breaks before a formula.
  const safe = /^\s*[=+\-@|\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}
