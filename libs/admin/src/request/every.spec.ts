import type { Every } from './every.js';

interface Core {
  readonly verdict: 'found' | 'weak' | 'none';
  readonly hint?: string;
}

type Fits<Dto> = Dto extends Every<Dto, Core> ? true : false;

interface Stated {
  readonly equal: Fits<{ readonly verdict: 'found' | 'weak' | 'none'; readonly hint?: string }>;
  readonly required: Fits<{ readonly verdict: Core['verdict']; readonly hint: string }>;
  readonly larger: Fits<{ readonly verdict: Core['verdict']; readonly hint?: string; readonly own: number }>;
  readonly withoutOptional: Fits<{ readonly verdict: Core['verdict'] }>;
  readonly narrower: Fits<{ readonly verdict: 'found' | 'weak'; readonly hint?: string }>;
  readonly wider: Fits<{ readonly verdict: string; readonly hint?: string }>;
  readonly optional: Fits<{ readonly verdict?: Core['verdict']; readonly hint?: string }>;
}

// The compiler is what tests here: it refuses any other value.
it('a DTO fits only with each member of the core, of a type that is neither narrower nor wider', () => {
  const stated: Stated = {
    equal: true,
    required: true,
    larger: true,
    withoutOptional: false,
    narrower: false,
    wider: false,
    optional: false,
  };
  expect(Object.values(stated)).toHaveLength(7);
});
