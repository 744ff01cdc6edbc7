import type { ScorePartAnswer, SearchPreviewAnswer } from '../../api/routes.js';
import { Bar, count } from '../../parts/bar.js';
import { Text, UnseenName } from '../../parts/text.js';
import { linkTo } from '../../state/route.js';

const VERDICT = { found: 'Found', weak: 'Weak: most likely none of these fits', none: 'Nothing fits' } as const;

/** The hits of a search with the parts of their scores and what each costs. */
export function SearchHits({ found }: { readonly found: SearchPreviewAnswer }) {
  const { verdict, hits, unmatched, answerTokens, tokenizer, hint } = found;
  return (
    <section aria-label="Hits" aria-live="polite">
      <p>
        <strong>{VERDICT[verdict as keyof typeof VERDICT] ?? <Text value={verdict} max={60} />}</strong>. The answer
        costs <strong>{count(answerTokens)} tokens</strong>{' '}
        <span class="muted">
          (<Text value={tokenizer} max={60} />)
        </span>
        {unmatched.length > 0 && (
          <>
            ; no visible tool contains <Text value={unmatched.join(', ')} />
          </>
        )}
        .
      </p>
      <ol class="hits">
        {hits.map((hit) => (
          <li key={hit.name} class="card">
            <p class="hit-head">
              <strong>
                <Text value={hit.name} max={120} />
              </strong>
              <span>
                {hit.score.toFixed(3)} · {count(hit.tokens)} tokens ·{' '}
                <a href={linkTo('explain', { tool: hit.name })}>
                  Why?
                  <UnseenName of={hit.name} />
                </a>
              </span>
            </p>
            <p>
              <Text value={hit.description} />
            </p>
            <Parts parts={hit.parts} />
          </li>
        ))}
      </ol>
      {hint !== undefined && (
        <p class="muted">
          The model is told: <Text value={hint} />
        </p>
      )}
    </section>
  );
}

/** Each part as a bar against the largest one. */
function Parts({ parts }: { readonly parts: readonly ScorePartAnswer[] }) {
  if (parts.length === 0) return null;
  const largest = Math.max(...parts.map(({ score }) => score));
  return (
    <details>
      <summary>Parts of the score ({parts.length})</summary>
      <ul class="parts">
        {parts.map(({ field, word = '', as, score }, index) => (
          <li key={index}>
            <span>
              <Text
                value={word === '' ? field : `${word}${as === undefined ? '' : ` as ${as}`} in ${field}`}
                max={80}
              />
            </span>
            <Bar share={score / largest} label={`${score} of ${largest}`} />
            <span>{score.toFixed(3)}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
