import { signal } from '@preact/signals';

const EXAMPLE = '{ "tenantId": "acme", "userId": "ada" }';

/** The contexts that were typed, kept while the page is open so that screens share them. */
export const contexts = {
  left: signal(EXAMPLE),
  right: signal('{ "tenantId": "globex", "userId": "homer" }'),
};

/** Reads a typed context; undefined where it is no JSON object with a tenantId. */
export function readContext(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isContext = typeof value === 'object' && value !== null && 'tenantId' in value;
    return isContext && typeof value.tenantId === 'string' && value.tenantId !== '' ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A field for a context: any JSON object with a tenantId. */
export function ContextField({ which, label }: { readonly which: keyof typeof contexts; readonly label: string }) {
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
