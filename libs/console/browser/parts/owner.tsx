import { Text } from './text.js';

/** The tenant whose source it is; nothing for a source of everybody. */
export function Owner({ of }: { readonly of: string }) {
  if (of === '') return null;
  return (
    <span class="tag">
      of <Text value={of} max={80} />
    </span>
  );
}
