import { useState } from 'preact/hooks';
import { operator } from '../../state/operator.js';
import { plainText } from '../safe-text.js';
import type { OfferedField, TypedCaller } from './caller-fields.js';
import { asSaved, browserStorage, forgetCaller, saveCaller, savedCallers } from './saved-callers.js';

interface SavedCallersProps {
  readonly caller: TypedCaller;
  readonly offered: readonly OfferedField[];
  readonly onChoose: (caller: TypedCaller) => void;
}

/** Callers that the operator has saved in this browser, and a way to save this one. */
export function SavedCallers({ caller, offered, onChoose }: SavedCallersProps) {
  const storage = browserStorage();
  const actor = operator.value?.actor ?? '';
  const [saved, setSaved] = useState(() => savedCallers(storage, actor));
  const [chosen, setChosen] = useState('');
  const [name, setName] = useState('');
  const choose = (wanted: string) => {
    setChosen(wanted);
    const found = saved.find((each) => each.name === wanted);
    if (found) onChoose(asSaved(caller, found, offered));
  };
  return (
    <details class="saved">
      <summary>Saved callers ({saved.length})</summary>
      <p class="muted">Kept in this browser: tenant, roles and the fields that the application offers, nothing else.</p>
      {saved.length > 0 && (
        <div class="filters">
          <label>
            Ask as
            <select value={chosen} onChange={(event) => choose(event.currentTarget.value)}>
              <option value="">choose</option>
              {saved.map((each) => (
                <option key={each.name} value={each.name}>
                  {plainText(each.name, 60)}
                </option>
              ))}
            </select>
          </label>
          <button
            type="button"
            disabled={chosen === ''}
            onClick={() => {
              setSaved(forgetCaller(storage, actor, chosen));
              setChosen('');
            }}
          >
            Forget
          </button>
        </div>
      )}
      <div class="filters">
        <label>
          Save this one as
          <input value={name} maxLength={60} onInput={(event) => setName(event.currentTarget.value)} />
        </label>
        <button
          type="button"
          disabled={name.trim() === ''}
          onClick={() => {
            setSaved(saveCaller(storage, actor, { name: name.trim(), caller }, offered));
            setName('');
          }}
        >
          Save
        </button>
      </div>
    </details>
  );
}
