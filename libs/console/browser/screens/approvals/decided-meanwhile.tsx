import type { ApiError } from '../../api/client.js';
import { Text } from '../../parts/text.js';

/** Says what has changed while this operator looked, and who did it, in the words of the server. */
export function DecidedMeanwhile({ error }: { readonly error: ApiError }) {
  return (
    <div class="note note-closed" role="alert">
      <strong>It is not what you saw any more. Nothing was overwritten.</strong>
      <p>
        <Text value={error.message} />
      </p>
      <p>Choose above the list what it shows, to read the reason and to change that decision.</p>
    </div>
  );
}
