import type { ComponentChildren } from 'preact';
import { effect, signal } from '@preact/signals';
import { tenant } from '../state/operator.js';
import { recentCallers } from './callers.js';

const EXAMPLE = '{ "tenantId": "acme", "userId": "ada" }';

/** The callers that were typed, as contexts in JSON, kept while the page is open so that screens share them. */
export const contexts = {
  left: signal(EXAMPLE),
  right: signal('{ "tenantId": "globex", "userId": "homer" }'),
};

// An operator of one tenant may ask as its callers only.
effect(() => {
  const tenantId = tenant.value;
  if (tenantId === undefined) return;
  for (const context of Object.values(contexts)) {
    if (readContext(context.peek())?.tenantId !== tenantId) context.value = JSON.stringify({ tenantId });
  }
});

/** A context: any JSON object with a tenantId. */
export interface Caller extends Readonly<Record<string, unknown>> {
  readonly tenantId: string;
}

/**
 * Asks as another tenant, unless the typed caller is of it already: as the one who called last, if a call is recorded.
 *
 * @param tenantId `''` keeps the caller
 */
export async function askAsTenant(tenantId: string): Promise<void> {
  const unnamed = JSON.stringify({ tenantId });
  const typed = contexts.left.peek();
  if (tenantId === '' || (typed !== unnamed && readContext(typed)?.tenantId === tenantId)) return;
  contexts.left.value = unnamed;
  const [newest] = await recentCallers(tenantId, 1);
  // Somebody may have typed meanwhile.
  if (newest && contexts.left.peek() === unnamed) contexts.left.value = newest.context;
}

/** Asks as this caller. @param caller as JSON; anything else keeps what was typed */
export function askAs(caller: string): void {
  if (readContext(caller)) contexts.left.value = caller;
}

/** Reads a typed context; undefined where it is no JSON object with a tenantId. */
export function readContext(text: string): Caller | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isContext(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isContext(value: unknown): value is Caller {
  if (typeof value !== 'object' || value === null || !('tenantId' in value)) return false;
  return typeof value.tenantId === 'string' && value.tenantId !== '';
}

/** A field for a caller. */
export function ContextField({
  which,
  label,
}: {
  readonly which: keyof typeof contexts;
  readonly label: ComponentChildren;
}) {
  const { value } = contexts[which];
  const isWrong = readContext(value) === undefined;
  return (
    <label>
      {label}
      <textarea
        name={`context-${which}`}
        rows={6}
        spellcheck={false}
        class="code"
        value={value}
        aria-invalid={isWrong}
        onInput={(event) => (contexts[which].value = event.currentTarget.value)}
      />
      {isWrong && <span class="wrong">Type a JSON object with a tenantId, as your code gives it.</span>}
    </label>
  );
}
