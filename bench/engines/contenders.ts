import { AiSdkEngine } from '../peers/ai-sdk-engine.js';
import { Fts5Engine } from './fts5-engine.js';
import { MastraEngine } from '../peers/mastra-engine.js';
import { MiniSearchEngine } from '../peers/mini-search-engine.js';
import { OramaEngine } from '../peers/orama-engine.js';
import { PenguiflowEngine } from '../peers/penguiflow-engine.js';
import { PraisonaiEngine } from '../peers/praisonai-engine.js';
import type { SearchEngine } from './search-engine.js';
import { ToolSearchEngine } from './tool-search-engine.js';

/** The purpose of a measurement: `quality` may skip work that has no influence on a ranking. */
export type Purpose = 'quality' | 'speed';

type Contender = (purpose: Purpose) => SearchEngine;

// A line here adds an engine to every comparison.
const CONTENDERS: ReadonlyMap<string, Contender> = new Map<string, Contender>([
  ['tool-search', () => new ToolSearchEngine()],
  ['fts5', () => new Fts5Engine()],
  ['minisearch', () => new MiniSearchEngine()],
  ['ai-sdk', () => new AiSdkEngine()],
  ['penguiflow', () => new PenguiflowEngine()],
  ['praisonai', (purpose) => new PraisonaiEngine(purpose === 'quality' ? 'once' : 'every call')],
  ['mastra', () => new MastraEngine()],
  ['orama', () => new OramaEngine()],
]);

/** The name of every engine, ours first. */
export const CONTENDER_NAMES: readonly string[] = [...CONTENDERS.keys()];

/**
 * Creates engines, ours first.
 *
 * @param list names separated by commas, or `all`; ours is always included
 * @throws Error for an unknown name; lists the known names
 */
export function contenders(list: string, purpose: Purpose): SearchEngine[] {
  const wanted = new Set(list === 'all' ? CONTENDER_NAMES : list.split(',').map((name) => name.trim()));
  const unknown = [...wanted].find((name) => !CONTENDERS.has(name));
  if (unknown !== undefined) {
    throw new Error(
      `there is no engine ${JSON.stringify(unknown)}; --engines takes all, or some of ${CONTENDER_NAMES.join(', ')}`,
    );
  }
  wanted.add('tool-search');
  return [...CONTENDERS].filter(([name]) => wanted.has(name)).map(([, create]) => create(purpose));
}
