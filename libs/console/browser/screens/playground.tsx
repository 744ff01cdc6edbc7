import { api } from '../api/client.js';
import { Async } from '../parts/async.js';
import { readCaller, useCaller } from '../parts/caller/caller.js';
import { CallerForm } from '../parts/caller/caller-form.js';
import { Screen } from '../parts/screen.js';
import { useDebounced } from '../parts/use-debounced.js';
import { useParameter } from '../state/route.js';
import { useData } from '../state/use-data.js';
import { DiffOfViews } from './playground/diff-of-views.js';
import { SearchHits } from './playground/search-hits.js';
import { SentToModel } from './playground/sent-to-model.js';

/** What a model of a caller is sent and finds, and where two callers differ. */
export function Playground() {
  const [text, setText] = useParameter('query');
  const query = useDebounced(text.trim());
  const left = readCaller(useDebounced(useCaller('left')));
  const right = readCaller(useDebounced(useCaller('right')));
  const search = useData(
    JSON.stringify(['search', query, left]),
    query !== '' && left
      ? (signal) => api('POST previews/search', { body: { context: left, query, limit: 10 }, signal })
      : undefined,
  );
  const surface = useData(
    JSON.stringify(['surface', query, left]),
    left
      ? (signal) => api('POST previews/surface', { body: { context: left, ...(query && { text: query }) }, signal })
      : undefined,
  );
  const diff = useData(
    JSON.stringify(['diff', left, right]),
    left && right ? (signal) => api('POST previews/diff', { body: { left, right }, signal }) : undefined,
  );
  return (
    <Screen title="Playground" lead="Search and see as a caller does. Nothing here leaves a trace.">
      <form class="filters wide" role="search" onSubmit={(event) => event.preventDefault()}>
        <CallerForm which="left" label="Who is asking" />
        <label>
          What a user would say
          <input
            name="query"
            type="search"
            maxLength={4000}
            value={text}
            placeholder="for example give the customer the money back"
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
      </form>
      <h2>What the search answers</h2>
      {query === '' ? (
        <p class="empty">Type what a user would say.</p>
      ) : (
        <Async of={search}>{(found) => <SearchHits found={found} />}</Async>
      )}
      <h2>What the model is sent at its first step</h2>
      <Async of={surface}>{(sent) => <SentToModel sent={sent} />}</Async>
      <h2>Compared with a second caller</h2>
      <form class="filters wide" onSubmit={(event) => event.preventDefault()}>
        <CallerForm which="right" label="Who else is asking" />
      </form>
      <Async of={diff}>{(views) => <DiffOfViews views={views} />}</Async>
    </Screen>
  );
}
