import type { MetaNames } from '../../toolbox/meta-tools/meta-names.js';
import type { DeferringMode } from '../../toolbox/surface/surface.js';

/**
 * Explains how to use the meta tools in a few sentences; the modes differ in how a found tool is called.
 *
 * @param names names of the meta tools; a meta tool without a name is not mentioned
 */
export function guidanceText(mode: DeferringMode, { search, get, load, call }: Partial<MetaNames>): string {
  const read = get === undefined ? [] : [`Read unfamiliar arguments with ${get}.`];
  const then = {
    deferred: [
      load === undefined ? LISTED : `Load what you need with ${load}; you call it by its own name after that.`,
    ],
    bridge: call === undefined ? [] : [`Found tools are never listed: call each through ${call}, by its exact name.`],
    native: ['The tools it finds become available to you: call them by their own names.'],
  };
  return [
    ...(search === undefined ? ['Most tools are not listed.'] : finding(mode, search)),
    ...(mode === 'bridge' ? [...read, ...then.bridge] : [...then[mode], ...read]),
    ...(search === undefined ? [] : [`When ${search} finds nothing twice, say so instead of searching again.`]),
  ].join(' ');
}

const LISTED = 'From your next step on, you call a found tool by its own name.';

function finding(mode: DeferringMode, search: string): readonly string[] {
  const held = mode === 'native' ? 'Most tools are held back until you search for them.' : 'Most tools are not listed.';
  return [
    held,
    `When no listed tool does what is asked, find one with ${search}: name the action and its object in a few words.`,
  ];
}
