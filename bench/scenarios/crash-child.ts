import 'reflect-metadata';
import { writeSync } from 'node:fs';
import { openStores } from './open-stores.js';

/**
 * Alternately activates tools and engages kill switches in the given SQLite file; prints each to stdout once it is
 * acknowledged.
 */
async function writeForEver([database = '', round = '']: string[]): Promise<never> {
  const { activations, control } = await openStores({ database });
  const scope = { tenantId: 'acme', userId: '', scope: 'run', scopeId: round } as const;
  for (let i = 0; ; i++) {
    const tool = `round${round}.tool${i}`;
    await activations.activate(scope, [{ tool, reason: 'first_use', tokens: 1 }], { tools: 0, tokens: 0 }, i, 0);
    writeSync(1, `activation ${tool}\n`);
    await control.change({
      action: 'kill_switch.engaged',
      actor: 'crash',
      reason: 'to be found after a crash',
      tenantId: '',
      subject: tool,
      at: i,
      put: { kind: 'kill_switch', key: tool, tenantId: '', value: { tool }, expiresAt: 0 },
      idempotencyKey: tool,
    });
    writeSync(1, `switch ${tool}\n`);
  }
}

writeForEver(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
