import type { Step } from '../chat/conversation.js';

export interface DemoConversation {
  readonly tenant: string;
  readonly request: string;
  readonly steps: readonly Step[];
  readonly answer: string;
}

/** The measurements of the demo, printed by `--json`. */
export interface DemoReport {
  readonly catalogTools: number;
  /** Tokens of all definitions in the catalog. */
  readonly tokensAll: number;
  /** Tokens of the tools that the model got at its first step. */
  readonly tokensShownFirst: number;
  /** Maximum of the tokens that the model got at any step. */
  readonly tokensShownMax: number;
  readonly conversations: readonly DemoConversation[];
}

const number = (value: number) => value.toLocaleString('en-US');

export function stepLine(step: Step): string {
  const time = `${step.ms.toFixed(1)} ms`.padStart(10);
  const what = {
    list: () => `sees     ${number(step.tokensShown)} tokens of tools`,
    search: () => `searches "${step.query ?? ''}"${hits(step)}`,
    get: () => `reads    ${step.tool}`,
    activate: () => `gets     ${step.tool ?? 'tools'} into its list`,
    call: () => `calls    ${step.tool}`,
    denied: () => `is refused ${step.tool}`,
    answer: () => 'answers',
  }[step.type]();
  return `${time}  ${what}`;
}

function hits(step: Step): string {
  const found = step.hits ?? [];
  return found.length === 0 ? '\n            found nothing' : `\n            found ${found.join(', ')}`;
}

/** Formats the report's last lines: the tokens saved by deferral. */
export function savings({ catalogTools, tokensAll, tokensShownFirst, tokensShownMax }: DemoReport): string {
  const share = (tokens: number) => `${((100 * tokens) / tokensAll).toFixed(2)} %`;
  return [
    `Catalog            ${number(catalogTools)} tools, ${number(tokensAll)} tokens`,
    `Shown at first     ${number(tokensShownFirst)} tokens (${share(tokensShownFirst)})`,
    `Shown at most      ${number(tokensShownMax)} tokens (${share(tokensShownMax)})`,
    `Saved at each step at least ${number(tokensAll - tokensShownMax)} tokens`,
  ].join('\n');
}
