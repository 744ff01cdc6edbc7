import { useState } from 'preact/hooks';
import { api } from '../../api/client.js';
import type { ToolQueriesAnswer } from '../../api/routes.js';
import { Async } from '../../parts/async.js';
import { readCaller, useCaller } from '../../parts/caller/caller.js';
import { CallerForm } from '../../parts/caller/caller-form.js';
import { DecideButton } from '../../parts/decide-button.js';
import { DecisionDialog } from '../../parts/dialog.js';
import { Text } from '../../parts/text.js';
import { ToolField } from '../../parts/tool-field.js';
import { useDebounced } from '../../parts/use-debounced.js';
import { useData } from '../../state/use-data.js';
import { SearchHits } from '../playground/search-hits.js';

interface ClosedGapProps {
  readonly tenantId: string;
  readonly query: string;
}

/** Adds the words of a gap to a tool as an example query, and repeats the search at once. */
export function ClosedGap({ tenantId, query }: ClosedGapProps) {
  const [words, setWords] = useState(query);
  const [tool, setTool] = useState('');
  const [target, setTarget] = useState<ToolQueriesAnswer>();
  const asked = useDebounced(words.trim());
  const name = useDebounced(tool.trim());
  const context = readCaller(useDebounced(useCaller('left')));
  const search = useData(
    JSON.stringify(['gap', asked, context]),
    asked !== '' && context
      ? (signal) => api('POST previews/search', { body: { context, query: asked, limit: 5 }, signal })
      : undefined,
  );
  const queries = useData(
    `queries ${name}`,
    name === ''
      ? undefined
      : async (signal) => {
          const page = await api('GET example-queries', {
            query: { q: name, tenantId, limit: 50 },
            signal,
          });
          return page.items.find((each) => each.name === name) ?? null;
        },
  );
  return (
    <section class="card" aria-label="Close a gap">
      <form
        class="filters wide"
        onSubmit={(event) => {
          event.preventDefault();
          setTarget(queries.data ?? undefined);
        }}
      >
        <label>
          Words that found nothing
          <input name="words" value={words} maxLength={1000} onInput={(event) => setWords(event.currentTarget.value)} />
        </label>
        <ToolField value={tool} onInput={setTool} label="The tool that they mean" />
        <CallerForm which="left" label="Who is asking" />
        <DecideButton isSubmit class="primary" disabled={asked === '' || !queries.data}>
          Add as an example query…
        </DecideButton>
      </form>
      {queries.data && queries.data.added.length > 0 && (
        <p>
          It has these already: <Text value={queries.data.added.join('; ')} />
        </p>
      )}
      {queries.data === null && <p class="wrong">The catalog has no such tool for this tenant.</p>}
      {asked !== '' && <Async of={search}>{(found) => <SearchHits found={found} />}</Async>}
      {target && (
        <DecisionDialog
          title="Add this example query?"
          action="Add"
          onClose={() => setTarget(undefined)}
          decide={async (reason) => {
            await api('POST example-queries/{id}/add', {
              path: { id: target.id },
              body: { queries: [asked], reason, expectedRevision: target.revision },
            });
          }}
        >
          <p>
            <Text value={asked} /> finds <Text value={target.name} max={120} /> from now on. No model sees the words.
          </p>
        </DecisionDialog>
      )}
    </section>
  );
}
