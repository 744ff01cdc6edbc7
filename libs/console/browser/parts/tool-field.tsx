import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { api } from '../api/client.js';
import { useData } from '../state/use-data.js';
import { useDebounced } from './use-debounced.js';

interface ToolFieldProps {
  readonly value: string;
  readonly onInput: (name: string) => void;
  readonly label?: ComponentChildren;
}

/** A field for the name of a tool, with suggestions from the catalog. */
export function ToolField({ value, onInput, label = 'Tool' }: ToolFieldProps) {
  const id = useId();
  const typed = useDebounced(value.trim());
  const { data } = useData(
    `suggest ${typed}`,
    typed.length < 2 ? undefined : (signal) => api('GET catalog', { query: { contains: typed, limit: 12 }, signal }),
  );
  return (
    <label>
      {label}
      <input
        name="tool"
        list={id}
        autocomplete="off"
        spellcheck={false}
        value={value}
        placeholder="for example billing.refund_invoice"
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      <datalist id={id}>
        {data?.items.map(({ owner, name }) => (
          <option key={`${owner} ${name}`} value={name} />
        ))}
      </datalist>
    </label>
  );
}
