import { writeSync } from 'node:fs';
import { createDataSource } from '../src/create-data-source.js';
import { dataSourceOptions } from '../src/data-source-options.js';
import { TypeOrmActivationStore } from '../src/typeorm-activation.store.js';

/** Activates one tool after the other in the given SQLite file and says so on stdout, until somebody kills it. */
async function activateForEver([database, prefix]: string[]): Promise<never> {
  const store = new TypeOrmActivationStore(await createDataSource(dataSourceOptions({ database })));
  const scope = { tenantId: 't', userId: 'u', scope: 'session', scopeId: 's' } as const;
  for (let i = 0; ; i++) {
    const tool = `${prefix}.${i}`;
    await store.activate(scope, [{ tool, reason: 'first_use', tokens: 1 }], { tools: 0, tokens: 0 }, i, 0);
    writeSync(1, `${tool}\n`);
  }
}

void activateForEver(process.argv.slice(2));
