import type { ComponentChildren } from 'preact';
import { effect, signal } from '@preact/signals';
import { tenant } from '../state/operator.js';

const EXAMPLE = '{ "tenantId": "acme", "userId": "ada" }';

/** The contexts that were typed, kept while the page is open so that screens share them. */
export const contexts = {
  left: signal(EXAMPLE),
  right: signal('{ "tenantId": "globex", "userId": "homer" }'),
};

// An operator of one tenant may ask as its contexts only.
effect(() => {
  const tenantId = tenant.value;
  if (tenantId === undefined) return;
  for (const context of Object.values(contexts)) {
    if (readContext(context.peek())?.tenantId !== tenantId) context.value = JSON.stringify({ tenantId, userId: 'ada' });
  }
});

/** Asks as another tenant, unless the typed context is of it already. @param tenantId `''` keeps the context */
export function askAsTenant(tenantId: string): void {
  if (tenantId === '' || readContext(contexts.left.peek())?.tenantId === tenantId) return;
  contexts.left.value = JSON.stringify({ tenantId, userId: 'ada' });
}

/** Reads a typed context; undefined where it is no JSON object with a tenantId. */
export function readContext(text: string): { readonly tenantId: string } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isContext(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isContext(value: unknown): value is { readonly tenantId: string } {
  if (typeof value !== 'object' || value === null || !('tenantId' in value)) return false;
  return typeof value.tenantId === 'string' && value.tenantId !== '';
}

/** A field for a context: any JSON object with a tenantId. */
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
        rows={3}
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
