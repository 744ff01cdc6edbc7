import type { Adapter } from './application.js';
import { journey } from './journey.js';

const only = process.env.TOOL_SEARCH_ADAPTER as Adapter | undefined;
const adapters: readonly Adapter[] = only ? [only] : ['express', 'fastify'];

describe('an application that installs the packages', () => {
  it.each(adapters)('finds, calls, kills and restarts on %s', journey);
});
