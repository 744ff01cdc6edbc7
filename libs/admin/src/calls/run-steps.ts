import type { CallRecord } from '@tool-search/core/stores';

export interface RunStep {
  readonly step: number;
  readonly shown?: CallRecord;
  readonly did: readonly CallRecord[];
}

/** Groups the records of a run, oldest first: each surface that was shown begins a step. */
export function runSteps(records: readonly CallRecord[]): readonly RunStep[] {
  const steps: { step: number; shown?: CallRecord; did: CallRecord[] }[] = [];
  for (const record of records) {
    const last = steps.at(-1);
    if (record.kind === 'shown') steps.push({ step: record.step, shown: record, did: [] });
    else if (last) last.did.push(record);
    else steps.push({ step: record.step, did: [record] });
  }
  return steps;
}
