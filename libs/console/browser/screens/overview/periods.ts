/** The periods that the overview shows, by their names in its address. */
export const PERIODS = {
  hour: { ms: 3_600_000, words: 'the last hour' },
  day: { ms: 86_400_000, words: 'the last day' },
  week: { ms: 604_800_000, words: 'the last week' },
} as const;

export type PeriodName = keyof typeof PERIODS;

/** The period of this name. @returns `day` for any other name */
export const periodNamed = (name: string): PeriodName => (Object.hasOwn(PERIODS, name) ? (name as PeriodName) : 'day');
