import type { SurfacePreviewAnswer } from '../../api/routes.js';
import { Bar, count } from '../../parts/bar.js';
import { Table } from '../../parts/screen.js';
import { Name, Text } from '../../parts/text.js';
import { counted } from '../../parts/words.js';

/** What a model is sent at its first step, against a plain list of everything that it may use. */
export function SentToModel({ sent }: { readonly sent: SurfacePreviewAnswer }) {
  const { mode, reason, tools, listed, visible, meta, prompt, shownTokens, fullTokens, tokenizer } = sent;
  const most = Math.max(shownTokens, fullTokens, 1);
  return (
    <>
      <p>
        Mode{' '}
        <strong>
          <Text value={mode} max={60} />
        </strong>
        : <Text value={reason} />
      </p>
      <dl class="compared">
        <dt>
          Sent: {count(listed)} of {counted(visible, 'tool')}
        </dt>
        <dd>
          <Bar share={shownTokens / most} label={`${count(shownTokens)} tokens are sent`} tone="good" />{' '}
          {count(shownTokens)} tokens
        </dd>
        <dt>A plain list of all</dt>
        <dd>
          <Bar share={fullTokens / most} label={`${count(fullTokens)} tokens in a plain list`} tone="muted" />{' '}
          {count(fullTokens)} tokens{' '}
          <span class="muted">
            (<Text value={tokenizer} max={60} />)
          </span>
        </dd>
      </dl>
      <details>
        <summary>All {count(listed + meta.length)} entries of the list</summary>
        <Table caption="What the model is sent" columns={['Tool', 'Description', { number: 'Tokens' }]}>
          {[...meta, ...tools].map(({ name, description, tokens }) => (
            <tr key={name}>
              <td>
                <Text value={name} max={120} />
              </td>
              <td>
                <Text value={description} max={160} />
              </td>
              <td>{count(tokens)}</td>
            </tr>
          ))}
        </Table>
        {listed > tools.length && (
          <p class="muted">
            The first {tools.length} of {count(listed)} tools.
          </p>
        )}
      </details>
      {Object.entries(prompt).map(([part, text]) => (
        <details key={part}>
          <summary>
            Prompt part: <Name of={part} />
          </summary>
          <p class="prewrap">
            <Text value={text} max={3000} />
          </p>
        </details>
      ))}
    </>
  );
}
