import 'reflect-metadata';
import type { Server } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { type Environment, environment } from '../settings/environment.js';
import { withDemoApplication } from './demo-application.js';
import type { Ask } from './demo-arguments.js';
import { DEMO_OPERATOR_TOKEN } from './demo-users.js';
import { operatorArrives } from './operator-arrives.js';
import { serveAsk } from './serve-ask.js';

// Long enough to see in the console how each request arrives.
const BETWEEN_MS = 2000;

/**
 * Serves the console of the reference application on this machine. When an operator has signed in, serves the requests,
 * one after the other, and then stays until Ctrl+C or SIGTERM.
 *
 * @throws Error if the port is taken
 */
export async function runConsoleDemo(asks: readonly Ask[]): Promise<void> {
  await withDemoApplication(async (app) => {
    const ended = interrupted();
    // Not HOST: the token of the demo is published.
    const { PORT } = app.get<Environment>(environment.KEY);
    await app.listen(PORT, '127.0.0.1').catch((error: Error) => {
      throw new Error(`${error.message}. Set PORT to a free port, or to 0.`, { cause: error });
    });
    const arrived = operatorArrives(app.getHttpServer() as Server);
    console.log(`Open ${await app.getUrl()}/console/ and sign in with ${DEMO_OPERATOR_TOKEN}.`);
    console.log(
      `Then ${asks.length} requests of tenants arrive: see Calls, Sessions and Tokens. Ctrl+C ends the demo.`,
    );
    const isOver = ended.then(() => true);
    if (await Promise.race([isOver, arrived.then(() => false)])) return;
    for (const [index, ask] of asks.entries()) {
      if (await Promise.race([isOver, pause(BETWEEN_MS, false)])) return;
      await serveAsk(app, ask, `demo-${index}`, (line) => console.log(line));
    }
    console.log('\nAll requests are served. The console stays until Ctrl+C.');
    await ended;
  });
}

/** Resolves at Ctrl+C or SIGTERM. A second one ends the process at once. */
function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      // Nest's own listener would end the process before the data of the demo is deleted.
      process.removeAllListeners(signal);
      process.once(signal, () => resolve());
    }
  });
}
