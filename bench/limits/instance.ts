import 'reflect-metadata';
import { type CounterPlace, LimitedApp } from './limited-app.js';

// One of two instances that share a limit: `instance.js URL LIMIT CALLS`. It reports when it is ready, makes the calls
// when told to, all at once, and sends how many were let through.

async function main([url = '', limit = '', calls = '']: readonly string[]): Promise<void> {
  const place: CounterPlace = { url };
  const app = await LimitedApp.start([{ id: 'hot', rate: { calls: Number(limit), windowMs: 3_600_000 } }], place);
  process.once('message', () => void callAll());
  process.send?.('ready');

  async function callAll(): Promise<void> {
    const answers = await Promise.all(Array.from({ length: Number(calls) }, (_, i) => app.call(`tenant${i % 50}`)));
    process.send?.({ allowed: answers.filter(Boolean).length });
    await app.close();
    process.disconnect();
  }
}

void main(process.argv.slice(2));
