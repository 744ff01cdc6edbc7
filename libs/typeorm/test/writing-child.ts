import { TypeOrmControlStore } from '../src/control/typeorm-control.store.js';
import { createDataSource } from '../src/database/create-data-source.js';
import { dataSourceOptions } from '../src/database/data-source-options.js';
import { TypeOrmActivationStore } from '../src/activation/typeorm-activation.store.js';

/**
 * Alternately activates tools and engages kill switches in the given SQLite file, and prints each to stdout once it is
 * acknowledged, `times` times or until the process is killed.
 */
async function write([database, prefix, times = 'Infinity']: string[]): Promise<void> {
  // On a slow machine, the default of 5 s may end before each of the processes had its turn.
  const options = Object.assign(dataSourceOptions({ database }), { timeout: 120_000 });
  const dataSource = await createDataSource(options);
  const activations = new TypeOrmActivationStore(dataSource);
  const control = new TypeOrmControlStore(dataSource);
  const scope = { tenantId: 't', userId: 'u', scope: 'session', scopeId: 's' } as const;
  for (let i = 0; i < Number(times); i++) {
    const name = `${prefix}.${i}`;
    if (i % 2 === 0) {
      await activations.activate(
        scope,
        [{ tool: name, reason: 'first_use', tokens: 1 }],
        { tools: 0, tokens: 0 },
        i,
        0,
      );
    } else {
      await control.change({
        action: 'kill_switch.engaged',
        actor: 'ada',
        reason: 'a test',
        tenantId: '',
        subject: name,
        at: i,
        put: { kind: 'kill_switch', key: name, tenantId: '', value: { tool: name }, expiresAt: 0 },
        idempotencyKey: name,
      });
    }
    // Waits for a slow reader; a synchronous write would fail with EAGAIN.
    await new Promise((written) => process.stdout.write(`${name}\n`, written));
  }
  await dataSource.destroy();
}

void write(process.argv.slice(2));
