import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { operator, tenant } from '../../state/operator.js';
import { useData } from '../../state/use-data.js';
import { readObject } from '../read-object.js';
import { plainText } from '../safe-text.js';
import { readCaller, setCaller, useCaller, type WhichCaller } from './caller.js';
import {
  type CallerField,
  fieldsOf,
  fitsForm,
  IDS,
  listOf,
  offeredFields,
  type TypedCaller,
  withField,
} from './caller-fields.js';
import { callerJson } from './caller-json.js';
import { recordedIds } from './recorded-callers.js';
import { SavedCallers } from './saved-callers-form.js';

/** Whether callers are typed as JSON, on every screen while the page is open. */
const isJson = { left: signal(false), right: signal(false) };

interface CallerFormProps {
  readonly which: WhichCaller;
  readonly label: ComponentChildren;
}

/** Who is asking: ids with completion from the record, roles and fields, a saved caller, or JSON. */
export function CallerForm({ which, label }: CallerFormProps) {
  const json = useCaller(which);
  const caller = readObject(json);
  const offered = offeredFields(operator.value?.callerFields ?? {});
  const fits = caller !== undefined && fitsForm(caller, offered);
  const asJson = isJson[which].value || !fits;
  const set = (next: TypedCaller) => setCaller(which, callerJson(next));
  return (
    <fieldset class="caller">
      <legend>{label}</legend>
      {asJson || !caller ? (
        <JsonField which={which} json={json} />
      ) : (
        <div class="caller-fields">
          <IdFields caller={caller} onChange={set} />
          {fieldsOf(caller, offered).map((field) => (
            <Field key={field.name} of={field} onChange={(value) => set(withField(caller, field.name, value))} />
          ))}
        </div>
      )}
      {caller && <SavedCallers caller={caller} offered={offered} onChoose={set} />}
      <label class="check">
        <input
          type="checkbox"
          name={`json-${which}`}
          checked={asJson}
          disabled={!fits}
          onChange={(event) => (isJson[which].value = event.currentTarget.checked)}
        />
        As JSON
      </label>
    </fieldset>
  );
}

function JsonField({ which, json }: { readonly which: WhichCaller; readonly json: string }) {
  const isWrong = readCaller(json) === undefined;
  return (
    <>
      <textarea
        name={`context-${which}`}
        aria-label="Caller as JSON"
        rows={6}
        spellcheck={false}
        class="code"
        value={json}
        aria-invalid={isWrong}
        onInput={(event) => setCaller(which, event.currentTarget.value)}
      />
      {isWrong && <span class="wrong">Type a JSON object with a tenantId, as your code gives it.</span>}
    </>
  );
}

interface IdFieldsProps {
  readonly caller: TypedCaller;
  readonly onChange: (caller: TypedCaller) => void;
}

function IdFields({ caller, onChange }: IdFieldsProps) {
  const id = useId();
  const tenantId = textOf(caller, 'tenantId');
  const { data } = useData(`ids of callers ${tenant.value ?? ''}`, (signal) => recordedIds(signal));
  const names = 'runId' in caller ? ([...IDS, ['runId', 'Run']] as const) : IDS;
  return (
    <>
      {names.map(([name, label]) => (
        <label key={name}>
          {label}
          <input
            name={`caller-${name}`}
            list={`${id}-${name}`}
            autocomplete="off"
            spellcheck={false}
            value={textOf(caller, name)}
            required={name === 'tenantId'}
            aria-invalid={name === 'tenantId' && tenantId === ''}
            onInput={(event) => onChange(withField(caller, name, event.currentTarget.value))}
          />
          <datalist id={`${id}-${name}`}>
            {data?.of(name, tenantId).map((value) => (
              <option key={value} value={value} />
            ))}
          </datalist>
        </label>
      ))}
    </>
  );
}

function textOf(caller: TypedCaller, name: string): string {
  const value = caller[name];
  return typeof value === 'string' ? value : '';
}

interface FieldProps {
  readonly of: CallerField;
  readonly onChange: (value: string | readonly string[]) => void;
}

function Field({ of: { name, values, value }, onChange }: FieldProps) {
  const label = plainText(name === 'roles' ? 'Roles' : name, 40);
  if (typeof value !== 'string') {
    return values.length > 0 ? (
      <Choices label={label} values={[...new Set([...values, ...value])]} chosen={value} onChange={onChange} />
    ) : (
      <ListField label={label} values={value} onChange={onChange} />
    );
  }
  if (values.length === 0) {
    return (
      <label>
        {label}
        <input
          name={`caller-${name}`}
          spellcheck={false}
          value={value}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      </label>
    );
  }
  const choices = value === '' || values.includes(value) ? values : [...values, value];
  return (
    <label>
      {label}
      <select name={`caller-${name}`} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        <option value="">not given</option>
        {choices.map((each) => (
          <option key={each} value={each}>
            {plainText(each, 60)}
          </option>
        ))}
      </select>
    </label>
  );
}

interface ChoicesProps {
  readonly label: ReturnType<typeof plainText>;
  readonly values: readonly string[];
  readonly chosen: readonly string[];
  readonly onChange: (values: readonly string[]) => void;
}

function Choices({ label, values, chosen, onChange }: ChoicesProps) {
  return (
    <fieldset class="choices">
      <legend>{label}</legend>
      {values.map((each) => (
        <label key={each} class="check">
          <input
            type="checkbox"
            checked={chosen.includes(each)}
            onChange={(event) => {
              const others = chosen.filter((other) => other !== each);
              onChange(event.currentTarget.checked ? [...others, each] : others);
            }}
          />
          {plainText(each, 60)}
        </label>
      ))}
    </fieldset>
  );
}

interface ListFieldProps {
  readonly label: ReturnType<typeof plainText>;
  readonly values: readonly string[];
  readonly onChange: (values: readonly string[]) => void;
}

function ListField({ label, values, onChange }: ListFieldProps) {
  const [draft, setDraft] = useState('');
  const written = values.join(', ');
  // What is typed may end with a comma, which is no part of the values.
  const shown = listOf(draft).join(', ') === written ? draft : written;
  return (
    <label>
      {label}
      <input
        name={`caller-${label.toLowerCase()}`}
        spellcheck={false}
        value={shown}
        placeholder="finance, …"
        onInput={(event) => {
          setDraft(event.currentTarget.value);
          onChange(listOf(event.currentTarget.value));
        }}
      />
    </label>
  );
}
